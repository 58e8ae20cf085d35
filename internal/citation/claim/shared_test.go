package claim

import (
	"sync"
	"testing"
)

// A source is read by several at once: its places are made by whoever asks first.
func TestASourceIsSharedBetweenGoroutines(t *testing.T) {
	s := NewSource("# Lockers\n\nMembers rent a locker. It costs 12 euros a month; the deposit is 20 euros a year.")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if f := Judge("According to the rules, a member rents a locker.", []*Source{s}); f.Verdict != Supported {
				t.Errorf("%s by %s, %v", f.Verdict, f.Rule, f.Reasons)
			}
		})
	}
	all.Wait()
}
