package pdf

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// place is what the locators of a page have in common.
type place struct {
	label string
	size  [2]float32
}

// writer makes the text and the blocks of a document of its lines.
type writer struct {
	outline []entry
	title   string
	notices []string
	sheets  []place
	lines   []line
	places  int // that the lines will have

	text   strings.Builder
	runes  int
	blocks []corpus.Block
	levels []int
	path   []string
	style  typography
	words  vocabulary
}

// take adds the lines of a page. A line has a place for each cell.
func (w *writer) take(lines []line, limits Limits) error {
	for _, l := range lines {
		w.places += len(l.runs)
	}
	if w.places > limits.Lines {
		return problem.New(problem.Invalid, "too_large", "has more lines, or cells of tables, than the %d that are allowed", limits.Lines)
	}
	w.lines = append(w.lines, lines...)
	return nil
}

// parsed writes everything. Furniture comes last, out of the way of what runs on across pages.
func (w *writer) parsed() corpus.Parsed {
	w.path = []string{}
	w.style = measure(w.lines)
	w.words = collect(w.lines)
	repeated := survey(w.lines)
	body := make([]*line, 0, len(w.lines))
	var margins []*line
	for i := range w.lines {
		if l := &w.lines[i]; repeated.holds(l) {
			margins = append(margins, l)
		} else {
			body = append(body, l)
		}
	}
	marks := w.headings(body)
	for i := 0; i < len(body); {
		i = w.block(body, marks, i)
	}
	w.levels, w.path = nil, []string{}
	for _, l := range margins {
		w.write(corpus.Block{Kind: corpus.Paragraph, Head: -1}, []*line{l})
	}
	return corpus.Parsed{Title: w.title, Text: w.text.String(), Blocks: w.blocks, Notices: w.notices}
}

// block writes the block that begins at line i and returns where the next one does.
func (w *writer) block(body []*line, marks []int, i int) int {
	end := i + 1
	switch {
	case marks[i] > 0:
		for end < len(body) && marks[end] == marks[i] && sameHeading(body[end-1], body[end]) {
			end++
		}
		w.push(marks[i], name(body[i:end]))
		w.write(corpus.Block{Kind: corpus.Heading, Level: marks[i], Head: -1}, body[i:end])
	case len(body[i].runs) > 1:
		for end < len(body) && marks[end] == 0 && sameTable(body[end-1], body[end]) {
			end++
		}
		w.table(body[i:end])
	default:
		for end < len(body) && marks[end] == 0 && len(body[end].runs) == 1 && w.continues(body[end-1], body[end]) {
			end++
		}
		kind := corpus.Block{Kind: corpus.Paragraph, Head: -1}
		if listMark.MatchString(body[i].runs[0].text) {
			kind.Kind, kind.Level = corpus.ListItem, 1
		}
		w.write(kind, body[i:end])
	}
	return end
}

var listMark = regexp.MustCompile(`^(?:[•·▪◦‣●○■□–*-]|\d{1,3}[.)、]|\(\d{1,3}\)|（[0-9一二三四五六七八九十]{1,3}）|[A-Za-z][.)]|[一二三四五六七八九十]{1,3}、)\s`)

// nameLimit bounds a heading's name in paths, in code points.
const nameLimit = 256

func name(lines []*line) string {
	var parts []string
	for _, l := range lines {
		for _, r := range l.runs {
			parts = append(parts, r.text)
		}
	}
	s := strings.Join(parts, " ")
	if runes := []rune(s); len(runes) > nameLimit {
		s = strings.TrimSpace(string(runes[:nameLimit-1])) + "…"
	}
	return s
}

func (w *writer) push(level int, name string) {
	n := len(w.levels)
	for n > 0 && w.levels[n-1] >= level {
		n--
	}
	w.levels = append(w.levels[:n:n], level)
	w.path = append(append(make([]string, 0, n+1), w.path[:n]...), name)
}

// table writes lines with cells, each a row. The first one is the head where it has as many cells
// as the next and no number among them.
func (w *writer) table(rows []*line) {
	head := -1
	for i, l := range rows {
		b := corpus.Block{Kind: corpus.TableRow, Head: head}
		switch {
		case len(rows) == 1:
			b = corpus.Block{Kind: corpus.Paragraph, Head: -1}
		case i == 0 && len(rows[1].runs) == len(l.runs) && !slices.ContainsFunc(l.runs, numeric):
			b = corpus.Block{Kind: corpus.TableHead, Head: -1}
			head = len(w.blocks)
		}
		w.write(b, []*line{l})
	}
}

func numeric(r run) bool {
	return strings.ContainsFunc(r.text, unicode.IsDigit) && !strings.ContainsFunc(r.text, unicode.IsLetter)
}

// write appends a block with a segment for each piece of its lines.
func (w *writer) write(b corpus.Block, lines []*line) {
	if len(w.blocks) > 0 {
		last := w.blocks[len(w.blocks)-1].Kind
		rows := b.Kind == corpus.TableRow && (last == corpus.TableRow || last == corpus.TableHead)
		w.put("\n")
		if !rows && (b.Kind != corpus.ListItem || last != corpus.ListItem) {
			w.put("\n")
		}
	}
	b.Span.Start, b.HeadingPath = w.runes, w.path
	for i, l := range lines {
		for j, r := range l.runs {
			text := r.text
			if j == len(l.runs)-1 && i+1 < len(lines) {
				var glue string
				text, glue = w.words.glue(text, lines[i+1].runs[0].text)
				b.Segments = append(b.Segments, w.segment(l, r, text))
				w.put(glue)
				continue
			}
			b.Segments = append(b.Segments, w.segment(l, r, text))
			if j+1 < len(l.runs) {
				w.put("\t")
			}
		}
	}
	b.Span.End = w.runes
	w.blocks = append(w.blocks, b)
}

func (w *writer) put(s string) {
	w.text.WriteString(s)
	w.runes += utf8.RuneCountInString(s)
}

func (w *writer) segment(l *line, r run, text string) corpus.Segment {
	start := w.runes
	w.put(strings.ReplaceAll(text, string(rune(softHyphen)), ""))
	at := w.sheets[l.page-1]
	return corpus.Segment{
		Span:    corpus.Span{Start: start, End: w.runes},
		Locator: corpus.PDFLocator{Page: l.page, PageLabel: at.label, Boxes: r.boxes, PageSize: at.size, Turn: l.way},
	}
}
