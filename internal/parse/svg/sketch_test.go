package svg_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/parse/svg"
	"github.com/kaoju/kaoju/internal/sketch"
)

func sketched(t *testing.T, content string) sketch.Sketch {
	t.Helper()
	s, err := svg.Sketch(t.Context(), []byte(drawing(content)), ooxml.Limits{})
	if err != nil || !s.Sound() || s.Width != 100_000 || s.Height != 50_000 {
		t.Fatalf("%v, sound %t, %d by %d", err, s.Sound(), s.Width, s.Height)
	}
	return s
}

// strokes says the strokes of a sketch in units of the drawing: ink, ops and where they end.
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
				text += fmt.Sprintf("%g,%g", math.Round(float64(stroke.Points[at])/5)/100, math.Round(float64(stroke.Points[at+1])/5)/100)
				at += 2
			}
		}
		out = append(out, text)
	}
	return out
}

func draws(t *testing.T, content string, want ...string) sketch.Sketch {
	t.Helper()
	s := sketched(t, content)
	if got := strokes(s); !slices.Equal(got, want) {
		t.Errorf("%s:\n%q\nwant %q", content, got, want)
	}
	return s
}

func TestEachShapeIsDrawn(t *testing.T) {
	for content, want := range map[string]string{
		`<rect x="1" y="2" width="10" height="5"/>`:                                                          "plain filled M1,2 L11,2 L11,7 L1,7 Z",
		`<rect x="0" y="0" width="20" height="10" rx="2" fill="none" stroke="black"/>`:                       "plain M18,0 C20,2 L20,8 C18,10 L2,10 C0,8 L0,2 C2,0 Z",
		`<rect width="20" height="10" ry="99" fill="none" stroke="black"/>`:                                  "plain M10,0 C20,5 C10,10 C0,5 C10,0 Z",
		`<circle cx="50" cy="50" r="10" stroke="red" fill="none"/>`:                                          "red M60,50 C50,60 C40,50 C50,40 C60,50 Z",
		`<ellipse cx="50" cy="50" rx="20" ry="10" style="stroke:#00f;fill:none"/>`:                           "blue M70,50 C50,60 C30,50 C50,40 C70,50 Z",
		`<line x1="1" y1="2" x2="3" y2="4" stroke="#008000"/>`:                                               "green M1,2 L3,4",
		`<polyline points="0,0 10,0 10,10" fill="none" stroke="#000"/>`:                                      "plain M0,0 L10,0 L10,10",
		`<polygon points="0 0 10 0,10 10" fill="none" stroke="rgb(100%,0%,0%)"/>`:                            "red M0,0 L10,0 L10,10 Z",
		`<path d="M1 1h9v9H1z" fill="none" stroke="gray"/>`:                                                  "grey M1,1 L10,1 L10,10 L1,10 Z",
		`<path d="m1,1 9,0 0,9zm20 0l5 5" fill="none" stroke="black"/>`:                                      "plain M1,1 L10,1 L10,10 Z M21,1 L26,6",
		`<path d="M0 0C1 9 9 9 10 0s9-9 10 0" fill="none" stroke="black"/>`:                                  "plain M0,0 C10,0 C20,0",
		`<path d="M0,0Q5 9 10,0T20 0" fill="none" stroke="black"/>`:                                          "plain M0,0 C10,0 C20,0",
		`<path d="M.5.5L1.5-0l1e1.5" fill="none" stroke="black"/>`:                                           "plain M0.5,0.5 L1.5,0 L11.5,0.5",
		`<path d="M0 50a10 10 0 0120 0" fill="none" stroke="black"/>`:                                        "plain M0,50 C10,40 C20,50",
		`<path d="M0 50A10 10 0 0 0 20 50" fill="none" stroke="black"/>`:                                     "plain M0,50 C10,60 C20,50",
		`<path d="M0 0L5 5X9 9" fill="none" stroke="black"/>`:                                                "plain M0,0 L5,5",
		`<g transform="translate(10 20) scale(2)" stroke="blue"><line x2="5" y2="5"/></g>`:                   "blue M10,20 L20,30",
		`<g transform="rotate(90)"><line x1="1" y1="-5" x2="3" y2="-5" stroke="red"/></g>`:                   "red M5,1 L5,3",
		`<style>.pipe{stroke:cyan;fill:none}</style><path class="pipe" d="M1 1L2 2"/>`:                       "cyan M1,1 L2,2",
		`<svg x="100" width="50" height="50" viewBox="0 0 10 10"><line x2="10" y2="10" stroke="red"/></svg>`: "red M100,0 L150,50",
	} {
		draws(t, content, want)
	}
}

