package retrieval_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// attic is an archive of the papers of a house.
type attic struct {
	*house
	gone  map[corpus.DocumentID]bool // between finding and reading them
	fault map[corpus.DocumentID]error
	asked []corpus.DocumentID
}

func (c *attic) Outdated(_ context.Context, outdated func([]byte) bool) (out []retrieval.Stored, err error) {
	for _, p := range c.papers {
		if p.segment != nil && outdated(p.segment[:min(len(p.segment), index.HeadSize)]) {
			out = append(out, retrieval.Stored{Tenant: tenant, Document: p.ID})
		}
	}
	return out, nil
}

func (c *attic) Content(_ context.Context, v retrieval.Stored) (string, []corpus.Chunk, error) {
	c.asked = append(c.asked, v.Document)
	if c.gone[v.Document] {
		return "", nil, problem.Missing()
	}
	if err := c.fault[v.Document]; err != nil {
		return "", nil, err
	}
	p := c.papers[c.place[v.Document]]
	return p.Title, p.chunks, nil
}

func (c *attic) Renew(_ context.Context, v retrieval.Stored, segment []byte) error {
	c.papers[c.place[v.Document]].segment = segment
	return nil
}

// aged is a house with three papers, of which two were made by the first analysis.
func aged(t *testing.T) *attic {
	t.Helper()
	c := &attic{house: newHouse(), gone: map[corpus.DocumentID]bool{}, fault: map[corpus.DocumentID]error{}}
	for _, id := range []corpus.DocumentID{"a", "b", "c"} {
		c.add(t, corpus.Document{ID: id, Title: "合同"}, []corpus.Chunk{{ID: corpus.ChunkID(id), Document: id, No: 1, Text: "劳动合同 policies"}})
	}
	for _, i := range []int{0, 2} {
		old := append([]byte(nil), c.papers[i].segment...)
		old[8] = 1
		c.papers[i].segment = old
	}
	return c
}

func TestSegmentsOfAnotherAnalysisAreBuiltAgain(t *testing.T) {
	c := aged(t)
	n, err := retrieval.Renew(context.Background(), c, nil)
	if err != nil || n != 2 {
		t.Fatalf("%d were built again: %v", n, err)
	}
	if diff := cmp.Diff([]corpus.DocumentID{"a", "c"}, c.asked); diff != "" {
		t.Error("versions that were read:", diff)
	}
	if got := ask(t, c.house, searcher(c.house), "u", retrieval.Query{Text: "合同"}); len(got.Hits) != 3 {
		t.Errorf("%d of the three are found", len(got.Hits))
	}
	if n, err := retrieval.Renew(context.Background(), c, nil); n != 0 || err != nil {
		t.Errorf("a second time %d were built again: %v", n, err)
	}
}

func TestAVersionThatGoesMeanwhileIsLeftOut(t *testing.T) {
	c := aged(t)
	c.gone["a"] = true
	if n, err := retrieval.Renew(context.Background(), c, nil); n != 1 || err != nil {
		t.Errorf("%d were built again: %v", n, err)
	}
}

func TestWhatWasBuiltBeforeAFaultIsKept(t *testing.T) {
	c := aged(t)
	fault := errors.New("the disk is gone")
	c.fault["c"] = fault
	n, err := retrieval.Renew(context.Background(), c, nil)
	if n != 1 || !errors.Is(err, fault) {
		t.Fatalf("%d were built again: %v", n, err)
	}
	delete(c.fault, "c")
	c.asked = nil
	if n, err := retrieval.Renew(context.Background(), c, nil); n != 1 || err != nil || !cmp.Equal(c.asked, []corpus.DocumentID{"c"}) {
		t.Errorf("then %d were built again, of %v: %v", n, c.asked, err)
	}
}

func TestSegmentsAreBuiltAgainWithTheWordsOfTheirTenant(t *testing.T) {
	c := aged(t)
	var asked []access.TenantID
	lexicons := func(_ context.Context, of access.TenantID) (*analysis.Lexicon, error) {
		asked = append(asked, of)
		return nil, nil
	}
	if n, err := retrieval.Renew(context.Background(), c, lexicons); n != 2 || err != nil {
		t.Fatalf("%d were built again: %v", n, err)
	}
	if diff := cmp.Diff([]access.TenantID{tenant, tenant}, asked); diff != "" {
		t.Error(diff)
	}
}

// vocabulary says which tenants' words changed.
type vocabulary struct {
	changed []retrieval.Reworded
	done    []retrieval.Reworded
	fault   error
}

func (v *vocabulary) Reworded(context.Context) ([]retrieval.Reworded, error) {
	return v.changed, v.fault
}

func (v *vocabulary) Indexed(_ context.Context, r retrieval.Reworded) error {
	v.done = append(v.done, r)
	return nil
}

func TestVersionsAreIndexedWithTheChangedWordsOfTheirTenant(t *testing.T) {
	c := aged(t)
	l, err := analysis.NewLexicon([]string{"劳动合"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	lexicons := func(context.Context, access.TenantID) (*analysis.Lexicon, error) { return l, nil }
	if n, err := retrieval.Reword(t.Context(), c, &vocabulary{}, lexicons); n != 0 || err != nil || len(c.asked) != 0 {
		t.Errorf("without a change %d were built: %v", n, err)
	}
	v := &vocabulary{changed: []retrieval.Reworded{{Tenant: "other", Version: 2}, {Tenant: tenant, Version: 7}}}
	before := string(c.papers[1].segment)
	if n, err := retrieval.Reword(t.Context(), c, v, lexicons); n != 3 || err != nil {
		t.Fatalf("%d were built again: %v", n, err)
	}
	if diff := cmp.Diff(v.changed, v.done); diff != "" {
		t.Error(diff)
	}
	if string(c.papers[1].segment) == before {
		t.Error("the segment has the former words")
	}
	if got := ask(t, c.house, searcher(c.house), "u", retrieval.Query{Text: "合同"}); len(got.Hits) != 3 {
		t.Errorf("%d of the three are found", len(got.Hits))
	}
}

func TestWordsAreNotIndexedWhileAVersionFails(t *testing.T) {
	c := aged(t)
	c.fault["b"] = errors.New("the disk is gone")
	v := &vocabulary{changed: []retrieval.Reworded{{Tenant: tenant, Version: 2}}}
	if n, err := retrieval.Reword(t.Context(), c, v, nil); n != 1 || !errors.Is(err, c.fault["b"]) || len(v.done) != 0 {
		t.Errorf("%d, %v, done %v", n, err, v.done)
	}
	v.fault = errors.New("no database")
	if _, err := retrieval.Reword(t.Context(), c, v, nil); !errors.Is(err, v.fault) {
		t.Error(err)
	}
}
