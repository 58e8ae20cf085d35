package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
)

func errandFor(user access.UserID, key string, request any) errand {
	return errandOf(access.Actor{Tenant: acme, User: user}, "op", key, request)
}

func idOf(r idempotency.Receipt) (string, error) { return r.ID, nil }

// ledgerless is a store of keys in memory that can be told to fail.
type ledgerless struct {
	mu       sync.Mutex
	receipts map[idempotency.Key]idempotency.Receipt
	fault    error
	released int
}

func (l *ledgerless) Claim(_ context.Context, k idempotency.Key, _ string) (idempotency.Claim, *idempotency.Receipt, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r, ok := l.receipts[k]; ok {
		return idempotency.Claim{}, &r, l.fault
	}
	return idempotency.Claim{Key: k}, nil, l.fault
}

func (l *ledgerless) Settle(_ context.Context, c idempotency.Claim, r idempotency.Receipt) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.Secret = ""
	l.receipts[c.Key] = r
	return nil
}

func (l *ledgerless) Release(context.Context, idempotency.Claim) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.released++
	return nil
}

func testKeys(clock func() time.Time) (*keys, *ledgerless) {
	l := &ledgerless{receipts: map[idempotency.Key]idempotency.Receipt{}}
	return newKeys(l, clock), l
}

func TestConcurrentRequestsWithOneKeyDoTheWorkOnce(t *testing.T) {
	k, _ := testKeys(time.Now)
	var done atomic.Int32
	release := make(chan struct{})
	var group sync.WaitGroup
	results := make([]string, 20)
	for i := range results {
		group.Go(func() {
			got, err := once(t.Context(), k, errandFor("alice", "k", "request"), func(context.Context) (idempotency.Receipt, error) {
				<-release
				return idempotency.Receipt{ID: fmt.Sprint("made ", done.Add(1))}, nil
			}, idOf)
			if err != nil {
				t.Error(err)
			}
			results[i] = got
		})
	}
	close(release)
	group.Wait()
	for _, r := range results {
		if r != "made 1" {
			t.Fatalf("results %v", results)
		}
	}
	if len(k.under) != 0 {
		t.Errorf("%d keys are under way after all have ended", len(k.under))
	}
}

func TestFailureIsNotRemembered(t *testing.T) {
	k, l := testKeys(time.Now)
	fault := errors.New("no")
	makes := func(id string, err error) func(context.Context) (idempotency.Receipt, error) {
		return func(context.Context) (idempotency.Receipt, error) { return idempotency.Receipt{ID: id}, err }
	}
	if _, err := once(t.Context(), k, errandFor("alice", "k", 1), makes("0", fault), idOf); !errors.Is(err, fault) || l.released != 1 {
		t.Fatal(err, l.released)
	}
	if got, err := once(t.Context(), k, errandFor("alice", "k", 2), makes("7", nil), idOf); err != nil || got != "7" {
		t.Errorf("%s %v", got, err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = once(t.Context(), k, errandFor("alice", "p", 1), func(context.Context) (idempotency.Receipt, error) { panic("fault") }, idOf)
	}()
	if got, err := once(t.Context(), k, errandFor("alice", "p", 1), makes("8", nil), idOf); err != nil || got != "8" || l.released != 2 {
		t.Errorf("after a panic: %s %v, %d released", got, err, l.released)
	}
	l.fault = problem.New(problem.Unavailable, "busy", "Busy.")
	if _, err := once(t.Context(), k, errandFor("alice", "q", 1), makes("9", nil), idOf); problem.CodeOf(err) != "busy" {
		t.Errorf("a store that fails let the work be done: %v", err)
	}
}

func TestWaiterLeavesWithItsContext(t *testing.T) {
	k, _ := testKeys(time.Now)
	ctx, cancel := context.WithCancel(t.Context())
	started, release := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		_, _ = once(t.Context(), k, errandFor("alice", "k", "r"), func(context.Context) (idempotency.Receipt, error) {
			close(started)
			<-release
			return idempotency.Receipt{ID: "1"}, nil
		}, idOf)
	})
	<-started
	if _, err := once(t.Context(), k, errandFor("alice", "k", "other"), nil, idOf); problem.CodeOf(err) != "idempotency_key_reused" {
		t.Errorf("another request with the key of one under way: %v", err)
	}
	cancel()
	if _, err := once(ctx, k, errandFor("alice", "k", "r"), nil, idOf); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	close(release)
	group.Wait()
}

