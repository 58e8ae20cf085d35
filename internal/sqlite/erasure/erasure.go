// Package erasure takes out of runs what they kept of a version that is erased, and tells the ledger what is left of
// them. It works inside transactions that its caller holds.
package erasure

import (
	"context"
	"errors"
	"slices"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/drafts"
	"github.com/kaoju/kaoju/internal/sqlite/mark"
	"github.com/kaoju/kaoju/internal/sqlite/proof"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// ShownOf finds the runs of a tenant that were shown something of a version: a passage, a hit or another
// version beside one, now or before they lost it. Arguments and contents of calls are strings in a recording,
// so that only the hits and the passages of a result are looked at. A recording that can't be read may hold
// anything.
const ShownOf = `WHERE tenant = ?1 AND (id IN (SELECT run FROM evidence WHERE document = ?2)
OR EXISTS (SELECT 1 FROM json_tree(runs.record, '$.hits') AS hit WHERE hit.key = 'document' AND hit.atom = ?2)
OR EXISTS (SELECT 1 FROM json_each(runs.record, '$.notices') AS notice WHERE notice.value = ?3)
AND EXISTS (SELECT 1 FROM recordings AS r WHERE r.run = runs.id AND CASE WHEN r.record = '' THEN 0 WHEN NOT json_valid(r.record) THEN 1
ELSE EXISTS (SELECT 1 FROM json_tree(r.record, '$.tool') AS said WHERE said.key IN ('document', 'document_id') AND said.atom = ?2) END))`

// Passages empties the passages that a run read of a version, and returns how many there are.
func Passages(ctx context.Context, q row.Queries, id run.ID, document corpus.DocumentID) (int, error) {
	rows, err := q.QueryContext(ctx, `SELECT ref, document, record FROM evidence WHERE run = ? AND document = ?`, id, document)
	read, err := row.Collect(rows, err, stored.ScanEvidence)
	if err != nil {
		return 0, err
	}
	for _, e := range read {
		_, err := q.ExecContext(ctx, `UPDATE evidence SET record = ? WHERE run = ? AND ref = ?`, stored.Evidence(Evidence(e)), id, e.Ref)
		if err != nil {
			return 0, err
		}
	}
	return len(read), nil
}

// Beside empties what stands beside a run: the queries of its events and its recordings, and, of one that read what is
// erased, drafts and what people said of it.
func Beside(ctx context.Context, q row.Queries, id run.ID, read bool) error {
	if read {
		if err := errors.Join(drafts.Blank(ctx, q, id), mark.Blank(ctx, q, id)); err != nil {
			return err
		}
	}
	return errors.Join(Queries(ctx, q, id), proof.Blank(ctx, q, id))
}

// Queries takes the model's own words out of the events of a run: a query that was written after
// a passage was read may repeat it. It is the one change that events allow.
func Queries(ctx context.Context, q row.Queries, id run.ID) error {
	_, err := q.ExecContext(ctx, `UPDATE events SET data = json_remove(data, '$.args') WHERE run = ? AND type = ? AND data ->> '$.args' IS NOT NULL`, id, event.ToolStarted)
	return err
}

// Evidence keeps ids, numbers and the hash of a passage, and not the nonce, without which the hash
// tells nothing. Its place goes too: a locator names headings, sheets and columns, which are words of the
// document.
func Evidence(e citation.Evidence) citation.Evidence {
	e.Title, e.SourceURI, e.Excerpt, e.Context, e.Nonce, e.Segments, e.Locator = "", "", "", "", "", nil, nil
	return e
}

// Run returns a run without the title of an erased document and, if the run read it, without
// everything that was written from what it read: the answer, its checks, and later searches, whose
// words a model chose. The question stays, since the person wrote it. What stays keeps its nonce; the
// seal is another, so that nothing else that was hashed under the former one can be tried.
func Run(r *run.Run, id corpus.DocumentID, read bool) *run.Run {
	out := *r
	stays := []string{run.NameGoal}
	if !read && !slices.Contains(r.Notices, run.Erased) {
		stays = append(stays, run.NameAnswer, run.NameSentence)
	}
	out.Seal = r.Seal.Anew(stays...)
	out.Hits = slices.Clone(r.Hits)
	for i := range out.Hits {
		if out.Hits[i].Document == id {
			out.Hits[i].Title = ""
		}
	}
	out.Searches = slices.Clone(r.Searches)
	for i := range out.Searches {
		out.Searches[i].Query = "" // it may repeat what a hit said
	}
	if !read {
		return &out
	}
	out.Answer = citation.Answer{Refs: r.Answer.Refs, Insufficient: r.Answer.Insufficient}
	out.Checks, out.Conflicts = nil, nil
	if !slices.Contains(out.Notices, run.Erased) {
		out.Notices = append(slices.Clone(out.Notices), run.Erased)
	}
	return &out
}

// Reduction is the entry of the ledger that tells what is left of a run that has ended. It is nobody's own: whoever
// erased is not to learn which runs there are, and the run's actor not what became of a document.
func Reduction(ctx context.Context, q row.Queries, r *run.Run, document corpus.DocumentID) (ledger.Entry, error) {
	evidence, err := stored.EvidenceOf(ctx, q, r.ID)
	if err != nil {
		return ledger.Entry{}, err
	}
	emptied, err := Emptied(ctx, q, r.ID)
	return ledger.Entry{
		Tenant: string(r.Tenant), Kind: ledger.RunReduced, RunID: string(r.ID), Body: run.ReducedBody(r, evidence, emptied, string(document)),
	}, err
}

// Emptied returns how many recordings of a run were emptied.
func Emptied(ctx context.Context, q row.Queries, id run.ID) (n int, err error) {
	err = q.QueryRowContext(ctx, `SELECT count(*) FROM recordings WHERE run = ? AND record = ''`, id).Scan(&n)
	return n, err
}
