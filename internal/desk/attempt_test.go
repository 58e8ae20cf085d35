package desk_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// searched stores a run of alice's that found a document, worded a query from what it saw, and, with
// read set, read it. It is interrupted in its first attempt and fails in its second.
func (s stored) searched(id run.ID, d corpus.Document, read bool) {
	s.t.Helper()
	ctx := s.t.Context()
	r := &run.Run{ID: id, Tenant: "acme", Actor: "alice", Kind: run.ForAnswer, Goal: "q", Route: run.AgenticRAG, State: run.Queued, Attempt: 1, CreatedAt: time.Now()}
	s.must(s.db.Journal().Create(ctx, r, nil))
	lease, err := s.db.Journal().Claim(ctx, id, time.Minute)
	s.must(err)
	r.State, r.Hits = run.Running, []tool.Hit{{Document: d.ID, Version: d.Version, Title: d.Title, Chunk: "c_1"}}
	said := func(kind event.Type, data map[string]any) event.Event { return event.New(kind, data) }
	c := run.Commit{Lease: lease, Run: r, Events: []event.Event{
		said(event.ToolStarted, map[string]any{"call_id": "1", "args": map[string]any{"query": "the question"}}),
		said(event.ToolCompleted, map[string]any{"call_id": "1", "result": map[string]any{"hits": 1, "chunk_ids": []string{"c_1"}}}),
		said(event.ToolStarted, map[string]any{"call_id": "2", "args": map[string]any{"query": "SNIPPET words"}}),
		said(event.ToolStarted, map[string]any{"call_id": "3", "args": map[string]any{"document_id": d.ID}}),
	}}
	if read {
		c.Events = append(c.Events, said(event.ToolCompleted, map[string]any{"call_id": "3", "result": map[string]any{"document_id": d.ID}}),
			said(event.SourceAdded, map[string]any{"ref": "S1", "document_id": d.ID}))
		c.Evidence = []citation.Evidence{citation.New("S1", strings.Repeat("a1", 32), corpus.Passage{Document: d.ID, KnowledgeBase: "kb", Status: d.Status, Title: d.Title, Text: "TEXT"}, time.Now())}
	}
	s.must(s.db.Journal().Commit(ctx, c))
	_, err = s.db.Journal().Interrupt(ctx, time.Now().Add(time.Hour))
	s.must(err)
	again, _, err := s.db.Journal().Run(ctx, "acme", "alice", id)
	s.must(err)
	again.State, again.Reason, again.Attempt = run.Queued, "", 2
	s.must(s.db.Journal().Resume(ctx, run.Commit{
		Run: again, Events: []event.Event{said(event.Resumed, map[string]any{"attempt": 2})}, Entries: []ledger.Entry{{Kind: ledger.RunResumed, Body: json.RawMessage(`{}`)}},
	}))
	lease, err = s.db.Journal().Claim(ctx, id, time.Minute)
	s.must(err)
	again.State = run.Running
	s.must(s.db.Journal().Commit(ctx, run.Commit{Lease: lease, Run: again}))
	again.State, again.Reason = run.Failed, run.NoProgress
	s.must(s.db.Journal().Commit(ctx, run.Commit{Lease: lease, Run: again, Events: []event.Event{said(event.Failed, map[string]any{})}}))
}

// sent is all that alice gets of a run's events, one at a time.
func (s stored) sent(id run.ID) (out string, closed []int64) {
	s.t.Helper()
	for after := int64(0); ; after++ {
		events, over, err := s.Events(s.t.Context(), alice, id, after, 1)
		s.must(err)
		if len(events) == 0 {
			return out, closed
		}
		out += string(events[0].Type) + " " + string(events[0].Data) + "\n"
		if over {
			closed = append(closed, after+1)
		}
	}
}

func TestWhatATouchedDocumentTaughtIsWithheldWhenItIsLost(t *testing.T) {
	for name, read := range map[string]bool{"it was read": true, "it was only found": false} {
		s := newStored(t)
		d := s.publish("text", access.Policy{}, false)
		s.searched("run_1", d, read)
		before, _ := s.sent("run_1")
		for _, want := range []string{"the question", "SNIPPET", string(d.ID), "c_1"} {
			if !strings.Contains(before, want) {
				t.Errorf("%s: while it is readable %q is missing:\n%s", name, want, before)
			}
		}
		s.as(carol, func(scope access.Scope) error {
			_, err := s.db.Catalog().Edit(t.Context(), scope, d.ID, corpus.Change{Policy: &access.Policy{Deny: []access.Principal{access.User("alice")}}})
			return err
		})
		after, _ := s.sent("run_1")
		// The first query was made before anything was seen, but goes with the others when a document is erased.
		for _, lost := range []string{"the question", "SNIPPET", string(d.ID), "c_1", "Travel", "TEXT"} {
			if strings.Contains(after, lost) {
				t.Errorf("%s: %q is still told:\n%s", name, lost, after)
			}
		}
		if strings.Count(after, "\n") != strings.Count(before, "\n") {
			t.Errorf("%s: the sequence changed", name)
		}
	}
}

func TestOnlyTheLastAttemptClosesAStream(t *testing.T) {
	s := newStored(t)
	s.searched("run_1", s.publish("text", access.Policy{}, false), true)
	told, closed := s.sent("run_1")
	if n := int64(strings.Count(told, "\n")); len(closed) != 1 || closed[0] != n || strings.Count(told, "run.interrupted") != 1 {
		t.Errorf("closed at %v of %d:\n%s", closed, n, told)
	}
	events, over, err := s.Events(t.Context(), alice, "run_1", 0, int(closed[0])-2)
	s.must(err)
	if last := events[len(events)-1]; last.Type != event.Interrupted || over {
		t.Errorf("a batch that ends with %s closes the stream: %v", last.Type, over)
	}
}
