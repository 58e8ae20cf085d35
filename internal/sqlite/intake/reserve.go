// Package intake takes uploads in, from the reservation of an id and a number together with a job, through the queue of
// those jobs, to the version that becomes visible. Whatever fails on the way leaves nothing that could be found.
package intake

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/sqlite/blobs"
	"github.com/kaoju/kaoju/internal/sqlite/brought"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/originals"
	"github.com/kaoju/kaoju/internal/sqlite/requests"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/versions"
)

// Reservations take uploads in: the part of corpus.Catalog with which a version begins.
type Reservations struct{ DB *database.DB }

// Reserve implements corpus.Catalog.
//
// The actor must be able to write to every version of the key that is there; a key that holds
// one behind a policy answers problem.NotFound, for a new version would replace what the actor
// may not touch. The view of the scope does not matter.
//
// A document id that the caller chose is granted if it is free. If it belongs to a version that
// the scope admits, the answer is problem.Conflict "exists"; in every other case (an invisible
// version, a deleted one, another upload on its way) the upload succeeds under an id of its own,
// as if none had been chosen, so that no refusal tells of what can't be seen.
//
// A repeated upload of bytes that the same actor has on their way, with the same wish, gets the
// reservation that is there.
func (c *Reservations) Reserve(ctx context.Context, scope access.Scope, up corpus.Upload) (res corpus.Reservation, err error) {
	if err = validUpload(up); err == nil {
		err = c.DB.WriteScoped(ctx, scope, func(ctx context.Context, t *database.Tx) (err error) {
			if res, err = reserve(ctx, t, scope, up); err != nil {
				return err
			}
			failpoint.Reach(ctx, failpoint.ReservationWritten)
			return requests.Made(ctx, t, idempotency.Receipt{ID: string(res.Document), Version: res.Version, Job: res.Job, Outcome: res.Outcome()})
		})
	}
	if err != nil && problem.CodeOf(err) != "scope_stale" {
		// The upload ends here, so nothing waits for its bytes any more. A stale scope is made anew.
		// If that fails too, the sweep of a later Open removes them.
		_ = blobs.Forsake(ctx, c.DB, up.Checksum)
	}
	return res, err
}

// reservation is an upload on its way into a knowledge base.
type reservation struct {
	scope access.Scope
	actor access.UserID
	kb    access.KnowledgeBase
	up    corpus.Upload
	there []versions.Row // of the same key, oldest first
}

func reserve(ctx context.Context, t *database.Tx, scope access.Scope, up corpus.Upload) (res corpus.Reservation, err error) {
	r := reservation{scope: scope, actor: scope.Actor(), up: up}
	r.up.Operator = up.Operator || scope.Unbounded()
	level := access.Editor
	if up.Publish || !up.Policy.Equal(access.Policy{}) {
		level = access.Manager
	}
	if r.kb, err = directory.AdmittedBase(ctx, t, scope, up.KnowledgeBase, level); err != nil {
		return res, err
	}
	if r.there, err = versions.Of(ctx, t, r.kb.Tenant, r.kb.ID, up.Key); err != nil {
		return res, err
	}
	for _, v := range r.there {
		if !versions.MayWrite(scope, v.Document, level) {
			return res, problem.Missing()
		}
	}
	if former, ok := versions.Newest(r.there); ok && ownPolicy(up) && !up.Policy.Equal(former.Policy) && scope.Level(r.kb.ID) < access.Manager {
		return res, problem.Missing()
	}
	if !r.up.Operator && scope.Excludes(up.Policy) {
		return res, ExcludesYou()
	}
	if r.up.Size, err = blobs.Use(ctx, t, up.Checksum); err != nil {
		return res, err
	}
	return r.settle(ctx, t)
}

