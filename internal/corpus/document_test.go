package corpus_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
)

func TestTheResourceOfADocumentIsWhatAScopeLooksAt(t *testing.T) {
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	d := corpus.Document{
		ID: "doc-1", Tenant: "acme", KnowledgeBase: "kb", Key: "k", Title: "t", Version: 3, Status: access.StatusDraft,
		Policy: access.Policy{Deny: []access.Principal{"user:bob"}}, CreatedAt: at.AddDate(0, 0, -1), UpdatedAt: at, PublishedAt: at.AddDate(0, 0, 1),
		InForce: []access.Interval{{From: at, To: at.AddDate(0, 0, 1)}},
	}
	want := access.Resource{Tenant: "acme", KnowledgeBase: "kb", DocKey: "k", Status: access.StatusDraft, Policy: d.Policy, UpdatedAt: at, InForce: d.InForce}
	if diff := cmp.Diff(want, d.Resource()); diff != "" {
		t.Fatal(diff)
	}
}

func TestSpansCompareAsSetsOfCodePoints(t *testing.T) {
	draw := func(t *rapid.T, label string) corpus.Span {
		start := rapid.IntRange(0, 12).Draw(t, label)
		return corpus.Span{Start: start, End: start + rapid.IntRange(0, 8).Draw(t, label+" length")}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a"), draw(t, "b")
		shared, length := 0, 0
		for i := range 30 {
			inA, inB := i >= a.Start && i < a.End, i >= b.Start && i < b.End
			if inA {
				length++
			}
			if inA && inB {
				shared++
			}
		}
		if a.Len() != length || a.Overlap(b) != shared || b.Overlap(a) != shared {
			t.Fatalf("%v and %v: length %d, overlap %d, want %d and %d", a, b, a.Len(), a.Overlap(b), length, shared)
		}
		if b.Len() > 0 && a.Contains(b) != (shared == b.Len()) {
			t.Fatalf("%v contains %v: %v", a, b, a.Contains(b))
		}
	})
}

func TestAChunkIsReadWithItsRepeatedContext(t *testing.T) {
	c := corpus.Chunk{Context: "| 城市 | 标准 |\n", Text: "| 上海 | 650 |"}
	if got := c.Full(); got != "| 城市 | 标准 |\n| 上海 | 650 |" {
		t.Fatalf("got %q", got)
	}
}
