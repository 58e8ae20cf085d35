package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
)

// document is a PDF document to be compared over.
type document struct {
	name, path string
	data       []byte
	pages      int
}

// sources are documents of the shared material, which are joined with themselves until they have a hundred pages.
var sources = []struct {
	name, file string
	pages      int
}{
	{"two-column paper", "two-column-tracemonkey.pdf", 14},
	{"journal paper", "paper-pagelabels.pdf", 13},
	{"book sample", "ibm-redbook-sampled.pdf", 18},
	{"contract", "contract-10p.pdf", 10},
}

// longDocuments makes the documents of a hundred pages and more.
func longDocuments(dir, temp string) (out []document, err error) {
	for _, s := range sources {
		times := (100 + s.pages - 1) / s.pages
		path := filepath.Join(temp, s.file)
		args := make([]string, times, times+1)
		for i := range args {
			args[i] = filepath.Join(dir, s.file)
		}
		if said, err := exec.Command("pdfunite", append(args, path)...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("pdfunite %s: %w: %s", s.file, err, said)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		out = append(out, document{name: fmt.Sprintf("%s, %d times", s.name, times), path: path, data: data, pages: times * s.pages})
	}
	for _, pages := range []int{200, 1600} {
		d := document{name: fmt.Sprintf("made book of %d lines", pages*bookLines), path: filepath.Join(temp, fmt.Sprintf("book%d.pdf", pages)), data: book(pages), pages: pages}
		if err := os.WriteFile(d.path, d.data, 0o600); err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// pagesOf returns the last page of a document that has a place, and 0 for a format without pages.
func pagesOf(r parse.Result) (last int) {
	for _, b := range r.Parsed.Blocks {
		for _, s := range b.Segments {
			if at, ok := s.Locator.(corpus.PDFLocator); ok {
				last = max(last, at.Page)
			}
		}
	}
	return last
}

const bookLines = 45 // of a page

// book is a PDF document of full pages.
func book(pages int) []byte {
	var b bytes.Buffer
	var offsets []int
	object := func(format string, args ...any) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n", len(offsets))
		fmt.Fprintf(&b, format, args...)
		b.WriteString("\nendobj\n")
	}
	b.WriteString("%PDF-1.7\n")
	var kids strings.Builder
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", 4+2*i)
	}
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object("<< /Type /Pages /Kids [%s] /Count %d >>", kids.String(), pages)
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	for i := range pages {
		var draw strings.Builder
		for j := range bookLines {
			fmt.Fprintf(&draw, "BT /F1 10 Tf 1 0 0 1 60 %d Tm (page %d line %d: %s) Tj ET\n", 740-12*j, i, j, strings.Repeat("words of a text ", 4))
		}
		object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>", 5+2*i)
		object("<< /Length %d >>\nstream\n%s\nendstream", draw.Len(), draw.String())
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, at)
	return b.Bytes()
}
