package preview_test

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
	"github.com/kaoju/kaoju/internal/preview"
	"github.com/kaoju/kaoju/internal/preview/previewtest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

func written(t interface{ Fatal(...any) }, s sketch.Sketch, kind string) string {
	svg, err := preview.Sketch(&s, kind)
	if err != nil {
		t.Fatal(err)
	}
	return svg
}

func TestASketchIsWrittenAsPathsAndTexts(t *testing.T) {
	s := sketch.Sketch{
		Sheets: []sketch.Sheet{{Name: "model"}, {Name: `A"<1>`, Hidden: true}}, Sheet: sketch.Sheet{Name: `A"<1>`, Hidden: true}, Width: 100, Height: 50,
		Scale: [2]float64{2.5, -2.5}, Shift: [2]float64{0, 1e6}, Partial: true,
		Strokes: []sketch.Stroke{
			{Ops: "MLLZL", Points: []int32{10, 10, 20, 5, 20, 20, 0, 0}}, {Ops: "MC", Points: []int32{-5, 5, 0, 0, 1, 1, 2, 3}},
			{Ink: sketch.Red, Ops: "ML", Points: []int32{0, 0, 1, 1}},
			{Ink: sketch.Red, Filled: true, Ops: "MLZ", Points: []int32{0, 0, 9, 9}}, {Ink: sketch.Red, Filled: true, Ops: "MLZ", Points: []int32{0, 0, 9, 9}},
		},
		Labels: []sketch.Label{
			{Place: 7, Box: [4]int32{1, 2, 3, -4}, Lines: []sketch.Line{{Text: "泵 <b>&'\"", Matrix: [6]float64{200, 0, 0, 200, 5.4, 6}, Align: sketch.Middle}, {Text: "二", Matrix: [6]float64{-1e-9, 12.3456789, 0, 0, 0, 0}}}},
			{Lines: []sketch.Line{{Text: "again", Align: sketch.End}}},
		},
	}
	want := `<svg xmlns="http://www.w3.org/2000/svg" class="doc-sketch" viewBox="0 0 100 50" fill="none" stroke="currentColor" stroke-linecap="round" data-scale="2.5 -2.5" data-shift="0 1000000" data-sheet="A&#34;&lt;1&gt;" data-hidden="true" data-partial="true" ` +
		`data-sheets="[{&#34;name&#34;:&#34;model&#34;},{&#34;name&#34;:&#34;A\&#34;\u003c1\u003e&#34;,&#34;hidden&#34;:true}]">` +
		`<path class="doc-ink-plain" vector-effect="non-scaling-stroke" d="M10 10l10-5l0 15zl-10-10M-5 5c5-5 6-4 7-2"/>` +
		`<path class="doc-ink-red" vector-effect="non-scaling-stroke" d="M0 0l1 1"/>` +
		strings.Repeat(`<path class="doc-ink-red doc-area" fill="currentColor" fill-opacity="0.2" fill-rule="evenodd" vector-effect="non-scaling-stroke" d="M0 0l9 9z"/>`, 2) +
		`<g class="doc-labels" fill="currentColor" stroke="none"><g class="doc-label" id="doc-entity-7" data-box="1 2 3 -4">` +
		`<text font-size="100" text-anchor="middle" transform="matrix(2.00000 0.00000 0.00000 2.00000 5 6)">泵 &lt;b&gt;&amp;&#39;&#34;</text>` +
		`<text font-size="100" text-anchor="start" transform="matrix(-0.00000 0.12346 0.00000 0.00000 0 0)">二</text></g>` +
		`<g class="doc-label"><text font-size="100" text-anchor="end" transform="matrix(0.00000 0.00000 0.00000 0.00000 0 0)">again</text></g></g></svg>`
	got := written(t, s, "dxf")
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, fault := range previewtest.DrawingFaults(got) {
		t.Error(fault)
	}
	if svg := written(t, s, "svg"); !strings.Contains(svg, `id="doc-element-7"`) {
		t.Error("places of a graphic have other anchors")
	}
}

