//go:build race

package parse_test

// detecting: the race detector takes several times the memory, which is then no measure of a parser.
const detecting = true
