package sqlite

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/sqlite/signin"
	"github.com/kaoju/kaoju/internal/sqlite/tenancy"
)

// Auth returns the stored tokens.
func (db *DB) Auth() *signin.Tokens {
	return &signin.Tokens{Read: lent(db.read), Write: lent(db.write), Seen: db.seen}
}

// Logins returns passwords and sessions.
func (db *DB) Logins() *signin.Logins {
	return &signin.Logins{Read: lent(db.read), Write: lent(db.write), Seen: db.seen}
}

// Identities returns the links between people and identity providers.
func (db *DB) Identities() *signin.Identities {
	return &signin.Identities{Read: lent(db.read), Write: lent(db.write)}
}

// Arrivals returns the seam to signing in through a provider.
func (db *DB) Arrivals() *signin.Arrivals { return &signin.Arrivals{Write: lent(db.write)} }

// Tenancy returns the seam to what holds for tenants as a whole.
func (db *DB) Tenancy() *tenancy.Tenancy {
	return &tenancy.Tenancy{Read: lent(db.read), Write: lent(db.write), First: db.first}
}

// lent lets another package of the driver work in its transactions.
func lent(run func(context.Context, func(context.Context, *tx) error) error) signin.Run {
	return func(ctx context.Context, body func(context.Context, signin.Tx) error) error {
		return run(ctx, func(ctx context.Context, t *tx) error { return body(ctx, t) })
	}
}

func (t *tx) Identity(ctx context.Context, tenant access.TenantID, user access.UserID) (access.Identity, error) {
	return identity(ctx, t, tenant, user)
}

func (t *tx) Record(ctx context.Context, e signin.Entry, raise bool) error {
	if raise {
		return change(ctx, t, e.Kind, e.Tenant, e.By, e.Body)
	}
	return note(ctx, t, e.Kind, e.Tenant, e.By, e.Body)
}

func (t *tx) Made(ctx context.Context, r idempotency.Receipt) error { return made(ctx, t, r) }

func (t *tx) Now() time.Time { return t.now }

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
	_ = db.write(context.WithoutCancel(ctx), func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, statement, minute.UnixMicro(), hash)
		return err
	})
}
