package layout_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
)

func page() *layout.Page { return &layout.Page{Limits: layout.Limits{Places: 1000, Bytes: 10_000}} }

func at(n int) corpus.Locator { return corpus.DOCXLocator{Paragraph: n} }

func paragraph(texts ...string) layout.Block {
	b := layout.Block{Kind: corpus.Paragraph, Head: -1, Between: " | "}
	for i, s := range texts {
		b.Pieces = append(b.Pieces, layout.Piece{Text: s, Place: at(i + 1)})
	}
	return b
}

func TestBlocksStandApartAndPiecesCoverTheirText(t *testing.T) {
	p := page()
	for _, b := range []layout.Block{paragraph(" 一 ", "", "b\x00\r\nc"), paragraph(" \t"), paragraph("tight")} {
		b.Tight = b.Pieces[0].Text == "tight"
		n, err := p.Add(b)
		if want := map[bool]int{true: -1, false: n}[strings.TrimSpace(b.Pieces[0].Text) == ""]; err != nil || n != want {
			t.Errorf("the block is number %d (%v)", n, err)
		}
	}
	got := p.Parsed("T")
	if got.Text != "一 | b\nc\ntight" || got.Title != "T" || len(got.Blocks) != 2 {
		t.Fatalf("it is %+v", got)
	}
	runes := []rune(got.Text)
	var pieces []string
	for _, b := range got.Blocks {
		for _, s := range b.Segments {
			pieces = append(pieces, string(runes[s.Span.Start:s.Span.End]))
		}
	}
	if d := cmp.Diff([]string{"一", "b\nc", "tight"}, pieces); d != "" {
		t.Error(d)
	}
}

func TestBlockBeyondTheLimitsLeavesNoTrace(t *testing.T) {
	for name, l := range map[string]layout.Limits{"places": {Places: 3, Bytes: 1000}, "bytes": {Places: 100, Bytes: 12}} {
		p := &layout.Page{Limits: l}
		if _, err := p.Add(paragraph("a", "b")); err != nil {
			t.Fatal(err)
		}
		if _, err := p.Add(paragraph("c", "d e f")); !errors.Is(err, layout.ErrFull) {
			t.Errorf("%s: %v", name, err)
		}
		if got := p.Parsed(""); got.Text != "a | b" || len(got.Blocks) != 1 {
			t.Errorf("%s: what is left is %+v", name, got)
		}
	}
}

func TestLongNamesCountAsPlaces(t *testing.T) {
	if n := layout.Weight(corpus.DOCXLocator{Heading: []string{strings.Repeat("x", 900)}}); n != 5 {
		t.Errorf("the place weighs %d", n)
	}
	if n := layout.Weight(corpus.XLSXLocator{Sheet: "S", Row: 1, Header: strings.Repeat("x", 400)}); n != 3 {
		t.Errorf("the cell weighs %d", n)
	}
}

func TestOutlineKeepsTheHeadingsAbove(t *testing.T) {
	var o layout.Outline
	if o.Path() == nil || len(o.Path()) != 0 {
		t.Errorf("it begins with %v", o.Path())
	}
	var paths []string
	for _, h := range []struct {
		level int
		name  string
	}{{1, "A"}, {3, " B\n c "}, {2, "D"}, {2, "E"}, {1, strings.Repeat("长", 300)}} {
		o.Push(h.level, h.name)
		paths = append(paths, strings.Join(o.Path(), "/"))
	}
	if d := cmp.Diff([]string{"A", "A/B c", "A/D", "A/E", strings.Repeat("长", 255) + "…"}, paths); d != "" {
		t.Error(d)
	}
}

