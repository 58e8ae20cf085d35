package desk

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// shelf is a book of proposals that takes whatever it is given; what may be proposed is the
// desk's question here.
type shelf struct {
	approval.Book
	list    []approval.Proposal
	decided []approval.Decision
}

func (s *shelf) Propose(_ context.Context, scope access.Scope, p approval.Proposal) (approval.Proposal, error) {
	p.Tenant, p.Proposer, p.Status, p.DocKey, p.Version = scope.Tenant(), scope.Actor(), approval.Pending, "travel", 2
	s.list = append(s.list, p)
	return p, nil
}

func (s *shelf) Proposal(_ context.Context, tenant access.TenantID, actor access.UserID, id approval.ID) (approval.Proposal, error) {
	for _, p := range s.list {
		if p.ID == id && p.Tenant == tenant && p.Proposer == actor {
			return p, nil
		}
	}
	return approval.Proposal{}, problem.Missing()
}

func (s *shelf) Decide(ctx context.Context, scope access.Scope, id approval.ID, d approval.Decision) (approval.Proposal, error) {
	s.decided = append(s.decided, d)
	return s.Proposal(ctx, scope.Tenant(), scope.Actor(), id)
}

// publishing is an office in which Alice may publish: version 1 is in force, version 2 a draft.
func publishing() (*office, *shelf, *Desk) {
	o := newOffice()
	o.snap.Identity.Roles = []access.Role{access.KnowledgeAdmin}
	o.snap.Bases[0].Grants[0].Level = access.Editor
	o.put("v1", "travel", 1, access.StatusPublished, "CANARY one. The limit is 500 yuan.\n\nMeals are extra.")
	o.put("v2", "travel", 2, access.StatusDraft, "CANARY two. The limit is 650 yuan.\n\nTaxis need receipts and a reason.")
	s := &shelf{}
	d := o.desk()
	d.deps.Approvals = s
	return o, s, d
}

func TestSummaryIsMetadataAndCounts(t *testing.T) {
	o, s, d := publishing()
	o.documents[1].Checksum, o.documents[1].Size = "abc", 42
	o.documents[1].Policy = access.Policy{Restricted: true, Allow: []access.Principal{access.User("alice")}}
	p, err := d.Propose(t.Context(), alice, "v2")
	must(t, err)
	const want = `{"v":1,"from":{"document_id":"v1","version":1,"checksum":"","size":0},"to":{"document_id":"v2","version":2,"checksum":"abc","size":42},` +
		`"sections_added":1,"sections_removed":1,"sections_changed":1,"sections_moved":0,"lines_added":3,"lines_removed":3,"numbers_changed":1,"policy_differs":true}`
	if diff := cmp.Diff(want, string(s.list[0].Summary)); diff != "" {
		t.Error(diff)
	}
	var read Summary
	must(t, json.Unmarshal(s.list[0].Summary, &read))
	if diff := cmp.Diff(p.Summary, read); diff != "" || strings.Contains(want, "CANARY") {
		t.Error(diff)
	}
}

// The version in force may be one that the proposer may not read. Then nothing of it is counted.
func TestSummaryCountsNothingOfWhatMayNotBeRead(t *testing.T) {
	o, _, d := publishing()
	o.deny("v1")
	p, err := d.Propose(t.Context(), alice, "v2")
	must(t, err)
	if p.Summary.From != nil || p.Summary.LinesRemoved != 0 || p.Summary.SectionsAdded != 2 || p.Summary.PolicyDiffers {
		t.Errorf("%+v", p.Summary)
	}
}

