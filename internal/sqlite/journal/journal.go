// Package journal keeps runs with their events and evidence, and what people keep beside their runs: the drafts that they
// took over, their marks on answers, and the summaries of conversations.
package journal

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/erasure"
	"github.com/kaoju/kaoju/internal/sqlite/proof"
	"github.com/kaoju/kaoju/internal/sqlite/requests"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// Runs implements run.Journal.
//
// A worker is fenced by its token alone: whoever takes a run from a worker (Cancel of a queued
// run, Interrupt) raises the token in the same transaction, so that a worker whose lease ran out
// unnoticed does no harm by going on.
type Runs struct {
	DB *database.DB
	// CallOff ends a run that waits for a decision, with its proposal.
	CallOff func(ctx context.Context, t *database.Tx, j Run, asked event.Event) error
}

// claimGrace is how long a queued run may wait for its first claim before Interrupt takes its
// process for gone. It is longer than any queue of runs inside a server should be.
const claimGrace = 10 * time.Minute

// Run is a run with its place in the journal.
type Run struct {
	*run.Run
	Events int64 // how many were told
	token  int64
	leased bool
	// committed and seen are the times, in microseconds, of the last step of this attempt and of the
	// last sign of its worker; 0 before the first.
	committed, seen int64
}

const selectRun = `SELECT ` + stored.RunColumns + `, events, token, leased, committed_at, seen_at FROM runs `

func scanRun(r row.Scanner) (j Run, err error) {
	var row stored.RunRow
	if err = r.Scan(append(row.Into(), &j.Events, &j.token, &j.leased, &j.committed, &j.seen)...); err == nil {
		j.Run, err = row.Run()
	}
	return j, err
}

// Find reads a run by its id, whosesoever it is.
func Find(ctx context.Context, t *database.Tx, id run.ID) (Run, error) {
	j, err := scanRun(t.QueryRowContext(ctx, selectRun+`WHERE id = ?`, id))
	return j, row.Missing(err)
}

func own(ctx context.Context, t *database.Tx, tenant access.TenantID, actor access.UserID, id run.ID) (Run, error) {
	j, err := scanRun(t.QueryRowContext(ctx, selectRun+`WHERE id = ? AND tenant = ? AND actor = ?`, id, tenant, actor))
	return j, row.Missing(err)
}

// Save writes a run's row. The lease's end is set by those who lease.
func (j Run) Save(ctx context.Context, t *database.Tx) error {
	return row.One(t.ExecContext(ctx, `UPDATE runs
SET state = ?, step = ?, events = ?, token = ?, leased = ?, committed_at = ?, seen_at = ?, checkpoint = ?, record = ? WHERE id = ?`,
		j.State, j.Step, j.Events, j.token, j.leased, j.committed, j.seen, j.Checkpoint, stored.Run(j.Run), j.ID))
}

// Create implements run.Journal.
func (o *Runs) Create(ctx context.Context, r *run.Run, events []event.Event) error {
	if r.ID == "" || r.State != run.Queued {
		return problem.New(problem.Invalid, "invalid_run", "A new run has an id and is queued.")
	}
	return o.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := database.Epoch(ctx, t, r.Tenant); err != nil {
			return err
		}
		if err := Insert(ctx, t, r, events); err != nil {
			return err
		}
		return requests.Made(ctx, t, idempotency.Receipt{ID: string(r.ID)})
	})
}

