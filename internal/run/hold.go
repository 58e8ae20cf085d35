package run

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/seal"
)

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

// Hold holds a run that ended against what the ledger tells of its end, and of what erasing left since. Lost says
// that something which the run found or read is there no more: only after an end of an earlier form, of whose
// reduction the ledger does not tell, can something have been erased then that nothing tells of.
func (t Told) Hold(r *Run, evidence []citation.Evidence, lost bool) (out Integrity) {
	if t.Ended == nil {
		return Integrity{Problems: []string{EntryGone}}
	}
	var end, was map[string]json.RawMessage
	if json.Unmarshal(t.Ended.Body, &end) != nil || end == nil {
		return Integrity{Problems: []string{EntryOther}}
	}
	if was = maps.Clone(end); t.Reduced != nil {
		var left map[string]json.RawMessage
		if json.Unmarshal(t.Reduced.Body, &left) != nil {
			return Integrity{Problems: []string{EntryOther}}
		}
		for _, name := range reducible {
			if left[name] != nil {
				was[name] = left[name]
			}
		}
	}
	older := recordForm(t.Ended.Body) < RecordForm
	now := r.now(evidence, was, older)
	names := slices.Collect(maps.Keys(was))
	if older {
		out.Unproved = append(out.Unproved, OlderForm)
	}
	if !older || string(was["form"]) != "" {
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
	h := holding{r, evidence, older, lost && older && t.Reduced == nil}
	erased := h.untold && (r.Seal.Renewed() || slices.ContainsFunc(evidence, blank))
	for _, name := range slices.Sorted(slices.Values(names)) {
		if name == "evidence" {
			out.add(h.evidenceOf(end[name], was[name], now[name]))
			continue
		}
		switch a, b := form(was[name]), form(now[name]); {
		case a == b && (form(end[name]) == a || r.emptied(name) || name == "record_form"):
		case erased && r.emptied(name):
			out.Unproved = append(out.Unproved, Withheld)
		default:
			out.Problems = append(out.Problems, name)
		}
	}
	out.add(h.passages(t))
	slices.Sort(out.Problems)
	slices.Sort(out.Unproved)
	out.Problems, out.Unproved = slices.Compact(out.Problems), slices.Compact(out.Unproved)
	return out
}

func (i *Integrity) add(more Integrity) {
	i.Problems, i.Unproved = append(i.Problems, more.Problems...), append(i.Unproved, more.Unproved...)
}

// now is what an entry would hold of a run as it is stored, in the form of the entry that was written. Passages are
// hashed anew, but for those that were emptied.
func (r *Run) now(evidence []citation.Evidence, was map[string]json.RawMessage, older bool) map[string]json.RawMessage {
	rehashed := slices.Clone(evidence)
	for i, e := range rehashed {
		if !blank(e) {
			rehashed[i].Hash = seal.Hash(e.Nonce, e.Excerpt)
		}
	}
	var form int
	_ = json.Unmarshal(was["record_form"], &form) // none is that of earlier entries
	now := map[string]json.RawMessage{}
	_ = json.Unmarshal(endedBody(r, rehashed, form), &now) // it was made as JSON
	if older {
		delete(now, "dropped") // which an earlier end did not tell of
	}
	return now
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

// holding is a run that is held.
type holding struct {
	run      *Run
	evidence []citation.Evidence
	older    bool // the entry of its end is of an earlier form
	untold   bool // something may have been erased of which nothing tells
}

// passage is what an entry has of one.
type passage struct {
	Ref  string `json:"ref"`
	Hash string `json:"record_hash"`
}

func passages(raw json.RawMessage) map[string]passage {
	var list []passage
	_ = json.Unmarshal(raw, &list) // what is none tells of none
	out := map[string]passage{}
	for _, e := range list {
		out[e.Ref] = e
	}
	return out
}

// evidenceOf compares the passages one by one: at the end, as the ledger has them now, and as they are stored. What
// is another since the end can only have been emptied. The entries of some earlier runs leave out those that were
// taken out of sight on the way, which nothing then tells of.
func (h holding) evidenceOf(end, was, now json.RawMessage) (out Integrity) {
	first, then, today := passages(end), passages(was), passages(now)
	gone, older := map[string]bool{}, h.dropped()
	for _, e := range h.evidence {
		gone[e.Ref] = blank(e)
	}
	all := maps.Clone(then)
	maps.Copy(all, today)
	maps.Copy(all, first)
	for _, ref := range slices.Sorted(maps.Keys(all)) {
		a, known := then[ref]
		b, there := today[ref]
		switch {
		case known && there && a == b && (first[ref] == a || gone[ref] || first[ref].Ref == "" && slices.Contains(older, ref)):
		case known && there && h.untold && gone[ref]:
			out.Unproved = append(out.Unproved, Withheld)
		case !known && slices.Contains(older, ref):
			out.Unproved = append(out.Unproved, Withheld)
		default:
			out.Problems = append(out.Problems, "evidence/"+ref)
		}
	}
	return out
}

// dropped names the passages that were taken out of sight on the way, as the run itself tells where its entry is of
// an earlier form, which does not.
func (h holding) dropped() []string {
	if !h.older || !slices.Contains(h.run.Notices, ScopeChanged) {
		return nil
	}
	return dropped(h.run)
}

// passages looks at what no hash of the entry's covers: whether each passage is the one of its own hash and, in a run
// from before there were nonces, whether those that are empty were emptied.
func (h holding) passages(t Told) (out Integrity) {
	told := t.emptied()
	for _, e := range h.evidence {
		switch {
		case !blank(e) && seal.Hash(e.Nonce, e.Excerpt) == e.Hash:
		case blank(e) && (!h.run.Seal.Plain() || told != nil && slices.Contains(told.Passages, e.Ref)):
		case blank(e) && h.untold:
			out.Unproved = append(out.Unproved, Withheld)
		default:
			out.Problems = append(out.Problems, "evidence/"+e.Ref)
		}
	}
	return out
}
