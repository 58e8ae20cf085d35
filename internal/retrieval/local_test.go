package retrieval_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

func TestImageIsReadOnceForAnEpoch(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump valve")
	s := searcher(h)
	for range 5 {
		ask(t, h, s, "u", retrieval.Query{Text: "pump"})
	}
	if n := h.images.Load(); n != 1 {
		t.Errorf("the image was read %d times at one epoch", n)
	}
	h.put(t, corpus.Document{ID: "b"}, "pump gasket")
	if got := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump"})); len(got) != 2 {
		t.Errorf("found %v after a publication", got)
	}
	if n := h.bytes.Load(); n != 2 {
		t.Errorf("%d segments were handed out; a segment that is held is not asked for again", n)
	}
}

func TestRevokedGrantHidesFromTheNextQuery(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump valve")
	s := searcher(h)
	if got := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump"})); len(got) != 1 {
		t.Fatalf("found %v before", got)
	}
	h.change(func() { h.bases[0].Grants = nil })
	if got := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump"})); len(got) != 0 {
		t.Errorf("found %v after the grant was revoked", got)
	}
}

func TestChangedPolicyHidesFromTheNextQuery(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump valve")
	h.put(t, corpus.Document{ID: "b"}, "pump gasket")
	s := searcher(h)
	ask(t, h, s, "u", retrieval.Query{Text: "pump"})
	h.change(func() { h.papers[0].Policy = access.Policy{Deny: []access.Principal{access.User("u")}} })
	if got := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump"})); !slices.Equal(got, []corpus.ChunkID{"b.1"}) {
		t.Errorf("found %v after the policy changed", got)
	}
}

func TestDeletedVersionIsGoneFromTheNextQuery(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump valve")
	h.put(t, corpus.Document{ID: "b"}, "pump gasket")
	s := searcher(h)
	ask(t, h, s, "u", retrieval.Query{Text: "pump"})
	h.drop("a")
	if got := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump"})); !slices.Equal(got, []corpus.ChunkID{"b.1"}) {
		t.Errorf("found %v", got)
	}
}

func TestOldScopeIsStale(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump")
	local := retrieval.NewLocal(h)
	old := h.scope(t, "u", access.Request{})
	h.change(func() {})
	if _, err := local.Keyword(context.Background(), old, "pump", 5); problem.CodeOf(err) != "scope_stale" {
		t.Errorf("an old scope gave %v", err)
	}
	if h.images.Load() != 0 {
		t.Error("the tenant was loaded for an old scope")
	}
}

// hastyStore lets the tenant move on between the reads of its epoch and of its image.
type hastyStore struct{ *house }

func (s hastyStore) Image(ctx context.Context, t access.TenantID, since retrieval.State, have func(corpus.DocumentID, int64) bool) (retrieval.Image, error) {
	s.change(func() { s.bases[0].Grants = nil })
	return s.house.Image(ctx, t, since, have)
}

func TestScopeThatAgesDuringTheLoadIsStale(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump")
	local := retrieval.NewLocal(hastyStore{h})
	got, err := local.Keyword(context.Background(), h.scope(t, "u", access.Request{}), "pump", 5)
	if problem.CodeOf(err) != "scope_stale" {
		t.Errorf("found %v, %v", got, err)
	}
}

func TestScopeOfNobodyFindsNothing(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump")
	if got, err := retrieval.NewLocal(h).Keyword(context.Background(), access.Scope{}, "pump", 5); !problem.Is(err, problem.NotFound) || got.Matches != nil {
		t.Errorf("the zero scope gave %v, %v", got, err)
	}
	if h.images.Load() != 0 {
		t.Error("the tenant was loaded for a scope of nobody")
	}
}

func TestUnboundedScopeIsAdmittedAtAnyEpoch(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a", Status: access.StatusArchived, Policy: access.Policy{Restricted: true}}, "pump")
	scope := unscoped.Scope(tenant)
	local := retrieval.NewLocal(h)
	for range 2 {
		got, err := local.Keyword(context.Background(), scope, "pump", 5)
		if err != nil || len(got.Matches) != 1 {
			t.Fatalf("found %v, %v", got, err)
		}
		h.change(func() {})
	}
}

func TestFailedLoadIsAFailedSearchAndIsTriedAgain(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump")
	h.fault = errors.New("no disk")
	local := retrieval.NewLocal(h)
	scope := h.scope(t, "u", access.Request{})
	if _, err := local.Keyword(context.Background(), scope, "pump", 5); !errors.Is(err, h.fault) {
		t.Fatalf("the search gave %v", err)
	}
	h.fault = nil
	if got, err := local.Keyword(context.Background(), scope, "pump", 5); err != nil || len(got.Matches) != 1 {
		t.Errorf("found %v, %v after the fault", got, err)
	}
}

