package signin

import (
	"context"
	"crypto/rand"
	"strings"
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

// Identities implements auth.Identities.
type Identities struct{ DB *database.DB }

// PutIdentity implements auth.Identities. A link gives nobody a right, so the epoch stays.
func (i *Identities) PutIdentity(ctx context.Context, by access.UserID, link auth.Identity) (out auth.Identity, err error) {
	err = i.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		id, err := directory.Identity(ctx, t, link.Tenant, link.User)
		switch {
		case err != nil:
			return err
		case id.Service:
			return problem.New(problem.Invalid, "service_account", "A service account signs in nowhere; make a token for it.")
		case link.Issuer == "" || link.Subject == "":
			return problem.New(problem.Invalid, "invalid_identity", "An identity has an issuer and a subject.")
		}
		out, err = identityOf(ctx, t, link.Tenant, link.Issuer, link.Subject)
		if problem.Is(err, problem.NotFound) {
			out, err = putIdentity(ctx, t, by, link)
		}
		switch {
		case err != nil:
			return err
		case out.User != link.User:
			return problem.New(problem.Conflict, "identity_taken", "This identity is another person's.")
		}
		// What was linked before is what this request would have made.
		return requests.Made(ctx, t, idempotency.Receipt{ID: out.ID})
	})
	if err != nil {
		return auth.Identity{}, err
	}
	return out, nil
}

const selectIdentity = `SELECT id, tenant, user, issuer, subject, created_at FROM identities `

func scanIdentity(r row.Scanner) (out auth.Identity, err error) {
	var created int64
	err = r.Scan(&out.ID, &out.Tenant, &out.User, &out.Issuer, &out.Subject, &created)
	out.CreatedAt = time.UnixMicro(created).UTC()
	return out, err
}

// identityOf finds the link of an issuer and subject.
func identityOf(ctx context.Context, t *database.Tx, tenant access.TenantID, issuer, subject string) (auth.Identity, error) {
	out, err := scanIdentity(t.QueryRowContext(ctx, selectIdentity+`WHERE tenant = ? AND issuer = ? AND subject = ?`, tenant, issuer, subject))
	return out, row.Missing(err)
}

// putIdentity stores a new link. The ledger names neither issuer nor subject: a subject may be a
// person's name, and entries are never erased.
func putIdentity(ctx context.Context, t *database.Tx, by access.UserID, link auth.Identity) (auth.Identity, error) {
	link.ID, link.CreatedAt = "idn_"+strings.ToLower(rand.Text()), t.Now().UTC().Truncate(time.Microsecond)
	_, err := t.ExecContext(ctx, `INSERT INTO identities (tenant, id, user, issuer, subject, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
		link.Tenant, link.ID, link.User, link.Issuer, link.Subject, link.CreatedAt.UnixMicro())
	if err != nil {
		return auth.Identity{}, err
	}
	return link, note(ctx, t, by, link, true)
}

func note(ctx context.Context, t *database.Tx, by access.UserID, link auth.Identity, linked bool) error {
	body := map[string]any{"identity": link.ID, "user": link.User, "linked": linked}
	return chain.Note(ctx, t, ledger.IdentityChanged, link.Tenant, by, body)
}

// Identities implements auth.Identities.
func (i *Identities) Identities(ctx context.Context, tenant access.TenantID, user access.UserID) (out []auth.Identity, err error) {
	err = i.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, selectIdentity+`WHERE tenant = ? AND user = ? ORDER BY created_at, id`, tenant, user)
		out, err = row.Collect(rows, err, scanIdentity)
		return err
	})
	return out, err
}

// RemoveIdentity implements auth.Identities.
func (i *Identities) RemoveIdentity(ctx context.Context, tenant access.TenantID, by, user access.UserID, id string) error {
	return i.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		link, err := scanIdentity(t.QueryRowContext(ctx, selectIdentity+`WHERE tenant = ?1 AND id = ?2 AND (?3 = '' OR user = ?3)`, tenant, id, user))
		if err != nil {
			return row.Missing(err)
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM identities WHERE tenant = ? AND id = ?`, tenant, id); err != nil {
			return err
		}
		if _, err := endProvided(ctx, t, tenant, link.Issuer, link.Subject, ""); err != nil {
			return err
		}
		if err := orphaned(ctx, t, by, link); err != nil {
			return err
		}
		return note(ctx, t, by, link, false)
	})
}

// orphaned takes back what providers gave a person who has no identity left: no sign-in will.
func orphaned(ctx context.Context, t *database.Tx, by access.UserID, link auth.Identity) error {
	var left int
	err := t.QueryRowContext(ctx, `SELECT count(*) FROM identities WHERE tenant = ? AND user = ?`, link.Tenant, link.User).Scan(&left)
	if err != nil || left > 0 {
		return err
	}
	id, err := directory.Identity(ctx, t, link.Tenant, link.User)
	if err != nil {
		return err
	}
	return provide(ctx, t, by, auth.Arrival{Tenant: link.Tenant}, id)
}

// endProvided ends the sessions of a provider's subject, of its session, or of both.
func endProvided(ctx context.Context, t *database.Tx, tenant access.TenantID, issuer, subject, sid string) (int, error) {
	if issuer == "" || subject == "" && sid == "" {
		return 0, nil // an empty name would match the sessions that passwords began
	}
	r, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE issuer <> '' AND tenant = ?1 AND issuer = ?2
AND (?3 = '' OR subject = ?3) AND (?4 = '' OR sid = ?4)`, tenant, issuer, subject, sid)
	if err != nil {
		return 0, err
	}
	n, err := r.RowsAffected()
	return int(n), err
}
