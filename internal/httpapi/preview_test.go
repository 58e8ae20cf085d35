package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/preview/previewtest"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// shelf has one published document that Bob reads.
func shelf(t *testing.T, file string, fields ...string) (*world, string) {
	t.Helper()
	w := newWorld(t)
	w.kb("kb-a")
	w.grant("kb-a", "user:alice", "manager", "user:bob", "reader", "user:carol", "reader")
	return w, "/api/documents/" + w.add("kb-a", file, append(fields, "status", "published")...).DocumentID + "/preview"
}

func TestPreviewIsAFragmentThatCanDoNothing(t *testing.T) {
	w, path := shelf(t, "a.txt|住宿 <b>650</b> 元\n\nx")
	rec := w.send("bob", "GET", path, "")
	want := `<div data-start="0" data-end="18" class="doc doc-txt"><p data-start="0" data-end="15"><span id="doc-line-1" data-start="0" data-end="15">住宿 &lt;b&gt;650&lt;/b&gt; 元</span></p>` + "\n\n" +
		`<p data-start="17" data-end="18"><span id="doc-line-3" data-start="17" data-end="18">x</span></p></div>`
	if d := cmp.Diff(want, rec.Body.String()); rec.Code != http.StatusOK || d != "" {
		t.Errorf("%d %s", rec.Code, d)
	}
	for name, value := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		"Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'", "Cross-Origin-Resource-Policy": "same-origin", "Link": "",
	} {
		if got := rec.Header().Get(name); got != value {
			t.Errorf("%s is %q", name, got)
		}
	}
}

func TestPreviewOfTheSameStretchIsNotSentAgain(t *testing.T) {
	w, path := shelf(t, "a.txt|one\n\ntwo")
	first := w.send("bob", "GET", path, "")
	tag := first.Header().Get("ETag")
	if len(tag) < 10 {
		t.Fatalf("the tag is %q", tag)
	}
	for _, held := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
		rec := w.send("bob", "GET", path, "", "If-None-Match", held)
		if rec.Code != http.StatusNotModified || rec.Body.Len() != 0 || rec.Header().Get("ETag") != tag || !strings.Contains(rec.Header().Get("Content-Security-Policy"), "sandbox") || rec.Header().Get("Content-Length")+rec.Header().Get("Content-Type") != "" {
			t.Errorf("%q: %d %v %s", held, rec.Code, rec.Header(), rec.Body)
		}
	}
	if rec := w.send("bob", "GET", path+"?from=5", "", "If-None-Match", tag); rec.Code != http.StatusOK || rec.Header().Get("ETag") == tag {
		t.Errorf("another stretch: %d", rec.Code)
	}
	if hidden := w.send("erin", "GET", path, "", "If-None-Match", tag); hidden.Code != http.StatusNotFound {
		t.Errorf("who may not read learns that the tag holds: %d", hidden.Code)
	}
}

func TestPreviewThatOneMayNotReadIsNotThereByteForByte(t *testing.T) {
	w, path := shelf(t, "a.txt|secret")
	for _, query := range []string{"", "?from=1&to=2", "?anchor=doc-line-1", "?from=99999", "?anchor=doc-x-1"} {
		hidden := w.send("erin", "GET", path+query, "")
		none := w.send("erin", "GET", "/api/documents/doc-nobody/preview"+query, "")
		if hidden.Code != http.StatusNotFound || hidden.Body.String() != none.Body.String() {
			t.Errorf("%s: %d %s, and for what is not there %s", query, hidden.Code, hidden.Body, none.Body)
		}
	}
	w.grant("kb-a", "user:alice", "manager")
	w.refusal("bob", "GET", path, "", http.StatusNotFound, "not_found")
}

func TestPlaceThatAVersionDoesNotHaveIsRefused(t *testing.T) {
	w, path := shelf(t, "a.txt|one")
	for _, query := range []string{"?from=99", "?from=2&to=1", "?anchor=doc-page-9"} {
		w.refusal("bob", "GET", path+query, "", http.StatusUnprocessableEntity, "unknown_place")
	}
	for _, query := range []string{"?from=-1", "?from=x", "?to=1.5"} {
		w.refusal("bob", "GET", path+query, "", http.StatusUnprocessableEntity, "invalid_request")
	}
}

