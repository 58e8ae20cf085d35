package pdf_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/pdf"
)

const picture = "q %d 0 0 %d %d %d cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q\n"

func TestTextThatNobodySeesIsLeftOut(t *testing.T) {
	seen := at(100, 700, 12, "VISIBLE") // it shows that the page was read
	for _, c := range []struct {
		name, draw string
		kept       bool
	}{
		{"invisible", "3 Tr " + at(100, 600, 12, "SECRET"), false},
		{"a clip alone", "7 Tr " + at(100, 600, 12, "SECRET"), false},
		{"an outline", "1 Tr " + at(100, 600, 12, "SECRET"), true},
		{"white on the paper", "1 g " + at(100, 600, 12, "SECRET"), false},
		{"nearly white on the paper", "0.99 g " + at(100, 600, 12, "SECRET"), false},
		{"transparent", "/Clear gs " + at(100, 600, 12, "SECRET"), false},
		{"light grey", "0.9 g " + at(100, 600, 12, "SECRET"), true},
		{"white on a dark area", "0 g 90 590 200 30 re f 1 g " + at(100, 600, 12, "SECRET"), true},
		{"white on a white area", "1 g 90 590 200 30 re f 1 g " + at(100, 600, 12, "SECRET"), false},
		{"white beside a dark area", "0 g 300 590 200 30 re f 1 g " + at(100, 600, 12, "SECRET"), false},
		{"white inside a mere frame", "0 g 90 590 200 30 re S 1 g " + at(100, 600, 12, "SECRET"), false},
		{"white on a picture", fmt.Sprintf(picture, 200, 60, 90, 580) + "1 g " + at(100, 600, 12, "SECRET"), true},
		{"too small to be read", "BT /F1 0.2 Tf 1 0 0 1 100 600 Tm (SECRET) Tj ET\n", false},
		{"small but readable", "BT /F1 4 Tf 1 0 0 1 100 600 Tm (SECRET) Tj ET\n", true},
		{"made small by its matrix", "BT /F1 12 Tf 0.01 0 0 0.01 100 600 Tm (SECRET) Tj ET\n", false},
		{"size one made large by its matrix", "BT /F1 1 Tf 12 0 0 12 100 600 Tm (SECRET) Tj ET\n", true},
		{"left of the page", at(-200, 600, 12, "SECRET"), false},
		{"above the page", at(100, 900, 12, "SECRET"), false},
		{"recognised in a scan", fmt.Sprintf(picture, 600, 800, 0, 0) + "3 Tr " + at(100, 600, 12, "SECRET"), true},
		{"invisible beside a small picture", fmt.Sprintf(picture, 50, 50, 400, 100) + "3 Tr " + at(100, 600, 12, "SECRET"), false},
		{"invisible over a small picture", fmt.Sprintf(picture, 200, 60, 90, 580) + "3 Tr " + at(100, 600, 12, "SECRET"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := read(t, page(seen, c.draw))
			if !strings.Contains(p.Text, "VISIBLE") {
				t.Fatalf("the page was read as %q", p.Text)
			}
			if got := strings.Contains(p.Text, "SECRET"); got != c.kept {
				t.Errorf("kept: %v, in %q", got, p.Text)
			}
		})
	}
}

