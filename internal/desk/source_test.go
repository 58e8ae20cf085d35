package desk

import (
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
)

func TestDifferenceOfAPassage(t *testing.T) {
	for _, c := range []struct {
		name, excerpt, text string
		want                Difference
	}{
		{"the same", "The limit is 650 yuan.", "Rules. The limit is 650 yuan. More.", Unchanged},
		{"other white space", "The limit\nis 650 yuan.", "The limit is  650 yuan.", Unchanged},
		{"another number", "The lodging limit is 500 yuan a night.", "The lodging limit is 650 yuan a night.", Changed},
		{"另一个数", "上海地区住宿标准为每晚 500 元，超出部分自理。", "上海地区住宿标准为每晚 650 元，超出部分自理。", Changed},
		{"same place", "上海地区住宿标准为每晚 500 元。", "第二章\n上海地区住宿标准为每晚500元。", Unchanged},
		{"moved and cut", "First sentence stays here. Second sentence goes away entirely.", "Other. First sentence stays here.", Changed},
		{"gone", "The lodging limit is 500 yuan a night.", "Printers stand on the third floor.", Removed},
		{"不见了", "上海地区住宿标准为每晚 500 元。", "打印机在三楼。", Removed},
		{"short and there", "500 元", "每晚 500 元", Unchanged},
		{"short and gone", "500 元", "每晚 650 元", Removed},
		{"empty text", "The limit is 650 yuan.", "", Removed},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := compareText(c.excerpt, c.text); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestPassageInsideATextIsUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, excerpt, after := rapid.String().Draw(t, "before"), rapid.String().Draw(t, "excerpt"), rapid.String().Draw(t, "after")
		text := before + strings.Join(strings.Fields(excerpt), "\n\t ") + after
		if got := compareText(excerpt, text); got != Unchanged {
			t.Fatalf("%s", got)
		}
	})
}

func TestSourceSaysWhatBecameOfItsVersion(t *testing.T) {
	o := newOffice()
	o.run = &run.Run{ID: "r", Tenant: "acme", Actor: "alice", State: run.Completed}
	old := o.put("v1", "travel", 1, access.StatusPublished, "The lodging limit is 500 yuan.")
	o.read("S1", old, "The lodging limit is 500 yuan.")
	current := func() Current {
		opened, err := o.desk().Source(t.Context(), alice, "r", "S1")
		must(t, err)
		if opened.Evidence.Excerpt != "The lodging limit is 500 yuan." || opened.Cited {
			t.Errorf("%+v", opened)
		}
		return opened.Current
	}
	if diff := cmp.Diff(Current{Status: access.StatusPublished, Document: "v1", Version: 1, Change: Unchanged}, current()); diff != "" {
		t.Error(diff)
	}
	o.documents[0].Status = access.StatusArchived
	if diff := cmp.Diff(Current{Status: access.StatusArchived}, current()); diff != "" {
		t.Errorf("with no published version: %s", diff)
	}
	o.put("v2", "travel", 2, access.StatusPublished, "The lodging limit is 650 yuan.")
	if diff := cmp.Diff(Current{Status: access.StatusArchived, Document: "v2", Version: 2, Change: Changed}, pure(current())); diff != "" {
		t.Error(diff)
	}
	o.deny("v2")
	if diff := cmp.Diff(Current{Status: access.StatusArchived}, current()); diff != "" {
		t.Errorf("with an invisible newer version: %s", diff)
	}
	o.deny("v1")
	for _, ref := range []string{"S1", "S2", ""} {
		if _, err := o.desk().Source(t.Context(), alice, "r", ref); !problem.Is(err, problem.NotFound) {
			t.Errorf("%q: %v", ref, err)
		}
	}
}

// pure is what became of a passage without where and how.
func pure(c Current) Current {
	c.Span, c.Lines, c.Numbers = corpus.Span{}, nil, nil
	return c
}

func TestPlaceInTheEventsIsChecked(t *testing.T) {
	o := answered()
	last := int64(len(o.events))
	for id, want := range map[string]Position{
		"": {}, "0": {}, "r:0": {}, "r:1": {After: 1}, "3": {After: 3}, o.events[last-1].ID(): {After: last, Over: true},
	} {
		got, err := o.desk().Resume(t.Context(), alice, "r", id)
		if err != nil || got != want {
			t.Errorf("%q: %+v %v, want %+v", id, got, err, want)
		}
	}
	for _, id := range []string{"r:99", "99", "x:1", "-1", "r:", "1e1", "99999999999999999999"} {
		if _, err := o.desk().Resume(t.Context(), alice, "r", id); problem.CodeOf(err) != "invalid_last_event_id" {
			t.Errorf("%q: %v", id, err)
		}
	}
	// A run that goes on after its closing event has more to tell.
	o.run.State = run.Running
	if got, err := o.desk().Resume(t.Context(), alice, "r", o.events[last-1].ID()); err != nil || got.Over {
		t.Errorf("%+v %v", got, err)
	}
	o.run.State = run.Completed
	o.tell(event.Resumed, map[string]any{})
	if got, err := o.desk().Resume(t.Context(), alice, "r", o.events[last-1].ID()); err != nil || got.Over {
		t.Errorf("after a resume: %+v %v", got, err)
	}
}

