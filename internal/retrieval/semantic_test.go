package retrieval_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

var both = []string{"keyword", "semantic"}

func TestMeaningFindsWhatNoWordFinds(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "compressor", "gasket")
	h.put(t, corpus.Document{ID: "b"}, "请假")
	s := hybrid(newCellar(h, lexicon(), embedding.Traits{}))
	for query, want := range map[string]corpus.ChunkID{"pump": "a.1", "absence": "b.1"} {
		got := ask(t, h, s, "u", retrieval.Query{Text: query})
		if !slices.Equal(ids(got), []corpus.ChunkID{want}) || !slices.Equal(got.Legs, both) || got.Skipped != nil {
			t.Fatalf("%s found %v with %v, %v", query, ids(got), got.Legs, got.Skipped)
		}
		if diff := cmp.Diff(retrieval.Ranks{Semantic: 1}, got.Hits[0].Ranks); diff != "" {
			t.Error(diff)
		}
	}
}

func TestHitNeedsAWordOrASimilarityAboveTheThreshold(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "helicopter", "pump and a long text about something else entirely that shares little")
	got := ask(t, h, hybrid(newCellar(h, lexicon(), embedding.Traits{})), "u", retrieval.Query{Text: "pump"})
	if !slices.Equal(ids(got), []corpus.ChunkID{"a.2"}) || got.Hits[0].Ranks.Keyword != 1 || got.Hits[0].Ranks.Semantic == 0 {
		t.Errorf("found %+v", got.Hits)
	}
	for _, text := range []string{"zeppelin", "天气"} {
		if got := ask(t, h, hybrid(newCellar(h, lexicon(), embedding.Traits{})), "u", retrieval.Query{Text: text}); len(got.Hits) != 0 || got.More {
			t.Errorf("%s found %+v", text, got.Hits)
		}
	}
	if _, err := hybrid(newCellar(h, lexicon(), embedding.Traits{})).Search(t.Context(), h.scope(t, "u", access.Request{}), retrieval.Query{Text: " ？"}); problem.CodeOf(err) != "empty_query" {
		t.Errorf("an empty query: %v", err)
	}
}

func TestFusedHitsShowTheirPlacesInBothLegs(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "compressor valve")
	h.put(t, corpus.Document{ID: "b"}, "valve gasket seal ring")
	got := ask(t, h, hybrid(newCellar(h, lexicon(), embedding.Traits{})), "u", retrieval.Query{Text: "pump valve"})
	want := map[corpus.ChunkID]retrieval.Ranks{"a.1": {Keyword: 1, Semantic: 1, Rerank: 1}, "b.1": {Keyword: 2, Semantic: 2, Rerank: 2}}
	for _, hit := range got.Hits {
		if hit.Ranks != want[hit.Chunk] {
			t.Errorf("%s has %+v", hit.Chunk, hit.Ranks)
		}
	}
	if len(got.Hits) != 2 || got.Hits[0].Score != 1.5/6 {
		t.Errorf("hits %+v", got.Hits)
	}
}

func TestCodesAreFoundAsTheyStand(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "GB/T 2828.1", "ERR-1042 pump")
	l := lexicon()
	s := hybrid(newCellar(h, l, embedding.Traits{}))
	for query, literal := range map[string]bool{"GB/T 2828.1": true, "ERR-1042 1042": true, "the ERR-1042": true, "ERR-1042 pump": false, "请假": false} {
		got := ask(t, h, s, "u", retrieval.Query{Text: query})
		if skipped := slices.Equal(got.Skipped, []retrieval.Skipped{{Leg: "semantic", Reason: retrieval.Literal}}); skipped != literal {
			t.Errorf("%s: legs %v, skipped %v", query, got.Legs, got.Skipped)
		}
	}
}

