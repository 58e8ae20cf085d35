package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/llm/openai"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// spilled is a text that must stand nowhere but where it was sent.
const spilled = "CANARY-7f3a"

// notebook keeps what was logged, at every level.
type notebook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (n *notebook) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(p)
}

func (n *notebook) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.String()
}

func (n *notebook) log() *slog.Logger {
	return slog.New(slog.NewJSONHandler(n, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func TestLogsHoldNothingThatModelsOrEndpointsWrote(t *testing.T) {
	stream := func(data string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: %s\n\n", data)
		}
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"error":"you sent `+spilled+`"}`, code) }
	}
	for name, answer := range map[string]http.HandlerFunc{
		"status 400":       status(400),
		"status 500":       status(500),
		"an error mid-way": stream(`{"error":{"message":"` + spilled + `"}}`),
		"malformed JSON":   stream(`{"choices":"` + spilled + `"}`),
		"malformed number": stream(`{"choices":[{"index":"` + spilled + `"}]}`),
		"broken off": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "99")
			io.WriteString(w, `{"x":"`+spilled)
		},
		"refused arguments": calledWith(`{"query":["` + spilled + `"]}`),
		"unknown argument":  calledWith(`{"query":"x","` + spilled + `":1}`),
		"invalid arguments": calledWith(`{"query":"` + spilled),
		"an unknown tool":   calledTool(spilled, `{}`),
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(answer)
			defer server.Close()
			var logged notebook
			model, err := openai.New(openai.Config{BaseURL: server.URL + "/v1", Model: "m", Client: server.Client(), Retries: -1})
			check(t, err)
			r := newRig(t, func(d *agent.Deps) { d.Generator, d.Log, d.Limits.Steps = model, logged.log(), 2 })
			got := r.ask(alice, question)
			if got.State != run.Failed && got.State != run.Refused {
				t.Fatalf("run ended %s", got.State)
			}
			if text := logged.String(); strings.Contains(text, spilled) {
				t.Errorf("logged: %s", text)
			}
			for _, e := range got.events {
				if strings.Contains(string(e.Data), spilled) {
					t.Errorf("%s: %s", e.Type, e.Data)
				}
			}
			for _, kind := range []ledger.Kind{ledger.RunEnded, ledger.Security} {
				for _, e := range r.entries(kind, got.ID) {
					if strings.Contains(string(e.Body), spilled) {
						t.Errorf("ledger: %s", e.Body)
					}
				}
			}
			if raw, err := json.Marshal(got.Calls); err != nil || bytes.Contains(raw, []byte(spilled)) {
				t.Errorf("calls: %s, %v", raw, err)
			}
		})
	}
}

// calledWith is an endpoint whose model searches with some arguments, and calledTool one whose
// model calls some tool; the id of the call is a text too.
func calledWith(args string) http.HandlerFunc { return calledTool("search_knowledge", args) }

func calledTool(name, args string) http.HandlerFunc {
	body, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "finish_reason": "tool_calls", "message": map[string]any{
		"role": "assistant", "tool_calls": []any{map[string]any{"id": "the id says " + spilled, "type": "function", "function": map[string]any{"name": name, "arguments": args}}},
	}}}})
	if err != nil {
		panic(err)
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	}
}

// startedData returns the data of the tool calls that a run told of.
func startedData(t *testing.T, got ended) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, e := range got.events {
		if e.Type != event.ToolStarted {
			continue
		}
		var data map[string]any
		check(t, json.Unmarshal(e.Data, &data))
		if data["args_hash"] == "" || data["args_hash"] == nil {
			t.Errorf("no hash of the arguments in %s", e.Data)
		}
		out = append(out, data)
	}
	return out
}

func TestArgumentsAreStoredShortAndOnlyIfTheyFitTheSchema(t *testing.T) {
	long := strings.Repeat("上", 390)
	r := newRig(t, func(d *agent.Deps) { d.Limits.SearchPages = 5 },
		calls(llm.ToolCall{Name: "search_knowledge", Arguments: `{"query":"` + strings.Repeat("x", 500) + `"}`},
			llm.ToolCall{Name: "search_knowledge", Arguments: `{"query":"上海住宿","secret":"` + spilled + `"}`},
			llmtest.Search(long), llmtest.Search("上海住宿")), calls(llmtest.Read("doc-travel")), says(cited))
	got := r.ask(alice, question)
	got.want(t, run.Completed, run.Success)
	data := startedData(t, got)
	var args []any
	for _, d := range data {
		args = append(args, d["args"])
	}
	want := []any{nil, nil, map[string]any{"query": strings.Repeat("上", 200)}, map[string]any{"query": "上海住宿"}, map[string]any{"document_id": "doc-travel"}}
	if diff := cmp.Diff(want, args); diff != "" {
		t.Error(diff)
	}
}

// noting is a tool whose arguments nest.
type noting struct{}

func (noting) Spec() tool.Spec {
	return tool.Spec{
		Name: "read_document_version", Description: "Reads an old version.", Sensitivity: tool.SensitiveRead, Role: access.KnowledgeAdmin,
		Schema: json.RawMessage(`{"type":"object","properties":{"document_id":{"type":"string"},"notes":{"type":"array"}},"required":["document_id"],"additionalProperties":false}`),
	}
}

