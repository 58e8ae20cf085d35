package corpus_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

func drawHeading(t *rapid.T, label string) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"范围", "Terms", "a/b"}), 0, 3).Draw(t, label+" heading")
}

func drawDOCX(t *rapid.T, label string) corpus.DOCXLocator {
	l := corpus.DOCXLocator{Heading: drawHeading(t, label)}
	switch rapid.IntRange(0, 2).Draw(t, label+" is") {
	case 0:
		l.Paragraph = rapid.IntRange(1, 40).Draw(t, label+" paragraph")
	case 1:
		l.Table, l.Row, l.Col = rapid.IntRange(1, 4).Draw(t, label+" table"), rapid.IntRange(1, 9).Draw(t, label+" row"), rapid.IntRange(1, 9).Draw(t, label+" col")
		l.Header = rapid.SampledFrom([]string{"", "价格"}).Draw(t, label+" name")
		l.RowSpan = rapid.SampledFrom([]int{0, 2}).Draw(t, label+" rowspan")
	case 2:
		l.Part, l.ID, l.Paragraph = rapid.SampledFrom([]string{"footnote", "textbox"}).Draw(t, label+" part"), rapid.SampledFrom([]string{"1", "2"}).Draw(t, label+" id"), 1
		l.AnchorParagraph = rapid.IntRange(1, 40).Draw(t, label+" anchor")
	}
	return l
}

func drawXLSX(t *rapid.T, label string) corpus.XLSXLocator {
	row, col := rapid.IntRange(1, 90).Draw(t, label+" row"), rapid.IntRange(1, 40).Draw(t, label+" col")
	return corpus.XLSXLocator{Sheet: rapid.SampledFrom([]string{"库存", "Sheet1"}).Draw(t, label+" sheet"), Cell: corpus.Cell(col, row), Row: row, Col: col, Header: rapid.SampledFrom([]string{"", "数"}).Draw(t, label+" name")}
}

func drawPPTX(t *rapid.T, label string) corpus.PPTXLocator {
	l := corpus.PPTXLocator{Slide: rapid.IntRange(1, 9).Draw(t, label+" slide"), Heading: drawHeading(t, label), Shape: rapid.IntRange(1, 5).Draw(t, label+" shape"), Hidden: rapid.Bool().Draw(t, label+" hidden")}
	if rapid.Bool().Draw(t, label+" table") {
		l.Part, l.Row, l.Col = "table", rapid.IntRange(1, 9).Draw(t, label+" row"), 1
	} else {
		l.Paragraph = rapid.IntRange(1, 9).Draw(t, label+" paragraph")
	}
	return l
}

func drawOffice(t *rapid.T, label string) corpus.Locator {
	switch rapid.IntRange(0, 2).Draw(t, label+" kind") {
	case 0:
		return drawDOCX(t, label)
	case 1:
		return drawXLSX(t, label)
	}
	return drawPPTX(t, label)
}

func TestAPlaceInAnOfficeDocumentSurvivesJSONAndItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawOffice(t, "place")
		survivesJSON(t, l)
		if d := cmp.Diff(l, l.Through(l)); d != "" {
			t.Fatalf("through itself: %s", d)
		}
		if _, ok := corpus.Headings(l); !ok {
			t.Fatalf("%+v has no headings", l)
		}
	})
}

func TestOfficePlacesOfDifferentKindsAreNotJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawOffice(t, "first"), drawOffice(t, "last")
		if a.Kind() != b.Kind() && !cmp.Equal(a, a.Through(b)) {
			t.Fatalf("%+v through %+v is %+v", a, b, a.Through(b))
		}
	})
}

