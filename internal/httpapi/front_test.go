package httpapi

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// faulty is a runner that fails as it is told.
type faulty struct {
	scripted
	err  error
	boom bool
}

func (f *faulty) Start(context.Context, access.Actor, agent.Request) (run.ID, error) {
	if f.boom {
		panic("CANARY-PANIC")
	}
	return "", f.err
}

func TestKindsOfErrorHaveOneStatusEach(t *testing.T) {
	f := &faulty{}
	w := newWorld(t, func(d *Deps) { d.Runner = f })
	for _, c := range []struct {
		err    error
		status int
		code   string
	}{
		{problem.New(problem.NotFound, "no_such_run", "Secret detail."), 404, "not_found"},
		{problem.New(problem.Denied, "role_required", "No."), 403, "role_required"},
		{problem.New(problem.Invalid, "empty_query", "Empty."), 422, "empty_query"},
		{problem.New(problem.Conflict, "exists", "There."), 409, "exists"},
		{problem.New(problem.Expired, "proposal_expired", "Late."), 410, "proposal_expired"},
		{problem.New(problem.Exhausted, "quota", "Enough."), 429, "quota"},
		{problem.New(problem.Unavailable, "busy", "Later."), 503, "busy"},
		{problem.New(problem.Invalid, "", "Wrong."), 422, "invalid"},
		{problem.Wrap(errors.New("CANARY"), problem.Internal, "disk_full", "CANARY"), 500, "internal"},
		{errors.New("CANARY"), 500, "internal"},
		{context.DeadlineExceeded, 500, "internal"},
	} {
		f.err = c.err
		rec := w.send("alice", "POST", "/api/runs", `{"kind":"answer","goal":"x"}`)
		if rec.Code != c.status || !strings.Contains(rec.Body.String(), `"code":"`+c.code+`"`) || rec.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%v: %d %s", c.err, rec.Code, rec.Body)
		}
		for _, word := range []string{"CANARY", "Secret", "request_id", "instance"} {
			if strings.Contains(rec.Body.String(), word) {
				t.Errorf("%v: the body holds %q: %s", c.err, word, rec.Body)
			}
		}
	}
}

func TestPanicIsContained(t *testing.T) {
	w := newWorld(t, func(d *Deps) { d.Runner = &faulty{boom: true} })
	rec := w.send("alice", "POST", "/api/runs", `{"kind":"answer","goal":"x"}`)
	if rec.Code != http.StatusInternalServerError || strings.Contains(rec.Body.String(), "CANARY") {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	if !strings.Contains(w.log.String(), "CANARY-PANIC") || !strings.Contains(w.log.String(), rec.Header().Get("X-Request-Id")) {
		t.Error("the log does not tell of the panic")
	}
	if rec := w.send("alice", "GET", "/api/me", ""); rec.Code != http.StatusOK {
		t.Errorf("afterwards: %d", rec.Code)
	}
}

// down is a store of tokens that cannot be asked.
type down struct{ auth.Store }

func (down) TokenByHash(context.Context, string) (auth.Token, access.Identity, error) {
	return auth.Token{}, access.Identity{}, errors.New("CANARY the database is gone")
}

func TestUncheckableCredentialsAreNoCredentials(t *testing.T) {
	w := newWorld(t, func(d *Deps) { d.Gate = auth.NewGate(auth.GateDeps{Tokens: down{}}) })
	rec := w.send("alice", "GET", "/api/me", "")
	if rec.Code != http.StatusServiceUnavailable || strings.Contains(rec.Body.String(), "CANARY") || strings.Contains(rec.Body.String(), "alice") {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

func TestCredentialsAreTakenFromTheHeaderAlone(t *testing.T) {
	w := newWorld(t)
	secret := w.tokens["alice"]
	for name, change := range map[string]func(*http.Request){
		"query":       func(r *http.Request) { r.URL.RawQuery = "token=" + secret + "&access_token=" + secret },
		"cookie":      func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "token", Value: secret}) },
		"basic":       func(r *http.Request) { r.SetBasicAuth("alice", secret) },
		"no scheme":   func(r *http.Request) { r.Header.Set("Authorization", secret) },
		"two schemes": func(r *http.Request) { r.Header.Set("Authorization", "Bearer Bearer "+secret) },
		"cut":         func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+secret[:len(secret)-1]) },
		"longer":      func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+secret+"x") },
		"huge":        func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+strings.Repeat("x", 1<<16)) },
		"internal":    func(r *http.Request) { r.Header.Set("X-Internal", "1"); r.Header.Set("X-User-Id", "alice") },
	} {
		r := w.request("", "GET", "/api/me", nil)
		change(r)
		if rec := w.do(r); rec.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", name, rec.Code, rec.Body)
		}
	}
	r := w.request("", "GET", "/api/me", nil)
	r.Header.Set("Authorization", "bearer "+secret)
	if rec := w.do(r); rec.Code != http.StatusOK {
		t.Errorf("a scheme in lower case: %d", rec.Code)
	}
}