// TestTextThatIsReadAlthoughItMayNotBeSeen pins what the documents say is not looked at.
func TestTextThatIsReadAlthoughItMayNotBeSeen(t *testing.T) {
	const under = "BT /F1 12 Tf 1 0 0 1 100 600 Tm (SECRET) Tj ET\n"
	for name, draw := range map[string]string{
		"black on a black area":               "0 g 90 590 200 30 re f " + under,
		"of the colour of its ground":         "0.5 0.1 0.1 rg 90 590 200 30 re f " + under,
		"below a white area":                  under + "1 g 90 590 200 30 re f\n",
		"below a black area":                  under + "0 g 90 590 200 30 re f\n",
		"below a picture":                     under + fmt.Sprintf(picture, 200, 60, 90, 580),
		"white below a dark area":             "1 g " + under + "0 g 90 590 200 30 re f\n",
		"white in the box of a dark triangle": "0 g 90 590 m 600 590 l 600 800 l f 1 g BT /F1 12 Tf 1 0 0 1 100 700 Tm (SECRET) Tj ET\n",
		"outside a clip":                      "q 300 100 10 10 re W n " + under + "Q\n",
		"nearly transparent":                  "/Pale gs " + under,
		"as light as 249 of 255":              "0.976 g " + under,
		"half a point high":                   "BT /F1 0.5 Tf 1 0 0 1 100 600 Tm (SECRET) Tj ET\n",
		"invisible over an empty picture":     fmt.Sprintf(picture, 300, 400, 90, 400) + "3 Tr " + under,
		"of a layer that is switched off":     "/OC /L BDC " + under + "EMC\n",
	} {
		t.Run(name, func(t *testing.T) {
			doc := page(at(100, 750, 12, "VISIBLE"), draw)
			doc.catalog = "/OCProperties << /OCGs [9 0 R] /D << /OFF [9 0 R] >> >>"
			doc.more = []string{"<< /Type /OCG /Name (L) >>"}
			data := strings.Replace(string(doc.bytes()), "/Resources << ", "/Resources << /Properties << /L 9 0 R >> ", 1)
			p, err := shared().Parse(t.Context(), []byte(data), pdf.Limits{})
			if err != nil || !strings.Contains(p.Text, "VISIBLE") {
				t.Fatalf("%q, %v", p.Text, err)
			}
			if !strings.Contains(p.Text, "SECRET") {
				t.Errorf("it is left out, so the documents may say so: %q", p.Text)
			}
		})
	}
}

func TestTextOutsideTheCropBoxIsLeftOut(t *testing.T) {
	p := read(t, paper{pages: []leaf{{at(100, 700, 12, "inside") + at(10, 780, 12, "trim mark"), "/CropBox [50 50 550 750]"}}})
	want(t, p, "paragraph: inside")
}

func TestTextDrawnAgainOverItselfIsThereOnce(t *testing.T) {
	bold := at(100, 700, 12, "Bold") + at(101, 700, 12, "Bold")
	p := read(t, page(bold, at(100, 650, 12, "Text the first time"), at(100, 650, 12, "Text the second time")))
	if strings.Count(p.Text, "Bold") != 1 || strings.Contains(p.Text, "BBoolldd") {
		t.Errorf("the bold word is in %q", p.Text)
	}
	for _, line := range []string{"Text the first time", "Text the second time"} {
		placed(t, p, line)
	}
}

func TestLettersThatExistForTheirLooksAreWrittenAsLetters(t *testing.T) {
	for _, c := range []struct{ name, cmap, codes, want string }{
		{"a ligature", "<41> <FB03>\n<42> <0063>\n<43> <0065>\n<44> <006F>\n", "DABC", "officeX"},
		{"a radical", "<41> <2F45>\n<42> <6CD5>\n", "AB", "方法"},
		{"a compatibility ideograph", "<41> <F900>\n", "A", "豈"},
		{"two letters of one glyph", "<41> <00660069>\n<42> <006E>\n<43> <0064>\n", "ABC", "find"},
		{"a surrogate pair", "<41> <D840DC0B>\n", "A", "𠀋"},
		{"a bullet of a symbol font", "<41> <F0B7>\n<42> <0061>\n", "AB", "•a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := page(draw("F3", 100, 700, 12, c.codes))
			doc.cmap = c.cmap
			if got, w := read(t, doc).Text, strings.TrimSuffix(c.want, "X"); got != w {
				t.Errorf("%q, want %q", got, w)
			}
		})
	}
}

