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
		{corpus.EMLLocator{Header: "Subject"}, "邮件头 Subject", "header Subject"},
		{corpus.EMLLocator{Heading: []string{"Fwd"}, Header: "From", Part: "2", HeaderEnd: "Date", PartEnd: "2"}, "Fwd · 邮件头 From–Date", "Fwd · header From–Date"},
		{corpus.EMLLocator{Header: "From", PartEnd: "1", LineEnd: 4}, "邮件头 From", "header From"},
		{corpus.EMLLocator{Part: "1", ContentType: "text/plain", Line: 3, LineEnd: 5}, "正文部分 1 · 行 3–5", "part 1 · lines 3–5"},
		{corpus.EMLLocator{Part: "1", Line: 3, PartEnd: "2.1", LineEnd: 2}, "正文部分 1–2.1", "part 1–2.1"},
		{corpus.EMLLocator{Part: "3", Attachment: "计划.txt", Line: 3}, "附件 计划.txt · 行 3", "attachment 计划.txt · line 3"},
		{nil, "", ""},
	} {
		if zh, en := corpus.InWords(c.at, true), corpus.InWords(c.at, false); zh != c.chinese || en != c.english {
			t.Errorf("%v: %q, %q", c.at, zh, en)
		}
	}
}