func TestAnOfficePlaceIsOneFlatObjectWithTheNamesOfTheContract(t *testing.T) {
	for want, l := range map[string]corpus.Locator{
		`{"kind":"docx","heading":["A"],"paragraph":3}`:                                                    corpus.DOCXLocator{Heading: []string{"A"}, Paragraph: 3},
		`{"kind":"docx","heading":[],"table":1,"row":2,"col":3,"colspan":2,"rowspan":4,"header":"H"}`:      corpus.DOCXLocator{Heading: []string{}, Table: 1, Row: 2, Col: 3, ColSpan: 2, RowSpan: 4, Header: "H"},
		`{"kind":"docx","heading":[],"paragraph":1,"part":"footnote","id":"2","anchor_paragraph":7}`:       corpus.DOCXLocator{Heading: []string{}, Paragraph: 1, Part: "footnote", ID: "2", AnchorParagraph: 7},
		`{"kind":"xlsx","sheet":"S","cell":"B1","range":"B1:C1","row":1,"col":2}`:                          corpus.XLSXLocator{Sheet: "S", Cell: "B1", Range: "B1:C1", Row: 1, Col: 2},
		`{"kind":"xlsx","sheet":"S","cell":"A1","row":1,"col":1,"sheet_hidden":true,"part":"comment"}`:     corpus.XLSXLocator{Sheet: "S", Cell: "A1", Row: 1, Col: 1, Hidden: true, Part: "comment"},
		`{"kind":"pptx","slide":4,"heading":["T"],"part":"table","shape":2,"row":1,"col":2,"hidden":true}`: corpus.PPTXLocator{Slide: 4, Heading: []string{"T"}, Part: "table", Shape: 2, Row: 1, Col: 2, Hidden: true},
		`{"kind":"pptx","slide":4,"slide_end":6,"heading":[]}`:                                             corpus.PPTXLocator{Slide: 4, SlideEnd: 6, Heading: []string{}},
		`{"kind":"docx","heading":[],"paragraph":3,"paragraph_end":5,"table":1,"table_end":2,"row_end":4}`: corpus.DOCXLocator{Heading: []string{}, Paragraph: 3, ParagraphEnd: 5, Table: 1, TableEnd: 2, RowEnd: 4},
	} {
		if raw, err := json.Marshal(l); err != nil || string(raw) != want {
			t.Errorf("got %s, %v, want %s", raw, err, want)
		}
		if back, err := corpus.ParseLocator([]byte(want)); err != nil || !cmp.Equal(l, back) {
			t.Errorf("%s was read as %+v, %v", want, back, err)
		}
	}
	for _, raw := range []string{`{"kind":"docx","page":3}`, `{"kind":"xlsx","heading":[]}`, `{"kind":"pptx","slide":"3"}`} {
		if l, err := corpus.ParseLocator([]byte(raw)); err == nil {
			t.Errorf("%s was read as %+v", raw, l)
		}
	}
}

