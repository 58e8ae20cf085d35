package corpus_test

import (
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
)

func TestPlacesAreSaidInBothLanguages(t *testing.T) {
	for _, c := range []struct {
		at               corpus.Locator
		chinese, english string
	}{
		{corpus.TextLocator{Format: "md", Heading: []string{"差旅", "住宿"}, Line: 3, LineEnd: 5}, "差旅 › 住宿 · 行 3–5", "差旅 › 住宿 · lines 3–5"},
		{corpus.TextLocator{Format: "txt", Line: 7, LineEnd: 7}, "行 7", "line 7"},
		{corpus.CSVLocator{Row: 2, Col: 3, Header: "Price"}, "记录 2 · 列 Price", "record 2 · column Price"},
		{corpus.CSVLocator{Row: 2, RowEnd: 9}, "记录 2–9", "records 2–9"},
		{corpus.PDFLocator{Page: 3, PageLabel: "iii"}, "页 3 · 印刷页码 iii", "page 3 · printed iii"},
		{corpus.PDFLocator{Page: 3, PageEnd: 5}, "页 3–5", "pages 3–5"},
		{nil, "", ""},
	} {
		if zh, en := corpus.InWords(c.at, true), corpus.InWords(c.at, false); zh != c.chinese || en != c.english {
			t.Errorf("%v: %q, %q", c.at, zh, en)
		}
	}
}
