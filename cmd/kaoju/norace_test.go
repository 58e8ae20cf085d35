//go:build !race

package main

// raced is whether the race detector watches.
const raced = false
