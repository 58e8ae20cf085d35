package run_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/tool"
)

func passage() corpus.Passage {
	place := corpus.TextLocator{Format: "md", Heading: []string{"差旅", "Hotel"}, Line: 3, LineEnd: 4, Char: [2]int{10, 20}}
	return corpus.Passage{
		Document: "doc-1", KnowledgeBase: "kb", Key: "travel", Version: 2, Status: "published", Title: "差旅", SourceURI: "https://example.org",
		Chunk: "c_1", Chunks: []corpus.ChunkID{"c_1", "c_2"}, Locator: place, Span: corpus.Span{Start: 1, End: 9}, Text: "每晚 <650> 元\u2028",
		Segments: []corpus.Segment{{Span: corpus.Span{Start: 1, End: 5}, Locator: place}, {Span: corpus.Span{Start: 5, End: 9}, Locator: corpus.CSVLocator{Row: 2, Col: 1}}},
		Context:  "| a |\n", TruncatedBefore: true, TruncatedAfter: true,
	}
}

// samples have every field set.
func samples() map[string]run.Recording {
	ten, zero := 10, 0
	info := llm.Info{Engine: llm.Model, Name: "m-1", Host: "models.example", Remote: true}
	call := llm.ToolCall{ID: "call_1", Name: "search_knowledge", Arguments: `{"query": "<住宿>"}`}
	message := llm.Message{Role: llm.Assistant, Text: "text", Calls: []llm.ToolCall{call}, State: json.RawMessage(`{"a": "<b>"}`)}
	p := passage()
	return map[string]run.Recording{
		"resumed": {Attempt: 2, Step: 4, Resumed: &run.Resumed{
			Model: info, Lost: []string{"S2"}, Found: true, Requests: 4, PromptHash: "cc", Notices: []string{"scope_changed"},
			Use: run.Use{Steps: 1, Repairs: 2, ToolCalls: 3, SearchPages: 4, Documents: 5, Text: 6, Tokens: 7},
		}},
		"noticed": {Attempt: 1, Began: &run.Began{Model: info, Notices: []string{"local_only"}}},
		"began":   {Attempt: 2, Step: 1, Began: &run.Began{Model: info, Memory: "住宿", Verifier: info}},
		"turn": {Attempt: 1, Step: 3, Turn: &run.Turn{
			Kept: 2, Prompt: []llm.Message{message, {Role: llm.Tool, CallID: "call_1", Text: "{}"}}, Hash: "aa", Model: info,
			Tools: []llm.ToolSpec{{Name: "search_knowledge", Description: "Finds.", Schema: json.RawMessage(`{"type": "object"}`)}},
			Response: &llm.Response{
				Message: message, Finish: llm.CallTools, Usage: &llm.Usage{Prompt: &ten, Completion: &zero, Total: &ten},
				Attempts: []llm.Attempt{{Code: "http_503", Duration: time.Second}}, Reasoning: 12,
			},
		}},
		"remarked": {Attempt: 1, Step: 1, Turn: &run.Turn{Prompt: []llm.Message{{Role: llm.User, Text: "q"}}, Hash: "bb", Response: &llm.Response{
			Message: llm.Message{Role: llm.Assistant, Text: "a"}, Finish: llm.Stop, Remarks: []llm.Remark{{Code: llm.SourcesDisagree, Refs: []string{"S1", "S2"}}, {Code: llm.MachineWordsLeftOut, Refs: []string{"S3"}}},
		}}},
		"failed": {Attempt: 1, Step: 1, Turn: &run.Turn{Prompt: []llm.Message{{Role: llm.User, Text: "q"}}, Hash: "bb", Failure: run.ModelTimeout}},
		"tool": {Attempt: 1, Step: 1, Tool: &run.ToolCall{Call: call, Outcome: tool.Outcome{
			Spec: tool.Spec{Name: "search_knowledge", Sensitivity: tool.Read}, Args: json.RawMessage(`{"query":"<住宿>"}`), Stripped: []string{"/user_id"}, Tries: 2,
			Result: tool.Result{
				Content: json.RawMessage(`{"ok": true}`), Search: &tool.Search{Query: "住宿", Page: 1, Hits: 1, More: true}, Passages: []corpus.Passage{p},
				Hits: []tool.Hit{
					{Document: "doc-1", Version: 2, Title: "差旅", Chunk: "c_1", Span: p.Span, Versions: []tool.Version{{Document: "doc-0", Version: 1, Status: "archived"}}, Passage: p},
					{Document: "doc-2"},
				},
			},
		}}},
		"judged":  {Attempt: 1, Step: 2, Judged: &run.Judged{Look: 3, Lost: []string{"S1"}, Found: true, Gone: true, Stale: true, Place: 2, Local: true}},
		"refused": {Attempt: 1, Step: 1, Tool: &run.ToolCall{Call: call, Outcome: tool.Outcome{Failure: &tool.Failure{Code: tool.NotFound, Detail: "no"}}}},
	}
}

