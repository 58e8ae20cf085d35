package endpoint

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

// at is an endpoint over a handler.
func at(t *testing.T, h http.HandlerFunc, change func(*Config)) *Endpoint {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c := Config{BaseURL: server.URL + "/v1", Model: "m", Client: server.Client(), Backoff: time.Microsecond}
	if change != nil {
		change(&c)
	}
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// call makes one call that describes tools, and throws its reply away.
func call(e *Endpoint) ([]llm.Attempt, error) { return callWith(e, true) }

func callWith(e *Endpoint, tools bool) ([]llm.Attempt, error) {
	reply, attempts, err := e.Do(context.Background(), Call{Path: "chat", Header: http.Header{"X-Api-Key": {"canary"}}, Body: []byte(`{"text":"passage"}`), Tools: tools})
	if err == nil {
		reply.Close()
	}
	return attempts, err
}

func says(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func TestStatusesHaveCausesAndConditions(t *testing.T) {
	for _, c := range []struct {
		code  int
		body  string
		cause llm.Cause
		then  llm.Condition
		tries int
	}{
		{401, "", llm.Unauthorized, llm.Locked, 1}, {403, "", llm.Unauthorized, llm.Locked, 1}, {402, "", llm.Unpaid, llm.Empty, 1},
		{400, `{"error":{"code":"context_length_exceeded"}}`, llm.ContextLength, llm.Untried, 1},
		{400, `{"error":{"message":"Prompt is too long: 200001 tokens"}}`, llm.ContextLength, llm.Untried, 1}, {413, "", llm.ContextLength, llm.Untried, 1},
		{400, `{"error":"gemma does not support tools"}`, llm.ToolsRefused, llm.Untried, 1},
		{400, `"auto" tool choice requires --enable-auto-tool-choice`, llm.ToolsRefused, llm.Untried, 1},
		{500, `{"error":{"message":"tools param requires --jinja flag"}}`, llm.ToolsRefused, llm.Untried, 1},
		{404, `No endpoints found that support tool use`, llm.ToolsRefused, llm.Untried, 1},
		{400, "unknown field", llm.Rejected, llm.Untried, 1}, {404, "", llm.Rejected, llm.Untried, 1}, {418, "tool", llm.Rejected, llm.Untried, 1},
		{429, "", llm.RateLimited, llm.Failing, 3}, {500, "", llm.Overloaded, llm.Failing, 3}, {529, "", llm.Overloaded, llm.Failing, 3}, {408, "", llm.Rejected, llm.Untried, 3},
	} {
		e := at(t, says(c.code, c.body), nil)
		attempts, err := call(e)
		if llm.CauseOf(err) != c.cause || e.Health().Condition != c.then || len(attempts) != c.tries || problem.CodeOf(err) != "model_error" {
			t.Errorf("%d %q: cause %s, condition %s, %d tries, %v", c.code, c.body, llm.CauseOf(err), e.Health().Condition, len(attempts), err)
		}
	}
}

// What an endpoint says may repeat the prompt, which may speak of tools.
func TestNoToolsAreRefusedWhereNoneWereSent(t *testing.T) {
	for code, c := range map[int]struct {
		cause llm.Cause
		tries int
	}{500: {llm.Overloaded, 3}, 400: {llm.Rejected, 1}, 404: {llm.Rejected, 1}} {
		attempts, err := callWith(at(t, says(code, "the tools in the shed"), nil), false)
		if llm.CauseOf(err) != c.cause || len(attempts) != c.tries {
			t.Errorf("%d: cause %s, %d tries", code, llm.CauseOf(err), len(attempts))
		}
	}
}

func TestHealthFollowsTheLastAnswerAndKeepsItsTime(t *testing.T) {
	var code atomic.Int32
	e := at(t, func(w http.ResponseWriter, r *http.Request) { says(int(code.Load()), "x")(w, r) }, func(c *Config) { c.Retries = -1 })
	if h := e.Health(); h.Condition != llm.Untried || !h.Since.IsZero() {
		t.Errorf("before any call: %+v", h)
	}
	var since []time.Time
	for _, c := range []struct {
		code int32
		want llm.Condition
	}{{200, llm.Well}, {401, llm.Locked}, {401, llm.Locked}, {503, llm.Failing}, {418, llm.Failing}, {200, llm.Well}} {
		code.Store(c.code)
		_, _ = call(e)
		h := e.Health()
		if h.Condition != c.want || h.Since.IsZero() {
			t.Errorf("after %d: %+v", c.code, h)
		}
		since = append(since, h.Since)
	}
	if since[1] != since[2] || since[3] != since[4] {
		t.Errorf("the time of a condition moved: %v", since)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code.Store(503)
	if _, _, err := e.Do(ctx, Call{Path: "chat"}); !errors.Is(err, context.Canceled) || e.Health().Condition != llm.Well {
		t.Errorf("a call that was given up makes it %+v, %v", e.Health(), err)
	}
}

// TestManyCallsShareOneBudgetOfRetries lets fifty calls meet an endpoint that is down.
func TestManyCallsShareOneBudgetOfRetries(t *testing.T) {
	var down atomic.Bool
	var requests atomic.Int32
	down.Store(true)
	e := at(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if down.Load() {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(429)
			return
		}
		_, _ = io.WriteString(w, "data: x\n\n")
	}, nil)
	for range 50 {
		if _, err := call(e); llm.CauseOf(err) != llm.RateLimited {
			t.Fatalf("%v", err)
		}
	}
	if n := requests.Load(); n != 50+budgetSize {
		t.Errorf("50 calls made %d requests, want %d", n, 50+budgetSize)
	}
	down.Store(false)
	for range 2 * budgetShare {
		if _, err := call(e); err != nil {
			t.Fatal(err)
		}
	}
	down.Store(true)
	requests.Store(0)
	for range 5 {
		_, _ = call(e)
	}
	if n := requests.Load(); n != 5+2 {
		t.Errorf("after %d successes, 5 calls made %d requests, want 7", 2*budgetShare, n)
	}
}

func TestBudgetNeverGrowsBeyondItsSize(t *testing.T) {
	b := budget{left: budgetSize}
	for range 10 * budgetShare {
		b.earn()
	}
	n := 0
	for b.spend() {
		n++
	}
	if n != budgetSize {
		t.Errorf("%d retries, want %d", n, budgetSize)
	}
}

// TestNoEndpointSendsTextOrKeyOn answers with a redirect to another host, and to itself.
func TestNoEndpointSendsTextOrKeyOn(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		var reached atomic.Int32
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
		e := at(t, func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/again") {
				reached.Add(1)
			}
			http.Redirect(w, r, other.URL+"/again", code)
		}, nil)
		_, err := call(e)
		if reached.Load() != 0 || llm.CauseOf(err) != llm.Rejected || strings.Contains(err.Error(), other.URL) {
			t.Errorf("%d: %d requests were sent on, %v", code, reached.Load(), err)
		}
		other.Close()
	}
}

