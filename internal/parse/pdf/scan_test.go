package pdf_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/ocr"
	"github.com/kaoju/kaoju/internal/parse/ocr/ocrtest"
	"github.com/kaoju/kaoju/internal/parse/pdf"
)

// scanned is a page that shows the picture of another one, and has no text.
func scanned(t testing.TB, p paper, entries string) leaf {
	t.Helper()
	img, _ := rendered(t, p, 1, 1200)
	b := img.Bounds()
	row := (b.Dx() + 7) / 8
	bits := make([]byte, row*b.Dy())
	for y := range b.Dy() {
		for x := range b.Dx() {
			if r, _, _, _ := img.At(x, y).RGBA(); r > 0x8000 {
				bits[y*row+x/8] |= 0x80 >> (x % 8)
			}
		}
	}
	return leaf{fmt.Sprintf("q 600 0 0 800 0 0 cm BI /W %d /H %d /CS /G /BPC 1 /F /AHx ID %s> EI Q", b.Dx(), b.Dy(), hex.EncodeToString(bits)), entries}
}

// recognising reads a document with a program that recognises characters, in the machine of all tests.
func recognising(t testing.TB, e *ocr.Engine, p paper) (corpus.Parsed, error) {
	t.Helper()
	engine := shared()
	engine.OCR = e
	defer func() { engine.OCR = nil }()
	return engine.Parse(t.Context(), p.bytes(), pdf.Limits{})
}

func saying(t testing.TB, words ...ocrtest.Word) *ocr.Engine {
	return &ocr.Engine{Program: ocrtest.Says(t, ocrtest.Table(words...)), Languages: "eng"}
}

// The picture of a page of 600 by 800 points has 1666 by 2221 pixels.
func pixel(v float32) int { return int(v * 200 / 72) }

func word(text string, left, top, width, height float32, sure int) ocrtest.Word {
	return ocrtest.Word{Text: text, Left: pixel(left), Top: pixel(top), Width: pixel(width), Height: pixel(height), Confidence: sure}
}

func TestWordsOnAPictureOfAPageHaveTheirPlaces(t *testing.T) {
	doc := paper{pages: []leaf{scanned(t, page(at(100, 700, 12, "any ink")), "")}}
	p, err := recognising(t, saying(t, word("Price", 100, 90, 60, 12, 95), word("650", 164, 90, 30, 12, 91), word("上限", 100, 300, 24, 12, 96)), doc)
	if err != nil || p.Text != "Price 650\n\n上限" || !slices.Equal(p.Notices, []string{pdf.Recognised}) {
		t.Fatalf("%q, %v, %v", p.Text, p.Notices, err)
	}
	l := placed(t, p, "Price 650")
	want := []corpus.Box{{100, 90, 162, 102}, {162, 90, 194, 102}}
	for i, b := range l.Boxes {
		for j := range b {
			if len(l.Boxes) != 2 || !near(b[j], want[i][j], 0.7) {
				t.Fatalf("the boxes are %v, want about %v", l.Boxes, want)
			}
		}
	}
	if l.Page != 1 || l.PageSize != [2]float32{600, 800} {
		t.Errorf("the place is %+v", l)
	}
}

func TestAPlaceOnAPictureOpensAgain(t *testing.T) {
	doc := paper{pages: []leaf{scanned(t, page(at(100, 700, 12, "any ink")), "")}}
	e := saying(t, word("Price", 100, 90, 60, 12, 95), word("650", 164, 90, 30, 12, 91))
	p, err := recognising(t, e, doc)
	if err != nil {
		t.Fatal(err)
	}
	engine := shared()
	engine.OCR = e
	defer func() { engine.OCR = nil }()
	text, ok, err := engine.Resolve(t.Context(), doc.bytes(), pdf.Limits{}, placed(t, p, "Price 650"))
	if err != nil || !ok || text != "Price 650" {
		t.Errorf("it opens to %q, %v, %v", text, ok, err)
	}
}

func TestOnlyPagesThatMayHoldTextAreSentToTheProgram(t *testing.T) {
	program := ocrtest.Script(t, ocrtest.Table(word("scan", 100, 90, 60, 12, 95)), `/bin/cat >/dev/null; echo picture >> "$LEFT/asked"; /bin/cat "$SAID"`)
	doc := paper{pages: []leaf{{at(100, 700, 12, "text"), ""}, {"", ""}, scanned(t, page(at(100, 700, 12, "ink")), ""), {"0.5 g 0 0 600 800 re f", ""}}}
	p, err := recognising(t, &ocr.Engine{Program: program, Languages: "eng"}, doc)
	if err != nil || p.Text != "text\n\nscan" {
		t.Errorf("%q, %v", p.Text, err)
	}
	asked, err := os.ReadFile(filepath.Join(filepath.Dir(program), "asked"))
	if n := strings.Count(string(asked), "picture"); err != nil || n != 1 {
		t.Errorf("the program got %d pages (%v)", n, err)
	}
}