func TestRecordingsAreWrittenAsTheirGoldenFiles(t *testing.T) {
	for name, r := range samples() {
		path := filepath.Join("testdata", name+".v1.json")
		got := r.Pack(seal.Seal{})
		if *update {
			if err := os.MkdirAll("testdata", 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(got.Record+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got.Record+"\n"); d != "" {
			t.Errorf("%s differs (go test -update writes it anew): %s", path, d)
		}
		if got.Hash != seal.Hash("", got.Record) {
			t.Errorf("%s: the hash is %s", name, got.Hash)
		}
		// Every version that was ever written is read as it was meant.
		back, err := run.Unpack(want)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r, back); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestARecordingKeepsEveryByteOfWhatWasSaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		state, err := json.Marshal(map[string]string{"x": rapid.String().Draw(t, "state")})
		if err != nil {
			t.Fatal(err)
		}
		r := run.Recording{Attempt: 1, Turn: &run.Turn{Prompt: []llm.Message{{Role: llm.User, Text: text, State: state}}, Hash: text}}
		back, err := run.Unpack([]byte(r.Pack(seal.Seal{}).Record))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r, back); d != "" {
			t.Fatal(d)
		}
	})
}

func TestARecordingOfAnUnknownVersionIsRefused(t *testing.T) {
	for _, raw := range []string{`{"v":2}`, `{}`, `nonsense`, `{"v":1,"tool":{"passages":[{"locator":{"kind":"zzz"}}]}}`,
		`{"v":1,"tool":{"hits":[{"passage":{"segments":[{"locator":{"kind":"zzz"}}]}}]}}`} {
		if _, err := run.Unpack([]byte(raw)); err == nil {
			t.Errorf("%s was read", raw)
		}
	}
	if _, err := run.Unpack([]byte(`{"v":2}`)); problem.CodeOf(err) != "record" {
		t.Errorf("got %v", err)
	}
}

// unwritable is a place that no JSON can say.
type unwritable struct{ corpus.Locator }

func (unwritable) MarshalJSON() ([]byte, error) { return json.Marshal(math.NaN()) }

func TestWhatCannotBeWrittenKeepsItsPlaceOnTheTape(t *testing.T) {
	r := samples()["tool"]
	r.Tool.Outcome.Result.Passages[0].Locator = unwritable{}
	back, err := run.Unpack([]byte(r.Pack(seal.Seal{}).Record))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(run.Recording{Attempt: 1, Step: 1}, back); d != "" {
		t.Error(d)
	}
}

func TestPromptsArePutTogetherAgain(t *testing.T) {
	turn := func(attempt, kept int, texts ...string) run.Recorded {
		r := run.Recorded{Recording: run.Recording{Attempt: attempt, Turn: &run.Turn{Kept: kept}}}
		for _, text := range texts {
			r.Turn.Prompt = append(r.Turn.Prompt, llm.Message{Text: text})
		}
		return r
	}
	tape := []run.Recorded{
		{Recording: run.Recording{Attempt: 1, Began: &run.Began{}}}, turn(1, 0, "a", "b"), turn(1, 2, "c"), turn(1, 1, "d"), turn(2, 0, "e"), turn(2, 3, "lost"),
		{Erased: true},
	}
	want := []string{"", "ab", "abc", "ad", "e", "", ""}
	for i, prompt := range run.Prompts(tape) {
		var b strings.Builder
		for _, m := range prompt {
			b.WriteString(m.Text)
		}
		if b.String() != want[i] {
			t.Errorf("prompt %d is %q, want %q", i, b.String(), want[i])
		}
	}
}
