package preview_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/preview"
	"github.com/kaoju/kaoju/internal/preview/previewtest"
)

// Stored structure is drawn at will here: what parsers promise of it is not relied on for safety, nor
// for the text.

var (
	words = rapid.SampledFrom([]string{"上限", "650", "<b>", "&", `"`, "'", " | ", "*", "`", "|", "\\", "- ", "## ", "\n", "\r\n", "\r", "\t", " ", "\u202e", "\u200b", "\x1b", "\u3000", "😀", "a\u0301"})
	texts = rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(words, 1, 60).Draw(t, "words"), "") })
	kinds = rapid.SampledFrom([]corpus.BlockKind{
		corpus.Heading, corpus.Paragraph, corpus.ListItem, corpus.ListItem, corpus.TableHead, corpus.TableRow, corpus.TableRow, corpus.TableRow, corpus.Code, corpus.Quote, "other", "",
	})
	small = rapid.IntRange(0, 4)
	odd   = rapid.SampledFrom([]string{"", "1", "Prices", "价格", `"><script>`, "a b", "comment", "notes", "A1", "B2:C3", "XFD9"})
)

var locators = rapid.Custom(func(t *rapid.T) corpus.Locator {
	n := func(name string) int { return small.Draw(t, name) }
	s := func(name string) string { return odd.Draw(t, name) }
	switch rapid.IntRange(0, 12).Draw(t, "format") {
	case 12:
		return corpus.ImageLocator{}
	case 11:
		return corpus.EPUBLocator{Spine: n("spine"), SpineEnd: n("end"), Href: s("href"), Char: [2]int{n("char"), 9}, Element: s("element"), Aside: rapid.Bool().Draw(t, "aside")}
	case 0, 1:
		return corpus.TextLocator{Format: "md", Line: n("line"), InCode: rapid.Bool().Draw(t, "code")}
	case 2:
		return corpus.TextLocator{Format: rapid.SampledFrom([]string{"html", "txt"}).Draw(t, "text"), Line: n("line"), Char: [2]int{n("char"), 9}, Element: s("element")}
	case 3:
		return corpus.CSVLocator{Row: n("row"), Col: n("col"), Header: s("header"), Range: s("range")}
	case 4:
		return corpus.DOCXLocator{
			Paragraph: n("paragraph"), Table: n("table"), Row: n("row"), Col: n("col"), ColSpan: n("colspan"), RowSpan: n("rowspan"),
			Part: s("part"), ID: s("id"), AnchorParagraph: n("anchor"), AnchorTable: n("anchor table"),
		}
	case 6:
		return corpus.PDFLocator{Page: n("page"), PageEnd: n("end"), PageLabel: s("label")}
	case 7:
		return corpus.EMLLocator{
			Header: s("header"), Part: s("mail part"), ContentType: rapid.SampledFrom([]string{"", "text/html", `"`}).Draw(t, "type"), Attachment: s("attachment"),
			Line: n("line"), Char: [2]int{n("char"), 9}, Element: s("element"), PartEnd: s("part end"),
		}
	case 8:
		return corpus.DXFLocator{Layer: s("layer"), Handle: s("handle"), No: n("no"), Block: s("block"), Tag: s("tag"), Shown: s("shown"), Hidden: rapid.Bool().Draw(t, "hidden")}
	case 10:
		return corpus.SVGLocator{Element: s("element"), ID: s("id"), No: n("no"), X: s("x"), Layer: s("layer")}
	case 5:
		return corpus.XLSXLocator{Sheet: s("sheet"), Cell: s("cell"), Range: s("range"), Row: n("row"), RowEnd: n("end"), Col: n("col"), Part: s("part"), ID: s("id")}
	}
	return corpus.PPTXLocator{
		Slide: n("slide"), Shape: n("shape"), Paragraph: n("paragraph"), Row: n("row"), Col: n("col"), RowSpan: n("rowspan"), ColSpan: n("colspan"),
		Part: rapid.SampledFrom([]string{"", "title", "table", "table", "notes", `"`}).Draw(t, "part"),
	}
})

// drawStored draws a text with blocks and pieces over it, in order.
func drawStored(t *rapid.T) corpus.Stretch {
	text := texts.Draw(t, "text")
	var blocks []corpus.Block
	n, at := len([]rune(text)), 0
	for at < n {
		at += small.Draw(t, "before")
		end := min(n, at+rapid.IntRange(1, 12).Draw(t, "length"))
		if at >= end {
			break
		}
		b := corpus.Block{Kind: kinds.Draw(t, "kind"), Level: rapid.IntRange(-1, 12).Draw(t, "level"), Head: rapid.IntRange(-1, 3).Draw(t, "head"), Span: corpus.Span{Start: at, End: end}}
		for from := at + small.Draw(t, "lead"); from < end; {
			to := min(end, from+rapid.IntRange(1, 5).Draw(t, "piece"))
			b.Segments = append(b.Segments, corpus.Segment{Span: corpus.Span{Start: from, End: to}, Locator: locators.Draw(t, "place")})
			from = to + small.Draw(t, "between")
		}
		blocks, at = append(blocks, b), end
	}
	return stored(corpus.Parsed{Text: text, Blocks: blocks})
}

func TestWhateverIsStoredIsShownWholeAndHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := drawStored(t)
		whole(t, doc)
		n := doc.Total
		from := rapid.IntRange(0, n).Draw(t, "from")
		w := preview.Window{From: from, To: rapid.IntRange(from, n).Draw(t, "to")}
		f, err := preview.Render(reached(doc, w), w)
		if err != nil {
			t.Fatal(err)
		}
		faithful(t, []rune(doc.Text), f)
	})
}

// An excerpt holds exactly its span, whatever it cuts: nothing of what stands around it gets out.
func TestAnExcerptOfWhateverIsStoredHoldsItsSpanAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := drawStored(t)
		start := rapid.IntRange(0, doc.Total).Draw(t, "start")
		span := corpus.Span{Start: start, End: rapid.IntRange(start, doc.Total).Draw(t, "end")}
		faithful(t, []rune(doc.Text), preview.Fragment{HTML: preview.Excerpt(doc, span), Span: span, Total: doc.Total})
	})
}

func TestAnchorsOfWhateverIsStoredAreIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := locators.Draw(t, "place")
		id := preview.Anchor(l)
		if e, ok := l.(corpus.EMLLocator); ok && e.Part == "" && e.Header == "" {
			if id != "" { // it is no place of a message
				t.Fatalf("%#v has the anchor %q", l, id)
			}
			return
		}
		if !strings.HasPrefix(id, "doc") || strings.ContainsFunc(id, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
		}) {
			t.Fatalf("%#v has the anchor %q", l, id)
		}
	})
}

func TestEveryAnchorOfAFragmentLeadsBackToIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := drawStored(t)
		f, err := preview.Render(doc, preview.Window{})
		if err != nil {
			t.Fatal(err)
		}
		placed, err := previewtest.PlacedIn(f.HTML)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range placed {
			if p.ID == "" {
				continue
			}
			w, err := preview.Locate(doc.Blocks, p.ID)
			if err != nil {
				t.Fatalf("%s: %v", p.ID, err)
			}
			back, err := preview.Render(reached(doc, w), w)
			if err != nil || !strings.Contains(back.HTML, ` id="`+p.ID+`"`) {
				t.Fatalf("%s leads to %v (%v)", p.ID, back.Span, err)
			}
		}
	})
}
