package hostiletest

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/anthropic"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/llm/openai"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// secret is the key of every endpoint here. It must stand nowhere but in the header that carries it.
const secret = "sk-canary-7f3a91d2"

// wait bounds the waits of an adapter; 0 means its defaults.
type wait struct{ firstByte, idle, total time.Duration }

// adapter makes the adapter of a protocol.
func adapter(t *testing.T, wire llmtest.Wire, url string, client *http.Client, w wait) llm.Generator {
	t.Helper()
	var g llm.Generator
	var err error
	if wire.Name == "anthropic" {
		g, err = anthropic.New(anthropic.Config{BaseURL: url, Model: "m", Key: secret, Client: client, FirstByte: w.firstByte, Idle: w.idle, Total: w.total, Backoff: time.Millisecond})
	} else {
		g, err = openai.New(openai.Config{BaseURL: url, Model: "m", Key: secret, Client: client, FirstByte: w.firstByte, Idle: w.idle, Total: w.total, Backoff: time.Millisecond, NoUsageOption: true})
	}
	check(t, err)
	return g
}

// fault is one way in which an endpoint misbehaves, and what comes of it.
type fault struct {
	name string
	// handlers answer the requests of a run in their order. The last one answers for ever if the
	// fault does not heal.
	handlers func(llmtest.Wire) []http.HandlerFunc
	lasts    bool
	only     string // the protocol that can have the fault; "" means both
	wait     wait
	limits   func(*run.Limits)
	// endpoint replaces the scripted endpoint.
	endpoint func(t *testing.T) (url string, client *http.Client, done func())

	ends     string    // of the run: state and reason
	cause    llm.Cause // told by the run's events, and by the adapter's error on the first request
	requests int       // 0: not counted
	ran      int       // tools that really ran; -1: not counted
	judge    func(t *testing.T, o outcome)
}

const (
	good    = "completed/success"
	broken  = "failed/model_error"
	late    = "failed/model_timeout"
	refused = "refused/tool_not_allowed"
)

// loop is what a good model says of the question: search, read, answer.
func loop(w llmtest.Wire) []http.HandlerFunc {
	return []http.HandlerFunc{says(w, llmtest.Search("上海住宿")), says(w, llmtest.Read("doc-travel")), llmtest.Raw(w.Stream(llmtest.Turn{Text: answered}))}
}

// says is a turn of tool calls. A call without an id gets one.
func says(w llmtest.Wire, calls ...llm.ToolCall) http.HandlerFunc {
	for i := range calls {
		if calls[i].ID == "" {
			calls[i].ID = "id-" + calls[i].Name
		}
	}
	return llmtest.Raw(w.Stream(llmtest.Turn{Calls: calls}))
}

// then puts handlers in front of a good loop.
func then(w llmtest.Wire, first ...http.HandlerFunc) []http.HandlerFunc {
	return append(first, loop(w)...)
}

// always is one handler for every request.
func always(h http.HandlerFunc) func(llmtest.Wire) []http.HandlerFunc {
	return func(llmtest.Wire) []http.HandlerFunc { return []http.HandlerFunc{h} }
}

// before puts one handler in front of a good loop.
func before(h http.HandlerFunc) func(llmtest.Wire) []http.HandlerFunc {
	return func(w llmtest.Wire) []http.HandlerFunc { return then(w, h) }
}

