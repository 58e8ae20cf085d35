package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// follower holds the vectors of acme as a server does, and learns what changed alone.
type follower struct {
	mark retrieval.Mark
	held map[corpus.DocumentID]string
}

func (f *follower) follow(w *World) {
	w.t.Helper()
	img, err := w.Vectors.Vectors(w.ctx, acme, f.mark)
	w.ok(err)
	if img.Whole {
		f.held = map[corpus.DocumentID]string{}
	}
	for _, d := range img.Documents {
		f.held[d.Document] = string(d.Segment)
	}
	for _, id := range img.Gone {
		delete(f.held, id)
	}
	f.mark = img.Mark
}

// followTests hold following against reading everything, over random lives of a tenant: whenever a
// follower looks, however much it missed, it has what is stored.
var followTests = []test{
	{"WhoFollowsHasWhatWhoReadsEverythingHas", func(t *testing.T, w *World) {
		rnd := rand.New(rand.NewPCG(9, 31))
		often, seldom := &follower{}, &follower{}
		var living []corpus.DocumentID
		looked := 0
		model := "m0"
		w.wanted(model)
		for step := range 160 {
			switch n := rnd.IntN(10); {
			case n < 4 || len(living) == 0:
				living = append(living, w.add("carol", corpus.Key(fmt.Sprint("k", step)), fmt.Sprint("text ", step), published).ID)
			case n < 7:
				for range 1 + rnd.IntN(4) {
					job, ok, err := w.VectorQueue.Claim(w.ctx, lease)
					w.ok(err)
					if !ok {
						break
					}
					if err := w.embedOne(model, job); problem.CodeOf(err) != "not_found" { // it was withdrawn meanwhile
						w.ok(err)
					}
				}
			case n < 8:
				at := rnd.IntN(len(living))
				if rnd.IntN(2) == 0 {
					w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), living[at]))
				} else {
					w.ok(w.erase("carol", living[at]))
				}
				living = append(living[:at], living[at+1:]...)
			case n < 9:
				model = fmt.Sprint("m", rnd.IntN(3))
				w.wanted(model)
			}
			for _, f := range []*follower{often, seldom} {
				if f == seldom && rnd.IntN(12) > 0 {
					continue
				}
				f.follow(w)
				looked++
				mark, want := w.near()
				if d := cmp.Diff(want, f.held); d != "" || f.mark != mark {
					t.Fatalf("step %d, at %+v instead of %+v: %s", step, f.mark, mark, d)
				}
			}
		}
		if looked < 165 || len(often.held) == 0 {
			t.Fatalf("%d looks, %d versions in the end", looked, len(often.held))
		}
	}},
}
