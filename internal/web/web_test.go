package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// site is the interface as a mux serves it.
func site(t *testing.T) *http.ServeMux {
	t.Helper()
	served, err := Pages()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for pattern, h := range served {
		mux.Handle(pattern, h)
	}
	return mux
}

func get(h http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec
}

// example fills the holes of a screen's address.
func example(screen string) string {
	return regexp.MustCompile(`\{\w+\}`).ReplaceAllString(strings.TrimSuffix(screen, "{$}"), "some-id")
}

var (
	nonceIn  = regexp.MustCompile(`nonce="([^"]*)"`)
	policyIn = regexp.MustCompile(`'nonce-([A-Z2-7]{26})'`)
	fileIn   = regexp.MustCompile(`(?:src|href)="([^"]*)"`)
)

func TestEveryScreenIsThePageUnderAPolicyOfItsOwn(t *testing.T) {
	mux, nonces := site(t), map[string]bool{}
	for _, screen := range Screens() {
		rec := get(mux, example(screen))
		if rec.Code != http.StatusOK || rec.Header().Get("Content-Type") != "text/html; charset=utf-8" || rec.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", screen, rec.Code, rec.Header())
		}
		policy := rec.Header().Get("Content-Security-Policy")
		m := policyIn.FindStringSubmatch(policy)
		if m == nil || nonces[m[1]] {
			t.Fatalf("%s: the policy %q has no nonce of its own", screen, policy)
		}
		nonces[m[1]] = true
		if want := "default-src 'none'; script-src 'self' 'nonce-" + m[1] + "'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
			"frame-ancestors 'none'; base-uri 'none'; form-action 'self'"; policy != want {
			t.Errorf("%s: policy %q, want %q", screen, policy, want)
		}
		found := nonceIn.FindAllStringSubmatch(rec.Body.String(), -1)
		if len(found) == 0 || strings.Contains(rec.Body.String(), placeholder) {
			t.Errorf("%s: the page has no nonce: %s", screen, rec.Body)
		}
		for _, n := range found {
			if n[1] != m[1] {
				t.Errorf("%s: nonce %q in the page, %q in the policy", screen, n[1], m[1])
			}
		}
	}
}

func TestThePageFindsItsFilesFromEveryDepthAndBelowEveryPath(t *testing.T) {
	mux := site(t)
	for _, screen := range Screens() {
		address := example(screen)
		body := get(mux, address).Body.String()
		for _, m := range fileIn.FindAllStringSubmatch(body, -1) {
			// As a browser finds it from the address of the page below a proxy's path.
			below := "/tools/kaoju"
			resolved := resolve(t, "http://kaoju.example"+below+address, m[1])
			if !strings.HasPrefix(resolved, below+"/") {
				t.Fatalf("%s: %s leads to %s, out of the interface", screen, m[1], resolved)
			}
			if rec := get(mux, strings.TrimPrefix(resolved, below)); rec.Code != http.StatusOK {
				t.Errorf("%s: %s leads to %s: %d", screen, m[1], resolved, rec.Code)
			}
		}
	}
}

func resolve(t *testing.T, page, ref string) string {
	t.Helper()
	u, err := http.NewRequest(http.MethodGet, page, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := u.URL.Parse(ref)
	if err != nil {
		t.Fatal(err)
	}
	return r.Path
}

func TestFilesAreKeptAndCompressed(t *testing.T) {
	mux := site(t)
	assets, err := fs.Glob(dist, "dist/assets/*")
	if err != nil || len(assets) == 0 {
		t.Fatal(assets, err)
	}
	for _, asset := range assets {
		address := "/" + strings.TrimPrefix(asset, "dist/")
		want, err := fs.ReadFile(dist, asset)
		if err != nil {
			t.Fatal(err)
		}
		plain := get(mux, address)
		if !bytes.Equal(plain.Body.Bytes(), want) || plain.Header().Get("Content-Encoding") != "" || plain.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s: %v", address, plain.Header())
		}
		if media := plain.Header().Get("Content-Type"); media != "text/javascript; charset=utf-8" && media != "text/css; charset=utf-8" {
			t.Errorf("%s is %s", address, media)
		}
		packed := get(mux, address, "Accept-Encoding", "br, gzip;q=0.8")
		if packed.Header().Get("Content-Encoding") != "gzip" {
			continue // too short to gain by it
		}
		z, err := gzip.NewReader(packed.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: what is unpacked differs: %v", address, err)
		}
		if again := get(mux, address, "If-None-Match", plain.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s: %d for the tag that it has", address, again.Code)
		}
	}
	if refused := get(mux, "/icon.svg", "Accept-Encoding", "gzip;q=0"); refused.Header().Get("Content-Encoding") != "" {
		t.Error("a client that takes no gzip got it")
	}
	for _, path := range []string{"/assets/none.js", "/assets/..", "/assets/%2e%2e%2findex.html", "/assets/index.html"} {
		if rec := get(mux, path); rec.Code == http.StatusOK {
			t.Errorf("%s is there", path)
		}
	}
}

// What a browser must load before the first screen stands, with the words of one language: less than
// 150 KB over the wire, in a handful of files.
func TestTheFirstScreenIsSmall(t *testing.T) {
	mux, files := site(t), map[string]int{}
	load := func(path string) { files[path] = get(mux, "/"+path, "Accept-Encoding", "gzip").Body.Len() }
	for _, m := range fileIn.FindAllStringSubmatch(get(mux, "/").Body.String(), -1) {
		load(strings.TrimPrefix(m[1], "./"))
	}
	words, err := fs.Glob(dist, "dist/assets/[ez][nh]-*.js")
	if err != nil || len(words) != 2 {
		t.Fatalf("the words of the two languages: %v %v", words, err)
	}
	longest := 0
	for _, w := range words {
		longest = max(longest, get(mux, "/"+strings.TrimPrefix(w, "dist/"), "Accept-Encoding", "gzip").Body.Len())
	}
	sum := longest
	for _, n := range files {
		sum += n
	}
	if longest < 5_000 || sum < 50_000 || sum > 150_000 || len(files) > 8 {
		t.Errorf("the first screen is %d bytes in %d files, and %d of words", sum, len(files), longest)
	}
	t.Logf("%d bytes in %d files, and words", sum, len(files))
}

func TestABrokenBuildIsNotServed(t *testing.T) {
	page := `<script src="./assets/a.js" nonce="` + placeholder + `"></script>`
	for name, c := range map[string]struct {
		files fstest.MapFS
		good  bool
	}{
		"whole":            {fstest.MapFS{"dist/index.html": {Data: []byte(page)}}, true},
		"no page":          {fstest.MapFS{"dist/icon.svg": {}}, false},
		"no nonce":         {fstest.MapFS{"dist/index.html": {Data: []byte(`<script src="./assets/a.js"></script>`)}}, false},
		"absolute adresss": {fstest.MapFS{"dist/index.html": {Data: []byte(strings.ReplaceAll(page, "./assets", "/assets"))}}, false},
	} {
		if _, err := pages(c.files); (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The licences of what was built in travel with it.
func TestLicencesAreServed(t *testing.T) {
	body := get(site(t), "/licenses.md").Body.String()
	for _, name := range []string{"react", "react-dom", "react-router", "@tanstack/react-query", "lucide-react"} {
		if !strings.Contains(body, name) {
			t.Errorf("the licence of %s is missing", name)
		}
	}
}
