package pdf

import (
	"bytes"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// set sets a document without writing it.
func set(d Document) *setter {
	t := &setter{fonts: &fonts{chinese: d.Chinese}, document: d, mentioned: map[int]spot{}, noted: map[int]spot{}}
	for i, p := range d.Body {
		t.paragraph(p, i+1 < len(d.Body))
	}
	t.finish()
	return t
}

func plain(text string, notes ...int) Paragraph {
	p := Paragraph{Pieces: []Piece{{Text: text}}, Size: 10.5, After: 6}
	for _, n := range notes {
		p.Pieces = append(p.Pieces, Piece{Note: n})
	}
	return p
}

func (l line) said() string {
	var b strings.Builder
	for _, r := range l.runs {
		b.WriteString(string(r.text))
	}
	return b.String()
}

func TestANoteStandsOnThePageThatFirstMentionsIt(t *testing.T) {
	d := Document{Notes: []string{"first note", "second note"}}
	for i := range 80 {
		p := plain("A line of text.")
		if i == 3 || i == 60 {
			p = plain("It is so", 1)
		}
		if i == 70 {
			p = plain("And so", 1, 2)
		}
		d.Body = append(d.Body, p)
	}
	s := set(d)
	if s.mentioned[1].page != 0 || s.noted[1].page != 0 || s.mentioned[2].page == 0 || s.noted[2].page != s.mentioned[2].page {
		t.Errorf("mentioned on %+v, noted on %+v", s.mentioned, s.noted)
	}
	notes := 0
	for _, p := range s.pages {
		notes += len(p.notes)
	}
	if notes != 2 {
		t.Errorf("%d lines of notes, want each note once", notes)
	}
}

func TestALongNoteGoesOnAtTheFootOfTheNextPages(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("evidence ", 1500))
	s := set(Document{Body: []Paragraph{plain("One", 1), plain("Two"), plain("Three")}, Notes: []string{long}})
	said, last := "", 0
	for i, p := range s.pages {
		for _, f := range p.notes {
			said += f.line.said() + " "
			last = i
		}
	}
	if strings.TrimSpace(said) != long {
		t.Errorf("the note has %d of %d letters", len(said), len(long))
	}
	if last == 0 || s.noted[1].page != 0 || len(s.pages) != last+1 {
		t.Errorf("it ends on page %d of %d", last+1, len(s.pages))
	}
}

func TestAHeadingIsNotTheLastThingOnAPage(t *testing.T) {
	for fill := range 60 {
		d := Document{}
		for range fill {
			d.Body = append(d.Body, plain("Text."))
		}
		head, body := Paragraph{Pieces: []Piece{{Text: "HEADING", Face: Bold}}, Size: 14, Before: 8, After: 4, Keep: true}, plain("BODY")
		d.Body = append(d.Body, head, body)
		s := set(d)
		on := func(word string) int {
			for i, p := range s.pages {
				if strings.Contains(p.ops.String(), hex(word)) {
					return i
				}
			}
			return -1
		}
		if on("HEADING") != on("BODY") || on("BODY") < 0 {
			t.Errorf("after %d lines the heading is on page %d and its text on page %d", fill, on("HEADING"), on("BODY"))
		}
	}
}

func hex(s string) string { return strings.ToUpper(fmt.Sprintf("%x", s)) }

