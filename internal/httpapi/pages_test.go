package httpapi

import (
	"net/http"
	"strings"
	"testing"
)

// interfaced is a world whose door serves a web interface.
func interfaced(t *testing.T, change ...func(*Deps)) *world {
	t.Helper()
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'self'")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write([]byte("the page of " + r.Pattern))
	})
	return newWorld(t, append([]func(*Deps){func(d *Deps) {
		d.Pages = map[string]http.Handler{"GET /{$}": page, "GET /documents/{id}": page, "GET /assets/{name}": page}
	}}, change...)...)
}

// The interface is the same for everybody, whatever of it is asked for: it knows no object.
func TestTheInterfaceIsTheSameForEverybody(t *testing.T) {
	w := interfaced(t)
	mine := w.own("a")
	w.tokens["nonsense"] = "kj_nonsense"
	for _, path := range []string{"/", "/documents/" + mine["id"], "/documents/doc_zzz", "/assets/a.js"} {
		first := picture(w.send("", "GET", path, ""))
		if !strings.HasPrefix(first, "200 OK") || !strings.Contains(first, "default-src 'self'") || !strings.Contains(first, "X-Content-Type-Options: nosniff") {
			t.Errorf("%s: %s", path, first)
		}
		for _, who := range []string{"alice", "bob", "dave", "erin", "frank", "nonsense"} {
			if got := picture(w.send(who, "GET", path, "")); got != first {
				t.Errorf("%s as %s:\n%s\nwant\n%s", path, who, got, first)
			}
		}
	}
	if a, b := picture(w.send("", "GET", "/documents/"+mine["id"], "")), picture(w.send("", "GET", "/documents/doc_zzz", "")); a != b {
		t.Errorf("the page of a document that is there differs from that of one that is not:\n%s\n---\n%s", a, b)
	}
}

func TestTheInterfaceOpensNothingElse(t *testing.T) {
	w := interfaced(t)
	for _, path := range []string{"/openapi.json", "/api/me", "/api/documents/doc_zzz", "/documents/x/y", "/elsewhere", "/documents"} {
		if rec := w.send("", "GET", path, ""); rec.Code != http.StatusUnauthorized {
			t.Errorf("%s without credentials: %d", path, rec.Code)
		}
	}
	// Its addresses take nothing from a browser, least of all from a page of another site.
	for _, path := range []string{"/", "/documents/x"} {
		if rec := w.send("", "POST", path, "{}"); rec.Code != http.StatusUnauthorized {
			t.Errorf("POST %s without credentials: %d", path, rec.Code)
		}
		w.refusal("alice", "POST", path, "{}", http.StatusMethodNotAllowed, "method_not_allowed")
	}
}

func TestTheInterfaceAnswersByTheServersNamesAlone(t *testing.T) {
	w := interfaced(t, func(d *Deps) { d.Hosts = Loopback() })
	for host, want := range map[string]int{"127.0.0.1:8000": 200, "localhost": 200, "evil.example": 421, "evil.example:8000": 421} {
		r := w.request("", "GET", "/", nil)
		r.Host = host
		if rec := w.do(r); rec.Code != want {
			t.Errorf("as %s: %d, want %d", host, rec.Code, want)
		}
	}
}
