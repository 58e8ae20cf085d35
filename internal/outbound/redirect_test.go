package outbound

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/problem"
)

func TestRedirectIntoThePrivateNetworkIsRefused(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, target := range []string{
			"http://169.254.169.254/latest/meta-data/", "http://127.0.0.1:1/", "http://[::1]:1/", "http://10.0.0.1/", "http://[fd00::1]/",
			"http://0.0.0.0:1/", "http://[::ffff:127.0.0.1]:1/", "http://[64:ff9b::7f00:1]:1/", "http://[2002:7f00:1::]:1/",
		} {
			base, hostport := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target, status) })
			if _, err := get(New(Options{Allow: []string{hostport}}), base); problem.CodeOf(err) != "address_refused" {
				t.Errorf("%d to %s: %v", status, target, err)
			}
		}
	}
}

func TestExemptionDoesNotServeRedirectsFromElsewhere(t *testing.T) {
	reached := false
	inner, innerHost := serve(t, func(w http.ResponseWriter, r *http.Request) { reached = true })
	outer, outerHost := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, inner, http.StatusFound) })
	c := New(Options{Allow: []string{innerHost, outerHost}})
	if _, err := get(c, outer); problem.CodeOf(err) != "address_refused" || reached {
		t.Errorf("reached %t, %v", reached, err)
	}
	// A connection that is kept open from a direct request gives no way in either.
	if _, err := get(c, inner); err != nil {
		t.Fatal(err)
	}
	reached = false
	if _, err := get(c, outer); problem.CodeOf(err) != "address_refused" || reached {
		t.Errorf("through a kept connection: reached %t, %v", reached, err)
	}
}

func TestRedirectWithinAnOriginIsFollowedWithItsHeaders(t *testing.T) {
	base, hostport := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/next", http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, r.Header.Get("Authorization"))
	})
	req, _ := http.NewRequest(http.MethodGet, base+"/", nil)
	req.Header.Set("Authorization", "Bearer secret")
	resp, err := New(Options{Allow: []string{hostport}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if b, _ := io.ReadAll(resp.Body); string(b) != "Bearer secret" {
		t.Errorf("got %q", b)
	}
}

func TestRedirectChainIsBounded(t *testing.T) {
	base, hostport := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if n == 0 {
			_, _ = io.WriteString(w, "end")
			return
		}
		http.Redirect(w, r, "/"+strconv.Itoa(n-1), http.StatusFound)
	})
	c := New(Options{Allow: []string{hostport}})
	if got, err := get(c, base+"/5"); got != "end" || err != nil {
		t.Errorf("five: %q, %v", got, err)
	}
	if _, err := get(c, base+"/6"); problem.CodeOf(err) != "redirect_refused" {
		t.Errorf("six: %v", err)
	}
	none := New(Options{Allow: []string{hostport}, Redirects: -1})
	resp, err := none.Get(base + "/1")
	if err != nil || resp.StatusCode != http.StatusFound {
		t.Errorf("a client that follows none: %v", err)
	}
	if err == nil {
		_ = resp.Body.Close()
	}
}

func request(t *testing.T, method, target string, body io.Reader, headers ...string) *http.Request {
	t.Helper()
	req, err := http.NewRequest(method, target, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	return req
}

func TestCredentialsStayWithTheirOrigin(t *testing.T) {
	rule := redirects(DefaultRedirects)
	for _, target := range []string{"https://other.example/", "https://a.example:8443/", "https://sub.a.example/", "https://b.example/back"} {
		req := request(t, http.MethodGet, target, nil, "Authorization", "Bearer s", "Cookie", "c=1", "X-Api-Key", "s", "Api-Key", "s",
			"X-Goog-Api-Key", "s", "Proxy-Authorization", "s", "Referer", "https://a.example/secret", "X-Anything", "s", "Accept", "text/html")
		via := []*http.Request{request(t, http.MethodGet, "https://a.example/", nil)}
		if err := rule(req, via); err != nil {
			t.Fatal(err)
		}
		if len(req.Header) != 1 || req.Header.Get("Accept") != "text/html" {
			t.Errorf("%s receives %v", target, req.Header)
		}
	}
	// Coming back to the first origin after a stranger does not restore them.
	back := request(t, http.MethodGet, "https://a.example/2", nil, "Authorization", "Bearer s")
	via := []*http.Request{request(t, http.MethodGet, "https://a.example/", nil), request(t, http.MethodGet, "https://b.example/", nil)}
	if err := rule(back, via); err != nil || back.Header.Get("Authorization") != "" {
		t.Errorf("on the way back: %v, %v", back.Header, err)
	}
}

func TestRedirectKeepsContentAndEncryption(t *testing.T) {
	rule := redirects(DefaultRedirects)
	first := request(t, http.MethodPost, "https://a.example/", nil)
	for name, req := range map[string]*http.Request{
		"content to another host": request(t, http.MethodPost, "https://b.example/", strings.NewReader("passages")),
		"from https to http":      request(t, http.MethodGet, "http://a.example/", nil),
	} {
		if err := rule(req, []*http.Request{first}); problem.CodeOf(err) != "redirect_refused" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, target := range []string{"https://u:p@a.example/", "ftp://a.example/", "https://0x7f.1/"} {
		if err := rule(request(t, http.MethodGet, target, nil), []*http.Request{first}); problem.CodeOf(err) != "invalid_url" {
			t.Errorf("%s: %v", target, err)
		}
	}
	if err := rule(request(t, http.MethodPost, "https://a.example/2", strings.NewReader("x")), []*http.Request{first}); err != nil {
		t.Errorf("content within the origin: %v", err)
	}
}
