package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// typography is what most of a document's text looks like.
type typography struct {
	body    float32   // size
	bold    bool      // most of it is bold
	larger  []float32 // sizes of headings, largest first
	leading map[int]float32
}

func measure(lines []line) typography {
	sizes := map[float32]int{}
	bold, all := 0, 0
	gaps := map[int][]float32{}
	for i := range lines {
		l := &lines[i]
		n := l.chars()
		sizes[half(l.size)] += n
		all += n
		if l.bold {
			bold += n
		}
		if i > 0 && lines[i-1].column == l.column {
			gaps[l.column] = append(gaps[l.column], l.top-lines[i-1].bottom)
		}
	}
	t := typography{bold: bold*2 > all, leading: map[int]float32{}}
	most := 0
	for size, n := range sizes {
		if n > most || n == most && size < t.body {
			t.body, most = size, n
		}
	}
	for size := range sizes {
		if size >= largerBy*t.body {
			t.larger = append(t.larger, size)
		}
	}
	slices.Sort(t.larger)
	slices.Reverse(t.larger)
	for column, g := range gaps {
		slices.Sort(g)
		t.leading[column] = g[len(g)/2]
	}
	return t
}

// largerBy is how much larger than the text a heading is.
const largerBy = 1.15

func half(size float32) float32 { return float32(math.Round(float64(size)*2) / 2) }

func (l *line) chars() (n int) {
	for _, r := range l.runs {
		n += utf8.RuneCountInString(r.text)
	}
	return n
}

// The longest headings, in characters and in lines.
const (
	headingChars = 160
	headingLines = 3
)

// headings gives each line its level as a heading; 0 for other lines. Where the document has
// an outline, that decides; otherwise larger text does, and bold text that stands alone.
func (w *writer) headings(body []*line) []int {
	marks := make([]int, len(body))
	if w.outlined(body, marks) > 1 {
		return marks
	}
	clear(marks)
	for i := 0; i < len(body); {
		level := w.style.level(body[i])
		end := i + 1
		for end < len(body) && w.style.level(body[end]) == level && sameHeading(body[end-1], body[end]) {
			end++
		}
		if level > 0 && end-i <= headingLines && alone(body, i, end) {
			for j := i; j < end; j++ {
				marks[j] = level
			}
		}
		i = end
	}
	return marks
}

// level is the level that the look of a line gives it: one for each larger size, and one more for
// bold text of the size of the body.
func (t typography) level(l *line) int {
	if len(l.runs) != 1 || l.chars() > headingChars || !strings.ContainsFunc(l.runs[0].text, unicode.IsLetter) {
		return 0
	}
	if i := slices.Index(t.larger, half(l.size)); i >= 0 {
		return min(i+1, 8)
	}
	if l.bold && !t.bold && half(l.size) >= t.body && !strings.HasSuffix(l.runs[0].text, ".") && !strings.HasSuffix(l.runs[0].text, ",") {
		return min(len(t.larger)+1, 9)
	}
	return 0
}

// alone reports that something follows lines which may be a heading, other than more of the same.
func alone(body []*line, i, end int) bool {
	n := 0
	for _, l := range body[i:end] {
		n += l.chars()
	}
	return n <= headingChars && n > 1 && end < len(body)
}

// sameHeading reports that b goes on with the heading of a.
func sameHeading(a, b *line) bool {
	return a.page == b.page && a.way == b.way && half(a.size) == half(b.size) && a.bold == b.bold && b.top-a.bottom < 0.8*b.size && b.top > a.top
}

// outlined marks the lines that the outline names, each on its page, and counts them.
func (w *writer) outlined(body []*line, marks []int) (n int) {
	first := map[int]int{} // line at which a page begins
	for i, l := range body {
		if _, ok := first[l.page]; !ok {
			first[l.page] = i
		}
	}
	for _, e := range w.outline {
		i, ok := first[e.page]
		for ; ok && i < len(body) && body[i].page == e.page; i++ {
			if lines := named(body[i:], e.name); lines > 0 && marks[i] == 0 {
				for j := range lines {
					marks[i+j] = e.level
				}
				n++
				break
			}
		}
	}
	return n
}

// named returns how many lines, up to headingLines, write a name; 0 if they don't. A number may
// stand before it.
func named(body []*line, want string) int {
	got := ""
	for i := range min(headingLines, len(body)) {
		if body[i].page != body[0].page {
			return 0
		}
		got += squeeze(name(body[i : i+1]))
		if got == want || strings.HasSuffix(got, want) && strings.Trim(got[:len(got)-len(want)], "0123456789.ivxabcdefgh章节第条 ") == "" {
			return i + 1
		}
		if len(got) > len(want)+16 {
			return 0
		}
	}
	return 0
}

// continues reports that b goes on with the paragraph of a.
func (w *writer) continues(a, b *line) bool {
	text, next := a.runs[len(a.runs)-1].text, b.runs[0].text
	if len(a.runs) != 1 || a.way != b.way || abs(a.size-b.size) > 0.12*max(a.size, b.size) || listMark.MatchString(next) {
		return false
	}
	em := max(a.size, 1)
	short := a.right < a.edges[1]-3*em
	ended := strings.ContainsRune(".!?:;。！？：；…”\"", last(text))
	if a.column != b.column || a.page != b.page {
		// What breaks off at the end of a column goes on in the next one.
		first, _ := utf8.DecodeRuneInString(next)
		return !short && !ended && alike(a, b) && (unicode.IsLower(first) || eastern(first) || hyphenated(text))
	}
	gap := b.top - a.bottom
	switch {
	case b.top < a.top, gap > w.style.leading[a.column]+0.35*em, gap > 1.5*em:
		return false
	case b.left > b.edges[0]+0.8*em && a.left <= a.edges[0]+0.8*em && (ended || short):
		return false
	}
	return !short || !ended
}

// alike reports that two lines stand in columns of running text that are as wide as each other.
func alike(a, b *line) bool {
	wa, wb := a.edges[1]-a.edges[0], b.edges[1]-b.edges[0]
	return min(wa, wb) > 12*a.size && min(wa, wb) > 0.8*max(wa, wb)
}

func last(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// sameTable reports that b is a row of the table that a is a row of: next to it, with cells that
// begin where cells of a do.
func sameTable(a, b *line) bool {
	if len(b.runs) < 2 || a.page != b.page || a.way != b.way || b.top-a.bottom > 2.5*max(a.size, b.size) || b.top < a.top {
		return false
	}
	for _, x := range a.starts {
		for _, y := range b.starts {
			if abs(x-y) < max(a.size, b.size) {
				return true
			}
		}
	}
	return false
}
