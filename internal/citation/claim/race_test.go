//go:build race

package claim

// detecting: the rules start no goroutine, so that the race detector finds nothing in figures over public sets, which are
// compared without it.
const detecting = true