func TestASecretIsRepeatedForAWhileAndThenNoMore(t *testing.T) {
	now := time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)
	k, _ := testKeys(func() time.Time { return now })
	ask := func(key string) string {
		got, err := once(t.Context(), k, errandFor("alice", key, 1), func(context.Context) (idempotency.Receipt, error) {
			return idempotency.Receipt{ID: "tok_" + key, Secret: "secret of " + key}, nil
		}, func(r idempotency.Receipt) (string, error) { return r.Secret, nil })
		must(t, err)
		return got
	}
	ask("k")
	now = now.Add(secretLife - time.Second)
	if got := ask("k"); got != "secret of k" {
		t.Errorf("a client that asks again gets %q", got)
	}
	now = now.Add(time.Second)
	ask("other")
	if got := ask("k"); got != "" || len(k.told) != 1 {
		t.Errorf("after %s it is still told: %q, %d kept", secretLife, got, len(k.told))
	}
}

// restarted is the server started anew on the same store: what the process knew is gone.
func (w *world) restarted() *world {
	w.t.Helper()
	w.server = newServer(w.server.deps)
	w.door = w.server.front()
	return w
}

// creation is one operation that makes something, tried with a key.
type creation struct {
	name, who, path, body, other string
	form                         bool
	status                       int
}

func (c creation) send(w *world, body string, headers ...string) *httptest.ResponseRecorder {
	if c.form {
		form, media := formOf("file", body)
		return w.do(w.request(c.who, "POST", c.path, form, append(headers, "Content-Type", media)...))
	}
	return w.send(c.who, "POST", c.path, body, headers...)
}

func creations(draft, proposal string) []creation {
	return []creation{
		{name: "knowledge base", who: "alice", path: "/api/knowledge-bases", body: `{"name":"x"}`, other: `{"name":"y"}`, status: 201},
		{name: "document", who: "alice", path: "/api/knowledge-bases/kb-a/documents", form: true, body: "a.txt|One.", other: "a.txt|Two.", status: 202},
		{name: "run", who: "alice", path: "/api/runs", body: `{"kind":"answer","goal":"lodging"}`, other: `{"kind":"answer","goal":"meals"}`, status: 202},
		{name: "chat", who: "alice", path: "/api/chat", body: `{"question":"lodging"}`, other: `{"question":"meals"}`, status: 200},
		{name: "user", who: "tina", path: "/api/users", body: `{"id":"nina"}`, other: `{"id":"nora"}`, status: 201},
		{name: "group", who: "tina", path: "/api/groups", body: `{"id":"g1"}`, other: `{"id":"g2"}`, status: 201},
		{name: "proposal", who: "carol", path: "/api/documents/" + draft + "/publish-proposals", status: 201},
		{name: "decision", who: "carol", path: decisions(proposal), body: `{"approved":false}`, other: `{"approved":true}`, status: 200},
	}
}

func TestRepeatedCreationMakesNothingAgainAlsoAfterARestart(t *testing.T) {
	w, _, draft := office(t)
	p := w.propose("carol", draft)
	for _, c := range creations(draft, p.ProposalID) {
		t.Run(c.name, func(t *testing.T) {
			key := []string{"Idempotency-Key", "one key for all"}
			first := c.send(w, c.body, key...)
			w.runner.work.Wait()
			if first.Code != c.status {
				t.Fatalf("first: %d %s", first.Code, first.Body)
			}
			entries := len(w.kinds())
			again := c.send(w, c.body, key...)
			restarted := c.send(w.restarted(), c.body, key...)
			w.runner.work.Wait()
			if picture(first) != picture(again) || picture(first) != picture(restarted) {
				t.Errorf("first\n%s\nagain\n%s\nafter a restart\n%s", picture(first), picture(again), picture(restarted))
			}
			if c.other != "" {
				var refusal api.Problem
				rec := c.send(w, c.other, key...)
				must(t, json.Unmarshal(rec.Body.Bytes(), &refusal))
				if rec.Code != http.StatusUnprocessableEntity || refusal.Code != "idempotency_key_reused" {
					t.Errorf("another body: %d %s", rec.Code, rec.Body)
				}
			}
			if after := len(w.kinds()); after != entries {
				t.Errorf("repeating wrote %d entries into the ledger", after-entries)
			}
		})
	}
}

