package dxf_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/dxf"
	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

func sketched(t *testing.T, text string, sheet ...sketch.Sheet) sketch.Sketch {
	t.Helper()
	var wanted *sketch.Sheet
	if len(sheet) > 0 {
		wanted = &sheet[0]
	}
	s, ok, err := dxf.Sketch(t.Context(), text, wanted)
	if err != nil || !ok || !s.Sound() {
		t.Fatalf("%v, %t, sound %t", err, ok, s.Sound())
	}
	return s
}

// strokes says the strokes of a sketch in units of the drawing: ink, ops and points. Of a curve it says where it ends.
func strokes(s sketch.Sketch) []string {
	var out []string
	for _, stroke := range s.Strokes {
		text, at := sketch.Inks()[stroke.Ink], 0
		if stroke.Filled {
			text += " filled"
		}
		for _, op := range stroke.Ops {
			text += " " + string(op)
			if op == 'C' {
				at += 4
			}
			if op != 'Z' {
				x := (float64(stroke.Points[at]) - s.Shift[0]) / s.Scale[0]
				y := (float64(stroke.Points[at+1]) - s.Shift[1]) / s.Scale[1]
				text += fmt.Sprintf("%g,%g", math.Round(x*100)/100+0, math.Round(y*100)/100+0)
				at += 2
			}
		}
		out = append(out, text)
	}
	return out
}

// line writes a line.
func line(layer string, x0, y0, x1, y1 any, more ...any) string {
	return dxftest.Tags(append([]any{0, "LINE", 8, layer, 10, x0, 20, y0, 11, x1, 21, y1}, more...)...)
}

