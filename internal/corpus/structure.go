package corpus

import (
	"reflect"
	"strconv"
)

// headed is a place of a kind that has headings.
type headed interface {
	headings() []string
	under(path []string) Locator
}

// Headings returns the headings above a place, outermost first; false where its kind has none. The
// name of a sheet counts as the heading of its cells, and that of a layer as the heading of its texts.
func Headings(l Locator) (path []string, ok bool) {
	if h, is := l.(headed); is {
		return h.headings(), true
	}
	return nil, false
}

// Under returns the same place under other headings, where its kind carries any.
func Under(l Locator, path []string) Locator {
	if h, is := l.(headed); is {
		return h.under(path)
	}
	return l
}

// Strand names the stretch of a document that reads on at a place: a sheet, a slide, a page of a book, the
// header of a page, a text beside a message, what is hidden in a drawing. A chunk never holds text of two strands. It is "" for the one stretch of a kind that has
// no others, and for notes and boxes, which are read with the place they hang on.
func Strand(l Locator) string {
	switch l := l.(type) {
	case DOCXLocator:
		if l.Part == "header" || l.Part == "footer" {
			return l.Part + " " + l.ID
		}
	case XLSXLocator:
		return l.Sheet
	case PPTXLocator:
		return strconv.Itoa(l.Slide)
	case EMLLocator:
		if l.Attachment != "" && l.Line > 0 {
			return "attachment " + l.Part
		}
	case DXFLocator:
		return l.strand()
	case EPUBLocator:
		return strconv.Itoa(l.Spine)
	}
	return ""
}

// Record is the row of a table that a place lies in.
type Record struct {
	Table  int // tells the tables of one document apart; 0 for a place in no table
	Row    int
	Header string // name of the column; "" in the head, and for whole rows
	// Merged is true for a cell that covers several rows, of which Row is the first. It is written
	// in each of them.
	Merged bool
}

// RecordOf returns the row that a place lies in, or begins in; false if it lies in no table.
func RecordOf(l Locator) (Record, bool) {
	if t, is := l.(interface{ record() Record }); is {
		r := t.record()
		return r, r.Table > 0 && r.Row > 0
	}
	return Record{}, false
}

// NameBytes returns the length of the names that a place repeats: of the headings above it, of its
// column, of the path to its element, of its file, and of what a drawing calls it.
func NameBytes(l Locator) int {
	n := 0
	path, _ := Headings(l)
	for _, h := range path {
		n += len(h)
	}
	if r, ok := RecordOf(l); ok {
		n += len(r.Header)
	}
	switch l := l.(type) {
	case TextLocator:
		n += len(l.Element)
	case EMLLocator:
		n += len(l.Element) + len(l.Attachment) + len(l.ContentType) + len(l.Part) + len(l.Header)
	case EPUBLocator:
		n += len(l.Element) + len(l.Href)
	case DXFLocator:
		n += len(l.Handle) + len(l.Block) + len(l.Tag) + len(l.Shown)
	case SVGLocator:
		n += len(l.ID) + len(l.X) + len(l.Y)
	}
	return n
}

// Numbers returns the counts by which a person finds a place: its lines, records, rows,
// paragraphs, slides or pages. Both are 0 where the kind has none.
func Numbers(l Locator) (first, last int) {
	switch l := l.(type) {
	case TextLocator:
		return l.Line, max(l.Line, l.LineEnd)
	case CSVLocator:
		return l.Row, max(l.Row, l.RowEnd)
	case DOCXLocator:
		if l.Paragraph > 0 {
			return l.Paragraph, max(l.Paragraph, l.ParagraphEnd)
		}
		return l.Row, max(l.Row, l.RowEnd)
	case XLSXLocator:
		return l.Row, max(l.Row, l.RowEnd)
	case PPTXLocator:
		return l.Slide, max(l.Slide, l.SlideEnd)
	case PDFLocator:
		return l.Page, max(l.Page, l.PageEnd)
	case EMLLocator:
		if l.last() == l.first() {
			return l.Line, max(l.Line, l.LineEnd)
		}
	case EPUBLocator:
		return l.Spine, max(l.Spine, l.SpineEnd)
	}
	return 0, 0
}

// Find returns the stretch of text that a place names: from the first to the last of a run of
// segments that together are at that place. Headings are not compared, since a chunk stands under
// its own. It is false if no run of the segments is there.
func Find(segments []Segment, place Locator) (Span, bool) {
	if place == nil {
		return Span{}, false
	}
	want := Under(place, nil)
	same := func(l Locator) bool { return reflect.DeepEqual(Under(l, nil), want) }
	for i, s := range segments {
		if s.Locator.Kind() != want.Kind() || !same(s.Locator.Through(place)) {
			continue
		}
		if same(s.Locator) {
			return s.Span, true
		}
		found, end := false, s.Span.End
		cover := s.Locator
		for _, t := range segments[i+1:] {
			next := cover.Through(t.Locator)
			if found && !same(next) || !found && !same(next.Through(place)) {
				break
			}
			cover, end = next, t.Span.End
			found = found || same(next)
		}
		if found {
			return Span{s.Span.Start, end}, true
		}
	}
	return Span{}, false
}
