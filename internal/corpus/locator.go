package corpus

import (
	"bytes"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/problem"
)

// Locator is the place of a passage in the original, one typed shape a kind. The set of shapes
// is sealed: code that handles locators can list them. In JSON a locator is one flat object with
// its "kind"; all counts in it start at 1, character ranges at 0.
type Locator interface {
	// Kind returns the word that marks the shape in JSON.
	Kind() string
	// Through returns the locator that covers both this place and a later one of the same
	// document. Places of different kinds can't be joined; the earlier one is returned.
	Through(last Locator) Locator
	sealed()
}

// TextLocator is a place in Markdown, HTML or plain text. Line counts lines of the original;
// Char is a half-open range of code points of the decoded original (without its byte order mark,
// line ends as in the file).
type TextLocator struct {
	Format  string   `json:"kind"` // "md", "html" or "txt"
	Heading []string `json:"heading"`
	Line    int      `json:"line"`
	LineEnd int      `json:"line_end,omitempty"`
	Char    [2]int   `json:"char"`
	// Element is the path of an HTML element from the root, such as "body[1]/div[2]/p[1]".
	Element string `json:"element,omitempty"`
	InCode  bool   `json:"in_code,omitempty"`
}

// Kind returns "md", "html" or "txt".
func (l TextLocator) Kind() string { return l.Format }

func (TextLocator) sealed() {}

func (l TextLocator) headings() []string { return l.Heading }

func (l TextLocator) under(path []string) Locator {
	l.Heading = path
	return l
}

func (l TextLocator) chars() ([2]int, bool) { return l.Char, true }

func (l TextLocator) at(char [2]int) Locator {
	l.Char = char
	return l
}

// Through joins line and character ranges.
func (l TextLocator) Through(last Locator) Locator {
	t, ok := last.(TextLocator)
	if !ok || t.Format != l.Format {
		return l
	}
	if end := max(t.Line, t.LineEnd); end > max(l.Line, l.LineEnd) {
		l.LineEnd = end
	}
	l.Char[1] = max(l.Char[1], t.Char[1])
	l.InCode = l.InCode && t.InCode
	if l.Element != t.Element {
		l.Element = commonElement(l.Element, t.Element)
	}
	return l
}

// CSVLocator is a cell, a record or a range of records of a CSV file. Row is the record number
// with the header as 1; Line is the physical line on which the place begins.
type CSVLocator struct {
	Row     int    `json:"row"`
	RowEnd  int    `json:"row_end,omitempty"`
	Col     int    `json:"col,omitempty"` // 0 (left out) when the place is whole records
	Header  string `json:"header,omitempty"`
	Range   string `json:"range,omitempty"` // in A1 notation
	Line    int    `json:"line"`
	LineEnd int    `json:"line_end,omitempty"`
	Char    [2]int `json:"char"`
}

// Kind returns "csv".
func (CSVLocator) Kind() string { return "csv" }

func (CSVLocator) sealed() {}

// plainCSV is the flat form of the locator with its kind.
type (
	plainCSV struct {
		Kind string `json:"kind"`
		csvFields
	}
	csvFields CSVLocator
)

func (l CSVLocator) record() Record { return Record{Table: 1, Row: l.Row, Header: l.Header} }

// MarshalJSON writes the flat form with its kind.
func (l CSVLocator) MarshalJSON() ([]byte, error) {
	return json.Marshal(plainCSV{l.Kind(), csvFields(l)})
}

// Through joins two cells or records; the result names a column only if both lie in it.
func (l CSVLocator) Through(last Locator) Locator {
	t, ok := last.(CSVLocator)
	if !ok {
		return l
	}
	if end := max(t.Row, t.RowEnd); end > max(l.Row, l.RowEnd) {
		l.RowEnd = end
	}
	if end := max(t.Line, t.LineEnd); end > max(l.Line, l.LineEnd) {
		l.LineEnd = end
	}
	l.Char[1] = max(l.Char[1], t.Char[1])
	if l.Col != t.Col {
		l.Col, l.Header = 0, ""
	}
	l.Range = joinRange(l.Range, t.Range)
	return l
}

// ParseLocator reads the JSON form of any locator. An unknown kind or field is problem.Invalid.
func ParseLocator(b []byte) (Locator, error) {
	var head struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return nil, invalidLocator(err)
	}
	var l Locator
	var err error
	switch head.Kind {
	case "md", "html", "txt":
		var w TextLocator
		err = decodeStrictly(b, &w)
		l = w
	case "csv":
		var w plainCSV
		err = decodeStrictly(b, &w)
		l = CSVLocator(w.csvFields)
	case "docx":
		var w plainDOCX
		err = decodeStrictly(b, &w)
		l = DOCXLocator(w.docxFields)
	case "xlsx":
		var w plainXLSX
		err = decodeStrictly(b, &w)
		l = XLSXLocator(w.xlsxFields)
	case "pptx":
		var w plainPPTX
		err = decodeStrictly(b, &w)
		l = PPTXLocator(w.pptxFields)
	case "pdf":
		var w plainPDF
		err = decodeStrictly(b, &w)
		l = PDFLocator(w.pdfFields)
	case "eml":
		var w plainEML
		err = decodeStrictly(b, &w)
		l = EMLLocator(w.emlFields)
	case "dxf":
		var w plainDXF
		err = decodeStrictly(b, &w)
		l = DXFLocator(w.dxfFields)
	case "svg":
		var w plainSVG
		err = decodeStrictly(b, &w)
		l = SVGLocator(w.svgFields)
	case "image":
		var w plainImage
		err = decodeStrictly(b, &w)
		l = ImageLocator(w.imageFields)
	case "epub":
		var w plainEPUB
		err = decodeStrictly(b, &w)
		l = EPUBLocator(w.epubFields)
	default:
		return nil, invalidLocator(nil)
	}
	if err != nil {
		return nil, invalidLocator(err)
	}
	return l, nil
}

func decodeStrictly(b []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

func invalidLocator(err error) error {
	return problem.Wrap(err, problem.Invalid, "invalid_locator", "This is not a locator of a known kind.")
}

// Cover returns the locator of all the segments together; nil if there are none.
func Cover(segments []Segment) Locator {
	if len(segments) == 0 {
		return nil
	}
	l := segments[0].Locator
	for _, s := range segments[1:] {
		l = l.Through(s.Locator)
	}
	return l
}

// Within returns the segments that overlap the span, whole.
func Within(segments []Segment, span Span) []Segment {
	var out []Segment
	for _, s := range segments {
		if s.Span.Overlap(span) > 0 {
			out = append(out, s)
		}
	}
	return out
}

type wireSegment struct {
	Span    Span            `json:"span"`
	Locator json.RawMessage `json:"locator"`
}

// MarshalJSON writes {"span": …, "locator": …}.
func (s Segment) MarshalJSON() ([]byte, error) {
	loc, err := json.Marshal(s.Locator)
	if err != nil {
		return nil, err
	}
	return json.Marshal(wireSegment{s.Span, loc})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Segment) UnmarshalJSON(b []byte) error {
	var w wireSegment
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	loc, err := ParseLocator(w.Locator)
	if err != nil {
		return err
	}
	*s = Segment{Span: w.Span, Locator: loc}
	return nil
}
