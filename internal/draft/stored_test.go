package draft_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// kept is a draft of two versions as it is stored, with the entries of its run.
func kept(t *testing.T) draft.Stored {
	t.Helper()
	out := draft.Stored{ID: "draft_1", Entries: []ledger.Entry{{Kind: ledger.RunEnded, Tenant: "acme", RunID: "run_1", Body: json.RawMessage(`{}`)}}}
	for no := 1; no <= 2; no++ {
		d := draft.Draft{
			ID: "draft_1", Tenant: "acme", Actor: "u1", Run: "run_1", Newest: 2,
			Version: draft.Version{No: no, Title: "t", Body: "text", SavedAt: time.Unix(int64(no), 0).UTC()}.Hashed(),
		}
		out.Versions = append(out.Versions, d)
		out.Entries = append(out.Entries, ledger.Seal(ledger.Head{Sequence: int64(no), Hash: ledger.Genesis}, ledger.Entry{
			Kind: ledger.DraftSaved, Tenant: "acme", RunID: "run_1", Actor: "u1", Time: d.SavedAt, Body: entryOf(t, d.SavedBody()),
		}))
	}
	return out
}

func TestEveryVersionOfADraftIsHeld(t *testing.T) {
	if held := kept(t).Hold(); !held.Verified() {
		t.Fatalf("as it was: %+v", held)
	}
	for want, change := range map[string]func(*draft.Stored){
		"version/1/body_hash":     func(s *draft.Stored) { s.Versions[0].Body = "another" },
		"version/2/title_hash":    func(s *draft.Stored) { s.Versions[1].Title = "another" },
		"version/1/missing":       func(s *draft.Stored) { s.Versions = s.Versions[1:] },
		"version/2/missing":       func(s *draft.Stored) { s.Versions = nil },
		"version/1/entry_missing": func(s *draft.Stored) { s.Entries = slices.Delete(s.Entries, 1, 2) },
		"version/2/entry":         func(s *draft.Stored) { s.Entries[2].Previous = "x" },
		"version/1/entry":         func(s *draft.Stored) { s.Versions[0].Tenant = "globex" },
		"version/1/owner":         func(s *draft.Stored) { s.Versions[0].Actor = "u2" },
		"version/2/owner":         func(s *draft.Stored) { s.Versions[1].Run = "run_2" },
		"version/2/time":          func(s *draft.Stored) { s.Versions[1].SavedAt = time.Unix(9, 0) },
		draft.Newest:              func(s *draft.Stored) { s.Versions[1].Newest = 3 },
	} {
		s := kept(t)
		change(&s)
		if held := s.Hold(); !slices.Contains(held.Problems, want) {
			t.Errorf("%s: %+v", want, held)
		}
	}
	for erased, want := range map[bool]run.Integrity{
		true:  {Unproved: []string{run.Withheld}},
		false: {Problems: []string{"version/1/body_hash", "version/1/title_hash"}},
	} {
		s := kept(t)
		s.Erased, s.Versions[0].Title, s.Versions[0].Body, s.Versions[0].Nonce = erased, "", "", ""
		if d := cmp.Diff(want, s.Hold()); d != "" {
			t.Errorf("emptied, erased: %v: %s", erased, d)
		}
	}
}

// archive is drafts by id; a nil one can't be read.
type archive map[draft.ID]*draft.Stored

func (a archive) DraftsTold(context.Context, access.TenantID) ([]draft.ID, error) {
	return slices.Sorted(maps.Keys(a)), nil
}

func (a archive) DraftStored(_ context.Context, _ access.TenantID, id draft.ID) (draft.Stored, error) {
	switch s := a[id]; {
	case id == "away":
		return draft.Stored{}, problem.New(problem.Unavailable, "busy", "x")
	case s == nil:
		return draft.Stored{}, problem.New(problem.Internal, "storage", "x")
	default:
		return *s, nil
	}
}

func TestAllDraftsAreHeldAndCounted(t *testing.T) {
	whole, other, emptied := kept(t), kept(t), kept(t)
	other.Versions[0].Body = "another"
	emptied.Erased, emptied.Versions[0].Title, emptied.Versions[0].Body, emptied.Versions[0].Nonce = true, "", "", ""
	told := map[draft.ID]bool{}
	n, err := draft.HoldAll(t.Context(), archive{"1": &whole, "2": &other, "3": nil, "4": &emptied}, "acme", func(id draft.ID, held run.Integrity) { told[id] = held.Changed() })
	if d := cmp.Diff(draft.Tally{Drafts: 4, Changed: 2, Unproved: 1}, n); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
	if d := cmp.Diff(map[draft.ID]bool{"2": true, "3": true, "4": false}, told); d != "" {
		t.Error(d)
	}
	// A store that is away says nothing about a draft, nor does a context that has ended.
	if _, err := draft.HoldAll(t.Context(), archive{"away": nil}, "acme", nil); !problem.Is(err, problem.Unavailable) {
		t.Errorf("%v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := draft.HoldAll(ended, archive{"1": &other}, "acme", nil); err == nil {
		t.Error("what was not held is counted")
	}
}