func TestOnlyAnAdministratorWhoMayWriteProposes(t *testing.T) {
	for name, change := range map[string]func(*office){
		"no role":    func(o *office) { o.snap.Identity.Roles = []access.Role{access.TenantAdmin, access.Auditor} },
		"reader":     func(o *office) { o.snap.Bases[0].Grants[0].Level = access.Reader },
		"no grant":   func(o *office) { o.snap.Bases[0].Grants = nil },
		"suspended":  func(o *office) { o.snap.Identity.Suspended = true },
		"denied":     func(o *office) { o.deny("v2") },
		"no version": func(o *office) { o.documents = o.documents[:1] },
	} {
		o, s, d := publishing()
		change(o)
		if _, err := d.Propose(t.Context(), alice, "v2"); !problem.Is(err, problem.NotFound) || len(s.list) != 0 {
			t.Errorf("%s: %v, %d proposals", name, err, len(s.list))
		}
	}
	_, s, d := publishing()
	robot := alice
	robot.Service = true
	_, err := d.Propose(t.Context(), robot, "v2")
	_, err2 := d.Decide(t.Context(), robot, "p", true, "r")
	if !problem.Is(err, problem.NotFound) || !problem.Is(err2, problem.NotFound) || len(s.list)+len(s.decided) != 0 {
		t.Errorf("a service account: %v, %v", err, err2)
	}
}

func TestLostProposalTellsNothingOfItsDocument(t *testing.T) {
	o, _, d := publishing()
	p, err := d.Propose(t.Context(), alice, "v2")
	must(t, err)
	whole, err := d.ProposalOf(t.Context(), alice, p.ID, approval.Publish)
	must(t, err)
	if whole.Title == "" || whole.Comparison == nil || whole.Comparison.Difference.Counts.Numbers != 1 || len(o.entries) != 0 {
		t.Errorf("%+v", whole)
	}
	o.documents[0].Status, o.documents[1].Status = access.StatusArchived, access.StatusPublished
	if _, err := d.ProposalOf(t.Context(), alice, p.ID, approval.Publish); err != nil || len(o.entries) != 1 {
		t.Errorf("%v: %d readings of history are recorded, want 1", err, len(o.entries))
	}
	o.deny("v1")
	if part, err := d.ProposalOf(t.Context(), alice, p.ID, approval.Publish); err != nil || part.Comparison != nil || part.Title == "" {
		t.Errorf("%+v %v", part, err)
	}
	o.deny("v2")
	lost, err := d.ProposalOf(t.Context(), alice, p.ID, approval.Publish)
	must(t, err)
	want := Proposal{Withheld: true}
	want.ID, want.Run, want.Kind, want.Document, want.Tenant, want.Proposer, want.Status = p.ID, p.Run, p.Kind, "v2", "acme", "alice", approval.Pending
	if diff := cmp.Diff(want, lost); diff != "" {
		t.Error(diff)
	}
}

func TestComparingReadsUnderTheRightsOfTheMoment(t *testing.T) {
	o, _, d := publishing()
	o.documents[0].Status = access.StatusArchived
	o.documents = append(o.documents, corpus.Document{ID: "x", Tenant: "acme", KnowledgeBase: "kb", Key: "other", Version: 1, Status: access.StatusPublished})
	o.moved = 3
	c, err := d.Compare(t.Context(), alice, "v1", "v2")
	must(t, err)
	if len(o.entries) != 1 || !strings.Contains(string(o.entries[0].Body), `"part":"diff"`) || c.Difference.Counts.Numbers != 1 {
		t.Errorf("%d readings are recorded; %+v", len(o.entries), c.Difference.Counts)
	}
	if _, err := d.Compare(t.Context(), alice, "v2", "x"); problem.CodeOf(err) != "invalid_request" {
		t.Error(err)
	}
	for _, pair := range [][2]corpus.DocumentID{{"v1", "nothing"}, {"nothing", "v1"}, {"nothing", "x"}} {
		if _, err := d.Compare(t.Context(), alice, pair[0], pair[1]); !problem.Is(err, problem.NotFound) {
			t.Errorf("%v: %v", pair, err)
		}
	}
	o.snap.Identity.Roles = nil
	for _, pair := range [][2]corpus.DocumentID{{"v1", "v2"}, {"v2", "v1"}, {"v1", "x"}, {"x", "v1"}} {
		if _, err := d.Compare(t.Context(), alice, pair[0], pair[1]); !problem.Is(err, problem.NotFound) {
			t.Errorf("without the role, %v: %v", pair, err)
		}
	}
	if len(o.entries) != 1 {
		t.Errorf("%d readings are recorded", len(o.entries))
	}
}

