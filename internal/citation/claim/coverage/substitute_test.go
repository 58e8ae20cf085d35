package coverage

import "testing"

func TestAnotherWordBetweenTheSameNeighboursIsASubstitute(t *testing.T) {
	for _, c := range []struct {
		said, place string
		want        bool
	}{
		{"the guard locks the gate", "the guard paints the gate", true},
		{"the tank contains water", "the tank holds water", false},    // both link
		{"the guard locks the gate", "the guard has the gate", false}, // it links
		{"the guard paints the gate", "the guard paints the gate", false},
		{"bright lamps shine", "dim lamps shine", true},                // at the beginning
		{"lamps shine bright", "lamps shine dim", true},                // at the end
		{"lamps shine bright", "lamps shine", false},                   // nothing is there
		{"lamps shine bright in may", "in may dim lamps shine", false}, // elsewhere
		{"approved gate", "approval door", true},                       // beside a word of one family
		{"水阀", "水泵", true},
		{"保洁", "保安", true},
		{"用途", "用", false},
	} {
		place := saying(c.place)
		if got := saying(c.said).Substitutes(place, place); got != c.want {
			t.Errorf("%q for %q: %t", c.said, c.place, got)
		}
	}
}
