package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/ingest/source/git/gittest"
)

// shelf is a knowledge base that sources are brought into.
type shelf struct {
	t    *testing.T
	data string
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{t, filepath.Join(t.TempDir(), "data")}
	s.done("", "kb", "create", "kb", "--data", s.data)
	return s
}

// done runs a command that ends well and says something.
func (s *shelf) done(want string, args ...string) {
	s.t.Helper()
	if status, out, errs := kaoju(s.t, args...); status != exitDone || !strings.Contains(out, want) {
		s.t.Fatalf("%v: status %d, want %q: %s%s", args, status, want, out, errs)
	}
}

func (s *shelf) add(want string, args ...string) {
	s.t.Helper()
	s.done(want, append([]string{"add", "--kb", "kb", "--publish", "--data", s.data}, args...)...)
}

// documents are what is in force, by key.
func (s *shelf) documents() map[string]api.Document {
	s.t.Helper()
	status, out, errs := kaoju(s.t, "doc", "list", "kb", "--json", "--data", s.data)
	var list api.List[api.Document]
	if err := json.Unmarshal([]byte(out), &list); err != nil || status != exitDone {
		s.t.Fatalf("status %d, %v: %s%s", status, err, out, errs)
	}
	all := map[string]api.Document{}
	for _, d := range list.Items {
		if d.Status == "published" {
			all[d.DocKey] = d
		}
	}
	return all
}

func TestARepositoryIsFollowedThroughItsStates(t *testing.T) {
	s, r := newShelf(t), gittest.New(t, false)
	first := r.Commit("main", r.Tree([]string{"docs/差旅.md: # 差旅\n\n住宿上限 500 元。\n", "docs/leave.md: # Leave\n\nThe annual leave is 15 days.\n", "main.go: package main"}))
	s.add("added 2, new versions 0, unchanged 0, failed 0", "--git", r.Path+"//docs")
	s.add("added 0, new versions 0, unchanged 2, failed 0", "git+file://"+r.Path+"@main//docs")
	if got, want := s.documents()["差旅.md"].SourceURI, "git+file://"+r.Path+"@"+first.String()+"//docs/%E5%B7%AE%E6%97%85.md"; got != want {
		t.Errorf("it is from %s, want %s", got, want)
	}
	second := r.Commit("main", r.Tree([]string{"docs/差旅.md: # 差旅\n\n住宿上限 650 元。\n", "docs/2026/leave.md: # Leave\n\nThe annual leave is 15 days.\n"}))
	s.add("moved 1", "--git", r.Path+"//docs")
	docs := s.documents()
	if d := docs["差旅.md"]; d.Version != 2 || !strings.Contains(d.SourceURI, second.String()) {
		t.Errorf("it is version %d from %s", d.Version, d.SourceURI)
	}
	if d := docs["leave.md"]; d.Version != 1 || !strings.Contains(d.SourceURI, first.String()) {
		t.Errorf("it is version %d from %s", d.Version, d.SourceURI)
	}
	s.done("650", "search", "住宿上限", "--data", s.data)
	r.Commit("main", r.Tree([]string{"docs/差旅.md: # 差旅\n\n住宿上限 650 元。\n"}))
	s.add("archived 1", "--git", r.Path+"//docs")
	s.add("new versions 2", "git+file://"+r.Path+"@"+first.String()+"//docs") // the same source in another state: the other comes back too
	if docs := s.documents(); len(docs) != 2 || docs["leave.md"].Version != 2 {
		t.Errorf("in force are %v", docs)
	}
	w := watch(t, "git+file://"+r.Path+"//docs", "--every", "1s", "--kb", "kb", "--publish", "--data", s.data)
	w.says("new version 4: file://" + r.Path + "//docs/差旅.md")
	w.says("archived: file://" + r.Path + "//docs/leave.md is gone")
	r.Commit("main", r.Tree([]string{"docs/差旅.md: # 差旅\n\n住宿上限 700 元。\n"}))
	w.says("new version 5: file://" + r.Path + "//docs/差旅.md")
	if status, errs := w.stop(); status != exitDone || errs != "" {
		t.Errorf("interrupted, it ended with %d: %s", status, errs)
	}
}

// page is a page of the web.
type page struct {
	*httptest.Server
	status       atomic.Int64
	text, format atomic.Value
}

func newPage(t *testing.T, format, text string) *page {
	p := &page{}
	p.status.Store(200)
	p.text.Store(text)
	p.format.Store(format)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", p.format.Load().(string))
		w.WriteHeader(int(p.status.Load()))
		_, _ = io.WriteString(w, p.text.Load().(string))
	}))
	t.Cleanup(p.Close)
	return p
}

// allowed names the page's host as one inside the private network that may be reached.
func (p *page) allowed() string { return "--source-hosts=" + strings.TrimPrefix(p.URL, "http://") }

