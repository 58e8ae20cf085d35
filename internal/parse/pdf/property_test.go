package pdf_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/pdf"
	"github.com/kaoju/kaoju/internal/problem"
)

// Codes of F3 that stand for Chinese, as a font's map says.
const (
	chineseCodes = "abcdefghijklmnop"
	chineseWords = "差旅住宿标准每晚上海元不超过规定"
)

// chineseMap is the map of F3 for these codes.
func chineseMap() string {
	var b strings.Builder
	for i, r := range []rune(chineseWords) {
		fmt.Fprintf(&b, "<%02X> <%04X>\n", chineseCodes[i], r)
	}
	return b.String()
}

// drawn is something on a page: how it is drawn, and the words that are read of it.
type drawn struct{ draw, text string }

// line draws words of one script; the number makes each line another.
func drawnLine(t *rapid.T, x, y, number int) drawn {
	if rapid.Bool().Draw(t, "chinese") {
		codes := rapid.StringOfN(rapid.RuneFrom([]rune(chineseCodes)), 4, 12, -1).Draw(t, "codes")
		text := strings.Map(func(r rune) rune { return []rune(chineseWords)[r-'a'] }, codes)
		return drawn{draw("F3", x, y, 10, codes), text}
	}
	words := rapid.SliceOfN(rapid.StringMatching(`[a-z]{2,8}`), 2, 5).Draw(t, "words")
	text := fmt.Sprintf("n%d %s", number, strings.Join(words, " "))
	return drawn{at(x, y, 10, text), text}
}

// sheets draws a document of one to three pages with text, headings, tables and turned pages.
func sheets(t *rapid.T) paper {
	doc := paper{cmap: chineseMap()}
	for range rapid.IntRange(1, 3).Draw(t, "pages") {
		var b strings.Builder
		y := 740
		for n := range rapid.IntRange(0, 12).Draw(t, "lines") {
			switch rapid.SampledFrom([]string{"text", "text", "text", "heading", "row", "space"}).Draw(t, "kind") {
			case "heading":
				b.WriteString(draw("F2", 60, y, 18, fmt.Sprintf("Heading %d", n)))
			case "row":
				b.WriteString(at(60, y, 10, fmt.Sprintf("cell%d", n)) + at(250, y, 10, "unit") + at(420, y, 10, fmt.Sprint(n*7)))
			case "space":
				y -= 24
			default:
				b.WriteString(drawnLine(t, 60, y, n).draw)
			}
			y -= 22
		}
		entries := rapid.SampledFrom([]string{"", "", "/Rotate 90", "/Rotate 180", "/CropBox [40 20 580 790]"}).Draw(t, "page")
		doc.pages = append(doc.pages, leaf{b.String(), entries})
	}
	return doc
}

// TestEveryPlaceOpensToItsText opens segments and all chunks of documents that nobody chose. A place that
// goes on to another page has no boxes there, and opens to all of that page.
func TestEveryPlaceOpensToItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := sheets(t).bytes()
		p, err := shared().Parse(t.Context(), data, pdf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		text := []rune(p.Text)
		opens := func(segments []corpus.Segment) {
			// A blank at the end of a chunk has no box.
			want := strings.TrimRight(string(text[segments[0].Span.Start:segments[len(segments)-1].Span.End]), " ")
			at := corpus.Cover(segments).(corpus.PDFLocator)
			got, ok, err := shared().Resolve(t.Context(), data, pdf.Limits{}, at)
			if at.PageEnd != 0 {
				got = got[:min(len(got), len(want))]
			}
			if err != nil || !ok || got != want {
				t.Fatalf("%+v opens to %q (%v, %v), want %q", at, got, ok, err, want)
			}
		}
		var all []corpus.Segment
		for _, b := range p.Blocks {
			all = append(all, b.Segments...)
		}
		for i := 0; i < len(all); i += 1 + len(all)/6 {
			opens(all[i : i+1])
		}
		for _, c := range chunk.Split(p, chunk.Options{MaxChars: 200}) {
			if len(c.Segments) > 0 {
				opens(c.Segments)
			}
		}
	})
}

// TestBoxesOfWordsLieOnTheirPageInTheirOrder holds what a viewer relies on when it marks words.
func TestBoxesOfWordsLieOnTheirPageInTheirOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, err := shared().Parse(t.Context(), sheets(t).bytes(), pdf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		text := []rune(p.Text)
		for _, b := range p.Blocks {
			for _, s := range b.Segments {
				l := s.Locator.(corpus.PDFLocator)
				words := strings.Fields(string(text[s.Span.Start:s.Span.End]))
				if len(words) != len(l.Boxes) {
					t.Fatalf("%q has %d boxes", words, len(l.Boxes))
				}
				for i, box := range l.Boxes {
					if box[0] >= box[2] || box[1] >= box[3] || box[0] < -1 || box[1] < -1 || box[2] > l.PageSize[0]+1 || box[3] > l.PageSize[1]+1 {
						t.Fatalf("the box %v of %q is not on a page of %v", box, words[i], l.PageSize)
					}
				}
			}
		}
	})
}