func TestWordOfSoftHyphensAloneIsAHyphen(t *testing.T) {
	for name, c := range map[string]struct{ codes, want string }{
		"between numbers":          {"B A C", "2 - 3"},
		"several":                  {"B AA C", "2 - 3"},
		"before a word":            {"A B", "- 2"},
		"at the end of a line":     {"B A", "2 -"},
		"a line of nothing else":   {"A", "-"},
		"inside a word":            {"DAD E", "aa b"},
		"at the end of a word":     {"DA E", "a b"},
		"at the beginning of one":  {"AD E", "a b"},
		"two words of them beside": {"A A D", "- - a"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := paper{cmap: "<41> <00AD>\n<42> <0032>\n<43> <0033>\n<44> <0061>\n<45> <0062>\n<20> <0020>\n"}
			doc.pages = []leaf{{draw: draw("F3", 100, 700, 12, c.codes)}}
			p := read(t, doc)
			if p.Text != c.want {
				t.Fatalf("%q, want %q", p.Text, c.want)
			}
			if l := placed(t, p, c.want); len(l.Boxes) != len(strings.Fields(c.want)) {
				t.Errorf("%q has the boxes %v", c.want, l.Boxes)
			}
		})
	}
}

func TestSpacesBetweenHanCharactersAreNoWords(t *testing.T) {
	doc := paper{cmap: "<41> <79BB>\n<42> <5FC3>\n<43> <6CF5>\n"}
	// Helvetica's A, B and C are about two thirds of the size wide: the characters are set apart.
	doc.pages = []leaf{{draw: draw("F3", 100, 700, 12, "A") + draw("F3", 112, 700, 12, "B") + draw("F3", 124, 700, 12, "C") + draw("F3", 100, 686, 12, "ABC")}}
	if got := read(t, doc).Text; got != "离心泵离心泵" {
		t.Errorf("%q", got)
	}
}

func TestWhatStandsInFieldsAndNotesOnThePageIsRead(t *testing.T) {
	look := stream("/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F1 3 0 R >> >>", at(2, 5, 10, "from a field"))
	doc := paper{pages: []leaf{{draw: at(100, 700, 10, "Name:"), entries: "/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] >> 9 0 R 10 0 R]"}}, more: []string{
		"<< /Type /Annot /Subtype /FreeText /Rect [100 600 300 620] /F 4 /AP << /N 11 0 R >> /Contents (from a field) >>",
		"<< /Type /Annot /Subtype /FreeText /Rect [100 500 300 520] /F 2 /AP << /N 12 0 R >> /Contents (hidden note) >>",
		look, strings.ReplaceAll(look, "from a field", "hidden field"),
	}}
	p := read(t, doc)
	if l := placed(t, p, "from a field"); !l.Boxes[0].Holds(110, 190, 8) {
		t.Errorf("the field is at %v", l.Boxes)
	}
	if strings.Contains(p.Text, "hidden") {
		t.Errorf("a hidden note was read: %q", p.Text)
	}
}

func TestPageWithoutTextHasNone(t *testing.T) {
	for name, draw := range map[string]string{"blank": "", "a picture": fmt.Sprintf(picture, 600, 800, 0, 0), "lines": "0 g 90 590 200 30 re f"} {
		if p := read(t, page(draw)); len(p.Blocks) != 0 || p.Text != "" {
			t.Errorf("%s: %q", name, p.Text)
		}
	}
}

func TestPagesBeyondTheLimitAreLeftOutWithAWord(t *testing.T) {
	var doc paper
	for i := range 5 {
		doc.pages = append(doc.pages, leaf{draw: at(100, 400, 12, fmt.Sprintf("sheet%d", i+1))})
	}
	p, err := shared().Parse(t.Context(), doc.bytes(), pdf.Limits{Pages: 3})
	if err != nil || !slices.Equal(p.Notices, []string{pdf.PageLimit}) || !strings.Contains(p.Text, "sheet3") || strings.Contains(p.Text, "sheet4") {
		t.Errorf("%q, notices %v, %v", p.Text, p.Notices, err)
	}
	if p := read(t, doc); len(p.Notices) != 0 || !strings.Contains(p.Text, "sheet5") {
		t.Errorf("within the limit: %q, notices %v", p.Text, p.Notices)
	}
}