func (noting) Call(context.Context, tool.Call) (tool.Result, error) {
	return tool.Result{Content: json.RawMessage(`{"ok":true}`)}, nil
}

func TestNestedArgumentsAreBoundedTogether(t *testing.T) {
	deep := func(n int) string {
		item := `{"text":"` + strings.Repeat("长", 300) + `","n":12345678901234567}`
		return `{"document_id":"doc-travel","notes":[` + strings.Repeat(item+",", n-1) + item + `]}`
	}
	for n, stored := range map[int]bool{1: true, 5: true, 12: false} {
		r := newRig(t, func(d *agent.Deps) {
			executor, err := tool.NewExecutor(d.Directory, []tool.Tool{named{"search_knowledge"}, named{"read_document"}, noting{}}, tool.Options{})
			check(t, err)
			d.Executor = executor
		}, calls(llm.ToolCall{Name: "read_document_version", Arguments: deep(n)}), says("INSUFFICIENT_EVIDENCE\n缺少资料"), says("INSUFFICIENT_EVIDENCE\n缺少资料"))
		got := r.ask(carol, agent.Request{Goal: "旧版怎么说", Route: run.VersionTool})
		for _, e := range got.events {
			if e.Type != event.ToolStarted {
				continue
			}
			text := string(e.Data)
			if has := strings.Contains(text, `"args":`); has != stored || strings.Contains(text, strings.Repeat("长", 201)) || stored && !strings.Contains(text, "12345678901234567") {
				t.Errorf("%d notes: %s", n, text)
			}
		}
		if len(startedData(t, got)) != 1 {
			t.Errorf("%d notes: %d calls were told of", n, len(startedData(t, got)))
		}
	}
}

func TestNameOfAToolThatIsNotInTheRouteIsNotRecorded(t *testing.T) {
	r := newRig(t, nil, calls(llm.ToolCall{Name: "salary_of_alice_is_5000", Arguments: "{}"}))
	got := r.ask(alice, question)
	got.want(t, run.Refused, run.ToolNotAllowed)
	if data := startedData(t, got); len(data) != 1 || data[0]["tool"] != "" || got.Calls[0].Tool != "" {
		t.Errorf("events tell of %v, the run of %+v", data, got.Calls)
	}
	for _, kind := range []ledger.Kind{ledger.RunEnded, ledger.Security} {
		for _, e := range r.entries(kind, got.ID) {
			if strings.Contains(string(e.Body), "salary") {
				t.Errorf("ledger: %s", e.Body)
			}
		}
	}
}

// TestCallCutOffByTheLengthLimitIsRepaired ends a turn in the middle of its arguments.
func TestCallCutOffByTheLengthLimitIsRepaired(t *testing.T) {
	for _, half := range []string{`{"query":"上海`, `{"query":"上海住宿"`, ``} {
		r := newRig(t, nil,
			llmtest.Turn{Calls: []llm.ToolCall{{Name: "search_knowledge", Arguments: half}}, Finish: llm.Length},
			llmtest.Turn{Calls: []llm.ToolCall{llmtest.Search("上海住宿")}, Check: func(req llm.Request) {
				if last := req.Messages[len(req.Messages)-1].Text; !strings.Contains(last, `"invalid_json"`) {
					t.Errorf("%q: the model was told %s", half, last)
				}
			}},
			calls(llmtest.Read("doc-travel")), says(cited))
		got := r.ask(alice, question)
		got.want(t, run.Completed, run.Success)
		if got.Calls[0].Code != "invalid_json" || got.Use.SearchPages != 1 || r.search.calls.Load() != 1 {
			t.Errorf("%q: %+v after %d searches", half, got.Calls, r.search.calls.Load())
		}
		if !strings.Contains(strings.Join(got.Notices, " "), "output_truncated") {
			t.Errorf("%q: notices %v", half, got.Notices)
		}
	}
}

func TestDirectAnswersAreForGreetingsAlone(t *testing.T) {
	for goal, want := range map[string]run.Reason{
		"你好": run.Success, "Hello!": run.Success, "你是谁？": run.Success, "What is Kaoju?": run.Success,
		"上海住宿上限是多少？": run.RouteRefused, "hello, what is the lodging limit?": run.RouteRefused, "你好，住宿上限多少": run.RouteRefused, "x": run.RouteRefused,
	} {
		var turns []llmtest.Turn
		if want == run.Success {
			turns = append(turns, says("我是考据。"))
		}
		r := newRig(t, nil, turns...)
		got := r.ask(alice, agent.Request{Goal: goal, Route: run.Direct})
		if got.Reason != want || len(r.script.Requests()) != len(turns) {
			t.Errorf("%s: %s after %d model calls", goal, got.Reason, len(r.script.Requests()))
		}
		if want != run.RouteRefused {
			continue
		}
		other := newRig(t, nil).ask(alice, agent.Request{Goal: goal, Route: run.VersionTool})
		if diff := cmp.Diff(shape(other), shape(got)); diff != "" {
			t.Errorf("%s: a refusal can be told from another:\n%s", goal, diff)
		}
	}
}

// shape is what an actor sees of a run's course, without ids and times.
func shape(e ended) []string {
	out := []string{string(e.State), string(e.Reason), string(e.Route)}
	for _, ev := range e.events {
		out = append(out, string(ev.Type))
	}
	return out
}