// TestLegThatCannotRunSaysWhyAndWordsStillFind plays every reason.
func TestLegThatCannotRunSaysWhyAndWordsStillFind(t *testing.T) {
	slow := make(chan struct{})
	defer close(slow)
	tests := map[retrieval.Reason]func(h *house, l *llmtest.Lexicon, c *cellar){
		retrieval.Failed: func(_ *house, l *llmtest.Lexicon, _ *cellar) {
			l.Before = func(context.Context, []string) error { return errors.New("no route to host") }
		},
		retrieval.TooSlow: func(_ *house, l *llmtest.Lexicon, _ *cellar) {
			l.Before = func(ctx context.Context, _ []string) error {
				select {
				case <-ctx.Done():
				case <-slow:
				}
				return ctx.Err()
			}
		},
		retrieval.Language: func(_ *house, l *llmtest.Lexicon, c *cellar) {
			c.model = embedding.New(l, embedding.Traits{Reads: func(string) bool { return false }})
		},
		retrieval.LocalOnly: func(h *house, l *llmtest.Lexicon, c *cellar) {
			h.local, c.model = true, embedding.New(l, embedding.Traits{Remote: true})
		},
		retrieval.Rebuild: func(_ *house, _ *llmtest.Lexicon, c *cellar) { c.force = "former" },
	}
	for reason, prepare := range tests {
		h, l := newHouse(), lexicon()
		h.put(t, corpus.Document{ID: "a"}, "pump", "compressor")
		c := newCellar(h, l, embedding.Traits{})
		prepare(h, l, c)
		local := retrieval.NewLocal(h)
		s := retrieval.NewHybrid(local, h, retrieval.NewSemantic(local, c, retrieval.SemanticOptions{Patience: time.Millisecond}, c.model), near)
		got := ask(t, h, s, "u", retrieval.Query{Text: "pump"})
		want := ask(t, h, searcher(h), "u", retrieval.Query{Text: "pump"})
		want.Skipped = []retrieval.Skipped{{Leg: "semantic", Reason: reason}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", reason, diff)
		}
		if reason == retrieval.Language || reason == retrieval.LocalOnly || reason == retrieval.Rebuild {
			if l.Calls() > 0 {
				t.Errorf("%s: the text went to the model", reason)
			}
		}
	}
}

func TestStoreOfVectorsThatFailsLeavesWords(t *testing.T) {
	for name, breakIt := range map[string]func(c *cellar){
		"mark": func(c *cellar) { c.away = errors.New("disk is away") }, "segment": func(c *cellar) { c.damaged = true },
	} {
		h := newHouse()
		h.put(t, corpus.Document{ID: "a"}, "pump")
		c := newCellar(h, lexicon(), embedding.Traits{})
		breakIt(c)
		got := ask(t, h, hybrid(c), "u", retrieval.Query{Text: "pump"})
		if len(got.Hits) != 1 || !slices.Equal(got.Skipped, []retrieval.Skipped{{Leg: "semantic", Reason: retrieval.Failed}}) {
			t.Errorf("%s: %d hits, skipped %v", name, len(got.Hits), got.Skipped)
		}
	}
}

func TestAFileForVectorsThatCannotBeMadeIsTriedAgain(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "compressor")
	c := newCellar(h, lexicon(), embedding.Traits{})
	folder := filepath.Join(t.TempDir(), "spool")
	local := retrieval.NewLocal(h)
	s := retrieval.NewHybrid(local, h, retrieval.NewSemantic(local, c, retrieval.SemanticOptions{Folder: folder}, c.model), near)
	got := ask(t, h, s, "u", retrieval.Query{Text: "compressor"})
	if want := []retrieval.Skipped{{Leg: "semantic", Reason: retrieval.Failed}}; len(got.Hits) != 1 || !slices.Equal(got.Skipped, want) {
		t.Errorf("without the folder %d hits, skipped %v", len(got.Hits), got.Skipped)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	got = ask(t, h, s, "u", retrieval.Query{Text: "pump"})
	if len(got.Hits) != 1 || got.Skipped != nil {
		t.Errorf("with it %d hits, skipped %v", len(got.Hits), got.Skipped)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("the file has a name: %v, %v", left, err)
	}
}

// TestVectorsUnderTheNameOfAnotherModelAreNeverCompared plays an endpoint that gives vectors of
// another length under the same name after a restart.
func TestVectorsUnderTheNameOfAnotherModelAreNeverCompared(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "compressor")
	c := newCellar(h, lexicon(), embedding.Traits{})
	other := embedding.New(&llmtest.Lexicon{Name: "m", Dimensions: 32}, embedding.Traits{})
	s := retrieval.NewSemantic(retrieval.NewLocal(h), c, retrieval.SemanticOptions{}, other)
	found, reason, err := s.Semantic(t.Context(), h.scope(t, "u", access.Request{}), "pump", 5)
	if found != nil || reason != retrieval.Rebuild || err != nil {
		t.Errorf("found %v, %q, %v", found, reason, err)
	}
}

