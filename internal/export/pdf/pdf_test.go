package pdf_test

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/export/pdf"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// mixed says something in every writing that a document can be read back in, and cites.
var mixed = pdf.Document{
	Title: "上海住宿 <Lodging> (a\\b)", Chinese: true, Made: time.Date(2026, 11, 29, 8, 30, 0, 0, time.UTC),
	Body: []pdf.Paragraph{
		{Pieces: []pdf.Piece{{Text: "上海住宿标题", Face: pdf.Bold}}, Size: 19, Keep: true},
		{Pieces: []pdf.Piece{{Text: "每晚上限为 650 元"}, {Note: 1}, {Text: "，“不含”早餐"}, {Note: 2}, {Note: 1}, {Text: "。"}}, Size: 10.5},
		{Pieces: []pdf.Piece{{Text: "Grüße, Łódź, żółw, Ελληνικά, Москва; 繁體中文; 日本語カタカナ; ≤ ① € (a\\b) <x>"}}, Size: 10.5},
		{Pieces: []pdf.Piece{{Text: "한국어 문장"}}, Size: 10.5},
		{Pieces: []pdf.Piece{{Text: "func main() {}\n\treturn", Face: pdf.Code}}, Size: 9, Left: 18, Mark: "1."},
	},
	Notes: []string{"S1: 差旅制度 · 第 2 版", "S2: Breakfast"},
}

