package lexicon_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/problem"
)

// shelf is a store of lists that counts how often they are read.
type shelf struct {
	mu    sync.Mutex
	lists map[access.TenantID]lexicon.List
	reads int
	fault error
}

func (s *shelf) List(_ context.Context, tenant access.TenantID) (lexicon.List, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	return s.lists[tenant], s.fault
}

func (s *shelf) Mark(_ context.Context, tenant access.TenantID) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lists[tenant].LockVersion, s.fault
}

func (s *shelf) SetList(_ context.Context, tenant access.TenantID, _ access.UserID, c lexicon.Change) (lexicon.List, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists[tenant] = lexicon.List{Lines: c.Lines, LockVersion: s.lists[tenant].LockVersion + 1}
	return s.lists[tenant], nil
}

func (s *shelf) set(t *testing.T, tenant access.TenantID, lines ...string) {
	t.Helper()
	if _, err := s.SetList(t.Context(), tenant, "", lexicon.Change{Lines: lines}); err != nil {
		t.Fatal(err)
	}
}

func TestAReaderFollowsTheListAndReadsItOnce(t *testing.T) {
	s := &shelf{lists: map[access.TenantID]lexicon.List{}}
	r := lexicon.NewReader(s)
	says := func(tenant access.TenantID, name string) bool {
		t.Helper()
		l, err := r.Of(t.Context(), tenant)
		if err != nil {
			t.Fatal(err)
		}
		return finds(l, "oa", name)
	}
	if says("acme", "办公") || s.reads != 0 {
		t.Errorf("a tenant without a list finds something, after %d reads", s.reads)
	}
	s.set(t, "acme", "OA, 办公")
	for range 3 {
		if !says("acme", "办公") || says("globex", "办公") {
			t.Error("the list is not that of its tenant")
		}
	}
	if s.reads != 1 {
		t.Errorf("the list was read %d times", s.reads)
	}
	s.set(t, "acme", "OA, 自动化")
	if says("acme", "办公") || !says("acme", "自动化") || s.reads != 2 {
		t.Errorf("the former list holds, after %d reads", s.reads)
	}
}

func TestAListThatCannotBeUsedIsAnError(t *testing.T) {
	s := &shelf{lists: map[access.TenantID]lexicon.List{"acme": {Lines: []string{"B超"}, LockVersion: 2}}}
	if _, err := lexicon.NewReader(s).Of(t.Context(), "acme"); !problem.Is(err, problem.Internal) || problem.CodeOf(err) != "lexicon_damaged" {
		t.Errorf("a damaged list: %v", err)
	}
	s.fault = errors.New("no disk")
	if _, err := lexicon.NewReader(s).Of(t.Context(), "acme"); !errors.Is(err, s.fault) {
		t.Errorf("a store that fails: %v", err)
	}
}

func TestAReaderServesManyTenantsAtOnce(t *testing.T) {
	s := &shelf{lists: map[access.TenantID]lexicon.List{}}
	r := lexicon.NewReader(s)
	const tenants = 300
	for i := range tenants {
		s.set(t, access.TenantID(fmt.Sprint(i)), fmt.Sprintf("OA, name%d", i))
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range tenants {
				l, err := r.Of(context.Background(), access.TenantID(fmt.Sprint(i)))
				if err != nil || !finds(l, "oa", fmt.Sprintf("name%d", i)) {
					t.Errorf("tenant %d: %v", i, err)
				}
			}
		})
	}
	all.Wait()
}
