package chunk_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
)

// document builds parsed documents by hand, as a parser would: blocks of one line or more, each
// line a segment of a text whose source is the text itself.
type document struct {
	corpus.Parsed
	path []string
	head int
	line int
}

func newDocument() *document { return &document{path: []string{}, head: -1, line: 1} }

func (d *document) gap(s string) *document {
	d.Text += s
	d.line += strings.Count(s, "\n")
	return d
}

func (d *document) block(kind corpus.BlockKind, level int, text string) *document {
	if len(d.Blocks) > 0 && !strings.HasSuffix(d.Text, "\n") {
		d.gap("\n\n")
	}
	if kind == corpus.Heading {
		n := min(level-1, len(d.path))
		d.path = append(slices.Clone(d.path[:n]), strings.TrimSpace(text))
	}
	at := utf8.RuneCountInString(d.Text)
	b := corpus.Block{Kind: kind, Level: level, Head: -1, HeadingPath: d.path}
	b.Span = corpus.Span{Start: at, End: at + utf8.RuneCountInString(text)}
	if kind == corpus.TableHead {
		d.head = len(d.Blocks)
	}
	if kind == corpus.TableRow {
		b.Head = d.head
	}
	for line := range strings.SplitSeq(text, "\n") {
		if n := utf8.RuneCountInString(line); n > 0 {
			b.Segments = append(b.Segments, corpus.Segment{
				Span: corpus.Span{Start: at, End: at + n},
				Locator: corpus.TextLocator{
					Format: "md", Heading: d.path, Line: d.line, Char: [2]int{at, at + n}, InCode: kind == corpus.Code,
				},
			})
		}
		at += utf8.RuneCountInString(line) + 1
		d.line++
	}
	d.line--
	d.Text += text
	d.Blocks = append(d.Blocks, b)
	return d
}

func (d *document) h(level int, name string) *document { return d.block(corpus.Heading, level, name) }
func (d *document) p(text string) *document            { return d.block(corpus.Paragraph, 0, text) }

// table adds a head of two lines and rows directly under each other.
func (d *document) table(head string, rows ...string) *document {
	d.block(corpus.TableHead, 0, head+"\n|---|---|")
	for _, row := range rows {
		d.gap("\n").block(corpus.TableRow, 0, row)
	}
	return d
}

// texts returns the chunks' texts without the white space around them, context first if there is any.
func texts(chunks []corpus.Chunk) []string {
	out := []string{}
	for _, c := range chunks {
		out = append(out, c.Context+strings.TrimSpace(c.Text))
	}
	return out
}

func repeat(s string, n int) string { return strings.TrimSpace(strings.Repeat(s, n)) }