// settle decides whether the bytes are new, and takes them if they are.
func (r reservation) settle(ctx context.Context, t *database.Tx) (res corpus.Reservation, err error) {
	if n := len(r.there); n > 0 && r.there[n-1].Checksum == r.up.Checksum {
		newest := r.there[n-1]
		switch newest.Status {
		case access.StatusDraft, access.StatusPublished:
			return r.unchanged(ctx, t, newest)
		case access.StatusReserved:
			if res, ok, err := r.again(ctx, t, newest); ok || err != nil {
				return res, err
			}
		}
		// The bytes of an archived version that is the newest left are older bytes by now.
	}
	res, err = r.take(ctx, t)
	if err == nil {
		t.After(func() { t.DB.Jobs.Ring("") })
	}
	return res, err
}

// origin is where an upload is from.
func (r reservation) origin() brought.Origin {
	return brought.Origin{Owner: r.scope.Actor(), Source: r.up.Source, Path: r.up.Path}
}

// ownPolicy reports whether an upload says anything about who may read it.
func ownPolicy(up corpus.Upload) bool { return up.OwnPolicy || !up.Policy.Equal(access.Policy{}) }

// mayPublish reports whether an upload's wish to be published may come true without a proposal.
func mayPublish(up corpus.Upload, kb access.KnowledgeBase, number int) bool {
	return up.Publish && (up.Operator || kb.Publishing == access.Directly || number == 1)
}

// unchanged answers an upload of the newest version's bytes.
func (r reservation) unchanged(ctx context.Context, t *database.Tx, newest versions.Row) (corpus.Reservation, error) {
	if ownPolicy(r.up) && !r.up.Policy.Equal(newest.Policy) {
		return corpus.Reservation{}, policyDiffers()
	}
	res := corpus.Reservation{Document: newest.ID, Version: newest.Version, Unchanged: true}
	if err := brought.Move(ctx, t, newest.Number, r.origin(), r.up.Adopt); err != nil {
		return res, err
	}
	if !r.up.Publish || newest.Status == access.StatusPublished {
		return res, nil
	}
	if !mayPublish(r.up, r.kb, newest.Version) {
		res.Held = true
		return res, nil
	}
	res.Published = true
	return res, versions.Promote(ctx, t, &newest, r.actor)
}

// again finds the job of a reservation that the same actor made with the same wish.
func (r reservation) again(ctx context.Context, t *database.Tx, newest versions.Row) (res corpus.Reservation, ok bool, err error) {
	pending, err := reservationOf(ctx, t, newest.Number)
	held := r.up.Publish && !mayPublish(r.up, r.kb, newest.Version)
	if err != nil || pending.owner != string(r.actor) || pending.up.Publish != (r.up.Publish && !held) || pending.up.Operator != r.up.Operator {
		return res, false, err
	}
	if ownPolicy(r.up) && !r.up.Policy.Equal(r.policyOf(pending)) {
		return res, false, policyDiffers()
	}
	return corpus.Reservation{Document: newest.ID, Version: newest.Version, Job: pending.job, Held: held}, true, nil
}

// policyOf returns the policy that a reservation of the key would get as things are.
func (r reservation) policyOf(pending wish) access.Policy {
	if former, ok := versions.Newest(r.there); ok && !pending.up.OwnPolicy {
		return former.Policy
	}
	return pending.Policy
}

// policyDiffers refuses bytes that are there already with a wish that they can't bring along. The
// wish is never dropped in silence: somebody would take the document for narrower than it is.
func policyDiffers() error {
	return problem.New(problem.Conflict, "policy_differs",
		"These bytes are the newest version already, under another access policy: change the policy with PATCH on the document.")
}

// ExcludesYou refuses a policy after which the actor could not even take it back.
func ExcludesYou() error {
	e := problem.New(problem.Invalid, "policy_excludes_you", "This access policy would shut you out of the document yourself.")
	e.Fields = []problem.Field{{Pointer: "/access_policy", Detail: "must let yourself pass"}}
	return e
}

