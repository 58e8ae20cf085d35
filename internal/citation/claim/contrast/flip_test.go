package contrast

import (
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

func TestTheOtherSpeaksOfWhatOneDenies(t *testing.T) {
	for _, c := range []struct {
		claim, text string
		want        bool
	}{
		{"Meals are not reimbursed.", "Meals are reimbursed.", true},
		{"Meals are reimbursed.", "Meals are not reimbursed.", true},
		{"Meals are not reimbursed.", "Meals are not reimbursed.", false},
		{"Meals are not reimbursed.", "Meals are cheap.", false},          // it does not speak of it
		{"Meals are not reimbursed.", "Wine is never reimbursed.", false}, // it denies it too
		{"He has yet to act.", "He acted on stage.", true},
		{"Wine without meals is reimbursed.", "Wine with meals is reimbursed.", false},
		{"员工可以携带锂电池。", "员工不得携带锂电池。", true},
		{"员工不得携带锂电池。", "员工可以携带锂电池。", true},
		{"员工不得携带锂电池。", "员工禁止携带锂电池。", false},
	} {
		claim, text := reading.NewClaim(c.claim), analysis.Fold(c.text)
		claim.Adapt([]*reading.Source{reading.NewSource(c.text)})
		if _, got := denies(claim, text, polarity.Attitudes(text)); got != c.want {
			t.Errorf("%q against %q: %v, want %v", c.claim, c.text, got, c.want)
		}
	}
}

func TestWhatADenialReachesIsListedInOrder(t *testing.T) {
	c := reading.NewClaim("Meals, wine and parking are reimbursed.")
	weight, words := Flips(c, polarity.Attitudes("no meals wine and parking are reimbursed"))
	if weight <= 0 || !slices.Equal(strings.Fields(words), []string{"meals", "wine", "parking", "reimbursed"}) {
		t.Errorf("%q of weight %.2f", words, weight)
	}
	if weight, words := Flips(c, polarity.Attitudes("meals wine and parking are reimbursed")); weight != 0 || words != "" {
		t.Errorf("nothing is denied, and %q of weight %.2f is told", words, weight)
	}
}

func TestADenialInCommonLeavesNothingDeniedInOneAlone(t *testing.T) {
	for _, c := range []struct {
		claim, text string
		flips       bool
	}{
		{"No growth is sufficient for progress.", "Growth is not sufficient for progress.", false},
		{"Growth is not sufficient for progress.", "Growth is sufficient for progress.", true},
		{"没有任何费用可以报销。", "费用不可以报销。", false},
		{"费用不予报销。", "费用给予报销。", true},
	} {
		claim := reading.NewClaim(c.claim)
		if weight, words := Flips(claim, polarity.Attitudes(analysis.Fold(c.text))); weight > 0 != c.flips {
			t.Errorf("%q against %q: %q of weight %.2f", c.claim, c.text, words, weight)
		}
	}
}
