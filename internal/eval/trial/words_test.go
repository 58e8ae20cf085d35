package trial

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/llm"
)

func TestWordsAreFoundWholeWhateverWhiteSpaceIsBetween(t *testing.T) {
	for _, c := range []struct {
		text, words string
		want        bool
	}{
		{"每晚 650 元", "650", true},
		{"每晚650元", "650", true},
		{"每晚 1650 元", "650", false},
		{"每晚 6500 元", "650", false},
		{"每晚 650.5 元", "650", false},
		{"每晚 650。5 元", "650", true},
		{"1,650 yuan", "650", false},
		{"650,000 yuan", "650", false},
		{"at 650, or 660", "650", true},
		{"1650 and 650", "650", true},
		{"within\n  two\thours", "within two hours", true},
		{"within two hours", "within  two hours", true},
		{"三十 分钟", "30 分钟", false},
		{"v2.3.1", "2.3.1", true},
		{"0.05%", "0.05%", true},
		{"10.05%", "0.05%", false},
		{"anything", "", false},
		{"", "650", false},
		{"650", "650", true},
	} {
		if got := holds(c.text, c.words); got != c.want {
			t.Errorf("holds(%q, %q) = %v", c.text, c.words, got)
		}
	}
}

func TestANumberIsNeverFoundInsideALongerOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.StringMatching(`[1-9][0-9]{0,4}`).Draw(t, "number")
		more := rapid.StringMatching(`[0-9]{1,3}`).Draw(t, "more")
		around := rapid.SampledFrom([]string{" ", "元", "(", "。", "每晚"}).Draw(t, "around")
		if !holds(around+n+around, n) {
			t.Errorf("%q is not found in %q", n, around+n+around)
		}
		for _, longer := range []string{n + more, n + "." + more} {
			if text := around + longer + around; len(longer) > len(n) && holds(text, n) && longer != n {
				// A longer number may hold the shorter one only where it begins anew.
				t.Errorf("%q is found in %q", n, text)
			}
		}
	})
}

