package svg_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/parse/svg"
)

var options = svg.Options{Layout: layout.Limits{Places: 10_000, Bytes: 1 << 20}}

// drawing is a drawing of 200 by 100 units around its content.
func drawing(content string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="200" height="100" viewBox="0 0 200 100">` + content + `</svg>`
}

func parsed(t *testing.T, text string) corpus.Parsed {
	t.Helper()
	p, err := svg.Parse(context.Background(), []byte(text), options)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func reads(t *testing.T, content, want string) corpus.Parsed {
	t.Helper()
	p := parsed(t, drawing(content))
	if got := strings.ReplaceAll(p.Text, "\n\n", "\n"); got != want {
		t.Errorf("%s reads %q, want %q", content, got, want)
	}
	return p
}

func placeOf(t *testing.T, p corpus.Parsed, text string) corpus.SVGLocator {
	t.Helper()
	runes := []rune(p.Text)
	for _, b := range p.Blocks {
		for _, s := range b.Segments {
			if string(runes[s.Span.Start:s.Span.End]) == text {
				return s.Locator.(corpus.SVGLocator)
			}
		}
	}
	t.Fatalf("there is no piece %q in %q", text, p.Text)
	return corpus.SVGLocator{}
}

func TestATextHasItsElementPositionAndRegion(t *testing.T) {
	p := reads(t, `<g id="g1"><text x="10" y="20" font-size="10">泵 A-1</text></g>`, "泵 A-1")
	want := corpus.SVGLocator{Element: "text", ID: "g1", No: 3, X: "10", Y: "20", Region: &corpus.Region{10, 12, 42, 22}}
	if d := cmp.Diff(want, placeOf(t, p, "泵 A-1")); d != "" {
		t.Error(d)
	}
}

func TestRegionsFollowTransformations(t *testing.T) {
	for content, want := range map[string]corpus.Region{
		`<text x="10" y="20" font-size="10">ab</text>`:                                                                                {10, 12, 21, 22},
		`<text x="10" y="20" font-size="10" text-anchor="middle">ab</text>`:                                                           {4.5, 12, 15.5, 22},
		`<text x="21" y="20" style="font-size:10px;text-anchor:end">ab</text>`:                                                        {10, 12, 21, 22},
		`<g transform="translate(5,6) scale(2)"><text x="10" y="20" font-size="10">ab</text></g>`:                                     {25, 30, 47, 50},
		`<text transform="rotate(90 50 50)" x="50" y="50" font-size="10">ab</text>`:                                                   {48, 50, 58, 61},
		`<text transform="matrix(1 0 0 1 7 8)" x="0" y="10" font-size="10">ab</text>`:                                                 {7, 10, 18, 20},
		`<svg x="100" y="50" width="50" height="50" viewBox="0 0 100 100"><text x="0" y="20" font-size="20">ab</text></svg>`:          {100, 52, 111, 62},
		`<defs><text id="t" x="1" y="20" font-size="10">ab</text></defs><use xlink:href="#t" x="30" y="3"/>`:                          {31, 15, 42, 25},
		`<symbol id="s" viewBox="0 0 10 10"><text x="0" y="8" font-size="10">ab</text></symbol><use href="#s" transform="scale(2)"/>`: {0, 0, 22, 20},
		`<text x="1em" y="50%" font-size="10">ab</text>`:                                                                              {10, -8, 21, 2},
		`<g font-size="20"><text x="0" y="50" font-size="50%">ab</text></g>`:                                                          {0, 42, 11, 52},
	} {
		if got := placeOf(t, parsed(t, drawing(content)), "ab").Region; *got != want {
			t.Errorf("%s is at %v, want %v", content, *got, want)
		}
	}
}

func TestOnlyWhatIsSeenIsRead(t *testing.T) {
	const seen = `<text x="0" y="90">seen</text>`
	for _, content := range []string{
		`<text display="none">no</text>`, `<g style="display: none"><text>no</text></g>`, `<text opacity="0">no</text>`, `<g opacity="0.0"><g><text>no</text></g></g>`,
		`<text visibility="hidden">no</text>`, `<text style="visibility:collapse">no</text>`, `<text fill="none">no</text>`, `<text fill-opacity="0">no</text>`,
		`<text font-size="0">no</text>`, `<text x="900" y="20">no</text>`, `<g transform="translate(0,-500)"><text>no</text></g>`,
		`<defs><text>no</text></defs>`, `<symbol id="s"><text>no</text></symbol>`, `<clipPath><text>no</text></clipPath>`, `<mask><text>no</text></mask>`,
		`<pattern><text>no</text></pattern>`, `<marker><text>no</text></marker>`, `<script>no</script>`,
		`<metadata><rdf xmlns="x"><title xmlns="http://purl.org/dc/elements/1.1/">no</title></rdf></metadata>`, `<text xmlns="urn:other">no</text>`,
		`<style>.a{display:none} @media print { .b { display: none } } text.c, #d { opacity: 0 }</style><text class="x a">no</text><text class="c">no</text><text id="d">no</text>`,
		`<use href="other.svg#t"/><use href="https://evil.invalid/x.svg#t"/>`, `<rect x="1"/><image href="x.png"/><a href="javascript:alert(1)"></a>`,
		`<text>   </text><g><g/></g>`, `<text><tspan display="none">no</tspan></text>`,
	} {
		p := reads(t, content+seen, "seen")
		hidden := strings.Contains(content, "no<") && !strings.Contains(content, "xmlns=") && !regexp.MustCompile(`^<(defs|symbol|clipPath|mask|pattern|marker|script)`).MatchString(content)
		if slices.Contains(p.Notices, layout.HiddenLeftOut) != hidden {
			t.Errorf("%s has the notices %v", content, p.Notices)
		}
	}
	reads(t, `<style>.b{fill:red} @media print { .a { display: none } }</style><text class="a b">screen</text>`, "screen")
	reads(t, `<g visibility="hidden"><text visibility="visible" y="20">again</text></g>`, "again")
	reads(t, `<text fill="none" stroke="black" y="20">outline</text>`, "outline")
	reads(t, `<text y="20">a<tspan visibility="hidden">no</tspan>b</text>`, "a\nb")
}