func TestEachKindOfEntityIsDrawn(t *testing.T) {
	for name, c := range map[string]struct {
		entity string
		want   string
	}{
		"a line":              {line("0", 1, 2, 31, 42), "plain M1,2 L31,42"},
		"a line of corners":   {dxftest.Tags(0, "LWPOLYLINE", 8, "0", 90, 3, 70, 0, 10, 0, 20, 0, 10, 10, 20, 0, 10, 10, 20, 10), "plain M0,0 L10,0 L10,10"},
		"a closed one":        {dxftest.Tags(0, "LWPOLYLINE", 8, "0", 70, 1, 10, 0, 20, 0, 10, 10, 20, 0, 10, 10, 20, 10), "plain M0,0 L10,0 L10,10 L0,0 Z"},
		"one that bulges":     {dxftest.Tags(0, "LWPOLYLINE", 8, "0", 70, 0, 10, 0, 20, 0, 42, 1, 10, 10, 20, 0), "plain M0,0 C5,-5 C10,0"},
		"an old one":          {dxftest.Tags(0, "POLYLINE", 8, "0", 66, 1, 70, 1) + dxftest.Tags(0, "VERTEX", 8, "0", 10, 0, 20, 0) + dxftest.Tags(0, "VERTEX", 8, "0", 10, 8, 20, 0, 42, 1) + dxftest.Tags(0, "VERTEX", 8, "0", 10, 8, 20, 6) + dxftest.Tags(0, "SEQEND"), "plain M0,0 L8,0 C11,3 C8,6 L0,0 Z"},
		"one without its end": {dxftest.Tags(0, "POLYLINE", 8, "0", 66, 1, 70, 0) + dxftest.Tags(0, "VERTEX", 10, 0, 20, 0) + dxftest.Tags(0, "VERTEX", 10, 8, 20, 4), "plain M0,0 L8,4"},
		"a circle":            {dxftest.Tags(0, "CIRCLE", 8, "0", 10, 5, 20, 5, 40, 2), "plain M7,5 C5,7 C3,5 C5,3 C7,5 Z"},
		"an arc over zero":    {dxftest.Tags(0, "ARC", 8, "0", 10, 0, 20, 0, 40, 10, 50, 270, 51, 90), "plain M0,-10 C10,0 C0,10"},
		"one from behind":     {dxftest.Tags(0, "ARC", 8, "0", 10, 5, 20, 0, 40, 10, 50, 0, 51, 90, 230, -1), "plain M-15,0 C-5,10"},
		"an ellipse":          {dxftest.Tags(0, "ELLIPSE", 8, "0", 10, 0, 20, 0, 11, 10, 21, 0, 40, 0.5, 41, 0, 42, math.Pi), "plain M10,0 C0,5 C-10,0"},
		"a spline":            {dxftest.Tags(0, "SPLINE", 8, "0", 70, 8, 71, 1, 72, 5, 73, 3, 40, 0, 40, 0, 40, 1, 40, 2, 40, 2, 10, 0, 20, 0, 10, 10, 20, 0, 10, 10, 20, 10), ""},
		"a fitted spline":     {dxftest.Tags(0, "SPLINE", 8, "0", 71, 3, 74, 3, 11, 0, 21, 0, 11, 5, 21, 5, 11, 10, 21, 0), "plain M0,0 L5,5 L10,0"},
		"a solid":             {dxftest.Tags(0, "SOLID", 8, "0", 10, 0, 20, 0, 11, 4, 21, 0, 12, 0, 22, 4, 13, 4, 23, 4), "plain filled M0,0 L4,0 L4,4 L0,4 Z"},
		"a face":              {dxftest.Tags(0, "3DFACE", 8, "0", 10, 0, 20, 0, 11, 4, 21, 0, 12, 4, 22, 4, 13, 0, 23, 4), "plain M0,0 L4,0 L4,4 L0,4 Z"},
		"a leader":            {dxftest.Tags(0, "LEADER", 8, "0", 76, 3, 10, 0, 20, 0, 10, 5, 20, 5, 10, 9, 20, 5), "plain M0,0 L5,5 L9,5"},
		"a multiline":         {dxftest.Tags(0, "MLINE", 8, "0", 71, 0, 10, 0, 20, 0, 11, 0, 21, 0, 12, 1, 22, 0, 11, 7, 21, 7), "plain M0,0 L7,7"},
		"a hatch":             {dxftest.Tags(0, "HATCH", 8, "0", 10, 0, 20, 0, 70, 1, 91, 1, 92, 2, 72, 1, 73, 1, 93, 3, 10, 0, 20, 0, 42, 0, 10, 9, 20, 0, 42, 0, 10, 9, 20, 9, 42, 0, 97, 0, 75, 0, 98, 1, 10, 5, 20, 5), "plain filled M0,0 L9,0 L9,9 L0,0 Z"},
		"one of edges": {dxftest.Tags(0, "HATCH", 8, "0", 10, 0, 20, 0, 70, 0, 91, 2, 92, 1, 93, 2, 72, 1, 10, -5, 20, 0, 11, 5, 21, 0, 72, 2, 10, 0, 20, 0, 40, 5, 50, 0, 51, 180, 73, 1, 97, 0,
			92, 1, 93, 1, 72, 3, 10, 0, 20, 2, 11, 1, 21, 0, 40, 0.5, 50, 0, 51, 360, 73, 1, 97, 0, 75, 1), "plain M-5,0 L5,0 C0,5 C-5,0 Z M1,2 C0,2.5 C-1,2 C0,1.5 C1,2 Z"},
		"an arc clockwise": {dxftest.Tags(0, "HATCH", 8, "0", 70, 0, 91, 1, 92, 1, 93, 1, 72, 2, 10, 0, 20, 0, 40, 5, 50, 270, 51, 360, 73, 0, 97, 0, 75, 0), "plain M0,5 C5,0 Z"},
	} {
		// A long line beside makes the grid the same for all.
		s := sketched(t, dxftest.Drawing(c.entity+line("0", -20, -20, 60, 60)))
		got := strokes(s)
		if name == "a spline" { // of the first degree it is a line of many steps
			ends := strings.Fields(got[0])
			if ends[1] != "M0,0" || ends[len(ends)-1] != "L10,10" || !slices.Contains(ends, "L10,0") {
				t.Errorf("%s: %s", name, got[0])
			}
			continue
		}
		if len(got) != 2 || got[0] != c.want || s.Partial {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestSplineGoesAsItsPointsSteerIt holds curves against those that they are known to be: a Bézier curve, and a quarter of
// a circle.
func TestSplineGoesAsItsPointsSteerIt(t *testing.T) {
	quarter := dxftest.Tags(0, "SPLINE", 8, "0", 70, 4, 71, 2, 72, 6, 73, 3, 40, 0, 40, 0, 40, 0, 40, 1, 40, 1, 40, 1, 41, 1, 41, math.Sqrt2/2, 41, 1,
		10, 10, 20, 0, 10, 10, 20, 10, 10, 0, 20, 10)
	s := sketched(t, dxftest.Drawing(quarter))
	for i := 0; i < len(s.Strokes[0].Points); i += 2 {
		x, y := (float64(s.Strokes[0].Points[i])-s.Shift[0])/s.Scale[0], (float64(s.Strokes[0].Points[i+1])-s.Shift[1])/s.Scale[1]
		if d := math.Hypot(x, y); math.Abs(d-10) > 0.001 {
			t.Errorf("%v, %v is %v from the middle", x, y, d)
		}
	}
	bezier := dxftest.Tags(0, "SPLINE", 8, "0", 71, 3, 40, 0, 40, 0, 40, 0, 40, 0, 40, 1, 40, 1, 40, 1, 40, 1, 10, 0, 20, 0, 10, 0, 20, 8, 10, 8, 20, 8, 10, 8, 20, 0)
	if got := strokes(sketched(t, dxftest.Drawing(bezier))); !strings.Contains(got[0], " L4,6 ") {
		t.Errorf("it does not go through its middle: %s", got[0])
	}
}

func TestBlocksAreDrawnAsOftenAsTheyAreShown(t *testing.T) {
	door := dxftest.Section("BLOCKS", dxftest.Block("DOOR", line("0", 0, 0, 1, 0), dxftest.Text("D", "0", "door", 0, 0)),
		dxftest.Block("WALL", line("0", 0, 0, 0, 5), dxftest.Insert("0", "DOOR", 0, 0)))
	s := sketched(t, dxftest.Drawing(dxftest.Insert("a", "DOOR", 0, 0)+dxftest.Insert("a", "DOOR", 10, 0, 41, 3, 42, 1)+dxftest.Insert("a", "DOOR", 20, 0, 50, 90)+dxftest.Insert("a", "WALL", 40, 0), door))
	want := []string{"plain M0,0 L1,0", "plain M40,0 L40,5", "plain M10,0 L13,0", "plain M20,0 L20,1", "plain M40,0 L41,0"}
	if got := strokes(s); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	places := 0
	for _, l := range s.Labels {
		if l.Place > 0 {
			places++
		}
	}
	if len(s.Labels) != 4 || places != 1 {
		t.Errorf("of %d labels %d are a place", len(s.Labels), places)
	}
}

func TestBlocksAreShownInColumnsAndRows(t *testing.T) {
	blocks := dxftest.Section("BLOCKS", dxftest.Block("B", line("0", 0, 0, 1, 0)))
	s := sketched(t, dxftest.Drawing(dxftest.Insert("0", "B", 0, 0, 41, 2, 70, 2, 71, 2, 44, 10, 45, 20), blocks))
	want := []string{"plain M0,0 L2,0", "plain M10,0 L12,0", "plain M0,20 L2,20", "plain M10,20 L12,20"}
	if got := strokes(s); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWhatNobodySeesIsNotDrawn(t *testing.T) {
	tables := dxftest.Tables(dxftest.Layer("off", 0, -7), dxftest.Layer("frozen", 1, 7), dxftest.Layer("on", 0, 1))
	blocks := dxftest.Section("BLOCKS", dxftest.Block("B", line("0", 0, 0, 7, 7), line("off", 0, 0, 8, 8)))
	s := sketched(t, dxftest.Drawing(line("on", 0, 0, 1, 1)+line("off", 0, 0, 2, 2)+line("FROZEN", 0, 0, 3, 3)+line("on", 0, 0, 4, 4, 60, 1)+
		dxftest.Text("1", "off", "secret", 0, 0)+dxftest.Insert("off", "B", 0, 0)+dxftest.Insert("on", "B", 0, 0)+dxftest.Insert("on", "B", 100, 0)+dxftest.Insert("off", "B", 0, 0, 70, 3, 71, 3, 44, 9, 45, 9), tables, blocks))
	want := []string{"red M0,0 L1,1", "red M0,0 L7,7", "red M100,0 L107,7"}
	if got := strokes(s); !slices.Equal(got, want) || len(s.Labels) != 0 {
		t.Errorf("%q, %d labels; want %q", got, len(s.Labels), want)
	}
}

func TestInkIsThatOfTheEntityTheLayerOrTheBlock(t *testing.T) {
	tables := dxftest.Tables(dxftest.Layer("green", 0, 3), dxftest.Layer("blue", 0, 5))
	blocks := dxftest.Section("BLOCKS", dxftest.Block("B", line("0", 0, 0, 1, 0), line("0", 0, 0, 2, 0, 62, 0), line("blue", 0, 0, 3, 0), line("0", 0, 0, 4, 0, 62, 6)))
	s := sketched(t, dxftest.Drawing(line("green", 0, 0, 9, 0)+line("green", 0, 0, 8, 0, 62, 1)+line("green", 0, 0, 7, 0, 420, 0x808080)+line("none", 0, 0, 6, 0)+line("green", 0, 0, 5, 0, 62, 150)+
		dxftest.Insert("green", "B", 0, 0, 62, 4), tables, blocks))
	want := []string{"green M0,0 L9,0", "red M0,0 L8,0", "grey M0,0 L7,0", "plain M0,0 L6,0", "blue M0,0 L5,0",
		"green M0,0 L1,0", "cyan M0,0 L2,0", "blue M0,0 L3,0", "magenta M0,0 L4,0"}
	if got := strokes(s); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSheetsAreDrawnApart(t *testing.T) {
	blocks := dxftest.Section("BLOCKS", dxftest.Block("Stock", dxftest.Text("9", "0", "valve", 0, 0), line("0", 0, 0, 1, 1)), dxftest.Block("Empty", line("0", 0, 0, 5, 5)), dxftest.Block("*Paper_Space0", line("0", 0, 0, 3, 3)))
	text := dxftest.Drawing(line("0", 0, 0, 1, 0)+line("0", 0, 0, 2, 0, 67, 1)+dxftest.Tags(0, "VIEWPORT", 8, "0", 67, 1, 69, 1), blocks)
	list := []sketch.Sheet{{Name: "model"}, {Name: "paper"}, {Name: "paper0"}, {Name: "Stock", Hidden: true}}
	for i, want := range []string{"plain M0,0 L1,0", "plain M0,0 L2,0", "plain M0,0 L3,3", "plain M0,0 L1,1"} {
		s := sketched(t, text, list[i])
		if !slices.Equal(s.Sheets, list) || s.Sheet != list[i] || !slices.Equal(strokes(s), []string{want}) || s.Partial {
			t.Errorf("%+v: %q of %+v", s.Sheet, strokes(s), s.Sheets)
		}
	}
	if s := sketched(t, text); s.Sheet != list[0] {
		t.Errorf("the first is %+v", s.Sheet)
	}
	for _, none := range []sketch.Sheet{{}, {Name: "Stock"}, {Name: "model", Hidden: true}, {Name: "Empty", Hidden: true}, {Name: "x"}} {
		if _, ok, err := dxf.Sketch(t.Context(), text, &none); ok || err != nil {
			t.Errorf("%+v is there, %v", none, err)
		}
	}
}

func TestWhatIsNotDrawnIsSaid(t *testing.T) {
	for name, text := range map[string]string{
		"a solid body":          dxftest.Drawing(dxftest.Tags(0, "3DSOLID", 8, "0")),
		"a picture":             dxftest.Drawing(dxftest.Tags(0, "IMAGE", 8, "0")),
		"a window on the model": dxftest.Drawing(dxftest.Tags(0, "VIEWPORT", 8, "0", 67, 1, 69, 2)),
		"a mesh":                dxftest.Drawing(dxftest.Tags(0, "POLYLINE", 8, "0", 70, 64) + dxftest.Tags(0, "VERTEX", 10, 0, 20, 0) + dxftest.Tags(0, "SEQEND")),
		"a damaged file":        dxftest.Section("ENTITIES", line("0", 0, 0, 1, 1)) + "not a code\nx\n",
		"a block in itself":     dxftest.Drawing(dxftest.Insert("0", "A", 0, 0)+dxftest.Insert("0", "A", 5, 0), dxftest.Section("BLOCKS", dxftest.Block("A", line("0", 0, 0, 1, 1), dxftest.Insert("0", "A", 1, 1)))),
		"a thousand million":    dxftest.Drawing(dxftest.Insert("0", "A", 0, 0, 70, 100_000, 71, 100_000, 44, 1, 45, 1), dxftest.Section("BLOCKS", dxftest.Block("A", line("0", 0, 0, 1, 1)))),
	} {
		if s := sketched(t, text); !s.Partial {
			t.Errorf("%s: nobody says so", name)
		}
	}
	beside := dxftest.Drawing(line("0", 0, 0, 1, 1)+dxftest.Tags(0, "IMAGE", 8, "0", 67, 1)+dxftest.Tags(0, "IMAGE", 8, "off")+dxftest.Tags(0, "IMAGE", 8, "0", 60, 1), dxftest.Tables(dxftest.Layer("off", 0, -7)))
	if sketched(t, beside, sketch.Sheet{Name: "model"}).Partial || !sketched(t, beside, sketch.Sheet{Name: "paper"}).Partial {
		t.Error("it is said of another sheet, or of what nobody sees")
	}
}

// TestBlocksThatMultiplyEachOtherTakeBoundedWork has ten levels of ten inserts each: ten thousand million, if they were all drawn.
// There is no clock: it would not end in the test's time.
func TestBlocksThatMultiplyEachOtherTakeBoundedWork(t *testing.T) {
	for _, leaf := range []string{line("0", 0, 0, 1, 1), dxftest.Text("1", "0", "x", 0, 0), ""} {
		blocks := []string{dxftest.Block("B0", leaf)}
		for i := 1; i <= 10; i++ {
			var in []string
			for k := range 10 {
				in = append(in, dxftest.Insert("0", fmt.Sprintf("B%d", i-1), float64(k), 0))
			}
			blocks = append(blocks, dxftest.Block(fmt.Sprintf("B%d", i), in...))
		}
		if s := sketched(t, dxftest.Drawing(dxftest.Insert("0", "B10", 0, 0), dxftest.Section("BLOCKS", blocks...))); !s.Partial {
			t.Error("it is said to be whole")
		}
	}
}

func TestSketchStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	text := dxftest.Drawing(strings.Repeat(line("0", 0, 0, 1, 1), 20_000))
	if _, _, err := dxf.Sketch(ctx, text, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("it went on: %v", err)
	}
	if _, _, err := dxf.Sketch(t.Context(), "no drawing", nil); problem.CodeOf(err) != "content_mismatch" {
		t.Errorf("no drawing: %v", err)
	}
}

func TestTextsAreWrittenWhereTheyStand(t *testing.T) {
	s := sketched(t, dxftest.Drawing(line("0", 0, 0, 100, 100)+dxftest.Text("1", "0", "left", 10, 20)+dxftest.Text("2", "0", "middle", 0, 0, 11, 50, 21, 60, 72, 1)+
		dxftest.Text("3", "0", "turned", 80, 10, 50, 90)+dxftest.Tags(0, "MTEXT", 8, "0", 10, 10, 20, 90, 40, 2, 41, 20, 71, 1, 1, `first line of many\P图纸说明很长很长很长`)))
	var got []string
	for _, l := range s.Labels {
		for _, line := range l.Lines {
			x, y := (line.Matrix[4]-s.Shift[0])/s.Scale[0], (line.Matrix[5]-s.Shift[1])/s.Scale[1]
			turn := math.Atan2(-line.Matrix[1], line.Matrix[0]) * 180 / math.Pi
			got = append(got, fmt.Sprintf("%s at %.1f,%.1f turned %.0f as %d, %.2f high", line.Text, x, y, turn+0, line.Align, math.Hypot(line.Matrix[2], line.Matrix[3])/s.Scale[0]))
		}
	}
	want := []string{
		"left at 10.0,20.0 turned 0 as 0, 1.39 high", "middle at 50.0,60.0 turned 0 as 1, 1.39 high", "turned at 80.0,10.0 turned 90 as 0, 1.39 high",
		"first line of at 10.0,88.0 turned 0 as 0, 2.78 high", "many at 10.0,84.7 turned 0 as 0, 2.78 high",
		"图纸说明很长很 at 10.0,81.3 turned 0 as 0, 2.78 high", "长很长 at 10.0,78.0 turned 0 as 0, 2.78 high",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// weights says the weight and the width of each stroke, the width in units of the drawing.
func weights(s sketch.Sketch) []string {
	var out []string
	for _, stroke := range s.Strokes {
		out = append(out, fmt.Sprintf("%s %d %g", stroke.Ops, stroke.Weight, math.Round(float64(stroke.Wide)/s.Scale[0]*10)/10))
	}
	return out
}

func TestLinesHaveTheWeightThatIsTheirsOrTheirLayersOrTheirBlocks(t *testing.T) {
	tables := dxftest.Tables(dxftest.Layer("heavy", 0, 7)+dxftest.Tags(370, 100), dxftest.Layer("thin", 0, 7)+dxftest.Tags(370, 13), dxftest.Layer("usual", 0, 7))
	blocks := dxftest.Section("BLOCKS", dxftest.Block("A", line("usual", 0, 0, 1, 1, 370, -2)))
	s := sketched(t, dxftest.Drawing(line("heavy", 0, 0, 9, 9)+line("heavy", 0, 0, 9, 9, 370, 35)+line("thin", 0, 0, 9, 9)+line("usual", 0, 0, 9, 9)+line("usual", 0, 0, 9, 9, 370, 211)+
		line("usual", 0, 0, 9, 9, 370, 30)+line("heavy", 0, 0, 9, 9, 370, -3)+line("none", 0, 0, 9, 9)+dxftest.Insert("0", "A", 0, 0, 370, 70)+dxftest.Insert("heavy", "A", 5, 5), tables, blocks))
	want := []string{"ML 2 0", "ML 1 0", "ML 0 0", "ML 0 0", "ML 3 0", "ML 0 0", "ML 0 0", "ML 0 0", "ML 2 0", "ML 2 0"}
	if got := weights(s); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestPolylinesAreAsWideAsTheyAreDrawn(t *testing.T) {
	poly := func(more ...any) string {
		return dxftest.Tags(append(append([]any{0, "LWPOLYLINE", 8, "0"}, more...), 10, 0, 20, 0, 10, 50, 20, 0)...)
	}
	old := dxftest.Tags(0, "POLYLINE", 8, "0", 40, 3, 41, 3, 0, "VERTEX", 8, "0", 10, 0, 20, 9, 0, "VERTEX", 8, "0", 10, 9, 20, 9, 0, "SEQEND")
	blocks := dxftest.Section("BLOCKS", dxftest.Block("A", poly(43, 2)))
	s := sketched(t, dxftest.Drawing(poly(43, 1.5)+poly()+poly(43, -4)+old+dxftest.Insert("0", "A", 0, 20, 41, 2, 42, 2), blocks))
	want := []string{"ML 0 1.5", "ML 0 0", "ML 0 0", "ML 0 3", "ML 0 4"}
	if got := weights(s); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestPointsAreDrawnButForThoseOfMeasuring(t *testing.T) {
	point := func(layer string, x, y float64) string {
		return dxftest.Tags(0, "POINT", 8, layer, 10, x, 20, y)
	}
	s := sketched(t, dxftest.Drawing(line("0", 0, 0, 100, 100)+point("0", 30, 40)+point("Defpoints", 50, 60)+point("off", 1, 1)+line("0", 7, 7, 7, 7), dxftest.Tables(dxftest.Layer("off", 0, -7))))
	if got, want := strokes(s), []string{"plain M0,0 L100,100", "plain M30,40 L30,40"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if s.Strokes[1].Weight == 0 {
		t.Error("the point is as thin as a line")
	}
}

// The frame of a tolerance is a box around each of its lines, with a line between the parts that have something in them.
func TestToleranceHasItsFrame(t *testing.T) {
	tolerance := func(kind, text string) string {
		return dxftest.Tags(0, kind, 5, "A", 8, "0", 10, 30, 20, 40, 40, 2, 1, text)
	}
	s := sketched(t, dxftest.Drawing(line("0", 0, 0, 100, 100)+tolerance("TOLERANCE", `{\Fgdt;j}%%v0.1%%vA%%v%%v`)))
	// Letters are 1.5 wide and 2 high: the first bar stands two and a half of them from the beginning.
	if got, want := strokes(s), []string{"plain M0,0 L100,100", "plain M29,37.33 L47.5,37.33 L47.5,40.67 L29,40.67 Z M33.75,37.33 L33.75,40.67 M42.75,37.33 L42.75,40.67"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if s := sketched(t, dxftest.Drawing(line("0", 0, 0, 100, 100)+tolerance("TOLERANCE", `{\Fgdt;j}%%v0.1^J{\Fgdt;f}%%v0.2`))); len(s.Strokes) != 3 {
		t.Errorf("of two lines: %q", strokes(s))
	}
	for _, other := range []string{tolerance("TOLERANCE", "%%v%%v"), tolerance("MTEXT", "a | b")} {
		if s := sketched(t, dxftest.Drawing(line("0", 0, 0, 100, 100)+other)); len(s.Strokes) != 1 {
			t.Errorf("%s has a frame: %q", other, strokes(s))
		}
	}
}

func TestToleranceIsWrittenWhereItStands(t *testing.T) {
	s := sketched(t, dxftest.Drawing(line("0", 0, 0, 100, 100)+dxftest.Tags(0, "TOLERANCE", 5, "A", 8, "0", 10, 30, 20, 40, 1, `{\Fgdt;j}%%v{\Fgdt;n}0.05%%vA%%vB`)))
	if len(s.Labels) != 1 || s.Labels[0].Place != 2 || len(s.Labels[0].Lines) != 1 || s.Labels[0].Lines[0].Text != "⌖ | Ø0.05 | A | B" {
		t.Fatalf("%+v", s.Labels)
	}
	if m := s.Labels[0].Lines[0].Matrix; math.Abs((m[4]-s.Shift[0])/s.Scale[0]-30) > 0.1 || math.Abs((m[5]-s.Shift[1])/s.Scale[1]-40) > 3 {
		t.Errorf("it begins at %v", m)
	}
}
