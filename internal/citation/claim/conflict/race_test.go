//go:build race

package conflict

// detecting: the rules start no goroutine, so that the race detector finds nothing in figures over public sets, which are
// compared without it.
const detecting = true
