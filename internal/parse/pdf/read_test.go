package pdf_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
)

func want(t *testing.T, p corpus.Parsed, blocksWanted ...string) {
	t.Helper()
	if d := cmp.Diff(blocksWanted, blocks(p)); d != "" {
		t.Errorf("the blocks differ: %s", d)
	}
}

// column draws lines below each other.
func column(x, y, size int, lines ...string) string {
	var b strings.Builder
	for i, l := range lines {
		b.WriteString(at(x, y-i*(size+2), size, l))
	}
	return b.String()
}

func TestLinesBecomeParagraphs(t *testing.T) {
	want(t, read(t, page(
		column(100, 700, 10, "The first paragraph has a line that is long", "and another one, which ends it."),
		column(100, 650, 10, "The second stands apart from it by white", "space alone, and has a second line too."),
	)),
		"paragraph: The first paragraph has a line that is long and another one, which ends it.",
		"paragraph: The second stands apart from it by white space alone, and has a second line too.")
}

func TestIndentedLineBeginsAParagraph(t *testing.T) {
	want(t, read(t, page(column(100, 700, 10, "A paragraph whose last line is the short one of two", "and ends here."),
		at(115, 676, 10, "Another paragraph begins with an indent and is"), at(100, 664, 10, "as long as the first one was, or nearly so as that."))),
		"paragraph: A paragraph whose last line is the short one of two and ends here.",
		"paragraph: Another paragraph begins with an indent and is as long as the first one was, or nearly so as that.")
}

func TestColumnsAreReadOneAfterTheOther(t *testing.T) {
	var left, right []string
	for i := range 8 {
		left, right = append(left, fmt.Sprintf("left column number %d of text", i)), append(right, fmt.Sprintf("right column number %d of text", i))
	}
	left[7], right[7] = left[7]+".", right[7]+"."
	head := at(100, 760, 10, "A line above both of the columns that crosses all of the page in one go")
	foot := at(100, 560, 10, "A line below both of the columns that crosses all of the page in one go")
	// Drawn row by row, as some writers do.
	var rows strings.Builder
	for i := range 8 {
		rows.WriteString(at(60, 700-12*i, 10, left[i]) + at(320, 700-12*i, 10, right[i]))
	}
	want(t, read(t, page(head, rows.String(), foot)),
		"paragraph: A line above both of the columns that crosses all of the page in one go",
		"paragraph: "+strings.Join(left, " "), "paragraph: "+strings.Join(right, " "),
		"paragraph: A line below both of the columns that crosses all of the page in one go")
}

func TestParagraphGoesOnInTheNextColumnAndOnTheNextPage(t *testing.T) {
	lines := func(n int, last string) (out []string) {
		for range n {
			out = append(out, "all lines here are as long as this one")
		}
		return append(out, last)
	}
	p := read(t, paper{pages: []leaf{
		{draw: column(60, 700, 10, lines(5, "and the last one of them breaks off in")...)},
		{draw: column(60, 700, 10, lines(3, "the middle, before it comes to its end.")...)},
	}})
	if len(p.Blocks) != 1 || !strings.Contains(p.Text, "breaks off in all lines") {
		t.Errorf("the blocks are %q", blocks(p))
	}
	if l := corpus.Cover(p.Blocks[0].Segments).(corpus.PDFLocator); l.Page != 1 || l.PageEnd != 2 {
		t.Errorf("the paragraph lies on %d to %d", l.Page, l.PageEnd)
	}
}

func TestTableIsReadByRows(t *testing.T) {
	var draw strings.Builder
	for i, row := range [][]string{{"Part", "Name", "Price"}, {"P-1", "Pump", "650"}, {"P-2", "Valve", "120"}} {
		for j, cell := range row {
			draw.WriteString(at(100+150*j, 700-14*i, 10, cell))
		}
	}
	p := read(t, page(draw.String()))
	want(t, p, "table_head: Part\tName\tPrice", "table_row: P-1\tPump\t650", "table_row: P-2\tValve\t120")
	if p.Blocks[1].Head != 0 || p.Blocks[2].Head != 0 {
		t.Errorf("the rows have the heads %d and %d", p.Blocks[1].Head, p.Blocks[2].Head)
	}
}

