package desk

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

func TestRecordingsThatErasingEmptiedAreNotSuspected(t *testing.T) {
	o := recordedRun()
	for i := range o.tape {
		o.tape[i].Recording, o.tape[i].Erased = run.Recording{}, true
	}
	o.run.Seal = o.run.Seal.Anew(run.NameGoal, run.NameAnswer)
	o.reduce(4)
	o.deny("d3") // as an erased version is there for nobody
	if _, why := shownTo(t, o); why.Integrity.Changed() || !why.TapeHolds || why.Integrity.Verified() {
		t.Errorf("%+v", why.Integrity)
	}
}

func TestAnAnswerThatWasChangedIsNotExported(t *testing.T) {
	for name, change := range map[string]func(*office){
		"answer":  func(o *office) { o.run.Answer.Text += " 121" },
		"excerpt": func(o *office) { o.evidence[0].Excerpt = "121" },
		"entry":   func(o *office) { o.entries[3].Kind = ledger.Security },
		"emptied": func(o *office) { o.run.Answer.Text = "" },
	} {
		o := recordedRun()
		if doc, err := o.desk().ExportRun(t.Context(), alice, "r"); err != nil || doc.Body != o.run.Answer.Text {
			t.Fatalf("as it was: %+v %v", doc, err)
		}
		change(o)
		if doc, err := o.desk().ExportRun(t.Context(), alice, "r"); problem.CodeOf(err) != "record_changed" || doc.Body != "" {
			t.Errorf("%s: %+v %v", name, doc, err)
		}
	}
}

func TestAPassageThatWasChangedIsNotRendered(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*office)
		code   string
	}{
		"nothing":         {func(*office) {}, ""},
		"another passage": {func(o *office) { o.evidence[1].Excerpt = "121" }, ""},
		"excerpt":         {func(o *office) { o.evidence[0].Excerpt = "121" }, "record_changed"},
		"entry":           {func(o *office) { o.entries[3].Kind = ledger.Security }, "record_changed"},
	} {
		o := recordedRun()
		c.change(o)
		d := o.desk()
		d.deps.Texts = revoking{textStore{office: o}, func() {}}
		html, err := d.Excerpt(t.Context(), alice, "r", "S1")
		if refused := c.code != ""; refused != (html == "") || refused != (err != nil) || refused && problem.CodeOf(err) != c.code {
			t.Errorf("%s: %q %v", name, html, err)
		}
	}
}

func TestAPassageIsHeldByItself(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*office)
		want   run.Integrity
	}{
		"nothing":         {change: func(*office) {}},
		"excerpt":         {change: func(o *office) { o.evidence[0].Excerpt = "121" }, want: run.Integrity{Problems: []string{"evidence/S1"}}},
		"title":           {change: func(o *office) { o.evidence[0].Title = "x" }, want: run.Integrity{Problems: []string{"evidence/S1"}}},
		"another passage": {change: func(o *office) { o.evidence[1].Excerpt = "121" }},
		"answer":          {change: func(o *office) { o.run.Answer.Text = "121" }},
		"entry":           {change: func(o *office) { o.entries[3].Kind = ledger.Security }, want: run.Integrity{Problems: []string{run.EntryGone}}},
		"another is lost": {change: func(o *office) { o.deny("d2") }},
		"under way":       {change: func(o *office) { o.resumed() }, want: run.Integrity{Unproved: []string{run.NotEnded}}},
		"as if under way": {change: func(o *office) { o.run.State, o.evidence[0].Excerpt = run.Running, "x" }, want: run.Integrity{Problems: []string{"evidence/S1"}}},
		"changed under way": {change: func(o *office) { o.resumed(); o.evidence[0].Excerpt = "x" },
			want: run.Integrity{Problems: []string{"evidence/S1"}, Unproved: []string{run.NotEnded}}},
	} {
		o := recordedRun()
		c.change(o)
		got, err := o.desk().Source(t.Context(), alice, "r", "S1")
		if diff := cmp.Diff(c.want, got.Integrity); err != nil || diff != "" {
			t.Errorf("%s: %s %v", name, diff, err)
		}
		if got.Evidence.Excerpt != o.evidence[0].Excerpt {
			t.Errorf("%s: it is not shown: %+v", name, got)
		}
	}
}

func TestAPassageOfAnEarlierRunIsHeldAsFarAsItsEntryGoes(t *testing.T) {
	for ref, changed := range map[string][]string{"S1": {"citations", "evidence/S1"}, "S3": {"evidence/S3"}} {
		o := olderRun()
		i := slices.Index([]string{"S1", "S2", "S3"}, ref)
		for _, want := range [][]string{nil, changed} {
			got, err := o.desk().Source(t.Context(), alice, "r", ref)
			if diff := cmp.Diff(run.Integrity{Problems: want, Unproved: []string{run.OlderForm}}, got.Integrity); err != nil || diff != "" {
				t.Errorf("%s: %s %v", ref, diff, err)
			}
			o.evidence[i].Excerpt = "121"
		}
	}
}