// page is a foreignObject of 50 by 20 units with a page in it.
func page(content string) string {
	return `<foreignObject id="f" x="10" y="5" width="50" height="20"><div xmlns="http://www.w3.org/1999/xhtml">` + content + `</div></foreignObject>`
}

func TestAPageInADrawingIsReadInLinesAtItsPlace(t *testing.T) {
	p := reads(t, `<g transform="translate(100 50)">`+page(`启动
 条件<br/>第二行<p>third <b>line</b></p>`)+`</g>`, "启动 条件\n第二行\nthird line")
	l := placeOf(t, p, "第二行")
	if l.Element != "foreignObject" || l.ID != "f" || *l.Region != (corpus.Region{110, 55, 160, 75}) {
		t.Errorf("it is at %+v, %v", l, *l.Region)
	}
	// What stands beside a page for who knows none is no text of its own.
	reads(t, `<switch>`+page("once")+`<text x="10" y="10">twice</text></switch>`, "once")
	reads(t, `<switch><foreignObject width="9" height="9"/><text x="10" y="10">instead</text></switch>`, "instead")
	for _, hidden := range []string{
		page(`<script>no</script><style>no</style><span style="display: none">no</span><i hidden="">no</i><b style="font-size:0px">no</b>`),
		`<g display="none">` + page("no") + `</g>`, `<g visibility="hidden">` + page("no") + `</g>`, `<g transform="translate(900)">` + page("no") + `</g>`,
		page(`<svg xmlns="http://www.w3.org/2000/svg"><text>no</text></svg>`), `<defs>` + page("no") + `</defs>`,
	} {
		reads(t, hidden, "")
	}
}

func TestSpansOfATextStayTogether(t *testing.T) {
	p := reads(t, `<text x="10" y="20" font-size="10">  Motor
		<tspan font-weight="bold">5.5</tspan> kW<tspan x="10" y="32">400 V</tspan><tspan x="60" y="32">50 Hz</tspan><tspan x="10" dy="12">IP55</tspan></text><text x="100" y="26">aside</text>`,
		"Motor 5.5 kW\n400 V 50 Hz\nIP55\naside")
	if l := placeOf(t, p, "400 V 50 Hz"); l.Element != "tspan" || l.X != "10" || l.Y != "32" {
		t.Errorf("the second line is at %+v", l)
	}
	if l := placeOf(t, p, "IP55"); l.Region[1] != 36 {
		t.Errorf("the third line is at %+v", l)
	}
	reads(t, `<text>a<a href="https://x.invalid">link</a><textPath href="#p">on a path</textPath><title>tip</title></text>`, "alinkon a path")
}

func TestTitlesAndLayersAreHeadings(t *testing.T) {
	p := reads(t, `<desc>Flow</desc><title>Pump  plan</title><g inkscape:groupmode="layer" inkscape:label="Pipes"><text y="20">P-1</text><g><title>Valve</title><text y="60">V-1</text></g></g><text y="90">free</text>`,
		"Flow\nPump plan\nPipes\nValve\nP-1\nV-1\nfree")
	if p.Title != "Pump plan" || p.Blocks[1].Kind != corpus.Heading || p.Blocks[1].Level != 1 || p.Blocks[2].Level != 2 {
		t.Errorf("the title is %q, the blocks are %+v", p.Title, p.Blocks)
	}
	if l := placeOf(t, p, "V-1"); l.Layer != "Pipes" {
		t.Errorf("it is at %+v", l)
	}
	if l := placeOf(t, p, "Pump plan"); l.Element != "title" || l.Region != nil {
		t.Errorf("the title is at %+v", l)
	}
}

