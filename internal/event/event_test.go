package event_test

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestAnIdComesBackAsItsNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := event.Event{RunID: rapid.StringMatching(`run_[a-z0-9:]{0,12}`).Draw(t, "run"), Sequence: rapid.Int64Range(0, math.MaxInt64).Draw(t, "sequence")}
		if n, err := event.ParseID(e.RunID, e.ID()); err != nil || n != e.Sequence {
			t.Fatalf("%q is %d, %v", e.ID(), n, err)
		}
	})
}

func TestIdsOfOtherRunsAndNonsenseAreRefused(t *testing.T) {
	for id, want := range map[string]int64{
		"run_a:7": 7, "7": 7, "0": 0, "run_a:0": 0,
		"run_b:7": -1, "run_a:": -1, "": -1, "-1": -1, "run_a:-1": -1, "run_a:7:7": -1, "run_a:run_a:7": -1, "seven": -1, "7 ": -1, "9223372036854775808": -1, "0x7": -1, "run_a": -1,
	} {
		n, err := event.ParseID("run_a", id)
		if want < 0 {
			if !problem.Is(err, problem.Invalid) || problem.CodeOf(err) != "invalid_last_event_id" {
				t.Errorf("%q: %d, %v", id, n, err)
			}
		} else if err != nil || n != want {
			t.Errorf("%q: got %d, %v, want %d", id, n, err, want)
		}
	}
}

func TestDataIsAlwaysAnObject(t *testing.T) {
	for name, c := range map[string]struct {
		data any
		want string
	}{
		"a map": {map[string]any{"ref": "S1"}, `{"ref":"S1"}`}, "a struct": {struct{ N int }{3}, `{"N":3}`},
		"nil": {nil, `{}`}, "a list": {[]int{1}, `{}`}, "a string": {"text", `{}`}, "what can't be written": {make(chan int), `{}`}, "raw": {json.RawMessage(`{"a":1}`), `{"a":1}`},
	} {
		if e := event.New(event.Warning, c.data); string(e.Data) != c.want || e.Type != event.Warning || e.Sequence != 0 || !e.Time.IsZero() {
			t.Errorf("%s: %s", name, e.Data)
		}
	}
}

func TestThreeTypesCloseAnAttempt(t *testing.T) {
	all := []event.Type{
		event.RunCreated, event.RunStarted, event.RouteSelected, event.StepStarted, event.StepCompleted, event.ModelStarted, event.ModelCompleted,
		event.ModelFailed, event.ToolStarted, event.ToolCompleted, event.ToolFailed, event.SourceAdded, event.SourceWithheld, event.AnswerStarted,
		event.AnswerDelta, event.AnswerReset, event.DraftReady, event.Warning, event.LimitReached, event.Waiting, event.Decided, event.Resumed,
		event.CancelAsked, event.Completed, event.Failed, event.Interrupted, "run.unknown", "",
	}
	closing := map[event.Type]bool{"run.completed": true, "run.failed": true, "run.interrupted": true}
	for _, x := range all {
		if x.Closes() != closing[x] {
			t.Errorf("%q closes: %v", x, x.Closes())
		}
	}
}
