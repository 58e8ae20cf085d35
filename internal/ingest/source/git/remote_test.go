package git_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"

	"github.com/kaoju/kaoju/internal/ingest/source/git"
	"github.com/kaoju/kaoju/internal/ingest/source/git/gittest"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/problem"
)

// host serves repositories as servers of Git do.
type host struct {
	*httptest.Server
	t      *testing.T
	repo   *repository
	pack   func([]byte) []byte // what becomes of a pack on its way
	asked  []string            // "METHOD PATH AUTHORIZATION"
	before func(http.ResponseWriter, *http.Request) (done bool)
}

func newHost(t *testing.T, repo *repository) *host {
	t.Helper()
	h := &host{t: t, repo: repo}
	h.Server = httptest.NewTLSServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *host) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	user, token, _ := req.BasicAuth()
	h.asked = append(h.asked, strings.TrimSpace(req.Method+" "+req.URL.Path+" "+user+" "+token))
	if h.before != nil && h.before(w, req) {
		return
	}
	switch {
	case strings.HasSuffix(req.URL.Path, "/info/refs") && req.URL.Query().Get("service") == "git-upload-pack":
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		h.do(h.refs().Encode(w))
	case strings.HasSuffix(req.URL.Path, "/git-upload-pack"):
		w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		h.do(h.send(w, req.Body))
	default:
		http.NotFound(w, req)
	}
}

func (h *host) do(err error) {
	if err != nil {
		h.t.Error(err)
	}
}

func (h *host) refs() *packp.AdvRefs {
	refs := packp.NewAdvRefs()
	refs.Prefix = [][]byte{[]byte("# service=git-upload-pack"), nil}
	all, err := h.repo.Store.IterReferences()
	h.do(err)
	h.do(all.ForEach(func(r *plumbing.Reference) error {
		if r.Type() == plumbing.HashReference {
			refs.References[r.Name().String()] = r.Hash()
			if r.Name() == "refs/heads/main" {
				at := r.Hash()
				refs.Head = &at
			}
		}
		return nil
	}))
	for _, c := range []capability.Capability{capability.Shallow, capability.OFSDelta} {
		h.do(refs.Capabilities.Set(c))
	}
	return refs
}

func (h *host) send(w io.Writer, body io.Reader) error {
	req := packp.NewUploadPackRequest()
	if err := req.UploadRequest.Decode(body); err != nil {
		return err
	}
	if req.Depth != packp.DepthCommits(1) {
		h.t.Error("more than one state is asked for")
	}
	all, err := h.repo.Store.IterEncodedObjects(plumbing.AnyObject)
	if err != nil {
		return err
	}
	var hashes []plumbing.Hash
	if err := all.ForEach(func(o plumbing.EncodedObject) error { hashes = append(hashes, o.Hash()); return nil }); err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := packfile.NewEncoder(&b, h.repo.Store, false).Encode(hashes, 10); err != nil {
		return err
	}
	data := b.Bytes()
	if h.pack != nil {
		data = h.pack(data)
	}
	answer := packp.NewUploadPackResponseWithPackfile(req, io.NopCloser(bytes.NewReader(data)))
	answer.Shallows = req.Wants
	return answer.Encode(w)
}

