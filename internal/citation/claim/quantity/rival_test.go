package quantity

import (
	"slices"
	"testing"

	"github.com/kaoju/kaoju/internal/analysis"
)

// statedIn returns the quantities of a text.
func statedIn(text string) []Stated {
	out, _ := Read(analysis.Fold(text))
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
			if States(statedIn(c.text), q) || q.Rate {
				continue
			}
			if r, ok := Rival(statedIn(c.text), own, q); ok {
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

func TestADateIsReadInEitherOrder(t *testing.T) {
	for text, want := range map[string]string{
		"thursday 18 october 15:30": "--10-18",
		"on 18 october 2018":        "2018-10-18",
		"on october 18, 2018":       "2018-10-18",
		"on october 18":             "--10-18",
	} {
		if got := statedIn(text); len(got) == 0 || got[0].Value != want {
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
			if got = list[0].Value; list[0].Unit == "%" && got[len(got)-1] != '%' {
				got += "%"
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestALimitIsThatOfTheNumberBehindIt(t *testing.T) {
	for text, want := range map[string][]Bound{
		"最低50元最高500元":                                {Above, below},
		"最高500元最低50元":                                {below, Above},
		"每人最多领取5台":                                   {below},
		"至少预订2天":                                     {Above},
		"the minimum is 2 and the maximum is 5 days": {Above, below},
		"the maximum is 5 days, and 2 nights":        {below, Exactly},
		"50元":                                        {Exactly},
	} {
		var got []Bound
		for _, q := range statedIn(text) {
			if !q.Rate {
				got = append(got, q.Bound)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestARateIsNoCountOfOne(t *testing.T) {
	one := statedIn("领取1")[0]
	if States(statedIn("每人领取5台"), one) {
		t.Error("what each person has states a one")
	}
	if !States(statedIn("650 yuan per night"), statedIn("1 night")[0]) {
		t.Error("per night is not for one night")
	}
}

func TestAMonthIsThatOfAnyYear(t *testing.T) {
	for _, c := range []struct {
		text, want string
	}{{"It is due in May.", "--05"}, {"since september", "--09"}, {"you may in june", "--06"}, {"they march on rome", ""}, {"it may rain", ""}, {"in may 2026", "2026-05"}} {
		got := ""
		if list := statedIn(c.text); len(list) > 0 {
			got = list[0].Value
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
