package run

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/kaoju/kaoju/internal/canonical"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/seal"
)

// EndedForm is the form of the entries that are written now: hashes are under the seal of the run, and
// cover all that is stored of it. Entries without a form have plain hashes.
const EndedForm = ledger.SecondForm

// evidenceRecord is the name of what is stored of a passage, which no passage is itself.
const evidenceRecord = "\x00record"

// EndedBody is what the ledger keeps of a run that ended, whoever ended it: ids, hashes, states and
// counts, and no text. The evidence is the run's; what the answer cites is told of in the order of
// first mention.
func EndedBody(r *Run, evidence []citation.Evidence) json.RawMessage {
	body := ended(r, evidence)
	b, err := canonical.Marshal(body)
	if err != nil {
		// A cost that is no number is all that can't be written; the end is told of without it.
		usage := r.Usage
		usage.Cost = nil
		body["usage"] = usage
		b, _ = canonical.Marshal(body)
	}
	return b
}

func ended(r *Run, evidence []citation.Evidence) map[string]any {
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
		"goal_hash":   r.Seal.Hash(NameGoal, r.Goal),
		"prompt_hash": r.PromptHash, "recording_hash": r.TapeHash, "answer_hash": r.Seal.Hash(NameAnswer, r.Answer.Text),
		"citations": citations, "tool_calls": r.Calls, "checks": checks, "use": r.Use, "usage": r.Usage,
	}
	if r.Seal.Plain() {
		return body
	}
	records := make([]map[string]any, 0, len(evidence))
	for _, e := range evidence {
		one := map[string]any{"ref": e.Ref}
		if e.Nonce != "" { // it was not erased while the run was under way
			one["record_hash"] = seal.Seal{Key: e.Nonce}.Hash(evidenceRecord, recordOfEvidence(e))
		}
		records = append(records, one)
	}
	body["form"], body["evidence"], body["record_hash"] = EndedForm, records, r.Seal.Hash(NameRecord, record(r))
	return body
}

// record is everything that is stored of a run, in one form: what is empty has no member, so that a
// field of later times leaves the form of earlier runs as it is. A golden file holds it.
func record(r *Run) string {
	c := *r
	c.Seal, c.Checkpoint = seal.Seal{}, ""
	c.CreatedAt, c.StartedAt, c.EndedAt = c.CreatedAt.UTC(), c.StartedAt.UTC(), c.EndedAt.UTC()
	b, err := pruned(c)
	if err != nil {
		c.Usage.Cost = nil // the one thing that can't be written
		b, _ = pruned(c)
	}
	return string(b)
}

// recordOfEvidence is the same of a passage.
func recordOfEvidence(e citation.Evidence) string {
	e.Nonce, e.ReadAt = "", e.ReadAt.UTC()
	b, _ := pruned(e)
	return string(b)
}

// pruned writes a value in its one form, without members that hold nothing.
func pruned(v any) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var tree any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		return nil, err
	}
	return canonical.Marshal(prune(tree))
}

func prune(v any) any {
	switch v := v.(type) {
	case map[string]any:
		maps.DeleteFunc(v, func(name string, member any) bool {
			member = prune(member)
			v[name] = member
			return hollow(member)
		})
	case []any:
		for i := range v {
			v[i] = prune(v[i])
		}
	}
	return v
}

// hollow reports whether a value is the one that a field has of itself.
func hollow(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case json.Number:
		return v == "0"
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}