func TestWhatTheProgramIsUnsureOfIsSaidOrLeftOut(t *testing.T) {
	doc := paper{pages: []leaf{scanned(t, page(at(100, 700, 12, "ink")), "")}}
	for name, c := range map[string]struct {
		words   []ocrtest.Word
		text    string
		notices []string
	}{
		"sure":               {[]ocrtest.Word{word("sure", 100, 90, 60, 12, 95)}, "sure", []string{pdf.Recognised}},
		"not quite sure":     {[]ocrtest.Word{word("maybe", 100, 90, 60, 12, 75)}, "maybe", []string{pdf.Recognised, pdf.Uncertain}},
		"unsure of a word":   {[]ocrtest.Word{word("perhaps", 100, 90, 60, 12, 95), word("x", 164, 90, 6, 12, 12)}, "perhaps", []string{pdf.Recognised, pdf.Uncertain}},
		"unsure of the page": {[]ocrtest.Word{word("good", 100, 90, 60, 12, 95), word("peuleluoo", 164, 90, 60, 12, 40)}, "", []string{pdf.Unrecognised}},
		"nothing there":      {nil, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := recognising(t, saying(t, c.words...), doc)
			if d := cmp.Diff(c.notices, p.Notices); err != nil || p.Text != c.text || d != "" {
				t.Errorf("%q, %v: %s", p.Text, err, d)
			}
		})
	}
}

func TestAProgramThatFailsLeavesTheOtherPages(t *testing.T) {
	doc := paper{pages: []leaf{{at(100, 700, 12, "text"), ""}, scanned(t, page(at(100, 700, 12, "ink")), "")}}
	e := &ocr.Engine{Program: ocrtest.Script(t, "", "exit 1"), Languages: "eng"}
	if p, err := recognising(t, e, doc); err != nil || p.Text != "text" || !slices.Equal(p.Notices, []string{pdf.Unrecognised}) {
		t.Errorf("%q, %v, %v", p.Text, p.Notices, err)
	}
	for name, e := range map[string]*ocr.Engine{"none": nil, "without a program": {Languages: "eng"}, "without a language": {Program: ocrtest.Says(t, ""), Languages: "deu"}} {
		if p, err := recognising(t, e, doc); err != nil || p.Text != "text" || len(p.Notices) != 0 {
			t.Errorf("%s: %q, %v, %v", name, p.Text, p.Notices, err)
		}
	}
}

func TestPicturesOfOneFileHaveABoundedTime(t *testing.T) {
	scan := scanned(t, page(at(100, 700, 12, "ink")), "")
	e := saying(t, word("scan", 100, 90, 60, 12, 95))
	e.File = time.Nanosecond
	p, err := recognising(t, e, paper{pages: []leaf{scan, scan, {at(100, 700, 12, "text"), ""}}})
	if err != nil || p.Text != "scan\n\ntext" || !slices.Equal(p.Notices, []string{pdf.Recognised, pdf.Unrecognised}) {
		t.Errorf("%q, %v, %v", p.Text, p.Notices, err)
	}
}

func TestAContextThatEndsWhileAPageIsRecognisedIsTheError(t *testing.T) {
	doc := paper{pages: []leaf{scanned(t, page(at(100, 700, 12, "ink")), "")}}
	program := ocrtest.Script(t, "", `echo > "$LEFT/started"; exec /bin/sleep 600`)
	engine := shared()
	engine.OCR = &ocr.Engine{Program: program, Languages: "eng"}
	defer func() { engine.OCR = nil }()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(filepath.Dir(program), "started")); err == nil {
				cancel()
			}
		}
	}()
	if _, err := engine.Parse(ctx, doc.bytes(), pdf.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}

func TestTheRealProgramReadsAPage(t *testing.T) {
	e := &ocr.Engine{Program: ocrtest.Real(t), Languages: "eng"}
	for name, entries := range map[string]string{"upright": "", "cropped": "/CropBox [50 100 550 750]"} {
		t.Run(name, func(t *testing.T) {
			source := page(at(100, 700, 20, "Lodging in Lima"), at(100, 640, 14, "The limit is 650 soles a night."), at(100, 615, 14, "Ask before you book."))
			p, err := recognising(t, e, paper{pages: []leaf{scanned(t, source, entries)}})
			if err != nil || !strings.Contains(p.Text, "The limit is 650 soles a night.") || p.Notices[0] != pdf.Recognised {
				t.Fatalf("%q, %v, %v", p.Text, p.Notices, err)
			}
			source.pages[0].entries = entries
			const line = "The limit is 650 soles a night."
			want, got := placed(t, read(t, source), line), placed(t, p, line)
			if len(got.Boxes) != len(want.Boxes) || got.PageSize != want.PageSize {
				t.Fatalf("the place is %+v, want %+v", got, want)
			}
			for i := range got.Boxes {
				for j := range got.Boxes[i] {
					if !near(got.Boxes[i][j], want.Boxes[i][j], 6) {
						t.Errorf("box %d is %v, want about %v", i, got.Boxes[i], want.Boxes[i])
					}
				}
			}
		})
	}
}