// client reaches the hosts of a test, which are on this machine, and nothing else there.
func client(hosts ...*httptest.Server) *http.Client {
	o := outbound.Options{TLS: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // The certificate is the test's.
	for _, h := range hosts {
		u, _ := url.Parse(h.URL)
		o.Allow = append(o.Allow, outbound.HostPort(u))
	}
	return outbound.New(o)
}

func (h *host) open(rest string, change ...func(*git.Options)) *git.Repository {
	h.t.Helper()
	a, err := git.Parse("git+" + h.URL + rest)
	do(h.t, err)
	o := options()
	o.Client = client(h.Server)
	for _, c := range change {
		c(&o)
	}
	r := git.Open(a, o)
	h.t.Cleanup(func() { do(h.t, r.Close()) })
	return r
}

func TestTheFilesOfARepositoryElsewhereAreFetched(t *testing.T) {
	repo := newRepository(t, true)
	first := repo.Commit("main", repo.Tree([]string{"docs/a.md: " + strings.Repeat("one line of many\n", 40), "docs/差旅.md: 650 元", "x.go: x"}))
	repo.Commit("old", repo.Tree([]string{"docs/a.md: " + strings.Repeat("one line of many\n", 39) + "and another"}))
	h := newHost(t, repo)
	r := h.open("/o/r.git//docs")
	l := list(t, r)
	wants(t, told(t, l), "a.md: "+strings.Repeat("one line of many\n", 40), "差旅.md: 650 元")
	if got, want := l.Files[0].URI, "git+"+h.URL+"/o/r.git@"+first.String()+"//docs/a.md"; got != want || r.Name() != "git+"+h.URL+"/o/r.git//docs" {
		t.Errorf("the file is from %s, want %s; the source is %s", got, want, r.Name())
	}
	h.asked = nil
	wants(t, told(t, list(t, r)), told(t, l)...)
	wants(t, h.asked, "GET /o/r.git/info/refs") // what is there is not fetched again
	repo.Commit("main", repo.Tree([]string{"docs/a.md: two"}))
	wants(t, told(t, list(t, r)), "a.md: two")
	wants(t, told(t, list(t, h.open("/o/r.git@old"))), "docs/a.md: "+strings.Repeat("one line of many\n", 39)+"and another")
	if _, err := h.open("/o/r.git@none").List(t.Context()); problem.CodeOf(err) != "no_such_ref" {
		t.Errorf("error %v", err)
	}
}

// TestARepositoryIsFetchedFromAServerOfGit holds our words against those of the program itself.
func TestARepositoryIsFetchedFromAServerOfGit(t *testing.T) {
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	root := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir = filepath.Join(root, "r")
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	do(t, os.MkdirAll(filepath.Join(root, "r", "docs"), 0o700))
	git("init", "-q", "-b", "main")
	git("config", "uploadpack.allowFilter", "true")
	git("config", "uploadpack.allowAnySHA1InWant", "true")
	write := func(name, text string) {
		do(t, os.WriteFile(filepath.Join(root, "r", name), []byte(text), 0o600))
		git("add", "-A")
		git("commit", "-q", "-m", "x")
	}
	long := strings.Repeat("a line of a long text that is packed as a difference\n", 10)
	write("docs/a.md", long)
	write("docs/差旅.md", "650 元")
	git("tag", "-a", "v1", "-m", "x")
	write("docs/a.md", long+"more")
	write("docs/big.md", strings.Repeat("0123456789", 200))
	git("gc", "-q")
	server := httptest.NewServer(&cgi.Handler{Path: program, Args: []string{"http-backend"}, Env: []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1"}, Stderr: io.Discard})
	t.Cleanup(server.Close)
	h := &host{t: t, Server: server}
	wants(t, told(t, list(t, h.open("/r/.git//docs"))), "a.md: "+long+"more", "差旅.md: 650 元", "!big.md: file_missing")
	wants(t, told(t, list(t, h.open("/r/.git@v1//docs"))), "a.md: "+long, "差旅.md: 650 元")
	wants(t, told(t, list(t, h.open("/r/.git@"+git("rev-parse", "HEAD~3")))), "docs/a.md: "+long)
	here := (&repository{&gittest.Repository{T: t, Path: filepath.Join(root, "r")}}).open("git+file://$PATH@v1//docs")
	wants(t, told(t, list(t, here)), "a.md: "+long, "差旅.md: 650 元") // and read as it stands
}

func TestATokenGoesToItsHostAlone(t *testing.T) {
	repo := newRepository(t, true)
	repo.Commit("main", repo.Tree([]string{"a.md: one"}))
	h, other := newHost(t, repo), newHost(t, repo)
	h.before = func(w http.ResponseWriter, req *http.Request) bool {
		if strings.HasPrefix(req.URL.Path, "/moved/") {
			http.Redirect(w, req, other.URL+strings.TrimPrefix(req.URL.RequestURI(), "/moved"), http.StatusFound)
			return true
		}
		return false
	}
	// There is one for the other host too: a redirect must not have it used there.
	token := func(o *git.Options) { o.Token = func(string) (string, string) { return "robot", "sesame" } }
	wants(t, told(t, list(t, h.open("/r", token))), "a.md: one")
	wants(t, h.asked, "GET /r/info/refs robot sesame", "POST /r/git-upload-pack robot sesame")
	// Elsewhere on this machine is nowhere that a redirect may lead, though the address itself is allowed.
	_, err := h.open("/moved/r", token, func(o *git.Options) { o.Client = client(h.Server, other.Server) }).List(t.Context())
	if problem.CodeOf(err) != "address_refused" || len(other.asked) != 0 {
		t.Errorf("error %v, and the other host was asked %v", err, other.asked)
	}
	// Where a redirect may lead, the token stays behind.
	_, err = h.open("/moved/r", token, func(o *git.Options) { o.Client = followAll(h.Server) }).List(t.Context())
	do(t, err)
	wants(t, other.asked, "GET /r/info/refs", "POST /r/git-upload-pack")
}

// followAll is a client as outbound makes it but for what it knows of addresses.
func followAll(h *httptest.Server) *http.Client {
	return &http.Client{Transport: h.Client().Transport.(*http.Transport).Clone(), CheckRedirect: client(h).CheckRedirect}
}

func TestATokenIsNotSentInTheClear(t *testing.T) {
	repo := newRepository(t, true)
	repo.Commit("main", repo.Tree([]string{"a.md: one"}))
	h := &host{t: t, repo: repo}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	list(t, h.open("/r", func(o *git.Options) { o.Token = func(string) (string, string) { return "robot", "sesame" } }))
	wants(t, h.asked, "GET /r/info/refs", "POST /r/git-upload-pack")
}

func TestNoPrivateAddressIsReachedForARepository(t *testing.T) {
	repo := newRepository(t, true)
	repo.Commit("main", repo.Tree([]string{"a.md: one"}))
	h := newHost(t, repo)
	_, err := h.open("/r", func(o *git.Options) { o.Client = client() }).List(t.Context())
	if problem.CodeOf(err) != "address_refused" || len(h.asked) != 0 {
		t.Errorf("error %v, asked %v", err, h.asked)
	}
	for _, target := range []string{"http://169.254.169.254/latest", "https://10.0.0.1/r", "https://[::1]/r", "file:///etc/passwd"} {
		h.before = func(w http.ResponseWriter, req *http.Request) bool {
			http.Redirect(w, req, target+"/info/refs?service=git-upload-pack", http.StatusFound)
			return true
		}
		if _, err := h.open("/r").List(t.Context()); err == nil || !slices.Contains([]string{"address_refused", "redirect_refused", "invalid_url"}, problem.CodeOf(err)) {
			t.Errorf("to %s: error %v", target, err)
		}
	}
}

func TestWhatAServerMayAnswerInsteadOfARepository(t *testing.T) {
	answer := func(status int, kind, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
			return true
		}
	}
	const adv = "application/x-git-upload-pack-advertisement"
	for name, c := range map[string]struct {
		before func(http.ResponseWriter, *http.Request) bool
		code   string
	}{
		"a page":                   {answer(200, "text/html", "canary"), "no_repository"},
		"nothing":                  {answer(404, "text/plain", "canary"), "no_repository"},
		"a demand for a token":     {answer(401, "text/plain", "canary"), "repository_denied"},
		"a fault":                  {answer(503, "text/plain", "canary"), "repository_unreachable"},
		"garbage":                  {answer(200, adv, "canary"), "repository_malformed"},
		"no references":            {answer(200, adv, "001e# service=git-upload-pack\n00000000"), "no_such_ref"},
		"an end without an answer": {func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }, "repository_unreachable"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, newRepository(t, true))
			h.before = c.before
			_, err := h.open("/r").List(t.Context())
			if problem.CodeOf(err) != c.code || strings.Contains(fmt.Sprint(err), "canary") || !strings.Contains(err.Error(), h.URL) {
				t.Errorf("error %v, want %s", err, c.code)
			}
		})
	}
}