func TestPlacesOfAnOfficeDocumentAreJoinedToRanges(t *testing.T) {
	h, note := []string{"A"}, corpus.DOCXLocator{Heading: []string{"A"}, Part: "footnote", ID: "1", Paragraph: 1, AnchorParagraph: 3}
	cell := func(ref string, row, col int) corpus.XLSXLocator {
		return corpus.XLSXLocator{Sheet: "S", Cell: ref, Row: row, Col: col, Header: "H"}
	}
	over := func(ref, part string) corpus.Locator {
		return corpus.XLSXLocator{Sheet: "S", Cell: ref, Row: 9, Col: 9, Part: part, ID: ref}
	}
	for name, c := range map[string]struct{ first, last, want corpus.Locator }{
		"paragraphs":         {corpus.DOCXLocator{Heading: []string{"A", "B"}, Paragraph: 3}, corpus.DOCXLocator{Heading: []string{"A", "C"}, Paragraph: 5}, corpus.DOCXLocator{Heading: h, Paragraph: 3, ParagraphEnd: 5}},
		"rows":               {corpus.DOCXLocator{Heading: h, Table: 1, Row: 2, Col: 1, Header: "H"}, corpus.DOCXLocator{Heading: h, Table: 1, Row: 4, Col: 1, Header: "H"}, corpus.DOCXLocator{Heading: h, Table: 1, Row: 2, RowEnd: 4, Col: 1, Header: "H"}},
		"cells of a row":     {corpus.DOCXLocator{Heading: h, Table: 1, Row: 2, Col: 1, RowSpan: 2}, corpus.DOCXLocator{Heading: h, Table: 1, Row: 2, Col: 3}, corpus.DOCXLocator{Heading: h, Table: 1, Row: 2}},
		"paragraph to table": {corpus.DOCXLocator{Heading: h, Paragraph: 3}, corpus.DOCXLocator{Heading: h, Table: 2, Row: 1, Col: 2}, corpus.DOCXLocator{Heading: h, Paragraph: 3, Table: 2, Row: 1}},
		"two tables":         {corpus.DOCXLocator{Heading: h, Table: 1, Row: 5, Col: 1}, corpus.DOCXLocator{Heading: h, Table: 2, Row: 3, Col: 1}, corpus.DOCXLocator{Heading: h, Table: 1, TableEnd: 2, Row: 5, RowEnd: 3}},
		"note of its place":  {corpus.DOCXLocator{Heading: h, Paragraph: 3}, note, corpus.DOCXLocator{Heading: h, Paragraph: 3, ParagraphEnd: 3}},
		"from a note on":     {note, corpus.DOCXLocator{Heading: h, Paragraph: 4}, corpus.DOCXLocator{Heading: h, Paragraph: 3, ParagraphEnd: 4}},
		"header":             {corpus.DOCXLocator{Heading: h, Paragraph: 3}, corpus.DOCXLocator{Heading: h, Part: "header", ID: "1", Paragraph: 1}, corpus.DOCXLocator{Heading: h, Paragraph: 3}},
		"cells":              {cell("B2", 2, 2), cell("C4", 4, 3), corpus.XLSXLocator{Sheet: "S", Range: "B2:C4", Row: 2, RowEnd: 4}},
		"a column":           {cell("B2", 2, 2), cell("B4", 4, 2), corpus.XLSXLocator{Sheet: "S", Range: "B2:B4", Row: 2, RowEnd: 4, Col: 2, Header: "H"}},
		"sheet and cell":     {corpus.XLSXLocator{Sheet: "S"}, cell("B2", 2, 2), corpus.XLSXLocator{Sheet: "S", Range: "B2", Row: 2}},
		"sheet and box":      {corpus.XLSXLocator{Sheet: "S"}, over("E9", "textbox"), corpus.XLSXLocator{Sheet: "S", Range: "E9"}},
		"cell and box":       {cell("B5", 5, 2), over("A2", "textbox"), corpus.XLSXLocator{Sheet: "S", Range: "A2:B5", Row: 5}},
		"box and chart":      {over("E9", "textbox"), over("A2", "chart"), corpus.XLSXLocator{Sheet: "S", Range: "A2:E9"}},
		"comments":           {over("B2", "comment"), over("C4", "comment"), corpus.XLSXLocator{Sheet: "S", Range: "B2:C4", Part: "comment"}},
		"sheets":             {cell("B2", 2, 2), corpus.XLSXLocator{Sheet: "T", Cell: "A1"}, corpus.XLSXLocator{Sheet: "S", SheetEnd: "T"}},
		"shapes":             {corpus.PPTXLocator{Slide: 2, Heading: h, Part: "title", Shape: 1}, corpus.PPTXLocator{Slide: 2, Heading: h, Shape: 2, Paragraph: 1}, corpus.PPTXLocator{Slide: 2, Heading: h}},
		"lines of a shape":   {corpus.PPTXLocator{Slide: 2, Heading: h, Shape: 2, Paragraph: 1}, corpus.PPTXLocator{Slide: 2, Heading: h, Shape: 2, Paragraph: 4}, corpus.PPTXLocator{Slide: 2, Heading: h, Shape: 2, Paragraph: 1, ParagraphEnd: 4}},
		"slides":             {corpus.PPTXLocator{Slide: 2, Heading: h, Shape: 2, Paragraph: 1, Hidden: true}, corpus.PPTXLocator{Slide: 5, Heading: h, Shape: 1}, corpus.PPTXLocator{Slide: 2, SlideEnd: 5, Heading: h}},
	} {
		if d := cmp.Diff(c.want, c.first.Through(c.last)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// segmentsOf lays places out one after the other, ten characters each.
func segmentsOf(places ...corpus.Locator) []corpus.Segment {
	var out []corpus.Segment
	for i, l := range places {
		out = append(out, corpus.Segment{Span: corpus.Span{Start: 12 * i, End: 12*i + 10}, Locator: l})
	}
	return out
}

func TestFindOpensAPlaceAndAStretchOfPlaces(t *testing.T) {
	p := func(n int) corpus.Locator { return corpus.DOCXLocator{Heading: []string{}, Paragraph: n} }
	note := corpus.DOCXLocator{Heading: []string{}, Part: "footnote", ID: "1", Paragraph: 1, AnchorParagraph: 2}
	list := segmentsOf(p(1), p(2), note, p(4), p(5))
	for name, c := range map[string]struct {
		place corpus.Locator
		want  corpus.Span
		ok    bool
	}{
		"one":                      {p(2), corpus.Span{Start: 12, End: 22}, true},
		"a note":                   {note, corpus.Span{Start: 24, End: 34}, true},
		"with its note":            {p(2).Through(note), corpus.Span{Start: 12, End: 34}, true},
		"several":                  {p(2).Through(p(4)), corpus.Span{Start: 12, End: 46}, true},
		"under other headings":     {corpus.DOCXLocator{Heading: []string{"X"}, Paragraph: 5}, corpus.Span{Start: 48, End: 58}, true},
		"not there":                {p(3), corpus.Span{}, false},
		"ends where nothing is":    {p(4).Through(p(9)), corpus.Span{}, false},
		"begins where nothing is":  {p(3).Through(p(5)), corpus.Span{}, false},
		"of another kind":          {corpus.PPTXLocator{Slide: 2, Heading: []string{}}, corpus.Span{}, false},
		"nothing":                  {nil, corpus.Span{}, false},
		"the whole document":       {p(1).Through(p(5)), corpus.Span{Start: 0, End: 58}, true},
		"the rest, with its notes": {p(2).Through(note).Through(p(5)), corpus.Span{Start: 12, End: 58}, true},
	} {
		if got, ok := corpus.Find(list, c.place); ok != c.ok || got != c.want {
			t.Errorf("%s: %v, %v, want %v", name, got, ok, c.want)
		}
	}
}

func TestFindOpensWhatCoverClosed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var places []corpus.Locator
		row, paragraph := 0, 0
		for range rapid.IntRange(1, 12).Draw(t, "blocks") {
			if rapid.Bool().Draw(t, "a row") {
				row++
				for col := range rapid.IntRange(1, 3).Draw(t, "cells") {
					places = append(places, corpus.DOCXLocator{Heading: []string{}, Table: 1, Row: row, Col: col + 1})
				}
			} else {
				paragraph++
				places = append(places, corpus.DOCXLocator{Heading: []string{}, Paragraph: paragraph})
			}
		}
		list := segmentsOf(places...)
		from := rapid.IntRange(0, len(list)-1).Draw(t, "from")
		to := rapid.IntRange(from, len(list)-1).Draw(t, "to")
		got, ok := corpus.Find(list, corpus.Cover(list[from:to+1]))
		if want := (corpus.Span{Start: list[from].Span.Start, End: list[to].Span.End}); !ok || got.Start > want.Start || got.End < want.End {
			t.Fatalf("the cover of %v to %v opens to %v, %v", list[from], list[to], got, ok)
		}
	})
}

