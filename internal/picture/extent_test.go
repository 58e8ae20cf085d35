package picture

import (
	"strconv"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// ask asks for what is not there, by another name each time, and returns how often the version was read for it.
func ask(t *testing.T, e *easel, times int, one func(n int) error) int {
	t.Helper()
	before := len(e.drawn)
	for n := range times {
		if err := one(n); !problem.Is(err, problem.NotFound) || err.Error() != problem.Missing().Error() {
			t.Fatalf("the %d. time: %v", n+1, err)
		}
	}
	return len(e.drawn) - before
}

func TestPagesThatAreNotThereAreLookedForOnce(t *testing.T) {
	missing := func(a *Album, d corpus.Document) func(int) error {
		return func(n int) error {
			_, err := a.Page(t.Context(), d, strings.NewReader("bytes"), 1000-n, 200+n)
			return err
		}
	}
	e := &easel{tells: true}
	a := album(t, e)
	if n := ask(t, e, 50, missing(a, report)); n != 1 {
		t.Errorf("it was read %d times for 50 pages that are not there", n)
	}
	if _, err := get(t, a, report, 3, 200); err != nil {
		t.Errorf("its last page: %v", err)
	}
	other := report
	other.Checksum = "ab"
	if _, err := get(t, a, other, 2, 200); err != nil {
		t.Fatal(err)
	}
	if n := ask(t, e, 50, missing(a, other)); n != 0 {
		t.Errorf("it was read %d times although a page of it was drawn", n)
	}
	photo := report
	photo.MediaType = "image/png"
	if n := ask(t, e, 50, missing(a, photo)); n != 0 {
		t.Errorf("a picture was read %d times for its second page", n)
	}
}

func TestSheetsThatAreNotThereAreLookedForOnce(t *testing.T) {
	missing := func(a *Album, d corpus.Document) func(int) error {
		return func(n int) error {
			_, err := sheet(t, a, d, &sketch.Sheet{Name: "none", Hidden: n%2 == 1})
			return err
		}
	}
	e := &easel{sheets: []sketch.Sheet{{Name: "model"}, {Name: "A1"}, {Name: "门", Hidden: true}}}
	a := album(t, e)
	if n := ask(t, e, 50, missing(a, plan)); n != 1 {
		t.Errorf("it was read %d times for 50 sheets that are not there", n)
	}
	for _, name := range []string{"none1", "a1", "门"} { // the easel would draw them: nobody asks it
		if _, err := sheet(t, a, plan, &sketch.Sheet{Name: name}); !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, s := range e.sheets {
		if _, err := sheet(t, a, plan, &s); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
	}
	graphic := plan
	graphic.MediaType, graphic.Checksum = "image/svg+xml", "cc"
	e.sheets = []sketch.Sheet{{}}
	if n := ask(t, e, 50, missing(a, graphic)); n != 0 {
		t.Errorf("a graphic, which has one sheet, was read %d times", n)
	}
	if _, err := sheet(t, a, graphic, &sketch.Sheet{}); err != nil {
		t.Errorf("its sheet: %v", err)
	}
}

func TestWhatIsRememberedOfVersionsIsForgottenWithTheirPictures(t *testing.T) {
	e := &easel{tells: true}
	a := album(t, e)
	if _, err := get(t, a, report, 1, 200); err != nil {
		t.Fatal(err)
	}
	if err := a.Forget(); err != nil {
		t.Fatal(err)
	}
	if len(a.extents.known) != 0 || len(a.extents.order) != 0 {
		t.Errorf("%v is remembered", a.extents.known)
	}
}

func TestWhatIsRememberedOfVersionsIsBounded(t *testing.T) {
	x := newExtents()
	for n := range 3 * mostExtents {
		x.learn(strconv.Itoa(n%(2*mostExtents)), 1+n, nil)
	}
	if len(x.known) != mostExtents || len(x.order) != mostExtents {
		t.Errorf("%d versions in an order of %d", len(x.known), len(x.order))
	}
	x = newExtents()
	x.learn("stray", 0, make([]sketch.Sheet, sketch.MaxSheets+1))
	if len(x.known) != 0 {
		t.Error("more sheets than a drawing can have are remembered")
	}
}

func TestARealPainterTellsWhatThereIs(t *testing.T) {
	dxf := "0\nSECTION\n2\nENTITIES\n0\nLINE\n8\n0\n10\n0\n20\n0\n11\n5\n21\n5\n0\nENDSEC\n0\nEOF\n"
	s, err := parse.Limits{}.Sketch(t.Context(), parse.File{Name: "a.dxf", Data: []byte(dxf)}, &sketch.Sheet{Name: "none"})
	if !problem.Is(err, problem.NotFound) || len(s.Sheets) != 1 || s.Sheets[0].Name != "model" {
		t.Errorf("%v, with the sheets %v", err, s.Sheets)
	}
}