func TestClientReadsALongDocumentPageByPage(t *testing.T) {
	w, path := shelf(t, "a.txt|"+strings.Repeat("The limit is 650 yuan.\n\n", 3000))
	s := w.live()
	id := strings.Split(path, "/")[3]
	bob := api.NewClient(s.Client(), s.URL, w.tokens["bob"])
	var text strings.Builder
	pages := 0
	var last *api.PreviewWindow
	for at := (&api.PreviewWindow{}); at != nil; pages++ {
		p, err := bob.Preview(t.Context(), id, *at)
		must(t, err)
		if (p.Previous == nil) != (pages == 0) || p.ETag == "" {
			t.Fatalf("page %d: %+v", pages, p)
		}
		text.WriteString(previewtest.Text(previewtest.Tree(p.HTML)))
		last, at = p.Previous, p.Next
	}
	if pages != 4 || text.String() != strings.Repeat("The limit is 650 yuan.\n\n", 3000) {
		t.Errorf("%d pages of %d characters", pages, text.Len())
	}
	if back, err := bob.Preview(t.Context(), id, *last); err != nil || back.Next == nil || back.Previous == nil {
		t.Errorf("back from the last page: %+v %v", back, err)
	}
	if p, err := bob.Preview(t.Context(), id, api.PreviewWindow{Anchor: "doc-line-5001"}); err != nil || !strings.Contains(p.HTML, `id="doc-line-5001"`) {
		t.Errorf("the place is not there: %v", err)
	}
	if _, err := bob.Preview(t.Context(), "doc-nobody", api.PreviewWindow{From: 1, To: 2}); err == nil {
		t.Error("a version that is not there has a preview")
	}
}

func TestTitlesAndFileNamesDoNotReachThePreview(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	taken := 0
	for i, c := range sharedtest.Records[previewtest.Case](t, "security", "markdown_xss.jsonl") {
		if len(c.Markdown) > 200 {
			continue
		}
		c.Always = nil
		key := "k" + itoa(i)
		rec := w.upload("alice", "kb-a", "doc_key", key, "title", c.Markdown, "status", "published", "file", strings.NewReplacer("|", "", "\r", "", "\n", "").Replace(c.Markdown)+".txt|text "+key)
		if rec.Code != http.StatusAccepted {
			continue // a title or name with characters that steer is refused
		}
		var up api.Upload
		must(t, json.Unmarshal(rec.Body.Bytes(), &up))
		w.work()
		seen := w.send("alice", "GET", "/api/documents/"+up.DocumentID+"/preview", "")
		if seen.Code != http.StatusOK || previewtest.Text(previewtest.Tree(seen.Body.String())) != "text "+key {
			t.Errorf("%s: %d %s", c.ID, seen.Code, seen.Body)
		}
		for _, fault := range previewtest.Judge(c, seen.Body.String()) {
			t.Errorf("%s: %s", c.ID, fault)
		}
		taken++
	}
	if taken < 70 {
		t.Errorf("only %d titles were taken in", taken)
	}
	t.Logf("%d hostile titles and file names", taken)
}

func TestPreviewOfABookLeadsFromChapterToChapter(t *testing.T) {
	w, path := shelf(t, "a.epub|第一章\n\n第二章\n\n第三章")
	const from = "</api/documents/"
	place := strings.TrimPrefix(path, "/api/documents/")
	rec := w.send("bob", "GET", path+"?anchor=doc-chapter-2", "")
	if text := previewtest.Text(previewtest.Tree(rec.Body.String())); rec.Code != http.StatusOK || text != "第二章\n\n第三章" {
		t.Errorf("%d %q", rec.Code, text)
	}
	want := []string{from + place + `?from=0&to=5>; rel="prev"`, from + place + `?from=0>; rel="prev-chapter"`, from + place + `?from=10>; rel="next-chapter"`}
	if d := cmp.Diff(want, rec.Header().Values("Link")); d != "" {
		t.Error(d)
	}
	first := w.send("bob", "GET", path, "").Header().Values("Link")
	if d := cmp.Diff([]string{from + place + `?from=5>; rel="next-chapter"`}, first); d != "" {
		t.Error(d)
	}
	for _, query := range []string{"?anchor=doc-chapter-2", "?from=3"} {
		hidden, none := w.send("erin", "GET", path+query, ""), w.send("erin", "GET", "/api/documents/doc-nobody/preview"+query, "")
		if hidden.Code != http.StatusNotFound || hidden.Body.String() != none.Body.String() || len(hidden.Header().Values("Link")) != 0 {
			t.Errorf("%s: %d %s %v", query, hidden.Code, hidden.Body, hidden.Header().Values("Link"))
		}
	}
}
