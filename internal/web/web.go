// Package web is the web interface as a door serves it: one page for every screen, and the scripts,
// styles and pictures that it is made of.
//
// Its source lies in the folder web of the repository, and what was built of it in dist, beside this
// file, so that the program is built with Go alone. The interface speaks the public HTTP interface
// and nothing else: this package knows no session and no document, and what it serves is the same
// for everybody. It works below any path, whatever a proxy takes off on the way: a page refers to
// its files by addresses relative to its own.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed all:dist
var dist embed.FS

// placeholder stands in the built page where the nonce of an answer belongs.
const placeholder = "__KAOJU_NONCE__"

// Screens are the addresses of the interface that a person may open, reload and pass on, as patterns
// of net/http. All of them are the same page; which screen it shows is decided in the browser.
func Screens() []string {
	return []string{
		"/{$}", "/ask/{conversation}", "/runs/{run}", "/documents", "/documents/{id}", "/approvals", "/approvals/{id}",
		"/drafts", "/drafts/{id}", "/search", "/evaluation", "/ledger", "/people", "/settings",
	}
}

// Pages returns what answers at the addresses of the interface, by patterns of net/http. Nothing of
// it needs credentials.
func Pages() (map[string]http.Handler, error) { return pages(dist) }

func pages(source fs.FS) (map[string]http.Handler, error) {
	built, err := fs.Sub(source, "dist")
	if err != nil {
		return nil, err
	}
	index, err := fs.ReadFile(built, "index.html")
	if err != nil {
		return nil, fmt.Errorf("the built web interface: %w", err)
	}
	if !bytes.Contains(index, []byte(placeholder)) || !bytes.Contains(index, []byte(`"./assets/`)) {
		return nil, errors.New("the built web interface: its page has no place for a nonce, or no relative addresses")
	}
	out := map[string]http.Handler{}
	for _, screen := range Screens() {
		out["GET "+screen] = page(index)
	}
	files := &files{built: built, known: map[string]*file{}}
	out["GET /assets/{name}"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		files.serve(w, r, "assets/"+r.PathValue("name"), "public, max-age=31536000, immutable")
	})
	for _, name := range []string{"icon.svg", "licenses.md"} {
		out["GET /"+name] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { files.serve(w, r, name, "no-cache") })
	}
	return out, nil
}

// page answers with the one page, under a policy with a nonce of its own.
func page(index []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		nonce := rand.Text()
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'nonce-"+nonce+"'; style-src 'self'; img-src 'self' data:; "+
			"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		body := bytes.ReplaceAll(index, []byte(placeholder), []byte(nonce))
		body = bytes.ReplaceAll(body, []byte(`"./`), []byte(`"`+up(r.URL.EscapedPath())))
		// The client has gone if this fails; there is nobody to tell.
		_, _ = w.Write(body)
	})
}

// up leads from a page to the root of the interface, by as many steps as the page lies deep.
func up(path string) string {
	if depth := strings.Count(path, "/") - 1; depth > 0 {
		return strings.Repeat("../", depth)
	}
	return "./"
}

// files serves the built files. Each is compressed once, when it is first asked for.
type files struct {
	built fs.FS
	mu    sync.Mutex
	known map[string]*file
}

type file struct {
	media, tag    string
	plain, packed []byte
}

func (f *files) serve(w http.ResponseWriter, r *http.Request, name, keep string) {
	found, err := f.open(name)
	if err != nil {
		h := w.Header()
		h.Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", found.media)
	h.Set("Cache-Control", keep)
	h.Set("ETag", found.tag)
	h.Set("Vary", "Accept-Encoding")
	if r.Header.Get("If-None-Match") == found.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := found.plain
	if found.packed != nil && accepts(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		body = found.packed
	}
	if r.Method != http.MethodHead {
		// The client has gone if this fails; there is nobody to tell.
		_, _ = w.Write(body)
	}
}

// accepts reports whether a client takes gzip.
func accepts(encodings string) bool {
	for one := range strings.SplitSeq(encodings, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(one), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q := strings.ReplaceAll(strings.TrimSpace(quality), " ", "")
			return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
		}
	}
	return false
}

func (f *files) open(name string) (*file, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if found := f.known[name]; found != nil {
		return found, nil
	}
	plain, err := fs.ReadFile(f.built, name)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(plain)
	found := &file{media: media(name), plain: plain, tag: `"` + hex.EncodeToString(sum[:8]) + `"`}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(plain); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	if b.Len() < len(plain) {
		found.packed = b.Bytes()
	}
	f.known[name] = found
	return found, nil
}

// media names the type of a built file. The machine's own table is not asked: it may say anything.
func media(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".md":
		return mime.FormatMediaType("text/plain", map[string]string{"charset": "utf-8"})
	}
	return "application/octet-stream"
}