// TestEverySoundSketchIsWrittenWhole is for any texts, names and numbers: what is written has all of it, and nothing else.
func TestEverySoundSketchIsWrittenWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sketch.Sketch{Sheets: []sketch.Sheet{{Name: rapid.String().Draw(t, "other")}}, Sheet: sketch.Sheet{Name: rapid.String().Draw(t, "name")}, Width: 1, Height: sketch.Grid}
		if len(s.Sheet.Name) > sketch.MaxName || len(s.Sheets[0].Name) > sketch.MaxName {
			t.Skip("names are bounded")
		}
		for range rapid.IntRange(0, 5).Draw(t, "strokes") {
			ops := "M" + rapid.StringMatching(`[MLC]{0,5}Z?`).Draw(t, "ops")
			n := strings.Count(ops, "M") + strings.Count(ops, "L") + 3*strings.Count(ops, "C")
			s.Strokes = append(s.Strokes, sketch.Stroke{
				Ink: sketch.Ink(rapid.IntRange(0, 7).Draw(t, "ink")), Filled: rapid.Bool().Draw(t, "filled"), Weight: uint8(rapid.IntRange(0, sketch.Heaviest).Draw(t, "weight")), Wide: rapid.Int32Range(0, sketch.Grid).Draw(t, "wide"), Ops: ops, //nolint:gosec // eight inks
				Points: rapid.SliceOfN(rapid.Int32Range(-sketch.Farthest, sketch.Farthest), 2*n, 2*n).Draw(t, "points"),
			})
		}
		for i := range rapid.IntRange(0, 5).Draw(t, "labels") {
			s.Labels = append(s.Labels, sketch.Label{Place: i, Lines: []sketch.Line{{
				Text: rapid.String().Draw(t, "text"), Matrix: [6]float64{rapid.Float64Range(-1e15, 1e15).Draw(t, "a"), rapid.Float64Range(-1, 1).Draw(t, "b")},
			}}})
		}
		if !s.Sound() {
			t.Fatal("it is not sound")
		}
		svg := written(t, s, "dxf")
		if faults := previewtest.DrawingFaults(svg); len(faults) > 0 {
			t.Fatalf("%q in %s", faults, svg)
		}
		drawn, texts := 0, strings.Count(svg, "<text ")
		for _, op := range "Mlcz" {
			for _, d := range strings.Split(svg, ` d="`)[1:] {
				drawn += strings.Count(d[:strings.IndexByte(d, '"')], string(op))
			}
		}
		for _, stroke := range s.Strokes {
			drawn -= len(stroke.Ops)
		}
		if drawn != 0 || texts != len(s.Labels) {
			t.Fatalf("%d more steps are drawn than there are, and %d of %d texts are there", drawn, texts, len(s.Labels))
		}
	})
}

func TestManyAreasAreFewElements(t *testing.T) {
	s := sketch.Sketch{Width: 1, Height: 1, Strokes: make([]sketch.Stroke, 100_000)}
	for i := range s.Strokes {
		s.Strokes[i] = sketch.Stroke{Filled: true, Ops: "MLL", Points: []int32{0, 0, 1, 1, 2, 2}}
	}
	if n := strings.Count(written(t, s, "svg"), "<path "); n > 5200 {
		t.Errorf("there are %d", n)
	}
}

