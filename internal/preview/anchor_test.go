package preview_test

import (
	"regexp"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/preview"
)

func TestAnchorsAreMadeFromTheLocatorAlone(t *testing.T) {
	for want, l := range map[string]corpus.Locator{
		"doc-line-12":                       corpus.TextLocator{Format: "md", Heading: []string{"a"}, Line: 12, LineEnd: 14, Char: [2]int{3, 9}},
		"doc-line-1":                        corpus.TextLocator{Format: "txt", Line: 1},
		"doc-char-345":                      corpus.TextLocator{Format: "html", Line: 1, Char: [2]int{345, 400}, Element: "body[1]/p[2]"},
		"doc-row-2":                         corpus.CSVLocator{Row: 2, RowEnd: 4, Range: "A2:C4"},
		"doc-row-2-col-3":                   corpus.CSVLocator{Row: 2, Col: 3, Header: "价格"},
		"doc-p-7":                           corpus.DOCXLocator{Paragraph: 7, ParagraphEnd: 9},
		"doc-t-2":                           corpus.DOCXLocator{Table: 2},
		"doc-t-2-r-3":                       corpus.DOCXLocator{Table: 2, Row: 3, RowEnd: 5},
		"doc-t-2-r-3-c-4":                   corpus.DOCXLocator{Table: 2, Row: 3, Col: 4, ColSpan: 2},
		"doc-footnote-2-p-1":                corpus.DOCXLocator{Part: "footnote", ID: "2", Paragraph: 1, AnchorParagraph: 9},
		"doc-header-1":                      corpus.DOCXLocator{Part: "header", ID: "1"},
		"doc-sheet-Sheet1":                  corpus.XLSXLocator{Sheet: "Sheet1"},
		"doc-sheet-Sheet1-B7":               corpus.XLSXLocator{Sheet: "Sheet1", Cell: "B7", Range: "B7:D9", Row: 7, Col: 2},
		"doc-sheet-Sheet1-row-7":            corpus.XLSXLocator{Sheet: "Sheet1", Range: "B7:D9", Row: 7, RowEnd: 9},
		"doc-sheet-a_20b_5f":                corpus.XLSXLocator{Sheet: "a b_", SheetEnd: "z", Row: 1},
		"doc-sheet-_e4_bb_b7-A1":            corpus.XLSXLocator{Sheet: "价", Cell: "A1", Row: 1, Col: 1},
		"doc-sheet-S-comment-3":             corpus.XLSXLocator{Sheet: "S", Cell: "A1", Part: "comment", ID: "3"},
		"doc-slide-3":                       corpus.PPTXLocator{Slide: 3},
		"doc-slide-4":                       corpus.PPTXLocator{Slide: 4, SlideEnd: 6, Shape: 2},
		"doc-slide-3-shape-2-p-1":           corpus.PPTXLocator{Slide: 3, Part: "title", Shape: 2, Paragraph: 1},
		"doc-slide-3-shape-5-r-1-c-2":       corpus.PPTXLocator{Slide: 3, Part: "table", Shape: 5, Row: 1, Col: 2},
		"doc-slide-3-notes-p-4":             corpus.PPTXLocator{Slide: 3, Part: "notes", Paragraph: 4},
		"doc-sheet-_22_3e_3cscript_3e-A_22": corpus.XLSXLocator{Sheet: `"><script>`, Cell: `A"`},
		"doc-chapter-3-char-41":             corpus.EPUBLocator{Spine: 3, Href: "OPS/章.xhtml", Char: [2]int{41, 99}, Element: "body[1]/p[2]"},
		"doc-chapter-3":                     corpus.EPUBLocator{Spine: 3, SpineEnd: 4, Char: [2]int{41, 9}},
		"doc-image":                         corpus.ImageLocator{Boxes: []corpus.Box{{1, 2, 3, 4}}},
		"doc-page-3":                        corpus.PDFLocator{Page: 3, PageEnd: 4, PageLabel: "iii"},
		"doc-head-Subject":                  corpus.EMLLocator{Header: "Subject", PartEnd: "1", LineEnd: 9},
		"doc-part-2_2e1-head-From":          corpus.EMLLocator{Header: "From", Part: "2.1"},
		"doc-part-1-line-4":                 corpus.EMLLocator{Part: "1", ContentType: "text/plain", Line: 4, Char: [2]int{7, 9}},
		"doc-part-2_2e1-char-0":             corpus.EMLLocator{Part: "2.1", ContentType: "text/html", Line: 1, Char: [2]int{0, 9}},
		"doc-file-3":                        corpus.EMLLocator{Part: "3", ContentType: "image/png", Attachment: `a"b.png`},
		"doc-part-3-line-2":                 corpus.EMLLocator{Part: "3", ContentType: "text/plain", Attachment: "a.txt", Line: 2},
		"doc-entity-17":                     corpus.DXFLocator{No: 17, Layer: "L", Shown: "model"},
		"doc-sheet-model-layer-PIPE_2d02":   corpus.DXFLocator{Layer: "PIPE-02", Shown: "model"},
		"doc-sheet-A1":                      corpus.DXFLocator{Shown: "A1"},
		"doc-hidden-model-layer-0":          corpus.DXFLocator{Layer: "0", Shown: "model", Hidden: true, Entity: "LAYER"},
		"doc-element-3":                     corpus.SVGLocator{No: 3, ID: "x", Layer: "L"},
		"doc-layer-_22_3e":                  corpus.SVGLocator{Layer: `">`},
		"doc-drawing":                       corpus.SVGLocator{Region: &corpus.Region{}},
		"":                                  nil,
	} {
		if got := preview.Anchor(l); got != want {
			t.Errorf("%#v is %q, want %q", l, got, want)
		}
	}
}

func TestNamesOfSheetsThatDifferHaveAnchorsThatDiffer(t *testing.T) {
	word := regexp.MustCompile(`^doc-sheet-[A-Za-z0-9_]+$`)
	seen := map[string]string{}
	for _, name := range []string{"a b", "a_b", "a-b", "a_20b", "A b", "ａ", "a\u00a0b", "a b ", "价格", "价 格", "_", "__", "%20"} {
		id := preview.Anchor(corpus.XLSXLocator{Sheet: name})
		if other, there := seen[id]; there || !word.MatchString(id) {
			t.Errorf("%q and %q are both %s", name, other, id)
		}
		seen[id] = name
	}
}
