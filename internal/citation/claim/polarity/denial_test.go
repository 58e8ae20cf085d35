package polarity

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

func TestADenialOfANumberDeniesNoWords(t *testing.T) {
	for text, want := range map[string][]string{
		"上限不是每晚650元":                             nil,
		"the limit is not 650 yuan":              nil,
		"not 5 members agreed":                   nil,
		"the limit is not usd 650":               nil,
		"the version is not 1.2.3":               {"version"}, // a code is no number
		"the fee does not rise 5%":               {"rise"},
		"we do not charge 650 yuan":              {"charg"},
		"the limit is not 650, nor is wine paid": {"wine"},
	} {
		if diff := cmp.Diff(want, Heads(analysis.Fold(text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		for word, how := range Attitudes(analysis.Fold(text)) {
			if want == nil && how != Affirmed {
				t.Errorf("%s: %s is denied", text, word)
			}
		}
	}
}

func TestADenialReachesWhatItDenies(t *testing.T) {
	for text, want := range map[string]string{
		"meals are reimbursed":               "",
		"meals are not reimbursed":           "reimbursed",
		"meals are reimbursed, but not wine": "wine",
		"no alcohol is reimbursed":           "alcohol reimbursed",
		"firmware fixes no err-1042":         "fixes",
		"never ship without a label":         "ship without",
		"not only meals are reimbursed":      "",
		"see no. 5 of the list":              "",
		"noël has a pinot":                   "",
		"they didn't pay":                    "pay",
		"the plan lacks funding":             "funding",
		"the team is unable to travel":       "travel",
		"no meals; wine is reimbursed":       "meals",
		"超出部分不予报销":                           "予报销",
		"员工不可以携带锂电池，可以携带手机":                  "锂电池",
		"非常重要，不仅如此":                          "",
		"未来三年无线覆盖":                           "",
		"禁止携带锂电池":                            "携带锂电池",
		"拒绝无票报销":                             "票报销无", // twice denied where both reach
	} {
		folded := analysis.Fold(text)
		attitude := Attitudes(folded)
		var got []string
		for _, term := range wording.Terms(folded) {
			if attitude[term.Text] == Denied && !strings.ContainsAny(term.Surface, "不禁止拒绝无未非") {
				got = append(got, term.Surface)
			}
		}
		joined := strings.Join(got, " ")
		if strings.ContainsFunc(text, func(r rune) bool { return r > 0x2E80 }) {
			joined = strings.Join(got, "")
		}
		if text == "拒绝无票报销" {
			// What two denials reach is affirmed, and what one reaches is denied.
			if attitude["票报"] != Affirmed {
				t.Errorf("%s: what is denied twice is not affirmed", text)
			}
			continue
		}
		if joined != want {
			t.Errorf("%s: denied %q, want %q", text, joined, want)
		}
	}
}

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
		if diff := cmp.Diff(want, Heads(analysis.Fold(text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
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
		how := Attitudes(text)
		for _, h := range Heads(text) {
			if how[h]&Denied == 0 {
				t.Fatalf("%q: %q is denied in the first place and not denied: %v", text, h, how)
			}
		}
	})
}

// TestWhatIsPassedOverDeniesNothing draws texts of words: those that are not read for denials hold none.
func TestWhatIsPassedOverDeniesNothing(t *testing.T) {
	words := []string{"不", "没有", "严禁", "cannot", "isn't", "lacking", "yet to", "refusal", "no", "上海", "lodging", "650元", "，", " "}
	rapid.Check(t, func(t *rapid.T) {
		text := "meals " + rapid.SampledFrom(words).Draw(t, "word") + " paid"
		if (zhDenials.MatchString(text) || enDenials.MatchString(text)) && !mayDeny(text) {
			t.Fatalf("%q denies and is passed over", text)
		}
	})
	if mayDeny("meals are reimbursed") {
		t.Error("what denies nothing is read all the same")
	}
}
