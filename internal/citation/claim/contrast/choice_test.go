package contrast

import (
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

func TestOneOfASetInThePlaceOfAnother(t *testing.T) {
	for _, c := range []struct {
		claim, text string
		want        bool
	}{
		{"The canteen is closed on Monday.", "The canteen is closed on Friday.", true},
		{"The canteen is closed on Monday.", "The canteen is closed on Monday.", false},
		{"The canteen is closed on Monday.", "The canteen is closed on Monday and Friday.", false},
		{"The canteen is closed on Monday and Friday.", "The canteen is closed on Sunday.", false},
		{"The canteen is not closed on Monday.", "The canteen is closed on Friday.", false},
		{"The canteen is closed on Monday.", "The canteen is red.", false}, // of another set
		{"例会在周二召开。", "例会在周四召开。", true},
		{"例会在周二召开。", "例会在星期二召开。", false}, // written otherwise
		{"例会在周二召开。", "例会在春季召开。", false},
		{"He is a British actor.", "He is an English actor.", false},
		{"The long story of the town ends with an American flag.", "After many years the tall Canadian visitor left.", false}, // of other things
	} {
		if _, got := otherChoice(reading.NewClaim(c.claim), &reading.NewSource(c.text).Sentences[0]); got != c.want {
			t.Errorf("%q against %q: %v, want %v", c.claim, c.text, got, c.want)
		}
	}
}

func TestEveryWordStandsInOneSet(t *testing.T) {
	seen := map[string]string{}
	for line := range strings.Lines(exclusives) {
		for thing := range strings.FieldsSeq(line) {
			for word := range strings.SplitSeq(thing, "/") {
				if at, ok := seen[word]; ok {
					t.Errorf("%s stands in %q and in %q", word, at, thing)
				}
				seen[word] = thing
			}
		}
	}
	if got := chosen("monday 周一 星期一"); len(got) != 3 || several(got, got[0].set) || slices.ContainsFunc(got, func(w chosenWord) bool { return w.choice != got[0].choice }) {
		t.Errorf("one day in three words: %+v", got)
	}
	if len(choices()) < len(seen)/2 {
		t.Errorf("only %d of %d words were read", len(choices()), len(seen))
	}
}

// How often something is counted, and words that are seasons among other things, are said beside others
// of their kind without excluding them.
func TestFrequenciesAndFallExcludeNothing(t *testing.T) {
	for claim, text := range map[string]string{
		"员工每年享有10天年假":                                "年假按月累计，员工全年享有10天年假",
		"员工每年享有10天年假。":                               "年假每月累计一次，员工满一年享有10天年假。",
		"Electricity prices fall when demand drops.": "Electricity prices go down in summer when demand drops.",
	} {
		if r, ok := otherChoice(reading.NewClaim(claim), &reading.NewSource(text).Sentences[0]); ok {
			t.Errorf("%q beside %q: %+v", claim, text, r)
		}
	}
	if _, ok := otherChoice(reading.NewClaim("The office closes on Monday."), &reading.NewSource("The office closes on Friday.").Sentences[0]); !ok {
		t.Error("another day is no other choice")
	}
}
