package storetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// merged holds what is kept of a tenant against a list, by bytes and by numbers.
func (w *World) merged(tenant access.TenantID, want ...retrieval.Kept) {
	w.t.Helper()
	got, _, err := w.Merged.Merged(w.ctx, tenant)
	w.ok(err)
	if d := cmp.Diff(want, got); d != "" {
		w.t.Fatalf("kept of %s: %s", tenant, d)
	}
	numbers, err := w.Merged.Numbers(w.ctx, tenant)
	w.ok(err)
	is(w, "numbers", len(numbers), len(want))
	for i := range min(len(numbers), len(want)) {
		is(w, "number", numbers[i], want[i].Number)
	}
}

// keep stores a merged segment of some versions.
func (w *World) keep(tenant access.TenantID, bytes string, list ...corpus.DocumentID) retrieval.Kept {
	w.t.Helper()
	n, err := w.Merged.Keep(w.ctx, tenant, w.state(tenant).Cuts, retrieval.Joined{Versions: list, Bytes: []byte(bytes)})
	w.ok(err)
	return retrieval.Kept{Number: n, Bytes: []byte(bytes)}
}

var mergedTests = []test{
	{"WhatIsKeptComesBackWholeAndInOrder", func(_ *testing.T, w *World) {
		a, b := w.add("carol", "a", "one", published), w.add("carol", "b", "two", published)
		w.merged(acme)
		large := w.keep(acme, strings.Repeat("0123456789abcdef", 5<<20/16)+"end", a.ID, b.ID)
		small := w.keep(acme, "small", b.ID)
		w.merged(acme, large, small)
		w.merged("globex")
	}},
	{"ItGoesWithTheSegmentOfAnyOfItsVersions", func(_ *testing.T, w *World) {
		a, b, c := w.add("carol", "a", "one", published), w.add("carol", "b", "two", published), w.add("carol", "c", "three", published)
		both, other := w.keep(acme, "a and b", a.ID, b.ID), w.keep(acme, "c", c.ID)
		w.ok(w.Archive.Renew(w.ctx, retrieval.Stored{Tenant: acme, Document: b.ID}, []byte("built again")))
		w.merged(acme, other)
		again := w.keep(acme, "a and b", a.ID, b.ID)
		if again.Number <= both.Number || again.Number <= other.Number {
			w.t.Fatalf("number %d after %d and %d", again.Number, both.Number, other.Number)
		}
		w.ok(w.Catalog.Erase(w.ctx, w.scope("carol", access.Catalog), a.ID))
		w.merged(acme, other)
	}},
	{"AVersionThatIsWithdrawnOrArchivedStaysInIt", func(_ *testing.T, w *World) {
		a, b := w.add("carol", "a", "one", published), w.add("carol", "b", "two", published)
		kept := w.keep(acme, "a and b", a.ID, b.ID)
		w.add("carol", "a", "one, second version", published)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), b.ID))
		w.merged(acme, kept)
	}},
	{"OneOfAVersionThatIsGoneIsStale", func(_ *testing.T, w *World) {
		a, b := w.add("carol", "a", "one", published), w.add("carol", "b", "two", published)
		foreign := w.add("erin", "foreign", "foreign", corpus.Upload{KnowledgeBase: "other", Publish: true})
		w.ok(w.Catalog.Erase(w.ctx, w.scope("carol", access.Catalog), b.ID))
		for _, list := range [][]corpus.DocumentID{{a.ID, b.ID}, {a.ID, "nothing"}, {a.ID, foreign.ID}} {
			_, err := w.Merged.Keep(w.ctx, acme, 0, retrieval.Joined{Versions: list, Bytes: []byte("stale")})
			w.want(err, "merged_stale")
		}
		w.merged(acme)
	}},
	{"OnlyWhatIsNamedIsRetained", func(_ *testing.T, w *World) {
		a := w.add("carol", "a", "one", published)
		foreign := w.add("erin", "foreign", "foreign", corpus.Upload{KnowledgeBase: "other", Publish: true})
		w.keep(acme, "first", a.ID)
		second, third := w.keep(acme, "second", a.ID), w.keep(foreign.Tenant, "third", foreign.ID)
		w.ok(w.Merged.Retain(w.ctx, acme, []int64{second.Number, third.Number + 1}))
		w.merged(acme, second)
		w.merged(foreign.Tenant, third)
		w.ok(w.Merged.Retain(w.ctx, acme, nil))
		w.merged(acme)
		w.merged(foreign.Tenant, third)
	}},
	{"NoPlaceHoldsErasedWords", func(t *testing.T, w *World) {
		d, other := w.laden("k"), w.add("carol", "other", "other text", published)
		words := fmt.Sprint(strings.Repeat("filler ", 1<<20), canaries[0])
		w.keep(acme, words, d.ID, other.ID)
		if len(w.Holds(t, canaries[0])) == 0 {
			t.Fatal("the canary is nowhere before")
		}
		w.ok(w.Catalog.Erase(w.ctx, w.scope("carol", access.Catalog), d.ID))
		if places := w.Holds(t, canaries[0]); len(places) > 0 {
			t.Errorf("%v hold the word", places)
		}
		w.merged(acme)
	}},
}
