//go:build race

package browsertest

const racing = true
