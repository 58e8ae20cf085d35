package sqlite_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/sqlite"
)

func TestSmoke(t *testing.T) {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, t.TempDir(), sqlite.Options{Serve: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(db.Admin().CreateTenant(ctx, "acme", "Acme"))
	must(db.Admin().PutUser(ctx, "acme", "operator", access.Identity{User: "carol"}))
	actor := access.Actor{Tenant: "acme", User: "carol"}
	in := func(fn func(s access.Scope) error) {
		t.Helper()
		must(access.Within(ctx, db.Directory(), actor, access.Request{View: access.Catalog}, fn))
	}
	in(func(s access.Scope) error { _, err := db.Bases().Create(ctx, s, access.KnowledgeBase{ID: "kb"}); return err })
	sum, size, err := db.Blobs().Put(ctx, strings.NewReader("hello"), 100)
	must(err)
	var res corpus.Reservation
	in(func(s access.Scope) (err error) {
		res, err = db.Catalog().Reserve(ctx, s, corpus.Upload{KnowledgeBase: "kb", Key: "k", Checksum: sum, Size: size, Publish: true})
		return err
	})
	j, ok, err := db.Queue().Claim(ctx, time.Second)
	must(err)
	if !ok {
		t.Fatal("no job")
	}
	d, err := db.Publisher().Publish(ctx, corpus.Version{Document: res.Document, Text: "hello", Chunks: []corpus.Chunk{{No: 1, Text: "hello"}}, Segment: []byte{1}}, j.ID, j.Token)
	must(err)
	t.Logf("%+v", d)
	head, err := ledger.Check(ctx, db.Ledger(), "acme")
	must(err)
	t.Logf("%+v", head)
}
