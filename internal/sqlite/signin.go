package sqlite

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/signin"
	"github.com/kaoju/kaoju/internal/sqlite/tenancy"
)

// Auth returns the stored tokens.
func (db *DB) Auth() *signin.Tokens {
	return &signin.Tokens{DB: db.core, Seen: db.seen}
}

// Logins returns passwords and sessions.
func (db *DB) Logins() *signin.Logins {
	return &signin.Logins{DB: db.core, Seen: db.seen}
}

// Identities returns the links between people and identity providers.
func (db *DB) Identities() *signin.Identities {
	return &signin.Identities{DB: db.core}
}

// Arrivals returns the seam to signing in through a provider.
func (db *DB) Arrivals() *signin.Arrivals { return &signin.Arrivals{DB: db.core} }

// Tenancy returns the seam to what holds for tenants as a whole.
func (db *DB) Tenancy() *tenancy.Tenancy {
	return &tenancy.Tenancy{DB: db.core, First: db.first}
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
