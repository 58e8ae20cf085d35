package browsertest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// through serves a server behind a proxy that asks before it passes a request on.
func through(t *testing.T, s *server, before func(*http.Request)) *server {
	t.Helper()
	to, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.FlushInterval = -1
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		before(r)
		r.Host = to.Host
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	outer := *s
	outer.url = front.URL
	return &outer
}

// kept writes files below a folder of their own, and returns it.
func kept(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// carry lets files and folders of the disk go over the page, as the browser's own drag and drop.
func (p *page) carry(paths ...string) {
	p.t.Helper()
	p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		carried := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1}
		for _, step := range []input.DispatchDragEventType{input.DragEnter, input.DragOver, input.Drop} {
			if err := input.DispatchDragEvent(step, 700, 500, carried).Do(ctx); err != nil {
				return err
			}
		}
		return nil
	}))
}

// A folder is taken in with the paths of its files, so that two files of one name stay two documents.
func TestAFolderIsDroppedWithThePathsOfItsFiles(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	p := open(t, s, look{lang: "en-GB"}).as("carol")
	p.visit("/documents?kb=kb-support")
	p.says(`[role=table]`, "错误码速查")
	dir := kept(t, map[string]string{
		"depot/lamps/read.md": "# Lamps\n\nThe lamp of Bergen has 1200 watts.\n", "depot/horns/read.md": "# Horns\n\nThe horn of Skerry sounds every 95 seconds.\n", "depot/.cache/x.md": "# Hidden\n",
	})
	p.carry(filepath.Join(dir, "depot"))
	p.see(`[data-upload="depot/lamps/read.md"][data-state=good]`)
	p.see(`[data-upload="depot/horns/read.md"][data-state=good]`)
	p.see(`[data-uploads="2"]`)
	p.says(`[role=table]`, "depot/horns/read.md")
	for key, version := range map[string]string{"depot/lamps/read.md": "Lamps", "depot/horns/read.md": "Horns"} {
		if _, body := s.call("carol", "GET", "/api/knowledge-bases/kb-support/documents?doc_key="+url.QueryEscape(key), ""); !strings.Contains(body, version) || !strings.Contains(body, `"version":1`) {
			t.Errorf("%s: %s", key, body)
		}
	}
	// The same by the button, for whoever drags nothing.
	p.run(chromedp.Evaluate(`document.querySelectorAll('[data-uploads] button').forEach(b => b.click())`, nil))
	p.gone(`[data-uploads]`)
	p.run(chromedp.SetUploadFiles(`input[webkitdirectory]`, []string{filepath.Join(dir, "depot")}, chromedp.ByQuery))
	p.says(`[data-upload="depot/lamps/read.md"]`, "unchanged")
	p.see(`[data-uploads="2"]`)
}

// Sixty files go on while the person is elsewhere, are counted, and each refusal says why.
func TestManyFilesAreCountedAndGoOnWhileThePersonIsElsewhere(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	hold := make(chan struct{})
	release := func() {
		select {
		case <-hold:
		default:
			close(hold)
		}
	}
	t.Cleanup(release)
	sent := 0
	outer := through(t, s, func(r *http.Request) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/documents") {
			if sent++; sent > 3 {
				select {
				case <-hold:
				case <-r.Context().Done():
				}
			}
		}
	})
	p := open(t, outer, look{lang: "en-GB"}).as("carol")
	p.expected = append(p.expected, "4")
	p.visit("/documents?kb=kb-support")
	p.says(`[role=table]`, "错误码速查")
	files := map[string]string{"zz-old.doc": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("x", 600), "zz-torn.pdf": "%PDF-1.4 torn", "zz-void.md": "", "zz-cut.docx": "PK\x03\x04 cut"}
	for i := range 60 {
		files[fmt.Sprintf("note-%02d.md", i)] = fmt.Sprintf("# Note %d\n\nLamp number %d has %d watts.\n", i, i, 10*i)
	}
	dir := kept(t, files)
	var paths []string
	for name := range files {
		paths = append(paths, filepath.Join(dir, name))
	}
	p.run(chromedp.SetUploadFiles(`input[type=file]:not([webkitdirectory])`, paths, chromedp.ByQuery))
	p.says(`[data-uploads] [role=status]`, "3 of 64 done")
	p.says(`[data-upload]`, "waiting to be sent")
	if n := eval[int](p, `document.querySelectorAll('[data-upload]').length`); n == 0 || n > 40 {
		t.Errorf("the page holds %d of 64 files", n)
	}
	const asks = `!dispatchEvent(new Event('beforeunload', {cancelable: true}))`
	if !eval[bool](p, asks) {
		t.Error("the page is closed without a word while files are not sent yet")
	}
	p.click(`nav a[href$="/search"]`)
	p.see(`form[role=search]`)
	release()
	p.click(`nav a[href$="/documents"]`)
	p.says(`[data-uploads] [role=status]`, "64 of 64 done · 4 failed")
	p.until(`![...document.querySelectorAll('[data-upload]')].some(e => e.dataset.state === 'working')`)
	if eval[bool](p, asks) {
		t.Error("the page asks before it is closed though everything is sent")
	}
	for name, why := range map[string]string{"zz-old.doc": "of a type that is not supported", "zz-torn.pdf": "not a PDF document that can be read", "zz-void.md": "is empty", "zz-cut.docx": "damaged or cut off"} {
		p.until(`(() => {
			const box = document.querySelector('[data-uploads] [tabindex]'), row = document.querySelector('[data-upload="` + name + `"]')
			if (row) return row.textContent.includes('` + why + `')
			box.scrollTop = box.scrollTop + box.clientHeight >= box.scrollHeight - 1 ? 0 : box.scrollTop + 200
		})()`)
	}
}
