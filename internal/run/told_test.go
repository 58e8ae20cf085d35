package run_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

// each changes every field below a value, one at a time, calls fn with its name, and puts it back.
func each(v reflect.Value, name string, fn func(string)) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	change := func(to any) {
		v.Set(reflect.ValueOf(to).Convert(v.Type()))
		fn(name)
		v.Set(was)
	}
	switch v.Kind() {
	case reflect.String:
		change(v.String() + "x")
		if v.String() != "" {
			change("")
		}
	case reflect.Bool:
		change(!v.Bool())
	case reflect.Int, reflect.Int64:
		change(v.Int() + 1)
	case reflect.Float64:
		change(v.Float() + 1)
	case reflect.Pointer:
		v.Set(reflect.Zero(v.Type()))
		fn(name)
		v.Set(was)
	case reflect.Interface:
		change(corpus.TextLocator{Format: "md", Line: 4})
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"x": "y"}))
		fn(name)
		v.Set(was)
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.New(v.Type().Elem()).Elem()))
		fn(name + " more")
		v.Set(was)
		for i := range v.Len() {
			each(v.Index(i), fmt.Sprint(name, "/", i), fn)
		}
	case reflect.Struct:
		if at, ok := v.Interface().(time.Time); ok {
			change(at.Add(time.Second))
			return
		}
		for i := range v.NumField() {
			each(v.Field(i), name+"."+v.Type().Field(i).Name, fn)
		}
	case reflect.Array:
		for i := range v.Len() {
			each(v.Index(i), fmt.Sprint(name, "/", i), fn)
		}
	default:
		panic(name + " is of a kind that nothing changes: " + v.Kind().String())
	}
}

// erased is what erasing what S1 is of leaves of a run.
func erased(r *run.Run, evidence []citation.Evidence) {
	r.Seal = r.Seal.Anew(run.NameGoal)
	r.Answer, r.Checks, r.Conflicts, r.Notices = citation.Answer{Refs: r.Answer.Refs}, nil, nil, append(r.Notices, run.Erased)
	r.Hits[0].Title, r.Searches[0].Query = "", ""
	e := &evidence[0]
	e.Title, e.SourceURI, e.Excerpt, e.Context, e.Nonce, e.Segments, e.Locator = "", "", "", "", "", nil, nil
}

// twoRead is endedRun with a second passage.
func twoRead() (*run.Run, []citation.Evidence) {
	r, evidence := endedRun()
	other := evidence[0]
	other.Ref, other.Document, other.Chunks, other.Nonce = "S2", "d2", []corpus.ChunkID{"c1", "c2"}, r.Seal.Nonce(run.NameExcerpt("S2"))
	other.Segments, other.Hash = []corpus.Segment{{Span: corpus.Span{End: 4}, Locator: other.Locator}}, seal.Hash(other.Nonce, other.Excerpt)
	return r, append(evidence, other)
}

func TestWhateverIsChangedOfARunThatEndedIsTold(t *testing.T) {
	for _, name := range []string{"as it ended", "after an erasure", "after two", "after an erasure and an earlier end"} {
		r, evidence := twoRead()
		told := run.Told{Ended: &ledger.Entry{Body: run.EndedBody(r, evidence)}}
		var want run.Integrity
		if strings.Contains(name, "earlier") {
			told.Ended.Body, want.Unproved = run.EndedBodyOf(r, evidence, 0), []string{run.OlderForm}
		}
		if strings.Contains(name, "after") {
			erased(r, evidence)
			told.Reduced = &ledger.Entry{Body: run.ReducedBody(r, evidence, 2, "d1")}
		}
		if name == "after two" {
			r.Seal = r.Seal.Anew(run.NameGoal)
			told.Reduced = &ledger.Entry{Body: run.ReducedBody(r, evidence, 2, "d3")}
		}
		for _, lost := range []bool{false, true} {
			if d := cmp.Diff(want, told.Hold(r, evidence, lost)); d != "" {
				t.Errorf("%s: %s", name, d)
			}
		}
		n := 0
		looked := func(what string) {
			n++
			for _, lost := range []bool{false, true} {
				if held := told.Hold(r, evidence, lost); !held.Changed() {
					t.Errorf("%s, %s (lost: %v): %+v", name, what, lost, held)
				}
			}
		}
		each(reflect.ValueOf(r).Elem(), "Run", looked)
		each(reflect.ValueOf(&evidence).Elem(), "evidence", looked)
		for i := range evidence {
			evidence = slices.Delete(slices.Clone(evidence), i, i+1)
			looked("a passage less")
			_, evidence = twoRead()
			if told.Reduced != nil {
				erased(&run.Run{Hits: slices.Clone(r.Hits), Searches: slices.Clone(r.Searches)}, evidence)
			}
		}
		if n < 100 {
			t.Errorf("%s: only %d changes were made", name, n)
		}
	}
}

