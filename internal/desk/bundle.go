package desk

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/bundle"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// Bundle returns the evidence bundle of a run that Why tells of, reduced to what the actor may see
// now. The same run under the same rights gives the same bytes. One that has not ended is
// problem.Conflict "not_ended".
func (d *Desk) Bundle(ctx context.Context, actor access.Actor, id run.ID) ([]byte, error) {
	w, err := d.Why(ctx, actor, id)
	if err != nil {
		return nil, err
	}
	if w.Integrity.Changed() { // also where the entry of its end is not found, since it was changed
		return nil, changed()
	}
	if w.Ended == nil {
		return nil, problem.New(problem.Conflict, "not_ended", "The run has not ended; there is nothing to prove yet.")
	}
	if _, err := w.Ended.Proof.Verify(d.LedgerKey(), w.Ended.Entry); err != nil && w.Ended.Entry.Reserved() {
		return nil, problem.New(problem.Conflict, "not_provable",
			"The ledger's entry of this run is of a form that names all its sources or proves nothing, and some are no longer available to you.")
	}
	stored, _, err := d.deps.Journal.Run(ctx, actor.Tenant, w.Run.Actor, id)
	if err != nil {
		return nil, err
	}
	b := bundle.Bundle{
		Run: runOf(w.Run), Answer: answerOf(w, stored), Entry: w.Ended.Entry, Proof: w.Ended.Proof,
		Checks: each(w.Run.Checks, func(c citation.Check) bundle.Check {
			return bundle.Check{Sentence: c.Sentence, Labels: c.Labels, Verdict: string(c.Verdict), DecidedBy: c.DecidedBy, Quote: c.Quote}
		}),
		ToolCalls: each(w.Run.Calls, func(c run.Call) bundle.ToolCall { return bundle.ToolCall(c) }),
	}
	for i, list := range [][]Source{w.Cited, w.Read} {
		for _, s := range list {
			b.Evidence = append(b.Evidence, evidenceOf(s, i == 0))
		}
	}
	if b.Documents, err = d.versions(ctx, actor, slices.Concat(w.Cited, w.Read)); err != nil {
		return nil, err
	}
	return bundle.Sign(b, d.deps.Trees.Key())
}

func runOf(r *run.Run) bundle.Run {
	return bundle.Run{
		ID: string(r.ID), Tenant: string(r.Tenant), Actor: string(r.Actor), Kind: string(r.Kind), Goal: r.Goal, GoalNonce: nonceOf(r, run.NameGoal, r.Goal), Route: string(r.Route),
		State: string(r.State), Reason: string(r.Reason), Engine: string(r.Model.Engine), Model: r.Model.Name, Host: r.Model.Host,
		Attempt: r.Attempt, PromptHash: r.PromptHash, RecordingHash: r.TapeHash, CreatedAt: r.CreatedAt.UTC(), EndedAt: r.EndedAt.UTC(),
	}
}

// answerOf tells the need to confirm as it was decided at the run's end: what has become of the
// sources since is no part of the evidence.
func answerOf(w Why, stored *run.Run) bundle.Answer {
	a := w.Run.Answer
	return bundle.Answer{
		Text: a.Text, Nonce: w.answerNonce(stored), Conclusion: a.Sections.Conclusion, Basis: a.Sections.Basis, ToConfirm: a.Sections.ToConfirm, NextSteps: a.Sections.NextSteps,
		Missing: a.Missing, Notices: w.Run.Notices, NeedsConfirmation: stored.NeedsConfirm,
		Reduced: w.less(stored),
	}
}

// less reports whether something of the answer or of its checks is not shown.
func (w Why) less(stored *run.Run) bool {
	return w.Reduced || w.Run.Answer.Text != stored.Answer.Text || len(w.Run.Checks) != len(stored.Checks)
}

// answerNonce opens the hash of an answer that is shown whole: otherwise guesses at what is missing could
// be tried.
func (w Why) answerNonce(stored *run.Run) string {
	if w.less(stored) {
		return ""
	}
	return stored.Seal.Nonce(run.NameAnswer)
}

// nonceOf is the nonce of a text of a run that is shown; "" of one that is not.
func nonceOf(r *run.Run, name, text string) string {
	if text == "" {
		return ""
	}
	return r.Seal.Nonce(name)
}

func evidenceOf(s Source, cited bool) bundle.Evidence {
	if s.Withheld {
		return bundle.Evidence{Label: s.Ref, Withheld: true, Cited: cited}
	}
	place, err := json.Marshal(s.Locator)
	if err != nil || s.Locator == nil {
		place = nil
	}
	return bundle.Evidence{
		Label: s.Ref, Cited: cited, DocumentID: string(s.Document), KnowledgeBaseID: string(s.KnowledgeBase), DocKey: string(s.Key), Title: s.Title,
		Version: s.Version, Status: string(s.Status), ChunkID: string(s.Chunk), Locator: place, Span: [2]int{s.Span.Start, s.Span.End},
		SourceURI: s.SourceURI, Excerpt: s.Excerpt, Nonce: s.Nonce, Hash: s.Hash, TruncatedBefore: s.TruncatedBefore, TruncatedAfter: s.TruncatedAfter, ReadAt: s.ReadAt.UTC(),
	}
}

// versions names the versions that were read, each once, with the checksum of its original.
func (d *Desk) versions(ctx context.Context, actor access.Actor, sources []Source) (out []bundle.Document, err error) {
	err = d.within(ctx, actor, access.Request{View: access.Cited}, func(scope access.Scope) error {
		out = nil
		done := map[corpus.DocumentID]bool{}
		rights := d.rights(scope)
		for _, s := range sources {
			if s.Withheld || done[s.Document] {
				continue
			}
			done[s.Document] = true
			doc, err := rights.version(ctx, s)
			if err != nil {
				return err
			}
			if doc == nil {
				continue // lost since the passages were looked at
			}
			out = append(out, bundle.Document{
				ID: string(doc.ID), DocKey: string(doc.Key), Version: doc.Version, Checksum: string(doc.Checksum), MediaType: doc.MediaType,
			})
		}
		return nil
	})
	return out, err
}

// each converts a list.
func each[T, U any](list []T, convert func(T) U) []U {
	out := make([]U, 0, len(list))
	for _, v := range list {
		out = append(out, convert(v))
	}
	return out
}
