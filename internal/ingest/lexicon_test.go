package ingest_test

import (
	"context"
	"slices"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/retrieval"
)

func TestAFileIsIndexedWithTheWordsOfItsTenant(t *testing.T) {
	s := newShop(t)
	l, err := analysis.NewLexicon([]string{"赛摩乐"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var asked []access.TenantID
	s.worker.Lexicons = func(_ context.Context, tenant access.TenantID) (*analysis.Lexicon, error) {
		asked = append(asked, tenant)
		return l, nil
	}
	_, err = s.upload("a.md", "赛摩乐是产品。")
	must(t, err)
	must(t, s.worker.Drain(t.Context()))
	img, err := s.db.Segments().Image(t.Context(), carol.Tenant, retrieval.State{}, nil)
	if err != nil || len(img.Documents) != 1 {
		t.Fatalf("%d versions: %v", len(img.Documents), err)
	}
	segment, err := index.Open(img.Documents[0].Segment)
	if err != nil {
		t.Fatal(err)
	}
	word := slices.DeleteFunc(index.TermsWith(l, "赛摩乐"), func(k index.Term) bool { return len([]rune(k.Text)) != 4 })
	for i := range word {
		word[i].Weak = false
	}
	f := index.NewSet(index.Entry{Document: "d", Segment: segment}).Filter(func(corpus.DocumentID) bool { return true })
	if len(word) != 1 || len(f.Search(word, 1)) != 1 {
		t.Errorf("the word %v is not in the index", word)
	}
	if !slices.Equal(asked, []access.TenantID{carol.Tenant}) {
		t.Errorf("the words of %v were asked for", asked)
	}
}