// unreachable are endpoints that no connection leads to.
func unreachable() []fault {
	resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errGone }}
	return []fault{
		{name: "the connection is refused", ends: broken, cause: llm.Unreached, endpoint: func(t *testing.T) (string, *http.Client, func()) {
			e := llmtest.NewEndpoint(t)
			e.Close()
			return e.URL, outbound.New(outbound.Options{Allow: []string{e.HostPort()}}), func() {}
		}},
		{name: "the name is unknown", ends: broken, cause: llm.Unreached, endpoint: func(*testing.T) (string, *http.Client, func()) {
			return "http://model.hidden.invalid/v1", outbound.New(outbound.Options{Allow: []string{"model.hidden.invalid:80"}, Resolver: resolver}), func() {}
		}},
		{name: "the certificate is not trusted", ends: broken, cause: llm.Unreached, endpoint: func(t *testing.T) (string, *http.Client, func()) {
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request got through") }))
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			s.StartTLS()
			return s.URL + "/v1", outbound.New(outbound.Options{Allow: []string{s.Listener.Addr().String()}}), s.Close
		}},
		{name: "the server speaks no TLS", ends: broken, cause: llm.Unreached, endpoint: func(t *testing.T) (string, *http.Client, func()) {
			e := llmtest.NewEndpoint(t)
			return "https://" + e.HostPort() + "/v1", outbound.New(outbound.Options{Allow: []string{e.HostPort()}, TLS: &tls.Config{MinVersion: tls.VersionTLS12}}), e.Close
		}},
		{name: "the connection breaks before a byte", handlers: always(llmtest.Abort), lasts: true, requests: 3, ends: broken, cause: llm.Unreached},
		{name: "the connection breaks once", handlers: before(llmtest.Abort), requests: 4, ran: 2, ends: good},
	}
}

// silences are endpoints that let one wait.
func silences() []fault {
	short := 40 * time.Millisecond
	text := func(w llmtest.Wire) string { return w.Begin + w.Piece("结论") }
	return []fault{
		{name: "it accepts and never answers", handlers: always(llmtest.Silent), wait: wait{firstByte: short}, ends: late, cause: llm.Silent},
		{name: "headers, then silence", handlers: always(llmtest.Hang("")), wait: wait{firstByte: short}, ends: late, cause: llm.Silent},
		{name: "a piece, then silence", wait: wait{idle: short}, ends: late, cause: llm.Silent, requests: 1,
			handlers: func(w llmtest.Wire) []http.HandlerFunc { return []http.HandlerFunc{llmtest.Hang(text(w))} }},
		{name: "a comment from time to time for ever", wait: wait{total: 2 * short}, ends: late, cause: llm.Silent,
			handlers: func(w llmtest.Wire) []http.HandlerFunc { return []http.HandlerFunc{llmtest.Drip(text(w), ":\n")} }},
		{name: "longer than the run lets a request take", limits: func(l *run.Limits) { l.Request = short }, ends: late,
			handlers: func(w llmtest.Wire) []http.HandlerFunc { return []http.HandlerFunc{llmtest.Drip(text(w), ":\n")} }},
		{name: "longer than the run lasts", limits: func(l *run.Limits) { l.Total = 2 * short }, ends: "failed/limit_time",
			handlers: func(w llmtest.Wire) []http.HandlerFunc { return []http.HandlerFunc{llmtest.Hang(text(w))} }},
	}
}

// turnedAway are endpoints that say 429.
func turnedAway() []fault {
	after := func(value string) http.HandlerFunc { return llmtest.Status(429, "{}", "Retry-After", value) }
	past := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	future := time.Now().Add(240 * time.Hour).UTC().Format(http.TimeFormat)
	return []fault{
		{name: "come back at once", handlers: before(after("0")), requests: 4, ran: 2, ends: good},
		{name: "come back at a date that is over", handlers: before(after(past)), requests: 4, ran: 2, ends: good},
		{name: "a wish that is garbage", handlers: before(after("soon")), requests: 4, ran: 2, ends: good},
		{name: "no wish at all, twice", handlers: func(w llmtest.Wire) []http.HandlerFunc {
			return then(w, llmtest.Status(429, ""), llmtest.Status(429, ""))
		}, requests: 5, ran: 2, ends: good},
		{name: "an hour", handlers: always(after("3600")), lasts: true, requests: 1, ends: broken, cause: llm.RateLimited},
		{name: "a number beyond all numbers", handlers: always(after("99999999999999999999")), lasts: true, requests: 1, ends: broken, cause: llm.RateLimited},
		{name: "a date far away", handlers: always(after(future)), lasts: true, requests: 1, ends: broken, cause: llm.RateLimited},
		{name: "longer than the run has left", handlers: always(after("50")), lasts: true, limits: func(l *run.Limits) { l.Request = 30 * time.Second }, requests: 1, ends: broken, cause: llm.RateLimited},
		{name: "for ever", handlers: always(after("0")), lasts: true, requests: 3, ends: broken, cause: llm.RateLimited},
	}
}

