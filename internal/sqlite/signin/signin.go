// Package signin holds the tables of signing in, inside transactions of the driver that it is part of:
// tokens, passwords, sessions, identities at providers, what a provider gave, and what was used up.
package signin

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Tx is one transaction of the driver, with what the driver does in it.
type Tx interface {
	row.Queries
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
	// Now is the one time of the transaction.
	Now() time.Time
	// Identity returns a user with all groups; problem.NotFound if there is none.
	Identity(ctx context.Context, tenant access.TenantID, user access.UserID) (access.Identity, error)
	// Record writes a ledger entry, and raises the tenant's epoch if raise is set.
	Record(ctx context.Context, e Entry, raise bool) error
	// Made writes the receipt of the request in whose name the transaction works, if there is one.
	Made(ctx context.Context, r idempotency.Receipt) error
}

// Entry is what is recorded: ids and states, and no text.
type Entry struct {
	Kind   ledger.Kind
	Tenant access.TenantID
	By     access.UserID
	Body   map[string]any
}

// Run runs a body in a transaction of the driver, and translates the engine's errors.
type Run func(ctx context.Context, body func(context.Context, Tx) error) error

// PutSession stores a session; it must have an end. A suspended user is problem.NotFound.
func PutSession(ctx context.Context, t Tx, s auth.Session) error {
	id, err := t.Identity(ctx, s.Tenant, s.User)
	if err == nil && id.Suspended {
		err = problem.Missing()
	}
	if err != nil {
		return err
	}
	return put(ctx, t, s)
}

// put stores a session of somebody who was found to be active. Those that have ended are swept.
func put(ctx context.Context, t Tx, s auth.Session) error {
	if s.Hash == "" || s.ExpiresAt.IsZero() {
		return problem.New(problem.Invalid, "invalid_session", "A session has a hash and an end.")
	}
	if s.CreatedAt.IsZero() {
		s.CreatedAt = t.Now()
	}
	if s.LastSeen.IsZero() {
		s.LastSeen = s.CreatedAt
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE expires_at <= ?`, t.Now().UnixMicro()); err != nil {
		return err
	}
	err := row.One(t.ExecContext(ctx, `INSERT INTO sessions (hash, tenant, user, created_at, last_seen, expires_at, agent, issuer, subject, sid)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, s.Hash, s.Tenant, s.User, s.CreatedAt.UnixMicro(),
		s.LastSeen.Truncate(time.Minute).UnixMicro(), s.ExpiresAt.UnixMicro(), s.Agent, s.Issuer, s.Subject, s.SID))
	if problem.Is(err, problem.NotFound) {
		return problem.New(problem.Conflict, "exists", "This session is stored already.")
	}
	return err
}

// list writes roles as their column holds them.
func list(roles []access.Role) string {
	if roles == nil {
		roles = []access.Role{}
	}
	b, err := json.Marshal(roles)
	if err != nil {
		panic(err) // texts can always be written
	}
	return string(b)
}