func TestDamagedOrMissingSegmentFailsTheSearch(t *testing.T) {
	for code, spoil := range map[string]func(*paper){
		"segment_damaged": func(p *paper) { p.segment[len(p.segment)-1] ^= 1 },
		"segment_missing": func(p *paper) { p.segment = nil },
	} {
		h := newHouse()
		h.put(t, corpus.Document{ID: "a"}, "pump")
		spoil(&h.papers[0])
		_, err := retrieval.NewLocal(h).Keyword(context.Background(), h.scope(t, "u", access.Request{}), "pump", 5)
		if problem.CodeOf(err) != code {
			t.Errorf("want %s, got %v", code, err)
		}
	}
}

func TestCancelledQueryDoesNotWaitForALoad(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "a"}, "pump")
	block := &slowStore{house: h, begun: make(chan struct{}), free: make(chan struct{})}
	local := retrieval.NewLocal(block)
	scope := h.scope(t, "u", access.Request{})
	done := make(chan error, 1)
	go func() {
		_, err := local.Keyword(context.Background(), scope, "pump", 5)
		done <- err
	}()
	<-block.begun
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := local.Keyword(ctx, scope, "pump", 5); !errors.Is(err, context.Canceled) {
		t.Errorf("the waiting query gave %v", err)
	}
	close(block.free)
	if err := <-done; err != nil {
		t.Errorf("the loading query gave %v", err)
	}
}

// slowStore holds its first Image back until it is freed.
type slowStore struct {
	*house
	begun, free chan struct{}
}

func (s *slowStore) Image(ctx context.Context, t access.TenantID, since retrieval.State, have func(corpus.DocumentID, int64) bool) (retrieval.Image, error) {
	close(s.begun)
	<-s.free
	return s.house.Image(ctx, t, since, have)
}

func TestReadersNeverSeeAForeignEpoch(t *testing.T) {
	h := newHouse()
	h.put(t, corpus.Document{ID: "base"}, "pump valve")
	s := searcher(h)
	actor := access.Actor{Tenant: tenant, User: "u"}
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				err := access.Within(context.Background(), h, actor, access.Request{}, func(scope access.Scope) error {
					out, err := s.Search(context.Background(), scope, retrieval.Query{Text: "pump", Limit: 50})
					for _, hit := range out.Hits {
						if !scope.Admits(hit.Document.Resource()) {
							t.Errorf("%s was shown to a scope that does not admit it", hit.Chunk)
						}
					}
					return err
				})
				if err != nil && problem.CodeOf(err) != "busy" {
					t.Errorf("search: %v", err)
				}
			}
		})
	}
	for i := range 60 {
		id := corpus.DocumentID(fmt.Sprintf("d%d", i%7))
		switch i % 3 {
		case 0:
			h.put(t, corpus.Document{ID: id}, "pump number "+fmt.Sprint(i))
		case 1:
			h.change(func() {
				for k := range h.papers {
					h.papers[k].Policy = access.Policy{Restricted: i%2 == 0}
				}
			})
		default:
			h.drop(id)
		}
	}
	close(stop)
	wg.Wait()
	h.change(func() {
		for k := range h.papers {
			h.papers[k].Policy = access.Policy{}
		}
	})
	want := 0
	for _, p := range h.papers {
		want += len(p.chunks)
	}
	if got := ids(ask(t, h, s, "u", retrieval.Query{Text: "pump", Limit: 50})); len(got) != want {
		t.Errorf("%d chunks found at the end, want %d", len(got), want)
	}
}

// A server that follows a tenant reads what changed: of a large one, a change of a version or of a group
// must not cost what all versions do.
func TestAServerThatFollowsReadsWhatChangedAlone(t *testing.T) {
	h := newHouse()
	for i := range 30 {
		h.put(t, corpus.Document{ID: corpus.DocumentID(fmt.Sprintf("d%d", i))}, "pump valve")
	}
	local := retrieval.NewLocal(h)
	same := func(when string, most int64) {
		t.Helper()
		before := h.named.Load()
		got := keyword(t, h, local, "pump")
		if n := h.named.Load() - before; n > most {
			t.Errorf("%s: %d versions were read", when, n)
		}
		if diff := cmp.Diff(keyword(t, h, retrieval.NewLocal(h), "pump"), got); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	same("at first", 30)
	h.put(t, corpus.Document{ID: "new"}, "pump")
	same("after a publication", 1)
	h.change(func() { h.papers[3].Policy = access.Policy{Restricted: true} })
	same("after a version was closed", 1)
	h.change(func() { h.papers[3].Policy = access.Policy{} })
	same("after it was opened again", 1)
	h.change(func() { h.users["u"] = access.Identity{User: "u", Groups: []access.GroupID{"g"}} })
	same("after a group changed", 0)
	h.drop("d7")
	same("after a version was erased", 0)
	h.change(func() { h.papers[5].Status = access.StatusReserved })
	same("after a version was withdrawn", 0)
	h.change(func() { h.papers[5].Status = access.StatusPublished })
	same("after it came back", 1)
}
