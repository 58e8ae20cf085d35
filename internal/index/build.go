package index

import (
	"maps"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// The limits of a segment; they bound what opening one can cost.
const (
	maxChunks = 1 << 20
	maxTerm   = 1 << 10
	maxCount  = 1 << 24 // of a term in a field, and of a field's length
)

// posting is one chunk in the list of a term that is being built.
type posting struct {
	ord uint32
	tf  [fields]uint32
}

// Build makes the encoded segment of one version: its title, which counts for every chunk, and
// the chunks in order. A version without chunks has no segment: the result is nil.
func Build(title string, chunks []corpus.Chunk) ([]byte, error) {
	return BuildWith(nil, title, chunks)
}

// BuildWith does what Build does, with the words of a lexicon.
func BuildWith(l *analysis.Lexicon, title string, chunks []corpus.Chunk) ([]byte, error) {
	if len(chunks) == 0 {
		return nil, nil
	}
	if len(chunks) > maxChunks {
		return nil, problem.New(problem.Invalid, "too_large", "A document can have %d chunks; this one has %d.", maxChunks, len(chunks))
	}
	b := builder{lexicon: l, lists: map[string][]posting{}}
	head := l.Tokens(title)
	for i, c := range chunks {
		if c.ID == "" || len(c.ID) > maxTerm || c.No < 1 || i > 0 && c.No <= chunks[i-1].No {
			return nil, problem.New(problem.Internal, "segment_input", "Chunk %d of the version has no id or is out of order.", c.No)
		}
		b.add(c, head)
	}
	return encode(b.segment(chunks), b.lengths), nil
}

type builder struct {
	lexicon *analysis.Lexicon
	lists   map[string][]posting
	lengths [][fields]uint32
}

func (b *builder) add(c corpus.Chunk, head []analysis.Token) {
	ord := uint32(len(b.lengths))
	b.lengths = append(b.lengths, [fields]uint32{})
	b.count(ord, title, head)
	for _, h := range c.HeadingPath {
		b.count(ord, heading, b.lexicon.Tokens(h))
	}
	b.count(ord, body, b.lexicon.Tokens(c.Full()))
}

// count adds the tokens of one field of a chunk.
func (b *builder) count(ord uint32, field int, tokens []analysis.Token) {
	for _, t := range tokens {
		if t.Stop {
			continue
		}
		list := b.lists[t.Term]
		if n := len(list); n == 0 || list[n-1].ord != ord {
			list = append(list, posting{ord: ord})
			b.lists[t.Term] = list
		}
		last := &list[len(list)-1]
		last.tf[field] = min(last.tf[field]+1, maxCount)
		if t.Kind.Measures() {
			b.lengths[ord][field] = min(b.lengths[ord][field]+1, maxCount)
		}
	}
}

// segment makes the tables of the chunks and of their terms, in order.
func (b *builder) segment(chunks []corpus.Chunk) *Segment {
	n := len(chunks)
	s := &Segment{idEnd: make([]uint32, n), no: make([]uint32, n), length: makeLengths(n)}
	var ids strings.Builder
	for i, c := range chunks {
		ids.WriteString(string(c.ID))
		s.idEnd[i], s.no[i] = uint32(ids.Len()), uint32(c.No)
		s.length.set(i, b.lengths[i])
	}
	s.ids = ids.String()
	w := newWriter(s, len(b.lists), 4*len(b.lists))
	for _, t := range slices.Sorted(maps.Keys(b.lists)) {
		for _, p := range b.lists[t] {
			w.add(p.ord, p.tf)
		}
		w.end([]byte(t))
	}
	w.finish()
	return s
}
