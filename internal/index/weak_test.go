package index_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
)

// pairs returns the pairs of characters of a text, and the characters, which are weak.
func pairs(text string) []index.Term {
	var out []index.Term
	runes := []rune(text)
	for i := range len(runes) - 1 {
		out = append(out, index.Term{Text: string(runes[i : i+2]), Weight: 1, Of: -1})
	}
	for _, r := range runes {
		out = append(out, index.Term{Text: string(r), Weight: 0.6, Weak: true, Of: -1})
	}
	return out
}

// summed is the order of sums that are made from searches for one term each: of all chunks that hold a
// term which is not weak.
func summed(f *index.Filter, terms []index.Term) []index.Match {
	sums := map[corpus.ChunkID]float64{}
	var all []index.Match
	for _, weak := range []bool{false, true} {
		for _, term := range terms {
			if term.Weak != weak {
				continue
			}
			term.Weak = false
			for _, m := range f.Search([]index.Term{term}, 1<<20) {
				if _, ok := sums[m.Chunk]; !ok {
					if weak {
						continue
					}
					all = append(all, m)
				}
				sums[m.Chunk] += m.Score
			}
		}
	}
	for i := range all {
		all[i].Score = sums[all[i].Chunk]
	}
	slices.SortFunc(all, func(a, b index.Match) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Document, b.Document), cmp.Compare(a.No, b.No))
	})
	return all
}

// The characters of a Chinese word are weak: they add to what its pairs found. The oracle is the
// order of the same sums made from searches for one term each.
func TestWeakTermsAddToWhatOthersFound(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	runes := []rune("请假流程报销差旅审批系统部门经理")
	var list []index.Entry
	for v := range 60 {
		texts := make([]string, 50)
		for c := range texts {
			text := make([]rune, 3+rnd.IntN(12))
			for i := range text {
				text[i] = runes[min(rnd.IntN(len(runes)), rnd.IntN(len(runes)))]
			}
			texts[c] = string(text)
		}
		list = append(list, document(t, fmt.Sprintf("%02d", v), "", texts...))
	}
	for name, set := range layouts(rnd, list) {
		f := set.Filter(func(id corpus.DocumentID) bool { return id[1]%3 != 0 })
		for _, query := range []string{"请假流程", "差旅报销审批", "部门经理", "系统审批部门报销"} {
			terms := pairs(query)
			all := summed(f, terms)
			for _, k := range []int{min(1, len(all)), min(20, len(all)), len(all)} {
				if diff := gocmp.Diff(all[:k], f.Search(terms, k), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("%s, %d best for %q:\n%s", name, k, query, diff)
				}
			}
		}
	}
}

// Terms as rare and as heavy as they come, weak or not, so that each kind of list brings chunks in for
// some query, and adds to what others brought in for another.
func TestTermsOfAnyWeightAndRarityEqualTheirSums(t *testing.T) {
	rnd := rand.New(rand.NewPCG(17, 19))
	const names = 24
	name := func(w int) string { return "x" + strings.Repeat(string(rune('b'+w)), 3) }
	var list []index.Entry
	for v := range 200 {
		texts := make([]string, 50)
		for c := range texts {
			var text []string
			for w := range names {
				for n := 2 << (w / 2); rnd.IntN(n) == 0 && len(text) < 40; {
					text = append(text, name(w))
				}
			}
			texts[c] = strings.Join(append(text, "filler"), " ")
		}
		list = append(list, document(t, fmt.Sprintf("%03d", v), "", texts...))
	}
	set := layouts(rnd, list)["one part"]
	defer index.Cramped(1 << 20)()
	for _, share := range []int{5, 60, 100} {
		f := set.Filter(func(corpus.DocumentID) bool { return rnd.IntN(100) < share })
		for q := range 40 {
			index.Cramped([]int{1 << 20, 2000}[q%2]) // with too little room, lists are read in pieces
			var terms []index.Term
			for _, w := range rnd.Perm(names)[:2+rnd.IntN(names-2)] {
				weight := []float64{0.1, 0.5, 1, 3}[rnd.IntN(4)]
				terms = append(terms, index.Term{Text: name(w), Weight: weight, Weak: rnd.IntN(3) == 0, Of: -1})
			}
			all := summed(f, terms)
			for _, k := range []int{min(1, len(all)), min(20, len(all)), len(all)} {
				if diff := gocmp.Diff(all[:k], f.Search(terms, k), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("%d %% visible, query %d of %d terms, %d best:\n%s", share, q, len(terms), k, diff)
				}
			}
		}
	}
}
