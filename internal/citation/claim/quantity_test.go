package claim

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

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
