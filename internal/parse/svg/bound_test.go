package svg

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// The numbers here are written out, so that a bound that is changed or goes is noticed.

// TestWhatWaitsToBeShownAgainIsBounded asks for one element more than may wait.
func TestWhatWaitsToBeShownAgainIsBounded(t *testing.T) {
	w := &walk{pen: &drawing.Pen{}, waiting: make([]showing, 99_999)}
	if w.again(&node{}, state{}); len(w.waiting) != 100_000 || w.pen.Partial {
		t.Errorf("%d wait, partial %t", len(w.waiting), w.pen.Partial)
	}
	if w.again(&node{}, state{}); len(w.waiting) != 100_000 || !w.pen.Partial {
		t.Errorf("one more: %d wait, partial %t", len(w.waiting), w.pen.Partial)
	}
}

// TestStepsOfShowingAgainAreBounded begins before the last step that is allowed.
func TestStepsOfShowingAgainAreBounded(t *testing.T) {
	w := &walk{pen: &drawing.Pen{}, repeating: true, steps: 999_999}
	if w.over(state{}) || w.pen.Partial {
		t.Error("the last step is too much")
	}
	if !w.over(state{}) || !w.pen.Partial {
		t.Error("one step more is not")
	}
	w = &walk{pen: &drawing.Pen{}, repeating: true}
	if w.over(state{depth: 512}) || !w.over(state{depth: 513}) {
		t.Error("what is shown again stands as deep as it likes")
	}
}

// TestElementsAreShownInOneAnotherToADepth enters one at the last depth, and beyond it.
func TestElementsAreShownInOneAnotherToADepth(t *testing.T) {
	for depth, refused := range map[int]bool{511: false, 512: true} {
		w := newWalk(&node{})
		if err := w.enter(&node{name: "g", attrs: map[string]string{}}, state{depth: depth}); (err != nil) != refused {
			t.Errorf("inside %d: %v", depth, err)
		}
	}
}

// TestShapesAreBounded counts them, and the bytes that they are drawn by.
func TestShapesAreBounded(t *testing.T) {
	path := ooxml.Element{Name: "path"}
	for _, c := range []struct {
		drawn, size int
		kept        bool
	}{{99_999, 0, true}, {100_000, 0, false}, {0, 16 << 20, true}, {0, 16<<20 + 1, false}} {
		r := &reader{shapes: true, drawn: c.drawn, size: c.size}
		if kept := r.shape(path, &node{}); kept != c.kept || r.lost == c.kept {
			t.Errorf("after %d shapes of %d bytes: kept %t, lost %t", c.drawn, c.size, kept, r.lost)
		}
	}
}

func TestRulesOfStyleSheetsAreBounded(t *testing.T) {
	var sheet strings.Builder
	for i := range 10_050 {
		fmt.Fprintf(&sheet, ".c%d{fill:red}", i)
	}
	r := &reader{rules: map[string]map[string]string{}}
	if r.sheet(sheet.String()); len(r.rules) != 10_000 {
		t.Errorf("%d rules are kept", len(r.rules))
	}
}

func TestElementsThatAreKeptAreBounded(t *testing.T) {
	for _, shapes := range []bool{false, true} {
		data := []byte(`<svg xmlns="http://www.w3.org/2000/svg">` + strings.Repeat("<use/>", 300_001) + `</svg>`)
		_, lost, err := readAll(t.Context(), data, ooxml.Limits{}, shapes)
		if (err == nil) != shapes || lost != shapes {
			t.Errorf("with shapes %t: %v, lost %t", shapes, err, lost)
		}
	}
}
