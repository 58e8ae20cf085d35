package pdf

import (
	"fmt"
	"strconv"
	"strings"
)

// spot is a place that can be led to.
type spot struct {
	page int // from 0
	y    float64
}

// link leads from a rectangle to a note, or from a note to its first mention.
type link struct {
	left, low, right, high float64
	note                   int
	back                   bool
}

// page is what stands on one.
type page struct {
	ops   strings.Builder
	links []link
	used  float64  // by text, from the top
	below float64  // by notes, from the bottom, with the gap
	notes []footed // in their order
}

// footed is a line of a note.
type footed struct {
	line  line
	note  int
	first bool
}

// setter sets a document on pages.
type setter struct {
	fonts     *fonts
	document  Document
	pages     []*page
	waiting   []footed // lines of notes that the pages so far could not hold
	mentioned map[int]spot
	noted     map[int]spot
}

const noteLine = noteSize * noteLeading

func (t *setter) page() *page {
	if len(t.pages) == 0 {
		t.turn()
	}
	return t.pages[len(t.pages)-1]
}

// turn begins a page, with what notes left over.
func (t *setter) turn() {
	p := &page{}
	t.pages = append(t.pages, p)
	t.foot(p)
}

// foot sets waiting lines of notes at the foot of a page, as many as fit.
func (t *setter) foot(p *page) {
	for len(t.waiting) > 0 {
		high := noteLine
		if p.below == 0 {
			high += noteGap
		}
		if p.used+p.below+high > textHeight {
			return
		}
		p.below += high
		p.notes = append(p.notes, t.waiting[0])
		t.waiting = t.waiting[1:]
	}
}

// paragraph sets a paragraph, and says whether something follows that it may have to stay with.
func (t *setter) paragraph(p Paragraph, follows bool) {
	high := p.Size * leading
	if pg := t.page(); pg.used > 0 {
		pg.used += p.Before
	}
	for i, l := range t.broken(p.Pieces, p.Size, textWidth-p.Left) {
		need := high
		if p.Keep && follows {
			need += 3 * high
		}
		fresh := t.fresh(l.notes)
		pg := t.page()
		for ; !t.fits(pg, need, fresh); pg = t.page() {
			t.turn()
		}
		pg.used += high
		y := pageHeight - marginY - pg.used + (high-p.Size)/2 + 0.15*p.Size
		if i == 0 && p.Mark != "" {
			mark := t.broken([]Piece{{Text: p.Mark}}, p.Size, textWidth)[0]
			t.draw(pg, mark, marginX+p.Left-mark.width-5, y, ink{p.Size, p.Gray})
		}
		t.draw(pg, l, marginX+p.Left, y, ink{p.Size, p.Gray})
		t.mention(l.notes, y+p.Size)
		t.waiting = append(t.waiting, fresh...)
		t.foot(pg)
	}
	t.page().used += p.After
}

// fresh are the lines of the notes that are mentioned for the first time.
func (t *setter) fresh(notes []int) (out []footed) {
	seen := map[int]bool{}
	for _, n := range notes {
		if _, ok := t.mentioned[n]; ok || seen[n] || n > len(t.document.Notes) {
			continue
		}
		seen[n] = true
		for i, l := range t.broken([]Piece{{Text: t.document.Notes[n-1]}}, noteSize, textWidth-noteIndent) {
			out = append(out, footed{line: l, note: n, first: i == 0})
		}
	}
	return out
}

// fits reports whether a page holds a line and the notes that it is the first to mention. A page
// without text takes a line whose notes no page could hold; the next pages have the rest of them.
func (t *setter) fits(p *page, need float64, fresh []footed) bool {
	if len(t.waiting) > 0 || p.used+p.below+need > textHeight {
		return false
	}
	high := float64(len(fresh)) * noteLine
	if len(fresh) > 0 && p.below == 0 {
		high += noteGap
	}
	return p.used == 0 || p.used+p.below+need+high <= textHeight
}

func (t *setter) mention(notes []int, y float64) {
	for _, n := range notes {
		if _, ok := t.mentioned[n]; !ok {
			t.mentioned[n] = spot{len(t.pages) - 1, y}
		}
	}
}

// finish sets what is left of the notes, and then the foot of every page.
func (t *setter) finish() {
	for t.page(); len(t.waiting) > 0; {
		t.turn()
	}
	for i, p := range t.pages {
		y := marginY + p.below
		if len(p.notes) > 0 {
			y -= noteGap
			fmt.Fprintf(&p.ops, "0.5 w %.2f %.2f m %.2f %.2f l S\n", marginX, y+noteGap/2, marginX+120, y+noteGap/2)
		}
		for _, f := range p.notes {
			y -= noteLine
			base := y + 0.3*noteSize
			if f.first {
				t.noted[f.note] = spot{i, y + noteLine}
				mark := t.broken([]Piece{{Text: "[" + strconv.Itoa(f.note) + "]"}}, noteSize, textWidth)[0]
				t.draw(p, mark, marginX, base, ink{size: noteSize})
				p.links = append(p.links, link{marginX, y, marginX + mark.width, y + noteLine, f.note, true})
			}
			t.draw(p, f.line, marginX+noteIndent, base, ink{size: noteSize})
		}
		number := t.broken([]Piece{{Text: fmt.Sprintf("%d / %d", i+1, len(t.pages))}}, smallSize, textWidth)[0]
		t.draw(p, number, (pageWidth-number.width)/2, footerY, ink{smallSize, true})
	}
}

// ink is how a line is drawn.
type ink struct {
	size float64
	gray bool
}

// draw writes a line on a page. A bold character of a collection is drawn with a stroke around it,
// since no reader need have a bold font for it.
func (t *setter) draw(p *page, l line, x, y float64, with ink) {
	shade := 0.0
	if with.gray {
		shade = grayOfWords
	}
	fmt.Fprintf(&p.ops, "BT %.2f g %.2f G\n", shade, shade)
	for _, r := range l.runs {
		size, at := with.size, y
		if r.note > 0 {
			size, at = with.size*markScale, y+with.size*markRaise
			if r.note <= len(t.document.Notes) {
				p.links = append(p.links, link{left: x, low: at - 1, right: x + r.width, high: at + size, note: r.note})
			}
		}
		_, collected := collections[r.font.family]
		if collected && r.face == Bold {
			fmt.Fprintf(&p.ops, "2 Tr %.2f w ", size*boldStroke)
		} else {
			p.ops.WriteString("0 Tr ")
		}
		fmt.Fprintf(&p.ops, "/%s %.2f Tf 1 0 0 1 %.2f %.2f Tm <", r.font.name, size, x, at)
		for _, c := range r.text {
			p.ops.WriteString(r.font.code(c))
		}
		p.ops.WriteString("> Tj\n")
		x += r.width
	}
	p.ops.WriteString("ET\n")
}
