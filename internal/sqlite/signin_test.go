package sqlite

import (
	"context"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
)

// A notice of which the ending fails is as if it had never come: the provider's next try ends what
// this one could not.
func TestANoticeWhoseEndingFailsIsNotSpent(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	filled(t, dir).Close()
	db := opened(t, dir)
	until := time.Now().Add(time.Hour)
	link, err := db.Identities().PutIdentity(ctx, "u1", auth.Identity{Tenant: "acme", User: "u1", Issuer: "https://id.example", Subject: "s"})
	if err != nil {
		t.Fatal(err)
	}
	in := auth.Arrival{Tenant: "acme", Issuer: link.Issuer, Subject: link.Subject, Session: auth.Session{Hash: "h", ExpiresAt: until}}
	if _, err := db.Arrivals().Admit(ctx, in); err != nil {
		t.Fatal(err)
	}
	stick, loosen := `CREATE TRIGGER stuck BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'stuck'); END`, `DROP TRIGGER stuck`
	run := func(statement string) {
		t.Helper()
		if err := db.core.Write(ctx, func(ctx context.Context, t *database.Tx) error {
			_, err := t.ExecContext(ctx, statement)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	end := auth.Ending{ID: "notice", Until: until, Tenant: "acme", Issuer: link.Issuer, Subject: link.Subject}
	run(stick)
	if n, err := db.Arrivals().EndProvided(ctx, end); err == nil || n != 0 || problem.CodeOf(err) == "spent" {
		t.Fatalf("%d %v", n, err)
	}
	run(loosen)
	if n, err := db.Arrivals().EndProvided(ctx, end); err != nil || n != 1 {
		t.Fatalf("the second try: %d %v", n, err)
	}
	if _, err := db.Arrivals().EndProvided(ctx, end); problem.CodeOf(err) != "spent" {
		t.Errorf("a third: %v", err)
	}
}
