package retrieval_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// shelve publishes so many long versions that merging them is done apart. They share their content.
func shelve(t fataler, h *house, prefix string, n int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, uint64(prefix[0])))
	var chunks []corpus.Chunk
	at := 0
	for no := range 60 {
		text := make([]string, 200)
		for w := range text {
			text[w] = fmt.Sprintf("w%dx", rnd.IntN(3000))
		}
		c := corpus.Chunk{No: no + 1, Text: strings.Join(text, " "), Locator: corpus.TextLocator{Format: "txt", Line: no + 1}}
		c.Span = corpus.Span{Start: at, End: at + len(c.Text)}
		at += len(c.Text) + 1
		c.ID = corpus.ChunkID(fmt.Sprintf("%s.%d", prefix, no+1))
		chunks = append(chunks, c)
	}
	h.add(t, corpus.Document{ID: corpus.DocumentID(prefix + "0")}, chunks)
	h.change(func() {
		first := h.papers[h.place[corpus.DocumentID(prefix+"0")]]
		for i := 1; i < n; i++ {
			p := first
			p.ID = corpus.DocumentID(fmt.Sprintf("%s%d", prefix, i))
			p.Key = corpus.Key(p.ID)
			h.place[p.ID] = len(h.papers)
			h.papers = append(h.papers, p)
		}
	})
}

// keyword searches as "u" and fails the test on any error but that rights changed meanwhile.
func keyword(t *testing.T, h *house, l *retrieval.Local, text string) []retrieval.Match {
	t.Helper()
	var out []retrieval.Match
	err := access.Within(context.Background(), h, access.Actor{Tenant: tenant, User: "u"}, access.Request{}, func(scope access.Scope) error {
		found, err := l.Keyword(context.Background(), scope, text, 200)
		out = found.Matches
		for _, m := range out {
			if !scope.Valid() || m.Document == "" {
				t.Errorf("a match without a version: %v", m)
			}
		}
		return err
	})
	if err != nil && problem.CodeOf(err) != "busy" {
		t.Errorf("Keyword: %v", err)
	}
	return out
}

func TestWhatIsFoundIsTheSameBeforeAndAfterMerging(t *testing.T) {
	h := newHouse()
	l := retrieval.NewLocal(h)
	var before []retrieval.Match
	for round := range 4 {
		shelve(t, h, string(rune('a'+round)), 50)
		before = keyword(t, h, l, "w1x w20x w300x")
	}
	l.Settle()
	if len(before) != 200 {
		t.Fatalf("%d chunks were found", len(before))
	}
	if diff := cmp.Diff(before, keyword(t, h, l, "w1x w20x w300x")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before, keyword(t, h, retrieval.NewLocal(h), "w1x w20x w300x")); diff != "" {
		t.Errorf("loaded anew: %s", diff)
	}
}

// Publications, removals, revocations, searches and the merges that they bring, all at once.
func TestMergesNeitherHideNorBringBackVersions(t *testing.T) {
	h := newHouse()
	l := retrieval.NewLocal(h)
	shelve(t, h, "a", 50)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					keyword(t, h, l, "w1x w20x w300x")
				}
			}
		})
	}
	for round := range 5 {
		shelve(t, h, string(rune('b'+round)), 50)
		keyword(t, h, l, "w1x")
		for i := range 5 {
			h.drop(corpus.DocumentID(fmt.Sprintf("a%d", 5*round+i)))
		}
		h.change(func() {
			for k := range h.papers {
				h.papers[k].Policy = access.Policy{Restricted: k%3 == round%3}
			}
		})
	}
	close(stop)
	wg.Wait()
	for name, local := range map[string]*retrieval.Local{"as it grew": l, "merged": l, "loaded anew": retrieval.NewLocal(h)} {
		if name == "merged" {
			l.Settle()
		}
		seen := map[corpus.DocumentID]bool{}
		for _, m := range keyword(t, h, local, "w7x") {
			seen[m.Document] = true
		}
		for _, p := range h.papers {
			if p.Policy.Restricted && seen[p.ID] {
				t.Errorf("%s: %s was found though nobody may read it", name, p.ID)
			}
		}
		for id := range seen {
			if _, ok := h.place[id]; !ok {
				t.Errorf("%s: %s was found after it was removed", name, id)
			}
		}
	}
}
