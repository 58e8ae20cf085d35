package index_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

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
				for _, room := range []int{1 << 20, 100, 0} { // with too little, lists are read in pieces
					roomy, whole := index.Cramped(room), index.Choosy([]int{256, 30}[rnd.IntN(2)])
					got := f.Search(index.Terms(strings.Join(query, " ")), k)
					roomy()
					whole()
					if diff := gocmp.Diff(want, got); diff != "" {
						t.Fatalf("%d %% visible, %s, %d best for %q, with room for %d:\n%s", percent, name, k, query, room, diff)
					}
				}
			}
		}
	}
}
