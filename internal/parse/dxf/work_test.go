package dxf

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/sketch"
)

// drawnOf draws the model of a drawing with a block, and returns the walk that did.
func drawnOf(ctx context.Context, t *testing.T, block, entities string) (*walk, error) {
	t.Helper()
	d, err := read(t.Context(), "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nB\n"+block+"0\nENDBLK\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n"+entities+"0\nENDSEC\n0\nEOF\n", true)
	if err != nil {
		t.Fatal(err)
	}
	w := &walk{contents: d, ctx: ctx, pen: &drawing.Pen{}, on: sketch.Sheet{Name: "model"}}
	return w, w.draw()
}

// mtext is a text on lines, as wide as it says.
func mtext(words, width string) string {
	return "0\nMTEXT\n8\n0\n10\n0\n20\n0\n40\n1\n41\n" + width + "\n1\n" + words + "\n"
}

// TestWorkDoesNotGrowWithTheTimesSomethingLargeIsShown counts bytes and points. A block is shown in a hundred columns and
// rows each.
func TestWorkDoesNotGrowWithTheTimesSomethingLargeIsShown(t *testing.T) {
	for name, block := range map[string]string{
		"a text":               mtext(strings.Repeat("a", 200_000), "0"),
		"a text to be wrapped": mtext(strings.Repeat("a ", 100_000), "1"),
		"a text of no letters": mtext(strings.Repeat(" ", 200_000), "0"),
		"lines":                mtext(strings.Repeat("a\\P", 60_000), "0"),
		"a polyline":           "0\nLWPOLYLINE\n8\n0\n70\n0\n" + strings.Repeat("10\n1\n20\n2\n10\n3\n20\n4\n", 50_000),
		"a polyline far away":  "0\nLWPOLYLINE\n8\n0\n70\n0\n" + strings.Repeat("10\n1e14\n20\n2\n", 100_000),
		"attributes":           "0\nINSERT\n2\nNONE\n" + strings.Repeat("0\nATTRIB\n", 10_000),
	} {
		w, err := drawnOf(t.Context(), t, block, "0\nINSERT\n8\n0\n2\nB\n10\n0\n20\n0\n70\n100\n71\n100\n44\n1\n45\n1\n")
		if err != nil || !w.pen.Partial || w.work.Done > 3_000_000 {
			t.Errorf("%s: %v, partial %t, %d steps", name, err, w.pen.Partial, w.work.Done)
		}
	}
}

func TestWordsAreMadeOnce(t *testing.T) {
	e := &entity{kind: "MTEXT", text: `a\Pb`}
	if e.words() != "a\nb" {
		t.Fatalf("%q", e.words())
	}
	if e.text = "c"; e.words() != "a\nb" {
		t.Error("they are made anew wherever they are shown")
	}
}

// TestWhoeverWaitsNoMoreIsHeardBetweenLargeTexts has few entities with many bytes.
func TestWhoeverWaitsNoMoreIsHeardBetweenLargeTexts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := drawnOf(ctx, t, "", strings.Repeat(mtext(strings.Repeat("a", 20_000), "0"), 3)); !errors.Is(err, context.Canceled) {
		t.Errorf("it went on: %v", err)
	}
}

// TestPointsThatFewNumbersSayAreBounded has areas of many whole circles, each of which says no more than its kind.
func TestPointsThatFewNumbersSayAreBounded(t *testing.T) {
	area := "0\nHATCH\n8\n0\n70\n1\n91\n1\n92\n0\n" + strings.Repeat("72\n2\n40\n1\n", 25_000)
	w, err := drawnOf(t.Context(), t, "", strings.Repeat(area, 30))
	if err != nil {
		t.Fatal(err)
	}
	points := 0
	for _, e := range w.model.entities {
		points += len(e.shape.path.Points)
	}
	if points == 0 || points > mostFigures || !w.lost {
		t.Errorf("%d points, lost %t", points, w.lost)
	}
}
