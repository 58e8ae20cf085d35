package trial_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/eval/trial"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// reading is a desk with parts that a test breaks; nil parts are the product's.
type reading struct {
	trial.Reader
	search func(access.Actor, retrieval.Query, retrieval.Result) (retrieval.Result, error)
	run    func(*desk.Account)
	events func([]event.Event)
	source func(*desk.Opened) error
}

func (r reading) Search(ctx context.Context, actor access.Actor, req access.Request, q retrieval.Query) (retrieval.Result, error) {
	out, err := r.Reader.Search(ctx, actor, req, q)
	if err == nil && r.search != nil {
		return r.search(actor, q, out)
	}
	return out, err
}

func (r reading) Run(ctx context.Context, actor access.Actor, id run.ID) (desk.Account, error) {
	a, err := r.Reader.Run(ctx, actor, id)
	if err == nil && r.run != nil {
		r.run(&a)
	}
	return a, err
}

func (r reading) Events(ctx context.Context, actor access.Actor, id run.ID, after int64, limit int) ([]event.Event, bool, error) {
	events, closed, err := r.Reader.Events(ctx, actor, id, after, limit)
	if err == nil && r.events != nil {
		r.events(events)
	}
	return events, closed, err
}

func (r reading) Source(ctx context.Context, actor access.Actor, id run.ID, ref string) (desk.Opened, error) {
	o, err := r.Reader.Source(ctx, actor, id, ref)
	if err == nil && r.source != nil {
		err = r.source(&o)
	}
	return o, err
}

// past makes every search see past the rights of whoever searches.
func past(h *house) {
	h.Reader = reading{Reader: h.Reader, search: func(actor access.Actor, q retrieval.Query, _ retrieval.Result) (retrieval.Result, error) {
		return h.Finder.Search(h.t.Context(), unscoped.Scope("acme"), q)
	}}
}

// searching changes the result of every search.
func searching(change func(*retrieval.Result)) func(*house) {
	return func(h *house) {
		h.Reader = reading{Reader: h.Reader, search: func(_ access.Actor, _ retrieval.Query, r retrieval.Result) (retrieval.Result, error) {
			change(&r)
			return r, nil
		}}
	}
}

// showing changes what a person sees of every run.
func showing(change func(*desk.Account)) func(*house) {
	return func(h *house) { h.Reader = reading{Reader: h.Reader, run: change} }
}

// journal changes what is stored about every run when it is read.
type journal struct {
	run.Journal
	change func(*run.Run, []citation.Evidence)
}

func (j journal) Run(ctx context.Context, tenant access.TenantID, actor access.UserID, id run.ID) (*run.Run, []citation.Evidence, error) {
	r, evidence, err := j.Journal.Run(ctx, tenant, actor, id)
	if err == nil {
		j.change(r, evidence)
	}
	return r, evidence, err
}

func stored(change func(*run.Run, []citation.Evidence)) func(*house) {
	return func(h *house) { h.Journal = journal{h.Journal, change} }
}

// eventLog changes the stored events when they are read.
type eventLog struct {
	event.Log
	change func([]event.Event) []event.Event
}

func (l eventLog) After(ctx context.Context, id string, n int64, limit int) ([]event.Event, error) {
	events, err := l.Log.After(ctx, id, n, limit)
	return l.change(events), err
}

func telling(change func([]event.Event) []event.Event) func(*house) {
	return func(h *house) { h.Events = eventLog{h.Events, change} }
}

// retold changes the data of every event of a type.
func retold(t event.Type, change func(map[string]any)) func(*house) {
	return telling(func(events []event.Event) []event.Event {
		for i := range events {
			if events[i].Type != t {
				continue
			}
			data := map[string]any{}
			_ = json.Unmarshal(events[i].Data, &data)
			change(data)
			events[i].Data, _ = json.Marshal(data)
		}
		return events
	})
}

// entries changes the ledger when it is read.
type entries struct {
	ledger.Log
	change func([]ledger.Entry)
}

func (l entries) Entries(ctx context.Context, tenant string, after int64, limit int) ([]ledger.Entry, error) {
	page, err := l.Log.Entries(ctx, tenant, after, limit)
	l.change(page)
	return page, err
}

