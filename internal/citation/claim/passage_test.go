package claim

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

func TestAClaimThatMixesSentencesSwitchesOften(t *testing.T) {
	s := NewSource("The red depot stores tyres and lamps. The blue depot stores coats and boots.")
	run := s.Places().Runs[0]
	for sentence, want := range map[string]int{
		"the red depot stores tyres, the blue depot stores coats": 1,
		"the red depot stores coats, the blue depot stores tyres": 2,
		"coats tyres boots lamps":                                 3,
	} {
		c := reading.NewClaim(sentence)
		if got := switches(c, reading.Ask(c.Folded, c.Text), run.Each); got != want {
			t.Errorf("%q goes over %d times, want %d", sentence, got, want)
		}
	}
}
