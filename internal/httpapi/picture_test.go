package httpapi

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// easel draws pages by what their originals say: two of them, white, or a fault.
type easel struct{}

func (easel) Picture(_ context.Context, f parse.File, page, width int) (parse.Picture, error) {
	switch text := string(f.Data); {
	case strings.HasPrefix(text, "unreadable"):
		return parse.Picture{}, problem.New(problem.Invalid, "page_unreadable", "The file “a.pdf” has a page that can't be drawn.")
	case strings.HasPrefix(text, "down"):
		return parse.Picture{}, problem.New(problem.Unavailable, "parser_unavailable", "The process that reads files can't be started.")
	case page > 2:
		return parse.Picture{}, problem.Missing()
	}
	img := image.NewGray(image.Rect(0, 0, width, width))
	for i := range img.Pix {
		img.Pix[i] = 0xFF
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return parse.Picture{}, err
	}
	return parse.Picture{PNG: b.Bytes(), Size: [2]float32{100, 100}}, nil
}

// Sketch draws what the original says, on the sheet that is wanted: there is the model and the layout A1.
func (easel) Sketch(_ context.Context, f parse.File, sheet *sketch.Sheet) (sketch.Sketch, error) {
	s := sketch.Sketch{Sheets: []sketch.Sheet{{Name: "model"}, {Name: "A1"}}, Sheet: sketch.Sheet{Name: "model"}, Width: 10, Height: 10}
	if sheet != nil {
		s.Sheet = *sheet
	}
	if s.Sheet.Hidden || s.Sheet.Name != "model" && s.Sheet.Name != "A1" {
		return sketch.Sketch{}, problem.Missing()
	}
	s.Labels = []sketch.Label{{Place: 1, Lines: []sketch.Line{{Text: string(f.Data)}}}}
	return s, nil
}

// binder has one published PDF document that Bob reads; the path is that of its pages.
func binder(t *testing.T, text string, fields ...string) (*world, string) {
	t.Helper()
	w := newWorld(t)
	w.kb("kb-a")
	w.grant("kb-a", "user:alice", "manager", "user:bob", "reader", "user:carol", "reader")
	return w, "/api/documents/" + w.add("kb-a", "a.pdf|"+text, append(fields, "status", "published")...).DocumentID + "/pages/"
}

func decoded(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	must(t, err)
	return img
}

func TestPageIsAPictureThatAClientMayKeep(t *testing.T) {
	w, path := binder(t, "x")
	rec := w.send("bob", "GET", path+"2.png", "")
	if rec.Code != http.StatusOK || decoded(t, rec.Body.Bytes()).Bounds().Dx() != 1200 {
		t.Fatalf("%d", rec.Code)
	}
	for name, value := range map[string]string{
		"Content-Type": "image/png", "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
		"Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := rec.Header().Get(name); got != value {
			t.Errorf("%s is %q", name, got)
		}
	}
	if rec := w.send("bob", "GET", path+"1.png?width=300", ""); decoded(t, rec.Body.Bytes()).Bounds().Dx() != 300 {
		t.Error("the width is another one")
	}
}

func TestBoxesAreMarkedOnThePage(t *testing.T) {
	w, path := binder(t, "x")
	img := decoded(t, w.send("bob", "GET", path+"1.png?width=200&boxes=[[10,20,30,40],[60,60,70,70]]", "").Body.Bytes())
	for at, marked := range map[image.Point]bool{{40, 60}: true, {130, 130}: true, {10, 10}: false, {100, 100}: false} {
		if r, _, b, _ := img.At(at.X, at.Y).RGBA(); (r != b) != marked {
			t.Errorf("%v is marked: %t", at, !marked)
		}
	}
}

func TestPictureThatTheClientHasIsNotSentAgain(t *testing.T) {
	w, path := binder(t, "x")
	tags := map[string]bool{}
	for _, query := range []string{"1.png", "1.png?width=300", "1.png?boxes=[[1,2,3,4]]", "1.png?boxes=[[1,2,3,5]]"} {
		tag := w.send("bob", "GET", path+query, "").Header().Get("ETag")
		if len(tag) < 10 || tags[tag] {
			t.Fatalf("%s has the tag %q", query, tag)
		}
		tags[tag] = true
		rec := w.send("bob", "GET", path+query, "", "If-None-Match", tag)
		if rec.Code != http.StatusNotModified || rec.Body.Len() != 0 || rec.Header().Get("ETag") != tag || rec.Header().Get("Cache-Control") != "private, no-cache" || rec.Header().Get("Content-Length")+rec.Header().Get("Content-Type") != "" {
			t.Errorf("%s: %d %v", query, rec.Code, rec.Header())
		}
		if rec := w.send("erin", "GET", path+query, "", "If-None-Match", tag); rec.Code != http.StatusNotFound {
			t.Errorf("who may not read learns that the tag holds: %d", rec.Code)
		}
	}
}

func TestPageThatOneMayNotSeeIsNotThereByteForByte(t *testing.T) {
	w, path := binder(t, "secret")
	text := strings.TrimSuffix(w.add("kb-a", "b.txt|text", "status", "published").DocumentID, "/")
	none := w.send("bob", "GET", "/api/documents/doc-nobody/pages/1.png", "")
	for name, rec := range map[string]string{"somebody else's": path + "1.png", "its missing page": path + "3.png", "marked": path + "1.png?boxes=[[1,2,3,4]]"} {
		if got := w.send("erin", "GET", rec, ""); got.Code != http.StatusNotFound || got.Body.String() != none.Body.String() {
			t.Errorf("%s: %d %s, and for what is not there %s", name, got.Code, got.Body, none.Body)
		}
	}
	for _, file := range []string{path + "3.png", path + "0.png", path + "01.png", path + "1.jpg", path + "1", path + "99999999999999999999.png", "/api/documents/" + text + "/pages/1.png"} {
		if got := w.send("bob", "GET", file, ""); got.Code != http.StatusNotFound || got.Body.String() != none.Body.String() {
			t.Errorf("%s: %d %s", file, got.Code, got.Body)
		}
	}
	w.grant("kb-a", "user:alice", "manager")
	w.refusal("bob", "GET", path+"1.png", "", http.StatusNotFound, "not_found")
}

