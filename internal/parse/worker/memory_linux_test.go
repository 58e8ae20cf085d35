//go:build !race

// The race detector takes several times the memory, so this is measured without it alone.

package worker

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestALongPDFDocumentStaysWithinItsMemory reads a book of 1,600 full pages in a child, and holds the
// most memory that the child had, the answer included, against the bound.
func TestALongPDFDocumentStaysWithinItsMemory(t *testing.T) {
	const pages, most = 1600, 300_000_000
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(cache, "kaoju", "pdfium")
	// The first child compiles where nothing is kept yet, which takes more than reading does.
	if _, err := answered(t, []string{program, "child", "--folder", folder, "--compile"}, book(1)); err != nil {
		t.Fatal(err)
	}
	peak, err := answered(t, []string{program, "child", "--folder", folder}, book(pages))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d pages took %d MB", pages, peak/1_000_000)
	if peak == 0 || peak > most {
		t.Errorf("the child held %d bytes, and may hold %d", peak, most)
	}
}

// answered lets a fresh child read a document, and returns the most memory that it held.
func answered(t *testing.T, command []string, data []byte) (int64, error) {
	t.Helper()
	o := New(Options{}).options
	c, err := start(command, t.TempDir(), o)
	if err != nil {
		return 0, err
	}
	a, err := c.ask(t.Context(), request{Op: opParse, Name: "book.pdf", Size: len(data)}, data, o.Output)
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	end := c.end(err)
	if err != nil {
		return 0, fmt.Errorf("the child ended (%s): %w", end.cause, err)
	}
	if err := a.Problem.error(); err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes int64
	_, err = fmt.Sscanf(after, "%d kB", &kilobytes)
	return kilobytes << 10, err
}

// book is a PDF document of full pages.
func book(pages int) []byte {
	var b bytes.Buffer
	offsets := []int{}
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
		for j := range 45 {
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