// TestArcsOfPathsAreThoseOfTheStandard holds arcs against the one ellipse through both ends.
func TestArcsOfPathsAreThoseOfTheStandard(t *testing.T) {
	for flags, far := range map[string]float64{"0 0": 0, "0 1": 0, "1 0": 1, "1 1": 1} {
		s := sketched(t, `<path d="M60 50A30 30 0 `+flags+` 90 50" fill="none" stroke="black"/>`)
		p := s.Strokes[0].Points
		low, high := 1e9, -1e9
		for i := 1; i < len(p); i += 2 {
			low, high = min(low, float64(p[i])/500), max(high, float64(p[i])/500)
		}
		// The middle is 26 away from the chord: a small arc reaches 4 beyond it, a large one 56.
		reach := max(high-50, 50-low)
		if want := 4 + far*52; math.Abs(reach-want) > 2.5 {
			t.Errorf("%s reaches %v, not %v", flags, reach, want)
		}
		if up := 50-low > high-50; up != strings.HasSuffix(flags, "1") {
			t.Errorf("%s goes the other way", flags)
		}
	}
}

func TestWhatNobodySeesIsNotDrawn(t *testing.T) {
	for _, content := range []string{
		`<line x2="5" y2="5"/>`, `<rect width="5" height="5" fill="none"/>`, `<rect width="5" height="5" fill="white"/>`, `<rect width="5" height="5" fill="#fefefe"/>`,
		`<rect width="5" height="5" fill-opacity="0"/>`, `<g display="none"><rect width="5" height="5"/></g>`, `<g visibility="hidden"><rect width="5" height="5"/></g>`,
		`<rect width="5" height="5" opacity="0"/>`, `<defs><rect id="a" width="5" height="5"/></defs>`, `<symbol id="a"><rect width="5" height="5"/></symbol>`,
		`<clipPath><rect width="5" height="5"/></clipPath>`, `<mask><rect width="5" height="5"/></mask>`, `<rect width="0" height="5"/>`, `<circle r="-1"/>`, `<path d="L5 5"/>`, `<path/>`,
		`<script>M0 0L5 5</script>`, `<x xmlns="urn:x"><rect width="5" height="5"/></x>`,
	} {
		if s := draws(t, content); s.Partial {
			t.Errorf("%s: something is said to be left out", content)
		}
	}
}

func TestPicturesAndForeignContentAreLeftOutAndSaid(t *testing.T) {
	for _, content := range []string{`<image href="http://example.com/a.png" width="9" height="9"/>`, `<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>`} {
		if s := draws(t, content); !s.Partial {
			t.Errorf("%s: nobody says so", content)
		}
	}
}

func TestUsesAreDrawnAsOftenAsTheyAre(t *testing.T) {
	s := draws(t, `<defs><g id="door"><line x2="1" stroke="red"/><text>door</text></g></defs><use href="#door" x="10"/><use href="#door" x="20" y="5"/><use xlink:href="#door" transform="scale(2)"/>`,
		"red M10,0 L11,0", "red M20,5 L21,5", "red M0,0 L2,0")
	places := 0
	for _, l := range s.Labels {
		if l.Place > 0 {
			places++
		}
	}
	if len(s.Labels) != 3 || places != 1 {
		t.Errorf("of %d labels %d are a place", len(s.Labels), places)
	}
	draws(t, `<line id="a" x2="1" stroke="red"/><use href="#a" y="9"/>`, "red M0,0 L1,0", "red M0,9 L1,9")
	draws(t, `<use href="http://example.com/x.svg#a"/><use href="#none"/><use id="self" href="#self"/>`)
}

// TestUsesThatMultiplyEachOtherTakeBoundedWork has ten levels of ten uses each. There is no clock: it would not end in the
// test's time.
func TestUsesThatMultiplyEachOtherTakeBoundedWork(t *testing.T) {
	for _, leaf := range []string{`<line x2="1" y2="9" stroke="red"/>`, `<text>x</text>`} {
		content := `<defs><g id="g0">` + leaf + `</g>`
		for i := 1; i <= 10; i++ {
			content += fmt.Sprintf(`<g id="g%d">%s</g>`, i, strings.Repeat(fmt.Sprintf(`<use href="#g%d"/>`, i-1), 10))
		}
		if s := sketched(t, content+`</defs><use href="#g10"/>`); !s.Partial {
			t.Error("it is said to be whole")
		}
	}
}

func TestTextsAreWrittenWhereTheyStand(t *testing.T) {
	s := sketched(t, `<g transform="translate(10 0)"><text id="a" x="5" y="20" font-size="4" text-anchor="middle">泵房</text></g>`)
	l := s.Labels[0]
	if len(s.Labels) != 1 || l.Place != 3 || len(l.Lines) != 1 || l.Lines[0].Text != "泵房" || l.Lines[0].Align != sketch.Middle || l.Lines[0].Matrix != [6]float64{2000, 0, 0, 2000, 7500, 10000} {
		t.Errorf("%+v", s.Labels)
	}
	if l.Box != [4]int32{5500, 8400, 9500, 10400} {
		t.Errorf("it is seen in %v", l.Box)
	}
}

func TestShapesBeyondWhatIsKeptAreLeftOutAndSaid(t *testing.T) {
	s := sketched(t, strings.Repeat(`<rect width="5" height="5"/>`, 100_001))
	if !s.Partial || len(s.Strokes) == 0 {
		t.Errorf("%d strokes, partial %t", len(s.Strokes), s.Partial)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := svg.Sketch(ctx, []byte(drawing(strings.Repeat(`<rect width="5" height="5"/>`, 20_000))), ooxml.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("it went on: %v", err)
	}
}
