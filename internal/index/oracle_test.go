package index_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
)

// words are terms that analysis leaves as they are, so that the oracle needs none.
var words = []string{"bonk", "dral", "fipt", "gorm", "hulk", "jamb", "knot", "lurk"}

// version is a generated version; only its words matter.
type version struct {
	id, key string
	title   []string
	chunks  []piece
	visible bool
}

type piece struct {
	no            int
	heading, body []string
}

func (v version) chunk(p piece) corpus.ChunkID {
	return corpus.ChunkID(fmt.Sprintf("%s/%d", v.id, p.no))
}

// entry builds and opens the version's segment, as publishing and loading do.
func (v version) entry(t fataler) index.Entry {
	t.Helper()
	var chunks []corpus.Chunk
	for _, p := range v.chunks {
		chunks = append(chunks, corpus.Chunk{ID: v.chunk(p), No: p.no, HeadingPath: p.heading, Text: strings.Join(p.body, " ")})
	}
	b, err := index.Build(strings.Join(v.title, " "), chunks)
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	seg, err := index.Open(b)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return index.Entry{Document: corpus.DocumentID(v.id), Key: v.key, Segment: seg}
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

func some(label string, low, high int) *rapid.Generator[[]string] {
	return rapid.SliceOfN(rapid.SampledFrom(words), low, high)
}

// world draws versions, some visible and some not. Keys repeat, so that ties need the id too.
func world(t *rapid.T) []version {
	n := rapid.IntRange(1, 12).Draw(t, "versions")
	out := make([]version, n)
	for i := range out {
		out[i] = version{
			id: fmt.Sprintf("v%02d", (i*7)%n), key: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key"),
			title:   some("title", 0, 3).Draw(t, "title"),
			visible: rapid.Bool().Draw(t, "visible"),
		}
		if slices.ContainsFunc(out[:i], func(v version) bool { return v.id == out[i].id }) {
			out[i].id = fmt.Sprintf("w%02d", i)
		}
		no := 0
		for range rapid.IntRange(1, 4).Draw(t, "chunks") {
			no += rapid.IntRange(1, 3).Draw(t, "gap")
			out[i].chunks = append(out[i].chunks, piece{no, some("heading", 0, 2).Draw(t, "heading"), some("body", 0, 20).Draw(t, "body")})
		}
	}
	return out
}

func count(list []string, word string) float64 {
	n := 0.0
	for _, w := range list {
		if w == word {
			n++
		}
	}
	return n
}

// part is what one field adds to a frequency; the figures are those that the package documents.
func part(list []string, word string, weight, b, pivot float64) float64 {
	rel := float64(b * float64(len(list)))
	norm := weight / (1 - b + float64(rel/pivot))
	return float64(count(list, word) * norm)
}

// naive scores every visible chunk from its words alone.
func naive(vs []version, query []string, k int) []index.Match {
	type scored struct {
		m   index.Match
		key string
	}
	n, df := 0, map[string]int{}
	for _, v := range vs {
		for _, p := range v.chunks {
			if !v.visible {
				continue
			}
			n++
			for _, w := range words {
				if count(v.title, w)+count(strings.Fields(strings.Join(p.heading, " ")), w)+count(p.body, w) > 0 {
					df[w]++
				}
			}
		}
	}
	var distinct []string
	for _, w := range query {
		if !slices.Contains(distinct, w) {
			distinct = append(distinct, w)
		}
	}
	var all []scored
	for _, v := range vs {
		for _, p := range v.chunks {
			score := 0.0
			for _, w := range distinct {
				x := part(v.title, w, 3, 0.5, 7) + part(p.heading, w, 2, 0.5, 7)
				x += part(p.body, w, 1, 0.5, 80)
				if x == 0 {
					continue
				}
				idf := math.Log1p((float64(n-df[w]) + 0.5) / (float64(df[w]) + 0.5))
				score += float64(float64(idf*(0.5+0.5*count(query, w))) * float64(x/(1.2+x)))
			}
			if score > 0 && v.visible {
				all = append(all, scored{index.Match{Document: corpus.DocumentID(v.id), Chunk: v.chunk(p), No: p.no, Score: score}, v.key})
			}
		}
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.m.Score, a.m.Score), cmp.Compare(a.key, b.key),
			cmp.Compare(a.m.Document, b.m.Document), cmp.Compare(a.m.No, b.m.No))
	})
	var out []index.Match
	for _, s := range all[:min(k, len(all))] {
		out = append(out, s.m)
	}
	return out
}

