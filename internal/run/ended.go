package run

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

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

// Integrity says whether what is stored of a run is what the ledger's entry of its end tells of. Words
// are stable: members of that entry, "evidence/S1" for a passage, and those below.
type Integrity struct {
	// Problems name what was changed since; nothing of it can be believed.
	Problems []string
	// Unproved names what the ledger can't tell of.
	Unproved []string
}

// The words of what can't be told, and of what is wrong with the entry itself.
const (
	NotEnded   = "not_ended"  // the entry is written when the run ends
	Withheld   = "withheld"   // something that was found or read is not there any more, for the reader or at all
	OlderForm  = "older_form" // the entry is from before all was covered
	EntryGone  = "entry_missing"
	EntryOther = "entry" // it is not the one that was written
	Recordings = "recordings"
	States     = "states" // the events tell of another end
)

// Verified reports whether all is as it was when the run ended.
func (i Integrity) Verified() bool { return len(i.Problems)+len(i.Unproved) == 0 }

// Changed reports whether something was changed since.
func (i Integrity) Changed() bool { return len(i.Problems) > 0 }

// always are members that the entry of an end had in every form.
var always = []string{"answer_hash", "citations", "goal_hash", "state"}

// Hold holds a run that ended against the body of the ledger's entry of its end. Lost says that something
// which the run found or read is there no more: otherwise nothing can have been erased.
func Hold(r *Run, evidence []citation.Evidence, body json.RawMessage, lost bool) (out Integrity) {
	var was map[string]json.RawMessage
	if json.Unmarshal(body, &was) != nil {
		return Integrity{Problems: []string{EntryOther}}
	}
	now := map[string]json.RawMessage{}
	rehashed := slices.Clone(evidence)
	for i, e := range rehashed {
		if !blank(e) {
			rehashed[i].Hash = seal.Hash(e.Nonce, e.Excerpt)
		}
	}
	_ = json.Unmarshal(EndedBody(r, rehashed), &now)
	names := slices.Collect(maps.Keys(was))
	if string(was["form"]) == "" {
		out.Unproved = append(out.Unproved, OlderForm)
	} else {
		for name := range now {
			if was[name] == nil {
				names = append(names, name)
			}
		}
	}
	for _, name := range always {
		if was[name] == nil {
			out.Problems = append(out.Problems, name)
			names = slices.DeleteFunc(names, func(other string) bool { return other == name })
		}
	}
	erased := lost && (r.Seal.Renewed() || slices.ContainsFunc(evidence, blank))
	for _, name := range slices.Sorted(slices.Values(names)) {
		if name == "evidence" {
			out.holdEvidence(r, was[name], now[name], evidence, lost)
			continue
		}
		switch a, b := form(was[name]), form(now[name]); {
		case a == b:
		case erased && r.emptied(name):
			out.Unproved = append(out.Unproved, Withheld)
		default:
			out.Problems = append(out.Problems, name)
		}
	}
	slices.Sort(out.Problems)
	slices.Sort(out.Unproved)
	out.Unproved = slices.Compact(out.Unproved)
	return out
}

// emptied reports whether erasing leaves a member of the entry without what it was about.
func (r *Run) emptied(name string) bool {
	switch name {
	case "answer_hash":
		return r.Answer.Text == ""
	case "checks":
		return len(r.Checks) == 0
	}
	return name == "record_hash"
}

// blank reports whether a passage was erased.
func blank(e citation.Evidence) bool { return e.Excerpt == "" && e.Nonce == "" }

// form is a JSON value in its one form; nothing where it holds nothing. What has no one form is as it is
// written.
func form(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	b, err := pruned(raw)
	if err != nil {
		return string(raw)
	}
	if slices.Contains([]string{"null", "[]", "{}", "0", `""`, "false"}, string(b)) {
		return ""
	}
	return string(b)
}

// holdEvidence compares the passages one by one. The entries of some earlier runs leave out those that were
// taken out of sight on the way, which nothing then tells of.
func (i *Integrity) holdEvidence(r *Run, was, now json.RawMessage, evidence []citation.Evidence, lost bool) {
	type one struct {
		Ref  string `json:"ref"`
		Hash string `json:"record_hash"`
	}
	read := func(raw json.RawMessage) map[string]one {
		var list []one
		_ = json.Unmarshal(raw, &list)
		out := map[string]one{}
		for _, e := range list {
			out[e.Ref] = e
		}
		return out
	}
	then, today := read(was), read(now)
	gone, dropped := map[string]bool{}, r.dropped()
	for _, e := range evidence {
		gone[e.Ref] = lost && blank(e)
	}
	all := maps.Clone(then)
	maps.Copy(all, today)
	for _, ref := range slices.Sorted(maps.Keys(all)) {
		a, known := then[ref]
		b, there := today[ref]
		switch {
		case known && there && a == b:
		case known && there && gone[ref]:
			i.Unproved = append(i.Unproved, Withheld)
		case !known && slices.Contains(dropped, ref):
			i.Unproved = append(i.Unproved, Withheld)
		default:
			i.Problems = append(i.Problems, "evidence/"+ref)
		}
	}
}

// dropped names the passages that were taken out of sight on the way. Only a run that says it lost something,
// which its entry covers, can have any.
func (r *Run) dropped() []string {
	if !slices.Contains(r.Notices, ScopeChanged) {
		return nil
	}
	c, err := DecodeCheckpoint(r.Checkpoint)
	if err != nil {
		return nil
	}
	return c.Dropped
}
