package desk

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

var (
	noon  = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	alice = access.Actor{Tenant: "acme", User: "alice"}
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// office is a desk on stores in memory. They decide nothing by themselves: what may be seen is
// asked of the scope, row by row.
type office struct {
	snap      access.Snapshot
	documents []corpus.Document
	texts     map[corpus.DocumentID]string
	run       *run.Run
	evidence  []citation.Evidence
	events    []event.Event
	entries   []ledger.Entry
	tape      []run.Recorded
	// moved makes the next reads find the directory changed.
	moved int
}

func newOffice() *office {
	return &office{
		snap: access.Snapshot{
			Identity: access.Identity{User: "alice", Roles: []access.Role{access.Member}},
			Bases: []access.KnowledgeBase{{ID: "kb", Tenant: "acme", Grants: []access.Grant{
				{Principal: access.User("alice"), Level: access.Reader},
			}}},
		},
		texts: map[corpus.DocumentID]string{},
	}
}

func (o *office) desk() *Desk {
	return New(Deps{
		Directory: o, Catalog: catalog{office: o}, Texts: textStore{office: o}, Journal: journal{office: o}, Events: eventLog{o},
		Ledger: entryLog{o}, Trees: forest{o}, Tapes: o, Clock: func() time.Time { return noon },
	})
}

func (o *office) Snapshot(context.Context, access.TenantID, access.UserID) (access.Snapshot, error) {
	return o.snap, nil
}

// put adds a version.
func (o *office) put(id corpus.DocumentID, key corpus.Key, version int, status access.Status, text string) corpus.Document {
	d := corpus.Document{
		ID: id, Tenant: "acme", KnowledgeBase: "kb", Key: key, Version: version, Status: status,
		Title: "Title of " + string(id), UpdatedAt: noon,
	}
	o.documents = append(o.documents, d)
	o.texts[id] = text
	return d
}

// read registers a passage of a version as evidence of the run, and tells of it.
func (o *office) read(ref string, d corpus.Document, excerpt string) {
	e := citation.New(ref, testSeal.Nonce("p"), corpus.Passage{
		Document: d.ID, KnowledgeBase: d.KnowledgeBase, Key: d.Key, Version: d.Version, Status: d.Status, Title: d.Title,
		Locator: corpus.TextLocator{Format: "txt", Line: 1}, Text: excerpt,
	}, noon)
	o.evidence = append(o.evidence, e)
	o.tell(event.SourceAdded, map[string]any{"ref": ref, "document_id": d.ID})
}

func (o *office) tell(t event.Type, data any) {
	e := event.New(t, data)
	e.RunID, e.Sequence, e.Attempt, e.Time = "r", int64(len(o.events)+1), 1, noon
	o.events = append(o.events, e)
}

// deny hides a version from Alice.
func (o *office) deny(id corpus.DocumentID) {
	for i := range o.documents {
		if o.documents[i].ID == id {
			o.documents[i].Policy.Deny = []access.Principal{access.User("alice")}
		}
	}
}

func (o *office) stale() error {
	if o.moved > 0 {
		o.moved--
		return access.Stale()
	}
	return nil
}

type catalog struct {
	corpus.Catalog
	*office
}

func (c catalog) Document(ctx context.Context, scope access.Scope, id corpus.DocumentID) (corpus.Document, error) {
	if ctx.Err() != nil {
		return corpus.Document{}, context.Cause(ctx)
	}
	if err := c.stale(); err != nil {
		return corpus.Document{}, err
	}
	for _, d := range c.documents {
		if d.ID == id && scope.Admits(d.Resource()) {
			return d, nil
		}
	}
	return corpus.Document{}, problem.Missing()
}

func (c catalog) Documents(_ context.Context, scope access.Scope, f corpus.Filter) (page corpus.Page[corpus.Document], err error) {
	for _, d := range c.documents {
		if scope.Admits(d.Resource()) && (f.Key == "" || d.Key == f.Key) && (f.Status == "" || d.Status == f.Status) {
			page.Items = append(page.Items, d)
		}
	}
	return page, nil
}

type textStore struct {
	corpus.Texts
	*office
}

func (s textStore) Text(_ context.Context, scope access.Scope, id corpus.DocumentID) (corpus.Text, error) {
	for _, d := range s.documents {
		if d.ID == id && scope.Admits(d.Resource()) {
			return corpus.Text{Document: d, Text: s.texts[id]}, nil
		}
	}
	return corpus.Text{}, problem.Missing()
}

type journal struct {
	run.Journal
	*office
}

func (j journal) Run(_ context.Context, tenant access.TenantID, actor access.UserID, id run.ID) (*run.Run, []citation.Evidence, error) {
	if j.run == nil || j.run.ID != id || j.run.Tenant != tenant || j.run.Actor != actor {
		return nil, nil, problem.Missing()
	}
	copied := *j.run
	return &copied, slices.Clone(j.evidence), nil
}

type eventLog struct{ *office }

func (l eventLog) After(_ context.Context, _ string, n int64, limit int) ([]event.Event, error) {
	rest := l.events[min(int(n), len(l.events)):]
	return slices.Clone(rest[:min(limit, len(rest))]), nil
}

func (l eventLog) Wait(ctx context.Context, _ string, _ int64) error { return ctx.Err() }

type entryLog struct{ *office }

func (l entryLog) Entries(_ context.Context, tenant string, after int64, limit int) ([]ledger.Entry, error) {
	rest := l.entries[min(int(after), len(l.entries)):]
	return rest[:min(limit, len(rest))], nil
}

func (l entryLog) Entry(_ context.Context, _, id string) (ledger.Entry, error) {
	for _, e := range l.entries {
		if e.ID == id {
			return e, nil
		}
	}
	return ledger.Entry{}, problem.Missing()
}

func (l entryLog) OfRun(_ context.Context, _, run string) (out []ledger.Entry, err error) {
	for _, e := range l.entries {
		if e.RunID == run {
			out = append(out, e)
		}
	}
	return out, nil
}

func (l entryLog) Head(context.Context, string) (ledger.Head, error) { return ledger.Head{}, nil }

func (l entryLog) Append(_ context.Context, e ledger.Entry) (ledger.Entry, error) {
	e.Sequence = int64(len(l.entries) + 1)
	e.ID = fmt.Sprint("led_", e.Sequence)
	l.entries = append(l.entries, e)
	return e, nil
}

// brokenLog can't keep anything.
type brokenLog struct{ entryLog }

func (brokenLog) Append(context.Context, ledger.Entry) (ledger.Entry, error) {
	return ledger.Entry{}, problem.New(problem.Unavailable, "full", "The disk is full.")
}

// testSeal is the seal of runs in tests.
var testSeal = seal.Seal{Key: "test"}
