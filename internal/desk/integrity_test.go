package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/bundle"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

// shownTo is what Alice is told of the integrity of her run, by both doors.
func shownTo(t *testing.T, o *office) (account Account, why Why) {
	t.Helper()
	account, err := o.desk().Run(context.Background(), alice, "r")
	if err != nil {
		t.Fatal(err)
	}
	if why, err = o.desk().Why(context.Background(), alice, "r"); err != nil {
		t.Fatal(err)
	}
	return account, why
}

func TestARecordAsItWasIsVerifiedByItsEntry(t *testing.T) {
	account, why := shownTo(t, recordedRun())
	if !account.Integrity.Verified() || !why.Integrity.Verified() {
		t.Errorf("%+v, %+v", account.Integrity, why.Integrity)
	}
}

func TestWhateverWasChangedBesideTheProductIsSaidAndShown(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*office)
		want   string
		why    bool // told by Why alone, which alone shows it
	}{
		"question":      {change: func(o *office) { o.run.Goal = "what else?" }, want: "goal_hash"},
		"answer":        {change: func(o *office) { o.run.Answer.Text += " 651" }, want: "answer_hash"},
		"section":       {change: func(o *office) { o.run.Answer.Sections.Conclusion = "x" }, want: "record_hash"},
		"verdict":       {change: func(o *office) { o.run.Checks[0].Verdict = citation.Contradicted }, want: "checks"},
		"quote":         {change: func(o *office) { o.run.Checks[0].Quote = "x" }, want: "record_hash"},
		"state":         {change: func(o *office) { o.run.State = run.Refused }, want: "state"},
		"model":         {change: func(o *office) { o.run.Model.Name = "another" }, want: "model"},
		"call":          {change: func(o *office) { o.run.Calls[0].ResultHash = "x" }, want: "tool_calls"},
		"usage":         {change: func(o *office) { o.run.Usage.Calls = 9 }, want: "usage"},
		"notice":        {change: func(o *office) { o.run.Notices = append(o.run.Notices, "erased") }, want: "record_hash"},
		"times":         {change: func(o *office) { o.run.EndedAt = noon.AddDate(1, 0, 0) }, want: "record_hash"},
		"prompt hash":   {change: func(o *office) { o.run.PromptHash = "x" }, want: "prompt_hash"},
		"seal":          {change: func(o *office) { o.run.Seal.Key = "x" }, want: "answer_hash"},
		"excerpt":       {change: func(o *office) { o.evidence[0].Excerpt = "x" }, want: "evidence/S1"},
		"cited excerpt": {change: func(o *office) { o.evidence[0].Excerpt = "x" }, want: "citations"},
		"title":         {change: func(o *office) { o.evidence[2].Title = "x" }, want: "evidence/S3"},
		"place":         {change: func(o *office) { o.evidence[1].Locator = nil }, want: "evidence/S2"},
		"passage gone":  {change: func(o *office) { o.evidence = o.evidence[:2] }, want: "evidence/S3"},
		"passage more": {change: func(o *office) {
			more := o.evidence[0]
			more.Ref = "S9"
			o.evidence = append(o.evidence, more)
		}, want: "evidence/S9"},
		"emptied as if it were erased": {change: func(o *office) { o.evidence[0].Excerpt, o.evidence[0].Nonce = "", "" }, want: "evidence/S1"},
		"answer beside a kept nonce": {change: func(o *office) {
			o.run.Seal = o.run.Seal.Anew(run.NameGoal)
			o.run.Answer.Text = "another"
		}, want: "answer_hash"},
		"entry":                                  {change: func(o *office) { o.entries[3].Body = json.RawMessage(`{}`) }, want: "entry"},
		"entry's hash":                           {change: func(o *office) { o.entries[3].Hash = strings.Repeat("0", 64) }, want: "entry"},
		"entry's actor":                          {change: func(o *office) { o.entries[3].Actor = "mallory" }, want: "entry"},
		"entry is gone":                          {change: func(o *office) { o.entries[3].Kind = ledger.Security }, want: "entry_missing"},
		"recording":                              {change: func(o *office) { o.tape[0].Altered = true }, want: "recordings", why: true},
		"recording emptied as if it were erased": {change: func(o *office) { o.tape[2].Recording, o.tape[2].Erased = run.Recording{}, true }, want: "recordings", why: true},
		"recording gone":                         {change: func(o *office) { o.tape = o.tape[1:] }, want: "recordings", why: true},
		"event": {change: func(o *office) {
			o.events[len(o.events)-1] = event.New(event.Completed, map[string]any{"state": run.Failed})
			o.events[len(o.events)-1].Attempt, o.events[len(o.events)-1].Sequence = 1, int64(len(o.events))
		}, want: "states", why: true},
	} {
		t.Run(name, func(t *testing.T) {
			o := recordedRun()
			c.change(o)
			account, why := shownTo(t, o)
			if !slices.Contains(why.Integrity.Problems, c.want) {
				t.Errorf("why: %+v", why.Integrity)
			}
			if !c.why && !slices.Contains(account.Integrity.Problems, c.want) {
				t.Errorf("run: %+v", account.Integrity)
			}
			if account.Run.Goal == "" || len(account.Cited) != 2 {
				t.Errorf("it is not shown any more: %+v", account)
			}
			if _, err := o.desk().Bundle(context.Background(), alice, "r"); problem.CodeOf(err) != "record_changed" {
				t.Errorf("what was changed is signed, or refused in other words: %v", err)
			}
			if past, err := o.desk().Past(context.Background(), alice, "r"); err == nil && !past.Integrity.Changed() {
				t.Errorf("a replay is not told: %+v", past.Integrity)
			}
		})
	}
}

