package drawing_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/parse/layout"
)

// at is a label of height 1 whose letters are 1 wide.
func at(text string, x, y float64) drawing.Label {
	return drawing.Label{
		Text: text, Height: 1, Box: [4]float64{x, y, x + float64(len([]rune(text))), y + 1},
		Place: corpus.SVGLocator{Element: "text", No: 1},
	}
}

func grouped(group int, form drawing.Form, labels ...drawing.Label) []drawing.Label {
	for i := range labels {
		labels[i].Group, labels[i].Form = group, form
	}
	return labels
}

func laid(t interface{ Fatal(...any) }, labels []drawing.Label) corpus.Parsed {
	p := layout.Page{Limits: layout.Limits{Places: 100_000, Bytes: 1 << 22}}
	if err := drawing.Lay(&p, []string{}, labels); err != nil {
		t.Fatal(err)
	}
	return p.Parsed("")
}

func TestTextsAreReadAsAPersonReadsThem(t *testing.T) {
	for name, c := range map[string]struct {
		labels []drawing.Label
		want   string
	}{
		"from top to bottom":            {[]drawing.Label{at("c", 0, 20), at("a", 0, 0), at("b", 0, 10)}, "a\n\nb\n\nc"},
		"from left to right":            {[]drawing.Label{at("b", 20, 0.2), at("a", 0, 0)}, "a\n\nb"},
		"side by side on a line":        {[]drawing.Label{at("plan", 6, 0.1), at("floor", 0, 0)}, "floor plan"},
		"lines close below each other":  {[]drawing.Label{at("KITCHEN", 0, 0), at("12.5 m2", 0, 1.5), at("HALL", 30, 0), at("8 m2", 30, 1.5)}, "KITCHEN\n12.5 m2\n\nHALL\n8 m2"},
		"but not far below each other":  {[]drawing.Label{at("a", 0, 0), at("b", 0, 4)}, "a\n\nb"},
		"and not beside each other":     {[]drawing.Label{at("a", 0, 0), at("b", 5, 1.5)}, "a\n\nb"},
		"a headline stands apart":       {[]drawing.Label{{Text: "PLAN", Height: 5, Box: [4]float64{0, 0, 20, 5}, Place: at("", 0, 0).Place}, at("note", 0, 5.5)}, "PLAN\n\nnote"},
		"attributes in their own order": {append(grouped(1, drawing.List, at("NO: 7", 0, 9), at("NAME: x", 0, 5)), at("far above", 0, 0), at("between", 0, 7)), "far above\n\nNO: 7\nNAME: x\n\nbetween"},
		"cells of a table in rows":      {append(grouped(2, drawing.Table, at("b", 50, 0), at("a", 0, 0), at("d", 50, 3), at("c", 0, 3)), at("beside", 90, 0)), "a | b\nc | d\n\nbeside"},
		"nothing":                       {nil, ""},
	} {
		if got := laid(t, c.labels).Text; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestEveryTextIsLaidDownOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var labels []drawing.Label
		for i := range rapid.IntRange(0, 40).Draw(t, "labels") {
			l := at(fmt.Sprintf("<%d>", i), float64(rapid.IntRange(0, 12).Draw(t, "x")), float64(rapid.IntRange(0, 12).Draw(t, "y")))
			l.Height = float64(rapid.IntRange(0, 3).Draw(t, "height"))
			l.Group = rapid.IntRange(0, 2).Draw(t, "group")
			l.Form = drawing.Form(rapid.IntRange(0, 1).Draw(t, "form")) //nolint:gosec // 0 or 1
			labels = append(labels, l)
		}
		p := laid(t, labels)
		pieces := 0
		for _, b := range p.Blocks {
			pieces += len(b.Segments)
		}
		for _, l := range labels {
			if n := strings.Count(p.Text, l.Text); n != 1 {
				t.Fatalf("%s is there %d times in %q", l.Text, n, p.Text)
			}
		}
		if pieces != len(labels) {
			t.Fatalf("%d labels are %d pieces", len(labels), pieces)
		}
		if again := laid(t, labels); again.Text != p.Text {
			t.Fatalf("the order changes from run to run: %q and %q", p.Text, again.Text)
		}
	})
}

// TestHostileDrawingsTakeBoundedTime has no clock: what is quadratic would not end in the test's time.
func TestHostileDrawingsTakeBoundedTime(t *testing.T) {
	const n = 50_000
	for name, place := range map[string]func(i int) drawing.Label{
		"all at one place":    func(int) drawing.Label { return at("a", 0, 0) },
		"all on one line":     func(i int) drawing.Label { return at("a", 9*float64(i), 0) },
		"a long column":       func(i int) drawing.Label { return at("a", 0, 1.5*float64(i)) },
		"stairs":              func(i int) drawing.Label { return at("a", float64(i), float64(i)) },
		"letters of any size": func(i int) drawing.Label { l := at("a", float64(i%7), float64(i)); l.Height = 1e12; return l },
		"letters of no size":  func(i int) drawing.Label { l := at("a", 0, float64(i)); l.Height = 0; return l },
	} {
		t.Run(name, func(t *testing.T) {
			labels := make([]drawing.Label, n)
			for i := range labels {
				labels[i] = place(i)
			}
			if got := strings.Count(laid(t, labels).Text, "a"); got != n {
				t.Errorf("%d of %d labels were laid down", got, n)
			}
		})
	}
}