func TestFormerModelAnswersWhileItsVectorsAreInForce(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "compressor")
	c := newCellar(h, lexicon(), embedding.Traits{})
	next := &llmtest.Lexicon{Name: "next"}
	s := retrieval.NewSemantic(retrieval.NewLocal(h), c, retrieval.SemanticOptions{}, embedding.New(next, embedding.Traits{}), c.model)
	found, reason, err := s.Semantic(t.Context(), h.scope(t, "u", access.Request{}), "pump", 5)
	if len(found) != 1 || reason != "" || err != nil || next.Calls() != 0 {
		t.Fatalf("found %v, %q, %v", found, reason, err)
	}
	c.set(func() { c.model = embedding.New(next, embedding.Traits{}); c.force = "next" })
	found, reason, err = s.Semantic(t.Context(), h.scope(t, "u", access.Request{}), "compressor", 5)
	if len(found) != 1 || found[0].Score < 0.9 || reason != "" || err != nil {
		t.Errorf("after the change found %v, %q, %v", found, reason, err)
	}
}

func TestTenantWithoutVectorsLooksLikeOneWithHiddenOnes(t *testing.T) {
	h := newHouse()
	c := newCellar(h, lexicon(), embedding.Traits{})
	c.force = ""
	got := ask(t, h, hybrid(c), "u", retrieval.Query{Text: "pump"})
	if len(got.Hits) != 0 || !slices.Equal(got.Legs, both) || got.Skipped != nil {
		t.Errorf("result %+v", got)
	}
}

// Whether there are vectors is said of what may be seen, and of nothing else.
func TestSearchSaysThatNothingOfWhatMayBeSeenHasAVector(t *testing.T) {
	for name, prepare := range map[string]func(h *house, c *cellar){
		"nothing else is there":      func(*house, *cellar) {},
		"what is hidden has vectors": func(h *house, _ *cellar) { h.put(t, corpus.Document{ID: "hidden", KnowledgeBase: "closed"}, "pump") },
		"no vectors are in force":    func(_ *house, c *cellar) { c.force = "" },
	} {
		h := newHouse()
		h.put(t, corpus.Document{ID: "a"}, "pump")
		c := newCellar(h, lexicon(), embedding.Traits{})
		c.waits["a"] = true
		prepare(h, c)
		got := ask(t, h, hybrid(c), "u", retrieval.Query{Text: "pump"})
		want := []retrieval.Skipped{{Leg: "semantic", Reason: retrieval.NoVectors}}
		if len(got.Hits) != 1 || !slices.Equal(got.Skipped, want) || !slices.Equal(got.Legs, both[:1]) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestRightsOfTheSemanticLegAreThoseOfTheMoment(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "compressor")
	c := newCellar(h, lexicon(), embedding.Traits{})
	s := leg(c)
	stale := h.scope(t, "u", access.Request{})
	if found, _, err := s.Semantic(t.Context(), stale, "pump", 5); len(found) != 1 || err != nil {
		t.Fatalf("found %v, %v", found, err)
	}
	h.change(func() { h.bases[0].Grants = nil })
	if _, _, err := s.Semantic(t.Context(), stale, "pump", 5); problem.CodeOf(err) != "scope_stale" {
		t.Errorf("a scope of another epoch: %v", err)
	}
	if found, reason, err := s.Semantic(t.Context(), h.scope(t, "u", access.Request{}), "pump", 5); len(found) != 0 || reason != "" || err != nil {
		t.Errorf("after the grant was revoked: %v, %q, %v", found, reason, err)
	}
	if _, _, err := s.Semantic(t.Context(), access.Scope{}, "pump", 5); !problem.Is(err, problem.NotFound) {
		t.Errorf("the zero scope: %v", err)
	}
}

func TestPolicyHoldsFromTheNextSearchByMeaning(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "compressor")
	s := hybrid(newCellar(h, lexicon(), embedding.Traits{}))
	if got := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump"})); len(got) != 1 {
		t.Fatalf("found %v before", got)
	}
	h.change(func() { h.papers[0].Policy.Deny = []access.Principal{access.User("u")} })
	if got := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump"})); len(got) != 0 {
		t.Errorf("found %v after the policy denied it", got)
	}
}

