package citation_test

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
)

// TestRowsOfAnOfficeTableAreToldApart holds rows whose first value is one cell merged over them, as
// it stands in each, against a sentence about one of them.
func TestRowsOfAnOfficeTableAreToldApart(t *testing.T) {
	cell := func(row, col, down int, name string) corpus.DOCXLocator {
		return corpus.DOCXLocator{Heading: []string{}, Table: 1, Row: row, Col: col, RowSpan: down, Header: name}
	}
	rows := [][]struct {
		text  string
		place corpus.DOCXLocator
	}{
		{{"类别", cell(1, 1, 0, "")}, {"名称", cell(1, 2, 0, "")}, {"价格", cell(1, 3, 0, "")}},
		{{"阀门", cell(2, 1, 2, "类别")}, {"球阀", cell(2, 2, 0, "名称")}, {"226元", cell(2, 3, 0, "价格")}},
		{{"阀门", cell(2, 1, 2, "类别")}, {"蝶阀", cell(3, 2, 0, "名称")}, {"113元", cell(3, 3, 0, "价格")}},
		{{"泵", cell(4, 1, 0, "类别")}, {"水泵", cell(4, 2, 0, "名称")}, {"900元", cell(4, 3, 0, "价格")}},
	}
	e := citation.Evidence{Ref: "S1"}
	at := 0
	for i, row := range rows {
		if i > 0 {
			e.Excerpt, at = e.Excerpt+"\n", at+1
		}
		for j, c := range row {
			if j > 0 {
				e.Excerpt, at = e.Excerpt+" | ", at+3
			}
			n := len([]rune(c.text))
			e.Segments = append(e.Segments, corpus.Segment{Span: corpus.Span{Start: at, End: at + n}, Locator: c.place})
			e.Excerpt, at = e.Excerpt+c.text, at+n
		}
	}
	e.Span = corpus.Span{Start: 0, End: at}
	e.Locator = corpus.Cover(e.Segments)
	for sentence, want := range map[string]struct {
		verdict citation.Verdict
		quote   string
	}{
		"蝶阀的价格是113元。": {citation.Supported, "阀门 | 蝶阀 | 113元"},
		"水泵的价格是900元。": {citation.Supported, "泵 | 水泵 | 900元"},
		"蝶阀的价格是500元。": {citation.Contradicted, "阀门 | 蝶阀 | 113元"},
	} {
		check := citation.Verify(citation.Answer{Text: sentence + "[S1]"}, []citation.Evidence{e})[0]
		if check.Verdict != want.verdict || check.Quote != want.quote {
			t.Errorf("%s: %s with %q, want %+v", sentence, check.Verdict, check.Quote, want)
		}
	}
}

// TestTableUnderTheNameOfItsSheetIsStillATable holds the first piece of a sheet, which begins with
// the sheet's name.
func TestTableUnderTheNameOfItsSheetIsStillATable(t *testing.T) {
	cell := func(ref string, row, col int, name string) corpus.XLSXLocator {
		return corpus.XLSXLocator{Sheet: "差旅", Cell: ref, Row: row, Col: col, Header: name}
	}
	e := citation.Evidence{Ref: "S1", Excerpt: "差旅\n\n城市 | 上限\n上海 | 650元\n北京 | 700元"}
	e.Span = corpus.Span{End: len([]rune(e.Excerpt))}
	for _, s := range []struct {
		from, to int
		place    corpus.XLSXLocator
	}{
		{0, 2, corpus.XLSXLocator{Sheet: "差旅"}}, {4, 6, cell("A1", 1, 1, "")}, {9, 11, cell("B1", 1, 2, "")}, {12, 14, cell("A2", 2, 1, "城市")}, {17, 21, cell("B2", 2, 2, "上限")},
		{22, 24, cell("A3", 3, 1, "城市")}, {27, 31, cell("B3", 3, 2, "上限")},
	} {
		e.Segments = append(e.Segments, corpus.Segment{Span: corpus.Span{Start: s.from, End: s.to}, Locator: s.place})
	}
	e.Locator = corpus.Cover(e.Segments)
	check := citation.Verify(citation.Answer{Text: "北京的上限是700元。[S1]"}, []citation.Evidence{e})[0]
	if check.Verdict != citation.Supported || check.Quote != "北京 | 700元" {
		t.Errorf("%s with %q", check.Verdict, check.Quote)
	}
	q, ok := e.Place(check.Quote)
	if l, is := q.Locator.(corpus.XLSXLocator); !ok || !is || l.Range != "A3:B3" {
		t.Errorf("it lies at %+v, %v", q.Locator, ok)
	}
}