// Whoever writes to the database can add to a chain without a key. What is added can't say more than that something
// was erased.
func TestAReductionOnlyEverEmpties(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*run.Run, []citation.Evidence)
		want   string
	}{
		"another answer":   {func(r *run.Run, _ []citation.Evidence) { r.Answer.Text = "651 [S1]" }, "answer_hash"},
		"another verdict":  {func(r *run.Run, _ []citation.Evidence) { r.Checks[0].Verdict = citation.Contradicted }, "checks"},
		"another passage":  {func(r *run.Run, e []citation.Evidence) { e[1].Excerpt = "上限651元" }, "evidence/S2"},
		"another title":    {func(r *run.Run, e []citation.Evidence) { e[1].Title = "x" }, "evidence/S2"},
		"another question": {func(r *run.Run, _ []citation.Evidence) { r.Goal = "x" }, "goal_hash"},
	} {
		r, evidence := twoRead()
		told := run.Told{Ended: &ledger.Entry{Body: run.EndedBody(r, evidence)}}
		c.change(r, evidence)
		told.Reduced = &ledger.Entry{Body: run.ReducedBody(r, evidence, 0, "d1")}
		if held := told.Hold(r, evidence, true); !slices.Contains(held.Problems, c.want) {
			t.Errorf("%s: %+v", name, held)
		}
	}
	r, evidence := twoRead()
	told := run.Told{Ended: &ledger.Entry{Body: run.EndedBody(r, evidence)}, Reduced: &ledger.Entry{Body: json.RawMessage(`[]`)}}
	if held := told.Hold(r, evidence, true); !slices.Equal(held.Problems, []string{run.EntryOther}) {
		t.Errorf("a reduction that can't be read: %+v", held)
	}
}

func TestTheReductionOfARunHasNoTextAndNoPlainHash(t *testing.T) {
	r, evidence := twoRead()
	erased(r, evidence)
	body := string(run.ReducedBody(r, evidence, 2, "d1"))
	for _, word := range []string{r.Goal, "650元", "差旅", seal.Hash("", ""), seal.Hash("", r.Goal), r.Seal.Key} {
		if strings.Contains(body, word) {
			t.Errorf("it says %s: %s", word, body)
		}
	}
	if !strings.Contains(body, `"emptied":{"passages":["S1"],"recordings":2}`) || !strings.Contains(body, `"document":"d1"`) {
		t.Error(body)
	}
}

func TestAPassageOfARunWithoutNoncesIsEmptyOnlyWhereTheLedgerTellsOfIt(t *testing.T) {
	r, evidence := twoRead()
	r.Seal = seal.Seal{}
	for i := range evidence {
		evidence[i].Nonce, evidence[i].Hash = "", seal.Hash("", evidence[i].Excerpt)
	}
	told := run.Told{Ended: &ledger.Entry{Body: run.EndedBody(r, evidence)}}
	erased(r, evidence)
	hold := func(lost bool) run.Integrity { return told.Hold(r, evidence, lost) }
	if held := hold(true); held.Changed() || !slices.Contains(held.Unproved, run.Withheld) {
		t.Errorf("nothing tells: %+v", held)
	}
	if held := hold(false); !slices.Contains(held.Problems, "evidence/S1") {
		t.Errorf("nothing is lost: %+v", held)
	}
	told.Reduced = &ledger.Entry{Body: run.ReducedBody(r, evidence, 0, "d1")}
	if held := hold(true); held.Changed() || !slices.Equal(held.Unproved, []string{run.OlderForm}) {
		t.Errorf("it is told: %+v", held)
	}
	evidence[1].Excerpt = ""
	if held := hold(true); !slices.Equal(held.Problems, []string{"evidence/S2"}) {
		t.Errorf("one more: %+v", held)
	}
}

