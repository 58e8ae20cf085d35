package run

import (
	"encoding/json"

	"github.com/kaoju/kaoju/internal/citation"
)

// EndedBody is what the ledger keeps of a run that ended, whoever ended it: ids, hashes, states and
// counts, and no text. The evidence is the run's; what the answer cites is told of in the order of
// first mention.
func EndedBody(r *Run, evidence []citation.Evidence) json.RawMessage {
	citations := make([]map[string]any, 0, len(r.Answer.Refs))
	for _, ref := range r.Answer.Refs {
		for _, e := range evidence {
			if e.Ref == ref {
				citations = append(citations, map[string]any{
					"ref": e.Ref, "document_id": e.Document, "version": e.Version, "chunk_id": e.Chunk, "span": e.Span, "excerpt_hash": e.Hash,
				})
			}
		}
	}
	checks := map[citation.Verdict]int{}
	for _, c := range r.Checks {
		checks[c.Verdict]++
	}
	body := map[string]any{
		"state": r.State, "finish_reason": r.Reason, "attempt": r.Attempt, "route": r.Route, "kind": r.Kind,
		"engine": r.Model.Engine, "model": r.Model.Name, "host": r.Model.Host,
		"goal_hash": citation.HashText(r.Goal), "prompt_hash": r.PromptHash, "recording_hash": r.TapeHash, "answer_hash": citation.HashText(r.Answer.Text),
		"citations": citations, "tool_calls": r.Calls, "checks": checks, "use": r.Use, "usage": r.Usage,
	}
	b, err := json.Marshal(body)
	if err != nil {
		// A cost that is no number is all that can't be written; the end is told of without it.
		usage := r.Usage
		usage.Cost = nil
		body["usage"] = usage
		b, _ = json.Marshal(body)
	}
	return b
}
