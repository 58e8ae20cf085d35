package signin

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/requests"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Tokens implements auth.Store.
type Tokens struct {
	DB   *database.DB
	Seen Seen
}

// Seen notes with a statement that the credential of a hash was used at a time, to the minute, if the
// last time that was noted is before it. A failure to note turns nobody away.
type Seen func(ctx context.Context, statement, hash string, last, now time.Time)

const selectToken = `SELECT id, hash, tenant, user, name, created_at, expires_at, permissions, last_used FROM tokens `

func scanToken(r row.Scanner) (tok auth.Token, err error) {
	var created, expires, used int64
	err = r.Scan(&tok.ID, &tok.Hash, &tok.Tenant, &tok.User, &tok.Name, &created, &expires, &tok.Permissions, &used)
	tok.CreatedAt, tok.ExpiresAt, tok.LastUsed = row.At(created), row.At(expires), row.At(used)
	return tok, err
}

// PutToken implements auth.Store. A token changes nobody's view, so the epoch stays.
func (a *Tokens) PutToken(ctx context.Context, tok auth.Token) error {
	return a.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := directory.Identity(ctx, t, tok.Tenant, tok.User); err != nil {
			return err
		}
		if tok.CreatedAt.IsZero() {
			tok.CreatedAt = t.Now()
		}
		err := row.One(t.ExecContext(ctx, `INSERT INTO tokens (id, hash, tenant, user, name, created_at, expires_at, permissions, last_used)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, tok.ID, tok.Hash, tok.Tenant, tok.User, tok.Name,
			tok.CreatedAt.UnixMicro(), tok.ExpiresAt.UnixMicro(), tok.Permissions, tok.LastUsed.Truncate(time.Minute).UnixMicro()))
		if problem.Is(err, problem.NotFound) {
			return problem.New(problem.Conflict, "exists", "This token is stored already.")
		}
		if err != nil {
			return err
		}
		if err := requests.Made(ctx, t, idempotency.Receipt{ID: tok.ID}); err != nil {
			return err
		}
		maker := tok.Maker
		if maker == "" {
			maker = tok.User
		}
		return chain.Note(ctx, t, ledger.TokenChanged, tok.Tenant, maker, map[string]any{
			"token": tok.ID, "user": tok.User, "expires": !tok.ExpiresAt.IsZero(), "permissions": tok.Permissions.Names(),
		})
	})
}

// TokenByHash implements auth.Store. That a token was used is noted once a minute, after the read.
func (a *Tokens) TokenByHash(ctx context.Context, hash string) (tok auth.Token, id access.Identity, err error) {
	var now time.Time
	err = a.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		now = t.Now()
		if tok, err = scanToken(t.QueryRowContext(ctx, selectToken+`WHERE hash = ?`, hash)); err != nil {
			return row.Missing(err)
		}
		if id, err = directory.Identity(ctx, t, tok.Tenant, tok.User); err == nil && id.Suspended {
			err = problem.Missing()
		}
		return err
	})
	if err != nil {
		return auth.Token{}, access.Identity{}, err
	}
	if tok.ExpiresAt.IsZero() || now.Before(tok.ExpiresAt) {
		a.Seen(ctx, `UPDATE tokens SET last_used = ?1 WHERE hash = ?2 AND last_used < ?1`, hash, tok.LastUsed, now)
	}
	return tok, id, nil
}

// Tokens implements auth.Store.
func (a *Tokens) Tokens(ctx context.Context, tenant access.TenantID, user access.UserID) (out []auth.Token, err error) {
	err = a.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, selectToken+`WHERE tenant = ?1 AND (?2 = '' OR user = ?2) ORDER BY created_at, id`, tenant, user)
		out, err = row.Collect(rows, err, scanToken)
		return err
	})
	return out, err
}

// RevokeToken implements auth.Store.
func (a *Tokens) RevokeToken(ctx context.Context, tenant access.TenantID, by, user access.UserID, id string) error {
	return a.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		var owner access.UserID
		err := t.QueryRowContext(ctx, `DELETE FROM tokens WHERE tenant = ?1 AND id = ?2 AND (?3 = '' OR user = ?3) RETURNING user`, tenant, id, user).Scan(&owner)
		if err != nil {
			return row.Missing(err)
		}
		return chain.Note(ctx, t, ledger.TokenChanged, tenant, by, map[string]any{"token": id, "user": owner, "revoked": true})
	})
}