func TestStructureDecidesWhereToCut(t *testing.T) {
	long := repeat("一二三四五六七八九。", 4) // 40 characters
	o := chunk.Options{MaxChars: 100, TargetChars: 70, MinChars: 20}
	for _, c := range []struct {
		name string
		doc  *document
		want []string
	}{
		{"sections apart", newDocument().h(1, "# A").p(long).h(1, "# B").p(long), []string{"# A\n\n" + long, "# B\n\n" + long}},
		{"blocks together up to the target", newDocument().p(long).p("short one").p(long).p(long), []string{
			long + "\n\nshort one", long, long,
		}},
		{"tiny chunk takes in what follows", newDocument().p("tiny").p(long).p(long), []string{"tiny\n\n" + long, long}},
		{"tiny rest joins the chunk before", newDocument().p(long).p(long).p("rest"), []string{long, long + "\n\nrest"}},
		{"headings stay with their text", newDocument().h(1, "# A").h(2, "## B").p(long).h(2, "## C").h(3, "### D").p(long), []string{
			"# A\n\n## B\n\n" + long, "## C\n\n### D\n\n" + long,
		}},
		{"tiny siblings share a chunk", newDocument().h(1, "# A").p(long).h(2, "## B").p("b").h(2, "## C").p("c").h(2, "## D").p(long), []string{
			"# A\n\n" + long, "## B\n\nb\n\n## C\n\nc", "## D\n\n" + long,
		}},
		{"tiny sections of different parents do not", newDocument().h(1, "# A").h(2, "## B").p("b").h(1, "# C").h(2, "## D").p("d"), []string{
			"# A\n\n## B\n\nb", "# C\n\n## D\n\nd",
		}},
		{"tiny parent and child do not", newDocument().h(1, "# A").p("a").h(2, "## B").p("b"), []string{"# A\n\na", "## B\n\nb"}},
		{"heading at the end of the document", newDocument().p("a").h(1, "# B"), []string{"a\n\n# B"}},
		{"headings only", newDocument().h(1, "# A").h(2, "## B"), []string{"# A\n\n## B"}},
		{"long paragraph at sentences", newDocument().h(1, "# A").p(repeat("一二三四五六七八九。", 20)), []string{
			"# A\n\n" + repeat("一二三四五六七八九。", 9), repeat("一二三四五六七八九。", 6), repeat("一二三四五六七八九。", 5),
		}},
		{"long line without any sentence", newDocument().p(strings.Repeat("字", 150)), []string{
			strings.Repeat("字", 62), strings.Repeat("字", 88),
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			chunks := chunk.Split(c.doc.Parsed, o)
			check(t, c.doc.Parsed, chunks, o)
			if diff := cmp.Diff(c.want, texts(chunks)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTableKeepsItsHeader(t *testing.T) {
	rows := []string{}
	for _, n := range []string{"01", "02", "03", "04", "05", "06"} {
		rows = append(rows, "| P-"+n+" | "+repeat("件", 20)+" |")
	}
	doc := newDocument().h(1, "# 库存").table("| 编号 | 名称 |", rows...).p("after")
	o := chunk.Options{MaxChars: 100}
	chunks := chunk.Split(doc.Parsed, o)
	check(t, doc.Parsed, chunks, o)
	want := []string{
		"# 库存\n\n| 编号 | 名称 |\n|---|---|\n" + strings.Join(rows[:2], "\n"),
		"| 编号 | 名称 |\n|---|---|\n" + strings.Join(rows[2:4], "\n"),
		"| 编号 | 名称 |\n|---|---|\n" + strings.Join(rows[4:], "\n") + "\n\nafter",
	}
	if diff := cmp.Diff(want, texts(chunks)); diff != "" {
		t.Error(diff)
	}
	l := chunks[1].Locator.(corpus.TextLocator)
	if l.Line != 7 || l.LineEnd != 8 {
		t.Errorf("the second chunk is on the lines %d to %d", l.Line, l.LineEnd)
	}
}

func TestWideHeaderIsShortened(t *testing.T) {
	head := "| " + strings.Repeat("很长的列名 | ", 40)
	doc := newDocument().table(head, "| a | "+repeat("b", 90)+" |", "| c | d |")
	o := chunk.Options{MaxChars: 100}
	chunks := chunk.Split(doc.Parsed, o)
	check(t, doc.Parsed, chunks, o)
	last := chunks[len(chunks)-1]
	if !strings.HasPrefix(last.Context, "| 很长的列名 |") || !strings.HasSuffix(last.Context, "| …\n") || utf8.RuneCountInString(last.Context) > 50 {
		t.Errorf("the context is %q", last.Context)
	}
}

func TestCodeIsCutAtLineEnds(t *testing.T) {
	code := "```go\n" + strings.Repeat("    x := compute(x)\n", 12) + "```"
	doc := newDocument().p("Before.").block(corpus.Code, 0, code).p("After.")
	o := chunk.Options{MaxChars: 100}
	chunks := chunk.Split(doc.Parsed, o)
	check(t, doc.Parsed, chunks, o)
	joined := ""
	for _, c := range chunks {
		for line := range strings.Lines(c.Text) {
			if line = strings.TrimRight(line, "\n"); line != "" && !slices.Contains([]string{"```go", "    x := compute(x)", "```", "Before.", "After."}, line) {
				t.Errorf("chunk %d cuts a line: %q", c.No, line)
			}
		}
		if strings.Contains(c.Text, "compute") && !strings.Contains(c.Full(), "```go\n") {
			t.Errorf("chunk %d has no opening fence: %q", c.No, c.Full())
		}
		if text := strings.TrimSpace(c.Text); text == "```" || text == "```go" {
			t.Errorf("chunk %d is a fence alone", c.No)
		}
		joined += c.Text
	}
	if joined != doc.Text {
		t.Error("the pieces do not give the text back")
	}
	if l := chunks[1].Locator.(corpus.TextLocator); !l.InCode {
		t.Errorf("the piece of code is not marked: %+v", l)
	}
}

func TestCodeWithoutFenceHasNoContext(t *testing.T) {
	doc := newDocument().block(corpus.Code, 0, strings.TrimRight(strings.Repeat("    indented line\n", 20), "\n"))
	for _, c := range chunk.Split(doc.Parsed, chunk.Options{MaxChars: 100}) {
		if c.Context != "" {
			t.Errorf("the context is %q", c.Context)
		}
	}
}

func TestHeadingsOfMergedSectionsStayInTheSegments(t *testing.T) {
	doc := newDocument().h(1, "# A").p(repeat("一二三四五六七八九。", 6)).h(2, "## B").p("b").h(2, "## C").p("c")
	o := chunk.Options{MaxChars: 100, TargetChars: 70, MinChars: 20}
	chunks := chunk.Split(doc.Parsed, o)
	last := chunks[len(chunks)-1]
	if diff := cmp.Diff([]string{"# A"}, last.HeadingPath); diff != "" {
		t.Errorf("the chunk's path: %s", diff)
	}
	var paths []string
	for _, s := range last.Segments {
		paths = append(paths, strings.Join(s.Locator.(corpus.TextLocator).Heading, "/"))
	}
	if diff := cmp.Diff([]string{"# A/## B", "# A/## B", "# A/## C", "# A/## C"}, paths); diff != "" {
		t.Errorf("the segments' paths: %s", diff)
	}
}

func TestSegmentLongerThanAChunkIsCutWithIt(t *testing.T) {
	doc := newDocument().p(strings.Repeat("知识库条目。", 100))
	chunks := chunk.Split(doc.Parsed, chunk.Options{MaxChars: 90})
	for _, c := range chunks {
		l := c.Segments[0].Locator.(corpus.TextLocator)
		if len(c.Segments) != 1 || l.Char != [2]int{c.Span.Start, c.Span.End} || l.Line != 1 || l.LineEnd != 0 {
			t.Errorf("chunk %d %v has the segments %+v", c.No, c.Span, c.Segments)
		}
	}
	// A segment that is rendered from longer source can't be cut: its place stays whole.
	rendered := doc.Parsed
	rendered.Blocks = slices.Clone(rendered.Blocks)
	whole := corpus.TextLocator{Format: "html", Line: 3, LineEnd: 9, Char: [2]int{10, 9000}}
	rendered.Blocks[0].Segments = []corpus.Segment{{Span: rendered.Blocks[0].Span, Locator: whole}}
	for _, c := range chunk.Split(rendered, chunk.Options{MaxChars: 90}) {
		if diff := cmp.Diff(whole, c.Segments[0].Locator); diff != "" {
			t.Error(diff)
		}
		if c.Segments[0].Span != c.Span {
			t.Errorf("the span of the segment is %v in %v", c.Segments[0].Span, c.Span)
		}
	}
}

func TestCharactersAreNotTorn(t *testing.T) {
	for name, cluster := range map[string]string{
		"combining marks": "e\u0301\u0302", "a family": "👨\u200d👩\u200d👦", "a flag": "🇨🇳", "a skin tone": "👍🏽", "a variation": "葛\U000e0100",
		"Hangul parts": "\u1112\u1161\u11ab", "a vowel sign": "कि",
	} {
		doc := newDocument().p(strings.Repeat(cluster, 200))
		n := utf8.RuneCountInString(cluster)
		for _, c := range chunk.Split(doc.Parsed, chunk.Options{MaxChars: 7}) {
			if c.Span.Start%n != 0 || c.Span.Len() > 7 {
				t.Errorf("%s: a chunk has the span %v", name, c.Span)
			}
		}
	}
	flood := newDocument().p("a" + strings.Repeat("\u0301", 1000))
	for _, c := range chunk.Split(flood.Parsed, chunk.Options{MaxChars: 100}) {
		if c.Span.Len() > 100 {
			t.Errorf("a flood of marks has a chunk of %d", c.Span.Len())
		}
	}
}

func TestBytesAreBounded(t *testing.T) {
	doc := newDocument().p(strings.Repeat("𠮷野家。", 300))
	for _, c := range chunk.Split(doc.Parsed, chunk.Options{MaxBytes: 200}) {
		if len(c.Text) > 200 || !utf8.ValidString(c.Text) {
			t.Errorf("chunk %d has %d bytes", c.No, len(c.Text))
		}
	}
}

func TestWhiteSpaceTakesNoRoom(t *testing.T) {
	wide := strings.Repeat(" \n", 5000)
	doc := newDocument().gap(wide).p("a").gap(wide).p("b" + strings.Repeat(" ", 5000) + "c").gap(wide)
	o := chunk.Options{MaxChars: 50}
	chunks := chunk.Split(doc.Parsed, o)
	check(t, doc.Parsed, chunks, o)
	if diff := cmp.Diff([]string{"a", "b", "c"}, texts(chunks)); diff != "" {
		t.Error(diff)
	}
}

func TestDocumentWithoutBlocksHasNoChunks(t *testing.T) {
	if chunks := chunk.Split(corpus.Parsed{Text: " \n "}, chunk.Options{}); chunks != nil {
		t.Errorf("there are %d chunks", len(chunks))
	}
}

type fataler interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// check holds a split to its promises, counting everything anew.
func check(t fataler, p corpus.Parsed, chunks []corpus.Chunk, o chunk.Options) {
	t.Helper()
	limit := o.MaxChars
	if limit == 0 {
		limit = 900
	}
	text := []rune(p.Text)
	at := 0
	for i, c := range chunks {
		if c.No != i+1 || c.ID != "" || c.Document != "" {
			t.Fatalf("chunk %d is numbered %d, %q of %q", i+1, c.No, c.ID, c.Document)
		}
		if c.Span.Start != at || c.Span.End <= at || c.Span.End > len(text) || string(text[at:c.Span.End]) != c.Text {
			t.Fatalf("chunk %d has the span %v after %d, or another text", c.No, c.Span, at)
		}
		at = c.Span.End
		if n := utf8.RuneCountInString(strings.TrimSpace(c.Text)) + utf8.RuneCountInString(c.Context); n > limit {
			t.Fatalf("chunk %d holds %d characters of %d: %q", c.No, n, limit, c.Full())
		}
		if c.Context != "" && !strings.HasSuffix(c.Context, "\n") {
			t.Fatalf("the context of chunk %d does not end its line: %q", c.No, c.Context)
		}
		if first, _ := utf8.DecodeRuneInString(c.Text); i > 0 && unicode.In(first, unicode.Mn, unicode.Me, unicode.Mc) {
			t.Fatalf("chunk %d begins inside a character: %q", c.No, c.Text)
		}
		if strings.TrimSpace(c.Text) == "" || c.HeadingPath == nil {
			t.Fatalf("chunk %d has no text or path: %q", c.No, c.Text)
		}
		checkSegments(t, p, c)
	}
	if len(p.Blocks) > 0 && at != len(text) {
		t.Fatalf("the chunks end at %d of %d", at, len(text))
	}
}

func checkSegments(t fataler, p corpus.Parsed, c corpus.Chunk) {
	t.Helper()
	want := map[int]bool{}
	for _, b := range p.Blocks {
		for _, s := range b.Segments {
			for r := max(s.Span.Start, c.Span.Start); r < min(s.Span.End, c.Span.End); r++ {
				if !unicode.IsSpace([]rune(c.Text)[r-c.Span.Start]) {
					want[r] = true
				}
			}
		}
	}
	end := c.Span.Start
	for _, s := range c.Segments {
		l := s.Locator.(corpus.TextLocator)
		if s.Span.Start < end || s.Span.End > c.Span.End || l.Char != [2]int{s.Span.Start, s.Span.End} {
			t.Fatalf("chunk %d %v has the segment %v at %+v", c.No, c.Span, s.Span, l)
		}
		end = s.Span.End
		for r := s.Span.Start; r < s.Span.End; r++ {
			delete(want, r)
		}
	}
	if len(want) > 0 {
		t.Fatalf("chunk %d: %d characters are in no segment", c.No, len(want))
	}
	whole := c.Locator.(corpus.TextLocator)
	first, last := c.Segments[0].Locator.(corpus.TextLocator), c.Segments[len(c.Segments)-1].Locator.(corpus.TextLocator)
	if whole.Char != [2]int{first.Char[0], last.Char[1]} || whole.Line != first.Line || max(whole.Line, whole.LineEnd) != last.Line {
		t.Fatalf("the locator of chunk %d is %+v, from %+v to %+v", c.No, whole, first, last)
	}
}
