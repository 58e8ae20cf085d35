package run_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// archive is what is stored of runs, or what came of reading it.
type archive map[run.ID]any

func (a archive) Told(context.Context, access.TenantID) (out []run.ID, err error) {
	for id := range a {
		out = append(out, id)
	}
	slices.Sort(out)
	return out, nil
}

func (a archive) Stored(_ context.Context, _ access.TenantID, id run.ID) (run.Stored, error) {
	if err, ok := a[id].(error); ok {
		return run.Stored{}, err
	}
	return a[id].(run.Stored), nil
}

// whole is endedRun with all that is stored of it.
func whole() run.Stored {
	r, evidence := endedRun()
	r.TapeHash = run.Fold("", "h")
	end := ledger.Seal(ledger.Head{}, ledger.Entry{Tenant: string(r.Tenant), Kind: ledger.RunEnded, Body: run.EndedBody(r, evidence)})
	closing := event.New(event.Completed, map[string]any{"state": r.State, "finish_reason": r.Reason})
	closing.Attempt = 1
	return run.Stored{Run: r, Evidence: evidence, Tape: []run.Recorded{{Hash: "h"}}, Entries: []ledger.Entry{end}, Closing: []event.Event{closing}}
}

func TestAllThatIsStoredOfARunIsHeld(t *testing.T) {
	if held := whole().Hold(); !held.Verified() {
		t.Fatalf("%+v", held)
	}
	for want, change := range map[string]func(*run.Stored){
		run.RunGone:    func(s *run.Stored) { s.Run = nil },
		run.EntryGone:  func(s *run.Stored) { s.Entries = nil },
		run.EntryOther: func(s *run.Stored) { s.Entries[0].Actor = "mallory" },
		run.Recordings: func(s *run.Stored) { s.Tape = nil },
		run.States:     func(s *run.Stored) { s.Closing = nil },
		"answer_hash":  func(s *run.Stored) { s.Run.Answer.Text = "651" },
	} {
		s := whole()
		change(&s)
		if held := s.Hold(); !slices.Contains(held.Problems, want) {
			t.Errorf("%s: %+v", want, held)
		}
	}
	for _, state := range []run.State{run.Queued, run.Running, run.Waiting, run.Cancelling} {
		s := whole()
		s.Run.State = state
		n, err := run.HoldAll(t.Context(), archive{"1": s}, "acme", func(_ run.ID, held run.Integrity) {
			if !slices.Contains(held.Problems, "state") {
				t.Errorf("%s: %+v", state, held)
			}
		})
		if d := cmp.Diff(run.Tally{Runs: 1, Changed: 1}, n); err != nil || d != "" {
			t.Errorf("%s, of a run of whose end the ledger tells: %v %s", state, err, d)
		}
		s.Entries = append(s.Entries, ledger.Entry{Kind: ledger.RunResumed}, ledger.Entry{Kind: ledger.DraftSaved})
		if held := s.Hold(); held.Changed() || !slices.Equal(held.Unproved, []string{run.NotEnded}) {
			t.Errorf("%s, resumed: %+v", state, held)
		}
	}
	s := whole()
	s.Entries[0].Tenant = "globex"
	if s.Entries[0] = ledger.Seal(ledger.Head{}, s.Entries[0]); !slices.Contains(s.Hold().Problems, run.EntryOther) {
		t.Error("the entry of another tenant's run passes")
	}
}

func TestEveryRunIsHeldWhateverBecameOfTheOthers(t *testing.T) {
	changed, going, older := whole(), whole(), whole()
	changed.Run.Goal, going.Run.State = "x", run.Running
	resumed := ledger.Entry{Tenant: string(going.Run.Tenant), Kind: ledger.RunResumed}
	going.Entries = append(going.Entries, ledger.Seal(ledger.Head{}, resumed))
	older.Entries[0].Body = run.EndedBodyOf(older.Run, older.Evidence, 0)
	older.Entries[0] = ledger.Seal(ledger.Head{}, older.Entries[0])
	a := archive{
		"1": changed, "2": errors.New("no record"), "3": going, "4": older, "5": whole(), "6": run.Stored{},
		"7": problem.New(problem.Internal, "record", "A stored run can't be read."),
	}
	got := map[run.ID]bool{}
	n, err := run.HoldAll(t.Context(), a, "acme", func(id run.ID, held run.Integrity) { got[id] = held.Changed() })
	if d := cmp.Diff(run.Tally{Runs: 6, Changed: 4, Unproved: 1}, n); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
	if d := cmp.Diff(map[run.ID]bool{"1": true, "2": true, "4": false, "6": true, "7": true}, got); d != "" {
		t.Error(d)
	}
	a["2"] = problem.New(problem.Unavailable, "busy", "The database is in use.")
	if _, err := run.HoldAll(t.Context(), a, "acme", func(run.ID, run.Integrity) {}); !problem.Is(err, problem.Unavailable) {
		t.Errorf("what could not be read at this moment is called changed: %v", err)
	}
}
