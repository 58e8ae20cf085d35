package pdf_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/ocr"
	"github.com/kaoju/kaoju/internal/parse/ocr/ocrtest"
	"github.com/kaoju/kaoju/internal/parse/pdf"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// Recognised characters of Chinese are words of their own to the program, with gaps between them that are no spaces.
func TestNoSpacesStandBetweenRecognisedChineseCharacters(t *testing.T) {
	doc := paper{pages: []leaf{scanned(t, page(at(100, 700, 12, "any ink")), "")}}
	for name, c := range map[string]struct {
		words []ocrtest.Word
		want  string
	}{
		"characters":        {[]ocrtest.Word{word("上", 100, 90, 11, 12, 95), word("海", 114, 90, 11, 12, 95), word("住宿", 128, 90, 24, 12, 95), word("。", 154, 90, 5, 12, 95)}, "上海住宿。"},
		"words beside them": {[]ocrtest.Word{word("每晚", 100, 90, 24, 12, 95), word("650", 130, 90, 20, 12, 95), word("元", 156, 90, 12, 12, 95)}, "每晚 650 元"},
		"Latin words":       {[]ocrtest.Word{word("per", 100, 90, 20, 12, 95), word("night", 124, 90, 30, 12, 95)}, "per night"},
		"full-width signs":  {[]ocrtest.Word{word("价格", 100, 90, 24, 12, 95), word("（", 127, 90, 6, 12, 95), word("元", 136, 90, 12, 12, 95), word("）", 150, 90, 6, 12, 95)}, "价格（元）"},
	} {
		p, err := recognising(t, saying(t, c.words...), doc)
		if err != nil || p.Text != c.want {
			t.Errorf("%s: %q, %v, want %q", name, p.Text, err, c.want)
		}
	}
}

// A character that the program is unsure of stands between others that it is sure of: without it the line would say something
// else. One that stands alone, or among others like it, is left out like any word.
func TestCharactersOfOneLineAreSureTogether(t *testing.T) {
	doc := paper{pages: []leaf{scanned(t, page(at(100, 700, 12, "any ink")), "")}}
	program := func(rows string) *ocr.Engine {
		return &ocr.Engine{Program: ocrtest.Says(t, rows), Languages: "eng"}
	}
	one := func(words ...ocrtest.Word) string { // on one line
		table := ocrtest.Table(words...)
		var out []string
		for i, row := range strings.Split(table, "\n") {
			if i < 3 || !strings.HasPrefix(row, "4\t") {
				out = append(out, row)
			}
		}
		return strings.Join(out, "\n")
	}
	for name, c := range map[string]struct{ rows, want string }{
		"between others": {one(word("水", 100, 90, 12, 12, 95), word("泵", 114, 90, 12, 12, 0), word("的压力", 128, 90, 36, 12, 95)), "水泵的压力"},
		"a Latin word":   {one(word("水泵水泵水泵水泵", 100, 90, 96, 12, 95), word("xq", 200, 90, 8, 12, 0), word("的压力", 212, 90, 36, 12, 95)), "水泵水泵水泵水泵\t的压力"},
		"most of them":   {one(word("水压水压水压水压水压", 100, 90, 120, 12, 95), word("abc", 230, 90, 20, 12, 95), word("泵", 260, 90, 12, 12, 5), word("的", 274, 90, 12, 12, 40)), "水压水压水压水压水压 abc"},
		"another line":   {ocrtest.Table(word("水压水压水压水压水压", 100, 90, 120, 12, 95), word("泵", 100, 200, 12, 12, 0)), "水压水压水压水压水压"},
	} {
		if p, err := recognising(t, program(c.rows), doc); err != nil || p.Text != c.want {
			t.Errorf("%s: %q, %v, want %q", name, p.Text, err, c.want)
		}
	}
}

// chinese is the program with its Chinese model. Where it is not there, the test is skipped, or fails if it is demanded.
func chinese(t *testing.T) *ocr.Engine {
	t.Helper()
	program := ocrtest.Real(t)
	out, err := exec.Command(program, "--list-langs").CombinedOutput()
	if err != nil || !slices.Contains(strings.Fields(string(out)), "chi_sim") {
		if sharedtest.Demands("ocr") {
			t.Fatalf("a program that recognises Chinese is required: %v", err)
		}
		t.Skip("tesseract does not know Chinese here (apt-get install tesseract-ocr-chi-sim)")
	}
	return &ocr.Engine{Program: program, Languages: "chi_sim+eng"}
}

// TestTheRealProgramReadsAChinesePage has four lines of our own words, 1100 by 500 pixels, on a page of 600 by 800 points.
func TestTheRealProgramReadsAChinesePage(t *testing.T) {
	engine := chinese(t)
	data, err := os.ReadFile(filepath.Join("testdata", "chinese.png"))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	grey := make([]byte, 0, b.Dx()*b.Dy())
	for y := range b.Dy() {
		for x := range b.Dx() {
			r, _, _, _ := img.At(x, y).RGBA()
			grey = append(grey, byte(r>>8))
		}
	}
	picture := fmt.Sprintf("q 396 0 0 180 100 500 cm BI /W %d /H %d /CS /G /BPC 8 /F /AHx ID %s> EI Q", b.Dx(), b.Dy(), hex.EncodeToString(grey))
	p, err := recognising(t, engine, paper{pages: []leaf{{picture, ""}}})
	if err != nil || !slices.Contains(p.Notices, pdf.Recognised) {
		t.Fatalf("%q, %v, %v", p.Text, p.Notices, err)
	}
	for _, line := range []string{"设备维修记录", "冷却水泵的额定压力为", "兆帕", "每月检查一次过滤器和密封垫", "更换零件后必须重新试压"} {
		if !strings.Contains(p.Text, line) {
			t.Errorf("%q is not in %q", line, p.Text)
		}
	}
	// The third line begins at 100, 320 of the picture, which has two hundred dots to the inch as scans do, and ends at 800.
	var found []corpus.Box
	for _, block := range p.Blocks {
		for _, s := range block.Segments {
			if l, ok := s.Locator.(corpus.PDFLocator); ok && strings.Contains(string([]rune(p.Text)[s.Span.Start:s.Span.End]), "过滤器") {
				found = append(found, l.Boxes...)
			}
		}
	}
	if len(found) == 0 {
		t.Fatal("the line has no place")
	}
	around := found[0]
	for _, box := range found {
		around = corpus.Box{min(around[0], box[0]), min(around[1], box[1]), max(around[2], box[2]), max(around[3], box[3])}
	}
	if want := (corpus.Box{136, 218, 388, 238}); !near(around[0], want[0], 8) || !near(around[1], want[1], 8) || !near(around[2], want[2], 14) || !near(around[3], want[3], 8) {
		t.Errorf("the line is at %v, want about %v", around, want)
	}
}
