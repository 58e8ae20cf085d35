//go:build !race

package leaktest

// usual is how many sequences run unless told otherwise.
const usual = 40
