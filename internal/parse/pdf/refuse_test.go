package pdf_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/ascii85"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/pdf"
	"github.com/kaoju/kaoju/internal/problem"
)

func deflate(b []byte) []byte {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

func zeros(n int) []byte { return bytes.Repeat([]byte(" "), n) }

// packed is a document whose page has a packed stream of drawing.
func packed(filter string, body []byte) []byte {
	p := page()
	p.more = []string{stream("/Filter "+filter, string(body))}
	return bytes.ReplaceAll(p.bytes(), []byte("/Contents 8 0 R"), []byte("/Contents 9 0 R"))
}

func a85(b []byte) []byte {
	out := make([]byte, ascii85.MaxEncodedLen(len(b)))
	return append(out[:ascii85.Encode(out, b)], "~>"...)
}

func TestFileThatCannotBeReadIsRefusedWithItsCause(t *testing.T) {
	good := page(at(100, 700, 12, "text")).bytes()
	encrypted := paper{pages: []leaf{{}}, trailer: "/Encrypt << /Filter /Standard /V 1 /R 2 /O (" + strings.Repeat("o", 32) + ") /U (" + strings.Repeat("u", 32) + ") /P -4 >> /ID [(x) (x)]"}
	zip := "PK\x05\x06" + strings.Repeat("\x00", 18)
	const small = 1 << 20
	for _, c := range []struct {
		name string
		data []byte
		code string // "" for a file that is read
	}{
		{"good", good, ""},
		{"another kind of file", []byte("MZ\x90\x00 and so on"), "content_mismatch"},
		{"a word before its head", append([]byte("junk\n"), good...), ""},
		{"a document and an archive", append(bytes.Clone(good), zip...), "content_mismatch"},
		{"the bytes of an archive's end elsewhere", append(bytes.Clone(good), (zip + "and more")...), ""},
		{"a head alone", []byte("%PDF-1.7\n"), "pdf_malformed"},
		{"encrypted", encrypted.bytes(), "document_encrypted"},
		{"no pages", paper{}.bytes(), "pdf_malformed"},
		{"pages that hold each other", assemble([]string{"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 2 >>", "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"}, ""), "pdf_malformed"},
		{"an absurd count", bytes.ReplaceAll(good, []byte("/Count 1"), []byte("/Count 2147483647")), "pdf_malformed"},
		{"a negative count", bytes.ReplaceAll(good, []byte("/Count 1"), []byte("/Count -2147483648")), "pdf_malformed"},
		{"a count beyond all numbers", bytes.ReplaceAll(good, []byte("/Count 1"), []byte("/Count 99999999999999999999999")), "pdf_malformed"},
		{"a wrong count", bytes.ReplaceAll(good, []byte("/Count 1"), []byte("/Count 3")), ""},
		{"an object that is itself", assembleWith("9 0 R"), "pdf_malformed"},
		{"a stream as long as itself", assembleWith("<< /Length 9 0 R >>\nstream\n2\nendstream"), "pdf_malformed"},
		{"an object that is another", assembleWith("8 0 R"), ""},
		{"arrays in arrays", assembleWith(strings.Repeat("[", 3000)), "pdf_malformed"},
		{"dictionaries in dictionaries", assembleWith(strings.Repeat("<</A", 3000)), "pdf_malformed"},
		{"many arrays side by side", assembleWith("[" + strings.Repeat("[]", 3000) + "]"), ""},
		{"brackets in a string", assembleWith("(" + strings.Repeat("[", 3000) + ")"), ""},
		{"a stream that bursts", packed("/FlateDecode", deflate(zeros(2*small))), "stream_limit"},
		{"a stream that bursts the second time", packed("[/FlateDecode /FlateDecode]", deflate(deflate(zeros(40*small)))), "stream_limit"},
		{"a stream that bursts inside text", packed("[/ASCII85Decode /FlateDecode]", a85(deflate(zeros(2*small)))), "stream_limit"},
		{"a stream within the limit", packed("/FlateDecode", deflate(append(zeros(small/2), at(100, 700, 12, "text")...))), ""},
		{"a large picture", packed("/FlateDecode /Subtype /Image /Width 2048 /Height 1024", deflate(zeros(2*small))), ""},
		{"a large picture, written closely", packed("/FlateDecode/Subtype/Image/Width 2048", deflate(zeros(2*small))), ""},
		{"a stream that names pictures", packed("/FlateDecode /ProcSet [/PDF /ImageC]", deflate(zeros(2*small))), "stream_limit"},
		{"a stream of a kind like a picture's", packed("/FlateDecode /Subtype /ImageLike", deflate(zeros(2*small))), "stream_limit"},
		{"a stream with a picture's name elsewhere", packed("/FlateDecode /Subtype /Form /Name /Image", deflate(zeros(2*small))), "stream_limit"},
		{"damaged and without text", bytes.ReplaceAll(page().bytes(), []byte("/Length 0"), []byte("/Length 7")), "pdf_malformed"},
		{"damaged but readable", bytes.ReplaceAll(good, []byte("startxref\n"), []byte("startxref\n9")), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := shared().Parse(t.Context(), c.data, pdf.Limits{Stream: small})
			if c.code == "" {
				if err != nil {
					t.Errorf("it was refused: %v", err)
				}
				return
			}
			if problem.CodeOf(err) != c.code || !problem.Is(err, problem.Invalid) || len(p.Blocks) != 0 {
				t.Errorf("%d blocks, %v, want %s", len(p.Blocks), err, c.code)
			}
		})
	}
}

