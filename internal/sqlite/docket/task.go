package docket

import (
	"context"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

const selectTask = `SELECT t.id, t.status, t.code, t.answer, t.token, t.created_at, t.started_at, t.ended_at, ` + columns + `
FROM tasks t JOIN proposals p ON p.id = t.proposal LEFT JOIN decisions d ON d.proposal = p.id `

func scanTask(s row.Scanner) (k approval.Task, err error) {
	var r reading
	var answer string
	var created, started, ended int64
	err = s.Scan(append([]any{&k.ID, &k.Status, &k.Code, &answer, &k.Token, &created, &started, &ended}, r.columns()...)...)
	if err != nil {
		return k, err
	}
	if answer != "" {
		k.Result = json.RawMessage(answer)
	}
	k.CreatedAt, k.StartedAt, k.EndedAt = row.At(created), row.Moment(started), row.Moment(ended)
	k.Proposal, err = r.proposal()
	return k, err
}

// withTask adds to an approved call the task that it became.
func withTask(ctx context.Context, q row.Queries, p approval.Proposal) (approval.Proposal, error) {
	if p.Kind != approval.CallTool || p.Status != approval.Approved {
		return p, nil
	}
	k, err := row.Found(scanTask(q.QueryRowContext(ctx, selectTask+`WHERE t.proposal = ?`, p.ID)))
	return Joined(p, k), err
}

// Joined is a proposal with its task.
func Joined(p approval.Proposal, k approval.Task) approval.Proposal {
	k.Proposal = approval.Proposal{}
	p.Task = &k
	return p
}

// TaskFor returns a task to the one who proposed it or to the one whom it is for.
func TaskFor(ctx context.Context, q row.Queries, tenant access.TenantID, user access.UserID, id approval.TaskID) (approval.Task, error) {
	return row.Found(scanTask(q.QueryRowContext(ctx, selectTask+`WHERE t.id = ?1 AND t.tenant = ?2 AND (proposer = ?3 OR owner = ?3 AND ?3 <> '')`, id, tenant, user)))
}

// OpenTask returns a task that has not ended, at a token; else approval.TaskLost.
func OpenTask(ctx context.Context, q row.Queries, id approval.TaskID, token int64) (approval.Task, error) {
	k, err := row.Found(scanTask(q.QueryRowContext(ctx, selectTask+`WHERE t.id = ?`, id)))
	if err != nil {
		return k, err
	}
	if k.Status.Final() || k.Token != token {
		return k, approval.TaskLost()
	}
	return k, nil
}

// DueTasks returns the tasks that nobody works on at a time, oldest first.
func DueTasks(ctx context.Context, q row.Queries, until int64) ([]approval.Task, error) {
	rows, err := q.QueryContext(ctx, selectTask+`WHERE t.status IN ('queued', 'running') AND (t.status = 'queued' OR lease_until <= ?)
ORDER BY t.created_at, t.id`, until)
	return row.Collect(rows, err, scanTask)
}

// PutTask stores the task that an approved call becomes.
func PutTask(ctx context.Context, q row.Queries, k approval.Task) error {
	p := k.Proposal
	_, err := q.ExecContext(ctx, `INSERT INTO tasks (id, proposal, run, tenant, owner, status, code, answer, token, lease_until, created_at, started_at, ended_at)
VALUES (?, ?, ?, ?, ?, ?, '', '', 0, 0, ?, 0, 0)`, k.ID, p.ID, p.Run, p.Tenant, p.Call.Owner, k.Status, k.CreatedAt.UnixMicro())
	return err
}

// SaveTask writes what may change of a task that has not ended, and until when it is leased.
func SaveTask(ctx context.Context, q row.Queries, k approval.Task, leased int64) error {
	ok, err := row.Changed(q.ExecContext(ctx, `UPDATE tasks SET status = ?, code = ?, answer = ?, token = ?, lease_until = ?, started_at = ?, ended_at = ? WHERE id = ?`,
		k.Status, k.Code, string(k.Result), k.Token, leased, row.Micros(k.StartedAt), row.Micros(k.EndedAt), k.ID))
	if err == nil && !ok {
		err = problem.Missing()
	}
	return err
}
