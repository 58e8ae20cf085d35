package intake

import (
	"context"
	"errors"
	"maps"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/sqlite/blobs"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
	"github.com/kaoju/kaoju/internal/sqlite/textseal"
	"github.com/kaoju/kaoju/internal/sqlite/vectors"
	"github.com/kaoju/kaoju/internal/sqlite/versions"
)

// Publisher implements corpus.Publisher.
type Publisher struct{ DB *database.DB }

// wish is what an upload asked for, and who asked.
type wish struct {
	versions.Row
	up    corpus.Upload
	job   string
	owner string
}

// reservationOf reads a reservation by its row in documents.
func reservationOf(ctx context.Context, t *database.Tx, document int64) (w wish, err error) {
	if w.Row, err = versions.Scan(t.QueryRowContext(ctx, versions.Select+`WHERE row = ? AND status = 'reserved'`, document)); err != nil {
		return w, row.Missing(err)
	}
	d := w.Document
	w.up = corpus.Upload{
		ID: d.ID, KnowledgeBase: d.KnowledgeBase, Key: d.Key, Title: d.Title, Policy: d.Policy, SourceURI: d.SourceURI,
		Checksum: d.Checksum, Size: d.Size, MediaType: d.MediaType,
	}
	err = t.QueryRowContext(ctx, `SELECT r.job, r.file_name, r.publish, r.operator, r.own_policy, j.owner FROM reservations r JOIN jobs j ON j.id = r.job WHERE r.document = ?`, document).
		Scan(&w.job, &w.up.FileName, &w.up.Publish, &w.up.Operator, &w.up.OwnPolicy, &w.owner)
	return w, row.Missing(err)
}

// reservedBy reads the reservation that a job works on.
func reservedBy(ctx context.Context, t *database.Tx, job string) (wish, error) {
	var document int64
	if err := t.QueryRowContext(ctx, `SELECT document FROM reservations WHERE job = ?`, job).Scan(&document); err != nil {
		return wish{}, row.Missing(err)
	}
	return reservationOf(ctx, t, document)
}

// Reserved implements corpus.Publisher.
func (p *Publisher) Reserved(ctx context.Context, job string) (d corpus.Document, up corpus.Upload, err error) {
	err = p.DB.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		w, err := reservedBy(ctx, t, job)
		d, up = w.Document, w.up
		return err
	})
	return d, up, err
}

// Publish implements corpus.Publisher. If the upload was called off or its knowledge base is gone,
// everything of it is given up and the answer is problem.Conflict "cancelled". If a version with
// the same bytes became the newest meanwhile, that one is the result, and the job's subject.
//
// The wish to publish is granted by the rights of this moment: an owner who is no manager any
// more has made a draft.
func (p *Publisher) Publish(ctx context.Context, v corpus.Version, job string, token int64) (d corpus.Document, err error) {
	calledOff := false
	err = p.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		j, w, err := fenced(ctx, t, job, token, v.Document)
		if err != nil {
			return err
		}
		kb, err := directory.Base(ctx, t, w.Tenant, w.KnowledgeBase)
		if calledOff = j.cancelAsked || problem.Is(err, problem.NotFound); calledOff {
			return giveUp(ctx, t, w, queue.Cancelled, nil)
		}
		if err != nil {
			return err
		}
		publish, err := stillMay(ctx, t, w, kb)
		if err != nil {
			return err
		}
		if d, err = settle(ctx, t, w, v, publish); err != nil {
			return err
		}
		return takeContents(ctx, t, w, kb, v, d)
	})
	if err == nil && calledOff {
		err = Cancelled()
	}
	return d, err
}

// fenced reads the job and its reservation for a worker that shows its token.
func fenced(ctx context.Context, t *database.Tx, job string, token int64, id corpus.DocumentID) (queued, wish, error) {
	j, err := claimed(ctx, t, job, token)
	if err != nil {
		return j, wish{}, err
	}
	w, err := reservedBy(ctx, t, job)
	if err == nil && w.ID != id {
		err = problem.New(problem.Invalid, "wrong_document", "The job %s works on %s, not on %s.", job, w.ID, id)
	}
	return j, w, err
}

