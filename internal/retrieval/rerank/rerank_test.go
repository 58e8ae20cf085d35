package rerank_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/retrieval/rerank"
)

// query makes a query whose terms all weigh 1, but for those that are told otherwise.
func query(text string, weights map[string]float64) *rerank.Query {
	terms := index.Terms(text)
	for i := range terms {
		terms[i].Weight = 1
		if w, ok := weights[terms[i].Text]; ok {
			terms[i].Weight = w
		}
	}
	return rerank.NewQuery(nil, text, terms)
}

// named returns the features of one candidate by their names, without those of the legs.
func named(q *rerank.Query, c rerank.Candidate) map[string]float64 {
	out := map[string]float64{}
	for i, x := range q.Vectors([]rerank.Candidate{c})[0] {
		out[rerank.Features[i]] = x
	}
	for _, leg := range []string{"fused", "keyword", "similarity", "length"} {
		delete(out, leg)
	}
	return out
}

func TestFeaturesSayWhatATextHoldsOfTheQuery(t *testing.T) {
	far := strings.Repeat("other ", 50)
	for _, c := range []struct {
		name  string
		query string
		give  rerank.Candidate
		want  map[string]float64
	}{
		{"nothing", "pump seal", rerank.Candidate{Title: "valve", Text: "a valve"}, map[string]float64{}},
		{"both words in order", "pump seal", rerank.Candidate{Text: "a pump seal"},
			map[string]float64{"cover": 1, "ordered": 0.5, "window": 1}},
		{"the order turned", "pump seal", rerank.Candidate{Text: "the seal of a pump"},
			map[string]float64{"cover": 1, "window": 1}},
		{"the phrase twice", "pump seal", rerank.Candidate{Text: "pump seal. pump seal"},
			map[string]float64{"cover": 1, "ordered": 0.75, "window": 1}},
		{"one word far from the other", "pump seal", rerank.Candidate{Text: "pump " + far + "seal"},
			map[string]float64{"cover": 1, "window": 0.5}},
		{"the heading alone", "pump seal", rerank.Candidate{Title: "Pump handbook", Headings: []string{"Seal"}, Text: "text"},
			map[string]float64{"cover": 1, "named": 2.0 / 3}},
		{"stop words between", "seal of the pump", rerank.Candidate{Text: "seal of the pump"},
			map[string]float64{"cover": 1, "ordered": 0.5, "window": 1}},
		{"Chinese by pairs", "住宿上限", rerank.Candidate{Text: "住宿上限"},
			map[string]float64{"cover": 1, "ordered": 0.5, "window": 1}},
		{"the other script", "國語教育", rerank.Candidate{Text: "国语教育"},
			map[string]float64{"cover": 1, "ordered": 0.5, "window": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := map[string]float64{"cover": 0, "named": 0, "ordered": 0, "window": 0}
			for k, v := range c.want {
				want[k] = v
			}
			if diff := cmp.Diff(want, named(query(c.query, nil), c.give), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRareWordsCountMore(t *testing.T) {
	q := query("pump seal", map[string]float64{"seal": 3})
	if got := named(q, rerank.Candidate{Text: "a seal"})["cover"]; got != 0.75 {
		t.Errorf("three quarters of the weight cover %v", got)
	}
}

func TestLegsAreSharesOfTheBest(t *testing.T) {
	got := query("pump", nil).Vectors([]rerank.Candidate{
		{Fused: 0.2, Keyword: 8, Similarity: 0.9}, {Fused: 0.1, Keyword: 2}, {Similarity: -0.3},
	})
	var legs [][]float64
	for _, v := range got {
		legs = append(legs, v[:3])
	}
	want := [][]float64{{1, 1, 1}, {0.5, 0.25, 0}, {0, 0, -0.3 / 0.9}}
	if diff := cmp.Diff(want, legs, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Error(diff)
	}
}

func TestLengthGrowsWithTheText(t *testing.T) {
	at := len(rerank.Features) - 1
	v := query("pump", nil).Vectors([]rerank.Candidate{{}, {Text: "pump"}, {Text: "pump seal valve"}})
	if rerank.Features[at] != "length" || v[0][at] != 0 || v[1][at] <= 0 || v[2][at] <= v[1][at] {
		t.Errorf("lengths are %v, %v, %v", v[0][at], v[1][at], v[2][at])
	}
}

// TestFeaturesAreSharesWhateverTheText also holds that no text, however odd, makes a feature that is
// no number.
func TestFeaturesAreSharesWhateverTheText(t *testing.T) {
	words := []string{"pump", "seal", "the", "of", "state-of-the-art", "ERR-1042", "12", "住宿", "上限", "的", "。", "\n", "é", "\u0000", "𠀀"}
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 60).Draw(t, "words"), rapid.SampledFrom([]string{"", " "}).Draw(t, "between"))
	})
	rapid.Check(t, func(t *rapid.T) {
		q := query(text.Draw(t, "query"), nil)
		for name, x := range named(q, rerank.Candidate{Title: text.Draw(t, "title"), Headings: []string{text.Draw(t, "heading")}, Text: text.Draw(t, "text")}) {
			if !(x >= 0 && x <= 1+1e-12) {
				t.Errorf("%s is %v", name, x)
			}
		}
	})
}

// candidates draws passages of few words, so that many of them are equal.
func candidates(t *rapid.T) []rerank.Candidate {
	one := rapid.Custom(func(t *rapid.T) rerank.Candidate {
		return rerank.Candidate{
			Title: rapid.SampledFrom([]string{"", "pump", "valve"}).Draw(t, "title"),
			Text:  strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"pump", "seal", "valve"}), 0, 4).Draw(t, "text"), " "),
			Fused: float64(rapid.IntRange(0, 2).Draw(t, "fused")), Keyword: float64(rapid.IntRange(0, 2).Draw(t, "keyword")),
			Similarity: float64(rapid.IntRange(-1, 2).Draw(t, "similarity")),
		}
	})
	return rapid.SliceOfN(one, 1, 12).Draw(t, "candidates")
}

