package chunk_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
)

// piece is a block of an office document with one place.
type piece struct {
	kind  corpus.BlockKind
	text  string
	place corpus.Locator
}

// placed joins pieces to a document. Headings open a section of level 1.
func placed(pieces ...piece) corpus.Parsed {
	var p corpus.Parsed
	path := []string{}
	for i, x := range pieces {
		if i > 0 {
			p.Text += "\n\n"
		}
		if x.kind == corpus.Heading {
			path = []string{x.text}
		}
		at := utf8.RuneCountInString(p.Text)
		span := corpus.Span{Start: at, End: at + utf8.RuneCountInString(x.text)}
		p.Text += x.text
		b := corpus.Block{Kind: x.kind, Span: span, Head: -1, HeadingPath: path, Segments: []corpus.Segment{{Span: span, Locator: x.place}}}
		if x.kind == corpus.Heading {
			b.Level = 1
		}
		p.Blocks = append(p.Blocks, b)
	}
	return p
}

func whole(p corpus.Parsed) []string {
	var out []string
	for _, c := range chunk.Split(p, chunk.Options{}) {
		out = append(out, strings.TrimSpace(c.Text))
	}
	return out
}

func TestChunkHoldsTextOfOneStrand(t *testing.T) {
	slide := func(kind corpus.BlockKind, n int, text string) piece {
		return piece{kind, text, corpus.PPTXLocator{Slide: n, Heading: []string{}}}
	}
	body := piece{corpus.Paragraph, "body", corpus.DOCXLocator{Paragraph: 1}}
	note := piece{corpus.Paragraph, "note", corpus.DOCXLocator{Part: "footnote", ID: "1", AnchorParagraph: 1}}
	header := piece{corpus.Paragraph, "QMS-017", corpus.DOCXLocator{Part: "header", ID: "1"}}
	for name, c := range map[string]struct {
		doc  corpus.Parsed
		want []string
	}{
		"slides without titles":    {placed(slide(corpus.Paragraph, 1, "a"), slide(corpus.Paragraph, 1, "b"), slide(corpus.Paragraph, 2, "c")), []string{"a\n\nb", "c"}},
		"tiny slides with titles":  {placed(slide(corpus.Heading, 1, "A"), slide(corpus.Paragraph, 1, "a"), slide(corpus.Heading, 2, "B"), slide(corpus.Paragraph, 2, "b")), []string{"A\n\na", "B\n\nb"}},
		"slide of a title alone":   {placed(slide(corpus.Heading, 1, "A"), slide(corpus.Heading, 2, "B"), slide(corpus.Paragraph, 2, "b")), []string{"A", "B\n\nb"}},
		"title alone at the end":   {placed(slide(corpus.Paragraph, 1, "a"), slide(corpus.Heading, 2, "B")), []string{"a", "B"}},
		"headers after the body":   {placed(body, note, header), []string{"body\n\nnote", "QMS-017"}},
		"a header before the body": {placed(header, body), []string{"QMS-017", "body"}},
	} {
		if d := cmp.Diff(c.want, whole(c.doc)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestPieceOfALongRowIsKnownByItsFirstCell(t *testing.T) {
	doc := newDocument().block(corpus.TableHead, 0, "编号 | 意见")
	text := "Y-07 | " + repeat("这是一条很长的意见。", 60)
	at := utf8.RuneCountInString(doc.Text) + 1
	doc.Text += "\n" + text
	key, rest := corpus.Span{Start: at, End: at + 4}, corpus.Span{Start: at + 7, End: at + utf8.RuneCountInString(text)}
	doc.Blocks = append(doc.Blocks, corpus.Block{Kind: corpus.TableRow, Span: corpus.Span{Start: at, End: rest.End}, HeadingPath: []string{}, Head: 0, Segments: []corpus.Segment{
		{Span: key, Locator: corpus.XLSXLocator{Sheet: "S", Cell: "A2"}}, {Span: rest, Locator: corpus.XLSXLocator{Sheet: "S", Cell: "B2"}},
	}})
	chunks := chunk.Split(doc.Parsed, chunk.Options{MaxChars: 200})
	if len(chunks) < 3 {
		t.Fatalf("the row is in %d chunks", len(chunks))
	}
	for _, c := range chunks[2:] {
		if c.Context != "编号 | 意见\nY-07 | …\n" {
			t.Errorf("chunk %d repeats %q", c.No, c.Context)
		}
	}
}