// kinds are those of all entries of acme's ledger.
func (w *world) kinds() (out []string) {
	w.t.Helper()
	all, err := w.db.Ledger().Entries(w.t.Context(), string(acme), 0, 10000)
	must(w.t, err)
	for _, e := range all {
		out = append(out, string(e.Kind))
	}
	return out
}

func TestKeysOfOthersAndOldKeysAreUnknown(t *testing.T) {
	w := newWorld(t)
	at := time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)
	w.set(at)
	ask := func(who string) string {
		return expect[api.KnowledgeBase](w, who, "POST", "/api/knowledge-bases", `{"name":"x"}`, http.StatusCreated, "Idempotency-Key", "k").ID
	}
	first := ask("alice")
	if bobs, erins := ask("bob"), ask("erin"); bobs == first || erins == first {
		t.Error("a key is shared between actors")
	}
	w.set(at.Add(idempotency.Life - time.Second))
	if got := ask("alice"); got != first {
		t.Errorf("forgotten within a day: %s after %s", got, first)
	}
	w.set(at.Add(idempotency.Life))
	if got := ask("alice"); got == first {
		t.Error("remembered for more than a day")
	}
	// A key is for one operation: the same name elsewhere is another request.
	expect[api.Started](w, "alice", "POST", "/api/runs", `{"kind":"answer","goal":"x"}`, http.StatusAccepted, "Idempotency-Key", "k")
	w.runner.work.Wait()
}

func TestARepetitionIsJudgedByTheRightsOfItsMoment(t *testing.T) {
	w, _, draft := office(t)
	key := []string{"Idempotency-Key", "k"}
	made := expect[api.KnowledgeBase](w, "alice", "POST", "/api/knowledge-bases", `{"name":"CANARY-base"}`, http.StatusCreated, key...)
	w.grant(made.ID, "user:bob", "manager")
	p := w.propose("carol", draft)
	proposed := w.send("carol", "POST", "/api/documents/"+draft+"/publish-proposals", "", key...)
	decided := w.send("carol", "POST", decisions(p.ProposalID), `{"approved":false}`, key...)
	if proposed.Code != 201 || decided.Code != 200 {
		t.Fatalf("%s %s", proposed.Body, decided.Body)
	}
	expect[api.User](w, "tina", "POST", "/api/users", `{"id":"nina","display_name":"CANARY-nina"}`, http.StatusCreated, key...)
	w.grant("kb-a", "user:alice", "manager")
	must(t, w.db.Admin().PutUser(t.Context(), acme, "operator", access.Identity{User: "tina", Roles: []access.Role{access.Member}}))
	for _, restart := range []bool{false, true} {
		if restart {
			w.restarted()
		}
		w.refusal("alice", "POST", "/api/knowledge-bases", `{"name":"CANARY-base"}`, http.StatusNotFound, "not_found", key...)
		w.refusal("carol", "POST", decisions(p.ProposalID), `{"approved":false}`, http.StatusNotFound, "not_found", key...)
		w.refusal("tina", "POST", "/api/users", `{"id":"nina","display_name":"CANARY-nina"}`, http.StatusNotFound, "not_found", key...)
		again := w.send("carol", "POST", "/api/documents/"+draft+"/publish-proposals", "", key...)
		if strings.Contains(again.Body.String(), "travel") || strings.Contains(again.Body.String(), "summary\":{") {
			t.Errorf("what is lost is told again: %s", again.Body)
		}
	}
}

func TestASecretDoesNotOutliveTheProcess(t *testing.T) {
	w := newWorld(t)
	key := []string{"Idempotency-Key", "k"}
	made := expect[api.IssuedToken](w, "alice", "POST", "/api/tokens", `{"name":"w"}`, http.StatusCreated, key...)
	if again := expect[api.IssuedToken](w, "alice", "POST", "/api/tokens", `{"name":"w"}`, http.StatusCreated, key...); again.Token != made.Token {
		t.Errorf("%+v", again)
	}
	w.restarted()
	p := w.refusal("alice", "POST", "/api/tokens", `{"name":"w"}`, http.StatusConflict, "secret_shown_once", key...)
	if !strings.Contains(p.Detail, made.ID) || strings.Contains(p.Detail, made.Token) {
		t.Errorf("%s", p.Detail)
	}
	if list := expect[api.List[api.Token]](w, "alice", "GET", "/api/tokens", "", http.StatusOK); len(list.Items) != 2 {
		t.Errorf("%d tokens", len(list.Items))
	}
}
