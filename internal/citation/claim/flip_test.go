package claim

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
)

func TestWhatIsDeniedInTheFirstPlace(t *testing.T) {
	for text, want := range map[string][]string{
		"meals are reimbursed":                         nil,
		"meals are not reimbursed at weekends":         {"reimburs"},
		"the drug does not significantly improve life": {"improv"}, // how it does is no matter
		"no alcohol is reimbursed":                     {"alcohol"},
		"he has yet to appear on stage":                {"appear"},
		"firmware fixes no err-1042":                   {"fix"}, // nothing but a code stands behind
		"lack of sleep harms":                          nil,     // a thing is denied
		"they work without a break":                    nil,
		"not only meals are reimbursed":                nil,
		"meals are not reimbursed, wine never is":      {"reimburs", "wine"},
		"no later than may it is due":                  nil,
		"员工不得携带锂电池":                                    {"得携", "携带", "带锂"},
		"超出部分不予报销":                                     {"予报", "报销"},
		"未经允许进入":                                       {"经允", "允许", "许进"},
		"每晚不得超过标准":                                     nil,
		"员工携带锂电池":                                      nil,
	} {
		if diff := cmp.Diff(want, heads(analysis.Fold(text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

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
		claim, text := newClaim(c.claim), analysis.Fold(c.text)
		claim.adapt([]*Source{NewSource(c.text)})
		if _, got := claim.denies(text, attitudes(text)); got != c.want {
			t.Errorf("%q against %q: %v, want %v", c.claim, c.text, got, c.want)
		}
	}
}

// TestWhatIsDeniedFirstIsDenied draws texts: what a single denial denies in the first place is among what it
// reaches, or stands before it where it reaches nothing.
func TestWhatIsDeniedFirstIsDenied(t *testing.T) {
	words := []string{"meals", "wine", "reimbursed", "paid", "quickly", "员工", "携带", "报销", "费用"}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(t, label), " ")
		}
		text := draw("before") + " " + rapid.SampledFrom([]string{"not", "never", "no", "不", "没有", "禁止"}).Draw(t, "denial") + " " + draw("behind")
		how := attitudes(text)
		for _, h := range heads(text) {
			if how[h]&denied == 0 {
				t.Fatalf("%q: %q is denied in the first place and not denied: %v", text, h, how)
			}
		}
	})
}

func TestWhatADenialReachesIsListedInOrder(t *testing.T) {
	c := newClaim("Meals, wine and parking are reimbursed.")
	weight, words := c.flips(attitudes("no meals wine and parking are reimbursed"))
	if weight <= 0 || !slices.Equal(strings.Fields(words), []string{"meals", "wine", "parking", "reimbursed"}) {
		t.Errorf("%q of weight %.2f", words, weight)
	}
	if weight, words := c.flips(attitudes("meals wine and parking are reimbursed")); weight != 0 || words != "" {
		t.Errorf("nothing is denied, and %q of weight %.2f is told", words, weight)
	}
}