func written(t *testing.T, d pdf.Document) []byte {
	t.Helper()
	raw, err := pdf.Write(d)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// pieces are what has to be found in the text of mixed, word for word.
var pieces = []string{
	"上海住宿标题", "每晚上限为 650 元", "，“不含”早餐", "Grüße, Łódź, żółw, Ελληνικά, Москва", "繁體中文", "日本語カタカナ", "≤ ① € (a\\b) <x>", "한국어 문장", "func main() {}", "return",
	"S1: 差旅制度 · 第 2 版", "S2: Breakfast", "1 / 1",
}

// read reads a document as our own reader does.
func read(t *testing.T, raw []byte) corpus.Parsed {
	t.Helper()
	if racing {
		t.Skip("the race detector sees nothing of what PDFium does, and takes minutes for it")
	}
	r, err := parse.Parse(t.Context(), parse.File{Name: "a.pdf", Data: raw})
	if err != nil {
		t.Fatal(err)
	}
	return r.Parsed
}

func TestOurOwnReaderReadsTheTextBack(t *testing.T) {
	parsed := read(t, written(t, mixed))
	for _, p := range pieces {
		if !strings.Contains(tight(parsed.Text), tight(p)) {
			t.Errorf("%q is not in\n%s", p, parsed.Text)
		}
	}
	if strings.Contains(parsed.Text, "\uFFFD") || strings.Contains(parsed.Text, "\x00") {
		t.Errorf("a character has no meaning: %q", parsed.Text)
	}
	text, note := place(t, parsed, "每晚上限为"), place(t, parsed, "Breakfast")
	if text.Page != 1 || note.Page != 1 || note.Boxes[0][1] < 700 || text.Boxes[0][1] > 200 {
		t.Errorf("the text is at %v and the note at %v of %v", text.Boxes, note.Boxes, note.PageSize)
	}
}

// tight is a text without the white space that readers of PDF find or don't between two writings.
func tight(s string) string { return strings.Join(strings.Fields(s), "") }

func place(t *testing.T, p corpus.Parsed, piece string) corpus.PDFLocator {
	t.Helper()
	all := []rune(p.Text)
	for _, b := range p.Blocks {
		for _, s := range b.Segments {
			if strings.Contains(string(all[s.Span.Start:s.Span.End]), piece) {
				return s.Locator.(corpus.PDFLocator)
			}
		}
	}
	t.Fatalf("%q is nowhere in\n%s", piece, p.Text)
	return corpus.PDFLocator{}
}

func TestPopplerReadsTheTextBack(t *testing.T) {
	tool, err := exec.LookPath("pdftotext")
	if err != nil && sharedtest.Demands("poppler") {
		t.Fatalf("poppler is required: %v", err)
	}
	if err != nil {
		t.Skip("there is no pdftotext to read with")
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, tool, "-enc", "UTF-8", "-", "-")
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(written(t, mixed)), &errs
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 {
		t.Fatalf("%v: %s", err, errs.String())
	}
	for _, p := range pieces {
		if !strings.Contains(tight(string(out)), tight(p)) {
			t.Errorf("%q is not in\n%s", p, out)
		}
	}
}

var (
	rect = regexp.MustCompile(`/Rect\[([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)\]/Dest\[(\d+) 0 R/XYZ 0 ([\d.]+) null\]`)
	line = regexp.MustCompile(`(?m)^(\d{10}) 00000 n $`)
)

func TestLinksLeadFromMarksToNotesAndBack(t *testing.T) {
	raw := written(t, mixed)
	var low, high int
	for _, m := range rect.FindAllSubmatch(raw, -1) {
		y, to := number(t, m[2]), number(t, m[6])
		switch {
		case y > 700 && to < 150:
			high++ // a mark of the text, to a note
		case y < 150 && to > 700:
			low++ // a note, to its first mention
		default:
			t.Errorf("a link at %v leads to %v", y, to)
		}
		if !bytes.Contains(raw, fmt.Appendf(nil, "\n%s 0 obj\n<</Type/Page/", m[5])) {
			t.Errorf("object %s is no page", m[5])
		}
	}
	if high != 3 || low != 2 {
		t.Errorf("%d marks and %d notes lead anywhere, want 3 and 2", high, low)
	}
}

func number(t *testing.T, b []byte) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestNothingInADocumentIsActive(t *testing.T) {
	d := mixed
	d.Title = "(/URI(http://x.invalid)/S/JavaScript)>> endobj"
	d.Body = []pdf.Paragraph{{Pieces: []pdf.Piece{{Text: "/URI(http://x.invalid) endstream endobj /OpenAction /JS http://y.invalid"}, {Note: 1}}, Size: 10}}
	d.Notes = []string{"/Launch /AA http://z.invalid"}
	raw := string(written(t, d))
	for _, word := range []string{"/URI", "/JS", "/JavaScript", "/OpenAction", "/AA", "/Launch", "/S/", "/A<<", "/EmbeddedFile", "/XFA", "/AcroForm", "invalid", "/FontFile"} {
		if strings.Contains(raw, word) {
			t.Errorf("%s is in the document", word)
		}
	}
}

func TestTheTableOfObjectsLeadsToThem(t *testing.T) {
	raw := written(t, mixed)
	for i, m := range line.FindAllSubmatch(raw, -1) {
		at := int(number(t, m[1]))
		if want := fmt.Sprintf("%d 0 obj\n", i+1); !bytes.HasPrefix(raw[at:], []byte(want)) {
			t.Errorf("object %d is not at %d: %q", i+1, at, raw[at:at+12])
		}
	}
	if n := len(line.FindAll(raw, -1)); n != bytes.Count(raw, []byte("\nendobj\n")) || n < 10 {
		t.Errorf("%d of %d objects are in the table", n, bytes.Count(raw, []byte("\nendobj\n")))
	}
	end := raw[bytes.LastIndex(raw, []byte("startxref\n"))+10:]
	if at := int(number(t, end[:bytes.IndexByte(end, '\n')])); !bytes.HasPrefix(raw[at:], []byte("xref\n")) {
		t.Errorf("the table is not at %d", at)
	}
}

func TestADocumentSaysItsLanguageAndTitle(t *testing.T) {
	for chinese, want := range map[bool]string{true: "/Lang(zh-CN)", false: "/Lang(en)"} {
		d := mixed
		d.Chinese = chinese
		raw := string(written(t, d))
		if !strings.Contains(raw, want) || !strings.Contains(raw, "/DisplayDocTitle true") || !strings.Contains(raw, "/Title<FEFF4E0A6D77") || !strings.Contains(raw, "D:20261129083000+00'00'") {
			t.Errorf("%t: %s", chinese, raw[len(raw)-900:])
		}
	}
	if raw := string(written(t, pdf.Document{})); strings.Contains(raw, "CreationDate") || !strings.Contains(raw, "/Count 1") {
		t.Error("an empty document is a page without a date")
	}
}

func TestManyFurtherLettersTakeAnotherFont(t *testing.T) {
	all := ""
	for r := rune(0x0250); r < 0x0250+80; r++ { // letters of the phonetic alphabet
		all += string(r)
	}
	for r := rune(0x0531); r < 0x0531+38; r++ { // Armenian
		all += string(r)
	}
	for r := rune(0x10D0); r < 0x10D0+40; r++ { // Georgian
		all += string(r)
	}
	for r := rune(0x0410); r < 0x0410+64; r++ {
		all += string(r)
	}
	for r := rune(0x0391); r < 0x0391+16; r++ {
		all += string(r)
	}
	d := pdf.Document{Body: []pdf.Paragraph{{Pieces: []pdf.Piece{{Text: all}}, Size: 10}}}
	raw := written(t, d)
	if n := bytes.Count(raw, []byte("/Differences")); n != 2 {
		t.Errorf("%d fonts of further letters, want 2 for %d letters", n, len([]rune(all)))
	}
	if parsed := read(t, raw); !strings.Contains(tight(parsed.Text), all) {
		t.Errorf("%s", parsed.Text)
	}
}
