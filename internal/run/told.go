package run

import (
	"encoding/json"
	"slices"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/ledger"
)

// Told is what the ledger tells of the end of an attempt of a run.
type Told struct {
	// Ended is the entry of the end, Reduced the newest of those that tell what erasing left of the run since;
	// nil where there is none.
	Ended, Reduced *ledger.Entry
}

// ToldOf finds what the entries of a run, in order, tell of the end of an attempt. An entry of an end that names
// no attempt was written before resumes were.
func ToldOf(entries []ledger.Entry, attempt int) (t Told) {
	for i := range entries {
		switch e := &entries[i]; e.Kind {
		case ledger.RunEnded:
			var body struct {
				Attempt int `json:"attempt"`
			}
			if json.Unmarshal(e.Body, &body) != nil || body.Attempt == attempt || body.Attempt == 0 {
				t = Told{Ended: e}
			}
		case ledger.RunReduced:
			if t.Ended != nil {
				t.Reduced = e
			}
		}
	}
	return t
}

// Over reports whether the ledger tells of the end of a run and of no resumption since, by its entries in order. What
// resumes a run writes the entry of that in the same commit, so that a run which goes on as it is stored was changed then:
// held as one that ended, its state is another.
func Over(entries []ledger.Entry) bool {
	for _, e := range slices.Backward(entries) {
		if e.Kind == ledger.RunEnded || e.Kind == ledger.RunResumed {
			return e.Kind == ledger.RunEnded
		}
	}
	return false
}

// Entries are those that tell.
func (t Told) Entries() (out []ledger.Entry) {
	for _, e := range []*ledger.Entry{t.Ended, t.Reduced} {
		if e != nil {
			out = append(out, *e)
		}
	}
	return out
}

// reducible are the members of the entry of an end in whose place stands what erasing left.
var reducible = []string{"answer_hash", "checks", "evidence", "record_form", "record_hash"}

// emptiedOf is what the entry of a reduction has beside them.
type emptiedOf struct {
	Passages   []string `json:"passages"`   // references of those that were emptied
	Recordings int      `json:"recordings"` // how many were, from the first on
}

// ReducedBody is what the ledger keeps of a run of which something was erased: hashes of what is left of it,
// which passages were emptied, and how many of its recordings. It names the version that was erased, if
// it was one.
func ReducedBody(r *Run, evidence []citation.Evidence, recordings int, document string) json.RawMessage {
	now := map[string]json.RawMessage{}
	_ = json.Unmarshal(EndedBody(r, evidence), &now) // it was made as JSON
	passages := []string{}
	for _, e := range evidence {
		if blank(e) {
			passages = append(passages, e.Ref)
		}
	}
	body := map[string]any{"attempt": r.Attempt, "emptied": emptiedOf{passages, recordings}}
	if document != "" {
		body["document"] = document
	}
	for _, name := range reducible {
		if now[name] != nil {
			body[name] = now[name]
		}
	}
	b, _ := json.Marshal(body) // members that were JSON, and words
	return b
}

// emptied is what was emptied as the ledger tells of it; nil if it tells of nothing.
func (t Told) emptied() *emptiedOf {
	if t.Reduced == nil {
		return nil
	}
	var body struct {
		Emptied emptiedOf `json:"emptied"`
	}
	_ = json.Unmarshal(t.Reduced.Body, &body) // what can't be read emptied nothing
	return &body.Emptied
}

// HoldTape reports whether recordings are those whose hash a run has, and no other was emptied than the ledger
// tells of. Where it can't tell, while a run is under way and after an end of an earlier form, some may have been
// if something that the run found or read is lost.
func (t Told) HoldTape(r *Run, tape []Recorded, lost bool) bool {
	hash, last := "", 0
	for i, one := range tape {
		if hash = Fold(hash, one.Hash); one.Altered {
			return false
		}
		if one.Erased {
			last = i + 1
		}
	}
	if hash != r.TapeHash {
		return false
	}
	if e := t.emptied(); e != nil {
		return last == min(e.Recordings, len(tape)) && !slices.ContainsFunc(tape[:last], func(one Recorded) bool { return !one.Erased })
	}
	return last == 0 || lost && (t.Ended == nil || recordForm(t.Ended.Body) < RecordForm)
}

// recordForm is how much the hash over the record of a run covers, as its entry says.
func recordForm(body json.RawMessage) int {
	var b struct {
		Form int `json:"record_form"`
	}
	_ = json.Unmarshal(body, &b) // a body that is none is said elsewhere
	return b.Form
}