func TestAReductionIsOfTheEndBeforeIt(t *testing.T) {
	end := func(attempt int) ledger.Entry {
		return ledger.Entry{Kind: ledger.RunEnded, Body: json.RawMessage(fmt.Sprintf(`{"attempt":%d}`, attempt))}
	}
	reduced := func(n int) ledger.Entry {
		return ledger.Entry{Kind: ledger.RunReduced, Body: json.RawMessage(fmt.Sprintf(`{"emptied":{"recordings":%d}}`, n))}
	}
	entries := []ledger.Entry{end(1), reduced(1), {Kind: ledger.RunResumed}, end(2), reduced(2), reduced(3), {Kind: ledger.DraftSaved}}
	if told := run.ToldOf(entries, 2); told.Ended != &entries[3] || told.Reduced != &entries[5] || len(told.Entries()) != 2 {
		t.Errorf("%+v", told)
	}
	if told := run.ToldOf(entries[:4], 2); told.Ended != &entries[3] || told.Reduced != nil {
		t.Errorf("%+v", told)
	}
	if told := run.ToldOf(entries, 3); told.Ended != nil || told.Reduced != nil || !told.Hold(&run.Run{}, nil, true).Changed() {
		t.Errorf("%+v", told)
	}
}

func TestRecordingsAreEmptyAsFarAsTheLedgerTells(t *testing.T) {
	var tape []run.Recorded
	r := &run.Run{}
	for _, hash := range []string{"a", "b", "c"} {
		tape, r.TapeHash = append(tape, run.Recorded{Hash: hash}), run.Fold(r.TapeHash, hash)
	}
	end := &ledger.Entry{Body: run.EndedBody(&run.Run{Seal: seal.New()}, nil)}
	older := &ledger.Entry{Body: json.RawMessage(`{"form":2}`)}
	left := func(n int) *ledger.Entry { return &ledger.Entry{Body: run.ReducedBody(r, nil, n, "d")} }
	for name, c := range map[string]struct {
		told    run.Told
		emptied []int
		lost    bool
		want    bool
	}{
		"whole":                        {run.Told{Ended: end}, nil, false, true},
		"one emptied":                  {run.Told{Ended: end}, []int{0}, true, false},
		"as told":                      {run.Told{Ended: end, Reduced: left(2)}, []int{0, 1}, false, true},
		"one more than told":           {run.Told{Ended: end, Reduced: left(2)}, []int{0, 1, 2}, true, false},
		"one less than told":           {run.Told{Ended: end, Reduced: left(2)}, []int{0}, true, false},
		"another than told":            {run.Told{Ended: end, Reduced: left(2)}, []int{1, 2}, true, false},
		"under way, nothing lost":      {run.Told{}, []int{0}, false, false},
		"under way, something lost":    {run.Told{}, []int{0}, true, true},
		"earlier end, nothing lost":    {run.Told{Ended: older}, []int{0}, false, false},
		"earlier end, something lost":  {run.Told{Ended: older}, []int{0}, true, true},
		"earlier end, and it was told": {run.Told{Ended: older, Reduced: left(1)}, []int{0, 1}, true, false},
	} {
		now := slices.Clone(tape)
		for _, i := range c.emptied {
			now[i].Erased = true
		}
		if got := c.told.HoldTape(r, now, c.lost); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		now[2].Altered = true
		if c.told.HoldTape(r, now, c.lost) || c.told.HoldTape(r, now[:2], c.lost) {
			t.Errorf("%s: one that was changed or is missing passes", name)
		}
	}
}
