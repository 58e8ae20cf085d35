package corpus

import "encoding/json"

// DOCXLocator is a place in a Word document: a paragraph, a cell or rows of a table, or a place in
// a part beside the body. Paragraph counts the paragraphs of the body outside tables, empty ones
// too; in a part it counts those of the part. Row counts the rows of a table, Col its columns by
// the grid, so that a cell after a wide one is where a reader sees it.
type DOCXLocator struct {
	Heading      []string `json:"heading"`
	Paragraph    int      `json:"paragraph,omitempty"`
	ParagraphEnd int      `json:"paragraph_end,omitempty"`
	Table        int      `json:"table,omitempty"`
	TableEnd     int      `json:"table_end,omitempty"`
	Row          int      `json:"row,omitempty"`
	RowEnd       int      `json:"row_end,omitempty"`
	Col          int      `json:"col,omitempty"`
	ColSpan      int      `json:"colspan,omitempty"`
	RowSpan      int      `json:"rowspan,omitempty"`
	Header       string   `json:"header,omitempty"`
	// Part is "footnote", "endnote", "comment", "textbox", "header", "footer" or "altchunk"; "" for
	// the body. ID names the note or comment, or counts boxes, headers, footers and chunks.
	Part string `json:"part,omitempty"`
	ID   string `json:"id,omitempty"`
	// AnchorParagraph is the paragraph of the body that a part hangs on, AnchorTable the table.
	AnchorParagraph int `json:"anchor_paragraph,omitempty"`
	AnchorTable     int `json:"anchor_table,omitempty"`
}

// Kind returns "docx".
func (DOCXLocator) Kind() string { return "docx" }

func (DOCXLocator) sealed() {}

// plainDOCX is the flat form of the locator with its kind.
type (
	plainDOCX struct {
		Kind string `json:"kind"`
		docxFields
	}
	docxFields DOCXLocator
)

// MarshalJSON writes the flat form with its kind.
func (l DOCXLocator) MarshalJSON() ([]byte, error) {
	return json.Marshal(plainDOCX{l.Kind(), docxFields(l)})
}

func (l DOCXLocator) headings() []string { return l.Heading }

func (l DOCXLocator) under(path []string) Locator {
	l.Heading = path
	return l
}

func (l DOCXLocator) record() Record {
	if l.Table == 0 || l.TableEnd != 0 {
		return Record{}
	}
	return Record{Table: l.Table, Row: l.Row, Header: l.Header, Merged: l.RowSpan > 1}
}

// Through joins ranges of paragraphs and tables. Of two different parts, or a part and the body,
// the result is the stretch of the body that both hang on.
func (l DOCXLocator) Through(last Locator) Locator {
	t, ok := last.(DOCXLocator)
	if !ok {
		return l
	}
	if l.Part != t.Part || l.ID != t.ID {
		a, aok := l.body()
		b, bok := t.body()
		if !aok || !bok {
			return l
		}
		l, t = a, b
		l.Heading = commonHeading(l.Heading, t.Heading)
		l.joinParagraphs(t)
		l.joinTables(t)
		l.whole()
		return l
	}
	l.Heading = commonHeading(l.Heading, t.Heading)
	l.joinParagraphs(t)
	l.joinTables(t)
	return l
}

// whole makes a place that of everything there, with the parts that hang on it: its range has an
// end even where that is its beginning.
func (l *DOCXLocator) whole() {
	if l.Paragraph > 0 {
		l.ParagraphEnd = max(l.Paragraph, l.ParagraphEnd)
	}
	if l.Table > 0 {
		l.TableEnd = max(l.Table, l.TableEnd)
		l.Col, l.Header, l.ColSpan, l.RowSpan = 0, "", 0, 0
	}
}

// body returns the place in the body that a part hangs on; the place itself if it is in the body.
func (l DOCXLocator) body() (DOCXLocator, bool) {
	if l.Part == "" {
		return l, true
	}
	return DOCXLocator{Heading: l.Heading, Paragraph: l.AnchorParagraph, Table: l.AnchorTable}, l.AnchorParagraph+l.AnchorTable > 0
}

func (l *DOCXLocator) joinParagraphs(t DOCXLocator) {
	if t.Paragraph == 0 {
		return
	}
	if l.Paragraph == 0 {
		l.Paragraph, l.ParagraphEnd = t.Paragraph, t.ParagraphEnd
		return
	}
	first, end := min(l.Paragraph, t.Paragraph), max(l.Paragraph, l.ParagraphEnd, t.Paragraph, t.ParagraphEnd)
	ended := l.ParagraphEnd+t.ParagraphEnd > 0
	l.Paragraph, l.ParagraphEnd = first, 0
	if end > first || ended {
		l.ParagraphEnd = end
	}
}

