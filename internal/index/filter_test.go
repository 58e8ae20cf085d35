package index_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
)

func TestAFilterHoldsExactlyTheChunksOfAdmittedVersions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []index.Entry
		sizes := map[corpus.DocumentID]int{}
		for v := range rapid.IntRange(1, 12).Draw(t, "versions") {
			texts := make([]string, rapid.IntRange(1, 150).Draw(t, "chunks"))
			for i := range texts {
				texts[i] = "bonk"
			}
			e := document(t, fmt.Sprintf("%02d", v), "", texts...)
			list = append(list, e)
			sizes[e.Document] = len(texts)
		}
		set := index.NewSet(list...)
		if rapid.Bool().Draw(t, "one went") {
			set = set.Change(nil, []corpus.DocumentID{list[0].Document})
			delete(sizes, list[0].Document)
		}
		var order []corpus.DocumentID
		set.Each(func(id corpus.DocumentID) { order = append(order, id) })
		if len(order) != len(sizes) {
			t.Fatalf("%d versions are told, want %d", len(order), len(sizes))
		}
		admitted := map[corpus.DocumentID]bool{}
		want := 0
		for _, id := range order {
			if admitted[id] = rapid.Bool().Draw(t, "admitted"); admitted[id] {
				want += sizes[id]
			}
		}
		asked := 0
		var numbers []uint64
		for place, id := range order {
			if len(numbers)*64 == place {
				numbers = append(numbers, 0)
			}
			if admitted[id] {
				numbers[place/64] |= 1 << (place % 64)
			}
		}
		for name, f := range map[string]*index.Filter{
			"by id": set.Filter(func(id corpus.DocumentID) bool {
				asked++
				return admitted[id]
			}),
			"by number": set.Select(numbers),
		} {
			found := f.Search(index.Terms("bonk"), 1<<20)
			if f.Chunks() != want || len(found) != want {
				t.Fatalf("%s: %d chunks visible, %d found, want %d", name, f.Chunks(), len(found), want)
			}
			for _, m := range found {
				if !admitted[m.Document] {
					t.Fatalf("%s: a chunk of %s was found", name, m.Document)
				}
			}
		}
		if asked != len(order) {
			t.Fatalf("%d versions were asked for, want %d", asked, len(order))
		}
	})
}
