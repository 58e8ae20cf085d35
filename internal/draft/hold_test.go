package draft_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

// saved is a version with the body of its entry.
func saved(t *testing.T) (draft.Draft, json.RawMessage) {
	t.Helper()
	d := draft.Draft{ID: "draft_1", Newest: 2, Version: draft.Version{
		No: 2, Title: "差旅", Body: "上限120元 [S1]", Cited: []draft.Cited{{Ref: "S1", Document: "d1", Version: 1, Hash: "h"}},
		Checks: []citation.Check{{Sentence: "s", Verdict: citation.Supported}},
	}.Hashed()}
	return d, entryOf(t, d.SavedBody())
}

func entryOf(t *testing.T, body map[string]any) json.RawMessage {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAVersionIsHeldByTheEntryOfItsOwnSaving(t *testing.T) {
	d, body := saved(t)
	if held := draft.Hold(d, body, false); !held.Verified() {
		t.Errorf("%+v", held)
	}
	for _, e := range []struct {
		entry ledger.Entry
		own   bool
	}{
		{ledger.Entry{Kind: ledger.DraftSaved, Body: body}, true}, {ledger.Entry{Kind: ledger.RunEnded, Body: body}, false},
		{ledger.Entry{Kind: ledger.DraftSaved, Body: json.RawMessage(`{"draft":"draft_1","version":1}`)}, false},
		{ledger.Entry{Kind: ledger.DraftSaved, Body: json.RawMessage(`{"draft":"draft_2","version":2}`)}, false}, {ledger.Entry{Kind: ledger.DraftSaved}, false},
	} {
		if got := d.SavedIn(e.entry); got != e.own {
			t.Errorf("%s %s: %v", e.entry.Kind, e.entry.Body, got)
		}
	}
	for _, other := range []string{``, `[]`, `{}`, `{"form":2}`} {
		if held := draft.Hold(d, json.RawMessage(other), false); !held.Changed() {
			t.Errorf("%q: %+v", other, held)
		}
	}
}

func TestAnEntryWithMoreThanAVersionTellsOfIsAnother(t *testing.T) {
	d, _ := saved(t)
	more := d.SavedBody()
	more["tail"] = 1
	if held := draft.Hold(d, entryOf(t, more), false); !slices.Contains(held.Problems, "tail") {
		t.Errorf("%+v", held)
	}
}

func TestAVersionOfTheEarlierFormIsHeldByPlainHashes(t *testing.T) {
	d, _ := saved(t)
	d.Nonce, d.Hash = "", seal.Hash("", d.Body)
	older := d.SavedBody()
	delete(older, "form")
	body := entryOf(t, older)
	if diff := cmp.Diff(run.Integrity{Unproved: []string{run.OlderForm}}, draft.Hold(d, body, false)); diff != "" {
		t.Error(diff)
	}
	d.Body = "上限121元 [S1]"
	if held := draft.Hold(d, body, false); !slices.Contains(held.Problems, "body_hash") {
		t.Errorf("%+v", held)
	}
}

func TestOnlyWhereSomethingWasErasedMayAVersionBeEmpty(t *testing.T) {
	d, body := saved(t)
	d.Title, d.Body, d.Nonce, d.Checks = "", "", "", nil
	if diff := cmp.Diff(run.Integrity{Unproved: []string{run.Withheld}}, draft.Hold(d, body, true)); diff != "" {
		t.Error(diff)
	}
	if held := draft.Hold(d, body, false); !cmp.Equal(held.Problems, []string{"body_hash", "checks", "title_hash"}) {
		t.Errorf("%+v", held)
	}
	// The hash that stays is still that of the entry, and what stays is what was cited.
	d.Hash, d.Cited = "x", nil
	if held := draft.Hold(d, body, true); !cmp.Equal(held.Problems, []string{"body_hash", "cited"}) {
		t.Errorf("%+v", held)
	}
}
