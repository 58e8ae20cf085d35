package draft

import (
	"encoding/json"
	"slices"

	"github.com/kaoju/kaoju/internal/canonical"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

// SavedBody is what the ledger keeps of a saved version: ids, numbers and hashes, and no text.
func (d Draft) SavedBody() map[string]any {
	cited := []map[string]any{}
	for _, c := range d.Cited {
		cited = append(cited, map[string]any{"ref": c.Ref, "document": c.Document, "version": c.Version, "excerpt_hash": c.Hash})
	}
	verdicts := map[citation.Verdict]int{}
	for _, c := range d.Checks {
		verdicts[c.Verdict]++
	}
	return map[string]any{
		"form": ledger.SecondForm, "draft": d.ID, "version": d.No, "body_hash": d.Hash, "title_hash": d.TitleHash(), "cited": cited, "checks": verdicts,
	}
}

// SavedIn reports whether an entry of the ledger is that of the saving of this version.
func (d Draft) SavedIn(e ledger.Entry) bool {
	no, ok := number(e, d.ID)
	return ok && no == d.No
}

// number is that of the version of a draft of whose saving an entry tells.
func number(e ledger.Entry, id ID) (no int, ok bool) {
	var body struct {
		Draft   ID  `json:"draft"`
		Version int `json:"version"`
	}
	ok = e.Kind == ledger.DraftSaved && json.Unmarshal(e.Body, &body) == nil && body.Draft == id
	return body.Version, ok
}

// Hold holds a version as it is stored against the body of the ledger's entry of its saving. Erased says
// that something was erased which the run had read: otherwise nothing of the version can have been.
func Hold(d Draft, body json.RawMessage, erased bool) (out run.Integrity) {
	var was map[string]json.RawMessage
	if json.Unmarshal(body, &was) != nil {
		return run.Integrity{Problems: []string{run.EntryOther}}
	}
	emptied := erased && d.Body == "" && d.Nonce == ""
	had := d.Hash
	if !emptied {
		d.Hash = seal.Seal{Key: d.Nonce}.Hash("body", d.Body)
	}
	now := d.SavedBody()
	older := len(was["form"]) == 0
	if older {
		out.Unproved = append(out.Unproved, run.OlderForm)
		delete(now, "form")
	}
	names := []string{}
	for name := range now {
		names = append(names, name)
	}
	for name := range was {
		if _, ok := now[name]; !ok {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(slices.Values(names)) {
		same := equal(was[name], now[name]) && (name != "body_hash" || had == d.Hash)
		switch {
		case same:
		case emptied && (name == "title_hash" && d.Title == "" || name == "checks" && len(d.Checks) == 0):
			out.Unproved = append(out.Unproved, run.Withheld)
		default:
			out.Problems = append(out.Problems, name)
		}
	}
	if emptied {
		out.Unproved = append(out.Unproved, run.Withheld)
	}
	slices.Sort(out.Unproved)
	out.Unproved = slices.Compact(out.Unproved)
	return out
}

// equal compares a member of an entry with what it would be now, in the one form of both.
func equal(was json.RawMessage, now any) bool {
	if len(was) == 0 {
		return false
	}
	a, errA := canonical.Marshal(was)
	b, errB := canonical.Marshal(now)
	return errA == nil && errB == nil && string(a) == string(b)
}
