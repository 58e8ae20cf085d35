// Package docket holds the rows of proposals, decisions and tasks inside transactions of the driver
// that it is part of: how they are stored, found and ended, and what is told of them. Who may do so,
// and what becomes of runs and documents with it, is the driver's.
package docket

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/problem"
)

// Queries are the statements of a transaction.
type Queries interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// scanner is a row: *sql.Row or *sql.Rows.
type scanner interface{ Scan(...any) error }

// collect reads all rows of a query.
func collect[T any](rows *sql.Rows, err error, scan func(scanner) (T, error)) (out []T, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err tells what went wrong
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// found turns the absence of a row into problem.NotFound.
func found[T any](v T, err error) (T, error) {
	if errors.Is(err, sql.ErrNoRows) {
		var none T
		return none, problem.Missing()
	}
	return v, err
}

// changed reports whether a statement changed a row.
func changed(r sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}

// at reads a time column; 0 is no time where there may be none.
func at(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

func moment(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return at(micros)
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

const columns = `p.id, p.tenant, proposer, kind, p.run, document, base, key, version, from_version, lock_version, key_state, summary, call,
  p.status, p.created_at, expires_at, d.by, d.at, d.approved, d.request`

const selectProposal = `SELECT ` + columns + ` FROM proposals p LEFT JOIN decisions d ON d.proposal = p.id `

// row is where a row of proposals is read to.
type row struct {
	approval.Proposal
	summary, call    string
	created, expires int64
	by, request      *string
	decided          *int64
	approved         *bool
}

func (r *row) columns() []any {
	return []any{
		&r.ID, &r.Tenant, &r.Proposer, &r.Kind, &r.Run, &r.Document, &r.KnowledgeBase, &r.DocKey, &r.Version, &r.FromVersion,
		&r.LockVersion, &r.KeyState, &r.summary, &r.call, &r.Status, &r.created, &r.expires, &r.by, &r.decided, &r.approved, &r.request,
	}
}

func (r *row) proposal() (p approval.Proposal, err error) {
	p = r.Proposal
	p.Summary, p.CreatedAt, p.ExpiresAt = json.RawMessage(r.summary), at(r.created), at(r.expires)
	if r.by != nil {
		p.Decision = &approval.Decision{By: access.UserID(*r.by), At: at(*r.decided), Approved: *r.approved, Request: *r.request}
	}
	if r.call != "" {
		p.Call, err = unpackCall(r.call)
	}
	return p, err
}

func scanProposal(s scanner) (approval.Proposal, error) {
	var r row
	if err := s.Scan(r.columns()...); err != nil {
		return approval.Proposal{}, err
	}
	return r.proposal()
}
