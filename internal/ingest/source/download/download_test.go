package download_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/ingest/source/download"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
)

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// host is a server of one file.
type host struct {
	*httptest.Server
	t      *testing.T
	status int
	kind   string
	header map[string]string
	body   string
	asked  []string // the conditions of each request
	before func(http.ResponseWriter, *http.Request)
}

func newHost(t *testing.T, body string) *host {
	h := &host{t: t, status: 200, kind: "text/html; charset=utf-8", body: body, header: map[string]string{}}
	h.Server = httptest.NewTLSServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *host) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	h.asked = append(h.asked, strings.TrimSpace(req.Header.Get("If-None-Match")+" "+req.Header.Get("If-Modified-Since")))
	if h.before != nil {
		h.before(w, req)
		return
	}
	for name, value := range h.header {
		w.Header().Set(name, value)
	}
	if tag := h.header["ETag"]; tag != "" && req.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", h.kind)
	w.WriteHeader(h.status)
	_, _ = io.WriteString(w, h.body)
}

func (h *host) open(place string, allowed ...*httptest.Server) *download.File {
	h.t.Helper()
	if allowed == nil {
		allowed = []*httptest.Server{h.Server}
	}
	o := outbound.Options{TLS: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // The certificate is the test's.
	for _, a := range allowed {
		if a != nil {
			u, err := url.Parse(a.URL)
			do(h.t, err)
			o.Allow = append(o.Allow, outbound.HostPort(u))
		}
	}
	f, err := download.Open(h.URL+place, download.Options{Client: outbound.New(o), MaxFile: 1000, Named: parse.Fetched})
	do(h.t, err)
	h.t.Cleanup(func() { do(h.t, f.Close()) })
	return f
}

func list(t *testing.T, f *download.File) source.Original {
	t.Helper()
	l, err := f.List(t.Context())
	do(t, err)
	if len(l.Files) != 1 || l.Gone != nil {
		t.Fatalf("it lists %+v", l)
	}
	return l.Files[0]
}

func text(t *testing.T, o source.Original) string {
	t.Helper()
	body, err := o.Open()
	do(t, err)
	data, err := io.ReadAll(body)
	do(t, errors.Join(err, body.Close()))
	return string(data)
}

func TestAnAddressIsASourceOfOneFile(t *testing.T) {
	h := newHost(t, "<h1>差旅</h1>")
	f := h.open("/制度/travel?v=1#limits")
	o := list(t, f)
	where := h.URL + "/%E5%88%B6%E5%BA%A6/travel?v=1"
	if o.Key != where || o.Place != where || o.URI != where || o.Path != where || f.Name() != "url:"+where {
		t.Errorf("it is %+v of %s", o, f.Name())
	}
	if o.FileName != "travel.html" || o.MediaType != "text/html; charset=utf-8" || o.Size != 15 || text(t, o) != "<h1>差旅</h1>" || text(t, o) != "<h1>差旅</h1>" {
		t.Errorf("it is %q of %s with %d bytes", o.FileName, o.MediaType, o.Size)
	}
}

func TestWritingAnAddressInAnotherWayMakesNoOtherSource(t *testing.T) {
	for raw, want := range map[string]string{
		"HTTPS://Host.Example:443":        "url:https://host.example/",
		"http://host.example:80/a/../b#x": "url:http://host.example/a/../b",
		"http://host.example:443/a":       "url:http://host.example:443/a",
	} {
		f, err := download.Open(raw, download.Options{})
		if err != nil || f.Name() != want {
			t.Errorf("%s is %v, error %v", raw, f, err)
		}
	}
	for _, raw := range []string{"ftp://host.example/a", "https://user:sesame@host.example/", "https://0x7f.1/", "https:///a", "https://host.example/" + strings.Repeat("a", 600)} {
		if _, err := download.Open(raw, download.Options{}); problem.CodeOf(err) != "invalid_url" || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: error %v", raw, err)
		}
	}
	for raw, want := range map[string]bool{"https://a.example": true, "HTTP://a.example": true, "/tmp/https://a": false, "file:///a": false, "a.md": false} {
		if download.Address(raw) != want {
			t.Errorf("%s is an address: %v", raw, !want)
		}
	}
}

