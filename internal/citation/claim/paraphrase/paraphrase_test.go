package paraphrase_test

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/opposite"
	"github.com/kaoju/kaoju/internal/citation/claim/paraphrase"
)

func TestPhrasesAreWrittenInOneWording(t *testing.T) {
	for said, want := range map[string]string{
		"staff hand in the form":        "staff submit the form",
		"staff are not required to pay": "staff need not pay",
		"they are not allowed to smoke": "they may not smoke",
		"they are allowed to smoke":     "they may smoke",
		"a handing-in date":             "a submit date",
		"handy ink":                     "handy ink",
		"the machine turns itself off":  "the machine switch off",
		"职工须于差旅结束后递交材料":                 "员工须于差旅结束后提交材料",
		"不得不停机":                         "不得不停机",
		"严禁吸烟":                          "不得吸烟",
		"上半年":                           "上半年",
		"半年内有效":                         "6个月内有效",
		"仍要交物业费":                        "仍要支付物业费",
		"提交资金计划":                        "提交资金计划",
	} {
		if got := paraphrase.Plain(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestWordsOfOneMeaningHaveOneStem(t *testing.T) {
	stem := func(word string) string { return paraphrase.Word(analysis.Query(word)[0].Term) }
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"approve", "approval", true}, {"buy", "procurement", true}, {"staff", "employees", true}, {"reimburse", "refund", true},
		{"approve", "inform", false}, {"manager", "employee", false}, {"landlord", "tenant", false}, {"supplier", "customer", false},
	} {
		if got := stem(c.a) == stem(c.b); got != c.same {
			t.Errorf("%s and %s are the same: %t", c.a, c.b, got)
		}
	}
}

// No word stands for one that says the opposite: a denial of it would pass for it.
func TestNoWordStandsForItsOpposite(t *testing.T) {
	by := map[string][]string{}
	for word := range opposite.Sides() {
		if !strings.ContainsFunc(word, func(r rune) bool { return r > 'z' }) {
			by[paraphrase.Word(word)] = append(by[paraphrase.Word(word)], word)
		}
	}
	for first, words := range by {
		for _, a := range words {
			for _, b := range words {
				for _, s := range opposite.Sides()[a] {
					for _, o := range opposite.Sides()[b] {
						if a != b && s == o.Other() {
							t.Errorf("%s stands for %s and for %s", first, a, b)
						}
					}
				}
			}
		}
	}
}

// TestNoChineseWordIsWrittenAsItsOpposite holds the words of each pair of opposites against each other, as they are written.
func TestNoChineseWordIsWrittenAsItsOpposite(t *testing.T) {
	pairs := 0
	for line := range strings.Lines(opposite.Pairs) {
		left, right, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "~"), "|")
		if !ok || !strings.ContainsFunc(left, func(r rune) bool { return r > 'z' }) {
			continue
		}
		pairs++
		for a := range strings.FieldsSeq(left) {
			for b := range strings.FieldsSeq(right) {
				if paraphrase.Plain(a) == paraphrase.Plain(b) {
					t.Errorf("%s and %s are both written %s", a, b, paraphrase.Plain(a))
				}
			}
		}
	}
	if pairs < 30 {
		t.Errorf("%d pairs of Chinese words are read, want all", pairs)
	}
}
