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

// dropped names the passages that were taken out of sight on the way, as the run itself tells: its entry does
// not, so that they are unproved.
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