func TestAFileThatIsStillTheSameIsNotFetchedAgain(t *testing.T) {
	h := newHost(t, "one")
	h.header = map[string]string{"ETag": `"1"`, "Last-Modified": "Mon, 30 Nov 2026 10:00:00 GMT"}
	f := h.open("/a")
	first := list(t, f)
	again := list(t, f)
	if again.Stamp != first.Stamp || text(t, again) != "one" {
		t.Errorf("it became %q", text(t, again))
	}
	h.header["ETag"], h.body = `"2"`, "another"
	third := list(t, f)
	if third.Stamp == first.Stamp || text(t, third) != "another" {
		t.Errorf("it is still %q", text(t, third))
	}
	delete(h.header, "ETag")
	delete(h.header, "Last-Modified")
	list(t, f)
	list(t, f)
	want := []string{"", `"1" Mon, 30 Nov 2026 10:00:00 GMT`, `"1" Mon, 30 Nov 2026 10:00:00 GMT`, `"2" Mon, 30 Nov 2026 10:00:00 GMT`, ""}
	if !slices.Equal(h.asked, want) {
		t.Errorf("it asked %q", h.asked)
	}
}

func TestAServerThatSaysUnchangedOfNothingIsNotBelieved(t *testing.T) {
	h := newHost(t, "one")
	h.status = http.StatusNotModified
	if _, err := h.open("/a").List(t.Context()); problem.CodeOf(err) != "unreachable" {
		t.Errorf("error %v", err)
	}
}

func TestWhatAServerDoesNotHaveIsGone(t *testing.T) {
	for _, status := range []int{404, 410} {
		h := newHost(t, "one")
		f := h.open("/a")
		list(t, f)
		h.status = status
		l, err := f.List(t.Context())
		if err != nil || len(l.Files) != 0 || problem.CodeOf(l.Gone) != "not_found" || l.Left(h.URL+"/a") || l.At(h.URL+"/a") != h.URL+"/a" {
			t.Errorf("%d: it lists %+v, error %v", status, l, err)
		}
	}
}

func TestOtherAnswersAreErrorsThatSayNothingOfTheServersWords(t *testing.T) {
	for name, c := range map[string]struct {
		change func(h *host)
		code   string
	}{
		"a sign-in":       {func(h *host) { h.status = 401 }, "not_public"},
		"a denial":        {func(h *host) { h.status = 403 }, "not_public"},
		"a fault":         {func(h *host) { h.status = 500 }, "unreachable"},
		"a hurry":         {func(h *host) { h.status = 429 }, "unreachable"},
		"another success": {func(h *host) { h.status = 202 }, "unreachable"},
		"too much":        {func(h *host) { h.body = "canary" + strings.Repeat("x", 1000) }, "file_too_large"},
		"an unknown type": {func(h *host) { h.kind = "video/mp4" }, "unknown_type"},
		"no type":         {func(h *host) { h.kind = "" }, "unknown_type"},
		"a loop": {func(h *host) {
			h.before = func(w http.ResponseWriter, req *http.Request) { http.Redirect(w, req, "/a", http.StatusFound) }
		}, "redirect_refused"},
		"less than it said": {func(h *host) {
			h.before = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				w.Header().Set("Content-Length", "100")
				_, _ = io.WriteString(w, "canary")
			}
		}, "unreachable"},
		"an end": {func(h *host) { h.before = func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) } }, "unreachable"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, "canary")
			c.change(h)
			_, err := h.open("/a").List(t.Context())
			if problem.CodeOf(err) != c.code || strings.Contains(err.Error(), "canary") || !strings.Contains(err.Error(), h.URL+"/a") {
				t.Errorf("error %v, want %s", err, c.code)
			}
		})
	}
}

