package hostiletest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/llm/textcall"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/run"
)

// travelling is a world with the travel policy.
func travelling(t *testing.T) *world {
	w := newWorld(t)
	w.base(acme, carol, travel, "user:alice")
	w.put(acme, carol, corpus.Upload{ID: "doc-travel", KnowledgeBase: travel, FileName: "travel.md", Publish: true}, policy)
	w.publish()
	return w
}

// reached is an adapter for an endpoint.
func reached(t *testing.T, wire llmtest.Wire, e *llmtest.Endpoint) llm.Generator {
	client := outbound.New(outbound.Options{Allow: []string{e.HostPort()}})
	t.Cleanup(client.CloseIdleConnections)
	return adapter(t, wire, e.URL, client, wait{})
}

// TestCancellingReachesTheSocket cancels a run in the middle of a stream and waits until the endpoint
// has seen its client go.
func TestCancellingReachesTheSocket(t *testing.T) {
	w := travelling(t)
	for _, wire := range llmtest.Wires() {
		leaks := goleak.IgnoreCurrent()
		streaming, gone := make(chan struct{}), make(chan struct{})
		e := llmtest.NewEndpoint(t, func(rw http.ResponseWriter, r *http.Request) {
			llmtest.Raw(wire.Begin+wire.Piece("结论"))(rw, r)
			_ = http.NewResponseController(rw).Flush()
			close(streaming)
			<-r.Context().Done()
			close(gone)
		})
		client := outbound.New(outbound.Options{Allow: []string{e.HostPort()}})
		a := w.agent(adapter(t, wire, e.URL, client, wait{}), nil)
		actor := access.Actor{Tenant: acme, User: alice}
		id, err := a.Start(t.Context(), actor, agent.Request{Goal: question})
		check(t, err)
		<-streaming
		_, err = a.Cancel(t.Context(), actor, id)
		check(t, err)
		<-gone
		check(t, a.Await(t.Context(), actor, id))
		if o := w.read(id); o.ended() != "cancelled/cancelled" {
			t.Errorf("%s: %s", wire.Name, o.ended())
		}
		a.Close()
		e.Close()
		client.CloseIdleConnections()
		baseline(t, leaks)
	}
}

// TestManyRunsShareOneBudgetOfRetries lets fifty runs meet an endpoint that is down.
func TestManyRunsShareOneBudgetOfRetries(t *testing.T) {
	w := travelling(t)
	for _, wire := range llmtest.Wires() {
		e := llmtest.NewEndpoint(t, llmtest.Status(503, "", "Retry-After", "0")).Forever()
		g := reached(t, wire, e)
		for range 50 {
			if o := w.ask(g, agent.Request{Goal: question}, nil); o.ended() != broken {
				t.Fatalf("%s: %s", wire.Name, o.ended())
			}
		}
		if n := e.Requests(); n != 70 {
			t.Errorf("%s: 50 runs made %d requests, want 50 and the budget of 20", wire.Name, n)
		}
		if h := g.(llm.Monitored).Health(); h.Condition != llm.Failing {
			t.Errorf("%s: the endpoint is %s", wire.Name, h.Condition)
		}
	}
}

// TestRefusedKeyIsToldToTheAdministrator holds what a refused key leaves: the endpoint's condition
// and an error in the log. The actor sees that the model failed, and the closed word for why.
func TestRefusedKeyIsToldToTheAdministrator(t *testing.T) {
	w := travelling(t)
	for _, wire := range llmtest.Wires() {
		e := llmtest.NewEndpoint(t, llmtest.Status(401, secret)).Forever()
		g := reached(t, wire, e)
		o := w.ask(g, agent.Request{Goal: question, RulesFallback: true}, nil)
		if o.ended() != good || !slices.Contains(o.Notices, "rules_fallback") || o.cause() != llm.Unauthorized {
			t.Errorf("%s: %s, %v, %s", wire.Name, o.ended(), o.Notices, o.cause())
		}
		if h := g.(llm.Monitored).Health(); h.Condition != llm.Locked || h.Since.IsZero() {
			t.Errorf("%s: the endpoint is %+v", wire.Name, h)
		}
		if !strings.Contains(o.logged, `"level":"ERROR","msg":"the model's endpoint needs its administrator","cause":"unauthorized"`) || strings.Contains(o.told(), secret) {
			t.Errorf("%s: logged %s", wire.Name, o.logged)
		}
		if err := g.(llm.Probed).Probe(t.Context()); llm.CauseOf(err) != llm.Unauthorized {
			t.Errorf("%s: the probe says %v", wire.Name, err)
		}
		e.Close()
		if err := g.(llm.Probed).Probe(t.Context()); llm.CauseOf(err) != llm.Unreached {
			t.Errorf("%s: the probe of a closed endpoint says %v", wire.Name, err)
		}
	}
}

