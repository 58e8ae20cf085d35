package claim

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

func TestABareNumberNeedsMoreToHaveARival(t *testing.T) {
	for text, want := range map[string]float64{"12 shops": sameBare, "650元": same, "in 2003": same, "ERR-1042": same, "2026年3月": same} {
		read, _ := quantity.Read(analysis.Fold(text))
		if got := nearness(read[0]); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestNoValueIsItsOwnRival draws texts that state things: against themselves nothing has a rival.
func TestNoValueIsItsOwnRival(t *testing.T) {
	scraps := []string{"650元", "24 months", "in 2003", "2005年3月2日", "30%", "5 engines", "ERR-1042", "4·5 million", "a third of", " and ", "，", "每晚"}
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, s := range rapid.SliceOfN(rapid.SampledFrom(scraps), 1, 6).Draw(t, "text") {
			text += " " + s
		}
		all, _ := quantity.Read(analysis.Fold(text))
		for _, q := range all {
			b := best{statement: &reading.Statement{Quantities: all}, single: 1}
			if at, r := b.stand(q, all, all); at != exact {
				t.Fatalf("%q of %q stands %v against itself, with %q", q.String(), text, at, r.String())
			}
		}
	})
}