func TestThePageOfAServerIsReadInTheCharsetThatTheServerSays(t *testing.T) {
	// The characters are too rare to be told by themselves: 饕餮 in GBK, ﾃﾞｰﾀ齟齬 in Shift JIS.
	for charset, c := range map[string][2]string{"gbk": {"<h1>\xf7\xd2\xf7\xd1</h1>", "饕餮"}, "shift_jis": {"<p>\xc3\xde\xb0\xc0\xea\x92\xea\x97</p>", "ﾃﾞｰﾀ齟齬"}} {
		s, p := newShelf(t), newPage(t, "text/html; charset="+charset, c[0])
		s.add("added 1, new versions 0, unchanged 0, failed 0", p.allowed(), p.URL+"/rules")
		s.done(c[1], "search", c[1], "--data", s.data)
	}
}

func TestAPageIsFollowedUntilItIsGone(t *testing.T) {
	s, p := newShelf(t), newPage(t, "text/html; charset=gbk", "<h1>\xb2\xee\xc2\xc3</h1><p>\xd7\xa1\xcb\xde\xc9\xcf\xcf\xde 500 \xd4\xaa\xa1\xa3</p>") // 差旅, 住宿上限 500 元。
	address := p.URL + "/rules"
	s.add("added 1, new versions 0, unchanged 0, failed 0", p.allowed(), address)
	s.add("added 0, new versions 0, unchanged 1, failed 0", p.allowed(), address+"#limits")
	if d := s.documents()[address]; d.SourceURI != address || d.Version != 1 {
		t.Errorf("it is %+v", d)
	}
	s.done("500 元", "search", "住宿上限", "--data", s.data)
	w := watch(t, p.allowed(), address, "--every", "1s", "--kb", "kb", "--publish", "--data", s.data)
	p.text.Store("<h1>Travel</h1><p>The lodging limit is 650 yuan.</p>")
	w.says("new version 2: " + address)
	p.status.Store(500)
	p.text.Store("out of order")
	p.status.Store(410)
	w.says("archived: " + address + " is gone")
	if status, errs := w.stop(); status != exitDone {
		t.Errorf("interrupted, it ended with %d: %s", status, errs)
	}
	if docs := s.documents(); len(docs) != 0 {
		t.Errorf("in force are %v", docs)
	}
	status, out, errs := kaoju(t, "add", "--kb", "kb", "--data", s.data, p.allowed(), address)
	if status != exitFailed || !strings.Contains(errs, "status 410") {
		t.Errorf("what is gone: status %d: %s%s", status, out, errs)
	}
}

func TestWhatAServerSendsIsHeldAgainstItsBytes(t *testing.T) {
	s, p := newShelf(t), newPage(t, "application/pdf", "<html><h1>Please sign in</h1></html>")
	for kind, want := range map[string]string{"application/pdf": "content_mismatch", "text/html": "content_mismatch", "video/mp4": ""} {
		p.format.Store(kind)
		status, out, errs := kaoju(t, "add", "--kb", "kb", "--data", s.data, p.allowed(), p.URL+"/limits.pdf")
		if status != exitFailed || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d: %s%s", kind, status, out, errs)
		}
	}
	if docs := s.documents(); len(docs) != 0 {
		t.Errorf("in force are %v", docs)
	}
}

func TestPrivateHostsAreReachedOnlyIfTheyAreNamed(t *testing.T) {
	s, p := newShelf(t), newPage(t, "text/html", "<h1>secret</h1>")
	for _, named := range []string{p.URL + "/a", "git+" + p.URL + "/r"} {
		status, out, errs := kaoju(t, "add", "--kb", "kb", "--data", s.data, "--source-hosts=127.0.0.1:1", named)
		if status != exitFailed || !strings.Contains(errs, "address_refused") || !strings.Contains(out, "failed 1") {
			t.Errorf("%s: status %d: %s%s", named, status, out, errs)
		}
	}
}

func TestAddressesWithCredentialsAreRefusedAndNotRepeated(t *testing.T) {
	s := newShelf(t)
	for _, named := range []string{"https://user:sesame@host.example/a", "git+https://sesame@host.example/r", "git+https://host.example/r?token=sesame"} {
		status, out, errs := kaoju(t, "add", "--kb", "kb", "--data", s.data, named)
		if status == exitDone || strings.Contains(out+errs, "sesame") || !strings.Contains(errs, "can't be used") {
			t.Errorf("status %d: %s%s", status, out, errs)
		}
	}
}

func TestARepositoryIsBroughtToAServer(t *testing.T) {
	server, r := serveDemo(t, t.TempDir()), gittest.New(t, true)
	h := r.Commit("main", r.Tree([]string{"a.md: # A\n\nOne.\n"}))
	status, out, errs := kaoju(t, "add", "--git", r.Path, "--kb", "kb-support", "--publish", "--server", server.url, "--token", server.tokens["CAROL"])
	if status != exitDone || !strings.Contains(out, "added 1") {
		t.Fatalf("status %d: %s%s", status, out, errs)
	}
	list, err := server.as("CAROL").Documents(t.Context(), "kb-support", api.DocumentFilter{Source: "git+file://" + r.Path}, api.Page{})
	if err != nil || len(list.Items) != 1 || list.Items[0].SourceURI != "git+file://"+r.Path+"@"+h.String()+"//a.md" {
		t.Errorf("it is %+v, error %v", list.Items, err)
	}
}
