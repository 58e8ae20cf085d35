package sqlite

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// Auth implements auth.Store.
type Auth struct{ db *DB }

// Auth returns the stored credentials.
func (db *DB) Auth() *Auth { return &Auth{db} }

const selectToken = `SELECT id, hash, tenant, user, name, created_at, expires_at, permissions, last_used FROM tokens `

func scanToken(r scanner) (tok auth.Token, err error) {
	var created, expires, used int64
	err = r.Scan(&tok.ID, &tok.Hash, &tok.Tenant, &tok.User, &tok.Name, &created, &expires, &tok.Permissions, &used)
	tok.CreatedAt, tok.ExpiresAt, tok.LastUsed = at(created), at(expires), at(used)
	return tok, err
}

// PutToken implements auth.Store. A token changes nobody's view, so the epoch stays.
func (a *Auth) PutToken(ctx context.Context, tok auth.Token) error {
	return a.db.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := identity(ctx, t, tok.Tenant, tok.User); err != nil {
			return err
		}
		if tok.CreatedAt.IsZero() {
			tok.CreatedAt = t.now
		}
		err := one(t.ExecContext(ctx, `INSERT INTO tokens (id, hash, tenant, user, name, created_at, expires_at, permissions, last_used)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, tok.ID, tok.Hash, tok.Tenant, tok.User, tok.Name,
			tok.CreatedAt.UnixMicro(), tok.ExpiresAt.UnixMicro(), tok.Permissions, tok.LastUsed.Truncate(time.Minute).UnixMicro()))
		if problem.Is(err, problem.NotFound) {
			return problem.New(problem.Conflict, "exists", "This token is stored already.")
		}
		if err != nil {
			return err
		}
		if err := made(ctx, t, idempotency.Receipt{ID: tok.ID}); err != nil {
			return err
		}
		maker := tok.Maker
		if maker == "" {
			maker = tok.User
		}
		return note(ctx, t, ledger.TokenChanged, tok.Tenant, maker, map[string]any{
			"token": tok.ID, "user": tok.User, "expires": !tok.ExpiresAt.IsZero(), "permissions": tok.Permissions.Names(),
		})
	})
}

// TokenByHash implements auth.Store. That a token was used is noted once a minute, after the read.
func (a *Auth) TokenByHash(ctx context.Context, hash string) (tok auth.Token, id access.Identity, err error) {
	var now time.Time
	err = a.db.read(ctx, func(ctx context.Context, t *tx) error {
		now = t.now
		if tok, err = scanToken(t.QueryRowContext(ctx, selectToken+`WHERE hash = ?`, hash)); err != nil {
			return missing(err)
		}
		if id, err = identity(ctx, t, tok.Tenant, tok.User); err == nil && id.Suspended {
			err = problem.Missing()
		}
		return err
	})
	if err != nil {
		return auth.Token{}, access.Identity{}, err
	}
	if tok.ExpiresAt.IsZero() || now.Before(tok.ExpiresAt) {
		a.db.seen(ctx, `UPDATE tokens SET last_used = ?1 WHERE hash = ?2 AND last_used < ?1`, hash, tok.LastUsed, now)
	}
	return tok, id, nil
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
	_ = db.write(context.WithoutCancel(ctx), func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, statement, minute.UnixMicro(), hash)
		return err
	})
}

// Tokens implements auth.Store.
func (a *Auth) Tokens(ctx context.Context, tenant access.TenantID, user access.UserID) (out []auth.Token, err error) {
	err = a.db.read(ctx, func(ctx context.Context, t *tx) error {
		rows, err := t.QueryContext(ctx, selectToken+`WHERE tenant = ?1 AND (?2 = '' OR user = ?2) ORDER BY created_at, id`, tenant, user)
		out, err = collect(rows, err, scanToken)
		return err
	})
	return out, err
}

// RevokeToken implements auth.Store.
func (a *Auth) RevokeToken(ctx context.Context, tenant access.TenantID, by, user access.UserID, id string) error {
	return a.db.write(ctx, func(ctx context.Context, t *tx) error {
		var owner access.UserID
		err := t.QueryRowContext(ctx, `DELETE FROM tokens WHERE tenant = ?1 AND id = ?2 AND (?3 = '' OR user = ?3) RETURNING user`, tenant, id, user).Scan(&owner)
		if err != nil {
			return missing(err)
		}
		return note(ctx, t, ledger.TokenChanged, tenant, by, map[string]any{"token": id, "user": owner, "revoked": true})
	})
}