// TestHostileTextIsHarmlessInADrawing draws every case in every place of a drawing that holds text.
func TestHostileTextIsHarmlessInADrawing(t *testing.T) {
	svg := func(inside string) []byte {
		return []byte(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 99 99">` + inside + `</svg>`)
	}
	formats := map[string]func(s string) (string, []byte){
		"dxf": func(s string) (string, []byte) {
			s = strings.NewReplacer("\r", "^M", "\n", "^J", "\x00", "").Replace(s)
			return "a.dxf", []byte(dxftest.Drawing(dxftest.Text(s, s, s, 1, 2)+dxftest.Tags(0, "MTEXT", 8, s, 10, 0, 20, 0, 40, s, 41, 9, 1, s)+dxftest.Tags(0, "LINE", 8, s, 62, s, 10, s, 20, 1, 11, 5, 21, 6),
				dxftest.Section("BLOCKS", dxftest.Block(s, dxftest.Text(s, s, s, 1, 2)))))
		},
		"svg text": func(s string) (string, []byte) {
			return "a.svg", svg(`<text id="` + escaped(s) + `" y="20">` + escaped(s) + `</text>`)
		},
		"svg attributes": func(s string) (string, []byte) {
			s = escaped(s)
			return "a.svg", svg(`<path d="M0 0L5 5` + s + `" stroke="` + s + `"/><path d="M0 0L5 5" fill="url(` + s + `)" style="` + s + `"/><rect transform="` + s + `" width="9" height="9` + s + `" onclick="` + s + `"/><polygon points="1 1 2 2 ` + s +
				`"/><use xlink:href="` + s + `"/><a xlink:href="` + s + `"><text y="9" font-size="` + s + `" text-anchor="` + s + `">x</text></a>`)
		},
		"svg inside": func(s string) (string, []byte) { return "a.svg", svg(`<text y="20">` + s + `</text>` + s) },
	}
	all := cases(t)
	for name, file := range formats {
		t.Run(name, func(t *testing.T) {
			seen := 0
			for _, c := range all {
				fileName, data := file(c.Markdown)
				f := parse.File{Name: fileName, Data: data}
				first, err := parse.Limits{}.Sketch(t.Context(), f, nil)
				if err != nil {
					continue // what is no well-formed XML is refused
				}
				seen++
				for _, sheet := range first.Sheets {
					s, err := parse.Limits{}.Sketch(t.Context(), f, &sheet)
					if err != nil || !s.Sound() {
						t.Fatalf("%s: %v, sound %t", c.ID, err, s.Sound())
					}
					svg := written(t, s, fileName[2:])
					for _, fault := range previewtest.JudgeDrawing(asText(c), svg) {
						t.Errorf("%s: %s in %.600q", c.ID, fault, svg)
					}
				}
			}
			if seen < len(all)*9/10 && name != "svg inside" || seen == 0 {
				t.Errorf("only %d of %d cases were drawn", seen, len(all))
			}
		})
	}
}

// TestAnchorsOfADrawingAreThoseOfItsPlaces makes the anchor of a drawn text from its place alone.
func TestAnchorsOfADrawingAreThoseOfItsPlaces(t *testing.T) {
	f := parse.File{Name: "a.dxf", Data: []byte(building())}
	doc := read(t, f.Name, f.Data)
	for _, shown := range []string{"model", "paper"} {
		s, err := parse.Limits{}.Sketch(t.Context(), f, &sketch.Sheet{Name: shown})
		if err != nil {
			t.Fatal(err)
		}
		svg := written(t, s, "dxf")
		n := 0
		for _, b := range doc.Blocks {
			for _, segment := range b.Segments {
				l := segment.Locator.(corpus.DXFLocator)
				if l.No == 0 || l.Shown != shown || l.Hidden {
					continue
				}
				n++
				text := string([]rune(doc.Text)[segment.Span.Start:segment.Span.End])
				_, after, ok := strings.Cut(svg, fmt.Sprintf(`id="%s"`, preview.Anchor(l)))
				if after, _, _ = strings.Cut(after, "</g>"); !ok || !strings.Contains(html.UnescapeString(after), text) {
					t.Errorf("%s does not hold %q: %.200s", preview.Anchor(l), text, after)
				}
			}
		}
		if want := map[string]int{"model": 9, "paper": 1}[shown]; n != want {
			t.Errorf("%d places on %s, want %d", n, shown, want)
		}
	}
	if _, err := (parse.Limits{}).Sketch(t.Context(), f, &sketch.Sheet{Name: "old"}); !problem.Is(err, problem.NotFound) {
		t.Errorf("what stands nowhere is drawn as what stands somewhere: %v", err)
	}
	if s, err := (parse.Limits{}).Sketch(t.Context(), f, &sketch.Sheet{Name: "old", Hidden: true}); err != nil || !slices.ContainsFunc(s.Labels, func(l sketch.Label) bool { return l.Place > 0 }) {
		t.Errorf("%v", err)
	}
}

func TestLinesAreAsHeavyAndAsWideAsTheyAre(t *testing.T) {
	line := func(weight uint8, wide int32) sketch.Stroke {
		return sketch.Stroke{Weight: weight, Wide: wide, Ops: "ML", Points: []int32{1, 2, 3, 4}}
	}
	s := sketch.Sketch{Width: 9, Height: 9, Strokes: []sketch.Stroke{line(0, 0), line(0, 0), line(1, 0), line(3, 0), line(2, 500), {Weight: 2, Ops: "ML", Points: []int32{5, 6, 5, 6}}}}
	svg, err := preview.Sketch(&s, "dxf")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, path := range regexp.MustCompile(`<path class="doc-ink-plain" ([^>]*)/>`).FindAllStringSubmatch(svg, -1) {
		got = append(got, path[1])
	}
	want := []string{
		`vector-effect="non-scaling-stroke" d="M1 2l2 2M1 2l2 2"`, `vector-effect="non-scaling-stroke" stroke-width="2" d="M1 2l2 2"`, `vector-effect="non-scaling-stroke" stroke-width="4" d="M1 2l2 2"`,
		`stroke-width="500" d="M1 2l2 2"`, `vector-effect="non-scaling-stroke" stroke-width="3" d="M5 6l0 0"`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if faults := previewtest.DrawingFaults(svg); len(faults) != 0 {
		t.Error(faults)
	}
}