// What cannot be recorded is not given out.
func TestNoRecordNoHistory(t *testing.T) {
	o, _, d := publishing()
	o.documents[0].Status = access.StatusArchived
	d.deps.Ledger = brokenLog{entryLog{o}}
	if c, err := d.Compare(t.Context(), alice, "v1", "v2"); err == nil || len(c.Difference.Sections) != 0 {
		t.Errorf("%v %+v", err, c)
	}
	d.deps.Search = finding{o}
	past := access.Request{AsOf: noon}
	if r, err := d.Search(t.Context(), alice, past, retrieval.Query{Text: "limit"}); err == nil || len(r.Hits) != 0 {
		t.Errorf("%v %+v", err, r)
	}
	d.deps.Ledger = entryLog{o}
	if r, err := d.Search(t.Context(), alice, past, retrieval.Query{Text: "limit"}); err != nil || len(r.Hits) != 1 || len(o.entries) != 1 {
		t.Errorf("%v %+v %d", err, r, len(o.entries))
	}
	o.snap.Identity.Roles = nil
	if _, err := d.Search(t.Context(), alice, past, retrieval.Query{Text: "limit"}); !problem.Is(err, problem.NotFound) || len(o.entries) != 1 {
		t.Errorf("without the role: %v", err)
	}
}

func TestAQueryOfStopWordsIsAnInputErrorToWhomeverTypedIt(t *testing.T) {
	o, _, d := publishing()
	d.deps.Search = stopping{}
	for _, query := range []string{"what is the", " "} {
		if r, err := d.Search(t.Context(), alice, access.Request{}, retrieval.Query{Text: query}); problem.CodeOf(err) != "empty_query" || !problem.Is(err, problem.Invalid) || r.Stopped {
			t.Errorf("%q: %v %+v", query, err, r)
		}
	}
	if _, err := d.Search(t.Context(), alice, access.Request{}, retrieval.Query{Text: "limit"}); err != nil {
		t.Errorf("a query that finds nothing: %v", err)
	}
	if len(o.entries) != 0 {
		t.Errorf("something was recorded: %+v", o.entries)
	}
}

// stopping is a search that finds nothing, and knows one query of stop words.
type stopping struct{}

func (stopping) Search(_ context.Context, _ access.Scope, q retrieval.Query) (retrieval.Result, error) {
	return retrieval.Result{Stopped: q.Text == "what is the"}, nil
}

type finding struct{ *office }

func (f finding) Search(context.Context, access.Scope, retrieval.Query) (retrieval.Result, error) {
	return retrieval.Result{Hits: []retrieval.Hit{{Document: f.documents[0]}}}, nil
}

// notes is a store of memories that holds one of Alice's.
type notes struct{ memory.Store }

func (notes) Memory(_ context.Context, tenant access.TenantID, actor access.UserID, id string) (memory.Memory, error) {
	if tenant != "acme" || actor != "alice" || id != "c" {
		return memory.Memory{}, problem.Missing()
	}
	return memory.Memory{Conversation: id, Summary: "住宿"}, nil
}

func TestSuspendedActorHasNoMemory(t *testing.T) {
	o, _, d := publishing()
	d.deps.Memory = notes{}
	if m, err := d.Memory(t.Context(), alice, "c"); err != nil || m.Summary != "住宿" {
		t.Errorf("%+v %v", m, err)
	}
	o.snap.Identity.Suspended = true
	_, err := d.Memory(t.Context(), alice, "c")
	_, err2 := d.Conversations(t.Context(), alice, memory.Filter{})
	if err3 := d.Forget(t.Context(), alice, "c"); !problem.Is(err, problem.NotFound) || !problem.Is(err2, problem.NotFound) || !problem.Is(err3, problem.NotFound) {
		t.Errorf("%v %v %v", err, err2, err3)
	}
}