// statuses are endpoints that fail by status.
func statuses() []fault {
	var out []fault
	for _, code := range []int{500, 502, 503, 504, 529} {
		h := llmtest.Status(code, `{"error":{"message":"`+secret+`"}}`)
		out = append(out,
			fault{name: http.StatusText(code) + " twice, then well", handlers: func(w llmtest.Wire) []http.HandlerFunc { return then(w, h, h) }, requests: 5, ran: 2, ends: good},
			fault{name: http.StatusText(code) + " for ever", handlers: always(h), lasts: true, requests: 3, ends: broken, cause: llm.Overloaded})
	}
	out = append(out, fault{name: "500, 502, 503 and on", handlers: func(llmtest.Wire) []http.HandlerFunc {
		return []http.HandlerFunc{llmtest.Status(500, ""), llmtest.Status(502, ""), llmtest.Status(503, "")}
	}, requests: 3, ends: broken, cause: llm.Overloaded})
	for name, c := range map[string]struct {
		code  int
		body  string
		cause llm.Cause
	}{
		"the request is too long": {400, `{"error":{"code":"context_length_exceeded","message":"` + secret + `"}}`, llm.ContextLength},
		"the key is refused":      {401, `{"error":"invalid key ` + secret + `"}`, llm.Unauthorized},
		"the key is forbidden":    {403, `{}`, llm.Unauthorized},
		"the account is empty":    {402, `{}`, llm.Unpaid},
		"another refusal":         {400, `{"error":"no"}`, llm.Rejected},
	} {
		out = append(out, fault{name: name, handlers: always(llmtest.Status(c.code, c.body)), lasts: true, requests: 1, ends: broken, cause: c.cause})
	}
	return out
}

// TestEveryModelFault plays every case of every fault through the adapter alone and through a whole
// run, for both protocols.
func TestEveryModelFault(t *testing.T) {
	w := newWorld(t)
	w.base(acme, carol, travel, "user:alice")
	w.put(acme, carol, corpus.Upload{ID: "doc-travel", KnowledgeBase: travel, FileName: "travel.md", Publish: true}, policy)
	w.publish()
	played := 0
	for id, cases := range faults() {
		t.Run(id, func(t *testing.T) {
			for _, c := range cases {
				for _, wire := range llmtest.Wires() {
					if c.only != "" && c.only != wire.Name {
						continue
					}
					played++
					t.Run(c.name+" over "+wire.Name, func(t *testing.T) { w.play(t, wire, c) })
				}
			}
		})
	}
	t.Logf("%d cases of %d faults", played, len(faults()))
}

// play plays one case.
func (w *world) play(t *testing.T, wire llmtest.Wire, c fault) {
	leaks := goleak.IgnoreCurrent()
	begin := func() (llm.Generator, *llmtest.Endpoint, func()) {
		if c.endpoint != nil {
			url, client, done := c.endpoint(t)
			return adapter(t, wire, url, client, c.wait), nil, func() { done(); client.CloseIdleConnections() }
		}
		e := llmtest.NewEndpoint(t, c.handlers(wire)...)
		if c.lasts {
			e.Forever()
		}
		client := outbound.New(outbound.Options{Allow: []string{e.HostPort()}})
		return adapter(t, wire, e.URL, client, c.wait), e, func() { e.Close(); client.CloseIdleConnections() }
	}
	old := w.t
	w.t = t
	defer func() { w.t = old }()
	if c.cause != "" {
		g, _, done := begin()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // as a run would
		defer cancel()
		resp, err := g.Generate(ctx, llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "?"}}}, nil)
		if llm.CauseOf(err) != c.cause || !problem.Is(err, problem.Unavailable) || resp.Message.Text != "" || strings.Contains(err.Error(), secret) {
			t.Errorf("the adapter alone: cause %q, %+v, %v", llm.CauseOf(err), resp, err)
		}
		done()
	}
	g, e, done := begin()
	o := w.ask(g, agent.Request{Goal: question}, func(d *agent.Deps) {
		if c.limits != nil {
			c.limits(&d.Limits)
		}
	})
	if o.ended() != c.ends || c.cause != "" && o.cause() != c.cause {
		t.Errorf("the run ended %s for %q, want %s for %q\n%s", o.ended(), o.cause(), c.ends, c.cause, o.logged)
	}
	if e != nil && c.requests > 0 && e.Requests() != c.requests {
		t.Errorf("%d requests, want %d", e.Requests(), c.requests)
	}
	if c.ran >= 0 && int(o.ran) != c.ran {
		t.Errorf("%d tools ran, want %d", o.ran, c.ran)
	}
	w.truthful(t, o)
	if told := o.told(); strings.Contains(told, secret) {
		t.Errorf("the key is told: %s", told)
	}
	if c.judge != nil {
		c.judge(t, o)
	}
	done()
	baseline(t, leaks)
}

