package preview

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// Anchor returns the id of the element at a place, made from the locator alone so that a client can
// make it too; "" for no place. A place of several pieces has the anchor of its first one, or of
// the row, slide, sheet or page that it begins with:
//
//	md, txt  doc-line-LINE
//	html     doc-char-CHAR, by the first character of the place
//	csv      doc-row-ROW, doc-row-ROW-col-COL
//	docx     doc-p-PARAGRAPH, doc-t-TABLE, doc-t-TABLE-r-ROW, doc-t-TABLE-r-ROW-c-COL; with the part
//	         and its id before p or t, as in doc-footnote-2-p-1, where it is in one
//	xlsx     doc-sheet-SHEET, doc-sheet-SHEET-row-ROW for a range, doc-sheet-SHEET-CELL,
//	         doc-sheet-SHEET-comment-ID, and the same with textbox, chart or smartart
//	pptx     doc-slide-SLIDE, then -notes, -comment, -smartart or -chart, then -shape-SHAPE, then
//	         -p-PARAGRAPH, -r-ROW or -r-ROW-c-COL, as far as the locator says
//	pdf      doc-page-PAGE, where the text of the page begins
//	eml      doc-head-FIELD for a field of the header, doc-file-PART for the name of a file,
//	         doc-part-PART-line-LINE for plain text and doc-part-PART-char-CHAR for HTML; a message
//	         inside another has doc-part-PART-head-FIELD
//	dxf      doc-entity-NO, doc-sheet-SHEET-layer-LAYER for several texts, doc-sheet-SHEET where they
//	         are on several layers; doc-hidden-BLOCK for what is hidden
//	svg      doc-element-NO, doc-layer-LAYER for several texts, doc-drawing where they are in several
//	epub     doc-chapter-SPINE-char-CHAR, by the first character of the place; doc-chapter-SPINE for
//	         a place of several files, and where the text of a file begins
//	image    doc-image, where the text of the picture begins
//
// In names, each byte of UTF-8 that is no ASCII letter or digit is written as _ and two hex digits.
// Where a fragment has no element with the id, such as for a place within a piece of a long HTML
// paragraph, the anchor is the one with the greatest last number that is not above its own.
func Anchor(l corpus.Locator) string {
	switch l := l.(type) {
	case corpus.TextLocator:
		if l.Format == "html" {
			return "doc-char-" + itoa(l.Char[0])
		}
		return "doc-line-" + itoa(l.Line)
	case corpus.CSVLocator:
		return "doc-row-" + itoa(l.Row) + numbered("-col-", l.Col)
	case corpus.DOCXLocator:
		return anchorDOCX(l)
	case corpus.XLSXLocator:
		return anchorXLSX(l)
	case corpus.PPTXLocator:
		return anchorPPTX(l)
	case corpus.PDFLocator: // boxes are drawn on a picture of the page, and not on its text
		return "doc-page-" + itoa(l.Page)
	case corpus.EMLLocator:
		return anchorEML(l)
	case corpus.DXFLocator:
		return anchorDXF(l)
	case corpus.SVGLocator:
		return anchorSVG(l)
	case corpus.EPUBLocator:
		return anchorEPUB(l)
	case corpus.ImageLocator: // as of a page, boxes are drawn on the picture
		return "doc-image"
	}
	return ""
}

func anchorEML(l corpus.EMLLocator) string {
	id := "doc"
	switch {
	case l.Part == "" && l.Header == "":
		return ""
	case l.Header == "" && l.Line == 0:
		return "doc-file-" + encode(l.Part)
	case l.Part != "":
		id += "-part-" + encode(l.Part)
	}
	switch {
	case l.Header != "":
		return id + "-head-" + encode(l.Header)
	case l.ContentType == "text/html":
		return id + "-char-" + itoa(l.Char[0])
	}
	return id + "-line-" + itoa(l.Line)
}

// groupEML is the section of a place in a message: the header with the names of the files, or a part.
func groupEML(l corpus.EMLLocator) group {
	switch {
	case l.Line == 0:
		return group{class: "doc-part doc-head"}
	case l.Attachment != "":
		return group{class: "doc-part doc-attachment", id: "doc-part-" + encode(l.Part)}
	}
	return group{class: "doc-body", id: "doc-part-" + encode(l.Part)}
}

