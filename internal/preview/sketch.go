package preview

import (
	"encoding/json"
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/sketch"
)

// Sketch writes a sheet of a drawing as an SVG of its own, of paths and texts with numbers that are made here. A text that
// is a place has the anchor of that place, and its box. The kind is that of the places, "dxf" or "svg".
// The sketch must be sound.
func Sketch(s *sketch.Sketch, kind string) (string, error) {
	sheets, err := json.Marshal(s.Sheets)
	if err != nil {
		return "", err
	}
	w := sketcher{anchor: func(no int) string { return Anchor(corpus.DXFLocator{No: no}) }}
	if kind == "svg" {
		w.anchor = func(no int) string { return Anchor(corpus.SVGLocator{No: no}) }
	}
	w.strokes(s.Strokes)
	w.WriteString(`<g class="doc-labels" fill="currentColor" stroke="none">`)
	for _, l := range s.Labels {
		w.label(l)
	}
	w.WriteString(`</g>`)
	// The root is not for the sanitiser, which writes names of attributes in small letters; it holds numbers and names.
	root := `<svg xmlns="http://www.w3.org/2000/svg" class="doc-sketch" viewBox="0 0 ` + itoa(int(s.Width)) + " " + itoa(int(s.Height)) +
		`" fill="none" stroke="currentColor" stroke-linecap="round" data-scale="` + float(s.Scale[0], -1) + " " + float(s.Scale[1], -1) +
		`" data-shift="` + float(s.Shift[0], -1) + " " + float(s.Shift[1], -1) + `" data-sheet="` + attribute(s.Sheet.Name) + `"`
	if s.Sheet.Hidden {
		root += ` data-hidden="true"`
	}
	if s.Partial {
		root += ` data-partial="true"`
	}
	return root + ` data-sheets="` + attribute(string(sheets)) + `">` + sketchPolicy().Sanitize(w.String()) + `</svg>`, nil
}

func attribute(s string) string { return html.EscapeString(line(s)) }

// line is a text of one line without what nobody sees, and what XML has no place for.
func line(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '\n' || c == '\t' {
			return ' '
		}
		if c == 0xfffe || c == 0xffff {
			return '\ufffd'
		}
		return seen(c)
	}, s)
}