// take reserves id and version number and queues the job. The number is the next one now; it
// falls when an earlier reservation of the key is given up, so that those which succeed have no
// gaps (see giveUp), and the queue works on the jobs of one key in their order.
func (r reservation) take(ctx context.Context, t *database.Tx) (res corpus.Reservation, err error) {
	id, err := r.id(ctx, t)
	if err != nil {
		return res, err
	}
	v := versions.Row{Document: corpus.Document{
		ID: id, Tenant: r.kb.Tenant, KnowledgeBase: r.kb.ID, Key: r.up.Key, Title: r.up.Title, Status: access.StatusReserved,
		SourceURI: r.up.SourceURI, Policy: r.up.Policy, Checksum: r.up.Checksum, MediaType: r.up.MediaType, Size: r.up.Size,
		LockVersion: 1, CreatedAt: t.Now(), UpdatedAt: t.Now(),
	}, Titled: r.up.Title != ""}
	if former, ok := versions.Newest(r.there); ok && !v.Titled && former.Titled {
		v.Title, v.Titled = former.Title, true
	}
	err = t.QueryRowContext(ctx, `SELECT coalesce(max(version), 0) + 1 FROM documents WHERE tenant = ? AND base = ? AND key = ?`,
		v.Tenant, v.KnowledgeBase, v.Key).Scan(&v.Version)
	if err != nil {
		return res, err
	}
	if err = versions.Put(ctx, t, &v); err == nil {
		err = brought.Put(ctx, t, v.Number, r.origin(), r.up.Adopt)
	}
	if err != nil {
		return res, err
	}
	res = corpus.Reservation{Document: v.ID, Version: v.Version, Job: row.Random("job_")}
	publish := mayPublish(r.up, r.kb, v.Version)
	res.Held = r.up.Publish && !publish
	_, err = t.ExecContext(ctx, `INSERT INTO jobs (id, tenant, owner, subject, lane, state, due_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		res.Job, v.Tenant, r.actor, v.ID, lane(v.Document), queue.Queued, t.Now().UnixMicro(), t.Now().UnixMicro(), t.Now().UnixMicro())
	if err != nil {
		return res, err
	}
	_, err = t.ExecContext(ctx, `INSERT INTO reservations (document, job, file_name, publish, operator, own_policy) VALUES (?, ?, ?, ?, ?, ?)`,
		v.Number, res.Job, r.up.FileName, publish, r.up.Operator, ownPolicy(r.up))
	return res, err
}

// lane names the key whose jobs must be worked on in order. Ids of tenants and knowledge bases
// hold no slash.
func lane(d corpus.Document) string {
	return string(d.Tenant) + "/" + string(d.KnowledgeBase) + "/" + string(d.Key)
}

// id decides the id of a new version. Ids are unique inside a tenant, and what another tenant has
// is not looked at.
func (r reservation) id(ctx context.Context, t *database.Tx) (corpus.DocumentID, error) {
	fresh := corpus.DocumentID(row.Random("doc_"))
	if r.up.ID == "" {
		return fresh, nil
	}
	rows, err := t.QueryContext(ctx, versions.Select+`WHERE tenant = ? AND id = ?`, r.kb.Tenant, r.up.ID)
	taken, err := row.Collect(rows, err, versions.Scan)
	for _, v := range taken {
		if versions.Admits(r.scope, v.Document) {
			return "", problem.New(problem.Conflict, "exists", "There is a document %q already.", r.up.ID)
		}
	}
	if len(taken) > 0 {
		return fresh, err
	}
	return r.up.ID, err
}

// maxKey bounds a document key in bytes: 512 code points of the longest kind.
const maxKey = 2048

func validUpload(up corpus.Upload) error {
	switch {
	case up.Key == "" || len(up.Key) > maxKey || !utf8.ValidString(string(up.Key)) || strings.ContainsFunc(string(up.Key), unicode.IsControl):
		return problem.New(problem.Invalid, "invalid_doc_key", "A document key is 1 to %d bytes of UTF-8 without control characters.", maxKey)
	case up.ID != "" && !access.ValidID(string(up.ID)):
		return directory.Valid("document", string(up.ID))
	case !originals.Valid(up.Checksum):
		return problem.New(problem.Invalid, "invalid_checksum", "A checksum is 64 hexadecimal digits in lower case.")
	}
	return versions.ValidPolicy(up.Policy)
}
