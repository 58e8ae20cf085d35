package storetest

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/tool"
)

// newRun makes a run of rita's with every field of a request set.
func (w *World) newRun(id run.ID) *run.Run {
	return &run.Run{
		ID: id, Tenant: acme, Actor: "rita", Kind: run.ForAnswer, Goal: "差旅标准?", Conversation: "conv-1",
		Scope: run.Scope{Bases: []access.KnowledgeBaseID{"kb"}, DocKey: "k", UpdatedFrom: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)},
		Route: run.AgenticRAG, Tools: []string{"search_knowledge"}, Model: llm.Info{Engine: llm.Model, Name: "m", Host: "h", Remote: true},
		RulesFallback: true, State: run.Queued, Seal: testSeal, Attempt: 1, Limits: run.DefaultLimits(), CreatedAt: w.clock.Now(),
	}
}

// created stores a new run with one event.
func (w *World) created(id run.ID) *run.Run {
	w.t.Helper()
	r := w.newRun(id)
	w.ok(w.Journal.Create(w.ctx, r, []event.Event{event.New(event.RunCreated, map[string]any{"route": r.Route})}))
	return r
}

// started stores a run, claims it and commits that it runs.
func (w *World) started(id run.ID) (*run.Run, run.Lease) {
	w.t.Helper()
	r := w.created(id)
	l, err := w.Journal.Claim(w.ctx, id, lease)
	w.ok(err)
	r.State, r.StartedAt = run.Running, w.clock.Now()
	w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Events: []event.Event{event.New(event.RunStarted, struct{}{})}}))
	return r, l
}

// stored reads a run of rita's.
func (w *World) stored(id run.ID) *run.Run {
	w.t.Helper()
	r, _, err := w.Journal.Run(w.ctx, acme, "rita", id)
	w.ok(err)
	return r
}

// log reads all events of a run and checks that their numbers have no gap.
func (w *World) log(id run.ID) []event.Event {
	w.t.Helper()
	events, err := w.Events.After(w.ctx, string(id), 0, 1_000_000)
	w.ok(err)
	for i, e := range events {
		is(w, "sequence", e.Sequence, int64(i+1))
		is(w, "run", e.RunID, string(id))
	}
	return events
}

func types(events []event.Event) (out []event.Type) {
	for _, e := range events {
		out = append(out, e.Type)
	}
	return out
}

// evidence makes a record of a passage.
func evidence(ref string, at time.Time) citation.Evidence {
	return citation.New(ref, nonce(ref), corpus.Passage{
		Document: "doc-1", KnowledgeBase: "kb", Key: "k", Version: 2, Status: access.StatusPublished, Title: "差旅", SourceURI: "s",
		Chunk: "c_1", Chunks: []corpus.ChunkID{"c_1", "c_2"}, Locator: corpus.CSVLocator{Row: 2, Col: 1, Range: "A2", Line: 2},
		Span: corpus.Span{Start: 3, End: 9}, Text: "excerpt " + ref, TruncatedAfter: true,
	}, at)
}

func ptr[T any](v T) *T { return &v }

// filled gives a run every field that work sets.
func (w *World) filled(r *run.Run) {
	r.Step++
	r.Use = run.Use{Steps: 1, Repairs: 1, ToolCalls: 2, SearchPages: 1, Documents: 1, Text: 90, Tokens: 12, Elapsed: time.Second}
	r.Usage = run.Usage{Calls: 2, CallsWithUsage: 1, Prompt: ptr(10), Total: ptr(10), Estimated: ptr(0), Messages: 4, Characters: 99, Cost: ptr(0.5)}
	r.Hits = []tool.Hit{{Document: "doc-1", Version: 2, Title: "差旅", Chunk: "c_1", Span: corpus.Span{Start: 1, End: 4}}}
	r.Searches = []tool.Search{{Query: "差旅", Page: 1, Hits: 1, More: true}}
	r.Windows = []tool.Window{{Document: "doc-1", Version: 2, Span: corpus.Span{End: 90}, Units: 90}}
	r.Answer = citation.Answer{
		Text: "650 [S1]", Sections: citation.Sections{Conclusion: "650", Basis: "b", ToConfirm: "t", NextSteps: "n"},
		Refs: []string{"S1"}, Insufficient: true, Missing: []string{"m"},
	}
	r.Checks = []citation.Check{{Sentence: "650", Labels: []string{"S1"}, Verdict: citation.Supported, DecidedBy: "literal", Quote: "650"}}
	r.Notices, r.NeedsConfirm, r.PromptHash = []string{"source_truncated"}, true, "abc"
}

