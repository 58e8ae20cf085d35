package parse_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sharedtest"
	"github.com/kaoju/kaoju/internal/sketch"
)

// spot is where a text of a drawing is said to be seen, by the number of its entity or element.
type spot struct {
	no     int
	hidden bool
	shown  string
	region corpus.Region
}

// spots are the places of the texts of a drawing that are seen somewhere.
func spots(p corpus.Parsed) []spot {
	var out []spot
	for _, b := range p.Blocks {
		for _, s := range b.Segments {
			switch l := s.Locator.(type) {
			case corpus.DXFLocator:
				if l.No > 0 {
					out = append(out, spot{l.No, l.Hidden, l.Shown, l.Region})
				}
			case corpus.SVGLocator:
				if l.Region != nil && l.Element != "g" {
					out = append(out, spot{no: l.No, region: *l.Region})
				}
			}
		}
	}
	return out
}

// checkSketch holds the sheets of a drawing to what was read of it: every text is there with its place, once, in its region.
func checkSketch(t *testing.T, f parse.File, p corpus.Parsed) {
	t.Helper()
	first, err := parse.Limits{}.Sketch(context.Background(), f, nil)
	if err != nil || !first.Sound() {
		t.Fatalf("it is read, and drawn it is %v, sound %t", err, first.Sound())
	}
	left, partial := spots(p), false
	for _, sheet := range first.Sheets {
		s, err := parse.Limits{}.Sketch(context.Background(), f, &sheet)
		if err != nil || !s.Sound() {
			t.Fatalf("%+v: %v, sound %t", sheet, err, s.Sound())
		}
		for _, l := range s.Labels {
			if l.Place == 0 {
				continue
			}
			at := -1
			for i, w := range left {
				if w.no == l.Place && (w.shown == sheet.Name && w.hidden == sheet.Hidden) && inBox(&s, w.region, l.Box) {
					at = i
				}
			}
			if at < 0 {
				t.Fatalf("%d on %+v was not read there, in %v", l.Place, sheet, l.Box)
			}
			left = append(left[:at], left[at+1:]...)
		}
		partial = partial || s.Partial // then some may be left out
	}
	if len(left) > 0 && !partial {
		t.Errorf("not drawn: %+v", left)
	}
}

// inBox reports whether a region of a drawing is a box of its sketch, to a cell or two.
func inBox(s *sketch.Sketch, r corpus.Region, box [4]int32) bool {
	x0, y0 := r[0]*s.Scale[0]+s.Shift[0], r[1]*s.Scale[1]+s.Shift[1]
	x1, y1 := r[2]*s.Scale[0]+s.Shift[0], r[3]*s.Scale[1]+s.Shift[1]
	slack := 2 + 0.001*s.Scale[0]
	for i, v := range []float64{min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)} {
		if d := min(max(v, -sketch.Farthest), sketch.Farthest) - float64(box[i]); d > slack || d < -slack {
			return false
		}
	}
	return true
}

func TestRealDrawingsAreDrawnWithEveryTextThatIsReadOfThem(t *testing.T) {
	folder := sharedtest.Path(t, "data", "docs")
	files, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range files {
		if ext := filepath.Ext(path); ext != ".dxf" && ext != ".svg" {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			f := parse.File{Name: filepath.Base(path), Data: data}
			r, err := parse.Parse(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			checkSketch(t, f, r.Parsed)
		})
		n++
	}
	if n < 15 {
		t.Errorf("only %d drawings are there", n)
	}
}

func TestSheetThatIsNotThereIsNotFound(t *testing.T) {
	drawing := parse.File{Name: "a.dxf", Data: []byte(dxftest.Drawing(dxftest.Text("1", "0", "x", 0, 0)))}
	graphic := parse.File{Name: "a.svg", Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>`)}
	for name, c := range map[string]struct {
		file  parse.File
		sheet *sketch.Sheet
	}{
		"another sheet": {drawing, &sketch.Sheet{Name: "A1"}}, "hidden": {drawing, &sketch.Sheet{Name: "model", Hidden: true}}, "a sheet of SVG": {graphic, &sketch.Sheet{Name: "model"}},
		"a text": {parse.File{Name: "a.md", Data: []byte("x")}, nil}, "a picture": {parse.File{Name: "a.png", Data: []byte("x")}, nil}, "of no kind": {parse.File{Name: "a.zzz"}, nil},
	} {
		if _, err := (parse.Limits{}).Sketch(t.Context(), c.file, c.sheet); !problem.Is(err, problem.NotFound) || err.Error() != problem.Missing().Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, f := range []parse.File{{Name: "a.dxf", Data: []byte("x")}, {Name: "a.svg", Data: []byte("x")}, {Name: "a.svg", Data: []byte("<svg")}, {Name: "a.dxf"}} {
		if _, err := (parse.Limits{}).Sketch(t.Context(), f, nil); !problem.Is(err, problem.Invalid) || !strings.Contains(err.Error(), f.Name) {
			t.Errorf("%s: %v", f.Data, err)
		}
	}
}

func TestPictureIsItsOwnPage(t *testing.T) {
	for name, data := range pictures(t) {
		for width, want := range map[int]image.Point{200: {200, 150}, 400: {400, 300}, 1200: {400, 300}} {
			p, err := parse.Limits{}.Picture(t.Context(), parse.File{Name: name, Data: data}, 1, width)
			if err != nil || p.Size != [2]float32{400, 300} {
				t.Fatalf("%s: %v, %v", name, p.Size, err)
			}
			img, err := png.Decode(bytes.NewReader(p.PNG))
			if err != nil || img.Bounds().Size() != want {
				t.Fatalf("%s: %v %v", name, img.Bounds(), err)
			}
			// The ink is where it is on the picture.
			x, y := 80*want.X/400, 60*want.Y/300
			if r, _, _, _ := img.At(x, y).RGBA(); r > 0xc000 {
				t.Errorf("%s, %d wide: there is no ink at %d, %d", name, width, x, y)
			}
			if r, _, _, _ := img.At(x, 2*y).RGBA(); r < 0xf000 {
				t.Errorf("%s, %d wide: there is ink at %d, %d", name, width, x, 2*y)
			}
		}
		if _, err := (parse.Limits{}).Picture(t.Context(), parse.File{Name: name, Data: data}, 2, 200); !problem.Is(err, problem.NotFound) {
			t.Errorf("%s has a second page: %v", name, err)
		}
	}
	for _, data := range []string{"x", "\x89PNG\r\n\x1a\nx"} {
		if _, err := (parse.Limits{}).Picture(t.Context(), parse.File{Name: "a.png", Data: []byte(data)}, 1, 200); !problem.Is(err, problem.Invalid) || !strings.Contains(err.Error(), "a.png") {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func TestNameTellsTheFormatThatWasFound(t *testing.T) {
	for c, want := range map[[2]string]string{
		{"a.pdf", "application/pdf"}: "a.pdf", {"a.PDF", "application/pdf"}: "a.PDF", {"a", "application/pdf"}: "a.pdf", {"报告.docx", "application/pdf"}: "报告.docx.pdf",
		{"plan", "image/vnd.dxf"}: "plan.dxf", {"a.png", "image/jpeg"}: "a.png.jpg", {"a.svg", "image/svg+xml"}: "a.svg", {"a", "text/html; charset=gbk"}: "a.html", {"a", "none/such"}: "a",
	} {
		if got := parse.Named(c[0], c[1]); got != want {
			t.Errorf("%v is read as %s", c, got)
		}
	}
}
