package preview

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/glyph"
)

// renderer writes a stretch of a document. Every character of the stretch is written once and in
// order: what writes text moves the place on, and nothing else does.
type renderer struct {
	strings.Builder
	doc    document
	span   corpus.Span
	text   []rune // of the span
	at     int    // the next character, counted in the document
	ids    map[string]bool
	open   []group
	runs   []run // looks of the characters to come, in order
	breaks breaks
}

// breaks says which ends of lines are ends of lines in the fragment too.
type breaks uint8

const (
	noBreak   breaks = iota
	hardBreak        // those that Markdown says so of
	allBreak
)

// look is how a character is shown.
type look struct {
	kind kind
	tags tags
}

type kind uint8

const (
	plain   kind = iota
	mark         // markup of the source, or a separator
	address      // where a link or picture points
	comment      // not shown
)

type tags uint8

const (
	emphasised tags = 1 << iota
	strong
	deleted
	code
)

var tagNames = []string{"em", "strong", "del", "code"}

// run is a stretch of characters with one look.
type run struct {
	span corpus.Span
	look
}

func newRenderer(d document, span corpus.Span) *renderer {
	return &renderer{doc: d, span: span, text: d.slice(span), at: span.Start, ids: map[string]bool{}}
}

// document writes all of the stretch.
func (r *renderer) document() {
	class := "doc"
	if c := r.doc.class(r.span); c != "" {
		class += " doc-" + c
	}
	r.element("div", "", r.span, ` class="`+class+`"`)
	for i := r.doc.after(r.span.Start); i < len(r.doc.blocks) && r.doc.blocks[i].Span.Start < r.span.End; {
		b := r.doc.blocks[i]
		r.write(b.Span.Start, look{})
		r.enter(i)
		i = r.block(i)
	}
	r.write(r.span.End, look{})
	r.leave(0)
	r.WriteString("</div>")
}

func groupsOf(b corpus.Block) []group {
	if len(b.Segments) == 0 {
		return nil
	}
	return groups(b.Segments[0].Locator)
}

// enter closes the groups that block i is not in, and opens those that it is in.
func (r *renderer) enter(i int) {
	next := groupsOf(r.doc.blocks[i])
	n := 0
	for n < len(next) && n < len(r.open) && r.open[n] == next[n] {
		n++
	}
	r.leave(n)
	for ; n < len(next); n++ {
		end := i + 1
		for end < len(r.doc.blocks) && r.doc.blocks[end].Span.Start < r.span.End {
			if g := groupsOf(r.doc.blocks[end]); len(g) <= n || !slices.Equal(g[:n+1], next[:n+1]) {
				break
			}
			end++
		}
		span := corpus.Span{Start: r.at, End: r.span.End}
		if end < len(r.doc.blocks) {
			span.End = min(span.End, r.doc.blocks[end].Span.Start)
		}
		id := next[n].id
		if next[n].pieces {
			id = ""
		}
		r.element("section", id, span, ` class="`+next[n].class+`"`)
	}
	r.open = next
}

// leave closes all groups but the outermost ones.
func (r *renderer) leave(n int) {
	for range r.open[min(n, len(r.open)):] {
		r.WriteString("</section>")
	}
	r.open = r.open[:min(n, len(r.open))]
}

// id is the attribute for an anchor, which only the first element of a fragment has.
func (r *renderer) id(anchor string) string {
	if anchor == "" || r.ids[anchor] {
		return ""
	}
	r.ids[anchor] = true
	return ` id="` + anchor + `"`
}

// element opens an element that holds a span of the document.
func (r *renderer) element(name, anchor string, span corpus.Span, more string) {
	r.WriteString("<" + name + r.id(anchor) + ` data-start="` + itoa(span.Start) + `" data-end="` + itoa(span.End) + `"` + more + ">")
}

// shown returns the part of a span that the stretch has.
func (r *renderer) shown(s corpus.Span) corpus.Span {
	s.Start, s.End = max(s.Start, r.span.Start), min(s.End, r.span.End)
	return s
}

// piece writes a piece with its place.
func (r *renderer) piece(s corpus.Segment, base look) {
	span := r.shown(s.Span)
	more := ""
	if base.kind == mark {
		more = ` class="doc-mark"`
	}
	r.element("span", Anchor(s.Locator), span, more)
	r.write(span.End, look{tags: base.tags})
	r.WriteString("</span>")
}

// write writes the characters up to a place, as their runs and the base say.
func (r *renderer) write(to int, base look) {
	to = min(to, r.span.End)
	for r.at < to {
		for len(r.runs) > 0 && r.runs[0].span.End <= r.at {
			r.runs = r.runs[1:]
		}
		end, l := to, base
		if len(r.runs) > 0 {
			if next := r.runs[0]; next.span.Start > r.at {
				end = min(to, next.span.Start)
			} else {
				end = min(to, next.span.End)
				l.kind, l.tags = max(l.kind, next.kind), l.tags|next.tags
			}
		}
		r.stretch(end, l)
	}
}

// stretch writes characters of one look.
func (r *renderer) stretch(to int, l look) {
	end := ""
	switch l.kind {
	case comment:
		r.element("span", "", corpus.Span{Start: r.at, End: to}, ` class="doc-unshown"`)
		r.WriteString("</span>")
		r.at = to
		return
	case mark:
		r.WriteString(`<span class="doc-mark">`)
		end = "</span>"
	case address:
		r.WriteString(`<span class="doc-address">`)
		end = "</span>"
	}
	for i, name := range tagNames {
		if l.tags&(1<<i) != 0 {
			r.WriteString("<" + name + ">")
			end = "</" + name + ">" + end
		}
	}
	for ; r.at < to; r.at++ {
		r.character()
	}
	r.WriteString(end)
}

// character writes the next character.
func (r *renderer) character() {
	i := r.at - r.span.Start
	c := visible(r.text, i)
	switch c {
	case '<':
		r.WriteString("&lt;")
	case '>':
		r.WriteString("&gt;")
	case '&':
		r.WriteString("&amp;")
	case '"':
		r.WriteString("&#34;")
	case '\'':
		r.WriteString("&#39;")
	case '\n':
		r.WriteByte('\n')
		if r.breaks == allBreak || r.breaks == hardBreak && i > 1 && (r.text[i-1] == '\\' || r.text[i-1] == ' ' && r.text[i-2] == ' ') {
			r.WriteString("<br>")
		}
	default:
		r.WriteRune(c)
	}
}

// visible returns the one character that is shown for another: itself, or a visible one for a control
// character or one that nobody sees. A carriage return is a line's end, or a space before one.
func visible(text []rune, i int) rune {
	switch c := text[i]; {
	case c == '\r' && i+1 < len(text) && text[i+1] == '\n':
		return ' '
	case c == '\r':
		return '\n'
	default:
		return seen(c)
	}
}

// seen returns a code point that is seen in the stead of one.
func seen(c rune) rune {
	switch {
	case c == 0x7f:
		return '␡'
	case c < ' ' && glyph.Hidden(c):
		return '␀' + c
	case glyph.Hidden(c):
		return '\ufffd'
	}
	return c
}