func TestEqualCandidatesKeepTheirOrderAndNoneIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := candidates(t)
		q := query("pump seal", nil)
		order := rerank.For(q, rapid.Bool().Draw(t, "both")).Order(q, list)
		sorted := slices.Sorted(slices.Values(order))
		for i, k := range sorted {
			if i != k {
				t.Fatalf("%v is no order of %d", order, len(list))
			}
		}
		for i, a := range order {
			for _, b := range order[i+1:] {
				if b < a && cmp.Equal(list[a], list[b]) {
					t.Errorf("%d stands before %d, which is equal and came first", a, b)
				}
			}
		}
	})
}

// TestScoreOfACandidateDependsOnItAndOnTheBestAlone takes away what is not the best of anything: the
// others keep their order among themselves.
func TestScoreOfACandidateDependsOnItAndOnTheBestAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := candidates(t)
		q := query("pump seal", nil)
		m := rerank.For(q, true)
		best := rerank.Candidate{Text: "seal", Fused: 3, Keyword: 3, Similarity: 3}
		whole := m.Order(q, append(slices.Clone(list), best))
		gone := rapid.IntRange(0, len(list)-1).Draw(t, "gone")
		rest := m.Order(q, append(slices.Delete(slices.Clone(list), gone, gone+1), best))
		var want []int
		for _, i := range whole {
			switch {
			case i < gone:
				want = append(want, i)
			case i > gone:
				want = append(want, i-1)
			}
		}
		if diff := cmp.Diff(want, rest, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestPassageWithThePhraseStandsBeforeOneWithItsWordsApart(t *testing.T) {
	for _, both := range []bool{false, true} {
		q := query("pump seal failure", nil)
		apart := rerank.Candidate{Text: "A failure of the seal was seen on every pump.", Fused: 1, Keyword: 1, Similarity: 1}
		phrase := rerank.Candidate{Text: "A pump seal failure was seen here.", Fused: 1, Keyword: 1, Similarity: 1}
		if got := rerank.For(q, both).Order(q, []rerank.Candidate{apart, phrase}); got[0] != 1 {
			t.Errorf("with both legs %v: %v", both, got)
		}
	}
}

func TestOrderOfTheLegsStaysWhereNothingWasMeasured(t *testing.T) {
	for _, c := range []struct {
		text string
		both bool
		want bool
	}{
		{"pump seal", false, true},
		{"pump seal", true, true},
		{"住宿上限", false, false},
		{"住宿上限", true, false},
		{"pump ERR-1042", false, false},
		{"住宿 ERR-1042", false, false},
		{"the of", false, false},
	} {
		if got := rerank.For(query(c.text, nil), c.both) != nil; got != c.want {
			t.Errorf("%q with both legs %v has a model: %v", c.text, c.both, got)
		}
	}
	if rerank.For(query("pump", map[string]float64{"pump": 0}), false) != nil {
		t.Error("a query none of whose words is anywhere has a model")
	}
}

func TestSynonymsThatNobodyWroteHaveNoPart(t *testing.T) {
	with := rerank.NewQuery(nil, "pump", append(index.Terms("pump"), index.Term{Text: "compressor", Weight: 5}))
	if got := named(with, rerank.Candidate{Text: "compressor"})["cover"]; got != 0 {
		t.Errorf("a synonym covers %v", got)
	}
}

func BenchmarkOrder(b *testing.B) {
	text := strings.Repeat("The seal of a pump has to be changed once a year by somebody who knows how. ", 8)
	chinese := strings.Repeat("出差住宿上限为每晚六百五十元，超出部分由本人承担。", 12)
	for _, c := range []struct{ name, query, text string }{
		{"english", "how often does a pump seal have to be changed", text},
		{"chinese", "出差住宿上限是多少", chinese},
	} {
		b.Run(c.name, func(b *testing.B) {
			list := make([]rerank.Candidate, rerank.Pool)
			for i := range list {
				list[i] = rerank.Candidate{Title: fmt.Sprintf("Manual %d", i), Text: c.text, Fused: 1, Keyword: 1}
			}
			q := query(c.query, nil)
			m := &rerank.Models()[0]
			for b.Loop() {
				m.Order(q, list)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(list)), "µs/passage")
		})
	}
}
