package svg

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// drawnOf draws what stands in a drawing, and returns the walk that did.
func drawnOf(ctx context.Context, t *testing.T, content string) (*walk, error) {
	t.Helper()
	root, lost, err := readAll(ctx, []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">`+content+`</svg>`), ooxml.Limits{}, true)
	if err != nil {
		t.Fatal(err)
	}
	w := newWalk(root)
	w.ctx, w.pen = ctx, &drawing.Pen{Partial: lost}
	return w, w.all(root)
}

// TestWorkDoesNotGrowWithTheUsesOfSomethingLarge counts bytes and points. What is used is read about once, or the bound of
// steps is reached soon.
func TestWorkDoesNotGrowWithTheUsesOfSomethingLarge(t *testing.T) {
	long := strings.Repeat("h1", 500_000)
	for name, shown := range map[string]string{
		"more than a sketch":      `<path id="a" d="M0 0` + long + `"/>`,
		"most of a sketch":        `<path id="a" d="M0 0` + long[:500_000] + `"/>`,
		"far away":                `<path id="a" transform="translate(9e11) scale(1e6)" d="M0 0` + strings.Repeat("h9e5", 100_000) + `"/>`,
		"nothing in many letters": `<path id="a" d="M0 0` + strings.Repeat(" ", 1_000_000) + `"/>`,
		"corners":                 `<polygon id="a" points="` + strings.Repeat("1 2 ", 250_000) + `"/>`,
		"a length":                `<rect id="a" width="` + strings.Repeat(" ", 1_000_000) + `5" height="5"/>`,
		"a text":                  `<text id="a" y="9">` + strings.Repeat("x", 1_000_000) + `</text>`,
		"a text out of view":      `<text id="a" x="900" y="900">` + strings.Repeat("x", 300_000) + `</text>`,
	} {
		w, err := drawnOf(t.Context(), t, shown+strings.Repeat(`<use href="#a"/>`, 100))
		if err != nil || w.work.Done > 4_000_000 {
			t.Errorf("%s: %v, %d steps", name, err, w.work.Done)
		}
	}
}

func TestTransformationIsReadOnce(t *testing.T) {
	root, _, err := readAll(t.Context(), []byte(`<svg xmlns="http://www.w3.org/2000/svg"><g id="a" transform="translate(3 4)`+strings.Repeat(" ", 10_000)+`" fill="`+strings.Repeat(" ", 10_000)+`red"><rect width="1" height="1"/></g></svg>`), ooxml.Limits{}, true)
	if err != nil {
		t.Fatal(err)
	}
	g := root.nodes[0]
	for name, v := range g.attrs {
		if len(v) > most {
			t.Errorf("%s has %d bytes wherever it is shown", name, len(v))
		}
	}
	if g.attrs["fill"] != "red" || g.frame != (drawing.Frame{A: 1, D: 1, X: 3, Y: 4}) {
		t.Errorf("%q, %v", g.attrs["fill"], g.frame)
	}
}

// TestWhoeverWaitsNoMoreIsHeardBetweenLargeShapes has few elements with many points.
func TestWhoeverWaitsNoMoreIsHeardBetweenLargeShapes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := drawnOf(ctx, t, strings.Repeat(`<path d="M0 0`+strings.Repeat("h1", 20_000)+`"/>`, 3)); !errors.Is(err, context.Canceled) {
		t.Errorf("it went on: %v", err)
	}
}
