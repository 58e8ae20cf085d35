package retrieval_test

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/retrieval"
)

func TestRowsAndIndexAreHeldAgainstEachOther(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump", "valve")
	h.add(t, corpus.Document{ID: "empty"}, nil)
	if said, err := retrieval.Agree(t.Context(), h, tenant); err != nil || said != "2 versions, 2 chunks, rows and index agree" {
		t.Errorf("%q, %v", said, err)
	}
	h.papers[0].chunks = h.papers[0].chunks[:1]
	if _, err := retrieval.Agree(t.Context(), h, tenant); err == nil || !strings.Contains(err.Error(), "a has 1 chunks and its segment 2") {
		t.Errorf("a chunk too few: %v", err)
	}
	h.papers[0].segment = []byte("no segment")
	if _, err := retrieval.Agree(t.Context(), h, tenant); err == nil || !strings.Contains(err.Error(), "the segment of a is damaged") {
		t.Errorf("a damaged segment: %v", err)
	}
}

func TestVectorsAreHeldAgainstTheirChecksums(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump", "valve")
	h.put(t, corpus.Document{ID: "b"}, "gasket")
	c := newCellar(h, lexicon(), embedding.Traits{})
	c.waits["b"] = true
	if said, err := retrieval.VectorsAgree(t.Context(), c, tenant); err != nil || said != "1 versions, 2 chunks by m, 1 versions wait for theirs, of 0 a passage was refused" {
		t.Errorf("%q, %v", said, err)
	}
	c.damaged = true
	if _, err := retrieval.VectorsAgree(t.Context(), c, tenant); err == nil || !strings.Contains(err.Error(), "the vectors of a are damaged") {
		t.Errorf("damaged vectors: %v", err)
	}
	c.damaged, c.force, c.waits["a"] = false, "", true
	if said, err := retrieval.VectorsAgree(t.Context(), c, tenant); err != nil || said != "none, 2 versions wait for theirs" {
		t.Errorf("%q, %v", said, err)
	}
}

func TestWhatIsKeptMergedIsHeldAgainstTheRows(t *testing.T) {
	h := newHouse()
	shelve(t, h, "a", 100)
	a := newLoft(h)
	a.kept(t)
	said, err := retrieval.MergedAgrees(t.Context(), a, h, tenant)
	if err != nil || !strings.HasPrefix(said, "1 merged segments of ") {
		t.Errorf("%q, %v", said, err)
	}
	h.change(func() { h.papers[0].Key = "moved" })
	if said, err := retrieval.MergedAgrees(t.Context(), a, h, tenant); err == nil || !strings.Contains(err.Error(), "does not fit its versions") {
		t.Errorf("another key: %q, %v", said, err)
	}
	a.each(func(b []byte) []byte { return b[:len(b)-1] })
	if said, err := retrieval.MergedAgrees(t.Context(), a, h, tenant); err == nil || !strings.Contains(err.Error(), "is damaged") {
		t.Errorf("cut short: %q, %v", said, err)
	}
}
