package parse

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
)

// place is where a rendered character comes from: a range of code points of the source, and the
// lines on which that begins and ends.
type place struct {
	char    [2]int
	line    int
	lineEnd int
}

// render builds normalised text that is not the source itself. Parsers begin a block, put its
// characters with their places, and end it; a block without visible characters leaves no trace.
//
// With a window, a render also notes which part of the text came from a range of the source: that
// is how a locator is opened again by the same rules that made it.
type render struct {
	src    *source
	buf    []byte
	n      int // code points in buf
	blocks []corpus.Block
	places int
	err    error

	open    bool
	block   corpus.Block
	scratch []corpus.Segment // the open block's, until it is known how many there are
	from    int              // byte offset of the block
	seen    mark             // after the last visible character of the block
	seg     segment
	window  [2]int
	hit     corpus.Span // of the window, in the text; empty until something was hit
}

// mark is a position in the text.
type mark struct{ bytes, runes int }

// segment is the open piece of the block.
type segment struct {
	open  bool
	start int
	at    place
	owner any // what it belongs to: a new piece begins with another owner
	loc   locate
}

// locate makes the locator of a piece from its owner and its place.
type locate func(owner any, at place) corpus.Locator

// segmentChars is the length after which a piece of a block ends at the next space or sentence,
// so that places stay narrow in long paragraphs without markup.
const segmentChars = 240

// begin opens a block. Tight puts it on the line after the block before, as the next item of a
// list or row of a table; others have an empty line between.
func (r *render) begin(kind corpus.BlockKind, level, head int, path []string, tight bool) {
	if len(r.blocks) > 0 {
		r.raw("\n")
		if !tight {
			r.raw("\n")
		}
	}
	r.open = true
	r.from = len(r.buf)
	r.seen = mark{len(r.buf), r.n}
	r.block = corpus.Block{
		Kind: kind, Level: level, Head: head, HeadingPath: path, Span: corpus.Span{Start: r.n}, Segments: r.scratch[:0],
	}
}

// raw writes characters that come from no place: separators between blocks and cells.
func (r *render) raw(s string) {
	r.buf = append(r.buf, s...)
	r.n += utf8.RuneCountInString(s)
}

// put writes a character of the open block. Owner and loc say what piece it belongs to.
func (r *render) put(c rune, at place, owner any, loc locate) {
	if r.seg.open && (r.seg.owner != owner || r.n-r.seg.start >= segmentChars && endsPiece(r.buf)) {
		r.endSegment()
	}
	if !r.seg.open {
		if unicode.IsSpace(c) && r.block.Kind != corpus.Code {
			r.raw(string(c))
			return
		}
		r.seg = segment{open: true, start: r.n, at: at, owner: owner, loc: loc}
	}
	if at.char[0] >= r.window[0] && at.char[0] < r.window[1] {
		if r.hit.Len() <= 0 {
			r.hit.Start = r.n
		}
		r.hit.End = r.n + 1
	}
	r.buf = utf8.AppendRune(r.buf, c)
	r.n++
	if !unicode.IsSpace(c) {
		r.seg.at.char[1], r.seg.at.lineEnd = at.char[1], at.lineEnd
		r.seen = mark{len(r.buf), r.n}
	}
}

// mostBorders bounds the borders that stand for a run of empty cells; their number is in the
// locators all the same.
const mostBorders = 8

// borders ends a cell and writes the borders to a later one of the row.
func (r *render) borders(n int) {
	if n == 0 {
		return
	}
	r.endSegment()
	for range min(n, mostBorders) {
		if len(r.block.Segments) > 0 {
			r.buf, r.n = r.buf[:r.seen.bytes], r.seen.runes
			r.raw(" | ")
		} else {
			r.raw("| ")
		}
		r.seen = mark{len(r.buf), r.n}
	}
}

func (r *render) endSegment() {
	if !r.seg.open {
		return
	}
	r.seg.open = false
	end := r.seen.runes
	if end <= r.seg.start {
		return
	}
	loc := r.seg.loc(r.seg.owner, r.seg.at)
	if r.places += layout.Weight(loc); r.places > r.src.limits.Places && r.err == nil {
		r.err = r.src.tooMany()
	}
	if r.err != nil {
		return
	}
	r.block.Segments = append(r.block.Segments, corpus.Segment{
		Span: corpus.Span{Start: r.seg.start, End: end}, Locator: loc,
	})
}

// end closes the block. White space at its end is taken back; a block in which nothing visible
// was put is taken back whole, with the separator before it.
func (r *render) end() {
	if !r.open {
		return
	}
	r.endSegment()
	r.open = false
	if len(r.block.Segments) == 0 {
		r.cut()
		return
	}
	r.buf, r.n = r.buf[:r.seen.bytes], r.seen.runes
	r.hit.End = min(r.hit.End, r.n)
	r.block.Span.End = r.n
	r.scratch, r.block.Segments = r.block.Segments, slices.Clone(r.block.Segments)
	r.blocks = append(r.blocks, r.block)
}

// cut goes back to the end of the last block that was kept.
func (r *render) cut() {
	end := 0
	if len(r.blocks) > 0 {
		end = r.blocks[len(r.blocks)-1].Span.End
	}
	for r.n > end {
		_, size := utf8.DecodeLastRune(r.buf)
		r.buf = r.buf[:len(r.buf)-size]
		r.n--
	}
	r.hit.End = min(r.hit.End, r.n)
}

// endsPiece reports that text may be divided after its last character.
func endsPiece(buf []byte) bool {
	c, _ := utf8.DecodeLastRune(buf)
	switch c {
	case '。', '！', '？', '；', '，', '、':
		return true
	}
	return unicode.IsSpace(c)
}

// resolved returns the part of the text that came from the window.
func (r *render) resolved() (string, bool, error) {
	if r.err != nil {
		return "", false, r.err
	}
	if r.hit.Len() <= 0 {
		return "", r.window[0] == r.window[1], nil
	}
	from, _ := runeOffset(string(r.buf), r.hit.Start)
	length, _ := runeOffset(string(r.buf[from:]), r.hit.Len())
	return string(r.buf[from : from+length]), true, nil
}