// TestColumnsAreReadInOrderHoweverTheyAreDrawn draws one or two columns in any order of their lines. Three
// whose lines stand level with each other are taken for a table.
func TestColumnsAreReadInOrderHoweverTheyAreDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(1, 2).Draw(t, "columns")
		lines := rapid.IntRange(6, 20).Draw(t, "lines")
		width := 540 / columns
		var want []string
		var all []string
		for c := range columns {
			for i := range lines {
				text := fmt.Sprintf("c%d line %02d of running text and more", c, i)
				want = append(want, text)
				all = append(all, at(40+c*width, 740-14*i, 9, text))
			}
		}
		order := rapid.Permutation(all).Draw(t, "order")
		p, err := shared().Parse(t.Context(), page(order...).bytes(), pdf.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(strings.Join(want, " "), strings.Join(strings.Fields(p.Text), " ")); d != "" {
			t.Fatalf("%d columns: %s", columns, d)
		}
	})
}

// TestTurnedPageReadsAsTheUprightOne turns a page by all quarters.
func TestTurnedPageReadsAsTheUprightOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for i := range rapid.IntRange(2, 8).Draw(t, "lines") {
			b.WriteString(drawnLine(t, 60, 700-16*i, i).draw)
		}
		readTurned := func(turn int) string {
			doc := paper{cmap: chineseMap(), pages: []leaf{{b.String(), fmt.Sprintf("/Rotate %d", turn)}}}
			p, err := shared().Parse(t.Context(), doc.bytes(), pdf.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			return p.Text
		}
		upright := readTurned(0)
		for _, turn := range []int{90, 180, 270} {
			if d := cmp.Diff(upright, readTurned(turn)); d != "" {
				t.Fatalf("turned by %d: %s", turn, d)
			}
		}
	})
}

// TestDamageCostsTheDocumentAlone cuts and changes bytes. What comes of it is text within the document
// or a refusal with a known code, and the next document is read as ever.
func TestDamageCostsTheDocumentAlone(t *testing.T) {
	good := paper{pages: []leaf{{draw: column(60, 700, 10, "first line", "second line")}, {draw: at(60, 700, 10, "second page")}}}.bytes()
	codes := []string{"pdf_malformed", "document_encrypted", "content_mismatch", "stream_limit", "too_large"}
	rapid.Check(t, func(t *rapid.T) {
		data := bytes.Clone(good)
		for range rapid.IntRange(0, 4).Draw(t, "changes") {
			data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		if rapid.Bool().Draw(t, "cut") {
			data = data[:rapid.IntRange(0, len(data)).Draw(t, "length")]
		}
		p, err := shared().Parse(t.Context(), data, pdf.Limits{Stream: 1 << 20})
		switch {
		case err == nil:
			if len(p.Text) > len(data) {
				t.Fatalf("%d bytes of text come from %d", len(p.Text), len(data))
			}
		case !problem.Is(err, problem.Invalid) || !slices.Contains(codes, problem.CodeOf(err)):
			t.Fatalf("the error is %v", err)
		case len(p.Blocks) > 0:
			t.Fatalf("a refused document left %d blocks", len(p.Blocks))
		}
		again, err := shared().Parse(t.Context(), good, pdf.Limits{})
		if err != nil || !strings.Contains(again.Text, "second page") {
			t.Fatalf("the next document: %q, %v", again.Text, err)
		}
	})
}

func TestLabelsOfAllStylesAreKept(t *testing.T) {
	for _, c := range []struct{ name, labels, first, second string }{
		{"small roman", "0 << /S /r >>", "i", "ii"},
		{"large roman", "0 << /S /R /St 4 >>", "IV", "V"},
		{"letters", "0 << /S /a >>", "a", "b"},
		{"large letters", "0 << /S /A /St 26 >>", "Z", "AA"},
		{"a prefix", "0 << /S /D /P (A-) >>", "A-1", "A-2"},
		{"a prefix alone", "0 << /P (Cover) >> 1 << /S /D /St 2 >>", "Cover", ""},
		{"a prefix in Chinese", "0 << /S /D /P <FEFF7B2C> >>", "第1", "第2"},
		{"the number in the file", "0 << /S /D >>", "", ""},
		{"a label that is a poem", "0 << /P (" + strings.Repeat("long ", 20) + ") >>", "", ""},
		{"control characters", "0 << /P (a\\000\\007b) >> 1 << /S /D /St 2 >>", "a b", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := read(t, paper{catalog: "/PageLabels << /Nums [" + c.labels + "] >>", pages: []leaf{{draw: at(60, 400, 12, "one")}, {draw: at(60, 400, 12, "two")}}})
			if a, b := placed(t, p, "one").PageLabel, placed(t, p, "two").PageLabel; a != c.first || b != c.second {
				t.Errorf("the labels are %q and %q, want %q and %q", a, b, c.first, c.second)
			}
		})
	}
}

func TestTitleIsOneThatAPersonMayHaveWritten(t *testing.T) {
	for title, kept := range map[string]bool{
		"Travel handbook": true, "差旅制度": true, "Rules v2.1": true, "untitled": false, "Microsoft Word - Rules.doc": false, "rules.docx": false,
		"PowerPoint Presentation": false, strings.Repeat("long ", 60): false, "": false,
	} {
		encoded := "<FEFF"
		for _, r := range title {
			encoded += fmt.Sprintf("%04X", r)
		}
		doc := page(at(60, 700, 12, "text"))
		doc.more = []string{"<< /Title " + encoded + "> >>"}
		doc.trailer = "/Info 9 0 R"
		if got := read(t, doc).Title; (got == title) != (kept || title == "") || !kept && got != "" {
			t.Errorf("of the title %q there is %q", title, got)
		}
	}
}
