package sqlite

import (
	"context"
	"testing"

	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
)

// What a server was doing when it ended is free at once, and not after its lease.
func TestAServerThatStartsTakesOverTheRequestsOfTheOneBefore(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	filled(t, dir).Close()
	serve := func() *DB {
		db, err := Open(ctx, dir, Options{Serve: true})
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	k := idempotency.Key{Tenant: "acme", Actor: "u1", Operation: "op", Name: "k"}
	db := serve()
	before, _, err := db.Requests().Claim(ctx, k, "d")
	if err != nil {
		t.Fatal(err)
	}
	// A command beside the server changes nothing of it.
	opened(t, dir)
	if _, _, err := db.Requests().Claim(ctx, k, "d"); problem.CodeOf(err) != "request_in_progress" {
		t.Fatalf("beside a command: %v", err)
	}
	db.Close()
	db = serve()
	defer db.Close()
	c, done, err := db.Requests().Claim(ctx, k, "d")
	if err != nil || done != nil || c.Token == before.Token {
		t.Fatalf("%+v %+v %v", c, done, err)
	}
	if err := db.Requests().Settle(ctx, before, idempotency.Receipt{ID: "x"}); problem.CodeOf(err) != "request_in_progress" {
		t.Errorf("the request of the ended server may still settle: %v", err)
	}
}