// baseline waits until no goroutine is left but those that were there before.
func baseline(t *testing.T, before goleak.Option) {
	t.Helper()
	var err error
	for range 5 { // each look takes its time on a busy machine
		if err = goleak.Find(before); err == nil {
			return
		}
	}
	t.Errorf("goroutines are left: %v", err)
}

// truthful checks what a run says of its usage: as many calls as were begun, and nothing reported
// that no endpoint reported.
func (w *world) truthful(t *testing.T, o outcome) {
	t.Helper()
	begun, with := 0, 0
	for _, e := range o.events {
		switch e.Type {
		case "run.model.started":
			begun++
		case "run.model.completed":
			if strings.Contains(string(e.Data), `"usage_source":"provider"`) {
				with++
			}
		}
	}
	if o.Usage.Calls != begun || o.Usage.CallsWithUsage != with {
		t.Errorf("usage tells of %d calls and of %d with usage, events of %d and %d", o.Usage.Calls, o.Usage.CallsWithUsage, begun, with)
	}
	if with == 0 && (o.Usage.Prompt != nil || o.Usage.Completion != nil || o.Usage.Total != nil) {
		t.Errorf("tokens that nobody reported: %+v", o.Usage)
	}
	for _, n := range []*int{o.Usage.Prompt, o.Usage.Completion, o.Usage.Total, o.Usage.Estimated} {
		if n != nil && *n < 0 {
			t.Errorf("a negative count: %+v", o.Usage)
		}
	}
}

// elsewhere are faults that another package's tests play.
var elsewhere = map[string]struct {
	file, test string // a test that plays it
}{
	"RL-26": {file: "internal/llm/openai/embed_test.go", test: "TestAnswersThatAreNoVectorsAreRefused"},
	"RL-27": {file: "internal/retrieval/semantic_test.go", test: "TestVectorsUnderTheNameOfAnotherModelAreNeverCompared"},
	"RL-02": {file: "cmd/kaoju/crash_test.go", test: "TestKillAtAnyMomentLeavesOldStateOrNewState"},
	"RL-29": {file: "internal/tool/executor_test.go", test: "TestPanicsAndLostGoroutinesAreFailedDependencies"},
	"RL-58": {file: "internal/agent/ending_test.go", test: "TestEveryEnding"},
}

// TestEveryListedModelFaultIsPlayed compares the list of faults with what is played.
func TestEveryListedModelFaultIsPlayed(t *testing.T) {
	type listed struct{ ID, Area string }
	played := faults()
	want := map[string]bool{"RL-02": true, "RL-29": true, "RL-58": true}
	for _, f := range sharedtest.Records[listed](t, "security", "faults.jsonl") {
		if f.Area == "model" {
			want[f.ID] = true
		}
	}
	for id := range want {
		if len(played[id]) > 0 {
			continue
		}
		x, ok := elsewhere[id]
		if !ok {
			t.Errorf("%s is played by no test", id)
		}
		if x.test != "" && !holds(t, x.file, "func "+x.test+"(") {
			t.Errorf("%s: %s has no %s", id, x.file, x.test)
		}
	}
	for id := range played {
		if !want[id] {
			t.Errorf("%s is played and stands in no list", id)
		}
	}
}

// holds reports whether a file of the module holds a text.
func holds(t *testing.T, file, text string) bool {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
	check(t, err)
	return strings.Contains(string(b), text)
}
