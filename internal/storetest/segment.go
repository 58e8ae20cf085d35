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
		img, err := w.Segments.Image(w.ctx, acme, retrieval.State{}, nil)
		w.ok(err)
		a.Status = access.StatusArchived
		a.InForce[0].To = b.InForce[0].From
		want := retrieval.Image{State: w.state(acme), Whole: true, Documents: []retrieval.Indexed{
			{Document: a.ID, Resource: a.Resource(), Chunks: 1, Segment: []byte("segment of one")},
			{Document: b.ID, Resource: b.Resource(), Chunks: 2, Segment: []byte("segment of two\n2")},
			{Document: c.ID, Resource: c.Resource(), Chunks: 1, Segment: []byte("segment of three")},
		}}
		if d := cmp.Diff(want, img); d != "" {
			t.Fatal(d)
		}
	}},
	{"AnImageSinceAnEpochNamesWhatChanged", func(t *testing.T, w *World) {
		a := w.add("carol", "k", "one", published)
		other := w.add("carol", "other", "stays", published)
		w.add("erin", "foreign", "foreign", corpus.Upload{KnowledgeBase: "other", Publish: true})
		since := w.state(acme)
		image := func() retrieval.Image {
			img, err := w.Segments.Image(w.ctx, acme, since, func(id corpus.DocumentID, _ int64) bool { return id == a.ID || id == other.ID })
			w.ok(err)
			is(w, "whole", img.Whole, false)
			is(w, "state", img.State, w.state(acme))
			since = img.State
			return img
		}
		is(w, "changes of a moment without any", len(image().Documents), 0)
		b := w.add("carol", "k", "two", published)
		a.Status = access.StatusArchived
		a.InForce[0].To = b.InForce[0].From
		want := []retrieval.Indexed{{Document: a.ID, Resource: a.Resource(), Chunks: 1}, {Document: b.ID, Resource: b.Resource(), Chunks: 1, Segment: []byte("segment of two")}}
		if d := cmp.Diff(want, image().Documents); d != "" {
			t.Error("after a new version:", d)
		}
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), other.ID))
		w.reserved("carol", "four", corpus.Upload{Key: "k"})
		img := image()
		if d := cmp.Diff([]corpus.DocumentID{other.ID}, img.Gone); d != "" || len(img.Documents) > 2 {
			t.Errorf("after a version went: %s, %d changed", d, len(img.Documents))
		}
	}},
	{"OnlySegmentsThatAreAskedForAreRead", func(_ *testing.T, w *World) {
		a := w.add("carol", "a", "one", published)
		w.add("carol", "b", "two", published)
		img, err := w.Segments.Image(w.ctx, acme, retrieval.State{}, func(id corpus.DocumentID, _ int64) bool { return id == a.ID })
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
		img, err := w.Segments.Image(w.ctx, acme, retrieval.State{}, nil)
		w.ok(err)
		is(w, "documents", len(img.Documents), 1)
		is(w, "no segment", img.Documents[0].Segment == nil, true)
	}},
	{"SegmentsAreShownByTheirBeginningAndBuiltAgain", func(t *testing.T, w *World) {
		a := w.add("carol", "a", "one", published)
		b := w.add("carol", "b", "two\n2", published)
		foreign := w.add("erin", "foreign", "foreign", corpus.Upload{KnowledgeBase: "other", Publish: true})
		gone := w.add("carol", "gone", "gone", published)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), gone.ID))
		w.reserved("carol", "four", corpus.Upload{Key: "k"})
		var heads []string
		list, err := w.Archive.Outdated(w.ctx, func(head []byte) bool {
			heads = append(heads, string(head))
			return string(head) != "segment of on"
		})
		w.ok(err)
		if d := cmp.Diff([]string{"segment of on", "segment of tw", "segment of fo", "segment of go"}, heads); d != "" {
			t.Error("heads:", d)
		}
		if d := cmp.Diff([]retrieval.Stored{{Tenant: acme, Document: b.ID}, {Tenant: foreign.Tenant, Document: foreign.ID}, {Tenant: acme, Document: gone.ID}}, list); d != "" {
			t.Error("outdated:", d)
		}
		title, chunks, err := w.Archive.Content(w.ctx, list[0])
		w.ok(err)
		is(w, "title", title, b.Title)
		is(w, "chunks", len(chunks), 2)
		is(w, "first chunk", chunks[0].Text, "two")
		epoch := w.epoch(acme)
		w.ok(w.Archive.Renew(w.ctx, list[0], []byte("new")))
		is(w, "epoch", w.epoch(acme), epoch)
		img, err := w.Segments.Image(w.ctx, acme, retrieval.State{}, nil)
		w.ok(err)
		for _, d := range img.Documents {
			want := "new"
			if d.Document == a.ID {
				want = "segment of one"
			}
			is(w, "segment", string(d.Segment), want)
		}
		heads = nil
		_, err = w.Archive.Outdated(w.ctx, func(head []byte) bool {
			heads = append(heads, string(head))
			return false
		})
		w.ok(err)
		if d := cmp.Diff([]string{"segment of on", "new", "segment of fo", "segment of go"}, heads); d != "" {
			t.Error("heads after one was built again:", d)
		}
	}},
	{"AVersionThatIsErasedHasNothingToBuildFrom", func(_ *testing.T, w *World) {
		a := w.add("carol", "a", "one", published)
		w.ok(w.Catalog.Erase(w.ctx, w.scope("carol", access.Catalog), a.ID))
		v := retrieval.Stored{Tenant: acme, Document: a.ID}
		_, _, err := w.Archive.Content(w.ctx, v)
		w.want(err, "not_found")
		w.ok(w.Archive.Renew(w.ctx, v, []byte("new")))
		list, err := w.Archive.Outdated(w.ctx, func([]byte) bool { return true })
		w.ok(err)
		is(w, "segments", len(list), 0)
		_, _, err = w.Archive.Content(w.ctx, retrieval.Stored{Tenant: "nobody", Document: a.ID})
		w.want(err, "not_found")
	}},
	{"AnUnknownTenantHasNoImage", func(_ *testing.T, w *World) {
		_, err := w.Segments.Image(w.ctx, "nobody", retrieval.State{}, nil)
		w.want(err, "not_found")
		_, err = w.Segments.State(w.ctx, "nobody")
		w.want(err, "not_found")
	}},
}
