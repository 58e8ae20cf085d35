package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
)

// plotter has one published DXF drawing that Bob reads; the path is that of its sheets.
func plotter(t *testing.T, text string) (*world, string) {
	t.Helper()
	w := newWorld(t)
	w.kb("kb-a")
	w.grant("kb-a", "user:alice", "manager", "user:bob", "reader", "user:carol", "manager")
	return w, "/api/documents/" + w.add("kb-a", "plan.dxf|"+text, "status", "published").DocumentID + "/drawing"
}

func TestSheetIsADrawingThatAClientMayKeep(t *testing.T) {
	w, path := plotter(t, "<script>alert(1)</script>")
	rec := w.send("bob", "GET", path, "")
	if body := rec.Body.String(); rec.Code != http.StatusOK || !strings.HasPrefix(body, "<svg ") || strings.Contains(body, "<script") || !strings.Contains(body, "&lt;script&gt;") {
		t.Fatalf("%d %s", rec.Code, body)
	}
	for name, value := range map[string]string{
		"Content-Type": "image/svg+xml", "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache",
		"Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := rec.Header().Get(name); got != value {
			t.Errorf("%s is %q", name, got)
		}
	}
	tag := rec.Header().Get("ETag")
	again := w.send("bob", "GET", path, "", "If-None-Match", tag)
	if again.Code != http.StatusNotModified || again.Body.Len() != 0 || again.Header().Get("Content-Type") != "" {
		t.Errorf("%d %v", again.Code, again.Header())
	}
	if rec := w.send("bob", "GET", path+"?sheet=A1", "", "If-None-Match", tag); rec.Code != http.StatusOK || !strings.Contains(rec.Body.String(), `data-sheet="A1"`) {
		t.Errorf("another sheet: %d %s", rec.Code, rec.Body)
	}
	if rec := w.send("erin", "GET", path, "", "If-None-Match", tag); rec.Code != http.StatusNotFound {
		t.Errorf("who may not read learns that the tag holds: %d", rec.Code)
	}
}

func TestSheetThatOneMayNotSeeIsNotThereByteForByte(t *testing.T) {
	w, path := plotter(t, "secret")
	text := w.add("kb-a", "b.txt|text", "status", "published").DocumentID
	none := w.send("bob", "GET", "/api/documents/doc-nobody/drawing", "")
	for who, paths := range map[string][]string{
		"erin": {path, path + "?sheet=A1", path + "?sheet=none"},
		"bob":  {path + "?sheet=none", path + "?sheet=A1&hidden=true", "/api/documents/" + text + "/drawing"},
	} {
		for _, path := range paths {
			if got := w.send(who, "GET", path, ""); got.Code != http.StatusNotFound || got.Body.String() != none.Body.String() {
				t.Errorf("%s as %s: %d %s", path, who, got.Code, got.Body)
			}
		}
	}
	w.refusal("bob", "GET", path+"?sheet="+strings.Repeat("x", 1001), "", http.StatusUnprocessableEntity, "invalid_request")
	w.send("bob", "GET", path, "")
	w.grant("kb-a", "user:alice", "manager", "user:carol", "manager")
	w.refusal("bob", "GET", path, "", http.StatusNotFound, "not_found") // though it is kept
}

func TestErasedVersionHasNoSheetAndNoneAreKept(t *testing.T) {
	w, path := plotter(t, "x")
	if rec := w.send("bob", "GET", path, ""); rec.Code != http.StatusOK || w.pictures() != 1 {
		t.Fatalf("%d, %d are kept", rec.Code, w.pictures())
	}
	if rec := w.send("carol", "DELETE", strings.TrimSuffix(path, "/drawing")+"?erase=true", ""); rec.Code != http.StatusNoContent {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	w.refusal("carol", "GET", path, "", http.StatusNotFound, "not_found")
	if n := w.pictures(); n != 0 {
		t.Errorf("%d are kept", n)
	}
}

func TestClientSeesSheets(t *testing.T) {
	w, path := plotter(t, "x")
	s := w.live()
	id := strings.Split(path, "/")[3]
	bob := api.NewClient(s.Client(), s.URL, w.tokens["bob"])
	d, err := bob.Drawing(t.Context(), id, api.DrawingWish{Sheet: "A1"})
	must(t, err)
	if !strings.Contains(string(d.SVG), `data-sheet="A1"`) || d.ETag == "" {
		t.Errorf("%s, tag %q", d.SVG, d.ETag)
	}
	again, err := bob.Drawing(t.Context(), id, api.DrawingWish{Sheet: "A1", ETag: d.ETag})
	if err != nil || again.SVG != nil || again.ETag != d.ETag {
		t.Errorf("%s, tag %q, %v", again.SVG, again.ETag, err)
	}
	if _, err := bob.Drawing(t.Context(), id, api.DrawingWish{Sheet: "A1", Hidden: true}); err == nil {
		t.Error("a sheet that is not there was sent")
	}
}

func TestHiddenSheetHasToBeNamed(t *testing.T) {
	w, path := plotter(t, "x")
	p := w.refusal("bob", "GET", path+"?hidden=true", "", http.StatusUnprocessableEntity, "invalid_request")
	if len(p.Errors) != 1 || p.Errors[0].Pointer != "?sheet" {
		t.Errorf("%+v", p.Errors)
	}
	if rec := w.send("bob", "GET", path+"?hidden=false", ""); rec.Code != http.StatusOK {
		t.Errorf("the first sheet: %d", rec.Code)
	}
}