func TestWhatIsFetchedIsBounded(t *testing.T) {
	repo := newRepository(t, true)
	repo.Commit("main", repo.Tree([]string{"a.md: " + strings.Repeat("x", 900), "b.md: " + strings.Repeat("y", 900)}))
	for name, l := range map[string]git.Limits{
		"the bytes": {Pack: 100}, "the objects": {Objects: 3}, "one object": {Object: 899}, "all of them": {Total: 1500},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, repo)
			if _, err := h.open("/r", func(o *git.Options) { o.Limits = l }).List(t.Context()); problem.CodeOf(err) != "repository_too_large" {
				t.Errorf("error %v", err)
			}
		})
	}
	t.Run("but not refused within them", func(t *testing.T) {
		h := newHost(t, repo)
		l := list(t, h.open("/r", func(o *git.Options) { o.Limits = git.Limits{Pack: 2000, Objects: 4, Object: 900, Total: 3000} }))
		if len(l.Files) != 2 {
			t.Errorf("%d files", len(l.Files))
		}
	})
	t.Run("the time", func(t *testing.T) {
		h := newHost(t, repo)
		h.before = func(_ http.ResponseWriter, req *http.Request) bool { <-req.Context().Done(); return true }
		if _, err := h.open("/r", func(o *git.Options) { o.Limits = git.Limits{Time: 1} }).List(t.Context()); problem.CodeOf(err) != "repository_too_large" {
			t.Errorf("error %v", err)
		}
	})
}