func anchorDXF(l corpus.DXFLocator) string {
	switch {
	case l.No > 0:
		return "doc-entity-" + itoa(l.No)
	case l.Layer != "":
		return sheetDXF(l) + "-layer-" + encode(l.Layer)
	}
	return sheetDXF(l)
}

// sheetDXF names what stands on one sheet of a drawing, apart from what is hidden there.
func sheetDXF(l corpus.DXFLocator) string {
	if l.Hidden {
		return "doc-hidden-" + encode(l.Shown)
	}
	return "doc-sheet-" + encode(l.Shown)
}

func anchorSVG(l corpus.SVGLocator) string {
	switch {
	case l.No > 0:
		return "doc-element-" + itoa(l.No)
	case l.Layer != "":
		return "doc-layer-" + encode(l.Layer)
	}
	return "doc-drawing"
}

func anchorDOCX(l corpus.DOCXLocator) string {
	id := partDOCX(l)
	switch {
	case l.Paragraph > 0:
		return id + "-p-" + itoa(l.Paragraph)
	case l.Table > 0:
		return id + "-t-" + itoa(l.Table) + cellOf(l.Row, l.Col)
	}
	return id
}

// partDOCX names the part of a Word document that a place is in.
func partDOCX(l corpus.DOCXLocator) string {
	id := "doc"
	if l.Part != "" {
		id += "-" + encode(l.Part)
	}
	if l.ID != "" {
		id += "-" + encode(l.ID)
	}
	return id
}

func anchorXLSX(l corpus.XLSXLocator) string {
	id := "doc-sheet-" + encode(l.Sheet)
	switch {
	case l.SheetEnd != "":
		return id
	case l.Part != "" && l.ID != "":
		return id + "-" + encode(l.Part) + "-" + encode(l.ID)
	case l.Cell != "":
		return id + "-" + encode(l.Cell)
	}
	return id + numbered("-row-", l.Row)
}

func anchorPPTX(l corpus.PPTXLocator) string {
	id := "doc-slide-" + itoa(l.Slide)
	if l.SlideEnd != 0 {
		return id
	}
	if beside(l.Part) {
		id += "-" + encode(l.Part)
	}
	id += numbered("-shape-", l.Shape)
	if l.Paragraph > 0 {
		return id + "-p-" + itoa(l.Paragraph)
	}
	return id + cellOf(l.Row, l.Col)
}

func anchorEPUB(l corpus.EPUBLocator) string {
	id := "doc-chapter-" + itoa(l.Spine)
	if l.SpineEnd != 0 {
		return id
	}
	return id + "-char-" + itoa(l.Char[0])
}

// beside reports whether a part of a slide is written beside it.
func beside(part string) bool { return part != "" && part != "title" && part != "table" }

func cellOf(row, col int) string {
	if row == 0 {
		return ""
	}
	return "-r-" + itoa(row) + numbered("-c-", col)
}

func numbered(name string, n int) string {
	if n == 0 {
		return ""
	}
	return name + itoa(n)
}

// encode writes a name as part of an id.
func encode(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "_%02x", c)
		}
	}
	return b.String()
}

// above returns the same place without its column, and without its row: those of the row and of the
// table that a cell lies in.
func above(l corpus.Locator) (row, table corpus.Locator) {
	switch l := l.(type) {
	case corpus.CSVLocator:
		return corpus.CSVLocator{Row: l.Row}, nil
	case corpus.DOCXLocator:
		if l.Paragraph > 0 || l.Table == 0 {
			return nil, nil
		}
		at := corpus.DOCXLocator{Part: l.Part, ID: l.ID, Table: l.Table, Row: l.Row}
		whole := at
		whole.Row = 0
		return at, whole
	case corpus.XLSXLocator:
		if l.Part == "" && l.Row > 0 {
			return corpus.XLSXLocator{Sheet: l.Sheet, Row: l.Row}, nil
		}
	case corpus.PPTXLocator:
		if l.Part != "table" {
			return nil, nil
		}
		at := corpus.PPTXLocator{Slide: l.Slide, Part: l.Part, Shape: l.Shape, Row: l.Row}
		whole := at
		whole.Row = 0
		return at, whole
	}
	return nil, nil
}

