package claim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
)

// statedIn returns the quantities of a text.
func statedIn(text string) []stated {
	out, _ := quantities(analysis.Fold(text))
	return out
}

func TestAnotherValueIsARivalWhereItIsOfTheSameThing(t *testing.T) {
	for _, c := range []struct{ claim, text, want string }{
		{"650元", "800元", "800元"},
		{"650元", "650元", ""},
		{"650元", "24个月", ""}, // of another sort
		{"24 months", "36 months", "36 months"},
		{"in 2003", "in 2005", "2005"},
		{"在2003年", "2005年3月2日", "2005-03-02"},
		{"在2005年", "2005年3月2日", ""},
		{"in 2003", "12 shops", ""}, // no year
		{"30%", "45%", "45%"},
		{"30%", "45", ""},                      // no share
		{"5 engines", "6 boats", ""},           // of another thing
		{"5 engines", "6 engines", "6"},        // of the same
		{"5 engines", "6", ""},                 // too small a number to be compared without its thing
		{"52,000 engines", "64,000", "64,000"}, // large enough
		{"it has 5", "6 engines", "6"},         // the claim does not say of what
		{"ERR-1042", "ERR-1043", "err-1043"},   // of one series
		{"ERR-1042", "BAT-1043", ""},           // of another
		{"on March 3, 2026", "on March 4, 2026", "2026-03-04"},
		{"from 2001 to 2006", "in 2001", ""}, // the claim states it too
		{"每晚650元", "每晚", ""},
		{"in May", "on 3 June 2026", "2026-06-03"},
		{"in May", "on 3 May 2026", ""},
		{"at most 5 days", "at least 2 days", ""},                          // room for both
		{"at most 5 days", "at least 8 days", "8 days"},                    // none
		{"at most 5 days", "at least 2 days and at most 4 days", "4 days"}, // the bound on its own side
		{"最低3元", "最低2元，最高5元", "2元"},
		{"最高3元", "最低2元，最高5元", "5元"},
		{"20 days", "at most 30 days", ""}, // within it
		{"40 days", "at most 30 days", "30 days"},
	} {
		own := statedIn(c.claim)
		got := ""
		for _, q := range own {
			if states(statedIn(c.text), q) || q.rate {
				continue
			}
			if r, ok := rival(statedIn(c.text), own, q); ok {
				got = r.String()
			}
		}
		if got = trimmed(got); got != c.want {
			t.Errorf("%q against %q: rival %q, want %q", c.claim, c.text, got, c.want)
		}
	}
}

func trimmed(s string) string {
	for len(s) > 0 && s[len(s)-1] == ' ' {
		s = s[:len(s)-1]
	}
	return s
}

