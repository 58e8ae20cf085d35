package svg_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/svg"
)

// element is a made-up element: a group, or a text.
type element struct {
	text   string
	hide   string // attributes that hide it with all in it, "" for none
	unseen string // "visible" or "hidden", which those inside may undo
	x, y   float64
	move   [2]float64
	scale  float64
	turn   float64
	inside []element
}

func drawElement(t *rapid.T, depth int, n *int) element {
	e := element{
		hide:   rapid.SampledFrom([]string{"", "", "", "", `display="none"`, `style="opacity:0"`, `class="gone"`}).Draw(t, "hide"),
		unseen: rapid.SampledFrom([]string{"", "", "hidden", "visible"}).Draw(t, "visibility"),
		move:   [2]float64{float64(rapid.IntRange(-9, 9).Draw(t, "right")), float64(rapid.IntRange(-9, 9).Draw(t, "down"))},
		scale:  rapid.SampledFrom([]float64{1, 2, 0.5}).Draw(t, "scale"), turn: rapid.SampledFrom([]float64{0, 90, 180}).Draw(t, "turn"),
	}
	*n++
	if depth == 0 || rapid.Bool().Draw(t, "a text") {
		e.text = fmt.Sprintf("text-%d", *n)
		e.x, e.y = float64(rapid.IntRange(-20, 20).Draw(t, "x")), float64(rapid.IntRange(-20, 20).Draw(t, "y"))
		return e
	}
	for range rapid.IntRange(0, 3).Draw(t, "elements") {
		e.inside = append(e.inside, drawElement(t, depth-1, n))
	}
	return e
}

func (e element) write(b *strings.Builder) {
	more := e.hide
	if e.unseen != "" {
		more += ` visibility="` + e.unseen + `"`
	}
	more += fmt.Sprintf(` transform="translate(%v,%v) rotate(%v) scale(%v)"`, e.move[0], e.move[1], e.turn, e.scale)
	if e.text != "" {
		fmt.Fprintf(b, `<text font-size="10" x="%v" y="%v" %s>%s</text>`, e.x, e.y, more, e.text)
		return
	}
	b.WriteString("<g " + more + ">")
	for _, i := range e.inside {
		i.write(b)
	}
	b.WriteString("</g>")
}

// draw notes where each text that is seen begins.
func (e element) draw(at func(x, y float64) (float64, float64), visible bool, seen map[string][2]float64) {
	if e.hide != "" {
		return
	}
	if e.unseen != "" {
		visible = e.unseen == "visible"
	}
	sin, cos := math.Sincos(e.turn * math.Pi / 180)
	here := func(x, y float64) (float64, float64) {
		x, y = x*e.scale, y*e.scale
		return at(e.move[0]+x*cos-y*sin, e.move[1]+x*sin+y*cos)
	}
	if e.text != "" && visible {
		x, y := here(e.x, e.y)
		seen[e.text] = [2]float64{x, y}
	}
	for _, i := range e.inside {
		i.draw(here, visible, seen)
	}
}

// TestEveryTextThatIsSeenIsReadWhereItIsSeen holds the reader against a plain drawing of everything.
func TestEveryTextThatIsSeenIsReadWhereItIsSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 0
		var b strings.Builder
		b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg"><style>.gone { display: none }</style>`)
		seen := map[string][2]float64{}
		for range rapid.IntRange(0, 4).Draw(t, "elements") {
			e := drawElement(t, 3, &n)
			e.write(&b)
			e.draw(func(x, y float64) (float64, float64) { return x, y }, true, seen)
		}
		b.WriteString("</svg>")
		p, err := svg.Parse(context.Background(), []byte(b.String()), options)
		if err != nil {
			t.Fatalf("%s: %v", b.String(), err)
		}
		runes, read := []rune(p.Text), 0
		for _, block := range p.Blocks {
			for _, s := range block.Segments {
				text := string(runes[s.Span.Start:s.Span.End])
				at, ok := seen[text]
				if !ok {
					t.Fatalf("%q is read and not seen in %s", text, b.String())
				}
				read++
				r := *s.Locator.(corpus.SVGLocator).Region
				if r[0]-0.01 > at[0] || r[2]+0.01 < at[0] || r[1]-0.01 > at[1] || r[3]+0.01 < at[1] {
					t.Fatalf("%q is at %v, and begins at %v in %s", text, r, at, b.String())
				}
			}
		}
		if read != len(seen) {
			t.Fatalf("%d of %d texts are read in %s", read, len(seen), b.String())
		}
		hidden := strings.Count(b.String(), "text-") > len(seen)
		if (len(p.Notices) == 1 && p.Notices[0] == layout.HiddenLeftOut) != hidden {
			t.Fatalf("the notices are %v in %s", p.Notices, b.String())
		}
	})
}