func TestDeltaOutsideTheAnswerIsWithheld(t *testing.T) {
	o := answered()
	for _, data := range []map[string]any{
		{"offset": 0, "chars": 10_000}, {"offset": -1, "chars": 3}, {"offset": 2, "chars": -1}, {"offset": "x", "chars": 1},
	} {
		o.tell(event.AnswerDelta, data)
	}
	events, _, err := o.desk().Events(t.Context(), alice, "r", int64(len(o.events)-4), 10)
	must(t, err)
	for _, e := range events {
		if strings.Contains(string(e.Data), "text") || !strings.Contains(string(e.Data), `"withheld":true`) {
			t.Errorf("%s", e.Data)
		}
	}
}

// The places of a reduced answer are not those that the deltas were counted in.
func TestDeltasOfAReducedAnswerAreWithheld(t *testing.T) {
	o := answered()
	o.tell(event.AnswerDelta, map[string]any{"offset": 0, "chars": 3})
	o.deny("d1")
	events, _, err := o.desk().Events(t.Context(), alice, "r", int64(len(o.events)-1), 10)
	must(t, err)
	if got := string(events[0].Data); got != `{"chars":3,"offset":0,"withheld":true}` {
		t.Error(got)
	}
}

func TestPiecesOfTheAnswerJoinToTheWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := newOffice()
		text := []rune(rapid.StringN(1, 40, -1).Draw(rt, "answer"))
		o.run = &run.Run{ID: "r", Tenant: "acme", Actor: "alice", State: run.Completed}
		o.run.Answer.Text = string(text)
		for at := 0; at < len(text); {
			n := rapid.IntRange(1, len(text)-at).Draw(rt, "chars")
			o.tell(event.AnswerDelta, map[string]any{"offset": at, "chars": n})
			at += n
		}
		events, _, err := o.desk().Events(t.Context(), alice, "r", 0, 100)
		must(t, err)
		var joined strings.Builder
		for _, e := range events {
			var d struct {
				Text string `json:"text"`
			}
			must(t, jsonInto(e.Data, &d))
			joined.WriteString(d.Text)
		}
		if joined.String() != string(text) {
			rt.Fatalf("%q, want %q", joined.String(), string(text))
		}
	})
}

func TestPlaceOfAPassageInItsOwnVersion(t *testing.T) {
	const text = "一二三 four five. 一二三 six."
	e := func(start, end int, excerpt string) citation.Evidence {
		return citation.Evidence{Span: corpus.Span{Start: start, End: end}, Excerpt: excerpt}
	}
	for _, c := range []struct {
		name string
		e    citation.Evidence
		want corpus.Span
		ok   bool
	}{
		{"where it was read", e(15, 18, "一二三"), corpus.Span{Start: 15, End: 18}, true},
		{"elsewhere, once", e(0, 3, "four"), corpus.Span{Start: 4, End: 8}, true},
		{"without a place", e(0, 0, "six."), corpus.Span{Start: 19, End: 23}, true},
		{"twice, and not where it was read", e(1, 4, "一二三"), corpus.Span{}, false},
		{"not there", e(0, 3, "seven"), corpus.Span{}, false},
		{"nothing", e(0, 0, ""), corpus.Span{}, false},
		{"beyond the end", e(19, 99, "six."), corpus.Span{Start: 19, End: 23}, true},
		{"before the beginning", e(-4, 2, "six."), corpus.Span{Start: 19, End: 23}, true},
	} {
		if got, ok := placeOf(text, c.e); got != c.want || ok != c.ok {
			t.Errorf("%s: %v %v, want %v %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

func TestWhatBecameOfAPassageIsToldWithItsNumbers(t *testing.T) {
	const old = "Taxis cost 500 yuan.\n\nThe limit is 500 yuan.\n\nMeals are extra."
	place := func(text, piece string) citation.Evidence {
		before, _, _ := strings.Cut(text, piece)
		start := len([]rune(before))
		return citation.Evidence{Excerpt: piece, Span: corpus.Span{Start: start, End: start + len([]rune(piece))}}
	}
	for _, c := range []struct {
		name, excerpt, now string
		want               Difference
		lines, numbers     int
	}{
		{"moved", "The limit is 500 yuan.", "The limit is 500 yuan.\n\nMeals are extra.\n\nTaxis cost 500 yuan.", Unchanged, 0, 0},
		{"changed", "The limit is 500 yuan.", "Taxis cost 500 yuan.\n\nThe limit is 650 yuan.\n\nMeals are extra.", Changed, 2, 1},
		{"the same words elsewhere", "limit is 500 yuan", "Taxis cost 500 yuan.\n\nThe limit is 650 yuan.\n\nMeals are extra.", Changed, 2, 1},
		{"cut up in another way", "The limit is 500 yuan.\n\nMeals are extra.", "Taxis cost 500 yuan. The limit is 500 yuan. Meals are extra.", Unchanged, 0, 0},
		{"gone", "Meals are extra.", "Taxis cost 500 yuan.\n\nThe limit is 500 yuan.", Removed, 1, 0},
	} {
		var got Current
		got.become(corpus.Text{Text: old}, corpus.Text{Text: c.now}, place(old, c.excerpt))
		if got.Change != c.want || len(got.Lines) != c.lines || len(got.Numbers) != c.numbers {
			t.Errorf("%s: %+v, want %s with %d lines and %d numbers", c.name, got, c.want, c.lines, c.numbers)
		}
	}
}
