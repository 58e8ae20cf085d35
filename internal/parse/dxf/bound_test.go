package dxf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/sketch"
)

// The numbers here are written out, so that a bound that is changed or goes is noticed.

// TestWhatWaitsToBeDrawnAgainIsBounded asks for one block more than may wait.
func TestWhatWaitsToBeDrawnAgainIsBounded(t *testing.T) {
	w := &walk{pen: &drawing.Pen{}, on: sketch.Sheet{Name: "model"}, waiting: make([]visit, 99_999)}
	if w.again(visit{shown: "model"}); len(w.waiting) != 100_000 || w.pen.Partial {
		t.Errorf("%d wait, partial %t", len(w.waiting), w.pen.Partial)
	}
	if w.again(visit{shown: "model"}); len(w.waiting) != 100_000 || !w.pen.Partial {
		t.Errorf("one more: %d wait, partial %t", len(w.waiting), w.pen.Partial)
	}
}

// TestStepsOfDrawingAgainAreBounded begins at the last step that is allowed, in a block and between the columns of an insert.
func TestStepsOfDrawingAgainAreBounded(t *testing.T) {
	w := &walk{pen: &drawing.Pen{}, steps: 999_999}
	v := visit{block: &block{}}
	if w.over(v) || w.pen.Partial {
		t.Error("the last step is too much")
	}
	if w.steps++; !w.over(v) || !w.pen.Partial {
		t.Error("one step more is not")
	}
	w = &walk{contents: &contents{}, pen: &drawing.Pen{}, steps: 1_000_000 - 5}
	if err := w.insert(visit{}, &entity{kind: "INSERT", scale: point{1, 1}, columns: 1000, rows: 1000}); err != nil || w.steps != 1_000_001 || !w.pen.Partial {
		t.Errorf("between columns: %v after %d steps, partial %t", err, w.steps, w.pen.Partial)
	}
}

// TestEntitiesOfFewNumbersCountToo has lines that say nothing. Each counts for 16 numbers and two points.
func TestEntitiesOfFewNumbersCountToo(t *testing.T) {
	for n, lost := range map[int]bool{222_000: false, 222_500: true} {
		d, err := read(t.Context(), "0\nSECTION\n2\nENTITIES\n"+strings.Repeat("0\nLINE\n", n)+"0\nENDSEC\n0\nEOF\n", true)
		if err != nil || d.lost != lost {
			t.Errorf("of %d some are lost: %t, %v", n, d.lost, err)
		}
	}
}

func TestTextsAndShownBlocksOfADrawingAreBounded(t *testing.T) {
	for n, refused := range map[int]bool{300_000: false, 300_001: true} {
		_, err := read(t.Context(), "0\nSECTION\n2\nENTITIES\n"+strings.Repeat("0\nTEXT\n", n)+"0\nENDSEC\n0\nEOF\n", false)
		if (err != nil) != refused || refused && !strings.Contains(fmt.Sprint(err), "300000") {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// curved is a curve of a degree, through so many points on a line that is bent.
func curved(degree, points int) figures {
	g := figures{{71, float64(degree)}}
	for i := range points + degree + 1 {
		g = append(g, pair{40, float64(min(max(i-degree, 0), points-degree))})
	}
	for i := range points {
		g = append(g, pair{10, float64(i)}, pair{20, float64(i * i)})
	}
	return g
}

func TestCurvesAreMadeOfABoundedNumberOfPieces(t *testing.T) {
	for _, c := range []struct{ degree, points, want int }{
		{3, 10, 81}, {3, 250, 2001}, {3, 1000, 2001}, {25, 30, 241},
		{26, 30, 30}, // of too high a degree: straight from point to point
	} {
		if s := shapeOf("SPLINE", curved(c.degree, c.points)); s == nil || len(s.path.Points) != c.want {
			t.Errorf("degree %d through %d points: %d points are drawn, want %d", c.degree, c.points, len(s.path.Points), c.want)
		}
	}
}

func TestABackslashTakesNoMoreWithItThanASettingHas(t *testing.T) {
	for n, want := range map[int]string{250: "x", 300: strings.Repeat("1", 300) + ";x"} {
		if got := rich(`\H` + strings.Repeat("1", n) + ";x"); !strings.HasSuffix(got, want) || n == 250 && got != "x" {
			t.Errorf("a value of %d: %d characters are left", n, len(got))
		}
	}
}

func TestFontsOfGroupsInOneAnotherAreRememberedToADepth(t *testing.T) {
	// A j in the font of signs is a position. The font before the last group comes back behind it, as far as it is remembered.
	for depth, want := range map[int]string{0: "j⌖", 63: "j⌖", 64: "jj"} {
		if got := rich(strings.Repeat("{", depth) + `\Fgdt;{\Ftxt;j}j`); got != want {
			t.Errorf("inside %d groups: %q, want %q", depth, got, want)
		}
	}
}

func TestBlocksStandInOneAnotherToADepth(t *testing.T) {
	for depth, refused := range map[int]bool{100: false, 101: true} {
		w := &walk{contents: &contents{}}
		if err := w.enter(visit{block: &block{}, depth: depth}); (err != nil) != refused {
			t.Errorf("%d deep: %v", depth, err)
		}
	}
}
