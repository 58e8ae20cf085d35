package desk

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// answered makes a run of Alice's that cites S1 and S2, has read S3, and has found a fourth.
func answered() *office {
	o := newOffice()
	o.run = &run.Run{ID: "r", Tenant: "acme", Actor: "alice", State: run.Completed, Reason: run.Success}
	o.tell(event.RunCreated, map[string]any{})
	o.tell(event.ToolStarted, map[string]any{"args": map[string]any{"query": "the question"}})
	for i := 1; i <= 3; i++ {
		id := corpus.DocumentID(fmt.Sprint("d", i))
		d := o.put(id, corpus.Key(id), 1, access.StatusPublished, "")
		o.read(fmt.Sprint("S", i), d, fmt.Sprintf("Canary%d is here.", i))
		o.tell(event.ToolStarted, map[string]any{"args": map[string]any{"query": fmt.Sprintf("Canary%d again", i)}, "tool": "search_knowledge"})
	}
	d4 := o.put("d4", "d4", 1, access.StatusPublished, "")
	o.run.Hits = []tool.Hit{{Document: "d1", Title: "old title"}, {Document: "d4", Version: 1, Title: d4.Title}, {Document: "d4"}}
	o.run.Answer = citation.Answer{
		Text: "Canary1 holds [S1]. Canary2 holds [S2]. And so Canary3.", Refs: []string{"S1", "S2"},
		Sections: citation.Sections{Conclusion: "Canary1 holds [S1].", Basis: "Canary2 holds [S2]."},
	}
	o.run.Checks = []citation.Check{
		{Sentence: "Canary1 holds [S1].", Labels: []string{"S1"}, Verdict: citation.Supported, Quote: "Canary1 is here."},
		{Sentence: "Canary2 holds [S2].", Labels: []string{"S2"}, Verdict: citation.Supported, Quote: "Canary2 is here."},
		{Sentence: "And so Canary3.", Verdict: citation.NotSupported},
	}
	o.tell(event.AnswerDelta, map[string]any{"answer_id": "a", "offset": 0, "chars": len(o.run.Answer.Text)})
	o.tell(event.Completed, map[string]any{"state": run.Completed, "finish_reason": run.Success})
	return o
}

func refs(list []Source) (out []string) {
	for _, s := range list {
		if s.Withheld {
			out = append(out, s.Ref+" withheld")
		} else {
			out = append(out, s.Ref+" "+string(s.Now))
		}
	}
	return out
}

func TestWholeAnswerIsShownWhileAllIsReadable(t *testing.T) {
	o := answered()
	a, err := o.desk().Run(t.Context(), alice, "r")
	must(t, err)
	if diff := cmp.Diff(o.run.Answer, a.Run.Answer); diff != "" || a.Reduced || len(a.Run.Checks) != 3 {
		t.Errorf("reduced %v, checks %d: %s", a.Reduced, len(a.Run.Checks), diff)
	}
	if diff := cmp.Diff([]string{"S1 published", "S2 published"}, refs(a.Cited)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"S3 published"}, refs(a.Read)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Found{{Document: "d4", Title: "Title of d4", Version: 1}}, a.Found); diff != "" {
		t.Error(diff)
	}
}

func TestLosingOneSourceLeavesTheSentencesOfTheOthers(t *testing.T) {
	o := answered()
	o.deny("d2")
	o.deny("d4")
	a, err := o.desk().Run(t.Context(), alice, "r")
	must(t, err)
	if a.Run.Answer.Text != "Canary1 holds [S1]." || !a.Reduced || a.Run.Answer.Sections.Basis != "" || len(a.Run.Checks) != 1 || a.Found != nil {
		t.Errorf("%+v", a)
	}
	if diff := cmp.Diff([]string{"S1 published", "S2 withheld"}, refs(a.Cited)); diff != "" {
		t.Error(diff)
	}
	if a.Cited[1].Excerpt != "" || a.Cited[1].Document != "" || a.Cited[1].Title != "" {
		t.Errorf("a withheld source tells %+v", a.Cited[1])
	}
	if o.run.Answer.Text == a.Run.Answer.Text {
		t.Error("the stored run was changed")
	}
}

// A sentence that cites nothing may have been written from what was read and not cited.
func TestLosingAnUncitedSourceTakesTheUncitedSentences(t *testing.T) {
	o := answered()
	o.deny("d3")
	a, err := o.desk().Run(t.Context(), alice, "r")
	must(t, err)
	if strings.Contains(a.Run.Answer.Text, "Canary3") || !strings.Contains(a.Run.Answer.Text, "Canary2 holds [S2].") || !a.Reduced {
		t.Errorf("%q", a.Run.Answer.Text)
	}
}

