// Package docket holds the rows of proposals, decisions and tasks inside transactions of the driver
// that it is part of: how they are stored, found and ended, and what is told of them. Who may do so,
// and what becomes of runs and documents with it, is the driver's.
package docket

import (
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

const columns = `p.id, p.tenant, proposer, kind, p.run, document, base, key, version, from_version, lock_version, key_state, summary, seal, call,
  p.status, p.created_at, expires_at, d.by, d.at, d.approved, d.request`

// The names under which a proposal's seal has the nonces of its texts.
const (
	nameSummary   = "summary"
	nameArguments = "arguments"
	nameAnswer    = "answer"
)

// Sealed gives a new proposal its seal.
func Sealed(p approval.Proposal) approval.Proposal {
	p.Seal = seal.New()
	if p.Call != nil {
		c := *p.Call
		c.Nonce = p.Seal.Nonce(nameArguments)
		p.Call = &c
	}
	return p
}

const selectProposal = `SELECT ` + columns + ` FROM proposals p LEFT JOIN decisions d ON d.proposal = p.id `

// reading is where a row of proposals is read to.
type reading struct {
	approval.Proposal
	summary, call    string
	created, expires int64
	by, request      *string
	decided          *int64
	approved         *bool
}

func (r *reading) columns() []any {
	return []any{
		&r.ID, &r.Tenant, &r.Proposer, &r.Kind, &r.Run, &r.Document, &r.KnowledgeBase, &r.DocKey, &r.Version, &r.FromVersion,
		&r.LockVersion, &r.KeyState, &r.summary, &r.Seal.Key, &r.call, &r.Status, &r.created, &r.expires, &r.by, &r.decided, &r.approved, &r.request,
	}
}

func (r *reading) proposal() (p approval.Proposal, err error) {
	p = r.Proposal
	p.Summary, p.CreatedAt, p.ExpiresAt = json.RawMessage(r.summary), row.At(r.created), row.At(r.expires)
	if r.by != nil {
		p.Decision = &approval.Decision{By: access.UserID(*r.by), At: row.At(*r.decided), Approved: *r.approved, Request: *r.request}
	}
	if r.call != "" {
		p.Call, err = unpackCall(r.call)
	}
	if p.Call != nil {
		p.Call.Nonce = p.Seal.Nonce(nameArguments)
	}
	return p, err
}

func scanProposal(s row.Scanner) (approval.Proposal, error) {
	var r reading
	if err := s.Scan(r.columns()...); err != nil {
		return approval.Proposal{}, err
	}
	return r.proposal()
}
