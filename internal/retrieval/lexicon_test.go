package retrieval_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// advised is a searcher whose tenant has synonyms.
func advised(t *testing.T, h *house, groups ...[]string) *retrieval.Searcher {
	t.Helper()
	l, err := analysis.NewLexicon(nil, groups)
	if err != nil {
		t.Fatal(err)
	}
	lexicons := func(_ context.Context, of access.TenantID) (*analysis.Lexicon, error) {
		if of != tenant {
			t.Errorf("the lexicon of %q was asked for", of)
		}
		return l, nil
	}
	local := retrieval.NewLocal(h)
	local.Lexicons = lexicons
	s := retrieval.NewSearcher(local, h)
	s.Lexicons = lexicons
	return s
}

func TestAHitBySynonymNamesWhatThePersonWrote(t *testing.T) {
	h := newHouse()
	h.add(t, corpus.Document{ID: "a", Title: "网络"}, []corpus.Chunk{{ID: "c", Document: "a", No: 1, Text: "虚拟专网每天晚上维护一次。"}})
	got := ask(t, h, advised(t, h, []string{"VPN", "虚拟专网"}), "u", retrieval.Query{Text: "When is the vpn down?"})
	if len(got.Hits) != 1 {
		t.Fatalf("%d hits", len(got.Hits))
	}
	if diff := cmp.Diff([]string{"vpn"}, got.Hits[0].Matched); diff != "" {
		t.Error(diff)
	}
	if got := ask(t, h, searcher(h), "u", retrieval.Query{Text: "When is the vpn down?"}); len(got.Hits) != 0 {
		t.Errorf("without synonyms there are %d hits", len(got.Hits))
	}
}

func TestAHitByANumberNamesItAsThePersonWroteIt(t *testing.T) {
	h := newHouse()
	h.add(t, corpus.Document{ID: "a", Title: "补贴"}, []corpus.Chunk{{ID: "c", Document: "a", No: 1, Text: "自二〇二三年五月一日起每人三千元。"}})
	got := ask(t, h, searcher(h), "u", retrieval.Query{Text: "3,000 from May 1, 2023"})
	if len(got.Hits) != 1 {
		t.Fatalf("%d hits", len(got.Hits))
	}
	if diff := cmp.Diff([]string{"3,000", "May 1, 2023"}, got.Hits[0].Matched); diff != "" {
		t.Error(diff)
	}
}
