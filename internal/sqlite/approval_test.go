package sqlite

import (
	"context"
	"sync"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestTwoOpeningsOfOneFolderCarryOutADecisionOnce(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	one := filled(t, dir)
	admin := access.Identity{User: "u1", Roles: []access.Role{access.KnowledgeAdmin}}
	if err := one.Admin().PutUser(ctx, "acme", "root", admin); err != nil {
		t.Fatal(err)
	}
	d := upload(t, one, "acme", "u1", "text")
	two := opened(t, dir)
	for range 5 {
		decideInBoth(t, one, two, d)
	}
	if got := column(t, one, `SELECT count(*) FROM entries WHERE kind = 'document.published' AND body ->> 'proposal' IS NOT NULL`); got[0] != "5" {
		t.Fatalf("published %s times by 5 proposals", got[0])
	}
}

// decideInBoth makes a proposal by one opening of a folder and approves it by both at once.
func decideInBoth(t *testing.T, one, two *DB, d corpus.Document) {
	t.Helper()
	ctx := context.Background()
	p, err := one.Approvals().Propose(ctx, resolve(t, one, "acme", "u1"), approval.Proposal{Document: string(d.ID)})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	codes := make([]string, 2)
	for i, db := range []*DB{one, two} {
		wg.Go(func() {
			actor := access.Actor{Tenant: "acme", User: "u1"}
			err := access.Within(ctx, db.Directory(), actor, access.Request{View: access.Content}, func(s access.Scope) error {
				_, err := db.Approvals().Decide(ctx, s, p.ID, approval.Decision{Approved: true, Request: random("req_")})
				return err
			})
			if codes[i] = "ok"; err != nil {
				codes[i] = problem.CodeOf(err)
			}
		})
	}
	wg.Wait()
	if (codes[0] == "ok") == (codes[1] == "ok") || codes[0] != "already_decided" && codes[1] != "already_decided" {
		t.Fatalf("the two decisions: %v", codes)
	}
}