func TestAVersionOfADraftThatWasChangedIsSaidAndNotCopied(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*office, *draft.Draft)
		want   string
	}{
		"body":            {func(_ *office, v *draft.Draft) { v.Body += " 121" }, "body_hash"},
		"body and hash":   {func(_ *office, v *draft.Draft) { v.Body = "121"; v.Version = v.Hashed() }, "body_hash"},
		"hash":            {func(_ *office, v *draft.Draft) { v.Hash = "x" }, "body_hash"},
		"title":           {func(_ *office, v *draft.Draft) { v.Title = "x" }, "title_hash"},
		"checks":          {func(_ *office, v *draft.Draft) { v.Checks = nil }, "checks"},
		"what it cites":   {func(_ *office, v *draft.Draft) { v.Cited = []draft.Cited{{Ref: "S9"}} }, "cited"},
		"emptied":         {func(_ *office, v *draft.Draft) { v.Title, v.Body, v.Nonce = "", "", "" }, "body_hash"},
		"run":             {func(o *office, _ *draft.Draft) { o.run.Goal = "x" }, "run/goal_hash"},
		"passage":         {func(o *office, _ *draft.Draft) { o.evidence[0].Excerpt = "121" }, "evidence/S1"},
		"entry is gone":   {func(o *office, _ *draft.Draft) { o.entries[len(o.entries)-1].Kind = ledger.Security }, run.EntryGone},
		"entry's hash":    {func(o *office, _ *draft.Draft) { o.entries[len(o.entries)-1].Hash = "x" }, run.EntryOther},
		"run's entry":     {func(o *office, _ *draft.Draft) { o.entries[0].Hash = "x" }, "run/entry"},
		"run's end, lost": {func(o *office, _ *draft.Draft) { o.entries[0].Kind = ledger.Security }, "run/entry_missing"},
	} {
		o, d, s := drafting()
		_, err := d.SaveDraft(t.Context(), alice, "r", DraftChange{})
		must(t, err)
		if v, err := d.Draft(t.Context(), alice, "draft_1", 0); err != nil || !v.Integrity.Verified() {
			t.Fatalf("as it was: %+v %v", v.Integrity, err)
		}
		c.change(o, &s.versions[0])
		v, err := d.Draft(t.Context(), alice, "draft_1", 0)
		if err != nil || v.Integrity == nil || !slices.Contains(v.Integrity.Problems, c.want) || v.Body != s.versions[0].Body {
			t.Errorf("%s: %+v %v", name, v.Integrity, err)
		}
		if doc, err := d.ExportDraft(t.Context(), alice, "draft_1", 0); problem.CodeOf(err) != "record_changed" || doc.Body != "" {
			t.Errorf("%s: exported %+v %v", name, doc, err)
		}
		text := "Another text."
		if _, err := d.EditDraft(t.Context(), alice, "draft_1", DraftChange{Body: &text}); problem.CodeOf(err) != "record_changed" || len(s.versions) != 1 {
			t.Errorf("%s: saved again: %v", name, err)
		}
	}
}

func TestAnAnswerThatWasChangedBecomesNoDraft(t *testing.T) {
	o, d, s := drafting()
	o.run.Answer.Text += " 121"
	if _, err := d.SaveDraft(t.Context(), alice, "r", DraftChange{}); problem.CodeOf(err) != "record_changed" || len(s.versions) != 0 {
		t.Errorf("%v, %+v", err, s.versions)
	}
}

func TestADraftThatErasingEmptiedIsNotSuspected(t *testing.T) {
	o, d, s := drafting()
	_, err := d.SaveDraft(t.Context(), alice, "r", DraftChange{})
	must(t, err)
	o.deny("d1")
	o.run.Seal, o.run.Answer.Text, o.run.Checks, o.run.Notices = o.run.Seal.Anew(run.NameGoal), "", nil, []string{run.Erased}
	o.reduce(0)
	v := &s.versions[0]
	v.Title, v.Body, v.Nonce, v.Checks = "", "", "", nil
	got, err := d.Draft(t.Context(), alice, "draft_1", 0)
	must(t, err)
	if diff := cmp.Diff(&run.Integrity{Unproved: []string{run.Withheld}}, got.Integrity); diff != "" {
		t.Error(diff)
	}
	// What is written in the place of an erased text is none.
	v.Body = "121"
	if got, err = d.Draft(t.Context(), alice, "draft_1", 0); err != nil || !slices.Contains(got.Integrity.Problems, "body_hash") {
		t.Errorf("%+v %v", got.Integrity, err)
	}
}
