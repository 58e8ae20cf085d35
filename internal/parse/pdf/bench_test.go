package pdf_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/pdf"
)

// book is a document of many full pages.
func book(pages int) paper {
	var doc paper
	for i := range pages {
		var lines []string
		for j := range 45 {
			lines = append(lines, fmt.Sprintf("page %d line %d: %s", i, j, strings.Repeat("words of a text ", 4)))
		}
		doc.pages = append(doc.pages, leaf{draw: column(60, 740, 10, lines...)})
	}
	return doc
}

func BenchmarkBook(b *testing.B) {
	const pages = 200
	data := book(pages).bytes()
	for b.Loop() {
		if _, err := shared().Parse(b.Context(), data, pdf.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(pages*b.N)/b.Elapsed().Seconds(), "pages/s")
}

// BenchmarkFile reads the documents that the environment names, to be compared with other readers.
func BenchmarkFile(b *testing.B) {
	for path := range strings.FieldsSeq(os.Getenv("KAOJU_BENCH_PDF")) {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(path), func(b *testing.B) {
			for b.Loop() {
				if _, err := shared().Parse(b.Context(), data, pdf.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestLongDocumentIsReadWhole(t *testing.T) {
	const pages = 300
	p := read(t, book(pages))
	if l := placed(t, p, fmt.Sprintf("page %d line 44: %s", pages-1, strings.TrimSpace(strings.Repeat("words of a text ", 4)))); l.Page != pages {
		t.Errorf("the last line is on page %d", l.Page)
	}
	if n := strings.Count(p.Text, " line "); n != pages*45 {
		t.Errorf("there are %d lines", n)
	}
}
