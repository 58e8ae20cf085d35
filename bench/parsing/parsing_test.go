package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/cmd/kaoju/reading"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// TestMain lets the test binary stand in for the process that reads files.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == reading.Command {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestAReportSaysWhatWasMeasuredAndHow(t *testing.T) {
	formats := []formatCost{
		{name: "md", files: 3, refused: 1, bytes: 2_000_000, cost: cost{child: 300 * time.Millisecond, parent: 200 * time.Millisecond, peak: 20_000_000}},
		{name: "pdf", files: 2, bytes: 1_000_000, pages: 50, cost: cost{child: 2 * time.Second, peak: 90_000_000}},
		{name: "csv", files: 1, bytes: 10},
	}
	documents := []documentCost{{
		document: document{name: "book", pages: 100}, here: cost{child: 800 * time.Millisecond, parent: 200 * time.Millisecond, peak: 80_000_000},
		text: cost{child: 250 * time.Millisecond}, boxes: cost{child: 500 * time.Millisecond},
	}}
	got := report(formats, documents, conditions{loads: [2]float64{1.25, 17}, poppler: "pdftotext version 22.12.0", rounds: 3})
	for _, want := range []string{
		"least of 3\nruns", "load was 1.2 before and 17.0 after. pdftotext version 22.12.0.",
		"| md | 3 | 1 | 2.00 | 0.50 s | 4.0 | – | 20 MB |", "| pdf | 2 | 0 | 1.00 | 2.00 s | 0.5 | 25.0 | 90 MB |", "| csv | 1 | 0 | 0.00 | 0.00 s | – | – | 0 MB |",
		"| book | 100 | 1.00 s, 80 MB | 100.0 | 0.25 s | 4.0× | 0.50 s | 2.0× |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func TestTheLeastTimeCountsAndTheMostMemory(t *testing.T) {
	c := least(cost{}, cost{child: 3, parent: 1, peak: 5})
	c = least(c, cost{child: 2, parent: 1, peak: 4})
	c = least(c, cost{child: 9, peak: 7})
	if c != (cost{child: 2, parent: 1, peak: 7}) {
		t.Errorf("%+v", c)
	}
}

func TestFilesAreReadByAWarmChildAndMeasured(t *testing.T) {
	r, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	result, first, err := r.read(parse.File{Name: "book.pdf", Data: book(30)})
	if err != nil || pagesOf(result) != 30 || first.peak < 1<<20 || first.total() <= 0 {
		t.Fatalf("%d pages, %+v, %v", pagesOf(result), first, err)
	}
	c, err := r.readAll([]parse.File{{Name: "a.md", Data: []byte("# A\n\ntext\n")}, {Name: "book.pdf", Data: book(3)}})
	if err != nil || c.total() <= 0 || c.total() > first.total()*10 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := r.readAll([]parse.File{{Name: "a.xyzzy", Data: []byte("a")}}); err == nil {
		t.Error("a file that is refused was measured")
	}
}

func TestTheMadeBookIsReadByBoth(t *testing.T) {
	if _, err := exec.LookPath("pdftotext"); err != nil && sharedtest.Demands("poppler") {
		t.Fatalf("poppler is required: %v", err)
	} else if err != nil {
		t.Skip("poppler is not installed")
	}
	path := filepath.Join(t.TempDir(), "book.pdf")
	if err := os.WriteFile(path, book(50), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pdftotext", path, "-").Output()
	if n := strings.Count(string(out), " line "); err != nil || n != 50*bookLines {
		t.Errorf("pdftotext finds %d lines, %v", n, err)
	}
	if c, err := pdftotext(path); err != nil || c.total() <= 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := pdftotext(path + ".gone"); err == nil {
		t.Error("a document that is not there was measured")
	}
}
