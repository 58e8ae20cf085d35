package desk

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/run"
)

// quarrelled makes a run of Alice's that cites S1, with which S2, that it read too, disagrees.
func quarrelled() *office {
	o := newOffice()
	o.run = &run.Run{ID: "r", Tenant: "acme", Actor: "alice", State: run.Completed, Reason: run.Success, Goal: "上海住宿上限是多少"}
	for ref, text := range map[string]string{"S1": "总则。上海住宿上限为每晚650元。", "S2": "上海住宿上限为每晚500元。附则。"} {
		id := corpus.DocumentID("d" + ref)
		o.read(ref, o.put(id, corpus.Key(id), 2, access.StatusPublished, text), text)
	}
	for i := range o.documents {
		o.documents[i].PublishedAt = noon
	}
	for i := range o.evidence {
		o.evidence[i].Span = corpus.Span{Start: 100, End: 100 + len([]rune(o.evidence[i].Excerpt))}
	}
	o.run.Answer = citation.Answer{Text: "上海住宿上限为每晚650元。[S1]", Refs: []string{"S1"}}
	o.run.Notices, o.run.NeedsConfirm = []string{citation.SourcesDisagree}, true
	return o
}

func TestSourcesThatDisagreeAreShownSideBySide(t *testing.T) {
	a, err := quarrelled().desk().Run(t.Context(), alice, "r")
	must(t, err)
	if len(a.Conflicts) != 1 || a.Conflicts[0].Kind != "value" {
		t.Fatalf("conflicts %+v", a.Conflicts)
	}
	type side struct {
		ref, quote string
		span       corpus.Span
		version    int
		published  bool
	}
	var got []side
	for _, s := range a.Conflicts[0].Sides {
		got = append(got, side{s.Ref, s.Quote.Text, s.Quote.Span, s.Version, s.Published.Equal(noon)})
	}
	want := []side{
		{"S1", "上海住宿上限为每晚650元。", corpus.Span{Start: 103, End: 117}, 2, true},
		{"S2", "上海住宿上限为每晚500元。", corpus.Span{Start: 100, End: 114}, 2, true},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(side{})); diff != "" {
		t.Error(diff)
	}
}

func TestADisagreementWithALostSourceIsNotShown(t *testing.T) {
	for _, lost := range []corpus.DocumentID{"dS1", "dS2"} {
		o := quarrelled()
		o.deny(lost)
		a, err := o.desk().Run(t.Context(), alice, "r")
		must(t, err)
		if len(a.Conflicts) != 0 {
			t.Errorf("without %s: %+v", lost, a.Conflicts)
		}
		if !a.Run.NeedsConfirm {
			t.Errorf("without %s the answer needs no confirmation any more", lost)
		}
	}
}

func TestARunThatFoundNoDisagreementShowsNone(t *testing.T) {
	o := quarrelled()
	o.run.Notices = nil
	a, err := o.desk().Run(t.Context(), alice, "r")
	must(t, err)
	if len(a.Conflicts) != 0 {
		t.Errorf("an old answer is dressed in disagreements that were not found then: %+v", a.Conflicts)
	}
}

func TestTheDisagreementsThatARunFoundAreShownWhateverIsFoundNow(t *testing.T) {
	o := quarrelled()
	o.run.Conflicts = []citation.Conflict{
		{Refs: [2]string{"S2", "S1"}, Quotes: [2]string{"附则。", "一格"}, Kind: "words"}, {Refs: [2]string{"S1", "S9"}, Quotes: [2]string{"总则。", "x"}, Kind: "value"},
	}
	a, err := o.desk().Run(t.Context(), alice, "r")
	must(t, err)
	if len(a.Conflicts) != 1 || a.Conflicts[0].Kind != "words" || a.Conflicts[0].Sides[0].Quote.Text != "附则。" || a.Conflicts[0].Sides[0].Ref != "S2" {
		t.Fatalf("%+v", a.Conflicts)
	}
	// What has no place of its own stands in its passage.
	if q := a.Conflicts[0].Sides[1].Quote; q.Text != "一格" || q.Span != o.evidence[slices.IndexFunc(o.evidence, func(e citation.Evidence) bool { return e.Ref == "S1" })].Span {
		t.Errorf("%+v", q)
	}
	for side := range 2 {
		o.run.Conflicts = []citation.Conflict{{Refs: [2]string{"S2", "S1"}, Quotes: [2]string{"附则。", "一格"}, Kind: "words"}}
		o.run.Conflicts[0].Quotes[side] = ""
		if a, err = o.desk().Run(t.Context(), alice, "r"); err != nil || len(a.Conflicts) != 0 {
			t.Errorf("a side without words is shown: %+v %v", a.Conflicts, err)
		}
	}
	o.run.Conflicts[0].Quotes[1] = "一格"
	o.deny("dS1")
	a, err = o.desk().Run(t.Context(), alice, "r")
	must(t, err)
	if len(a.Conflicts) != 0 || len(a.Run.Conflicts) != 0 {
		t.Errorf("a lost side is shown: %+v %+v", a.Conflicts, a.Run.Conflicts)
	}
}