func visible(vs []version) func(corpus.DocumentID) bool {
	return func(id corpus.DocumentID) bool {
		return slices.ContainsFunc(vs, func(v version) bool { return v.id == string(id) && v.visible })
	}
}

func entries(t fataler, vs []version) []index.Entry {
	t.Helper()
	out := make([]index.Entry, len(vs))
	for i, v := range vs {
		out[i] = v.entry(t)
	}
	return out
}

func TestSearchEqualsNaiveScorer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vs := world(t)
		query := some("query", 1, 6).Draw(t, "query")
		k := rapid.IntRange(1, 60).Draw(t, "k")
		got := index.NewSet(entries(t, vs)...).Filter(visible(vs)).Search(index.Terms(strings.Join(query, " ")), k)
		if diff := gocmp.Diff(naive(vs, query, k), got); diff != "" && len(got)+len(naive(vs, query, k)) > 0 {
			t.Fatalf("query %q:\n%s", query, diff)
		}
	})
}

func TestScoresDoNotDependOnLayoutOrHiddenVersions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vs := world(t)
		terms := index.Terms(strings.Join(some("query", 1, 6).Draw(t, "query"), " "))
		list := entries(t, vs)
		var shown []index.Entry
		grown := &index.Set{}
		for i, e := range list {
			if vs[i].visible {
				shown = append(shown, e)
			}
			grown = grown.Change([]index.Entry{e}, nil)
		}
		shuffled := rapid.Permutation(list).Draw(t, "order")
		churned := index.NewSet(shuffled[:len(shuffled)/2]...).Change(shuffled, nil)
		var hidden []corpus.DocumentID
		for _, v := range vs {
			if !v.visible {
				hidden = append(hidden, corpus.DocumentID(v.id))
			}
		}
		want := index.NewSet(shown...).Filter(func(corpus.DocumentID) bool { return true }).Search(terms, 50)
		for name, set := range map[string]*index.Set{
			"all at once": index.NewSet(list...), "one by one": grown, "replaced": churned,
			"hidden ones removed": grown.Change(nil, hidden), "removed and merged": grown.Change(shuffled[:1], hidden),
		} {
			if diff := gocmp.Diff(want, set.Filter(visible(vs)).Search(terms, 50)); diff != "" {
				t.Fatalf("%s:\n%s", name, diff)
			}
		}
	})
}

func TestSetFollowsItsChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		model := map[string]bool{}
		set := &index.Set{}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			id := fmt.Sprintf("v%d", rapid.IntRange(0, 9).Draw(t, "id"))
			before := set.Documents()
			old := set
			if rapid.Bool().Draw(t, "add") {
				set = set.Change([]index.Entry{version{id: id, key: "k", chunks: []piece{{1, nil, words[:3]}}}.entry(t)}, nil)
				model[id] = true
			} else {
				set = set.Change(nil, []corpus.DocumentID{corpus.DocumentID(id)})
				delete(model, id)
			}
			if old.Documents() != before {
				t.Fatalf("a change altered the set that it began from")
			}
			if set.Documents() != len(model) {
				t.Fatalf("the set has %d versions, want %d", set.Documents(), len(model))
			}
			for i := range 10 {
				if id := fmt.Sprintf("v%d", i); set.Has(corpus.DocumentID(id)) != model[id] {
					t.Fatalf("Has(%s) = %v", id, !model[id])
				}
			}
			all := set.Filter(func(corpus.DocumentID) bool { return true })
			if all.Chunks() != len(model) || len(all.Search(index.Terms("bonk"), 99)) != len(model) {
				t.Fatalf("%d chunks visible, %d found, want %d", all.Chunks(), len(all.Search(index.Terms("bonk"), 99)), len(model))
			}
		}
	})
}
