package claim

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

func TestWhatFollowsFromANumberIsLessThanStatingIt(t *testing.T) {
	for _, c := range []struct {
		have, want string
		implied    bool
	}{
		{"sold 757,000 copies", "sold more than 100,000 copies", true},
		{"sold 757,000 copies", "sold more than 800,000 copies", false},
		{"sold 757,000 copies", "sold more than 100,000 albums", false},
		{"每晚650元", "不到700元", true},
		{"每晚650元", "不到600元", false},
		{"上限为650元", "不超过700元", false}, // another limit
		{"每晚650元", "上限为700元", false},
		{"49 members", "about 50 members", true},
		{"30 members", "about 50 members", false},
		{"3天", "超过2小时", false},
	} {
		have, _ := quantity.Read(analysis.Fold(c.have))
		want := reading.NewClaim(c.want).Quantities
		if got := quantity.Implies(have, want[0]); got != c.implied || quantity.States(have, want[0]) {
			t.Errorf("%s implies %s: %v, want %v", c.have, c.want, got, c.implied)
		}
	}
}

func TestWhatIsToldForOneOfAUnitIsNoRival(t *testing.T) {
	for sentence, want := range map[string]Verdict{"上海住宿上限为一晚650元。": Supported, "在上海住宿3晚，每晚650元。": NotSupported, "The rate in Shanghai is 650 yuan a night.": NotSupported} {
		if f := Judge(sentence, []*Source{NewSource("上海住宿上限为每晚650元。")}); f.Verdict != want {
			t.Errorf("%s: %s by %s", sentence, f.Verdict, f.Rule)
		}
	}
}

// TestANumberOfSomethingElseNeverSupports swaps the numbers of two clauses.
func TestANumberOfSomethingElseNeverSupports(t *testing.T) {
	places := []string{"上海", "北京", "广州", "杭州"}
	rapid.Check(t, func(t *rapid.T) {
		two := rapid.Permutation(places).Draw(t, "places")[:2]
		a := rapid.IntRange(100, 999).Draw(t, "a")
		b := rapid.IntRange(1000, 1999).Draw(t, "b")
		text := fmt.Sprintf("%s住宿上限为每晚%d元，%s住宿上限为每晚%d元。", two[0], a, two[1], b)
		src := []*Source{NewSource(text)}
		for _, c := range []struct {
			place string
			value int
			want  Verdict
		}{{two[0], a, Supported}, {two[1], b, Supported}, {two[0], b, Contradicted}, {two[1], a, Contradicted}} {
			sentence := fmt.Sprintf("%s的住宿上限是每晚%d元。", c.place, c.value)
			if f := Judge(sentence, src); f.Verdict != c.want {
				t.Fatalf("%s against %s: %s by %s", sentence, text, f.Verdict, f.Rule)
			}
		}
	})
}