func float(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

// sketcher writes what is in a sketch.
type sketcher struct {
	strings.Builder
	anchor func(no int) string
	areas  int
}

// The bounds within which strokes are put together in one element: points of lines in one, and elements of areas.
const (
	together  = 2000
	mostAreas = 5000
)

// alike reports whether two strokes can be put together in one element.
func alike(a, b sketch.Stroke) bool {
	return a.Ink == b.Ink && a.Filled == b.Filled && a.Weight == b.Weight && a.Wide == b.Wide
}

// strokes writes lines of one ink in few elements. Areas stand alone as long as they are not too many, because of two
// that lie over each other in one element nothing would be seen.
func (w *sketcher) strokes(list []sketch.Stroke) {
	for i := 0; i < len(list); {
		first, points := list[i], 0
		begin := i
		for i < len(list) && alike(list[i], first) && (i == begin || points < together) {
			points += len(list[i].Points) / 2
			i++
			if first.Filled && w.areas < mostAreas {
				w.areas++
				break
			}
		}
		w.WriteString(`<path class="doc-ink-` + sketch.Inks()[first.Ink])
		if first.Filled {
			w.WriteString(` doc-area" fill="currentColor" fill-opacity="0.2" fill-rule="evenodd`)
		}
		switch {
		case first.Wide > 0:
			w.WriteString(`" stroke-width="` + itoa(int(first.Wide)) + `" d="`)
		case first.Weight > 0:
			w.WriteString(`" vector-effect="non-scaling-stroke" stroke-width="` + itoa(1+int(first.Weight)) + `" d="`)
		default:
			w.WriteString(`" vector-effect="non-scaling-stroke" d="`)
		}
		for _, s := range list[begin:i] {
			w.path(s)
		}
		w.WriteString(`"/>`)
	}
}

// path writes a stroke: where it begins, and the steps from there.
func (w *sketcher) path(s sketch.Stroke) {
	var at, begun [2]int32
	points := s.Points
	step := func(n int, from [2]int32) {
		for i := range n {
			w.number(points[2*i] - from[0])
			w.number(points[2*i+1] - from[1])
		}
		at = [2]int32{points[2*n-2], points[2*n-1]}
		points = points[2*n:]
	}
	for _, op := range s.Ops {
		switch op {
		case 'M':
			w.WriteByte('M')
			step(1, [2]int32{})
			begun = at
		case 'L':
			w.WriteByte('l')
			step(1, at)
		case 'C':
			w.WriteByte('c')
			step(3, at)
		case 'Z':
			w.WriteByte('z')
			at = begun
		}
	}
}

// number writes one, apart from the one before.
func (w *sketcher) number(v int32) {
	if s := w.String(); s[len(s)-1] >= '0' && s[len(s)-1] <= '9' && v >= 0 {
		w.WriteByte(' ')
	}
	w.WriteString(itoa(int(v)))
}

// letter is how large letters are before their matrix makes them as large as they are: a size that no browser changes.
const letter = 100

func (w *sketcher) label(l sketch.Label) {
	w.WriteString(`<g class="doc-label"`)
	if l.Place > 0 {
		w.WriteString(` id="` + w.anchor(l.Place) + `" data-box="` + itoa(int(l.Box[0])) + " " + itoa(int(l.Box[1])) + " " + itoa(int(l.Box[2])) + " " + itoa(int(l.Box[3])) + `"`)
	}
	w.WriteString(`>`)
	for _, line := range l.Lines {
		w.WriteString(`<text font-size="` + itoa(letter) + `" text-anchor="` + []string{"start", "middle", "end"}[line.Align] + `" transform="matrix(`)
		for i, v := range line.Matrix {
			switch {
			case i < 4:
				w.WriteString(float(v/letter, 5) + " ")
			case i == 4:
				w.WriteString(float(math.Round(v), 0) + " ")
			default:
				w.WriteString(float(math.Round(v), 0))
			}
		}
		w.WriteString(`)">` + attribute(line.Text) + `</text>`)
	}
	w.WriteString(`</g>`)
}

// sketchPolicy is the list of what stands in a sketch. Nothing on it loads, runs or leads anywhere.
var sketchPolicy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("g", "path", "text")
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^doc-(?:entity|element)-[0-9]{1,10}$`)).OnElements("g")
	p.AllowAttrs("data-box").Matching(regexp.MustCompile(`^-?[0-9]{1,10}(?: -?[0-9]{1,10}){3}$`)).OnElements("g")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^doc-labels?$`)).OnElements("g")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^doc-ink-[a-z]{3,7}(?: doc-area)?$`)).OnElements("path")
	p.AllowAttrs("fill", "stroke").Matching(regexp.MustCompile(`^(?:none|currentColor)$`)).OnElements("g", "path")
	p.AllowAttrs("fill-opacity").Matching(regexp.MustCompile(`^0\.2$`)).OnElements("path")
	p.AllowAttrs("fill-rule").Matching(regexp.MustCompile(`^evenodd$`)).OnElements("path")
	p.AllowAttrs("stroke-width").Matching(regexp.MustCompile(`^[1-9][0-9]{0,5}$`)).OnElements("path")
	p.AllowAttrs("vector-effect").Matching(regexp.MustCompile(`^non-scaling-stroke$`)).OnElements("path")
	p.AllowAttrs("d").Matching(regexp.MustCompile(`^[Mlcz0-9 -]+$`)).OnElements("path")
	p.AllowAttrs("font-size").Matching(regexp.MustCompile(`^[0-9]{1,4}$`)).OnElements("text")
	p.AllowAttrs("text-anchor").Matching(regexp.MustCompile(`^(?:start|middle|end)$`)).OnElements("text")
	p.AllowAttrs("transform").Matching(regexp.MustCompile(`^matrix\((?:-?[0-9.]{1,24} ){5}-?[0-9.]{1,24}\)$`)).OnElements("text")
	return p
})