func (l *DOCXLocator) joinTables(t DOCXLocator) {
	switch {
	case t.Table == 0:
		return
	case l.Table == 0:
		l.Table, l.TableEnd, l.Row, l.RowEnd = t.Table, t.TableEnd, t.Row, t.RowEnd
		return
	case l.Table != t.Table || l.TableEnd != 0 || t.TableEnd != 0:
		end := max(l.Table, l.TableEnd, t.Table, t.TableEnd)
		row := t.RowEnd
		if row == 0 {
			row = t.Row
		}
		if t.Row == 0 && t.Table == max(l.Table, l.TableEnd) {
			row = max(l.Row, l.RowEnd) // what hangs on the table is in no row
		}
		l.TableEnd, l.RowEnd = end, row
	default:
		first, end := min(l.Row, t.Row), max(l.Row, l.RowEnd, t.Row, t.RowEnd)
		if first == 0 {
			first = max(l.Row, t.Row) // what hangs on the table is in no row
		}
		l.Row, l.RowEnd = first, 0
		if end > first {
			l.RowEnd = end
		}
	}
	if l.Col != t.Col || l.TableEnd != 0 {
		l.Col, l.Header, l.ColSpan = 0, "", 0
	}
	if l.RowEnd != 0 || l.Col == 0 {
		l.ColSpan, l.RowSpan = 0, 0
	}
}

// XLSXLocator is a cell of a workbook, or a range of cells. Range is there for a merged cell, and
// for a place of several cells, which names no Cell.
type XLSXLocator struct {
	Sheet    string `json:"sheet"`
	SheetEnd string `json:"sheet_end,omitempty"`
	Cell     string `json:"cell,omitempty"`
	Range    string `json:"range,omitempty"` // in A1 notation
	Row      int    `json:"row,omitempty"`
	RowEnd   int    `json:"row_end,omitempty"`
	Col      int    `json:"col,omitempty"`
	Header   string `json:"header,omitempty"`
	Hidden   bool   `json:"sheet_hidden,omitempty"`
	// Part is "comment" for what is written beside a cell, and "textbox", "chart" or "smartart" for what lies over
	// the cells with its corner on this one; "" for the cell. ID counts the comments of a sheet, and apart from them
	// what lies over its cells.
	Part string `json:"part,omitempty"`
	ID   string `json:"id,omitempty"`
}

// Kind returns "xlsx".
func (XLSXLocator) Kind() string { return "xlsx" }

func (XLSXLocator) sealed() {}

// plainXLSX is the flat form of the locator with its kind.
type (
	plainXLSX struct {
		Kind string `json:"kind"`
		xlsxFields
	}
	xlsxFields XLSXLocator
)

// MarshalJSON writes the flat form with its kind.
func (l XLSXLocator) MarshalJSON() ([]byte, error) {
	return json.Marshal(plainXLSX{l.Kind(), xlsxFields(l)})
}

// A sheet's name is the heading above its cells.
func (l XLSXLocator) headings() []string { return []string{l.Sheet} }

func (l XLSXLocator) under([]string) Locator { return l }

func (l XLSXLocator) record() Record {
	if l.Part != "" || l.SheetEnd != "" {
		return Record{}
	}
	return Record{Table: 1, Row: l.Row, Header: l.Header, Merged: l.Cell != "" && l.RowEnd > l.Row}
}

// Through joins two cells of a sheet to a range, or names the first and the last sheet.
func (l XLSXLocator) Through(last Locator) Locator {
	t, ok := last.(XLSXLocator)
	if !ok || l == t {
		return l
	}
	if l.Sheet != t.Sheet || l.SheetEnd != "" || t.SheetEnd != "" {
		end := t.SheetEnd
		if end == "" {
			end = t.Sheet
		}
		return XLSXLocator{Sheet: l.Sheet, SheetEnd: end}
	}
	switch from, to := l.area(), t.area(); {
	case from == "":
		l.Range = to
	case to == "":
		l.Range = from
	default:
		l.Range = joinRange(from, to)
	}
	l.Row, l.RowEnd = l.rowsWith(t)
	if l.Col != t.Col || l.Part != "" || t.Part != "" {
		l.Col, l.Header = 0, ""
	}
	if l.Part != t.Part {
		l.Part = ""
	}
	l.Cell, l.ID = "", ""
	return l
}

