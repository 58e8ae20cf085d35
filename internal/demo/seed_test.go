package demo

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// seeded is a store that the demonstration filled, with the seams that its tests ask.
type seeded struct {
	*sqlite.DB
	deps   Deps
	tokens map[access.UserID]string
}

func seed(t *testing.T) seeded {
	t.Helper()
	db, err := sqlite.Open(t.Context(), t.TempDir(), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	deps := seedDeps(db)
	tokens, err := Seed(t.Context(), deps)
	if err != nil {
		t.Fatal(err)
	}
	return seeded{db, deps, tokens}
}

func seedDeps(db *sqlite.DB) Deps {
	worker := &ingest.Worker{Queue: db.Queue(), Publisher: db.Publisher(), Blobs: db.Blobs(), Log: slog.New(slog.DiscardHandler)}
	return Deps{
		Admin: db.Admin(), Directory: db.Directory(), Bases: db.Bases(), Auth: db.Auth(),
		Intake: &ingest.Intake{Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs()}, Drain: worker.Drain,
	}
}

// visible returns the ids of the documents that a person's scope admits, in order.
func (s seeded) visible(t *testing.T, p Person, view access.View) []corpus.DocumentID {
	t.Helper()
	var ids []corpus.DocumentID
	err := access.Within(t.Context(), s.Directory(), access.Actor{Tenant: p.Tenant, User: p.ID}, access.Request{View: view}, func(scope access.Scope) error {
		page, err := s.Catalog().Documents(t.Context(), scope, corpus.Filter{Limit: 200})
		ids = nil
		for _, d := range page.Items {
			ids = append(ids, d.ID)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(ids)
	return ids
}

// expected returns the ids of the manifest that a rule picks, in order.
func expected(rule func(Document) bool) []corpus.DocumentID {
	var ids []corpus.DocumentID
	for _, d := range Documents() {
		if rule(d) {
			ids = append(ids, d.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// TestEverybodySeesWhatTheDemonstrationPromises states the rights once more, in the words of the
// documentation, and compares them with what the store admits.
func TestEverybodySeesWhatTheDemonstrationPromises(t *testing.T) {
	s := seed(t)
	published := func(d Document) bool { return d.Status == access.StatusPublished }
	common := func(d Document) bool { return d.Tenant == Acme && d.Base != Research && d.ID != "doc-travel-audit-v1" }
	tests := []struct {
		user  access.UserID
		view  access.View
		sight func(Document) bool
	}{
		{"alice", access.Published, func(d Document) bool { return published(d) && common(d) }},
		{"alice", access.Content, func(d Document) bool { return published(d) && common(d) }},
		{"bob", access.Published, func(d Document) bool { return published(d) && (common(d) || d.Base == Research) }},
		{"carol", access.Published, func(d Document) bool { return published(d) && d.Tenant == Acme && d.Base != Research }},
		{"carol", access.Content, func(d Document) bool { return d.Tenant == Acme && d.Base != Research }},
		{"dave", access.Published, func(d Document) bool { return published(d) && common(d) }},
		{"erin", access.Published, func(d Document) bool { return d.Tenant == Globex }},
	}
	for _, tt := range tests {
		i := slices.IndexFunc(People(), func(p Person) bool { return p.ID == tt.user })
		if diff := cmp.Diff(expected(tt.sight), s.visible(t, People()[i], tt.view)); diff != "" {
			t.Errorf("%s, view %d:\n%s", tt.user, tt.view, diff)
		}
	}
}

func TestTokensStandForTheirPeople(t *testing.T) {
	s := seed(t)
	if len(s.tokens) != len(People()) {
		t.Errorf("%d tokens for %d people", len(s.tokens), len(People()))
	}
	for _, p := range People() {
		got, err := auth.Bearer(t.Context(), s.Auth(), "Bearer "+s.tokens[p.ID], time.Now())
		if want := (access.Actor{Tenant: p.Tenant, User: p.ID}); err != nil || got != want {
			t.Errorf("the token of %s stands for %+v (%v)", p.ID, got, err)
		}
		if strings.ContainsAny(s.tokens[p.ID], " \t\"'$`\\") {
			t.Errorf("the token of %s can't stand in a shell's line without quotes", p.ID)
		}
	}
}

func TestSeedingLeavesWholeLedgers(t *testing.T) {
	s := seed(t)
	for _, tenant := range Tenants() {
		head, err := ledger.Check(t.Context(), s.Ledger(), string(tenant.ID))
		if err != nil || head.Sequence == 0 {
			t.Errorf("the ledger of %s ends at %d: %v", tenant.ID, head.Sequence, err)
		}
	}
}

func TestSeedingTwiceIsRefused(t *testing.T) {
	s := seed(t)
	if _, err := Seed(t.Context(), s.deps); problem.CodeOf(err) != "exists" {
		t.Errorf("got %v, want a conflict", err)
	}
}

// TestSeedingFailsWhereADocumentDidNotComeIn leaves one job undone: a demonstration that misses a
// document must not be taken for a whole one.
func TestSeedingFailsWhereADocumentDidNotComeIn(t *testing.T) {
	db, err := sqlite.Open(t.Context(), t.TempDir(), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	deps := seedDeps(db)
	worker, n := deps.Drain, 0
	deps.Drain = func(ctx context.Context) error {
		if n++; n == len(Documents()) {
			return nil // the last document is never worked on
		}
		return worker(ctx)
	}
	if _, err := Seed(t.Context(), deps); !problem.Is(err, problem.NotFound) {
		t.Errorf("got %v, want an error that says that a document is missing", err)
	}
}
