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

// RecordForm is how much the hash over the record of a run covers in the entries that are written now: the seal
// and the checkpoint too, and passages that were emptied. Entries without one cover less.
const RecordForm = 2

// evidenceRecord is the name of what is stored of a passage, which no passage is itself.
const evidenceRecord = "\x00record"

// EndedBody is what the ledger keeps of a run that ended, whoever ended it: ids, hashes, states and
// counts, and no text. The evidence is the run's; what the answer cites is told of in the order of
// first mention.
func EndedBody(r *Run, evidence []citation.Evidence) json.RawMessage {
	return endedBody(r, evidence, RecordForm)
}

func endedBody(r *Run, evidence []citation.Evidence, form int) json.RawMessage {
	body := ended(r, evidence, form)
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

func ended(r *Run, evidence []citation.Evidence, form int) map[string]any {
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
		switch {
		case e.Nonce != "":
			one["record_hash"] = seal.Seal{Key: e.Nonce}.Hash(evidenceRecord, recordOfEvidence(e))
		case form >= RecordForm: // it was erased, and has no nonce of its own any more
			one["record_hash"] = r.Seal.Hash(evidenceRecord+e.Ref, recordOfEvidence(e))
		}
		records = append(records, one)
	}
	body["form"], body["evidence"], body["record_hash"] = EndedForm, records, r.Seal.Hash(NameRecord, record(r, form))
	if form >= RecordForm {
		body["record_form"], body["dropped"] = form, dropped(r)
	}
	return body
}

// dropped names the passages that were taken out of sight on the way.
func dropped(r *Run) []string {
	c, err := DecodeCheckpoint(r.Checkpoint)
	if err != nil || c.Dropped == nil {
		return []string{} // a run that ended before its first step has no checkpoint
	}
	return c.Dropped
}

// record is everything that is stored of a run, in one form: what is empty has no member, so that a
// field of later times leaves the form of earlier runs as it is. Golden files hold it.
func record(r *Run, form int) string {
	c := *r
	if form < RecordForm {
		c.Seal, c.Checkpoint = seal.Seal{}, ""
	}
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