// TestNothingIsLostAndNothingStandsOnAnything sets texts of every kind.
func TestNothingIsLostAndNothingStandsOnAnything(t *testing.T) {
	word := rapid.SampledFrom([]string{"limit", "上海住宿上限", "650", "（含税）", "“标准”", "żółw", "Москва", "한국어", "x\u0301", "😀", strings.Repeat("y", 140), "。", "\n"})
	rapid.Check(t, func(r *rapid.T) {
		d := Document{Chinese: rapid.Bool().Draw(r, "chinese")}
		for i := range rapid.IntRange(0, 6).Draw(r, "notes") {
			d.Notes = append(d.Notes, fmt.Sprintf("note%d ", i+1)+strings.Repeat("words of a note ", rapid.IntRange(0, 500).Draw(r, "long")))
		}
		want := ""
		for range rapid.IntRange(0, 30).Draw(r, "paragraphs") {
			p := Paragraph{Size: rapid.SampledFrom([]float64{9, 10.5, 19}).Draw(r, "size"), Left: rapid.SampledFrom([]float64{0, 18, 72}).Draw(r, "left"), Keep: rapid.Bool().Draw(r, "keep")}
			for range rapid.IntRange(1, 12).Draw(r, "pieces") {
				if len(d.Notes) > 0 && rapid.IntRange(0, 5).Draw(r, "cites") == 0 {
					p.Pieces = append(p.Pieces, Piece{Note: rapid.IntRange(1, len(d.Notes)).Draw(r, "note")})
					want += fmt.Sprintf("[%d]", p.Pieces[len(p.Pieces)-1].Note)
					continue
				}
				text := word.Draw(r, "word") + rapid.SampledFrom([]string{"", " "}).Draw(r, "space")
				p.Pieces = append(p.Pieces, Piece{Text: text, Face: rapid.SampledFrom([]Face{Plain, Bold, Code}).Draw(r, "face")})
				want += text
			}
			d.Body = append(d.Body, p)
		}
		s := set(d)
		for i, p := range s.pages {
			// What follows the last line may run over: nothing stands there.
			if p.used > textHeight+100 || p.below > textHeight {
				r.Fatalf("page %d: %v of text and %v of notes on %v", i+1, p.used, p.below, textHeight)
			}
			for _, l := range p.links {
				if l.left < marginX-0.01 || l.right > pageWidth-marginX+0.01 || l.low < marginY-2 || l.high > pageHeight-marginY+2 {
					r.Fatalf("page %d: a link at %+v", i+1, l)
				}
			}
		}
		if got := letters(drawn(s)); got != letters(want) {
			r.Fatalf("drawn is\n%s\nof\n%s", got, letters(want))
		}
		for n, at := range s.mentioned {
			if s.noted[n].page < at.page {
				r.Fatalf("note %d is on page %d and first mentioned on page %d", n, s.noted[n].page+1, at.page+1)
			}
		}
		if len(s.waiting) > 0 {
			r.Fatalf("%d lines of notes are on no page", len(s.waiting))
		}
	})
}

// drawn is the text that the pages draw above their notes and numbers, by the codes of their fonts.
func drawn(s *setter) string {
	fonts := map[string]*font{}
	for _, f := range s.fonts.list {
		fonts[f.name] = f
	}
	var b strings.Builder
	for _, p := range s.pages {
		for ops := range strings.Lines(p.ops.String()) {
			at := strings.Index(ops, " Tf 1 0 0 1 ")
			if at < 0 {
				continue
			}
			name := strings.Fields(ops[strings.IndexByte(ops, '/')+1:])[0]
			place := strings.Fields(ops[at+len(" Tf 1 0 0 1 "):])
			// The notes begin below the text.
			y, err := strconv.ParseFloat(place[1], 64)
			if err != nil {
				panic(err)
			}
			if y < marginY+p.below-noteGap/2 || y < marginY {
				continue
			}
			codes := strings.Trim(place[3], "<>")
			back := map[string]rune{}
			for _, r := range fonts[name].used {
				back[fonts[name].code(r)] = r
			}
			size := len(fonts[name].code(fonts[name].used[0]))
			for ; codes != ""; codes = codes[size:] {
				b.WriteRune(back[codes[:size]])
			}
		}
	}
	return b.String()
}

func letters(s string) string { return strings.Join(strings.Fields(s), "") }

