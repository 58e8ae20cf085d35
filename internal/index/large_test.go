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

// region is a world large enough that lists have many blocks, parts many windows, and common words
// bits of their own. Its words are rare and common, alone and in clusters; some texts repeat, so
// that scores tie.
func region(rnd *rand.Rand, versions, chunks int) []version {
	out := make([]version, versions)
	for i := range out {
		out[i] = version{id: fmt.Sprintf("v%03d", i), key: fmt.Sprintf("k%d", rnd.IntN(40))}
		if rnd.IntN(4) == 0 {
			out[i].title = []string{words[rnd.IntN(len(words))]}
		}
		topic := rnd.IntN(len(words))
		for no := range chunks {
			p := piece{no: no + 1}
			for w, word := range words {
				// Each word is half as frequent as the one before, more so in documents about it.
				odds := 2 << w
				if w == topic {
					odds = 3
				}
				for rnd.IntN(odds) == 0 && len(p.body) < 24 {
					p.body = append(p.body, word)
				}
			}
			if rnd.IntN(50) == 0 {
				p.heading = []string{words[rnd.IntN(len(words))]}
			}
			// One word is in every text, so that what it adds is next to nothing.
			p.body = append(p.body, words[0])
			out[i].chunks = append(out[i].chunks, p)
		}
	}
	return out
}

// layouts returns sets of the same versions that lie in different parts.
func layouts(rnd *rand.Rand, list []index.Entry) map[string]*index.Set {
	grown := &index.Set{}
	for at := 0; at < len(list); {
		next := min(len(list), at+1+rnd.IntN(40))
		grown = grown.Change(list[at:next], nil)
		at = next
	}
	shuffled := slices.Clone(list)
	rnd.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	one := index.NewSet(shuffled...)
	m := index.Joining(one, func(int) bool { return true })
	m.Run()
	return map[string]*index.Set{"all at once": index.NewSet(list...), "grown": grown, "one part": one.Adopt(m)}
}

func TestSearchOfManyBlocksEqualsNaiveScorer(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 11))
	vs := region(rnd, 240, 40)
	sets := layouts(rnd, entries(t, vs))
	if n := index.Parts(sets["one part"]); n != 1 {
		t.Fatalf("the merged set has %d parts", n)
	}
	if index.Dense(sets["one part"]) == 0 {
		t.Fatal("no list is long enough to be kept as bits")
	}
	for _, percent := range []int{1, 10, 60, 100} {
		for i := range vs {
			vs[i].visible = rnd.IntN(100) < percent
		}
		seen := map[corpus.DocumentID]bool{}
		for _, v := range vs {
			seen[corpus.DocumentID(v.id)] = v.visible
		}
		filters := map[string]*index.Filter{}
		for name, set := range sets {
			filters[name] = set.Filter(func(id corpus.DocumentID) bool { return seen[id] })
		}
		for range 12 {
			var query []string
			for range 1 + rnd.IntN(6) {
				query = append(query, words[rnd.IntN(len(words))])
			}
			k := []int{1, 10, 20, 1000}[rnd.IntN(4)]
			want := naive(vs, query, k)
			for name, f := range filters {
				if diff := gocmp.Diff(want, f.Search(index.Terms(strings.Join(query, " ")), k)); diff != "" {
					t.Fatalf("%d %% visible, %s, %d best for %q:\n%s", percent, name, k, query, diff)
				}
			}
		}
	}
}

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
			for _, k := range []int{min(1, len(all)), min(20, len(all)), len(all)} {
				if diff := gocmp.Diff(all[:k], f.Search(terms, k), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("%s, %d best for %q:\n%s", name, k, query, diff)
				}
			}
		}
	}
}
