package signin

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Logins implements auth.Logins.
type Logins struct {
	DB   *database.DB
	Seen Seen
}

// SetPassword implements auth.Logins. A password changes nobody's view, so the epoch stays.
func (l *Logins) SetPassword(ctx context.Context, tenant access.TenantID, by, user access.UserID, phc string) error {
	if phc == "" {
		return problem.New(problem.Invalid, "invalid_password", "A password's hash can't be empty.")
	}
	return l.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := directory.Identity(ctx, t, tenant, user); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, `INSERT INTO passwords (tenant, user, phc) VALUES (?, ?, ?)
ON CONFLICT (tenant, user) DO UPDATE SET phc = excluded.phc`, tenant, user, phc)
		if err != nil {
			return err
		}
		if err := EndSessions(ctx, t, tenant, user); err != nil {
			return err
		}
		return chain.Note(ctx, t, ledger.PasswordChanged, tenant, by, map[string]any{"user": user})
	})
}

// Password implements auth.Logins.
func (l *Logins) Password(ctx context.Context, tenant access.TenantID, user access.UserID) (phc string, err error) {
	err = l.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		return row.Missing(t.QueryRowContext(ctx, `SELECT p.phc FROM passwords p JOIN users u ON u.tenant = p.tenant AND u.id = p.user
WHERE p.tenant = ? AND p.user = ? AND u.suspended = 0`, tenant, user).Scan(&phc))
	})
	return phc, err
}

// PutSession implements auth.Logins.
func (l *Logins) PutSession(ctx context.Context, s auth.Session) error {
	return l.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error { return PutSession(ctx, t, s) })
}

// SessionByHash implements auth.Logins. That a session was seen is noted once a minute, after the
// read.
func (l *Logins) SessionByHash(ctx context.Context, hash string, now time.Time) (s auth.Session, id access.Identity, err error) {
	err = l.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		var created, seen, expires int64
		err := t.QueryRowContext(ctx, `SELECT hash, tenant, user, created_at, last_seen, expires_at, agent, issuer, subject, sid
FROM sessions WHERE hash = ?`, hash).
			Scan(&s.Hash, &s.Tenant, &s.User, &created, &seen, &expires, &s.Agent, &s.Issuer, &s.Subject, &s.SID)
		if err != nil {
			return row.Missing(err)
		}
		s.CreatedAt, s.LastSeen, s.ExpiresAt = row.At(created), row.At(seen), row.At(expires)
		if id, err = directory.Identity(ctx, t, s.Tenant, s.User); err == nil && (id.Suspended || !now.Before(s.ExpiresAt)) {
			err = problem.Missing()
		}
		return err
	})
	if err != nil {
		return auth.Session{}, access.Identity{}, err
	}
	l.Seen(ctx, `UPDATE sessions SET last_seen = ?1 WHERE hash = ?2 AND last_seen < ?1`, hash, s.LastSeen, now)
	return s, id, nil
}

// EndSession implements auth.Logins. Ending one that is not there is no error.
func (l *Logins) EndSession(ctx context.Context, hash string) error {
	return l.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE hash = ?`, hash)
		return err
	})
}

// EndSessions implements auth.Logins.
func (l *Logins) EndSessions(ctx context.Context, tenant access.TenantID, user access.UserID) error {
	return l.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error { return EndSessions(ctx, t, tenant, user) })
}

// EndSessions ends all sessions of a user.
func EndSessions(ctx context.Context, t row.Queries, tenant access.TenantID, user access.UserID) error {
	_, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE tenant = ? AND user = ?`, tenant, user)
	return err
}
