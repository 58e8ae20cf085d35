package picture

import (
	"context"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// Sketch draws a label with the name of the sheet.
func (e *easel) Sketch(ctx context.Context, f parse.File, sheet *sketch.Sheet) (sketch.Sketch, error) {
	if err := e.work(ctx, f); err != nil {
		return sketch.Sketch{}, err
	}
	s := sketch.Sketch{Width: 9, Height: 9, Sheets: e.sheets, Sheet: sketch.Sheet{Name: "model"}}
	if sheet != nil {
		s.Sheet = *sheet
	}
	switch s.Sheet.Name {
	case "none":
		return sketch.Sketch{Sheets: e.sheets}, problem.Missing()
	case "stray":
		s.Width = -1
	}
	s.Labels = []sketch.Label{{Place: 7, Lines: []sketch.Line{{Text: "of " + s.Sheet.Name}}}}
	return s, nil
}

var plan = corpus.Document{ID: "doc-2", Tenant: "acme", Key: "平面图", Checksum: "bb", MediaType: "image/vnd.dxf", Size: 5}

func sheet(t *testing.T, a *Album, d corpus.Document, s *sketch.Sheet) (string, error) {
	t.Helper()
	svg, err := a.Sketch(t.Context(), d, strings.NewReader("bytes"), s)
	return string(svg), err
}

func TestSheetIsDrawnOnceForAllWhoWantIt(t *testing.T) {
	e := &easel{}
	a := album(t, e)
	first, err := sheet(t, a, plan, nil)
	if err != nil || !strings.Contains(first, `id="doc-entity-7"`) || !strings.Contains(first, "of model") {
		t.Fatalf("%s, %v", first, err)
	}
	for range 3 {
		again, err := a.Sketch(t.Context(), plan, unread{t}, nil)
		if err != nil || string(again) != first {
			t.Errorf("it is another one: %v", err)
		}
	}
	if len(e.drawn) != 1 || e.drawn[0] != "平面图.dxf bytes" {
		t.Errorf("it was drawn of %q", e.drawn)
	}
	seen := map[string]bool{first: true}
	for _, s := range []sketch.Sheet{{Name: "A1"}, {Name: "A1", Hidden: true}, {Name: "A1false"}} {
		svg, err := sheet(t, a, plan, &s)
		if err != nil || seen[svg] {
			t.Errorf("%+v is %s, %v", s, svg, err)
		}
		seen[svg] = true
	}
	other := plan
	other.Tenant = "globex"
	if _, err := sheet(t, a, other, nil); err != nil || len(e.drawn) != 5 {
		t.Errorf("that of another tenant: %v, %d were drawn", err, len(e.drawn))
	}
}

func TestGraphicHasItsOwnAnchors(t *testing.T) {
	graphic := plan
	graphic.MediaType, graphic.Key = "image/svg+xml", "a.svg"
	e := &easel{}
	if svg, err := sheet(t, album(t, e), graphic, nil); err != nil || !strings.Contains(svg, `id="doc-element-7"`) || e.drawn[0] != "a.svg bytes" {
		t.Errorf("%s, %v of %q", svg, err, e.drawn)
	}
}

func TestVersionThatIsNoDrawingHasNoSheet(t *testing.T) {
	e := &easel{}
	a := album(t, e)
	for _, media := range []string{"text/markdown", "application/pdf", "image/png", ""} {
		doc := plan
		doc.MediaType = media
		if _, err := sheet(t, a, doc, nil); !problem.Is(err, problem.NotFound) || err.Error() != problem.Missing().Error() || len(e.drawn) != 0 {
			t.Errorf("%s: %v, drawn of %q", media, err, e.drawn)
		}
	}
	if _, err := sheet(t, a, plan, &sketch.Sheet{Name: "none"}); !problem.Is(err, problem.NotFound) {
		t.Errorf("a sheet that is not there: %v", err)
	}
	if _, err := sheet(t, a, plan, &sketch.Sheet{Name: "stray"}); problem.CodeOf(err) != "page_unreadable" {
		t.Errorf("from a stray child: %v", err)
	}
	if files, _ := os.ReadDir(a.folder.Path); len(files) != 0 {
		t.Errorf("%d are kept", len(files))
	}
}

func TestPictureIsAPageOfItsOwn(t *testing.T) {
	photo := plan
	photo.MediaType, photo.Key = "image/jpeg", "a.jpg"
	e := &easel{}
	if p, err := get(t, album(t, e), photo, 1, 200); err != nil || p.Size != [2]float32{100, 200} || e.drawn[0] != "a.jpg bytes" {
		t.Errorf("%v, %v of %q", p.Size, err, e.drawn)
	}
}

func TestSheetThatTakesTooLongIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := New(Options{Painter: &easel{gate: make(chan struct{})}, Time: time.Minute})
		began := time.Now()
		if _, err := sheet(t, a, plan, nil); problem.CodeOf(err) != "page_too_slow" || time.Since(began) != time.Minute {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}