func TestWhatErasingTookIsNotProvedAndNotSuspected(t *testing.T) {
	o := recordedRun()
	o.deny("d1") // as an erased version is there for nobody
	o.run.Seal = o.run.Seal.Anew(run.NameGoal)
	o.run.Answer.Text, o.run.Answer.Sections, o.run.Checks = "", citation.Sections{}, nil
	o.run.Notices = []string{"erased"}
	e := &o.evidence[0]
	e.Title, e.Excerpt, e.Nonce, e.Locator = "", "", "", nil
	if account, _ := shownTo(t, o); !account.Integrity.Changed() {
		t.Errorf("an erasure of which the ledger does not tell: %+v", account.Integrity)
	}
	o.reduce(0)
	account, _ := shownTo(t, o)
	if d := cmp.Diff(&run.Integrity{Unproved: []string{run.Withheld}}, account.Integrity); d != "" {
		t.Error(d)
	}
	// The question stayed, and is held against its hash still.
	o.run.Goal = "another"
	if account, _ := shownTo(t, o); !slices.Contains(account.Integrity.Problems, "goal_hash") {
		t.Errorf("%+v", account.Integrity)
	}
}

func TestARunUnderWayAndAnEntryOfTheFirstFormAreNotProved(t *testing.T) {
	o := recordedRun()
	o.run.State = run.Running
	if account, _ := shownTo(t, o); !slices.Contains(account.Integrity.Problems, "state") {
		t.Errorf("the ledger tells of its end: %+v", account.Integrity)
	}
	if _, err := o.desk().Bundle(t.Context(), alice, "r"); problem.CodeOf(err) != "record_changed" {
		t.Errorf("it is bundled: %v", err)
	}
	o.resumed()
	if account, _ := shownTo(t, o); !cmp.Equal(account.Integrity.Unproved, []string{run.NotEnded}) || account.Integrity.Changed() {
		t.Errorf("%+v", account.Integrity)
	}
	old := olderRun()
	account, _ := shownTo(t, old)
	if d := cmp.Diff(&run.Integrity{Unproved: []string{run.OlderForm}}, account.Integrity); d != "" {
		t.Error(d)
	}
	old.run.Answer.Text = "another"
	if account, _ := shownTo(t, old); !slices.Contains(account.Integrity.Problems, "answer_hash") {
		t.Errorf("%+v", account.Integrity)
	}
}