var journalTests = []test{
	{"ACreatedRunIsQueuedWithItsEvents", func(t *testing.T, w *World) {
		r := w.created("run_1")
		if d := cmp.Diff(r, w.stored("run_1")); d != "" {
			t.Fatal(d)
		}
		e := w.log("run_1")[0]
		is(w, "type", e.Type, event.RunCreated)
		is(w, "attempt", e.Attempt, 1)
		is(w, "data", string(e.Data), `{"route":"agentic_rag"}`)
		w.want(w.Journal.Create(w.ctx, r, nil), "exists")
		running := w.newRun("run_2")
		running.State = run.Running
		w.want(w.Journal.Create(w.ctx, running, nil), "invalid_run")
	}},
	{"ACommitIsStoredWhole", func(t *testing.T, w *World) {
		r, l := w.started("run_1")
		w.filled(r)
		one, two := evidence("S1", w.clock.Now()), evidence("S2", w.clock.Now())
		before := len(w.entries(acme))
		w.ok(w.Journal.Commit(w.ctx, run.Commit{
			Lease: l, Run: r, Evidence: []citation.Evidence{one, two},
			Events:  []event.Event{event.New(event.SourceAdded, map[string]any{"ref": "S1"}), event.New(event.SourceAdded, map[string]any{"ref": "S2"})},
			Entries: []ledger.Entry{{Kind: ledger.Security, Actor: "rita", Body: json.RawMessage(`{"code":"x"}`)}},
		}))
		r.State, r.Reason, r.EndedAt = run.Completed, run.Success, w.clock.Now()
		three := evidence("C1", w.clock.Now())
		three.Locator = nil
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Evidence: []citation.Evidence{three}, Events: []event.Event{event.New(event.Completed, struct{}{})}}))
		got, kept, err := w.Journal.Run(w.ctx, acme, "rita", "run_1")
		w.ok(err)
		if d := cmp.Diff(r, got) + cmp.Diff([]citation.Evidence{one, two, three}, kept); d != "" {
			t.Fatal(d)
		}
		want := []event.Type{event.RunCreated, event.RunStarted, event.SourceAdded, event.SourceAdded, event.Completed}
		if d := cmp.Diff(want, types(w.log("run_1"))); d != "" {
			t.Fatal(d)
		}
		entries := w.entries(acme)[before:]
		is(w, "entries", len(entries), 1)
		is(w, "run of the entry", entries[0].RunID, "run_1")
	}},
	{"PassagesOfHitsAreNotStored", func(_ *testing.T, w *World) {
		r, l := w.started("run_1")
		w.filled(r)
		r.Hits[0].Passage = corpus.Passage{Text: "the whole chunk"}
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
		is(w, "passage", w.stored("run_1").Hits[0].Passage.Text, "")
	}},
	{"AFailedCommitLeavesNothing", func(t *testing.T, w *World) {
		r, l := w.started("run_1")
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Evidence: []citation.Evidence{evidence("S1", w.clock.Now())}}))
		before, entries := w.log("run_1"), len(w.entries(acme))
		r.Step++
		r.Goal = "changed"
		err := w.Journal.Commit(w.ctx, run.Commit{
			Lease: l, Run: r, Events: []event.Event{event.New(event.Warning, struct{}{})},
			Entries: []ledger.Entry{{Kind: ledger.Security}}, Evidence: []citation.Evidence{evidence("S2", w.clock.Now()), evidence("S1", w.clock.Now())},
		})
		w.want(err, "duplicate_reference")
		got, kept, err := w.Journal.Run(w.ctx, acme, "rita", "run_1")
		w.ok(err)
		is(w, "step", got.Step, 0)
		is(w, "evidence", len(kept), 1)
		is(w, "entries", len(w.entries(acme)), entries)
		if d := cmp.Diff(before, w.log("run_1")); d != "" {
			t.Fatal(d)
		}
	}},
	{"OneWorkerClaimsAQueuedRun", func(_ *testing.T, w *World) {
		w.created("run_1")
		l, err := w.Journal.Claim(w.ctx, "run_1", lease)
		w.ok(err)
		is(w, "run", l.Run, "run_1")
		w.want(errOf(w.Journal.Claim(w.ctx, "run_1", lease)), "not_claimable")
		w.want(errOf(w.Journal.Claim(w.ctx, "run_unknown", lease)), "not_claimable")
		w.started("run_2")
		w.want(errOf(w.Journal.Claim(w.ctx, "run_2", lease)), "not_claimable")
	}},
	{"ACommitWithoutTheLeaseIsFencedOff", func(t *testing.T, w *World) {
		r, l := w.started("run_1")
		for name, spoil := range map[string]func(*run.Commit){
			"another token":  func(c *run.Commit) { c.Lease.Token++ },
			"an older token": func(c *run.Commit) { c.Lease.Token-- },
			"an unknown run": func(c *run.Commit) { c.Lease.Run = "run_2" },
			"a step too far": func(c *run.Commit) { c.Run.Step += 2 },
			"a step back":    func(c *run.Commit) { c.Run.Step-- },
		} {
			copied := *r
			c := run.Commit{Lease: l, Run: &copied}
			spoil(&c)
			if err := w.Journal.Commit(w.ctx, c); problem.CodeOf(err) != "lease_lost" || !problem.Is(err, problem.Conflict) {
				t.Errorf("%s: %v", name, err)
			}
		}
		other := *r
		other.Actor = "carol"
		w.want(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: &other}), "invalid_run")
	}},
	{"TheLeaseEndsWithTheRun", func(_ *testing.T, w *World) {
		r, l := w.started("run_1")
		r.State, r.Reason = run.Failed, run.NoProgress
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
		w.want(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}), "lease_lost")
		w.want(errOf(w.Journal.Renew(w.ctx, l, lease)), "lease_lost")
	}},
	{"OnlyLegalMovesAreStored", func(t *testing.T, w *World) {
		all := []run.State{
			run.Queued, run.Running, run.Waiting, run.Cancelling, run.Completed, run.AwaitingReview, run.InsufficientEvidence,
			run.Refused, run.Failed, run.Cancelled, run.Interrupted,
		}
		n := 0
		for _, from := range []run.State{run.Running, run.Waiting, run.Cancelling} {
			for _, to := range all {
				n++
				r, l := w.started(run.ID(fmt.Sprint("run_", n)))
				r.State = from
				w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
				r.State = to
				err := w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r})
				if from.MayBecome(to) != (err == nil) || err != nil && problem.CodeOf(err) != "illegal_move" {
					t.Errorf("from %s to %s: %v", from, to, err)
				}
			}
		}
	}},
	{"RenewExtendsTheLeaseAndTellsOfACancel", func(_ *testing.T, w *World) {
		_, l := w.started("run_1")
		w.clock.Advance(lease / 2)
		cancel, err := w.Journal.Renew(w.ctx, l, lease)
		w.ok(err)
		is(w, "cancel", cancel, false)
		w.clock.Advance(lease * 3 / 4)
		is(w, "interrupted", w.interrupt(w.clock.Now()), 0)
		w.ok(errOf(w.Journal.Cancel(w.ctx, acme, "rita", "run_1")))
		cancel, err = w.Journal.Renew(w.ctx, l, lease)
		w.ok(err)
		is(w, "cancel", cancel, true)
		l.Token++
		w.want(errOf(w.Journal.Renew(w.ctx, l, lease)), "lease_lost")
	}},
	{"ARunIsNotFoundByAnyoneElse", func(t *testing.T, w *World) {
		w.created("run_1")
		for _, c := range []struct {
			tenant access.TenantID
			actor  access.UserID
			id     run.ID
		}{{acme, "carol", "run_1"}, {globex, "rita", "run_1"}, {acme, "rita", "run_2"}} {
			_, _, err := w.Journal.Run(w.ctx, c.tenant, c.actor, c.id)
			same(t, "Run", err)
			same(t, "Cancel", errOf(w.Journal.Cancel(w.ctx, c.tenant, c.actor, c.id)))
		}
		page, err := w.Journal.Runs(w.ctx, acme, "carol", run.Filter{})
		w.ok(err)
		is(w, "runs of another", len(page.Items), 0)
		is(w, "state", w.stored("run_1").State, run.Queued)
	}},
	{"RunsAreListedNewestFirstInPages", func(t *testing.T, w *World) {
		var want []run.ID
		at := w.clock.Now()
		for i := range 7 {
			r := w.newRun(run.ID(fmt.Sprint("run_", i)))
			r.CreatedAt = at.Add(time.Duration(i/2) * time.Minute) // some at one instant
			if i == 3 {
				r.Conversation = "other"
			}
			w.ok(w.Journal.Create(w.ctx, r, nil))
			want = append([]run.ID{r.ID}, want...)
		}
		for _, size := range []int{1, 2, 3, 7, 50} {
			if d := cmp.Diff(want, w.runs(run.Filter{Limit: size})); d != "" {
				t.Fatalf("pages of %d: %s", size, d)
			}
		}
		if d := cmp.Diff([]run.ID{"run_3"}, w.runs(run.Filter{Conversation: "other"})); d != "" {
			t.Fatal(d)
		}
		w.ok(errOf(w.Journal.Cancel(w.ctx, acme, "rita", "run_5")))
		if d := cmp.Diff([]run.ID{"run_5"}, w.runs(run.Filter{State: run.Cancelled})); d != "" {
			t.Fatal(d)
		}
		_, err := w.Journal.Runs(w.ctx, acme, "rita", run.Filter{After: "x"})
		w.want(err, "invalid_cursor")
	}},
}

// runs lists all pages of rita's runs.
func (w *World) runs(f run.Filter) (out []run.ID) {
	w.t.Helper()
	for {
		page, err := w.Journal.Runs(w.ctx, acme, "rita", f)
		w.ok(err)
		for _, r := range page.Items {
			out = append(out, r.ID)
		}
		if f.After = page.Next; page.Next == "" {
			return out
		}
	}
}

func (w *World) interrupt(at time.Time) int {
	w.t.Helper()
	n, err := w.Journal.Interrupt(w.ctx, at)
	w.ok(err)
	return n
}

// nonce is the one of a passage in tests.
func nonce(ref string) string { return testSeal.Nonce(ref) }

// testSeal is the seal of runs in tests, so that what they hash is known.
var testSeal = seal.Seal{Key: "test"}
