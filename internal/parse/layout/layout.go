// Package layout puts what a parser of an office document found into normalised text: blocks one
// after the other, each piece of them with its place. It knows no file format. A table is laid out
// with its head, the names of its columns, and the values of merged cells in every row they cover.
package layout

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Limits bound what is laid out. All of them must be set.
type Limits struct {
	Places int // pieces with a place of their own, counted with the names that they repeat
	Bytes  int // of normalised text
}

// ErrFull says that a document has more places or text than the limits allow.
var ErrFull = errors.New("the document holds more text or more places than the limits allow")

// HiddenLeftOut is the notice that a document holds text that nobody sees, such as hidden sheets, rows or
// layers, and that this was left out.
const HiddenLeftOut = "hidden_left_out"

// Page collects blocks. The zero Page with limits is empty and ready.
type Page struct {
	Limits Limits
	text   strings.Builder
	n      int // code points in text
	blocks []corpus.Block
	places int
}

// Piece is text with its place. White space around it is no part of it.
type Piece struct {
	Text  string
	Place corpus.Locator
}

// Block is what Add puts down: pieces, and what stands between them.
type Block struct {
	Kind  corpus.BlockKind
	Level int
	Path  []string
	Head  int  // of a table's row: what Add returned for its head; -1 for none
	Tight bool // on the line after the block before, as in lists and tables
	// Pieces are written one after the other with Between before each but the first.
	Pieces  []Piece
	Between string
}

// Add puts a block down and returns its number; -1 for one without text, which leaves no trace.
func (p *Page) Add(b Block) (int, error) {
	block := corpus.Block{Kind: b.Kind, Level: b.Level, Head: b.Head, HeadingPath: b.Path}
	if block.HeadingPath == nil {
		block.HeadingPath = []string{}
	}
	pieces := make([]Piece, 0, len(b.Pieces))
	places, bytes := p.places, p.text.Len()+2
	for _, piece := range b.Pieces {
		if piece.Text = Clean(piece.Text); piece.Text != "" {
			pieces = append(pieces, piece)
			places += Weight(piece.Place)
			bytes += len(piece.Text) + len(b.Between)
		}
	}
	if len(pieces) == 0 {
		return -1, nil
	}
	if places > p.Limits.Places || bytes > p.Limits.Bytes {
		return -1, ErrFull
	}
	p.places = places
	switch {
	case len(p.blocks) == 0:
	case b.Tight:
		p.write("\n")
	default:
		p.write("\n\n")
	}
	block.Span.Start = p.n
	block.Segments = make([]corpus.Segment, 0, len(pieces))
	for i, piece := range pieces {
		if i > 0 {
			p.write(b.Between)
		}
		start := p.n
		p.write(piece.Text)
		block.Segments = append(block.Segments, corpus.Segment{Span: corpus.Span{Start: start, End: p.n}, Locator: piece.Place})
	}
	block.Span.End = p.n
	p.blocks = append(p.blocks, block)
	return len(p.blocks) - 1, nil
}

func (p *Page) write(s string) {
	p.text.WriteString(s)
	p.n += utf8.RuneCountInString(s)
}

// Parsed returns what was laid out.
func (p *Page) Parsed(title string) corpus.Parsed {
	return corpus.Parsed{Title: title, Text: p.text.String(), Blocks: p.blocks}
}

// nameUnit is how many bytes of names in a locator cost as much as a place.
const nameUnit = 200

// Weight is what a place counts of the limit, by the names that its locator repeats.
func Weight(l corpus.Locator) int {
	return 1 + corpus.NameBytes(l)/nameUnit
}

// Clean takes white space off the ends, and control characters that no text has out of it. Line
// ends become LF.
func Clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\v' || r == '\f' || r == '\r' || r == '\u2028' || r == '\u2029':
			return '\n'
		case unicode.IsControl(r) || r == '\u00ad' || r == utf8.RuneError:
			return -1
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
	return strings.TrimSpace(s)
}

// nameLimit bounds a name in paths and locators, in code points, because every place repeats it.
const nameLimit = 256

// Name returns a text as a name in a path: on one line and not longer than a name may be.
func Name(s string) string {
	s = strings.Join(strings.Fields(Clean(s)), " ")
	if utf8.RuneCountInString(s) <= nameLimit {
		return s
	}
	runes := []rune(s)
	return strings.TrimSpace(string(runes[:nameLimit-1])) + "…"
}

// Outline is the stack of headings above a place.
type Outline struct {
	levels []int
	path   []string // never changed in place: blocks and locators share it
}

// Path returns the headings; it is never nil.
func (o *Outline) Path() []string {
	if o.path == nil {
		return []string{}
	}
	return o.path
}

// Push takes a heading onto the stack and off it all those that it ends.
func (o *Outline) Push(level int, name string) {
	n := len(o.levels)
	for n > 0 && o.levels[n-1] >= level {
		n--
	}
	o.levels = append(o.levels[:n], level)
	o.path = append(append(make([]string, 0, n+1), o.path[:n]...), Name(name))
}