func TestLinesEndWhereTheyMay(t *testing.T) {
	s := set(Document{Chinese: true})
	for _, c := range []struct {
		text string
		wide float64
		want []string
	}{
		{"The limit is high", 50, []string{"The limit", "is high"}},
		{"上海住宿上限，含税。", 65, []string{"上海住宿上", "限，含税。"}},
		{"上海住宿（含税）", 50, []string{"上海住宿", "（含税）"}},
		{"https://example.invalid/abcdefghijklmnopqrstuvwxyz", 60, nil},
		{"a\n\nb", 50, []string{"a", "", "b"}},
		{"", 50, []string{""}},
		{"     ", 5, []string{""}},
	} {
		var got []string
		for _, l := range s.broken([]Piece{{Text: c.text}}, 10, c.wide) {
			got = append(got, l.said())
			if l.width > c.wide {
				t.Errorf("%q: %q is %v wide, and there are %v", c.text, l.said(), l.width, c.wide)
			}
		}
		if c.want != nil && fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
		if c.want == nil && (len(got) < 2 || strings.Join(got, "") != c.text) {
			t.Errorf("%q: %q", c.text, got)
		}
	}
}

func TestAMarkStaysWithWhatItBelongsTo(t *testing.T) {
	s := set(Document{Notes: []string{"n"}})
	for wide := 30.0; wide < 90; wide++ {
		for _, l := range s.broken([]Piece{{Text: "上海住宿上限为六百五十元"}, {Note: 1}, {Text: "。 Then more words"}, {Note: 1}}, 10, wide) {
			if strings.HasPrefix(l.said(), "[") {
				t.Errorf("at %v a line begins with a mark: %q", wide, l.said())
			}
		}
	}
}

func TestLettersAreAsWideAsInTheFontsThatAreNamed(t *testing.T) {
	for text, want := range map[string]int{"A": 722, "i": 278, " ": 250, "é": 444, "Ł": 500, "—": 1000, "я": narrow('я', Plain), "\u0301": 0, "😀": 1000} {
		if got := narrow([]rune(text)[0], Plain); got != want {
			t.Errorf("%q is %d wide, want %d", text, got, want)
		}
	}
	if narrow('A', Code) != 600 || narrow('b', Bold) != 556 || narrow('я', Plain) != cyrillicWidths[len(cyrillicWidths)-1] || narrow('ω', Plain) != greekWidths[len(greekWidths)-1] {
		t.Error("a face has the widths of another")
	}
	if len(plainWidths) != '~'-' '+1 || len(boldWidths) != len(plainWidths) || len(greekWidths) != 'ω'-'Α'+1 || len(cyrillicWidths) != 'я'-'А'+1 {
		t.Error("a letter has no width or one too many")
	}
}

func TestTheSameDocumentIsTheSameBytes(t *testing.T) {
	d := Document{Title: "t", Body: []Paragraph{plain("上海 żółw 한", 1)}, Notes: []string{"n"}}
	a, err := Write(d)
	b, again := Write(d)
	if err != nil || again != nil || !bytes.Equal(a, b) {
		t.Errorf("%v %v", err, again)
	}
}

// TestAWordOverManyLinesIsSplitInWorkThatGrowsAsItDoes counts the bytes that are taken for it.
func TestAWordOverManyLinesIsSplitInWorkThatGrowsAsItDoes(t *testing.T) {
	taken := func(n int) uint64 {
		st := &setter{fonts: &fonts{}}
		letters := make([]letter, n)
		for i := range letters {
			letters[i].r = 'a'
		}
		b := breaker{t: st, size: 10, width: 400}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		b.split(letters)
		runtime.ReadMemStats(&after)
		if lines := b.end(); len(lines) < n/100 {
			t.Fatalf("%d letters are on %d lines", n, len(lines))
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := taken(2000), taken(16_000); many > 16*few {
		t.Errorf("eight times the letters take %d bytes instead of %d", many, few)
	}
}

func TestAFontIsLookedForOnce(t *testing.T) {
	f := &fonts{}
	for _, r := range "aж中한" {
		want := f.get(r, Bold)
		list := f.list
		f.list = nil
		if got := f.get(r, Bold); got != want || len(f.list) > 0 {
			t.Errorf("%q has another font, %v, when it is asked for again", r, got)
		}
		f.list = list
	}
}
