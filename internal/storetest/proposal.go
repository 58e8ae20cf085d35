package storetest

import (
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/run"
)

// card is the summary that proposals of these tests show.
var card = json.RawMessage(`{"added":1}`)

// propose proposes to publish a version.
func (w *World) propose(user access.UserID, id corpus.DocumentID) (approval.Proposal, error) {
	w.t.Helper()
	return w.Approvals.Propose(w.ctx, w.scope(user, access.Catalog), approval.Proposal{Document: string(id), Summary: card})
}

// proposed is propose that must succeed.
func (w *World) proposed(user access.UserID, id corpus.DocumentID) approval.Proposal {
	w.t.Helper()
	p, err := w.propose(user, id)
	w.ok(err)
	return p
}

// decide decides a proposal in a request of its own, unless one is named.
func (w *World) decide(user access.UserID, id approval.ID, approved bool, request ...string) (approval.Proposal, error) {
	w.t.Helper()
	d := approval.Decision{Approved: approved, Request: "req_" + string(user)}
	for _, r := range request {
		d.Request = r
	}
	return w.Approvals.Decide(w.ctx, w.scope(user, access.Catalog), id, d)
}

// proposal reads one of carol's.
func (w *World) proposal(id approval.ID) approval.Proposal {
	w.t.Helper()
	p, err := w.Approvals.Proposal(w.ctx, acme, "carol", id)
	w.ok(err)
	return p
}

// draft makes a published version and a draft of one key.
func (w *World) draft() (live, draft corpus.Document) {
	w.t.Helper()
	live = w.add("carol", "k", "one", published)
	draft = w.add("carol", "k", "two", corpus.Upload{})
	return live, draft
}

// document reads a version of acme.
func (w *World) document(id corpus.DocumentID) corpus.Document {
	w.t.Helper()
	d, err := w.Catalog.Document(w.ctx, unscopedScope(acme), id)
	w.ok(err)
	return d
}

// data reads an event's data.
func (w *World) data(e event.Event) (out map[string]any) {
	w.t.Helper()
	w.ok(json.Unmarshal(e.Data, &out))
	return out
}

// finished checks how a run of carol's that waited has ended: state, reason and events.
func (w *World) finished(id string, why run.Reason, decision string) {
	w.t.Helper()
	r, _, err := w.Journal.Run(w.ctx, acme, "carol", run.ID(id))
	w.ok(err)
	is(w, "state", r.State, run.Completed)
	is(w, "reason", r.Reason, why)
	is(w, "has an end", r.EndedAt.IsZero(), false)
	events := w.log(run.ID(id))
	n := len(events)
	is(w, "event before the last", events[n-2].Type, event.Decided)
	is(w, "decision", w.data(events[n-2])["decision"], any(decision))
	is(w, "closing event", events[n-1].Type, event.Completed)
	end := w.data(events[n-1])
	is(w, "state in the event", end["state"], any("completed"))
	is(w, "reason in the event", end["finish_reason"], any(string(why)))
	if usage, ok := end["usage"].(map[string]any); !ok || usage["prompt_tokens"] != nil || usage["cost"] != nil {
		w.t.Fatalf("usage that was not obtained must be null: %s", events[n-1].Data)
	}
}

// kim is a second knowledge administrator who may edit "kb".
func (w *World) kim() {
	w.t.Helper()
	w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "kim", Roles: []access.Role{access.KnowledgeAdmin}}))
	w.grant("kim", access.Editor)
}

// grant gives a user a level on "kb" beside carol's and mia's.
func (w *World) grant(user access.UserID, level access.Level) {
	w.t.Helper()
	grants := []access.Grant{{Principal: access.User("mia"), Level: access.Manager}}
	if user != "carol" {
		grants = append(grants, access.Grant{Principal: access.User("carol"), Level: access.Manager})
	}
	if level > access.NoLevel {
		grants = append(grants, access.Grant{Principal: access.User(user), Level: level})
	}
	w.ok(w.Bases.SetGrants(w.ctx, w.scope("mia", access.Catalog), "kb", grants))
}

func (w *World) expire() int {
	w.t.Helper()
	n, err := w.Approvals.Expire(w.ctx)
	w.ok(err)
	return n
}

// listedProposals lists all pages of carol's proposals.
func (w *World) listedProposals(f approval.Filter) (out []approval.ID) {
	w.t.Helper()
	for {
		list, next, err := w.Approvals.Proposals(w.ctx, acme, "carol", f)
		w.ok(err)
		for _, p := range list {
			out = append(out, p.ID)
		}
		if f.After = next; next == "" {
			return out
		}
	}
}

func (w *World) runsOf(user access.UserID) []*run.Run {
	w.t.Helper()
	page, err := w.Journal.Runs(w.ctx, acme, user, run.Filter{})
	w.ok(err)
	return page.Items
}