// rowsWith returns the first row of two places, and the last one if that is another. They are rows of cells that have a
// value: what is written beside cells or lies over them may hang on one that has none.
func (l XLSXLocator) rowsWith(t XLSXLocator) (first, last int) {
	for _, p := range []XLSXLocator{l, t} {
		if p.Part != "" || p.Row == 0 {
			continue
		}
		if first == 0 || p.Row < first {
			first = p.Row
		}
		last = max(last, p.Row, p.RowEnd)
	}
	if last == first {
		last = 0
	}
	return first, last
}

// area returns the cells of a place in A1 notation; "" for a sheet's name.
func (l XLSXLocator) area() string {
	if l.Range != "" {
		return l.Range
	}
	return l.Cell
}

// PPTXLocator is a place in a presentation. Slide counts in the order of the show, hidden slides
// too; Shape counts the shapes of a slide in the file's order, with those in groups.
type PPTXLocator struct {
	Slide    int      `json:"slide"`
	SlideEnd int      `json:"slide_end,omitempty"`
	Heading  []string `json:"heading"`
	// Part is "title", "notes", "table", "comment", "smartart" or "chart"; "" for any other shape.
	Part         string `json:"part,omitempty"`
	Shape        int    `json:"shape,omitempty"`
	Paragraph    int    `json:"paragraph,omitempty"`
	ParagraphEnd int    `json:"paragraph_end,omitempty"`
	Row          int    `json:"row,omitempty"`
	RowEnd       int    `json:"row_end,omitempty"`
	Col          int    `json:"col,omitempty"`
	ColSpan      int    `json:"colspan,omitempty"`
	RowSpan      int    `json:"rowspan,omitempty"`
	Header       string `json:"header,omitempty"`
	Hidden       bool   `json:"hidden,omitempty"`
}

// Kind returns "pptx".
func (PPTXLocator) Kind() string { return "pptx" }

func (PPTXLocator) sealed() {}

// plainPPTX is the flat form of the locator with its kind.
type (
	plainPPTX struct {
		Kind string `json:"kind"`
		pptxFields
	}
	pptxFields PPTXLocator
)

// MarshalJSON writes the flat form with its kind.
func (l PPTXLocator) MarshalJSON() ([]byte, error) {
	return json.Marshal(plainPPTX{l.Kind(), pptxFields(l)})
}

func (l PPTXLocator) headings() []string { return l.Heading }

func (l PPTXLocator) under(path []string) Locator {
	l.Heading = path
	return l
}

func (l PPTXLocator) record() Record {
	if l.SlideEnd != 0 || l.Part != "table" {
		return Record{}
	}
	return Record{Table: l.Slide<<16 + l.Shape + 1, Row: l.Row, Header: l.Header, Merged: l.RowSpan > 1}
}

// Through joins paragraphs and rows of one shape; of two shapes it names the slide, of two slides
// the first and the last.
func (l PPTXLocator) Through(last Locator) Locator {
	t, ok := last.(PPTXLocator)
	if !ok {
		return l
	}
	heading := commonHeading(l.Heading, t.Heading)
	end := max(l.Slide, l.SlideEnd, t.Slide, t.SlideEnd)
	switch {
	case end > l.Slide:
		return PPTXLocator{Slide: l.Slide, SlideEnd: end, Heading: heading, Hidden: l.Hidden && t.Hidden}
	case l.Shape != t.Shape || l.Part != t.Part:
		return PPTXLocator{Slide: l.Slide, Heading: heading, Hidden: l.Hidden && t.Hidden}
	}
	l.Heading = heading
	l.ParagraphEnd = lastOf(l.Paragraph, max(l.Paragraph, l.ParagraphEnd, t.Paragraph, t.ParagraphEnd))
	first := min(l.Row, t.Row)
	l.Row, l.RowEnd = first, lastOf(first, max(l.Row, l.RowEnd, t.Row, t.RowEnd))
	if l.Col != t.Col {
		l.Col, l.Header = 0, ""
	}
	if l.RowEnd != 0 || l.Col == 0 {
		l.ColSpan, l.RowSpan = 0, 0
	}
	return l
}

// lastOf returns the end of a range, which is left out where it is its beginning.
func lastOf(first, last int) int {
	if last > first {
		return last
	}
	return 0
}

func commonHeading(a, b []string) []string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}