func TestServerAnswersByItsOwnNamesOnly(t *testing.T) {
	w := newWorld(t, func(d *Deps) { d.Hosts = Loopback() })
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8000": 200, "LOCALHOST:8000": 200, "127.0.0.1:8000": 200, "[::1]:8000": 200, "[::1]": 200,
		"evil.example": 421, "evil.example:8000": 421, "localhost.evil.example": 421, "127.0.0.1.nip.example": 421, "": 421, "localhost:8000:9": 421,
	} {
		r := w.request("alice", "GET", "/api/me", nil)
		r.Host = host
		if rec := w.do(r); rec.Code != want {
			t.Errorf("%q: %d, want %d", host, rec.Code, want)
		}
	}
}

func TestReadinessTellsStrangersNothing(t *testing.T) {
	var fault error
	w := newWorld(t, func(d *Deps) { d.Ready = func(context.Context) error { return fault } })
	if rec := w.send("", "GET", "/readyz", ""); rec.Code != http.StatusOK || rec.Body.String() != "{\"status\":\"ok\"}\n" {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	fault = errors.New("CANARY migration 7 is missing")
	rec := w.send("", "GET", "/readyz", "")
	if rec.Code != http.StatusServiceUnavailable || rec.Body.String() != "{\"status\":\"unavailable\"}\n" {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
	if rec := w.send("", "GET", "/healthz", ""); rec.Code != http.StatusOK {
		t.Errorf("healthz: %d", rec.Code)
	}
}

func TestFirstPageSpeaksBothLanguages(t *testing.T) {
	w := newWorld(t)
	rec := w.send("", "GET", "/", "")
	for _, word := range []string{"考据", "接口", "interface", "/openapi.json", "kaoju add", "kaoju ask"} {
		if !strings.Contains(rec.Body.String(), word) {
			t.Errorf("the page lacks %q", word)
		}
	}
	if rec.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("Content-Type %q", rec.Header().Get("Content-Type"))
	}
}

func TestLogHoldsNoSecretsQueriesOrTexts(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	w.add("kb-a", "CANARYNAME.txt|CANARYTEXT of a document", "title", "CANARYTITLE", "status", "published")
	w.send("alice", "POST", "/api/search", `{"query":"CANARYTEXT"}`)
	w.ask("alice", "CANARYTEXT")
	w.send("alice", "GET", "/api/ledger?run_id=CANARYQUERY", "")
	w.send("alice", "GET", "/api/documents/CANARYID%0Aforged", "")
	w.send("alice", "CANARYMETHOD", "/api/me", "")
	log := w.log.String()
	for _, secret := range w.tokens {
		if strings.Contains(log, secret) {
			t.Error("the log holds a token")
		}
	}
	if strings.Contains(log, "CANARY") {
		t.Errorf("the log holds a canary: %s", log)
	}
	for _, word := range []string{`"route":"POST /api/search"`, `"user":"alice"`, `"tenant":"acme"`, `"status":200`} {
		if !strings.Contains(log, word) {
			t.Errorf("the log lacks %s", word)
		}
	}
}

func TestHeadIsGetWithoutABody(t *testing.T) {
	w := newWorld(t)
	s := httptest.NewServer(w.door)
	defer s.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, s.URL+"/api/me", nil)
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+w.tokens["alice"])
	res, err := s.Client().Do(r)
	must(t, err)
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK || res.Header.Get("X-Request-Id") == "" {
		t.Errorf("%d %v", res.StatusCode, res.Header)
	}
}
