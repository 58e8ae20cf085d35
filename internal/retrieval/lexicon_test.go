package retrieval_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
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

func TestAnAbbreviationFindsWhatSpellsItOut(t *testing.T) {
	h := newHouse()
	for id, text := range map[corpus.DocumentID]string{
		"oa": "办公自动化系统的账号由信息科开通。", "leave": "年假申请须提前三天。", "net": "Connect to the virtual private network first.", "coffee": "The coffee machine is on the second floor.",
		"old": "旧的自动化设备停用。", "room": "办公室的门禁卡。",
	} {
		h.add(t, corpus.Document{ID: id, Title: "制度"}, []corpus.Chunk{{ID: corpus.ChunkID(id), Document: id, No: 1, Text: text}})
	}
	plain := searcher(h)
	helped := advised(t, h, []string{"OA", "办公自动化"}, []string{"VPN", "virtual private network", "虚拟专网"}, []string{"年假", "annual leave"})
	for query, want := range map[string]corpus.DocumentID{"OA": "oa", "ＯＡ": "oa", "How do I get a vpn?": "net", "虛擬專網": "net", "annual leave": "leave"} {
		if got := ask(t, h, plain, "u", retrieval.Query{Text: query}); len(got.Hits) != 0 {
			t.Errorf("%q finds %d passages without synonyms", query, len(got.Hits))
		}
		if got := ask(t, h, helped, "u", retrieval.Query{Text: query}); len(got.Hits) == 0 || got.Hits[0].Document.ID != want {
			t.Errorf("%q does not find %s first: %+v", query, want, got.Hits)
		}
	}
	// What a query says itself comes before what it is also called.
	if got := ask(t, h, helped, "u", retrieval.Query{Text: "办公自动化"}); len(got.Hits) == 0 || got.Hits[0].Document.ID != "oa" {
		t.Errorf("%+v", got.Hits)
	}
}

func TestALexiconThatCannotBeReadFailsTheSearch(t *testing.T) {
	h, fault := newHouse(), problem.New(problem.Unavailable, "storage", "gone")
	s := searcher(h)
	s.Lexicons = func(context.Context, access.TenantID) (*analysis.Lexicon, error) { return nil, fault }
	if _, err := s.Search(t.Context(), h.scope(t, "u", access.Request{}), retrieval.Query{Text: "年假"}); problem.CodeOf(err) != "storage" {
		t.Errorf("the search answers %v", err)
	}
	local := retrieval.NewLocal(h)
	local.Lexicons = s.Lexicons
	if _, err := local.Keyword(t.Context(), h.scope(t, "u", access.Request{}), "年假", 1); problem.CodeOf(err) != "storage" {
		t.Errorf("the index answers %v", err)
	}
}
