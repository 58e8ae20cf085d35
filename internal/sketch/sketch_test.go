package sketch_test

import (
	"math"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/sketch"
)

func sound() sketch.Sketch {
	return sketch.Sketch{
		Sheets: []sketch.Sheet{{Name: "model"}}, Sheet: sketch.Sheet{Name: "model"}, Width: 100, Height: 50, Scale: [2]float64{1, -1},
		Strokes: []sketch.Stroke{{Ops: "MLCZ", Points: []int32{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}}},
		Labels:  []sketch.Label{{Place: 3, Lines: []sketch.Line{{Text: "泵", Matrix: [6]float64{1, 0, 0, 1, 5, 5}}}}},
	}
}

func TestSketchWithinItsBoundsIsSound(t *testing.T) {
	if s := sound(); !s.Sound() {
		t.Error("it is not")
	}
	full := sound()
	full.Strokes[0] = sketch.Stroke{Ops: "M" + strings.Repeat("L", sketch.MaxPoints-1), Points: make([]int32, 2*sketch.MaxPoints)}
	if !full.Sound() {
		t.Error("as much as may be is too much")
	}
}

func TestSketchBeyondItsBoundsIsNotSound(t *testing.T) {
	for name, change := range map[string]func(*sketch.Sketch){
		"no width":  func(s *sketch.Sketch) { s.Width = 0 },
		"no height": func(s *sketch.Sketch) { s.Height = -1 },
		"too wide":  func(s *sketch.Sketch) { s.Width = sketch.Grid + 1 },
		"too many points": func(s *sketch.Sketch) {
			s.Strokes[0] = sketch.Stroke{Ops: "M" + strings.Repeat("L", sketch.MaxPoints), Points: make([]int32, 2*sketch.MaxPoints+2)}
		},
		"too many labels":              func(s *sketch.Sketch) { s.Labels = make([]sketch.Label, sketch.MaxLabels+1) },
		"too much text":                func(s *sketch.Sketch) { s.Labels[0].Lines[0].Text = strings.Repeat("x", sketch.MaxText) },
		"too many lines":               func(s *sketch.Sketch) { s.Labels[0].Lines = make([]sketch.Line, sketch.MaxLines+1) },
		"closed without end":           func(s *sketch.Sketch) { s.Strokes[0].Ops = "MLC" + strings.Repeat("Z", 1000) },
		"text that is none":            func(s *sketch.Sketch) { s.Labels[0].Lines[0].Text = "\xff" },
		"too many sheets":              func(s *sketch.Sketch) { s.Sheets = make([]sketch.Sheet, sketch.MaxSheets+1) },
		"a name without end":           func(s *sketch.Sketch) { s.Sheet.Name = strings.Repeat("x", sketch.MaxName+1) },
		"a name that is none":          func(s *sketch.Sketch) { s.Sheets[0].Name = "\xff" },
		"a place before the first":     func(s *sketch.Sketch) { s.Labels[0].Place = -1 },
		"an alignment that is none":    func(s *sketch.Sketch) { s.Labels[0].Lines[0].Align = 3 },
		"an ink that is none":          func(s *sketch.Sketch) { s.Strokes[0].Ink = 8 },
		"a line heavier than any":      func(s *sketch.Sketch) { s.Strokes[0].Weight = sketch.Heaviest + 1 },
		"a line wider than anything":   func(s *sketch.Sketch) { s.Strokes[0].Wide = sketch.Grid + 1 },
		"a line of less than no width": func(s *sketch.Sketch) { s.Strokes[0].Wide = -1 },
		"an op that is none":           func(s *sketch.Sketch) { s.Strokes[0].Ops = "ML<Z" },
		"a line from nowhere":          func(s *sketch.Sketch) { s.Strokes[0].Ops = "LLCZ" },
		"nothing to draw":              func(s *sketch.Sketch) { s.Strokes[0] = sketch.Stroke{} },
		"a point too few":              func(s *sketch.Sketch) { s.Strokes[0].Points = s.Strokes[0].Points[:8] },
		"a point too many":             func(s *sketch.Sketch) { s.Strokes[0].Points = append(s.Strokes[0].Points, 1, 1) },
		"a point beyond anything":      func(s *sketch.Sketch) { s.Strokes[0].Points[3] = math.MaxInt32 },
		"a box beyond anything":        func(s *sketch.Sketch) { s.Labels[0].Box[2] = math.MinInt32 },
		"a scale that is no number":    func(s *sketch.Sketch) { s.Scale[0] = math.NaN() },
		"a shift without end":          func(s *sketch.Sketch) { s.Shift[1] = math.Inf(1) },
		"a matrix that is no number":   func(s *sketch.Sketch) { s.Labels[0].Lines[0].Matrix[2] = math.NaN() },
		"a matrix that is far too big": func(s *sketch.Sketch) { s.Labels[0].Lines[0].Matrix[5] = 1e16 },
	} {
		s := sound()
		if change(&s); s.Sound() {
			t.Errorf("%s is sound", name)
		}
	}
}

func TestColoursBecomeTheInkThatIsNearest(t *testing.T) {
	for rgb, want := range map[[3]uint8]sketch.Ink{
		{0, 0, 0}: sketch.Plain, {255, 255, 255}: sketch.Plain, {40, 40, 60}: sketch.Plain, {128, 128, 128}: sketch.Grey, {211, 211, 211}: sketch.Grey,
		{255, 0, 0}: sketch.Red, {165, 42, 42}: sketch.Red, {255, 0, 100}: sketch.Red, {255, 255, 0}: sketch.Yellow, {255, 165, 0}: sketch.Yellow,
		{0, 128, 0}: sketch.Green, {144, 238, 144}: sketch.Green, {0, 255, 255}: sketch.Cyan, {0, 0, 255}: sketch.Blue, {70, 130, 180}: sketch.Blue,
		{255, 0, 255}: sketch.Magenta, {128, 0, 128}: sketch.Magenta,
	} {
		if got := sketch.InkOf(rgb[0], rgb[1], rgb[2]); got != want {
			t.Errorf("%v is drawn in %s, want %s", rgb, sketch.Inks()[got], sketch.Inks()[want])
		}
	}
	if got := sketch.Hue(-30); got != sketch.Magenta {
		t.Errorf("30 degrees before red is %s", sketch.Inks()[got])
	}
}
