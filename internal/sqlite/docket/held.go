package docket

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Tally is what came of holding the proposals of a tenant.
type Tally struct {
	Proposals int
	Changed   []string // by id
}

// Verdict says what came of it. Proposals that were changed are problem.Conflict "record_changed", with the first of them.
func (n Tally) Verdict() (string, error) {
	const most = 10
	if len(n.Changed) == 0 {
		return fmt.Sprintf("%d proposals are decided as the ledger tells", n.Proposals), nil
	}
	names, more := n.Changed, ""
	if len(names) > most {
		names, more = names[:most], " and others"
	}
	return "", problem.New(problem.Conflict, "record_changed", "Of %d proposals, %d are not what the ledger tells of: %s%s.",
		n.Proposals, len(n.Changed), strings.Join(names, " "), more)
}

// Agree holds the proposals of a tenant and says what came of it, as Verdict does.
func Agree(ctx context.Context, read database.Run, tenant access.TenantID) (string, error) {
	n, err := Hold(ctx, read, tenant)
	if err != nil {
		return "", err
	}
	return n.Verdict()
}

// entry is what the ledger tells of a proposal: when it was made, or how it ended.
type entry struct {
	kind  ledger.Kind
	actor string
	body  map[string]any
}

// Hold holds every proposal of a tenant, with its decision, against the ledger's entries of it, which the chain of the
// ledger vouches for.
func Hold(ctx context.Context, read database.Run, tenant access.TenantID) (n Tally, err error) {
	err = read(ctx, func(ctx context.Context, t *database.Tx) error {
		told, err := entries(ctx, t, tenant)
		if err != nil {
			return err
		}
		rows, err := t.QueryContext(ctx, `SELECT id FROM proposals WHERE tenant = ?`, tenant)
		ids, err := row.Collect(rows, err, row.Text[string])
		if err != nil {
			return err
		}
		ids = slices.AppendSeq(ids, maps.Keys(told))
		slices.Sort(ids)
		ids = slices.Compact(ids)
		for _, id := range ids {
			p, err := scanProposal(t.QueryRowContext(ctx, selectProposal+`WHERE p.id = ? AND p.tenant = ?`, id, tenant))
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			// One that can't be read, or is not there, is changed.
			if err != nil || !heldBy(p, told[id]) {
				n.Changed = append(n.Changed, id)
			}
		}
		n.Proposals = len(ids)
		return nil
	})
	return n, err
}

// entries are those of the proposals of a tenant, by proposal and in order.
func entries(ctx context.Context, t *database.Tx, tenant access.TenantID) (map[string][]entry, error) {
	rows, err := t.QueryContext(ctx, `SELECT kind, actor, body FROM entries WHERE tenant = ? AND kind IN (?, ?) ORDER BY sequence`,
		tenant, ledger.ProposalMade, ledger.ProposalEnded)
	list, err := row.Collect(rows, err, func(r row.Scanner) (e entry, err error) {
		var body string
		if err = r.Scan(&e.kind, &e.actor, &body); err == nil {
			err = json.Unmarshal([]byte(body), &e.body)
		}
		return e, err
	})
	out := map[string][]entry{}
	for _, e := range list {
		id, _ := e.body["proposal"].(string)
		out[id] = append(out[id], e)
	}
	return out, err
}

// heldBy reports whether a proposal is as its entries tell: made by its proposer to end when it ends, and as it is now.
func heldBy(p approval.Proposal, told []entry) bool {
	if len(told) == 0 || told[0].kind != ledger.ProposalMade || told[0].actor != string(p.Proposer) || !same(told[0].body["expires_at"], p.ExpiresAt) {
		return false
	}
	last, by := told[len(told)-1], p.Proposer
	if last.kind == ledger.ProposalEnded {
		if by = ""; p.Decision != nil {
			by = p.Decision.By
		}
	} else if p.Decision != nil {
		return false
	}
	if last.actor != string(by) || p.Decision != nil && !same(last.body["decided_at"], p.Decision.At) {
		return false
	}
	b, err := json.Marshal(Body(p))
	var now map[string]any
	if err != nil || json.Unmarshal(b, &now) != nil {
		return false
	}
	for name, was := range last.body {
		switch name {
		case "expires_at", "decided_at": // are compared as times
		case "summary_hash":
			// Once its arguments were erased, nothing opens it any more.
			if (p.Call == nil || p.Call.Erased == "") && now[name] != was {
				return false
			}
		default:
			if !reflect.DeepEqual(now[name], was) {
				return false
			}
		}
	}
	return p.Decision == nil || last.body["approved"] != nil
}

// same reports whether an entry names a time, to the microsecond in which it is stored.
func same(told any, at time.Time) bool {
	text, _ := told.(string)
	t, err := time.Parse(time.RFC3339Nano, text)
	return err == nil && t.UnixMicro() == at.UnixMicro()
}