func TestStrandsAreWhatIsReadApart(t *testing.T) {
	for want, l := range map[string]corpus.Locator{
		"header 1": corpus.DOCXLocator{Part: "header", ID: "1"}, "库存": corpus.XLSXLocator{Sheet: "库存", Cell: "A1"}, "7": corpus.PPTXLocator{Slide: 7, Part: "notes"},
	} {
		if got := corpus.Strand(l); got != want {
			t.Errorf("%+v is of the strand %q, want %q", l, got, want)
		}
	}
	for _, l := range []corpus.Locator{corpus.DOCXLocator{Part: "footnote", ID: "1"}, corpus.DOCXLocator{Paragraph: 1}, corpus.TextLocator{Format: "md"}, corpus.CSVLocator{Row: 1}} {
		if got := corpus.Strand(l); got != "" {
			t.Errorf("%+v is of the strand %q", l, got)
		}
	}
}

func TestOfficePlacesAreSaidInBothLanguages(t *testing.T) {
	for _, c := range []struct {
		l      corpus.Locator
		zh, en string
	}{
		{corpus.DOCXLocator{Heading: []string{"范围"}, Paragraph: 3, ParagraphEnd: 5}, "范围 · 段落 3–5", "范围 · paragraphs 3–5"},
		{corpus.DOCXLocator{Table: 2, Row: 4, Col: 1, Header: "价格"}, "表格 2 · 行 4 · 列 价格", "table 2 · row 4 · column 价格"},
		{corpus.DOCXLocator{Part: "footnote", ID: "2", Paragraph: 1, AnchorParagraph: 7}, "脚注 2 · 段落 7", "footnote 2 · paragraph 7"},
		{corpus.XLSXLocator{Sheet: "库存", Cell: "B2", Header: "数"}, "工作表 库存 · B2 · 列 数", "sheet 库存 · B2 · column 数"},
		{corpus.XLSXLocator{Sheet: "S", Cell: "E2", Part: "chart", ID: "1"}, "工作表 S · E2 · 图表", "sheet S · E2 · chart"},
		{corpus.XLSXLocator{Sheet: "S", Range: "A1:B9", Part: "comment", Hidden: true}, "工作表 S · A1:B9 · 批注 · 已隐藏", "sheet S · A1:B9 · comment · hidden"},
		{corpus.PPTXLocator{Slide: 3, SlideEnd: 4, Heading: []string{"流程"}}, "流程 · 幻灯片 3–4", "流程 · slides 3–4"},
		{corpus.PPTXLocator{Slide: 3, Part: "notes", Hidden: true}, "幻灯片 3 · 备注 · 已隐藏", "slide 3 · notes · hidden"},
	} {
		if zh, en := corpus.InWords(c.l, true), corpus.InWords(c.l, false); zh != c.zh || en != c.en {
			t.Errorf("%+v is %q and %q", c.l, zh, en)
		}
	}
}