// TestADifferenceThatMakesMuchOfLittleIsRefused sends an object of a few bytes that says it makes a
// thousand million of them.
func TestADifferenceThatMakesMuchOfLittleIsRefused(t *testing.T) {
	repo := newRepository(t, true)
	repo.Commit("main", repo.Tree([]string{"a.md: one"}))
	h := newHost(t, repo)
	h.pack = func([]byte) []byte { return bomb(t) }
	if _, err := h.open("/r").List(t.Context()); problem.CodeOf(err) != "repository_too_large" {
		t.Errorf("error %v", err)
	}
}

func TestABrokenPackIsAnError(t *testing.T) {
	repo := newRepository(t, true)
	repo.Commit("main", repo.Tree([]string{"a.md: one", "b.md: " + strings.Repeat("y", 900)}))
	h := newHost(t, repo)
	var whole []byte
	h.pack = func(data []byte) []byte { whole = data; return data }
	list(t, h.open("/r"))
	for cut := 0; cut < len(whole); cut += 3 {
		h.pack = func([]byte) []byte { return whole[:cut] }
		if l, err := h.open("/r").List(t.Context()); err == nil {
			t.Errorf("%d of %d bytes list %v", cut, len(whole), l.Files)
		}
		h.pack = func([]byte) []byte {
			data := slices.Clone(whole)
			data[cut] ^= 0x55
			return data
		}
		if l, err := h.open("/r").List(t.Context()); err == nil {
			t.Errorf("another byte %d lists %v", cut, l.Files)
		}
	}
}

func TestAnInterruptedFetchIsNoFault(t *testing.T) {
	h := newHost(t, newRepository(t, true))
	ctx, stop := context.WithCancel(t.Context())
	h.before = func(_ http.ResponseWriter, req *http.Request) bool { stop(); <-req.Context().Done(); return true }
	if _, err := h.open("/r").List(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