// stillMay decides the wish to publish by the directory as it is in this transaction.
func stillMay(ctx context.Context, t *database.Tx, w wish, kb access.KnowledgeBase) (bool, error) {
	if !mayPublish(w.up, kb, w.Version) || w.up.Operator {
		return mayPublish(w.up, kb, w.Version), nil
	}
	scope, err := access.Resolve(ctx, directory.Within(t), access.Actor{Tenant: w.Tenant, User: access.UserID(w.owner)}, access.Request{})
	if problem.Is(err, problem.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	there, err := versions.Of(ctx, t, w.Tenant, w.KnowledgeBase, w.Key)
	for _, v := range there {
		// The policy that the owner gave the new version may exclude the owner.
		if v.Number != w.Number && !versions.MayWrite(scope, v.Document, access.Manager) {
			return false, err
		}
	}
	return scope.Level(kb.ID) >= access.Manager, err
}

// settle turns a reservation into a version and ends its job.
func settle(ctx context.Context, t *database.Tx, w wish, v corpus.Version, publish bool) (corpus.Document, error) {
	there, err := versions.Of(ctx, t, w.Tenant, w.KnowledgeBase, w.Key)
	if err != nil {
		return corpus.Document{}, err
	}
	for i := len(there) - 1; i >= 0; i-- {
		former := there[i]
		if former.Version >= w.Version || former.Status == access.StatusReserved {
			continue
		}
		if former.Checksum == w.Checksum && former.Status != access.StatusArchived {
			return settleOn(ctx, t, w, former, publish)
		}
		break
	}
	body := inherit(&w, there)
	if err := fill(ctx, t, &w, v); err != nil {
		return corpus.Document{}, err
	}
	maps.Copy(body, versions.Body(w.Document))
	sums, err := textseal.Of(ctx, t, w.Number)
	if err != nil {
		return corpus.Document{}, err
	}
	body["text_hash"], body["chunks_hash"] = sums.Text, sums.Chunks
	if err := chain.Change(ctx, t, ledger.DocumentAdded, w.Tenant, access.UserID(w.owner), body); err != nil {
		return corpus.Document{}, err
	}
	failpoint.Reach(ctx, failpoint.LedgerWritten)
	if publish {
		w.LockVersion = 0 // nobody saw the draft: being published is the first state of the row
		if err := versions.Promote(ctx, t, &w.Row, access.UserID(w.owner)); err != nil {
			return corpus.Document{}, err
		}
	}
	failpoint.Reach(ctx, failpoint.VersionPromoted)
	err = endJob(ctx, t, w.job, queue.Succeeded, v.Notices, nil)
	failpoint.Reach(ctx, failpoint.JobEnded)
	return w.Document, err
}

// inherit gives a new version what its upload left out from the newest version before it, as that
// is at this moment: an edit of the policy since the upload counts. It returns what the ledger is
// to say: the policy, where the upload changed it.
func inherit(w *wish, there []versions.Row) map[string]any {
	body := map[string]any{}
	w.Own = w.up.OwnPolicy
	former, ok := versions.Newest(there)
	switch {
	case !ok:
		if !w.Policy.Equal(access.Policy{}) {
			body["policy"] = w.Policy
		}
		return body
	case !w.up.OwnPolicy:
		// What a draft was given for itself goes on with the drafts after it.
		w.Policy, w.Own = former.Policy, former.Own && former.Status == access.StatusDraft
	case !w.Policy.Equal(former.Policy):
		body["policy"] = w.Policy
	}
	if w.SourceURI == "" {
		w.SourceURI = former.SourceURI
	}
	w.Labels = former.Labels
	return body
}

// settleOn ends a job whose bytes became the newest version by another job. A job whose upload
// brought another policy than that version has is refused, so that its worker lets it fail.
func settleOn(ctx context.Context, t *database.Tx, w wish, newest versions.Row, publish bool) (corpus.Document, error) {
	if w.up.OwnPolicy && !w.Policy.Equal(newest.Policy) {
		return corpus.Document{}, policyDiffers()
	}
	if err := giveUp(ctx, t, w, queue.Succeeded, nil); err != nil {
		return corpus.Document{}, err
	}
	if publish && newest.Status == access.StatusDraft {
		if err := versions.Promote(ctx, t, &newest, access.UserID(w.owner)); err != nil {
			return corpus.Document{}, err
		}
	}
	_, err := t.ExecContext(ctx, `UPDATE jobs SET subject = ?, notices = ? WHERE id = ?`, newest.ID, row.Marshal([]string{"unchanged"}), w.job)
	return newest.Document, err
}

// fill writes the content of a version: row, text, chunks, keyword segment, and the job of
// its vectors.
func fill(ctx context.Context, t *database.Tx, w *wish, v corpus.Version) error {
	for _, title := range []string{v.Title, w.up.FileName, string(w.Key)} {
		if w.Title == "" {
			w.Title = title
		}
	}
	if v.MediaType != "" {
		w.MediaType = v.MediaType
	}
	w.Status, w.UpdatedAt, w.Language, w.Notices = access.StatusDraft, t.Now(), v.Language, v.Notices
	w.ChunkCount, w.CharCount = len(v.Chunks), utf8.RuneCountInString(v.Text)
	_, err := t.ExecContext(ctx, `UPDATE documents SET status = ?, title = ?, source_uri = ?, policy = ?, own_policy = ?, labels = ?, media_type = ?, language = ?,
  notices = ?, chunk_count = ?, chunker = ?, char_count = ?, updated_at = ? WHERE row = ?`,
		w.Status, w.Title, w.SourceURI, row.Marshal(w.Policy), w.Own, row.Marshal(row.List(w.Labels)), w.MediaType, w.Language, row.Marshal(row.List(w.Notices)),
		w.ChunkCount, v.Chunker, w.CharCount, w.UpdatedAt.UnixMicro(), w.Number)
	if err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM reservations WHERE document = ?`, w.Number); err != nil {
		return err
	}
	failpoint.Reach(ctx, failpoint.VersionWritten)
	if _, err := t.ExecContext(ctx, `INSERT INTO texts (document, text, record, nonce) VALUES (?, ?, ?, ?)`, w.Number, v.Text, stored.Blocks(v.Blocks), seal.New().Key); err != nil {
		return err
	}
	failpoint.Reach(ctx, failpoint.TextWritten)
	if err := stored.PutChunks(ctx, t, w.Number, v.Chunks); err != nil {
		return err
	}
	failpoint.Reach(ctx, failpoint.ChunksWritten)
	if v.Segment != nil {
		_, err = t.ExecContext(ctx, `INSERT INTO segments (document, bytes) VALUES (?, ?)`, w.Number, v.Segment)
	}
	failpoint.Reach(ctx, failpoint.SegmentWritten)
	err = errors.Join(err, vectors.Open(ctx, t, w.Number))
	failpoint.Reach(ctx, failpoint.VectorsWanted)
	return err
}

// Release implements corpus.Publisher.
func (p *Publisher) Release(ctx context.Context, id corpus.DocumentID, job string, token int64, cause *problem.Error) error {
	return p.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		_, w, err := fenced(ctx, t, job, token, id)
		if err != nil {
			return err
		}
		if cause == nil {
			return giveUp(ctx, t, w, queue.Cancelled, nil)
		}
		return giveUp(ctx, t, w, queue.Failed, cause)
	})
}

// giveUp drops a reservation as if it had never been: the row goes, reservations after it move
// down by one so that the numbers which succeed have no gap, the bytes go unless another version
// has them, and the job ends. A reserved number has been seen by nobody but its uploader, so that
// moving it changes no citation.
func giveUp(ctx context.Context, t *database.Tx, w wish, end queue.State, cause *problem.Error) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM documents WHERE row = ? AND status = 'reserved'`, w.Number); err != nil {
		return err
	}
	rows, err := t.QueryContext(ctx, `SELECT row FROM documents WHERE tenant = ? AND base = ? AND key = ? AND version > ? ORDER BY version`,
		w.Tenant, w.KnowledgeBase, w.Key, w.Version)
	later, err := row.Collect(rows, err, scanNumber)
	if err != nil {
		return err
	}
	for _, document := range later {
		// One by one in order: the next number down is always free by then.
		if _, err := t.ExecContext(ctx, `UPDATE documents SET version = version - 1 WHERE row = ?`, document); err != nil {
			return err
		}
	}
	blobs.DropAfter(ctx, t, w.Checksum)
	err = endJob(ctx, t, w.job, end, nil, cause)
	failpoint.Reach(ctx, failpoint.RefusalWritten)
	return err
}

func scanNumber(r row.Scanner) (n int64, err error) {
	err = r.Scan(&n)
	return n, err
}