func TestWishThatIsNoneIsRefused(t *testing.T) {
	w, path := binder(t, "x")
	for _, query := range []string{"width=199", "width=2401", "width=x", "boxes=x", "boxes=[[1,2,3]]", "boxes=[[3,2,1,4]]", "boxes=[" + strings.Repeat("[1,2,3,4],", 200) + "[1,2,3,4]]"} {
		p := w.refusal("bob", "GET", path+"1.png?"+query, "", http.StatusUnprocessableEntity, "invalid_request")
		if len(p.Errors) == 0 || !strings.Contains(p.Errors[0].Pointer, strings.Split(query, "=")[0]) {
			t.Errorf("%.30s: %+v", query, p.Errors)
		}
	}
}

func TestFaultOfDrawingIsSaidAndLosesNothing(t *testing.T) {
	for text, want := range map[string]struct {
		status int
		code   string
	}{"unreadable": {http.StatusUnprocessableEntity, "page_unreadable"}, "down": {http.StatusServiceUnavailable, "parser_unavailable"}} {
		w, path := binder(t, text)
		w.refusal("bob", "GET", path+"1.png", "", want.status, want.code)
		if rec := w.send("bob", "GET", strings.TrimSuffix(path, "pages/")+"original", ""); rec.Code != http.StatusOK || rec.Body.String() != text {
			t.Errorf("the original: %d %s", rec.Code, rec.Body)
		}
	}
}

func TestErasedVersionHasNoPagesAndNoneAreKept(t *testing.T) {
	w, path := binder(t, "x")
	w.grant("kb-a", "user:alice", "manager", "user:carol", "manager", "user:bob", "reader")
	if rec := w.send("bob", "GET", path+"1.png", ""); rec.Code != http.StatusOK || w.pictures() != 1 {
		t.Fatalf("%d, %d pictures are kept", rec.Code, w.pictures())
	}
	if rec := w.send("carol", "DELETE", strings.TrimSuffix(path, "/pages/")+"?erase=true", ""); rec.Code != http.StatusNoContent {
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	w.refusal("bob", "GET", path+"1.png", "", http.StatusNotFound, "not_found")
	w.refusal("carol", "GET", path+"1.png", "", http.StatusNotFound, "not_found")
	if n := w.pictures(); n != 0 {
		t.Errorf("%d pictures are kept", n)
	}
}

func TestClientSeesPages(t *testing.T) {
	w, path := binder(t, "x")
	s := w.live()
	id := strings.Split(path, "/")[3]
	bob := api.NewClient(s.Client(), s.URL, w.tokens["bob"])
	p, err := bob.Picture(t.Context(), id, 1, api.PageWish{Width: 400, Boxes: [][4]float64{{1, 2, 30.5, 40}}})
	must(t, err)
	if decoded(t, p.PNG).Bounds().Dx() != 400 || p.ETag == "" {
		t.Errorf("%d bytes, tag %q", len(p.PNG), p.ETag)
	}
	again, err := bob.Picture(t.Context(), id, 1, api.PageWish{Width: 400, Boxes: [][4]float64{{1, 2, 30.5, 40}}, ETag: p.ETag})
	if err != nil || again.PNG != nil || again.ETag != p.ETag {
		t.Errorf("%d bytes, tag %q, %v", len(again.PNG), again.ETag, err)
	}
	if _, err := bob.Picture(t.Context(), id, 3, api.PageWish{}); err == nil {
		t.Error("a page that is not there was sent")
	}
}

// TestPagesOfEachVersionAreForWhoMayReadItsContent goes through an archived, a published and a draft version.
func TestPagesOfEachVersionAreForWhoMayReadItsContent(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	w.grant("kb-a", "user:alice", "manager", "user:dave", "editor", "user:bob", "reader", "user:carol", "reader")
	var ids [3]string
	for i, status := range []string{"published", "published", "draft"} {
		ids[i] = w.add("kb-a", "a.pdf|"+strings.Repeat("x", i+1), "status", status).DocumentID
	}
	for who, want := range map[string][3]int{"alice": {404, 200, 200}, "dave": {404, 200, 200}, "bob": {404, 200, 404}, "carol": {200, 200, 404}, "erin": {404, 404, 404}} {
		for i, id := range ids {
			if rec := w.send(who, "GET", "/api/documents/"+id+"/pages/1.png?width=200", ""); rec.Code != want[i] {
				t.Errorf("%s, version %d: %d, want %d", who, i+1, rec.Code, want[i])
			}
		}
	}
	reads := 0
	for _, e := range expect[api.List[api.Entry]](w, "carol", "GET", "/api/ledger", "", http.StatusOK).Items {
		if e.Kind != "history.read" {
			continue
		}
		reads++
		if e.Actor != "carol" || !strings.Contains(string(e.Body), `"part":"pages"`) || !strings.Contains(string(e.Body), ids[0]) {
			t.Errorf("%s read %s", e.Actor, e.Body)
		}
	}
	if reads != 1 {
		t.Errorf("%d readings of the archive are recorded", reads)
	}
}