// TestRegionsAreAsWideAsTheirTexts holds the estimate to what it says of itself.
func TestRegionsAreAsWideAsTheirTexts(t *testing.T) {
	for text, want := range map[string]float64{"a": 5.5, "ab": 11, "泵": 10, "泵a": 15.5} {
		r := placeOf(t, parsed(t, drawing(`<text x="10" y="50" font-size="10">`+text+`</text>`)), text).Region
		if got := r[2] - r[0]; math.Abs(got-want) > 0.001 || r[3]-r[1] != 10 {
			t.Errorf("%s is %v wide and %v high", text, got, r[3]-r[1])
		}
	}
}

func TestSizesOfFontsAreRead(t *testing.T) {
	for size, want := range map[string]float64{
		"10": 10, "10px": 10, "7.5pt": 10, "1em": 20, "50%": 10, "2ex": 20, "1cm": 37.795, "10mm": 37.795, "1in": 96, "1pc": 16,
		"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32, "odd": 20, "": 20, "inherit": 20,
	} {
		r := placeOf(t, parsed(t, `<svg xmlns="http://www.w3.org/2000/svg"><g font-size="20"><text font-size="`+size+`">a</text></g></svg>`), "a").Region
		if got := r[3] - r[1]; math.Abs(got-want) > 0.002 {
			t.Errorf("%q is %v high, want %v", size, got, want)
		}
	}
}

// TestStylesTellWhatIsSeen holds the order: attributes, then rules of the sheet, then the element's style.
func TestStylesTellWhatIsSeen(t *testing.T) {
	for content, seen := range map[string]bool{
		`<text class="a">a</text>`:                               false,
		`<text id="b">a</text>`:                                  false,
		`<text class="a" style="display:inline">a</text>`:        true,
		`<text display="none" class="c">a</text>`:                true,
		`<g class="a"><text style="display:inline">a</text></g>`: false,
		`<text class="d">a</text>`:                               true,
		`<text class="e">a</text>`:                               true,
		`<text class="A">a</text>`:                               true,
		`<text class="f">a</text>`:                               false,
		`<text style="display:none !important">a</text>`:         false,
		`<text style="/* display:none */ fill:red">a</text>`:     true,
	} {
		sheet := `<style>/* .d{display:none} */ .a, #b, .x > .d { display : none; } .c{display:inline} g .e{display:none} .f{fill:none}</style>`
		p := parsed(t, drawing(sheet+`<g transform="translate(0,50)">`+content+`</g>`))
		if (p.Text == "a") != seen {
			t.Errorf("%s reads %q", content, p.Text)
		}
	}
}

func TestStylesThatAreNoneChangeNothing(t *testing.T) {
	for _, sheet := range []string{"", "{", "}", ".a", ".a{", ".a{display", "@media{", "@import url(x);", "@media x{.a{display:none}", ".a{};;;", "}}{{.a{display:none", "/*", ".a{display:none"} {
		if p := parsed(t, drawing(`<style>`+sheet+`</style><text class="a" y="20">kept</text>`)); p.Text != "kept" {
			t.Errorf("with %q it reads %q", sheet, p.Text)
		}
	}
}

func TestPlacesSayWhatTheFileSays(t *testing.T) {
	p := parsed(t, drawing(`<text id="t" x=" 10 20 30 " y="20,21">spread</text><text y="60"><tspan x="5" y="60">in a span</tspan></text><g id="outer"><g><text y="80">in groups</text></g></g>`+
		`<text id="`+strings.Repeat("i", 500)+`" y="95">long</text>`))
	if l := placeOf(t, p, "spread"); l.X != "10 20 30" || l.Y != "20,21" || l.ID != "t" || l.Region[0] != 10 {
		t.Errorf("it is at %+v", l)
	}
	if l := placeOf(t, p, "in a span"); l.Element != "tspan" || l.X != "5" || l.Region[0] != 5 {
		t.Errorf("it is at %+v", l)
	}
	if l := placeOf(t, p, "in groups"); l.ID != "outer" {
		t.Errorf("it is at %+v", l)
	}
	if l := placeOf(t, p, "long"); len(l.ID) != 200 {
		t.Errorf("its id has %d bytes", len(l.ID))
	}
}
