package analysis

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// What a tokenizer keeps of the texts before must not be seen in the terms of the next one, nor the
// next one in the terms that were given out.
func TestATokenizerGivesTheTermsOfEachTextAlone(t *testing.T) {
	own, err := NewLexicon([]string{"考据学"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	pieces := []string{
		"policies", "Policies'", "policy", "WHO", "who", "IT", "running-costs", "ERR-1042", "v2.3.1", "GB/T 19001-2016", "camelCase", "C++",
		"May 1, 2023", "2023年5月1日", "二〇二三年", "百分之三十", "3,000", "考据学", "計畫", "的", "吗", "合同终止", "プログラム", "한국어", "𠀀𠀁", "\xff",
		"ＡＢＣ", "naïve", "a\u0301", strings.Repeat("x", 70), strings.Repeat("合", 9), " ", ", ", "。",
	}
	for name, l := range map[string]*Lexicon{"no lexicon": nil, "a lexicon": own} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				tokenizer := l.Tokenizer()
				var got, want [][]Token
				for range rapid.IntRange(1, 6).Draw(t, "texts") {
					text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
					got = append(got, slices.Clone(tokenizer.Tokens(text)))
					want = append(want, slices.Clone(l.Tokens(text)))
				}
				for i := range want {
					if diff := cmp.Diff(want[i], got[i], cmpopts.EquateEmpty()); diff != "" {
						t.Fatalf("text %d: %s", i, diff)
					}
				}
			})
		})
	}
}

// A document has the same words again and again: a tokenizer asks for less memory than it has tokens.
func TestATokenizerTakesNoMemoryForATokenItMetBefore(t *testing.T) {
	text := strings.Repeat("The notice periods of employment contracts 劳动合同的终止 are long. ", 40)
	tokenizer := (*Lexicon)(nil).Tokenizer()
	tokens := len(tokenizer.Tokens(text))
	if n := testing.AllocsPerRun(20, func() { tokenizer.Tokens(text) }); n > float64(tokens)/20 {
		t.Errorf("%.0f allocations for %d tokens", n, tokens)
	}
}
