//go:build !race

package browsertest

const racing = false