// fenced finds in a prompt the fence with which this run calls tools.
func fenced(body []byte) string {
	_, rest, _ := strings.Cut(string(body), "```call-")
	return "```call-" + rest[:16]
}

// TestModelsWithoutToolsRunTheWholeLoop lets a model call tools as text, correct a broken block and
// an answer that cites nothing, over both protocols; in auto the endpoint refuses tools first.
func TestModelsWithoutToolsRunTheWholeLoop(t *testing.T) {
	w := travelling(t)
	for _, wire := range llmtest.Wires() {
		for _, mode := range []textcall.Mode{textcall.Text, textcall.Auto} {
			turns := []string{
				"FENCE\n{\"name\": \"search_knowledge\", \"arguments\": {\"query\": \n```", "我先查一下。\n\nFENCE\n{\"name\": \"search_knowledge\", \"arguments\": {\"query\": \"上海住宿\"}}\n```",
				"<think>读哪一份？</think>FENCE\n{\"name\": \"read_document\", \"arguments\": {\"document_id\": \"doc-travel\"}}\n```\n", "650 元", answered,
			}
			n := 0
			e := llmtest.NewEndpoint(t, func(rw http.ResponseWriter, r *http.Request) { rw.WriteHeader(500) }).Forever()
			e.Handle(func(rw http.ResponseWriter, r *http.Request, body []byte) {
				if strings.Contains(string(body), `"tools":`) {
					llmtest.Status(400, `{"error":{"message":"this model does not support tools"}}`)(rw, r)
					return
				}
				text := strings.ReplaceAll(turns[n], "FENCE", fenced(body))
				n++
				llmtest.Raw(wire.Begin+wire.Piece(text)+wire.End)(rw, r)
			})
			o := w.ask(textcall.New(reached(t, wire, e), mode), agent.Request{Goal: question}, nil)
			if o.ended() != good || o.Answer.Text != answered || n != len(turns) || o.ran != 2 || len(o.Calls) != 3 || o.Calls[0].Code != "invalid_json" {
				t.Errorf("%s %s: %s after %d turns and %d tools: %q %+v\n%s", wire.Name, mode, o.ended(), n, o.ran, o.Answer.Text, o.Calls, o.logged)
			}
			if want := map[textcall.Mode]int{textcall.Text: 5, textcall.Auto: 6}[mode]; e.Requests() != want {
				t.Errorf("%s %s: %d requests, want %d", wire.Name, mode, e.Requests(), want)
			}
			if told := o.told(); strings.Contains(told, "读哪一份") || strings.Contains(told, "```call-") {
				t.Errorf("%s %s: thoughts or fences are told: %s", wire.Name, mode, told)
			}
		}
	}
}

// TestThoughtsAreNeitherAnsweredNorCited lets a model think about references, in every way in which
// endpoints send thoughts.
func TestThoughtsAreNeitherAnsweredNorCited(t *testing.T) {
	w := travelling(t)
	const thought = "也许是 [S9]，内部代号 CANARY-THOUGHT。"
	for _, wire := range llmtest.Wires() {
		for name, last := range map[string]llmtest.Turn{
			"its own field": {Reasoning: thought, Text: answered}, "a block in the text": {Text: "<think>" + thought + "</think>\n" + answered},
			"a block whose beginning is missing": {Text: thought + "\n</think>\n\n" + answered},
		} {
			e := llmtest.NewEndpoint(t, append(loop(wire)[:2], llmtest.Raw(wire.Stream(last)))...)
			o := w.ask(reached(t, wire, e), agent.Request{Goal: question}, nil)
			if o.ended() != good || o.Answer.Text != answered || strings.Contains(o.told(), "CANARY-THOUGHT") {
				t.Errorf("%s, %s: %s %q", wire.Name, name, o.ended(), o.Answer.Text)
			}
			plain := w.ask(reached(t, wire, llmtest.NewEndpoint(t, loop(wire)...)), agent.Request{Goal: question}, nil)
			if o.Usage.Estimated == nil || *o.Usage.Estimated <= *plain.Usage.Estimated {
				t.Errorf("%s, %s: thoughts are not counted: %+v and %+v", wire.Name, name, o.Usage, plain.Usage)
			}
		}
	}
}

