package run_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
	"pgregory.net/rapid"
)

var states = []run.State{
	run.Queued, run.Running, run.Waiting, run.Cancelling, run.Completed, run.AwaitingReview,
	run.InsufficientEvidence, run.Refused, run.Failed, run.Cancelled, run.Interrupted,
}

func TestFinalStatesAreThoseInWhichWorkHasStopped(t *testing.T) {
	working := map[run.State]bool{run.Queued: true, run.Running: true, run.Waiting: true, run.Cancelling: true}
	for _, s := range states {
		if s.Final() == working[s] {
			t.Errorf("%s: Final() = %v", s, s.Final())
		}
	}
}

// TestEveryMoveIsDecided lists the legal moves in full: what is not here is refused, so that a new
// state or move has to be written down twice.
func TestEveryMoveIsDecided(t *testing.T) {
	q, r, w, c := run.Queued, run.Running, run.Waiting, run.Cancelling
	legal := map[run.State][]run.State{
		q: {q, r, run.Cancelled, run.Interrupted, run.Refused, run.Failed},
		r: {r, w, c, run.Completed, run.AwaitingReview, run.InsufficientEvidence, run.Refused, run.Failed, run.Cancelled, run.Interrupted},
		w: {w, r, c, run.Completed, run.AwaitingReview, run.InsufficientEvidence, run.Refused, run.Failed, run.Cancelled, run.Interrupted},
		c: {c, run.Cancelled, run.Interrupted, run.Failed},

		run.Interrupted: {q},
	}
	for _, from := range states {
		want := map[run.State]bool{}
		for _, to := range legal[from] {
			want[to] = true
		}
		for _, to := range states {
			if got := from.MayBecome(to); got != want[to] {
				t.Errorf("%s to %s: %v, want %v", from, to, got, want[to])
			}
		}
	}
}

func TestNoPathLeadsOutOfAFinalStateButResuming(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := run.Queued
		for range rapid.IntRange(1, 12).Draw(t, "moves") {
			next := rapid.SampledFrom(states).Draw(t, "next")
			if !at.MayBecome(next) {
				continue
			}
			if at.Final() && (at != run.Interrupted || next != run.Queued) {
				t.Fatalf("left %s for %s", at, next)
			}
			at = next
		}
	})
}

func TestEveryReasonHasTheStateOfTheContract(t *testing.T) {
	contract := map[run.State][]run.Reason{
		run.Completed:            {run.Success, run.Expired, run.Conflict},
		run.AwaitingReview:       {run.DraftReady},
		run.InsufficientEvidence: {run.Insufficient},
		run.Refused:              {run.PermissionDenied, run.ToolNotAllowed, run.RouteRefused},
		run.Cancelled:            {run.WasCancelled},
		run.Interrupted:          {run.ProcessGone},
		run.Failed: {
			run.NoProgress, run.LimitSteps, run.LimitToolCalls, run.LimitSearchPages, run.LimitDocuments, run.LimitDocumentText,
			run.LimitTime, run.LimitContext, run.LimitTokens, run.OutOfScope, run.InvalidCitations, run.InvalidOutput,
			run.SearchFailed, run.ToolError, run.ModelError, run.ModelTimeout, run.InternalFault, "a reason nobody knows",
		},
	}
	for state, reasons := range contract {
		for _, r := range reasons {
			if got := r.State(); got != state {
				t.Errorf("%s ends as %s, want %s", r, got, state)
			}
			if !r.State().Final() {
				t.Errorf("%s ends in a state that goes on", r)
			}
		}
	}
}

func TestARunThatHoldsAProposalCompletesWhateverWasDecided(t *testing.T) {
	for _, why := range []run.Reason{run.Success, run.WasCancelled, run.Expired, run.Conflict} {
		for _, kind := range []run.Kind{run.ForPublish, run.ForAction} {
			if got := kind.Ends(why); got != run.Completed || !kind.Decides() {
				t.Errorf("%s, %s: %s", kind, why, got)
			}
		}
	}
	if got := run.ForAction.Ends(run.ToolError); got != run.Failed {
		t.Errorf("a call that failed: %s", got)
	}
	for _, kind := range []run.Kind{run.ForAnswer, run.ForDraft} {
		if got := kind.Ends(run.WasCancelled); got != run.Cancelled {
			t.Errorf("a cancelled run for %s ends %s", kind, got)
		}
		if kind.Decides() {
			t.Errorf("a run for %s holds a proposal", kind)
		}
	}
}

// TestFailuresThatEndARunAreReasons holds the words of the tools against those of the runs: a code
// that ends a run is its finish reason as it stands, where the contract has a word for it.
func TestFailuresThatEndARunAreReasons(t *testing.T) {
	want := map[tool.Code]run.Reason{
		tool.NotAllowed: run.ToolNotAllowed, tool.PermissionDenied: run.PermissionDenied, tool.OutOfScope: run.OutOfScope,
		tool.NoProgress: run.NoProgress, tool.LimitSearchPages: run.LimitSearchPages, tool.LimitDocuments: run.LimitDocuments,
		tool.LimitText: run.LimitDocumentText, tool.TextChanged: run.ToolError,
	}
	got := map[tool.Code]run.Reason{}
	for code := range want {
		if code.Ends() {
			got[code] = run.EndOf(code)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
}
