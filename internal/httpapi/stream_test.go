package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// live serves a world over a real connection.
func (w *world) live() *httptest.Server {
	s := httptest.NewServer(w.door)
	w.t.Cleanup(s.Close)
	return s
}

// viewer reads a stream frame by frame.
type viewer struct {
	t    *testing.T
	res  *http.Response
	in   *bufio.Reader
	stop context.CancelFunc
}

// frame is one block of a stream.
type frame struct {
	id, event, data string
	retry, comment  string
}

func (w *world) view(s *httptest.Server, who, path string, headers ...string) *viewer {
	w.t.Helper()
	return w.watch(s, path, append([]string{"Authorization", "Bearer " + w.tokens[who]}, headers...)...)
}

// viewWith follows a stream with a session.
func (w *world) viewWith(s *httptest.Server, cookie *http.Cookie, path string) *viewer {
	w.t.Helper()
	return w.watch(s, path, "Cookie", cookie.Name+"="+cookie.Value)
}

func (w *world) watch(s *httptest.Server, path string, headers ...string) *viewer {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.t.Context())
	w.t.Cleanup(stop)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+path, nil)
	must(w.t, err)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := s.Client().Do(r)
	must(w.t, err)
	w.t.Cleanup(func() { res.Body.Close() })
	return &viewer{w.t, res, bufio.NewReader(res.Body), stop}
}

// next reads a frame; ok is false at the end of the stream.
func (v *viewer) next() (f frame, ok bool) {
	v.t.Helper()
	for {
		line, err := v.in.ReadString('\n')
		if err == io.EOF && line == "" {
			return f, false
		}
		must(v.t, err)
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			return f, true
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "id":
			f.id = value
		case "event":
			f.event = value
		case "data":
			f.data += value
		case "retry":
			f.retry = value
		case "":
			f.comment = value
		default:
			v.t.Errorf("the stream holds %q", line)
		}
	}
}

// events reads frames that carry events until n are read or the stream ends.
func (v *viewer) events(n int) (out []api.Event) {
	v.t.Helper()
	for len(out) < n {
		f, ok := v.next()
		if !ok {
			break
		}
		if f.data == "" {
			continue
		}
		var e api.Event
		must(v.t, json.Unmarshal([]byte(f.data), &e))
		if f.id != e.ID || f.event != e.Type || e.ID != e.RunID+":"+strconv.FormatInt(e.Sequence, 10) || e.V != 1 {
			v.t.Errorf("frame %+v and envelope %+v disagree", f, e)
		}
		out = append(out, e)
	}
	return out
}

func types(events []api.Event) (out []string) {
	for _, e := range events {
		out = append(out, e.Type)
	}
	return out
}

var whole = []string{
	"run.created", "run.started", "run.tool.started", "run.source.added", "run.tool.started",
	"run.answer.started", "run.answer.delta", "run.completed",
}

// told makes a world in which Bob, a reader, has asked one question.
func told(t *testing.T) (*world, api.Answer) {
	w := newWorld(t)
	w.kb("kb-a")
	w.grant("kb-a", "user:alice", "manager", "user:bob", "reader")
	w.add("kb-a", "travel.txt|The lodging limit is 650 yuan.", "status", "published")
	return w, w.ask("bob", "lodging")
}