func TestABareNumberNeedsMoreToHaveARival(t *testing.T) {
	for text, want := range map[string]float64{"12 shops": sameBare, "650元": same, "in 2003": same, "ERR-1042": same, "2026年3月": same} {
		if got := statedIn(text)[0].nearness(); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestADateIsReadInEitherOrder(t *testing.T) {
	for text, want := range map[string]string{
		"thursday 18 october 15:30": "--10-18",
		"on 18 october 2018":        "2018-10-18",
		"on october 18, 2018":       "2018-10-18",
		"on october 18":             "--10-18",
	} {
		if got := statedIn(text); len(got) == 0 || got[0].value != want {
			t.Errorf("%s: %+v, want %s", text, got, want)
		}
	}
}

func TestSharesAndIntervalsAreToldFromOrdinals(t *testing.T) {
	for text, want := range map[string]string{
		"a third of the staff":                "33.333333333%",
		"cut by a third by summer":            "33.333333333%",
		"two thirds":                          "66.666666667%",
		"a fifth season":                      "",
		"the ratio was 0.69 (95% ci to 0.84)": "0.69",
		"4·5 million people":                  "4500000",
		"one quarter":                         "25%",
	} {
		got := ""
		if list := statedIn(text); len(list) > 0 {
			if got = list[0].value; list[0].unit == "%" && got[len(got)-1] != '%' {
				got += "%"
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestOnlyWhatComesNearlyAsNearIsLookedAt(t *testing.T) {
	list := []statement{{text: "a"}, {text: "b"}, {text: "c"}, {text: "d"}}
	near := []nearby{{&list[0], 0.55}, {&list[1], 0.80}, {&list[2], 0.70}, {&list[3], 0.60}}
	b := best{single: 0.80, statement: &list[1], near: near}
	b.rank()
	if len(b.near) != 1 || b.near[0].text != "c" {
		t.Errorf("%+v", b.near)
	}
	b = best{single: 0.95, statement: &list[1], near: []nearby{{&list[0], 0.90}, {&list[1], 0.95}}}
	if b.rank(); len(b.near) != 0 {
		t.Errorf("the best sentence says all, and others are looked at: %+v", b.near)
	}
	var many []nearby
	for range 20 {
		many = append(many, nearby{&list[2], 0.75})
	}
	b = best{single: 0.80, statement: &list[1], near: many}
	if b.rank(); len(b.near) != mostNear {
		t.Errorf("%d are looked at, want %d", len(b.near), mostNear)
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
		all := statedIn(text)
		for _, q := range all {
			b := best{statement: &statement{quantities: all}, single: 1}
			if at, r := b.stand(q, all, all); at != exact {
				t.Fatalf("%q of %q stands %v against itself, with %q", q.String(), text, at, r.String())
			}
		}
	})
}

// How often something is counted, and words that are seasons among other things, are said beside others
// of their kind without excluding them.
func TestFrequenciesAndFallExcludeNothing(t *testing.T) {
	for claim, text := range map[string]string{
		"员工每年享有10天年假":                                "年假按月累计，员工全年享有10天年假",
		"员工每年享有10天年假。":                               "年假每月累计一次，员工满一年享有10天年假。",
		"Electricity prices fall when demand drops.": "Electricity prices go down in summer when demand drops.",
	} {
		if r, ok := newClaim(claim).otherChoice(&NewSource(text).sentences[0]); ok {
			t.Errorf("%q beside %q: %+v", claim, text, r)
		}
	}
	if _, ok := newClaim("The office closes on Monday.").otherChoice(&NewSource("The office closes on Friday.").sentences[0]); !ok {
		t.Error("another day is no other choice")
	}
}

func TestALimitIsThatOfTheNumberBehindIt(t *testing.T) {
	for text, want := range map[string][]bound{
		"最低50元最高500元":                                {above, below},
		"最高500元最低50元":                                {below, above},
		"每人最多领取5台":                                   {below},
		"至少预订2天":                                     {above},
		"the minimum is 2 and the maximum is 5 days": {above, below},
		"the maximum is 5 days, and 2 nights":        {below, exactly},
		"50元":                                        {exactly},
	} {
		var got []bound
		for _, q := range statedIn(text) {
			if !q.rate {
				got = append(got, q.bound)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestARateIsNoCountOfOne(t *testing.T) {
	one := statedIn("领取1")[0]
	if states(statedIn("每人领取5台"), one) {
		t.Error("what each person has states a one")
	}
	if !states(statedIn("650 yuan per night"), statedIn("1 night")[0]) {
		t.Error("per night is not for one night")
	}
}

func TestAMonthIsThatOfAnyYear(t *testing.T) {
	for _, c := range []struct {
		text, want string
	}{{"It is due in May.", "--05"}, {"since september", "--09"}, {"you may in june", "--06"}, {"they march on rome", ""}, {"it may rain", ""}, {"in may 2026", "2026-05"}} {
		got := ""
		if list := statedIn(c.text); len(list) > 0 {
			got = list[0].value
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct {
		exact, loose string
		want         bool
	}{{"2026-05-06", "--05", true}, {"2026-06-05", "--05", false}, {"2026-05", "--05", true}, {"--05-06", "--05", true}, {"--06-05", "--05", false}, {"2026-05-06", "--05-06", true}} {
		if got := sameDay(c.exact, c.loose); got != c.want {
			t.Errorf("%s in %s: %v, want %v", c.exact, c.loose, got, c.want)
		}
	}
}
