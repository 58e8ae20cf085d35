package sqlite

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// Auth implements auth.Store.
type Auth struct{ db *DB }

// Auth returns the stored credentials.
func (db *DB) Auth() *Auth { return &Auth{db} }

// PutToken implements auth.Store. A token changes nobody's view, so the epoch stays.
func (a *Auth) PutToken(ctx context.Context, tok auth.Token) error {
	return a.db.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := identity(ctx, t, tok.Tenant, tok.User); err != nil {
			return err
		}
		if tok.CreatedAt.IsZero() {
			tok.CreatedAt = t.now
		}
		err := one(t.ExecContext(ctx, `INSERT INTO tokens (id, hash, tenant, user, name, created_at, expires_at)
VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			tok.ID, tok.Hash, tok.Tenant, tok.User, tok.Name, tok.CreatedAt.UnixMicro(), tok.ExpiresAt.UnixMicro()))
		if problem.Is(err, problem.NotFound) {
			return problem.New(problem.Conflict, "exists", "This token is stored already.")
		}
		if err != nil {
			return err
		}
		return note(ctx, t, ledger.TokenChanged, tok.Tenant, tok.User, map[string]any{"token": tok.ID, "user": tok.User, "expires": !tok.ExpiresAt.IsZero()})
	})
}

// TokenByHash implements auth.Store.
func (a *Auth) TokenByHash(ctx context.Context, hash string) (tok auth.Token, id access.Identity, err error) {
	err = a.db.read(ctx, func(ctx context.Context, t *tx) error {
		row := t.QueryRowContext(ctx, `SELECT id, hash, tenant, user, name, created_at, expires_at FROM tokens WHERE hash = ?`, hash)
		var created, expires int64
		if err := row.Scan(&tok.ID, &tok.Hash, &tok.Tenant, &tok.User, &tok.Name, &created, &expires); err != nil {
			return missing(err)
		}
		tok.CreatedAt, tok.ExpiresAt = at(created), at(expires)
		if id, err = identity(ctx, t, tok.Tenant, tok.User); err == nil && id.Suspended {
			err = problem.Missing()
		}
		return err
	})
	if err != nil {
		return auth.Token{}, access.Identity{}, err
	}
	return tok, id, nil
}
