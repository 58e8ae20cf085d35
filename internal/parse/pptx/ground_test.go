package pptx_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
	"github.com/kaoju/kaoju/internal/parse/pptx"
)

// scene is a slide with what lies beneath it.
type scene struct {
	slide            string // backgrounds and the like, before its shapes
	shapes           string
	layout, master   string // shapes
	behind, colours  string // the background of the master, and how it uses the colours of its theme
	theme            string // the colour of paper
	withoutMaster    bool
	changesItsColour string // of the slide
}

func (s scene) read(t *testing.T) (string, bool) {
	t.Helper()
	tree := func(root, before, shapes, after string) string {
		return `<p:` + root + ` ` + ooxmltest.Slide + `><p:cSld>` + before + `<p:spTree>` + shapes + `</p:spTree></p:cSld>` + after + `</p:` + root + `>`
	}
	colours, theme := s.colours, s.theme
	if colours == "" {
		colours = "lt1"
	}
	if theme == "" {
		theme = `<a:sysClr val="window" lastClr="FFFFFF"/>`
	}
	list := []ooxmltest.Relation{{ID: "l", Type: "slideLayout", Target: "../l.xml"}}
	if s.withoutMaster {
		list = nil
	}
	data := ooxmltest.Zip(t,
		ooxmltest.Part{Name: "[Content_Types].xml", Text: "<Types/>"},
		ooxmltest.Part{Name: "_rels/.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "r", Type: "officeDocument", Target: "ppt/presentation.xml"})},
		ooxmltest.Part{Name: "ppt/presentation.xml", Text: `<p:presentation ` + ooxmltest.Slide + `><p:sldIdLst><p:sldId r:id="s"/></p:sldIdLst></p:presentation>`},
		ooxmltest.Part{Name: "ppt/_rels/presentation.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "s", Type: "slide", Target: "slides/s.xml"})},
		ooxmltest.Part{Name: "ppt/slides/s.xml", Text: tree("sld", s.slide, s.shapes, s.changesItsColour)},
		ooxmltest.Part{Name: "ppt/slides/_rels/s.xml.rels", Text: ooxmltest.Relations(list...)},
		ooxmltest.Part{Name: "ppt/l.xml", Text: tree("sldLayout", "", s.layout, "")},
		ooxmltest.Part{Name: "ppt/_rels/l.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "m", Type: "slideMaster", Target: "m.xml"})},
		ooxmltest.Part{Name: "ppt/m.xml", Text: tree("sldMaster", s.behind, s.master, `<p:clrMap bg1="`+colours+`"/>`)},
		ooxmltest.Part{Name: "ppt/_rels/m.xml.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "t", Type: "theme", Target: "t.xml"})},
		ooxmltest.Part{Name: "ppt/t.xml", Text: `<a:theme ` + ooxmltest.Slide + `><a:themeElements><a:clrScheme><a:lt1>` + theme + `</a:lt1></a:clrScheme></a:themeElements></a:theme>`})
	p, err := pptx.Parse(context.Background(), data, options())
	if err != nil {
		t.Fatal(err)
	}
	return p.Text, slices.Contains(p.Notices, layout.HiddenLeftOut)
}

func rgb(c string) string  { return `<a:solidFill><a:srgbClr val="` + c + `"/></a:solidFill>` }
func name(c string) string { return `<a:solidFill><a:schemeClr val="` + c + `"/></a:solidFill>` }

func inked(properties, text string) string {
	return `<p:txBody><a:p><a:r><a:rPr>` + properties + `</a:rPr><a:t>` + text + `</a:t></a:r></a:p></p:txBody>`
}

// dressed is a shape of 100 by 100 with properties.
func dressed(x string, fill, rest string) string {
	return shape(`<p:spPr><a:xfrm><a:off x="` + x + `" y="0"/><a:ext cx="100" cy="100"/></a:xfrm>` + fill + `</p:spPr>` + rest)
}

func TestTextOfTheColourOfItsSlideIsLeftOut(t *testing.T) {
	white, own := inked(rgb("FFFFFF"), "text"), inked(name("bg1"), "text")
	ref := `<p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>`
	plain := func(c string) string { return `<p:bg><p:bgPr>` + rgb(c) + `</p:bgPr></p:bg>` }
	for what, c := range map[string]struct {
		scene
		seen bool
	}{
		"on a slide that says nothing":    {scene{shapes: shape(white), withoutMaster: true}, false},
		"on the paper of the theme":       {scene{shapes: shape(white), behind: ref}, false},
		"in its name":                     {scene{shapes: shape(own), behind: ref}, false},
		"nearly white":                    {scene{shapes: shape(inked(rgb("fEFdFc"), "text")), behind: ref}, false},
		"in a white box":                  {scene{shapes: dressed("0", rgb("FFFFFF"), white)}, false},
		"in a box without a fill":         {scene{shapes: dressed("0", `<a:noFill/>`, `<p:style><a:fillRef idx="1"/></p:style>`+white)}, false},
		"beside a filled shape":           {scene{shapes: dressed("0", "", white) + dressed("100", rgb("000000"), "")}, false},
		"beside a shape of the master":    {scene{shapes: dressed("0", "", white), master: dressed("500", rgb("123456"), "")}, false},
		"in black":                        {scene{shapes: shape(inked(rgb("000000"), "text"))}, true},
		"in grey":                         {scene{shapes: shape(inked(rgb("F0F0F0"), "text"))}, true},
		"in a colour that is changed":     {scene{shapes: shape(inked(`<a:solidFill><a:schemeClr val="bg1"><a:lumMod val="50000"/></a:schemeClr></a:solidFill>`, "text"))}, true},
		"marked":                          {scene{shapes: shape(inked(rgb("FFFFFF")+`<a:highlight><a:srgbClr val="000000"/></a:highlight>`, "text"))}, true},
		"with an outline":                 {scene{shapes: shape(inked(`<a:ln>`+rgb("000000")+`</a:ln>`+rgb("FFFFFF"), "text"))}, true},
		"on a dark slide":                 {scene{shapes: shape(white), slide: plain("000000"), behind: ref}, true},
		"on a picture":                    {scene{shapes: shape(white), slide: `<p:bg><p:bgPr><a:blipFill/></p:bgPr></p:bg>`}, true},
		"on a dark master":                {scene{shapes: shape(white), behind: plain("102030")}, true},
		"on paper that is dark":           {scene{shapes: shape(own), behind: ref, theme: `<a:srgbClr val="101010"/>`}, true},
		"on colours that are exchanged":   {scene{shapes: shape(white), behind: ref, colours: "dk1"}, true},
		"on a slide with colours of its":  {scene{shapes: shape(white), behind: ref, changesItsColour: `<p:clrMapOvr><a:overrideClrMapping bg1="dk1"/></p:clrMapOvr>`}, true},
		"in a dark box":                   {scene{shapes: dressed("0", rgb("000080"), white)}, true},
		"in a box of a style":             {scene{shapes: dressed("0", "", `<p:style><a:fillRef idx="1"/></p:style>`+white)}, true},
		"over a filled shape":             {scene{shapes: dressed("50", rgb("000000"), "") + dressed("0", "", white)}, true},
		"without a place beside one":      {scene{shapes: dressed("500", rgb("000000"), "") + shape(white)}, true},
		"over a shape of the layout":      {scene{shapes: dressed("0", "", white), layout: dressed("0", rgb("123456"), "")}, true},
		"over a picture of the master":    {scene{shapes: dressed("0", "", white), master: `<p:pic><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="500" cy="500"/></a:xfrm></p:spPr></p:pic>`}, true},
		"in a group, whose place is open": {scene{shapes: `<p:grpSp>` + shape(white) + `</p:grpSp>`}, true},
	} {
		text, notice := c.read(t)
		if (text == "text") != c.seen || notice == c.seen {
			t.Errorf("%s: %q, and something is left out: %v", what, text, notice)
		}
	}
}

func TestOfAParagraphOnlyWhatIsSeenIsRead(t *testing.T) {
	run := func(properties, text string) string {
		return `<a:r><a:rPr>` + properties + `</a:rPr><a:t>` + text + `</a:t></a:r>`
	}
	text, notice := scene{shapes: shape(`<p:txBody><a:p><a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>` + run("", "seen ") + run(rgb("FFFFFF"), "HIDDEN") + run("", "too") + `</a:p>` +
		`<a:p>` + run(rgb("FFFFFF"), "GONE") + `</a:p><a:p>` + run("", "end") + `</a:p></p:txBody>`)}.read(t)
	if strings.ReplaceAll(text, "\n", "/") != "1. seen too/end" || !notice {
		t.Errorf("%q, and something is left out: %v", text, notice)
	}
}