// TestRightTakenWhileTheModelThinksIsGone revokes a grant between the question and its vector.
func TestRightTakenWhileTheModelThinksIsGone(t *testing.T) {
	h, l := newHouse(), lexicon()
	h.put(t, corpus.Document{ID: "a"}, "compressor")
	c := newCellar(h, l, embedding.Traits{})
	scope := h.scope(t, "u", access.Request{})
	l.Before = func(context.Context, []string) error {
		h.change(func() { h.bases[0].Grants = nil })
		return nil
	}
	if found, _, err := leg(c).Semantic(t.Context(), scope, "pump", 5); problem.CodeOf(err) != "scope_stale" {
		t.Errorf("found %v, %v", found, err)
	}
}

func TestEndOfTheQueryIsNoReason(t *testing.T) {
	h, l := newHouse(), lexicon()
	h.put(t, corpus.Document{ID: "a"}, "pump")
	ctx, cancel := context.WithCancel(t.Context())
	l.Before = func(context.Context, []string) error { cancel(); return ctx.Err() }
	c := newCellar(h, l, embedding.Traits{})
	if _, reason, err := leg(c).Semantic(ctx, h.scope(t, "u", access.Request{}), "pump", 5); !errors.Is(err, context.Canceled) {
		t.Errorf("reason %q, error %v", reason, err)
	}
}

func TestVectorsThatComeAreFoundByTheNextQuery(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "compressor")
	h.put(t, corpus.Document{ID: "b"}, "compressor")
	c := newCellar(h, lexicon(), embedding.Traits{})
	c.waits["b"] = true
	s := hybrid(c)
	epoch := h.epoch
	if got := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump"})); !slices.Equal(got, []corpus.ChunkID{"a.1"}) {
		t.Fatalf("found %v before", got)
	}
	c.set(func() { c.waits["b"] = false })
	if got := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump"})); !slices.Equal(got, []corpus.ChunkID{"a.1", "b.1"}) || h.epoch != epoch {
		t.Errorf("found %v after", got)
	}
	if ask(t, h, s, "u", retrieval.Query{Text: "pump"}); c.handed != 2 {
		t.Errorf("%d segments were handed out; one that is held is not asked for again", c.handed)
	}
	h.drop("a")
	c.set(func() {})
	if got := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump"})); !slices.Equal(got, []corpus.ChunkID{"b.1"}) {
		t.Errorf("found %v after the version was dropped", got)
	}
}

func TestPendingCountsWhatTheScopeAdmits(t *testing.T) {
	h := newHouse()
	for _, d := range []corpus.Document{
		{ID: "a"}, {ID: "b"}, {ID: "secret", Policy: access.Policy{Deny: []access.Principal{access.User("u")}}}, {ID: "draft", Status: access.StatusDraft},
	} {
		h.put(t, d, "pump")
	}
	c := newCellar(h, lexicon(), embedding.Traits{})
	c.waits = map[corpus.DocumentID]bool{"b": true, "secret": true, "draft": true, "gone": true}
	if n, err := leg(c).Pending(t.Context(), h.scope(t, "u", access.Request{})); n != 1 || err != nil {
		t.Errorf("pending %d, %v", n, err)
	}
	c.refused = []corpus.DocumentID{"a", "b", "secret", "draft", "gone"}
	if n, err := leg(c).Refused(t.Context(), h.scope(t, "u", access.Request{})); n != 2 || err != nil {
		t.Errorf("refused %d, %v", n, err)
	}
}

func TestSemanticLegIsSafeUnderConcurrentUse(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "compressor")
	c := newCellar(h, lexicon(), embedding.Traits{})
	s := leg(c)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for j := range 40 {
				if i == 0 {
					h.put(t, corpus.Document{ID: corpus.DocumentID("x" + string(rune('a'+j%26)))}, "compressor")
					c.set(func() {})
				}
				found, reason, err := s.Semantic(context.Background(), h.scope(t, "u", access.Request{}), "pump", 5)
				if err == nil && (reason != "" || len(found) == 0) || err != nil && problem.CodeOf(err) != "scope_stale" {
					t.Errorf("found %v, %q, %v", found, reason, err)
				}
			}
		})
	}
	group.Wait()
}