// olderRun is the run as it was recorded before there were nonces.
func olderRun() *office {
	o := recordedRun()
	for i := range o.evidence {
		e := &o.evidence[i]
		e.Nonce, e.Hash = "", seal.Hash("", e.Excerpt)
	}
	o.run.Seal.Key = ""
	o.entries, o.tape, o.run.TapeHash = nil, nil, ""
	o.enter("alice", ledger.RunEnded, "r", run.EndedBody(o.run, o.evidence))
	return o
}

func TestOnesOwnEntriesNameNothingThatIsLost(t *testing.T) {
	ctx := context.Background()
	o := recordedRun()
	o.enter("alice", ledger.HistoryRead, "", json.RawMessage(`{"documents":["d1","d2"]}`))
	o.enter("alice", ledger.DraftSaved, "", json.RawMessage(`{"form":2,"cited":[{"ref":"S1","document":"d1","excerpt_hash":"h"},{"ref":"S3","document":"d3","excerpt_hash":"h"}]}`))
	o.enter("alice", ledger.ProposalMade, "", json.RawMessage(`{"document":"d1","knowledge_base":"kb"}`))
	o.deny("d1")
	d := o.desk()
	page, _, err := d.Ledger(ctx, alice, LedgerFilter{Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	_, why := shownTo(t, o)
	entries := slices.Concat(page, why.Entries)
	for _, e := range page {
		one, err := d.Entry(ctx, alice, e.ID)
		if err != nil {
			t.Fatal(err)
		}
		proved, err := d.Prove(ctx, alice, e.ID, ledger.Latest)
		if err != nil {
			t.Fatal(err)
		}
		// What is withheld one by one leaves the proof whole.
		if _, err := proved.Proof.Verify(d.LedgerKey(), proved.Entry); (err == nil) == strings.HasPrefix(string(proved.Entry.Body), `{"withheld":true}`) {
			t.Errorf("the proof of %s: %v", proved.Entry.Body, err)
		}
		entries = append(entries, one, proved.Entry)
	}
	for _, e := range append(entries, why.Ended.Entry) {
		if bytes.Contains(e.Body, []byte(`"d1"`)) {
			t.Errorf("%s names what is lost: %s", e.Kind, e.Body)
		}
	}
	if !bytes.Contains(why.Ended.Entry.Body, []byte(`"withheld":true`)) || !bytes.Contains(why.Ended.Entry.Body, []byte(`"d2"`)) {
		t.Errorf("what may be seen is not there, or nothing says that something is withheld: %s", why.Ended.Entry.Body)
	}
	raw, err := d.Bundle(ctx, alice, "r")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.Verify(bytes.NewReader(raw), d.LedgerKey()); err != nil || bytes.Contains(raw, []byte(`"d1"`)) {
		t.Errorf("the bundle: %v", err)
	}
	// For auditors the ledger names documents by design.
	o.snap.Identity.Roles = append(o.snap.Identity.Roles, access.Auditor)
	if page, _, err = o.desk().Ledger(ctx, alice, LedgerFilter{RunID: "r", Limit: 50}); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(page, func(e ledger.Entry) bool { return bytes.Contains(e.Body, []byte(`"d1"`)) }) {
		t.Errorf("an auditor does not see which documents were cited: %+v", page)
	}
}

func TestABundleThatWouldNameALostSourceIsNotMade(t *testing.T) {
	o := olderRun()
	if _, err := o.desk().Bundle(context.Background(), alice, "r"); err != nil {
		t.Errorf("with all rights: %v", err)
	}
	o.deny("d1")
	if _, err := o.desk().Bundle(context.Background(), alice, "r"); problem.CodeOf(err) != "not_provable" {
		t.Errorf("without: %v", err)
	}
}