func TestTableDrawnByColumnsIsReadByRows(t *testing.T) {
	var draw strings.Builder
	for j, cells := range [][]string{{"Part", "P-1", "P-2", "P-3"}, {"Name", "Pump", "Valve", "Seal"}} {
		draw.WriteString(column(100+200*j, 700, 10, cells...))
	}
	want(t, read(t, page(draw.String())), "table_head: Part\tName", "table_row: P-1\tPump", "table_row: P-2\tValve", "table_row: P-3\tSeal")
}

func TestHyphenAtTheEndOfALineIsUndoneUnlessItBelongs(t *testing.T) {
	for _, c := range [][3]string{
		{"the wear of the bea-", "ring is measured", "the wear of the bearing is measured"},
		{"this is a well-", "known method", "this is a well-known method"},
		{"the Trace-", "Monkey compiler", "the Trace-Monkey compiler"},
		{"from 1990-", "1995 in all", "from 1990- 1995 in all"},
		{"a state-of-", "the-art design", "a state-of-the-art design"},
	} {
		p := read(t, page(column(100, 700, 10, c[0], c[1])))
		if p.Text != c[2] {
			t.Errorf("%q and %q were joined to %q", c[0], c[1], p.Text)
		}
		if l := p.Blocks[0].Segments; len(l) != 2 || l[0].Locator.(corpus.PDFLocator).Boxes[0][1] >= l[1].Locator.(corpus.PDFLocator).Boxes[0][1] {
			t.Errorf("the parts of %q have the places %v", p.Text, l)
		}
	}
}

func TestWordsOfTheDocumentSettleAHyphen(t *testing.T) {
	for other, joined := range map[string]string{"a timeout is set": "the timeout here", "a time-out is set": "the time-out here"} {
		p := read(t, page(at(100, 740, 10, other), column(100, 600, 10, "the time-", "out here")))
		if !strings.HasSuffix(p.Text, joined) {
			t.Errorf("after %q it is %q", other, p.Text)
		}
	}
}

func TestHeadingsAreToldByTheirLook(t *testing.T) {
	p := read(t, page(
		at(100, 760, 24, "Handbook"), at(100, 720, 16, "Travel"),
		column(100, 690, 10, "Text about travel that is long enough to be", "the body of this document, by far."),
		draw("F2", 100, 650, 10, "Hotels"), column(100, 636, 10, "Text about hotels that is as long as the other", "one, so that both are the body."),
		at(100, 580, 16, "Meals"), at(100, 560, 10, "Text about meals."),
	))
	var got []string
	for _, b := range p.Blocks {
		if b.Kind == corpus.Heading {
			got = append(got, fmt.Sprint(b.Level, " ", strings.Join(b.HeadingPath, " / ")))
		}
	}
	if d := cmp.Diff([]string{"1 Handbook", "2 Handbook / Travel", "3 Handbook / Travel / Hotels", "2 Handbook / Meals"}, got); d != "" {
		t.Error(d)
	}
}

