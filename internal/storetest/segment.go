package storetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/retrieval"
)

var segmentTests = []test{
	{"TheImageHoldsEveryVersionThatAnyScopeCouldAdmit", func(t *testing.T, w *World) {
		a := w.add("carol", "k", "one", published)
		b := w.add("carol", "k", "two\n2", published)
		c := w.add("carol", "k", "three", corpus.Upload{Policy: access.Policy{Deny: []access.Principal{access.User("mia")}}})
		gone := w.add("carol", "gone", "gone", published)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), gone.ID))
		w.add("erin", "foreign", "foreign", corpus.Upload{KnowledgeBase: "other", Publish: true})
		w.reserved("carol", "four", corpus.Upload{Key: "k"})
		img, err := w.Segments.Image(w.ctx, acme, nil)
		w.ok(err)
		a.Status = access.StatusArchived
		a.InForce[0].To = b.InForce[0].From
		want := retrieval.Image{Epoch: w.epoch(acme), Documents: []retrieval.Indexed{
			{Document: a.ID, Resource: a.Resource(), Chunks: 1, Segment: []byte("segment of one")},
			{Document: b.ID, Resource: b.Resource(), Chunks: 2, Segment: []byte("segment of two\n2")},
			{Document: c.ID, Resource: c.Resource(), Chunks: 1, Segment: []byte("segment of three")},
		}}
		if d := cmp.Diff(want, img); d != "" {
			t.Fatal(d)
		}
	}},
	{"OnlySegmentsThatAreAskedForAreRead", func(_ *testing.T, w *World) {
		a := w.add("carol", "a", "one", published)
		w.add("carol", "b", "two", published)
		img, err := w.Segments.Image(w.ctx, acme, func(id corpus.DocumentID) bool { return id == a.ID })
		w.ok(err)
		is(w, "documents", len(img.Documents), 2)
		for _, d := range img.Documents {
			is(w, "segment read", d.Segment != nil, d.Document != a.ID)
		}
	}},
	{"AVersionWithoutChunksHasNoSegment", func(_ *testing.T, w *World) {
		res := w.reserved("carol", "scan", corpus.Upload{Key: "k", Publish: true})
		job := w.claim()
		_, err := w.Publisher.Publish(w.ctx, corpus.Version{Document: res.Document}, job.ID, job.Token)
		w.ok(err)
		img, err := w.Segments.Image(w.ctx, acme, nil)
		w.ok(err)
		is(w, "documents", len(img.Documents), 1)
		is(w, "no segment", img.Documents[0].Segment == nil, true)
	}},
	{"AnUnknownTenantHasNoImage", func(_ *testing.T, w *World) {
		_, err := w.Segments.Image(w.ctx, "nobody", nil)
		w.want(err, "not_found")
		_, err = w.Segments.Epoch(w.ctx, "nobody")
		w.want(err, "not_found")
	}},
}
