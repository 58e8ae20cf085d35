//go:build race

package leaktest

// usual is how many sequences run unless told otherwise; the race detector makes each of them
// several times as long.
const usual = 8
