package sqlite

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// Two openings of a folder in one process stand for a server and a command: they share nothing
// but the files.
func TestAServerAndACommandWriteOneFolderAtOnce(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	server := filled(t, dir)
	kb, err := server.Bases().Create(ctx, resolve(t, server, "acme", "u1"), access.KnowledgeBase{Publishing: access.Directly})
	if err != nil {
		t.Fatal(err)
	}
	const each = 12
	var wg sync.WaitGroup
	for i, db := range []*DB{server, opened(t, dir)} {
		wg.Go(func() {
			for j := range each {
				if err := reserveAndWork(ctx, db, kb.ID, fmt.Sprint("text ", i, " ", j)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	page, err := server.Catalog().Documents(ctx, resolve(t, server, "acme", "u1"), corpus.Filter{Limit: 100})
	if err != nil || len(page.Items) != 2*each {
		t.Fatalf("%d documents, %v", len(page.Items), err)
	}
	if _, err := ledger.Check(ctx, server.Ledger(), "acme"); err != nil {
		t.Fatal(err)
	}
	if err := server.Integrity(ctx); err != nil {
		t.Fatal(err)
	}
}

// reserveAndWork uploads a text under its own key and works until no job is due.
func reserveAndWork(ctx context.Context, db *DB, kb access.KnowledgeBaseID, body string) error {
	sum, size, err := db.Blobs().Put(ctx, strings.NewReader(body), 1000)
	if err != nil {
		return err
	}
	for reserved := false; !reserved; {
		// The other process publishes all the time, which may make eight scopes in a row stale.
		err := access.Within(ctx, db.Directory(), access.Actor{Tenant: "acme", User: "u1"}, access.Request{View: access.Catalog}, func(s access.Scope) error {
			_, err := db.Catalog().Reserve(ctx, s, corpus.Upload{KnowledgeBase: kb, Key: corpus.Key(body), Checksum: sum, Size: size, Publish: true})
			return err
		})
		if reserved = err == nil; err != nil && problem.CodeOf(err) != "busy" {
			return err
		}
	}
	for {
		job, ok, err := db.Queue().Claim(ctx, time.Hour)
		if err != nil || !ok {
			return err
		}
		if _, err := db.Publisher().Publish(ctx, corpus.Version{Document: corpus.DocumentID(job.Subject), Text: body}, job.ID, job.Token); err != nil {
			return err
		}
	}
}

func TestEventsAndJobsOfAnotherProcessAreNoticed(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	server := filled(t, dir)
	command := opened(t, dir)
	r := &run.Run{ID: "run_1", Tenant: "acme", Actor: "u1", State: run.Queued, Attempt: 1}
	done := make(chan error, 2)
	go func() { done <- server.Events().Wait(ctx, "run_1", 0) }()
	if err := command.Journal().Create(ctx, r, []event.Event{event.New(event.RunCreated, nil)}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	go func() { done <- server.Queue().Wait(ctx) }()
	kb, err := command.Bases().Create(ctx, resolve(t, command, "acme", "u1"), access.KnowledgeBase{})
	if err != nil {
		t.Fatal(err)
	}
	sum, size, err := command.Blobs().Put(ctx, strings.NewReader("text"), 100)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := command.Catalog().Reserve(ctx, resolve(t, command, "acme", "u1"), corpus.Upload{KnowledgeBase: kb.ID, Key: "k", Checksum: sum, Size: size}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