func TestWhatAPageHoldsBeyondTheLimitsIsLeftOutWithAWord(t *testing.T) {
	form := func(body string) paper {
		return paper{pages: []leaf{{draw: "/X Do " + at(100, 700, 12, "seen") + "1 g " + at(100, 600, 12, "white")}}, more: []string{
			stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800]", body)}}
	}
	nested := func(deep int, innermost string) paper { // forms 9, 10, … are in each other
		p := form("")
		p.more = nil
		for i := range deep {
			entries, body := fmt.Sprintf("/Resources << /XObject << /Y %d 0 R >> >>", 10+i), "/Y Do\n"
			if i == deep-1 {
				entries, body = "", innermost
			}
			p.more = append(p.more, stream("/Type /XObject /Subtype /Form /BBox [0 0 600 800] "+entries, body))
		}
		return p
	}
	const dark = "0 g 90 590 200 30 re f\n"
	words := page(at(100, 700, 12, "seen"), at(100, 600, 12, "white"))
	thin := paper{cmap: "<41> <4E2D>\n"} // a character without a width, drawn last
	thin.pages = []leaf{{draw: at(100, 700, 12, "seen") + at(100, 650, 12, "more") + draw("F3", 100, 600, 0, "A")}}
	for _, c := range []struct {
		name   string
		doc    paper
		limits pdf.Limits
		cut    bool
		white  bool
	}{
		{"all of it", words, pdf.Limits{}, false, true},
		{"as many glyphs as the limit", words, pdf.Limits{Glyphs: len("seen\r\nwhite")}, false, true},
		{"one glyph more", words, pdf.Limits{Glyphs: len("seen\r\nwhite") - 1}, true, false},
		{"as many objects as the limit", thin, pdf.Limits{Objects: 3}, false, false},
		{"one object more", thin, pdf.Limits{Objects: 2}, true, false},
		{"a dark area of a form", form(dark), pdf.Limits{}, false, true},
		{"a dark area beyond the limit of a form", form(strings.Repeat("1 g 1 1 2 2 re f\n", 1000) + dark), pdf.Limits{}, true, false},
		{"a dark area of the fourth form in another", nested(4, dark), pdf.Limits{}, false, true},
		{"a dark area of the fifth", nested(5, dark), pdf.Limits{}, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := c.doc.bytes()
			if len(c.doc.more) > 0 {
				data = []byte(strings.Replace(string(data), "/Resources << /Font", "/Resources << /XObject << /X 9 0 R >> /Font", 1))
			}
			p, err := shared().Parse(t.Context(), data, c.limits)
			if err != nil || !strings.Contains(p.Text, "seen") {
				t.Fatalf("%q, %v", p.Text, err)
			}
			if got := slices.Equal(p.Notices, []string{pdf.ContentLimit}); got != c.cut || !c.cut && len(p.Notices) > 0 {
				t.Errorf("the notices are %v", p.Notices)
			}
			if got := strings.Contains(p.Text, "white"); got != c.white {
				t.Errorf("all of it was read: %v, in %q", got, p.Text)
			}
		})
	}
}

func TestPageThatCannotBeReadCostsOnlyItself(t *testing.T) {
	doc := paper{pages: []leaf{{draw: at(100, 400, 12, "before")}, {draw: at(100, 400, 12, "lost"), entries: "/MediaBox [0 0 600 99999999]"}, {draw: at(100, 400, 12, "after")}}}
	p := read(t, doc)
	if a := placed(t, p, "after"); a.Page != 3 || !strings.Contains(p.Text, "before") {
		t.Errorf("%q, after on page %d", p.Text, a.Page)
	}
	if strings.Contains(p.Text, "lost") || !slices.Equal(p.Notices, []string{pdf.PageFailed}) {
		t.Errorf("%q, with the notices %v", p.Text, p.Notices)
	}
}