func TestUsesAreShownOnceAndEnd(t *testing.T) {
	reads(t, `<defs><g id="a"><text y="20">in a</text><use href="#b"/></g><g id="b"><text y="50">in b</text><use href="#a"/></g></defs><use href="#a"/><use href="#a" x="50"/>`, "in a\nin b")
	reads(t, `<g id="self"><text y="20">me</text><use href="#self"/></g>`, "me")
	var defs strings.Builder
	for i := range 60 { // shown in full, the last one would be there 2^60 times
		fmt.Fprintf(&defs, `<g id="g%d"><use href="#g%d"/><use href="#g%d" x="1"/></g>`, i, i+1, i+1)
	}
	reads(t, `<defs>`+defs.String()+`<text id="g60" y="20">bottom</text></defs><use href="#g0"/>`, "bottom")
}

func TestWhatStandsInItsPlaceIsNotReadAgainByAUse(t *testing.T) {
	reads(t, `<text id="t" y="20">once</text><use href="#t" x="40"/>`, "once")
	reads(t, `<use href="#t" x="40"/><text id="t" y="20">once</text>`, "once")
	// Each group within the last one is shown by a use of its own: the text would be there 61 times.
	var groups, uses strings.Builder
	for i := range 60 {
		fmt.Fprintf(&groups, `<g id="n%d">`, i)
		fmt.Fprintf(&uses, `<use href="#n%d" x="%d"/>`, 59-i, i)
	}
	reads(t, `<defs>`+groups.String()+`<text y="20">deep</text>`+strings.Repeat("</g>", 60)+`</defs>`+uses.String(), "deep")
}

func TestAStyleSheetHoldsForWhatStandsBeforeIt(t *testing.T) {
	p := reads(t, `<text class="h" y="20">for machines</text><text y="40">seen</text><style>.h{display:none}</style>`, "seen")
	if !slices.Contains(p.Notices, layout.HiddenLeftOut) {
		t.Errorf("the notices are %v", p.Notices)
	}
	reads(t, `<text id="a" style="display:inline" y="20">shown by its own style</text><style>#a{display:none}</style>`, "shown by its own style")
}

func TestDangerAndDamageAreRefused(t *testing.T) {
	var chain strings.Builder
	for i := range 600 {
		fmt.Fprintf(&chain, `<g id="g%d"><use href="#g%d"/></g>`, i, i+1)
	}
	for name, c := range map[string]struct{ text, code string }{
		"another document":  {`<html/>`, "content_mismatch"},
		"another namespace": {`<svg xmlns="urn:x"/>`, "content_mismatch"},
		"entities":          {`<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>` + drawing(`<text>&b;</text>`), "xml_doctype"},
		"outside entities":  {`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>` + drawing(`<text>&x;</text>`), "xml_doctype"},
		"a late type":       {drawing(`<!DOCTYPE svg><text>a</text>`), "xml_doctype"},
		"unknown entity":    {drawing(`<text>&nbsp;</text>`), "xml_malformed"},
		"cut off":           {strings.TrimSuffix(drawing(`<text>a</text>`), "</svg>"), "xml_malformed"},
		"too deep":          {drawing(strings.Repeat("<g>", 300) + strings.Repeat("</g>", 300)), "xml_depth_limit"},
		"uses too deep":     {drawing(`<defs>` + chain.String() + `<text id="g600">a</text></defs><use href="#g0"/>`), "drawing_depth_limit"},
		"too many":          {drawing(strings.Repeat(`<use/>`, 300_001)), "drawing_entity_limit"},
	} {
		_, err := svg.Parse(context.Background(), []byte(c.text), options)
		var r *ooxml.Refusal
		if !errors.As(err, &r) || r.Code != c.code {
			t.Errorf("%s ends with %v, want %s", name, err, c.code)
		}
	}
	p := parsed(t, `<?xml version="1.0" standalone="no"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">`+drawing(`<text y="20">typed</text>`))
	if p.Text != "typed" {
		t.Errorf("with a type of document it reads %q", p.Text)
	}
	small := options
	small.Layout.Places = 3
	if _, err := svg.Parse(context.Background(), []byte(drawing(strings.Repeat(`<text y="20">a</text>`, 9))), small); !errors.Is(err, layout.ErrFull) {
		t.Errorf("too many places end with %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := svg.Parse(ctx, []byte(drawing(strings.Repeat(`<g/>`, 20_000))), options); !errors.Is(err, context.Canceled) {
		t.Errorf("it goes on after its context ended: %v", err)
	}
}

func TestAnyAttributesHaveAnEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{"1", "-", ".", "e", "E9", "px", "em", "%", "(", ")", ",", " ", "matrix(", "scale(0)", "rotate(", "1e999", "NaN", "skewX(90)", "长"})
		value := func(name string) string {
			return strings.Join(rapid.SliceOfN(part, 0, 8).Draw(t, name), "")
		}
		text := drawing(`<text x="` + value("x") + `" y="` + value("y") + `" font-size="` + value("size") + `" transform="` + value("transform") + `" style="opacity:` + value("opacity") + `">a</text>`)
		p, err := svg.Parse(context.Background(), []byte(text), options)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, b := range p.Blocks {
			for _, s := range b.Segments {
				for _, v := range s.Locator.(corpus.SVGLocator).Region {
					if !(v >= -1e12 && v <= 1e12) {
						t.Fatalf("%s is at %v", text, s.Locator)
					}
				}
			}
		}
	})
}