// entered changes the bodies of the entries about the ends of runs.
func entered(change func(*ledger.Entry, map[string]any)) func(*house) {
	return func(h *house) {
		h.Ledger = entries{h.Ledger, func(page []ledger.Entry) {
			for i := range page {
				if page[i].Kind != ledger.RunEnded {
					continue
				}
				body := map[string]any{}
				_ = json.Unmarshal(page[i].Body, &body)
				change(&page[i], body)
				page[i].Body, _ = json.Marshal(body)
			}
		}}
	}
}

// blobs gives other bytes than were kept.
type blobs struct {
	corpus.Blobs
	bytes func([]byte) []byte
}

func (b blobs) Open(ctx context.Context, sum corpus.Checksum) (io.ReadCloser, error) {
	r, err := b.Blobs.Open(ctx, sum)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	return io.NopCloser(bytes.NewReader(b.bytes(data))), err
}

// proposer publishes, or refuses, otherwise than it should.
type proposer struct {
	trial.Proposer
	propose func(p desk.Proposal)
	decide  func(access.Actor) (handled bool)
}

func (p proposer) Propose(ctx context.Context, actor access.Actor, id corpus.DocumentID) (desk.Proposal, error) {
	out, err := p.Proposer.Propose(ctx, actor, id)
	if err == nil && p.propose != nil {
		p.propose(out)
	}
	return out, err
}

func (p proposer) Decide(ctx context.Context, actor access.Actor, id approval.ID, approved bool, request string) (desk.Proposal, error) {
	if p.decide != nil && p.decide(actor) {
		return desk.Proposal{}, nil
	}
	return p.Proposer.Decide(ctx, actor, id, approved, request)
}

// lax runs tools without the checks of the executor that a test names.
type lax struct {
	agent.Executor
	change func(*tool.Outcome)
}

func (l lax) Run(ctx context.Context, actor access.Actor, allowed []string, s tool.Session, call llm.ToolCall) tool.Outcome {
	o := l.Executor.Run(ctx, actor, allowed, s, call)
	l.change(&o)
	return o
}

// executing makes the agent use an executor that lets things pass.
func executing(change func(*tool.Outcome)) func(*house) {
	return func(h *house) {
		h.deps.Executor = lax{h.deps.Executor, change}
		h.wire()
	}
}

// speaker is a model that says the same thing whatever it is asked; of several, one after another.
type speaker struct {
	says []string
	n    atomic.Int32
}

func (s *speaker) Info() llm.Info { return llm.Info{Engine: llm.Model, Name: "speaker"} }

func (s *speaker) Generate(context.Context, llm.Request, func(llm.Delta)) (llm.Response, error) {
	text := s.says[(int(s.n.Add(1))-1)%len(s.says)]
	return llm.Response{Message: llm.Message{Role: llm.Assistant, Text: text}, Finish: llm.Stop}, nil
}

// saying puts a model in the place of the rules.
func saying(texts ...string) func(*house) {
	return func(h *house) {
		h.deps.Generator = &speaker{says: texts}
		h.wire()
	}
}

// runner is an agent with parts that a test breaks.
type runner struct {
	trial.Runner
	await func(context.Context, run.ID) error
}

func (r runner) Await(ctx context.Context, actor access.Actor, id run.ID) error {
	if r.await != nil {
		if err := r.await(ctx, id); err != nil {
			return err
		}
	}
	return r.Runner.Await(ctx, actor, id)
}

func reversed(r *retrieval.Result) { slices.Reverse(r.Hits) }

func replace(s, old, now string) string { return strings.ReplaceAll(s, old, now) }

// contentOf is the scope in which a user of Acme publishes.
func contentOf(h *house, user access.UserID) access.Scope {
	h.t.Helper()
	s, err := access.Resolve(h.t.Context(), h.Directory, access.Actor{Tenant: "acme", User: user}, access.Request{View: access.Content})
	must(h.t, err)
	return s
}

func decided(approved bool) approval.Decision {
	return approval.Decision{Approved: approved, Request: "sabotage"}
}