// elsewhereModel is a model whose text leaves the premises.
func elsewhereModel(turns ...llmtest.Turn) *llmtest.Script {
	s := llmtest.New(turns...)
	s.Identity.Host, s.Identity.Remote = "api.example", true
	return s
}

// TestLocalOnlyTenantReachesNoModelElsewhere sets the wish before a run, between its turns, and takes
// it back.
func TestLocalOnlyTenantReachesNoModelElsewhere(t *testing.T) {
	w := travelling(t)
	admin := access.Actor{Tenant: acme, User: carol}
	set := func(on bool) {
		_, err := w.desk.SetLocalOnly(t.Context(), admin, on)
		check(t, err)
	}
	turns := func(meanwhile func()) []llmtest.Turn {
		return []llmtest.Turn{{Calls: []llm.ToolCall{llmtest.Search("上海住宿")}, Check: func(llm.Request) { meanwhile() }}, {Calls: []llm.ToolCall{llmtest.Read("doc-travel")}}, {Text: answered}}
	}
	nothing := func() {}
	set(true)
	model := elsewhereModel(turns(nothing)...)
	o := w.ask(model, agent.Request{Goal: question}, nil)
	if o.ended() != good || o.Model.Engine != llm.Rules || o.Model.Remote || !slices.Contains(o.Notices, "local_only") || len(model.Requests()) != 0 || !strings.Contains(o.Answer.Text, "650") {
		t.Errorf("a local-only tenant: %s by %+v with %v after %d requests", o.ended(), o.Model, o.Notices, len(model.Requests()))
	}
	here := llmtest.New(turns(nothing)...)
	if o := w.ask(here, agent.Request{Goal: question}, nil); o.ended() != good || o.Model.Engine != llm.Model || slices.Contains(o.Notices, "local_only") {
		t.Errorf("a local model: %s by %+v with %v", o.ended(), o.Model, o.Notices)
	}
	for fallback, want := range map[bool]string{true: good, false: "refused/permission_denied"} {
		set(false)
		model = elsewhereModel(turns(func() { set(true) })...)
		o = w.ask(model, agent.Request{Goal: question, RulesFallback: fallback}, nil)
		if o.ended() != want || len(model.Requests()) != 1 || !slices.Contains(o.Notices, "local_only") {
			t.Errorf("set between two turns, fallback %t: %s with %v after %d requests", fallback, o.ended(), o.Notices, len(model.Requests()))
		}
		if !slices.ContainsFunc(o.events, func(e event.Event) bool {
			return e.Type == event.Warning && strings.Contains(string(e.Data), "local_only")
		}) {
			t.Error("no event tells of it")
		}
	}
	if n := securities(w, "remote_model_refused"); n != 1 {
		t.Errorf("%d security entries tell of the refusal, want 1", n)
	}
	set(false)
	model = elsewhereModel(turns(nothing)...)
	if o = w.ask(model, agent.Request{Goal: question}, nil); o.ended() != good || o.Model.Host != "api.example" || !o.Model.Remote {
		t.Errorf("taken back: %s by %+v", o.ended(), o.Model)
	}
	var started struct{ Model llm.Info }
	for _, e := range o.events {
		if e.Type == event.RunStarted {
			check(t, json.Unmarshal(e.Data, &started))
		}
	}
	if started.Model.Host != "api.example" || !started.Model.Remote {
		t.Errorf("the start of the run tells of %+v", started.Model)
	}
}

// securities counts the security entries of an event.
func securities(w *world, name string) int {
	n := 0
	for _, e := range w.entries(acme) {
		if e.Kind == ledger.Security && strings.Contains(string(e.Body), name) {
			n++
		}
	}
	return n
}

// TestDirectoryThatFailsSendsNothing lets the look into the directory fail before a model call.
func TestDirectoryThatFailsSendsNothing(t *testing.T) {
	w := travelling(t)
	model := elsewhereModel(llmtest.Turn{Text: "你好。"})
	down := &failing{Directory: w.db.Directory()}
	o := w.ask(model, agent.Request{Goal: "你好"}, func(d *agent.Deps) { d.Directory = down })
	if o.State != run.Failed || len(model.Requests()) != 0 {
		t.Errorf("%s after %d requests", o.ended(), len(model.Requests()))
	}
}