func TestInsufficientAnswerAndWhatItMissesGoWithTheirSource(t *testing.T) {
	o := answered()
	o.run.State, o.run.Reason = run.InsufficientEvidence, run.Insufficient
	o.run.Answer = citation.Answer{Text: "Canary1 does not settle this.", Insufficient: true, Missing: []string{"more of Canary1"}}
	o.events[len(o.events)-1] = event.New(event.Completed, map[string]any{"missing": 1})
	o.events[len(o.events)-1].Sequence = int64(len(o.events))
	a, err := o.desk().Run(t.Context(), alice, "r")
	must(t, err)
	if len(a.Run.Answer.Missing) != 1 {
		t.Fatalf("%+v", a.Run.Answer)
	}
	missing := func() string {
		events, closed, err := o.desk().Events(t.Context(), alice, "r", 0, 100)
		must(t, err)
		if !closed {
			t.Error("the closing event does not close")
		}
		return string(events[len(events)-1].Data)
	}
	if got := missing(); got != `{"missing":["more of Canary1"]}` {
		t.Error(got)
	}
	o.deny("d1")
	a, err = o.desk().Run(t.Context(), alice, "r")
	must(t, err)
	if a.Run.Answer.Text != "" || a.Run.Answer.Missing != nil || !a.Reduced {
		t.Errorf("%+v", a.Run.Answer)
	}
	if got := missing(); got != `{"missing":[]}` {
		t.Error(got)
	}
}

func TestArchivedSourceStaysReadableAndAsksForConfirmation(t *testing.T) {
	o := answered()
	o.documents[0].Status = access.StatusArchived
	a, err := o.desk().Run(t.Context(), alice, "r")
	must(t, err)
	if a.Reduced || !a.Run.NeedsConfirm || a.Cited[0].Now != access.StatusArchived || a.Cited[0].Excerpt == "" {
		t.Errorf("%+v", a)
	}
}

// Whatever was lost, nothing of it is in the run or in any event, and all of the rest that is
// cited on its own is.
func TestNothingOfALostSourceIsTold(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := answered()
		lost := map[int]bool{}
		for i := 1; i <= 3; i++ {
			if rapid.Bool().Draw(rt, "lost") {
				lost[i] = true
				o.deny(corpus.DocumentID(fmt.Sprint("d", i)))
			}
		}
		o.moved = rapid.IntRange(0, 5).Draw(rt, "directory changes")
		a, err := o.desk().Run(t.Context(), alice, "r")
		must(t, err)
		events, _, err := o.desk().Events(t.Context(), alice, "r", 0, 100)
		must(t, err)
		account, err := json.Marshal([]any{a.Run.Answer, a.Run.Checks, a.Cited, a.Read, a.Found})
		must(t, err)
		var stream strings.Builder
		for i, e := range events {
			if e.Sequence != int64(i+1) {
				rt.Fatalf("event %d has number %d", i+1, e.Sequence)
			}
			stream.Write(e.Data)
		}
		for i := 1; i <= 3; i++ {
			canary := fmt.Sprint("Canary", i)
			if lost[i] && (strings.Contains(string(account), canary) || strings.Contains(stream.String(), canary)) {
				rt.Fatalf("%s is lost and told:\n%s\n%s", canary, account, stream.String())
			}
			if !lost[i] && !strings.Contains(string(account), canary+" is here.") {
				rt.Fatalf("%s is readable and not told: %s", canary, account)
			}
		}
		for i := 1; i <= 2; i++ {
			if !lost[i] && !strings.Contains(a.Run.Answer.Text, fmt.Sprintf("Canary%d holds", i)) {
				rt.Fatalf("the sentence of S%d is gone: %q", i, a.Run.Answer.Text)
			}
		}
	})
}

func TestRunsOfOthersAreNotThere(t *testing.T) {
	o := answered()
	for _, actor := range []access.Actor{{Tenant: "acme", User: "bob"}, {Tenant: "globex", User: "alice"}, {}} {
		_, err := o.desk().Run(t.Context(), actor, "r")
		_, err2 := o.desk().Source(t.Context(), actor, "r", "S1")
		_, err3 := o.desk().Resume(t.Context(), actor, "r", "r:1")
		_, _, err4 := o.desk().Events(t.Context(), actor, "r", 0, 10)
		for _, err := range []error{err, err2, err3, err4} {
			if !problem.Is(err, problem.NotFound) {
				t.Errorf("%+v: %v", actor, err)
			}
		}
	}
}

func TestSuspendedActorReadsNothing(t *testing.T) {
	o := answered()
	o.snap.Identity.Suspended = true
	if _, err := o.desk().Run(t.Context(), alice, "r"); !problem.Is(err, problem.NotFound) {
		t.Error(err)
	}
	if _, err := o.desk().Me(t.Context(), alice); !problem.Is(err, problem.NotFound) {
		t.Error(err)
	}
}

func TestRightsThatNeverSettleAreUnavailable(t *testing.T) {
	o := answered()
	o.moved = 1000
	if _, err := o.desk().Run(t.Context(), alice, "r"); !problem.Is(err, problem.Unavailable) {
		t.Error(err)
	}
}
