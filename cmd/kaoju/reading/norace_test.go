//go:build !race

package reading

// raced is whether the race detector watches.
const raced = false