func TestOutlineTellsTheHeadings(t *testing.T) {
	doc := paper{catalog: "/Outlines 11 0 R", pages: []leaf{
		{draw: at(100, 700, 10, "1 Introduction") + at(100, 650, 10, "Some text about the matter.") + at(100, 600, 20, "A large line")},
		{draw: at(100, 700, 10, "Introduction") + at(100, 680, 10, "1.1 Scope") + at(100, 650, 10, "More text.")},
	}, more: []string{
		"<< /First 12 0 R /Last 12 0 R /Count 2 >>",
		"<< /Title (Introduction) /Parent 11 0 R /Dest [7 0 R /Fit] /First 13 0 R /Last 13 0 R /Count 1 >>",
		"<< /Title (Scope) /Parent 12 0 R /Dest [9 0 R /Fit] >>",
	}}
	p := read(t, doc)
	want(t, p, "heading: 1 Introduction", "paragraph: Some text about the matter.", "paragraph: A large line",
		"paragraph: Introduction", "heading: 1.1 Scope", "paragraph: More text.")
	if d := cmp.Diff([]string{"1 Introduction", "1.1 Scope"}, p.Blocks[len(p.Blocks)-1].HeadingPath); d != "" {
		t.Error(d)
	}
}

func TestRunningHeadersAndFootersComeLast(t *testing.T) {
	var doc paper
	for i := range 4 {
		doc.pages = append(doc.pages, leaf{draw: at(100, 770, 9, "Company handbook") + at(100, 400, 10, fmt.Sprintf("Body of sheet %c.", 'A'+i)) + at(280, 30, 9, fmt.Sprintf("Page %d of 4", i+1))})
	}
	p := read(t, doc)
	got := blocks(p)
	if d := cmp.Diff([]string{"paragraph: Body of sheet A.", "paragraph: Body of sheet B.", "paragraph: Body of sheet C.", "paragraph: Body of sheet D."}, got[:4]); d != "" {
		t.Error(d)
	}
	if len(got) != 12 || !slices.Contains(got[4:], "paragraph: Page 3 of 4") {
		t.Errorf("the rest is %q", got[4:])
	}
	if l := placed(t, p, "Page 3 of 4"); l.Page != 3 {
		t.Errorf("the footer of page 3 is on page %d", l.Page)
	}
}

func TestListItemsAreBlocks(t *testing.T) {
	want(t, read(t, page(column(100, 700, 10, "1. the first item of this list", "2. the second item of it"))),
		"list_item: 1. the first item of this list", "list_item: 2. the second item of it")
	// The mark may stand apart, and is no column of a table for that.
	want(t, read(t, page(at(100, 700, 10, "1."), at(130, 700, 10, "DUTIES of all"), at(100, 650, 10, "a)"), at(130, 650, 10, "to read"))),
		"list_item: 1. DUTIES of all", "list_item: a) to read")
}

func TestTurnedTextIsReadAlongItsLines(t *testing.T) {
	turned := func(a, b, c, d, x, y int, text string) string {
		return fmt.Sprintf("BT /F1 10 Tf %d %d %d %d %d %d Tm (%s) Tj ET\n", a, b, c, d, x, y, text)
	}
	p := read(t, page(
		column(100, 700, 10, "Most of the text on this page runs as usual,", "from the left side to the right one."),
		turned(0, 1, -1, 0, 50, 100, "upwards first"), turned(0, 1, -1, 0, 62, 100, "upwards second"),
		turned(0, -1, 1, 0, 562, 500, "downwards first"), turned(0, -1, 1, 0, 550, 500, "downwards second"),
	))
	want(t, p, "paragraph: Most of the text on this page runs as usual, from the left side to the right one.",
		"paragraph: downwards first downwards second", "paragraph: upwards first upwards second")
	if b := placed(t, p, "upwards first").Boxes; b[0][3]-b[0][1] < b[0][2]-b[0][0] {
		t.Errorf("the box of turned text is %v", b[0])
	}
}

// TestALineDrawnInPartsLeavesTheLineBetweenAlone holds that what stands between the parts of a line, in the order of drawing, is kept.
func TestALineDrawnInPartsLeavesTheLineBetweenAlone(t *testing.T) {
	p := read(t, page(at(100, 700, 10, "one"), at(100, 640, 10, "second"), at(122, 700, 10, "two")))
	if want := "one two\n\nsecond"; p.Text != want {
		t.Errorf("the page reads %q, want %q", p.Text, want)
	}
}
