//go:build race

package parse_test

// detecting: the race detector takes several times the memory and the time, which are then no measure of a parser.
const detecting = true
