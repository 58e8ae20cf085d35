//go:build !race

package worker_test

// enough is the memory of a child for small files.
const enough = 96 << 20

const raced = false