// TestMemoryEndsAStreamThatPassesTheSieve reads streams that burst beyond the memory of the machine and don't say so plainly.
func TestMemoryEndsAStreamThatPassesTheSieve(t *testing.T) {
	var bomb bytes.Buffer
	z, _ := zlib.NewWriterLevel(&bomb, zlib.BestSpeed)
	for range 400 {
		_, _ = z.Write(zeros(1 << 20))
	}
	_ = z.Close()
	for name, filter := range map[string]string{
		"it calls itself a picture": "/FlateDecode /Subtype /Image",
		"its filter is escaped":     "/#46lateDecode",
	} {
		t.Run(name, func(t *testing.T) {
			p, err := shared().Parse(t.Context(), packed(filter, bomb.Bytes()), pdf.Limits{})
			if problem.CodeOf(err) != "pdf_malformed" || len(p.Blocks) != 0 {
				t.Errorf("%d blocks, notices %v, %v", len(p.Blocks), p.Notices, err)
			}
		})
	}
}

// assembleWith is a good document with one more object, number 9.
func assembleWith(object string) []byte {
	p := page(at(100, 700, 12, "text"))
	p.more = []string{object}
	return p.bytes()
}

func TestMoreLinesThanTheLimitAreRefused(t *testing.T) {
	doc := page(column(100, 700, 10, "one", "two", "three"))
	for lines, refused := range map[int]bool{2: true, 3: false} {
		if _, err := shared().Parse(t.Context(), doc.bytes(), pdf.Limits{Lines: lines}); refused != (problem.CodeOf(err) == "too_large") {
			t.Errorf("with %d lines: %v", lines, err)
		}
	}
	// Each cell has a place, so that each counts.
	table := page(column(100, 700, 20, "a", "b"), column(300, 700, 20, "1", "2"))
	for cells, refused := range map[int]bool{3: true, 4: false} {
		if _, err := shared().Parse(t.Context(), table.bytes(), pdf.Limits{Lines: cells}); refused != (problem.CodeOf(err) == "too_large") {
			t.Errorf("with %d cells: %v", cells, err)
		}
	}
}

func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	data := page(at(1, 1, 12, "x")).bytes()
	if p, err := shared().Parse(ctx, data, pdf.Limits{}); !errors.Is(err, context.Canceled) || problem.Is(err, problem.Unavailable) || p.Text != "" {
		t.Errorf("the document was read as %q, %v", p.Text, err)
	}
	if _, err := shared().Picture(ctx, data, pdf.Limits{}, 1, 300); !errors.Is(err, context.Canceled) || problem.Is(err, problem.Unavailable) {
		t.Errorf("the page was drawn: %v", err)
	}
}

func TestDocumentsAreReadAtTheSameTime(t *testing.T) {
	for i := range 6 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			word := fmt.Sprintf("document%d", i)
			for range 5 {
				if got := read(t, page(at(100, 700, 12, word))).Text; got != word {
					t.Errorf("%q, want %q", got, word)
				}
			}
		})
	}
}

func TestClosedEngineStartsAgain(t *testing.T) {
	e := &pdf.Engine{Dir: shared().Dir}
	for range 2 {
		if err := e.Warm(); err != nil {
			t.Fatal(err)
		}
		p, err := e.Parse(t.Context(), page(at(100, 700, 12, "again")).bytes(), pdf.Limits{})
		if err != nil || p.Text != "again" {
			t.Errorf("%q, %v", p.Text, err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Errorf("closing what is closed: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(page(at(100, 700, 12, "text")).bytes())
	f.Add(packed("/FlateDecode", deflate([]byte(at(100, 700, 12, "text")))))
	f.Add(paper{catalog: "/PageLabels << /Nums [0 << /S /r >>] >>", pages: []leaf{{draw: column(60, 700, 10, "a b", "c-", "d")}, {}}}.bytes())
	f.Add([]byte("%PDF-1.7\n1 0 obj <</Length 1 0 R>> stream\nendstream"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := shared().Parse(t.Context(), data, pdf.Limits{Pages: 20, Lines: 2000, Stream: 1 << 20})
		if err != nil {
			if !problem.Is(err, problem.Invalid) || len(p.Blocks) != 0 {
				t.Fatalf("%d blocks, %v", len(p.Blocks), err)
			}
			return
		}
		end, text := 0, []rune(p.Text)
		for _, b := range p.Blocks {
			if b.Span.Start < end || b.Span.End <= b.Span.Start || b.Span.End > len(text) || len(b.Segments) == 0 {
				t.Fatalf("the block %v comes after %d of %d", b.Span, end, len(text))
			}
			end = b.Span.End
		}
	})
}
