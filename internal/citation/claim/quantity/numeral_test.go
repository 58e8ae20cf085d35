package quantity

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/numeral"
)

func TestQuantitiesAreReadWithTheirUnits(t *testing.T) {
	for text, want := range map[string][]Quantity{
		"1,000元":                      {{Number, "1000", "yuan"}},
		"¥1000.50":                    {{Number, "1000.5", "yuan"}},
		"1.5万元":                       {{Number, "15000", "yuan"}},
		"３００ yuan":                    {{Number, "300", "yuan"}},
		"2.5 million":                 {{Number, "2500000", ""}},
		"百分之八十五，85％, 85 percent":      {{Number, "85", "%"}, {Number, "85", "%"}, {Number, "85", "%"}},
		"2026年10月1日":                  {{date, "2026-10-01", ""}},
		"2026-10-01 2026/10/1":        {{date, "2026-10-01", ""}, {date, "2026-10-01", ""}},
		"2026年10月":                    {{date, "2026-10", ""}},
		"10月1日":                       {{date, "--10-01", ""}},
		"October 1, 2026":             {{date, "2026-10-01", ""}},
		"1st of Oct. 2026":            {{date, "2026-10-01", ""}},
		"Oct 2026":                    {{date, "2026-10", ""}},
		"2026年":                       {{Number, "2026", "year"}},
		"99/99/9999":                  {{Number, "99", ""}, {Number, "99", ""}, {Number, "9999", ""}},
		"ERR-1042 v2.3.1 10.0.0.1":    {{Code, "err-1042", ""}, {Code, "2.3.1", ""}, {Code, "10.0.0.1", ""}},
		"三个工作日 vs 3 business days":    {{Number, "3", "workday"}, {Number, "3", "workday"}},
		"no quantity, nothing at all": nil,
	} {
		var got []Quantity
		list, _ := Read(analysis.Fold(text))
		for _, q := range list {
			got = append(got, q.Quantity)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Quantity{})); diff != "" {
			t.Errorf("quantities(%s) (-want +got):\n%s", text, diff)
		}
	}
}

func TestAQuantityIsStatedByAnEqualOrMoreExactOne(t *testing.T) {
	for _, c := range []struct {
		have, want string
		states     bool
	}{
		{"650元", "650", true},
		{"650", "650元", true},
		{"650元", "650美元", false},
		{"650", "65", false},
		{"2026年10月1日", "2026年10月", true},
		{"2026年10月1日", "10月1日", true},
		{"2026年10月1日", "2026年", true},
		{"2026年10月", "2026年10月1日", false},
		{"2026年10月1日", "2025年", false},
		{"ERR-1042", "ERR-104", false},
	} {
		have, _ := Read(analysis.Fold(c.have))
		want, _ := Read(analysis.Fold(c.want))
		if got := States(have, want[0]); got != c.states {
			t.Errorf("%s states %s: %v, want %v", c.have, c.want, got, c.states)
		}
	}
}

// TestWhatIsPassedOverStatesNothing draws texts of words: those that are not read for quantities hold none.
func TestWhatIsPassedOverStatesNothing(t *testing.T) {
	words := []string{"一半", "半数", "三成", "百分之五", "每晚", "per night", "a third of", "one half of", "twenty-five", "two", "ERR-1042", "650元", "june 3", "不", "没有", "严禁", "cannot", "isn't", "lacking", "yet to", "refusal", "上海", "lodging", "，", " "}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom(words).Draw(t, "word")
		text := "meals " + word + " paid"
		if got := plainly(text); len(got) > 0 && !numeral.MayCount(text) {
			t.Fatalf("%q states %q and is passed over", text, got)
		}
	})
	if numeral.MayCount("meals are reimbursed") {
		t.Error("what states nothing is read all the same")
	}
}

// plainly returns what states a quantity in a text, found without looking whether it may.
func plainly(text string) string {
	for _, re := range []*regexp.Regexp{numeral.Han, numeral.Words, numeral.Halves, numeral.Fractions, rates, plainNumber} {
		if m := re.FindString(text); m != "" {
			return m
		}
	}
	return ""
}