// group is a stretch that stands together: a sheet, a slide, a footnote.
type group struct {
	class, id string
	// pieces says that the id is that of the first piece: text of the group may have begun before it,
	// as that of a page in a paragraph from the page before.
	pieces bool
}

// groups returns the stretches that a place lies in, outermost first.
func groups(l corpus.Locator) []group {
	switch l := l.(type) {
	case corpus.DOCXLocator:
		if l.Part == "" {
			return nil
		}
		part := group{class: "doc-part doc-" + encode(l.Part), id: partDOCX(l)}
		if hangs := (corpus.DOCXLocator{Paragraph: l.AnchorParagraph, Table: l.AnchorTable}); l.AnchorParagraph+l.AnchorTable > 0 {
			return []group{{class: "doc-beside", id: Anchor(hangs)}, part}
		}
		return []group{part}
	case corpus.XLSXLocator:
		out := []group{{class: "doc-sheet", id: anchorXLSX(corpus.XLSXLocator{Sheet: l.Sheet})}}
		if l.Part != "" {
			out = append(out, group{class: "doc-part doc-" + encode(l.Part)})
		}
		return out
	case corpus.PPTXLocator:
		at := corpus.PPTXLocator{Slide: l.Slide}
		out := []group{{class: "doc-slide", id: anchorPPTX(at)}}
		if beside(l.Part) {
			at.Part = l.Part
			out = append(out, group{class: "doc-part doc-" + encode(l.Part), id: anchorPPTX(at)})
		}
		return out
	case corpus.PDFLocator:
		return []group{{class: "doc-page", id: Anchor(l), pieces: true}}
	case corpus.EMLLocator:
		return []group{groupEML(l)}
	case corpus.DXFLocator:
		out := []group{{class: "doc-sheet", id: sheetDXF(l)}}
		if l.Hidden {
			out[0].class = "doc-sheet doc-unseen"
		}
		if l.Layer != "" {
			out = append(out, group{class: "doc-layer", id: anchorDXF(corpus.DXFLocator{Layer: l.Layer, Shown: l.Shown, Hidden: l.Hidden})})
		}
		return out
	case corpus.SVGLocator:
		out := []group{{class: "doc-drawing", id: "doc-drawing"}}
		if l.Layer != "" {
			out = append(out, group{class: "doc-layer", id: anchorSVG(corpus.SVGLocator{Layer: l.Layer})})
		}
		return out
	case corpus.EPUBLocator:
		class := "doc-chapter"
		if l.Aside {
			class += " doc-aside"
		}
		return []group{{class: class, id: anchorEPUB(corpus.EPUBLocator{Spine: l.Spine, SpineEnd: l.Spine})}}
	}
	return nil
}

// Locate returns the window that begins near to the place which an anchor names, or where the
// documentation of Anchor says that one leads. One that the blocks do not have is problem.Invalid
// "unknown_place".
func Locate(blocks []corpus.Block, anchor string) (Window, error) {
	prefix, want := numeral(anchor)
	best, block, at := -1, 0, 0
	for i := range blocks {
		for _, s := range blocks[i].Segments {
			for _, id := range names(s.Locator) {
				if id == anchor && id != "" {
					return near(blocks, i, s.Span.Start), nil
				}
				if p, n := numeral(id); p == prefix && n <= want && n > best {
					best, block, at = n, i, s.Span.Start
				}
			}
		}
	}
	if best < 0 {
		return Window{}, problem.New(problem.Invalid, "unknown_place", "The document has no such place.")
	}
	return near(blocks, block, at), nil
}

// names returns all anchors that a piece at a place brings with it.
func names(l corpus.Locator) []string {
	out := []string{Anchor(l)}
	for _, g := range groups(l) {
		out = append(out, g.id)
	}
	row, table := above(l)
	if row != nil {
		out = append(out, Anchor(row))
	}
	if table != nil {
		out = append(out, Anchor(table))
	}
	return out
}

// numeral takes an id apart before its last number; -1 for one that ends with none.
func numeral(id string) (prefix string, n int) {
	i := strings.LastIndexByte(id, '-')
	n, err := strconv.Atoi(id[i+1:])
	if err != nil || n < 0 {
		return id, -1
	}
	return id[:i+1], n
}
