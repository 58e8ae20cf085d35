//go:build race

package worker_test

// enough is the memory of a child for small files; the race detector takes most of it.
const enough = 512 << 20

const raced = true
