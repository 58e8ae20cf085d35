package desk_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
)

var (
	alice = access.Actor{Tenant: "acme", User: "alice"}
	carol = access.Actor{Tenant: "acme", User: "carol"}
)

// stored is a desk on the real store, in which carol manages "kb" and alice reads it.
type stored struct {
	t  *testing.T
	db *sqlite.DB
	*desk.Desk
}

func newStored(t *testing.T) stored {
	db, err := sqlite.Open(t.Context(), t.TempDir(), sqlite.Options{Ephemeral: true})
	s := stored{t: t, db: db}
	s.must(err)
	t.Cleanup(func() { _ = db.Close() })
	s.must(db.Admin().CreateTenant(t.Context(), "acme", "Acme"))
	for _, u := range []access.UserID{"alice", "carol"} {
		s.must(db.Admin().PutUser(t.Context(), "acme", "operator", access.Identity{User: u}))
	}
	s.as(carol, func(scope access.Scope) error {
		_, err := db.Bases().Create(t.Context(), scope, access.KnowledgeBase{ID: "kb", Publishing: access.Directly, Grants: []access.Grant{
			{Principal: access.User("alice"), Level: access.Reader},
		}})
		return err
	})
	s.Desk = desk.New(desk.Deps{
		Directory: db.Directory(), Catalog: db.Catalog(), Texts: db.Texts(), Blobs: db.Blobs(), Bases: db.Bases(), Jobs: db.Jobs(),
		Journal: db.Journal(), Events: db.Events(), Ledger: db.Ledger(), Trees: db.Proof(), Tapes: db.Proof(),
	})
	return s
}

func (s stored) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s stored) as(actor access.Actor, fn func(access.Scope) error) {
	s.t.Helper()
	s.must(access.Within(s.t.Context(), s.db.Directory(), actor, access.Request{View: access.Catalog}, fn))
}

// publish makes the next version of "travel" with a text of one chunk.
func (s stored) publish(text string, policy access.Policy, own bool) (doc corpus.Document) {
	s.t.Helper()
	ctx := s.t.Context()
	sum, size, err := s.db.Blobs().Put(ctx, strings.NewReader(text), 1<<20)
	s.must(err)
	s.as(carol, func(scope access.Scope) error {
		_, err := s.db.Catalog().Reserve(ctx, scope, corpus.Upload{
			KnowledgeBase: "kb", Key: "travel", Checksum: sum, Size: size, Publish: true, Policy: policy, OwnPolicy: own,
		})
		return err
	})
	job, _, err := s.db.Queue().Claim(ctx, time.Minute)
	s.must(err)
	span := corpus.Span{End: len(text)}
	at := corpus.TextLocator{Format: "txt", Heading: []string{}, Line: 1, Char: [2]int{0, len(text)}}
	doc, err = s.db.Publisher().Publish(ctx, corpus.Version{
		Document: corpus.DocumentID(job.Subject), Title: "Travel", Text: text, Chunks: []corpus.Chunk{{No: 1, Text: text, Span: span, Locator: at}},
	}, job.ID, job.Token)
	s.must(err)
	return doc
}

// cite makes a run of alice's whose answer cites a version.
func (s stored) cite(id run.ID, d corpus.Document, text string) {
	s.t.Helper()
	ctx := s.t.Context()
	r := &run.Run{ID: id, Tenant: "acme", Actor: "alice", Kind: run.ForAnswer, Goal: "q", Route: run.AgenticRAG, State: run.Queued, Attempt: 1, CreatedAt: time.Now()}
	s.must(s.db.Journal().Create(ctx, r, []event.Event{event.New(event.RunCreated, map[string]any{})}))
	lease, err := s.db.Journal().Claim(ctx, id, time.Minute)
	s.must(err)
	chunks, err := s.chunks(ctx, d.ID)
	s.must(err)
	e := citation.New("S1", strings.Repeat("a1", 32), corpus.Passage{
		Document: d.ID, KnowledgeBase: d.KnowledgeBase, Key: d.Key, Version: d.Version, Status: d.Status, Title: d.Title,
		Chunk: chunks[0].ID, Locator: chunks[0].Locator, Span: chunks[0].Span, Text: text,
	}, time.Now())
	r.State, r.Step = run.Running, 1
	s.must(s.db.Journal().Commit(ctx, run.Commit{
		Lease: lease, Run: r, Evidence: []citation.Evidence{e},
		Events: []event.Event{event.New(event.SourceAdded, map[string]any{"ref": "S1", "document_id": d.ID})},
	}))
	r.Answer = citation.Answer{Text: text + " [S1].", Refs: []string{"S1"}}
	r.State, r.Reason, r.Step = run.Completed, run.Success, 2
	s.must(s.db.Journal().Commit(ctx, run.Commit{Lease: lease, Run: r, Events: []event.Event{event.New(event.Completed, map[string]any{"state": r.State})}}))
}

func (s stored) chunks(ctx context.Context, id corpus.DocumentID) (list []corpus.Chunk, err error) {
	err = access.Within(ctx, s.db.Directory(), alice, access.Request{}, func(scope access.Scope) error {
		list, err = s.db.Texts().Chunks(ctx, scope, id, 0, 1)
		return err
	})
	return list, err
}

// readable checks whether alice can still open what her run cited, in every way there is.
func (s stored) readable(when string, id run.ID, want bool) {
	s.t.Helper()
	ctx := s.t.Context()
	_, err := s.Source(ctx, alice, id, "S1")
	if want && err != nil || !want && !problem.Is(err, problem.NotFound) {
		s.t.Errorf("%s: the source is opened with %v", when, err)
	}
	account, err := s.Run(ctx, alice, id)
	s.must(err)
	shown := strings.Contains(account.Run.Answer.Text, "500")
	if len(account.Cited) != 1 && want || shown != want {
		s.t.Errorf("%s: the answer is %q with sources %+v", when, account.Run.Answer.Text, account.Cited)
	}
	for _, c := range account.Cited {
		if c.Withheld == want {
			s.t.Errorf("%s: withheld %v", when, c.Withheld)
		}
	}
	events, _, err := s.Events(ctx, alice, id, 0, 100)
	s.must(err)
	for _, e := range events {
		if e.Type == event.SourceAdded && strings.Contains(string(e.Data), "500") != want {
			s.t.Errorf("%s: the event says %s", when, e.Data)
		}
	}
}

func TestARightLostThroughANewerVersionReachesOldCitations(t *testing.T) {
	const text = "The limit is 500"
	deny := access.Policy{Deny: []access.Principal{access.User("alice")}}
	s := newStored(t)
	first := s.publish(text, access.Policy{}, false)
	s.cite("run_1", first, text)
	s.readable("at first", "run_1", true)
	s.publish("The limit is 600", access.Policy{}, false)
	s.readable("archived", "run_1", true)
	third := s.publish("The limit is 650", deny, true)
	s.readable("after a version that denies her", "run_1", false)
	set := func(p access.Policy) {
		t.Helper()
		_, err := s.EditDocument(t.Context(), carol, third.ID, corpus.Change{Policy: &p})
		s.must(err)
	}
	set(access.Policy{})
	s.readable("after the right was given back", "run_1", true)
	set(deny)
	s.readable("after an edit of the published version", "run_1", false)
	if _, err := s.EditDocument(t.Context(), carol, first.ID, corpus.Change{Policy: &access.Policy{}}); problem.CodeOf(err) != "policy_of_published" {
		t.Errorf("the archived version could be opened again by itself: %v", err)
	}
	s.readable("in the end", "run_1", false)
}