func TestAnOperatorSaysWhatIsLocal(t *testing.T) {
	for _, c := range []struct {
		url    string
		place  llm.Place
		remote bool
	}{
		{"http://127.0.0.1:1/v1", llm.ByAddress, false}, {"http://127.0.0.1:1/v1", llm.Remote, true}, {"http://10.0.0.7/v1", llm.ByAddress, true},
		{"http://10.0.0.7/v1", llm.Local, false}, {"https://api.example/v1", llm.ByAddress, true}, {"http://localhost/v1", llm.Local, false},
	} {
		e, err := New(Config{BaseURL: c.url, Model: "m", Client: http.DefaultClient, Place: c.place})
		if err != nil || e.Info().Remote != c.remote {
			t.Errorf("%s as %q: %+v, %v", c.url, c.place, e.Info(), err)
		}
	}
	if _, err := New(Config{BaseURL: "http://a/v1", Model: "m", Client: http.DefaultClient, Place: "here"}); !problem.Is(err, problem.Invalid) {
		t.Errorf("an unknown place: %v", err)
	}
}

func TestALongWishToBeLeftAloneIsNoGarbage(t *testing.T) {
	for _, value := range []string{"9999999", "99999999999999999999999999"} {
		if d, told := retryAfter(value, time.Now()); !told || d <= maxPause {
			t.Errorf("%s: %s, %t", value, d, told)
		}
	}
	if d, told := retryAfter("0000000007", time.Now()); !told || d != 7*time.Second {
		t.Errorf("leading zeros: %s, %t", d, told)
	}
	var requests atomic.Int32
	e := at(t, func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.Header().Set("Retry-After", "99999999999999999999999999")
		w.WriteHeader(503)
	}, nil)
	if _, err := call(e); err == nil || requests.Load() != 1 {
		t.Errorf("%d requests, %v", requests.Load(), err)
	}
}