func TestStreamReplaysAndEndsAfterTheClosingEvent(t *testing.T) {
	w, a := told(t)
	s := w.live()
	path := "/api/runs/" + a.RunID + "/events"
	v := w.view(s, "bob", path)
	if first, ok := v.next(); !ok || first.retry != "2000" {
		t.Errorf("first frame %+v", first)
	}
	all := v.events(100)
	if diff := cmp.Diff(whole, types(all)); diff != "" {
		t.Error(diff)
	}
	for i, e := range all {
		if e.Sequence != int64(i+1) || e.Attempt != 1 || e.RunID != a.RunID {
			t.Errorf("event %d: %+v", i, e)
		}
	}
	for name, want := range map[string]string{"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"} {
		if got := v.res.Header.Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	second := w.view(s, "bob", path)
	if diff := cmp.Diff(all, second.events(100)); diff != "" {
		t.Errorf("a second viewer sees another sequence: %s", diff)
	}
	for n := range len(all) - 1 {
		for _, last := range []string{all[n].ID, strconv.Itoa(n + 1)} {
			if diff := cmp.Diff(all[n+1:], w.view(s, "bob", path, "Last-Event-ID", last).events(100)); diff != "" {
				t.Errorf("after %s: %s", last, diff)
			}
			if diff := cmp.Diff(all[n+1:], w.view(s, "bob", path+"?after="+last).events(100)); diff != "" {
				t.Errorf("?after=%s: %s", last, diff)
			}
		}
	}
	for _, last := range []string{all[len(all)-1].ID, strconv.Itoa(len(all))} {
		v := w.view(s, "bob", path, "Last-Event-ID", last)
		if b, err := io.ReadAll(v.res.Body); v.res.StatusCode != http.StatusNoContent || len(b) != 0 || err != nil {
			t.Errorf("after the closing event: %d %q %v", v.res.StatusCode, b, err)
		}
	}
}

func TestPlaceThatTheRunDoesNotHaveIsRefused(t *testing.T) {
	w, a := told(t)
	other := w.ask("bob", "lodging")
	path := "/api/runs/" + a.RunID + "/events"
	for _, last := range []string{"9", "9999999999999999999", "-1", "x", "1.5", other.RunID + ":2", a.RunID + ":", a.RunID + ":9", a.RunID + ":x"} {
		w.refusal("bob", "GET", path, "", http.StatusBadRequest, "invalid_last_event_id", "Last-Event-ID", last)
		w.refusal("alice", "GET", path, "", http.StatusNotFound, "not_found", "Last-Event-ID", last)
		p := w.refusal("bob", "GET", path+"?after="+url.QueryEscape(last), "", http.StatusUnprocessableEntity, "invalid_request")
		if len(p.Errors) != 1 || p.Errors[0].Pointer != "?after" {
			t.Errorf("after=%s: %+v", last, p.Errors)
		}
		w.refusal("alice", "GET", path+"?after="+url.QueryEscape(last), "", http.StatusNotFound, "not_found")
	}
}

func TestEventsComeAsAListToo(t *testing.T) {
	w, a := told(t)
	path := "/api/runs/" + a.RunID + "/events"
	l := expect[api.List[api.Event]](w, "bob", "GET", path, "", http.StatusOK, "Accept", "application/json")
	if diff := cmp.Diff(whole, types(l.Items)); diff != "" || l.NextCursor != nil {
		t.Errorf("%v %s", l.NextCursor, diff)
	}
	streamed := w.view(w.live(), "bob", path).events(100)
	if diff := cmp.Diff(l.Items, streamed); diff != "" {
		t.Errorf("list and stream differ: %s", diff)
	}
	part := expect[api.List[api.Event]](w, "bob", "GET", path+"?after=2&limit=3", "", http.StatusOK, "Accept", "application/json")
	if diff := cmp.Diff(l.Items[2:5], part.Items); diff != "" || part.NextCursor == nil || *part.NextCursor != a.RunID+":5" {
		t.Errorf("%v %s", part.NextCursor, diff)
	}
	end := expect[api.List[api.Event]](w, "bob", "GET", path+"?after=8", "", http.StatusOK, "Accept", "application/json")
	if len(end.Items) != 0 {
		t.Errorf("after the end: %+v", end)
	}
}

func TestStreamFollowsARunUnderWay(t *testing.T) {
	w, _ := told(t)
	w.runner.hold = true
	started := expect[api.Started](w, "bob", "POST", "/api/runs", `{"kind":"answer","goal":"lodging"}`, http.StatusAccepted)
	s := w.live()
	path := "/api/runs/" + started.RunID + "/events"
	one, two := w.view(s, "bob", path), w.view(s, "bob", path)
	first := one.events(5)
	if diff := cmp.Diff(whole[:5], types(first)); diff != "" {
		t.Fatal(diff)
	}
	for beats := 0; beats < 2; {
		f, ok := one.next()
		if !ok {
			t.Fatal("the stream ended while the run was under way")
		}
		if f.comment != "" {
			beats++
		}
	}
	close(w.runner.open)
	rest := one.events(100)
	if diff := cmp.Diff(whole[5:], types(rest)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(append(first, rest...), two.events(100)); diff != "" {
		t.Errorf("the second viewer sees another sequence: %s", diff)
	}
	w.runner.work.Wait()
}

func TestChatStreamsTheRun(t *testing.T) {
	w, _ := told(t)
	rec := w.send("bob", "POST", "/api/chat", `{"question":"lodging"}`, "Accept", "text/event-stream")
	w.runner.work.Wait()
	v := &viewer{t: t, in: bufio.NewReader(rec.Body)}
	if diff := cmp.Diff(whole, types(v.events(100))); diff != "" || rec.Code != http.StatusOK {
		t.Errorf("%d %s", rec.Code, diff)
	}
	w.refusal("bob", "POST", "/api/chat", `{"question":""}`, http.StatusUnprocessableEntity, "invalid_request", "Accept", "text/event-stream")
}

// A deadline that was meant for the body must not end what takes longer than the body.
func TestQuestionMayTakeLongerThanItsBody(t *testing.T) {
	w, _ := told(t)
	w.server.deps.Pace.Body = 50 * time.Millisecond
	w.runner.hold = true
	s := w.live()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/api/chat", strings.NewReader(`{"question":"lodging"}`))
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+w.tokens["bob"])
	r.Header.Set("Accept", "text/event-stream")
	res, err := s.Client().Do(r)
	must(t, err)
	defer res.Body.Close()
	v := &viewer{t: t, res: res, in: bufio.NewReader(res.Body)}
	v.events(5)
	for began := time.Now(); time.Since(began) < 120*time.Millisecond; {
		if _, ok := v.next(); !ok {
			t.Fatal("the stream ended before the run did")
		}
	}
	close(w.runner.open)
	if diff := cmp.Diff(whole[5:], types(v.events(100))); diff != "" {
		t.Error(diff)
	}
	w.runner.work.Wait()
}

func TestHeadOfAStreamDoesNotFollowIt(t *testing.T) {
	w, _ := told(t)
	w.runner.hold = true
	started := expect[api.Started](w, "bob", "POST", "/api/runs", `{"kind":"answer","goal":"lodging"}`, http.StatusAccepted)
	if rec := w.send("bob", http.MethodHead, "/api/runs/"+started.RunID+"/events", ""); rec.Code != http.StatusOK {
		t.Errorf("%d", rec.Code)
	}
	close(w.runner.open)
	w.runner.work.Wait()
}

func TestSuspendedViewersStreamEnds(t *testing.T) {
	w, _ := told(t)
	w.runner.hold = true
	started := expect[api.Started](w, "bob", "POST", "/api/runs", `{"kind":"answer","goal":"lodging"}`, http.StatusAccepted)
	v := w.view(w.live(), "bob", "/api/runs/"+started.RunID+"/events")
	v.events(5)
	must(t, w.db.Admin().PutUser(t.Context(), acme, "operator", access.Identity{User: "bob", Suspended: true}))
	if rest := v.events(100); len(rest) != 0 {
		t.Errorf("a suspended viewer still got %v", types(rest))
	}
	close(w.runner.open)
	w.runner.work.Wait()
}

func TestStreamEndsWithItsToken(t *testing.T) {
	var late atomic.Bool
	w := newWorld(t, func(d *Deps) {
		d.Clock = func() time.Time {
			if late.Load() {
				return time.Now().Add(2 * time.Hour)
			}
			return time.Now()
		}
	})
	w.kb("kb-a")
	w.add("kb-a", "travel.txt|The lodging limit is 650 yuan.", "status", "published")
	secret, err := auth.Issue(t.Context(), w.db.Auth(), auth.Token{
		Tenant: acme, User: "alice", ExpiresAt: time.Now().Add(time.Hour), Permissions: access.AllPermissions,
	})
	must(t, err)
	w.tokens["alice for an hour"] = secret
	w.runner.hold = true
	started := expect[api.Started](w, "alice", "POST", "/api/runs", `{"kind":"answer","goal":"lodging"}`, http.StatusAccepted)
	s := w.live()
	path := "/api/runs/" + started.RunID + "/events"
	short, long := w.view(s, "alice for an hour", path), w.view(s, "alice", path)
	short.events(5)
	late.Store(true)
	if rest := short.events(100); len(rest) != 0 {
		t.Errorf("an expired token still got %v", types(rest))
	}
	close(w.runner.open)
	if diff := cmp.Diff(whole, types(long.events(100))); diff != "" {
		t.Errorf("the other viewer: %s", diff)
	}
	w.runner.work.Wait()
}

func TestViewerWhoLeavesStopsTheStream(t *testing.T) {
	w, _ := told(t)
	w.runner.hold = true
	started := expect[api.Started](w, "bob", "POST", "/api/runs", `{"kind":"answer","goal":"lodging"}`, http.StatusAccepted)
	s := w.live()
	v := w.view(s, "bob", "/api/runs/"+started.RunID+"/events")
	v.events(5)
	v.stop()
	// Close waits for the handlers of all connections, and goleak for their goroutines.
	v.res.Body.Close()
	s.Close()
	close(w.runner.open)
	w.runner.work.Wait()
}

func TestLostSourcesAreWithheldFromReplay(t *testing.T) {
	w, a := told(t)
	path := "/api/runs/" + a.RunID + "/events"
	w.grant("kb-a", "user:alice", "manager")
	s := w.live()
	v := w.view(s, "bob", path)
	all := v.events(100)
	if diff := cmp.Diff(whole, types(all)); diff != "" {
		t.Errorf("the sequence changed: %s", diff)
	}
	data := func(n int) string { return string(all[n].Data) }
	if got := data(3); got != `{"ref":"S1","withheld":true}` {
		t.Errorf("source: %s", got)
	}
	if got := data(6); strings.Contains(got, "text") || !strings.Contains(got, `"withheld":true`) {
		t.Errorf("delta: %s", got)
	}
	// Those from before the reading go too: whatever became of a source, the same is left.
	if got := data(2); strings.Contains(got, "lodging") || !strings.Contains(got, `"withheld":true`) {
		t.Errorf("a query from before the reading: %s", got)
	}
	if got := data(4); strings.Contains(got, "lodging") {
		t.Errorf("a query from after the reading: %s", got)
	}
	for n := range all {
		if strings.Contains(data(n), "650 yuan") {
			t.Errorf("event %d holds text of the lost document: %s", n+1, data(n))
		}
	}
	w.grant("kb-a", "user:alice", "manager", "user:bob", "reader")
	again := w.view(s, "bob", path).events(100)
	if !strings.Contains(string(again[6].Data), "650") || !strings.Contains(string(again[3].Data), "650") {
		t.Error("with the right back, the text is not")
	}
}