func TestAFailedFetchLeavesWhatWasFetchedBefore(t *testing.T) {
	h := newHost(t, "one")
	f := h.open("/a")
	first := list(t, f)
	h.body = strings.Repeat("x", 2000)
	if _, err := f.List(t.Context()); problem.CodeOf(err) != "file_too_large" {
		t.Errorf("error %v", err)
	}
	if text(t, first) != "one" {
		t.Errorf("it is %q", text(t, first))
	}
}

func TestTheFormatIsWhatNameAndServerAgreeOn(t *testing.T) {
	for _, c := range []struct{ place, kind, want string }{
		{"/", "text/html", "index.html"},
		{"/a", "application/pdf", "a.pdf"},
		{"/a.php", "text/html;charset=gbk", "a.php.html"},
		{"/a.pdf", "application/pdf", "a.pdf"},
		{"/a.pdf", "application/octet-stream", "a.pdf"},
		{"/a.docx", "application/zip", "a.docx"},
		{"/a.md", "text/plain; charset=utf-8", "a.md"},
		{"/a.yaml", "application/yaml", "a.yaml"},
		{"/a.jpg", "image/png", "a.jpg"},
		{"/a.pdf", "text/html", "content_mismatch"},
		{"/a.pdf", "text/plain", "content_mismatch"},
		{"/a.md", "text/html", "content_mismatch"},
		{"/a.html", "application/zip", "content_mismatch"},
		{"/a.bin", "application/octet-stream", "unknown_type"},
	} {
		h := newHost(t, "x")
		h.kind = c.kind
		l, err := h.open(c.place).List(t.Context())
		got := problem.CodeOf(err)
		if err == nil {
			got = l.Files[0].FileName
		}
		if got != c.want {
			t.Errorf("%s as %s is %s, want %s (%v)", c.place, c.kind, got, c.want, err)
		}
	}
}

func TestNoPrivateAddressIsReachedForAFile(t *testing.T) {
	h := newHost(t, "secret")
	if _, err := h.open("/a", nil).List(t.Context()); problem.CodeOf(err) != "address_refused" || len(h.asked) != 0 {
		t.Errorf("error %v, asked %v", err, h.asked)
	}
	other := newHost(t, "secret")
	for _, target := range []string{
		"http://169.254.169.254/latest/meta-data/", "https://169.254.169.254/", "https://100.100.100.200/", "https://10.0.0.1/", "https://[::1]/", "https://[fd00:ec2::254]/",
		"https://0177.0.0.1/", "https://2130706433/", "https://[::ffff:127.0.0.1]/", "https://localhost/", "file:///etc/passwd", "gopher://127.0.0.1/", other.URL + "/",
	} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			h.before = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", target)
				w.WriteHeader(status)
			}
			l, err := h.open("/a", h.Server, other.Server).List(t.Context())
			if err == nil || len(l.Files) != 0 || !slices.Contains([]string{"address_refused", "redirect_refused", "invalid_url"}, problem.CodeOf(err)) {
				t.Errorf("%d to %s: %v, error %v", status, target, l, err)
			}
		}
	}
	if len(other.asked) != 0 {
		t.Error("a redirect led to another host of this machine")
	}
}

func TestATimeIsKept(t *testing.T) {
	h := newHost(t, "x")
	h.before = func(_ http.ResponseWriter, req *http.Request) { <-req.Context().Done() }
	f, err := download.Open(h.URL+"/a", download.Options{Client: h.Client(), Time: time.Nanosecond, Named: parse.Fetched})
	do(t, err)
	if _, err := f.List(t.Context()); problem.CodeOf(err) != "too_slow" {
		t.Errorf("error %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := h.open("/a").List(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", fmt.Sprint(err))
	}
}