func TestHeadingsRecordsAndNumbersWorkForEveryKind(t *testing.T) {
	path, ok := corpus.Headings(corpus.XLSXLocator{Sheet: "S"})
	if !ok || !slices.Equal(path, []string{"S"}) {
		t.Errorf("the sheet's heading is %v", path)
	}
	if _, ok := corpus.Headings(corpus.CSVLocator{}); ok {
		t.Error("separated values have headings")
	}
	if l := corpus.Under(corpus.DOCXLocator{Paragraph: 1}, []string{"X"}); !slices.Equal(l.(corpus.DOCXLocator).Heading, []string{"X"}) {
		t.Errorf("it stands under %+v", l)
	}
	for _, c := range []struct {
		l    corpus.Locator
		want corpus.Record
		ok   bool
	}{
		{corpus.CSVLocator{Row: 3, Header: "H"}, corpus.Record{Table: 1, Row: 3, Header: "H"}, true},
		{corpus.DOCXLocator{Table: 2, Row: 3, RowSpan: 2}, corpus.Record{Table: 2, Row: 3, Merged: true}, true},
		{corpus.DOCXLocator{Paragraph: 3}, corpus.Record{}, false},
		{corpus.XLSXLocator{Sheet: "S", Cell: "B3", Row: 3, Header: "H"}, corpus.Record{Table: 1, Row: 3, Header: "H"}, true},
		{corpus.XLSXLocator{Sheet: "S", Cell: "B3", Row: 3, Part: "comment"}, corpus.Record{}, false},
		{corpus.PPTXLocator{Slide: 1, Shape: 2, Part: "table", Row: 4}, corpus.Record{Table: 1<<16 + 3, Row: 4}, true},
		{corpus.PPTXLocator{Slide: 1, Shape: 2, Paragraph: 4}, corpus.Record{}, false},
		{corpus.TextLocator{Line: 4}, corpus.Record{}, false},
	} {
		if got, ok := corpus.RecordOf(c.l); ok != c.ok || got != c.want {
			t.Errorf("%+v is in %+v, %v", c.l, got, ok)
		}
	}
	for _, c := range []struct {
		l           corpus.Locator
		first, last int
	}{
		{corpus.TextLocator{Line: 4}, 4, 4}, {corpus.CSVLocator{Row: 2, RowEnd: 5}, 2, 5}, {corpus.DOCXLocator{Paragraph: 3, ParagraphEnd: 4}, 3, 4},
		{corpus.DOCXLocator{Table: 1, Row: 6}, 6, 6}, {corpus.XLSXLocator{Row: 7}, 7, 7}, {corpus.PPTXLocator{Slide: 2, SlideEnd: 3}, 2, 3},
	} {
		if first, last := corpus.Numbers(c.l); first != c.first || last != c.last {
			t.Errorf("%+v is %d to %d", c.l, first, last)
		}
	}
}
