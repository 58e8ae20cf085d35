package claim

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/citation/claim/contrast"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

func TestATextDisagreesWithItselfInNothing(t *testing.T) {
	words := []string{"meals", "not", "reimbursed", "no", "increase", "decrease", "before", "after", "650", "yuan", ",", "but", "员工", "不", "可以", "必须", "自愿", "报销", "，"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(t, "text"), " ")
		c := reading.NewClaim(text)
		if w, what := contrast.Flips(c, polarity.Attitudes(c.Folded)); w != 0 {
			t.Fatalf("%q denies its own %q", text, what)
		}
		if got := c.Stance.Against(polarity.StanceOf(c.Folded, polarity.Attitudes(c.Folded))); len(got) != 0 {
			t.Fatalf("%q is opposed to itself in %v", text, got)
		}
		if f := Judge(text, []*Source{NewSource(text)}); f.Verdict == Contradicted || f.Verdict == NotSupported && len(c.Terms)+len(c.Quantities) > 0 && len([]rune(c.Compact)) >= 4 {
			t.Fatalf("%q is %s by %s against itself", text, f.Verdict, f.Rule)
		}
	})
}