// Insert stores a new run with its first events.
func Insert(ctx context.Context, t *database.Tx, r *run.Run, events []event.Event) error {
	if r.Seal.Plain() {
		r.Seal = seal.New() // whoever made it
	}
	err := row.One(t.ExecContext(ctx, `INSERT INTO runs (id, tenant, actor, conversation, state, step, events, token, leased, lease_until, created_at, checkpoint, record)
VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, r.ID, r.Tenant, r.Actor, r.Conversation, r.State, r.Step, len(events),
		t.Now().Add(claimGrace).UnixMicro(), r.CreatedAt.UnixMicro(), r.Checkpoint, stored.Run(r)))
	if problem.Is(err, problem.NotFound) {
		return problem.New(problem.Conflict, "exists", "There is a run of this id already.")
	}
	if err != nil {
		return err
	}
	_, err = Append(ctx, t, r, 0, events)
	return err
}

// Claim implements run.Journal.
func (o *Runs) Claim(ctx context.Context, id run.ID, lease time.Duration) (l run.Lease, err error) {
	err = o.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := Find(ctx, t, id)
		if problem.Is(err, problem.NotFound) || err == nil && (j.State != run.Queued || j.leased) {
			return problem.New(problem.Conflict, "not_claimable", "The run is not waiting for a worker.")
		}
		if err != nil {
			return err
		}
		l = run.Lease{Run: id, Token: j.token + 1}
		return row.One(t.ExecContext(ctx, `UPDATE runs SET token = ?, leased = 1, lease_until = ?, seen_at = ? WHERE id = ?`,
			l.Token, t.Now().Add(lease).UnixMicro(), t.Now().UnixMicro(), id))
	})
	return l, err
}

// held reads a run for the worker that holds its lease.
func held(ctx context.Context, t *database.Tx, l run.Lease) (Run, error) {
	j, err := Find(ctx, t, l.Run)
	if problem.Is(err, problem.NotFound) || err == nil && (!j.leased || j.token != l.Token) {
		return j, database.LeaseLost()
	}
	return j, err
}

// Renew implements run.Journal.
func (o *Runs) Renew(ctx context.Context, l run.Lease, lease time.Duration) (cancel bool, err error) {
	err = o.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := held(ctx, t, l)
		if err != nil {
			return err
		}
		cancel = j.State == run.Cancelling
		return row.One(t.ExecContext(ctx, `UPDATE runs SET lease_until = ?, seen_at = ? WHERE id = ?`,
			t.Now().Add(lease).UnixMicro(), t.Now().UnixMicro(), l.Run))
	})
	return cancel && err == nil, err
}

// Commit implements run.Journal.
func (o *Runs) Commit(ctx context.Context, c run.Commit) error {
	return o.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := held(ctx, t, c.Lease)
		switch {
		case err != nil:
			return err
		case c.Run.ID != j.ID || c.Run.Tenant != j.Tenant || c.Run.Actor != j.Actor:
			return problem.New(problem.Invalid, "invalid_run", "The step is of another run than its lease.")
		case c.Run.Step != j.Step && c.Run.Step != j.Step+1:
			return database.LeaseLost()
		case !j.State.MayBecome(c.Run.State):
			return problem.New(problem.Conflict, "illegal_move", "A run can't become %s from %s.", c.Run.State, j.State)
		}
		j.leased = !c.Run.State.Final()
		j.committed, j.seen = t.Now().UnixMicro(), t.Now().UnixMicro()
		return keep(ctx, t, j, c)
	})
}

// put stores what a commit says of a run: its events, evidence and entries, and the run itself
// without the text of versions that were erased meanwhile.
func keep(ctx context.Context, t *database.Tx, j Run, c run.Commit) error {
	if c.Scope.Valid() {
		if err := database.Current(ctx, t, c.Scope); err != nil {
			return err
		}
	}
	gone, err := erasedOf(ctx, t, j.Run, c.Run, c.Evidence)
	if err != nil {
		return err
	}
	// A seal that is not the run's own any more tells that something was erased which the run had forgotten.
	blank := len(gone) > 0 || j.Seal.Key != c.Run.Seal.Key
	j.Run = c.Run
	for id, read := range gone {
		j.Run = erasure.Run(j.Run, id, read)
	}
	if blank && len(gone) == 0 {
		j.Run = erasure.Run(j.Run, "", false)
	}
	if j.Events, err = Append(ctx, t, c.Run, j.Events, c.Events); err != nil {
		return err
	}
	for _, e := range c.Evidence {
		if gone[e.Document] {
			e = erasure.Evidence(e)
		}
		if err := appendEvidence(ctx, t, c.Run.ID, e); err != nil {
			return err
		}
	}
	if blank {
		if err := erasure.Queries(ctx, t, c.Run.ID); err != nil {
			return err
		}
	}
	if err := proof.Keep(ctx, t, c.Run.ID, c.Recordings, blank); err != nil {
		return err
	}
	for _, e := range c.Entries {
		e.Tenant, e.RunID = string(c.Run.Tenant), string(c.Run.ID)
		if _, err := chain.Append(ctx, t, e); err != nil {
			return err
		}
	}
	if err := j.Save(ctx, t); err != nil || !c.Run.State.Final() {
		return err
	}
	return leftOf(ctx, t, j.Run, blank)
}

// appendEvidence numbers a piece of evidence on from what the run has. A reference is given once.
func appendEvidence(ctx context.Context, t *database.Tx, id run.ID, e citation.Evidence) error {
	err := row.One(t.ExecContext(ctx, `INSERT INTO evidence (run, no, ref, document, record)
SELECT ?1, coalesce(max(no), 0) + 1, ?2, ?3, ?4 FROM evidence WHERE run = ?1 ON CONFLICT DO NOTHING`, id, e.Ref, e.Document, stored.Evidence(e)))
	if problem.Is(err, problem.NotFound) {
		return problem.New(problem.Invalid, "duplicate_reference", "The run has evidence %s already.", e.Ref)
	}
	return err
}

// Run implements run.Journal.
func (o *Runs) Run(ctx context.Context, tenant access.TenantID, actor access.UserID, id run.ID) (r *run.Run, evidence []citation.Evidence, err error) {
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		j, err := own(ctx, t, tenant, actor, id)
		if err != nil {
			return err
		}
		r = j.Run
		evidence, err = stored.EvidenceOf(ctx, t, id)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return r, evidence, nil
}

// Runs implements run.Journal.
func (o *Runs) Runs(ctx context.Context, tenant access.TenantID, actor access.UserID, f run.Filter) (page corpus.Page[*run.Run], err error) {
	f.Limit = row.PageSize(f.Limit)
	from, err := row.ParseCursor(f.After)
	if err != nil {
		return page, err
	}
	err = o.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, selectRun+`WHERE tenant = ?1 AND actor = ?2 AND (?3 = '' OR conversation = ?3) AND (?4 = '' OR state = ?4)
AND (?5 = '' OR created_at < ?6 OR created_at = ?6 AND id < ?5) ORDER BY created_at DESC, id DESC LIMIT ?7`,
			tenant, actor, f.Conversation, f.State, from.ID, from.Micros, f.Limit+1)
		found, err := row.Collect(rows, err, scanRun)
		if len(found) > f.Limit {
			found = found[:f.Limit]
			last := found[f.Limit-1]
			page.Next = row.Cursor{Micros: last.CreatedAt.UnixMicro(), ID: string(last.ID)}.String()
		}
		for _, j := range found {
			page.Items = append(page.Items, j.Run)
		}
		return err
	})
	return page, err
}
