package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis/dictionary"
)

// price is what a word costs, looked up from its beginning; 0 if it is none. A single character
// always is one.
func price(word []rune, own []string) int {
	best := 0
	if slices.Contains(own, string(word)) {
		best = 1
	}
	var node dictionary.Node
	for _, r := range word {
		if node = dictionary.Chinese().Next(node, r); node == 0 {
			break
		}
	}
	if node != 0 && best == 0 {
		best = dictionary.Chinese().Cost(node)
	}
	if best == 0 && len(word) == 1 {
		best = dictionary.Unknown
	}
	return best
}

// cheapest tries every way to cut a text and returns what the best one costs.
func cheapest(text []rune, own []string) int {
	if len(text) == 0 {
		return 0
	}
	best := math.MaxInt
	for n := 1; n <= len(text); n++ {
		if c := price(text[:n], own); c > 0 {
			best = min(best, c+cheapest(text[n:], own))
		}
	}
	return best
}

func TestNoOtherWayToCutATextIsCheaper(t *testing.T) {
	own := []string{"市长江", "命的起源", "同法是"}
	mine := lexiconOf(t, own)
	alphabet := rapid.RuneFrom([]rune("合同劳动法的是一税南京市长江大桥研究生命起源中华人民共和国"))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(alphabet, 1, 10, -1).Draw(t, "text")
		for _, c := range []struct {
			lexicon *Lexicon
			own     []string
		}{{everyone, nil}, {mine, own}} {
			sum := 0
			for _, k := range c.lexicon.Tokens(text) {
				if k.Kind == Segment {
					sum += price([]rune(text)[k.Span[0]:k.Span[1]], c.own)
				}
			}
			if want := cheapest([]rune(text), c.own); sum != want {
				t.Fatalf("%s was cut for %d; it can be cut for %d", text, sum, want)
			}
		}
	})
}

func TestTheSameWordsComeOfBothScripts(t *testing.T) {
	for _, c := range [][2]string{
		{"勞動合同法規定經營者的財產", "劳动合同法规定经营者的财产"},
		{"臺灣的電腦與軟體", "台湾的电脑与软体"},
		{"頭髮與發展", "头发与发展"},
		{"計畫書", "计划书"},
	} {
		a, b := ofKind(everyone.Tokens(c[0]), Segment), ofKind(everyone.Query(c[1]), Segment)
		if !slices.Equal(a, b) || len(a) == 0 {
			t.Errorf("%s gave %q, %s gave %q", c[0], a, c[1], b)
		}
	}
}

func TestWordsStandBesideThePairsTheyAreMadeOf(t *testing.T) {
	got := everyone.Tokens("劳动合同")
	for _, want := range []struct {
		term string
		kind Kind
		span Span
	}{{"劳动", Pair, Span{0, 2}}, {"动合", Pair, Span{1, 3}}, {"合同", Pair, Span{2, 4}}, {"|劳动合同", Segment, Span{0, 4}}, {"劳", Character, Span{0, 1}}} {
		if !slices.ContainsFunc(got, func(k Token) bool { return k.Term == want.term && k.Kind == want.kind && k.Span == want.span }) {
			t.Errorf("%s %s at %v is missing among %v", want.kind, want.term, want.span, got)
		}
	}
}

func TestMarksOfSearchTermsBeginNoOtherTerm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(anyText(), rapid.StringOf(rapid.RuneFrom([]rune("|=a合同1-")))).Draw(t, "text")
		for _, k := range everyone.Tokens(text) {
			if marked := strings.HasPrefix(k.Term, segmentMark) || strings.HasPrefix(k.Term, exactMark); marked != (k.Kind == Segment || k.Kind == Exact) {
				t.Fatalf("%q gave the %s %q", text, k.Kind, k.Term)
			}
		}
	})
}

func TestOnlyWordsAndNumbersMeasureATextInBothLanguages(t *testing.T) {
	length := func(text string) int {
		n := 0
		for _, k := range everyone.Tokens(text) {
			if k.Kind.Measures() && !k.Stop {
				n++
			}
		}
		return n
	}
	for text, want := range map[string]int{
		"劳动合同的解除":                         2,
		"termination of labour contracts": 3,
		"ERR-1042":                        2,
		"三千元":                             1,
		"2023-05-01":                      3,
		"テスト 한국어":                         2,
	} {
		if got := length(text); got != want {
			t.Errorf("%q measures %d, want %d: %v", text, got, want, everyone.Tokens(text))
		}
	}
}