// grid reads a drawing of a table: cells divided by spaces, "." for an empty one, "a>2" for a cell
// of two columns, "av2" for one of two rows.
func grid(lines ...string) layout.Grid {
	g := layout.Grid{Place: func(c layout.Cell, name string) corpus.Locator {
		return corpus.DOCXLocator{Table: 1, Row: c.Row, Col: c.Col, Header: name}
	}}
	for i, line := range lines {
		for j, word := range strings.Fields(line) {
			c := layout.Cell{Row: i + 1, Col: j + 1, RowSpan: 1, ColSpan: 1, Text: word}
			if text, n, ok := strings.Cut(word, ">"); ok {
				c.Text = text
				_, _ = fmt.Sscan(n, &c.ColSpan)
			}
			if text, n, ok := strings.Cut(word, "v"); ok {
				c.Text = text
				_, _ = fmt.Sscan(n, &c.RowSpan)
			}
			if c.Text != "." {
				g.Cells = append(g.Cells, c)
			}
		}
	}
	return g
}

func TestTablesHaveTheHeadThatAReaderSees(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		head  int
		want  []string
	}{
		"first row":            {[]string{"a b", "1 2", "3 4"}, 0, []string{"H a | b", "R 1(a) | 2(b)", "R 3(a) | 4(b)"}},
		"one row":              {[]string{"a b"}, 0, []string{"R a() | b()"}},
		"one column":           {[]string{"a", "b"}, 0, []string{"R a()", "R b()"}},
		"two rows by a merge":  {[]string{"av2 b>2 .", ". c d", "1 2 3"}, 0, []string{"H a | b⏎c | d", "R 1(a) | 2(b/c) | 3(b/d)"}},
		"divided wide cell":    {[]string{"a b>2 .", "x c d", "1 2 3"}, 0, []string{"H a | b⏎x | c | d", "R 1(a/x) | 2(b/c) | 3(b/d)"}},
		"wide cell over data":  {[]string{"a b>2 .", "x 7 8"}, 0, []string{"H a | b", "R x(a) | 7(b) | 8(b)"}},
		"title above":          {[]string{"title>2 .", "a b", "1 2"}, 0, []string{"H title⏎a | b", "R 1(a) | 2(b)"}},
		"said by the format":   {[]string{"a b", "c d", "1 2"}, 2, []string{"H a | b⏎c | d", "R 1(a/c) | 2(b/d)"}},
		"only titles":          {[]string{"x>2 .", "y>2 ."}, 0, []string{"H x", "R y()"}},
		"value over many rows": {[]string{"h k", "gv3 1", ". 2", ". 3", "z 4"}, 0, []string{"H h | k", "R g(h) | 1(k)", "R g(h) | 2(k)", "R g(h) | 3(k)", "R z(h) | 4(k)"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := page()
			g := grid(c.lines...)
			g.Head = c.head
			if _, err := p.Table(g); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, drawn(p.Parsed(""))); d != "" {
				t.Error(d)
			}
		})
	}
}

func drawn(p corpus.Parsed) []string {
	runes := []rune(p.Text)
	var out []string
	for _, b := range p.Blocks {
		if b.Kind == corpus.TableHead {
			out = append(out, "H "+strings.ReplaceAll(string(runes[b.Span.Start:b.Span.End]), "\n", "⏎"))
			continue
		}
		var cells []string
		for _, s := range b.Segments {
			cells = append(cells, string(runes[s.Span.Start:s.Span.End])+"("+s.Locator.(corpus.DOCXLocator).Header+")")
		}
		out = append(out, "R "+strings.Join(cells, " | "))
	}
	return out
}

func TestTableThatGoesOnKeepsTheHeadOfTheOneBefore(t *testing.T) {
	p := page()
	head, err := p.Table(grid("a b", "1 2"))
	if err != nil {
		t.Fatal(err)
	}
	more := grid("3 4")
	more.Follows = head
	if !head.Covers(more.Cells) || head.Covers(grid("1 2 3").Cells) {
		t.Error("the columns are compared wrongly")
	}
	if _, err := p.Table(more); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"H a | b", "R 1(a) | 2(b)", "R 3(a) | 4(b)"}, drawn(p.Parsed(""))); d != "" {
		t.Error(d)
	}
}

func TestLongMergedValuesAreNotRepeated(t *testing.T) {
	p := page()
	g := grid("h k", "gv3 1", ". 2")
	g.Cells[2].Text = strings.Repeat("字", 121)
	if _, err := p.Table(g); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(p.Parsed("").Text, "字"); n != 121 {
		t.Errorf("the value is written %d times", n/121)
	}
}
