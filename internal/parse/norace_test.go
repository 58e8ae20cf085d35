//go:build !race

package parse_test

const detecting = false