func TestAPlaceIsReachedWhereEveryPartOfItFits(t *testing.T) {
	e := citation.Evidence{
		Document: "d2", Key: "travel", Version: 2, Excerpt: "上海的住宿上限为每晚 650 元。",
		Locator:  corpus.TextLocator{Format: "md", Heading: []string{"差旅", "2 住宿标准"}, Line: 27, LineEnd: 36},
		Segments: []corpus.Segment{{Locator: corpus.TextLocator{Format: "md", Heading: []string{"差旅", "2 住宿标准", "2.1 每晚上限"}, Line: 27}}},
	}
	row := citation.Evidence{Key: "prices", Version: 1, Excerpt: "GW-10-E,860", Locator: corpus.CSVLocator{Row: 7, RowEnd: 9}}
	for name, c := range map[string]struct {
		place eval.Place
		e     citation.Evidence
		want  bool
	}{
		"key":             {eval.Place{Target: eval.Target{Key: "travel"}}, e, true},
		"other key":       {eval.Place{Target: eval.Target{Key: "other"}}, e, false},
		"version":         {eval.Place{Target: eval.Target{Key: "travel", Version: 2}}, e, true},
		"other version":   {eval.Place{Target: eval.Target{Key: "travel", Version: 1}}, e, false},
		"version alone":   {eval.Place{Target: eval.Target{Version: 2}}, e, true},
		"wrong alone":     {eval.Place{Target: eval.Target{Version: 3}}, e, false},
		"document":        {eval.Place{Target: eval.Target{Document: "d2"}}, e, true},
		"other document":  {eval.Place{Target: eval.Target{Document: "d1"}}, e, false},
		"heading":         {eval.Place{Heading: "每晚上限"}, e, true},
		"heading above":   {eval.Place{Heading: "住宿标准"}, e, true},
		"other heading":   {eval.Place{Heading: "交通标准"}, e, false},
		"first line":      {eval.Place{Line: 27}, e, true},
		"last line":       {eval.Place{Line: 36}, e, true},
		"line before":     {eval.Place{Line: 26}, e, false},
		"line after":      {eval.Place{Line: 37}, e, false},
		"quote":           {eval.Place{Quote: "每晚 650 元"}, e, true},
		"other quote":     {eval.Place{Quote: "每晚 65 元"}, e, false},
		"all of it":       {eval.Place{Target: eval.Target{Key: "travel", Version: 2}, Heading: "每晚上限", Line: 30, Quote: "650"}, e, true},
		"one part is off": {eval.Place{Target: eval.Target{Key: "travel", Version: 2}, Heading: "每晚上限", Line: 30, Quote: "500"}, e, false},
		"row of a table":  {eval.Place{Line: 8}, row, true},
		"another row":     {eval.Place{Line: 10}, row, false},
	} {
		if got := leads(c.place, c.e); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestThePlaceIsDescribedByItsParts(t *testing.T) {
	got := describe(eval.Place{Target: eval.Target{Key: "travel", Version: 2}, Heading: "上限", Line: 3, Quote: "650"})
	if want := "document travel@2, heading 上限, line 3, quote 650"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAScriptMakesItsCallsInOrderAndThenReplies(t *testing.T) {
	s := script{eval.Case{Calls: []eval.Call{{Tool: "a", Arguments: `{"x":1}`}, {Tool: "b", Arguments: `{"id":"hit:2","other":"hit:1"}`}}, Reply: "done [S1]"}}
	var messages []llm.Message
	say := func() llm.Response {
		t.Helper()
		r, err := s.Generate(t.Context(), llm.Request{Messages: messages}, nil)
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, r.Message)
		return r
	}
	first := say()
	if d := cmp.Diff([]llm.ToolCall{{ID: "eval_1", Name: "a", Arguments: `{"x":1}`}}, first.Message.Calls); d != "" {
		t.Error(d)
	}
	messages = append(messages, llm.Message{Role: llm.Tool, Text: `{"ok":true,"hits":[{"document_id":"d-1"},{"document_id":"d\"2"}]}`},
		llm.Message{Role: llm.Tool, Text: `{"ok":false}`})
	second := say()
	if d := cmp.Diff([]llm.ToolCall{{ID: "eval_2", Name: "b", Arguments: `{"id":"d\"2","other":"d-1"}`}}, second.Message.Calls); d != "" {
		t.Error(d)
	}
	for range 2 { // A repair asks again.
		if r := say(); r.Message.Text != "done [S1]" || r.Finish != llm.Stop {
			t.Errorf("%+v", r)
		}
	}
	s.c.Reply = ""
	if r := say(); r.Message.Text != noMore {
		t.Errorf("%q", r.Message.Text)
	}
}

func TestEventsAreRetoldInOrder(t *testing.T) {
	got := retell([]event.Event{
		event.New(event.RouteSelected, map[string]any{"route": "fixed_rag", "tools": []string{"s"}}),
		event.New(event.ToolStarted, map[string]any{"call_id": "1", "tool": "s", "args_hash": "h"}),
		event.New(event.ToolFailed, map[string]any{"call_id": "1", "code": "timeout"}),
		event.New(event.ToolStarted, map[string]any{"call_id": "1", "tool": "s", "args_hash": "h"}),
		event.New(event.ToolCompleted, map[string]any{"call_id": "1", "tool": "s"}),
		event.New(event.SourceAdded, map[string]any{"ref": "C1", "document_id": "d", "version": 2, "excerpt_hash": "e"}),
		event.New(event.AnswerStarted, map[string]any{}),
		event.New(event.AnswerDelta, map[string]any{"chars": 3}),
		event.New(event.AnswerStarted, map[string]any{}),
		event.New(event.AnswerDelta, map[string]any{"chars": 4}),
		event.New(event.AnswerDelta, map[string]any{"chars": 5}),
		event.New(event.Completed, map[string]any{"state": "completed", "finish_reason": "success"}),
	})
	want := told{
		route: "fixed_rag", state: "completed", reason: "success", tools: []string{"s"}, closings: 1, answer: 9,
		calls:   []toldCall{{"1", "s", "h", "timeout"}, {"1", "s", "h", "ok"}},
		sources: map[string]toldSource{"C1": {"C1", "d", 2, "e"}},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(told{})); d != "" {
		t.Error(d)
	}
}

func TestTheTextOfAnEventIsReadWithoutItsEscapes(t *testing.T) {
	got := plain(event.Event{Data: []byte(`{"a": ["\u4e0a\u6d77", {"b": "x\"y"}], "n": 1}`)})
	for _, want := range []string{"上海", `x"y`, "b"} {
		if !contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if got := plain(event.Event{Data: []byte("not json")}); got != "not json" {
		t.Errorf("%q", got)
	}
}

func contains(text, words string) bool { return len(words) > 0 && holds(text, words) }
