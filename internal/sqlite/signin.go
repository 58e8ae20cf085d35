package sqlite

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/requests"
	"github.com/kaoju/kaoju/internal/sqlite/signin"
	"github.com/kaoju/kaoju/internal/sqlite/tenancy"
)

// Auth returns the stored tokens.
func (db *DB) Auth() *signin.Tokens {
	return &signin.Tokens{Read: lent(db.core.Read), Write: lent(db.core.Write), Seen: db.seen}
}

// Logins returns passwords and sessions.
func (db *DB) Logins() *signin.Logins {
	return &signin.Logins{Read: lent(db.core.Read), Write: lent(db.core.Write), Seen: db.seen}
}

// Identities returns the links between people and identity providers.
func (db *DB) Identities() *signin.Identities {
	return &signin.Identities{Read: lent(db.core.Read), Write: lent(db.core.Write)}
}

// Arrivals returns the seam to signing in through a provider.
func (db *DB) Arrivals() *signin.Arrivals { return &signin.Arrivals{Write: lent(db.core.Write)} }

// Tenancy returns the seam to what holds for tenants as a whole.
func (db *DB) Tenancy() *tenancy.Tenancy {
	return &tenancy.Tenancy{Read: lent(db.core.Read), Write: lent(db.core.Write), First: db.first}
}

// lent lets another package of the driver work in its transactions.
func lent(run func(context.Context, database.Work) error) signin.Run {
	return func(ctx context.Context, body func(context.Context, signin.Tx) error) error {
		return run(ctx, func(ctx context.Context, t *database.Tx) error { return body(ctx, lentTx{t}) })
	}
}

// lentTx is a transaction with what the driver does in it.
type lentTx struct{ *database.Tx }

// Identity implements signin.Tx.
func (t lentTx) Identity(ctx context.Context, tenant access.TenantID, user access.UserID) (access.Identity, error) {
	return directory.Identity(ctx, t.Tx, tenant, user)
}

// Record implements signin.Tx.
func (t lentTx) Record(ctx context.Context, e signin.Entry, raise bool) error {
	if raise {
		return chain.Change(ctx, t.Tx, e.Kind, e.Tenant, e.By, e.Body)
	}
	return chain.Note(ctx, t.Tx, e.Kind, e.Tenant, e.By, e.Body)
}

// Made implements signin.Tx.
func (t lentTx) Made(ctx context.Context, r idempotency.Receipt) error {
	return requests.Made(ctx, t.Tx, r)
}

// seen notes that a credential was used, to the minute. It writes at most once a minute, by one of
// those that use it then, and a failure to note is no reason to turn its owner away.
func (db *DB) seen(ctx context.Context, statement, hash string, last, now time.Time) {
	minute := now.Truncate(time.Minute)
	if !minute.After(last) {
		return
	}
	if noted, ok := db.noted.Swap(hash, minute); ok && !minute.After(noted.(time.Time)) {
		return
	}
	_ = db.core.Write(context.WithoutCancel(ctx), func(ctx context.Context, t *database.Tx) error {
		_, err := t.ExecContext(ctx, statement, minute.UnixMicro(), hash)
		return err
	})
}
