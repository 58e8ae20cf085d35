package index

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"

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
	term uint32 // its number, see builder
	ord  uint32
	tf   [fields]uint32
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
	b := builders.Get().(*builder)
	defer b.release()
	b.tokenizer = l.Tokenizer()
	head := b.numbered(nil, b.tokenizer.Tokens(title))
	for i, c := range chunks {
		if c.ID == "" || len(c.ID) > maxTerm || c.No < 1 || i > 0 && c.No <= chunks[i-1].No {
			return nil, problem.New(problem.Internal, "segment_input", "Chunk %d of the version has no id or is out of order.", c.No)
		}
		b.add(c, head)
	}
	return encode(b.segment(chunks), b.lengths), nil
}

// builder numbers the terms in the order in which they come, and keeps all postings in one list: a
// version has thousands of terms, most of them with a posting or two.
type builder struct {
	tokenizer *analysis.Tokenizer

	seed     maphash.Seed
	table    []uint32 // number + 1 by hash
	hash     []uint32 // by number
	terms    []string // by number
	latest   []uint32 // by number: the place of the last posting, plus one
	postings []posting
	lengths  [][fields]uint32

	// The headings of the last chunk. Chunks that follow each other mostly have the same.
	path     []string
	headings []numbered
}

// numbered is a token of a text that is counted for many chunks: the number of its term, and whether it adds to the
// length of the field.
type numbered struct {
	term     uint32
	measures bool
}

// builders keeps the memory of a version for the next one.
var builders = sync.Pool{New: func() any { return &builder{seed: maphash.MakeSeed(), table: make([]uint32, 1<<10)} }}

// The bounds of a version whose memory is kept: its postings, and the size of the table of its terms.
const (
	maxPostings = 1 << 17
	maxTable    = 1 << 16
)

// release empties the builder for the next version.
func (b *builder) release() {
	b.tokenizer.Done()
	if cap(b.postings) > maxPostings || len(b.table) > maxTable {
		return
	}
	clear(b.table)
	clear(b.terms)
	*b = builder{
		seed: b.seed, table: b.table, hash: b.hash[:0], terms: b.terms[:0], latest: b.latest[:0],
		postings: b.postings[:0], lengths: b.lengths[:0],
	}
	builders.Put(b)
}

func (b *builder) add(c corpus.Chunk, head []numbered) {
	ord := uint32(len(b.lengths))
	b.lengths = append(b.lengths, [fields]uint32{})
	b.repeat(ord, title, head)
	if !slices.Equal(b.path, c.HeadingPath) {
		b.path, b.headings = c.HeadingPath, b.headings[:0]
		for _, h := range c.HeadingPath {
			b.headings = b.numbered(b.headings, b.tokenizer.Tokens(h))
		}
	}
	b.repeat(ord, heading, b.headings)
	b.count(ord, body, b.tokenizer.Tokens(c.Full()))
}

// count adds the tokens of one field of a chunk.
func (b *builder) count(ord uint32, field int, tokens []analysis.Token) {
	for _, t := range tokens {
		if t.Stop {
			continue
		}
		b.post(ord, field, b.number(t.Term), t.Kind.Measures())
	}
}

// numbered appends the tokens that count.
func (b *builder) numbered(to []numbered, tokens []analysis.Token) []numbered {
	for _, t := range tokens {
		if !t.Stop {
			to = append(to, numbered{b.number(t.Term), t.Kind.Measures()})
		}
	}
	return to
}

// repeat does what count does, for tokens that were numbered.
func (b *builder) repeat(ord uint32, field int, tokens []numbered) {
	for _, t := range tokens {
		b.post(ord, field, t.term, t.measures)
	}
}

// post counts a term once more in a field of a chunk.
func (b *builder) post(ord uint32, field int, term uint32, measures bool) {
	at := b.latest[term]
	if at == 0 || b.postings[at-1].ord != ord {
		b.postings = append(b.postings, posting{term: term, ord: ord})
		at = uint32(len(b.postings))
		b.latest[term] = at
	}
	last := &b.postings[at-1]
	last.tf[field] = min(last.tf[field]+1, maxCount)
	if measures {
		b.lengths[ord][field] = min(b.lengths[ord][field]+1, maxCount)
	}
}

// number returns the number of a term, a new one if the term is new.
func (b *builder) number(term string) uint32 {
	h := uint32(maphash.String(b.seed, term))
	mask := uint32(len(b.table) - 1)
	i := h & mask
	for ; b.table[i] != 0; i = (i + 1) & mask {
		if n := b.table[i] - 1; b.hash[n] == h && b.terms[n] == term {
			return n
		}
	}
	b.table[i] = uint32(len(b.terms) + 1)
	b.terms, b.hash, b.latest = append(b.terms, term), append(b.hash, h), append(b.latest, 0)
	if 2*len(b.terms) > len(b.table) {
		b.table = rehashed(b.hash, 2*len(b.table))
	}
	return uint32(len(b.terms) - 1)
}

// rehashed makes a table of a size, which is a power of two, from the hashes of terms by their numbers.
func rehashed(hashes []uint32, size int) []uint32 {
	table := make([]uint32, size)
	mask := uint32(size - 1)
	for k, h := range hashes {
		i := h & mask
		for table[i] != 0 {
			i = (i + 1) & mask
		}
		table[i] = uint32(k + 1)
	}
	return table
}

// grouped returns the places of the postings by the numbers of their terms, in the order in which they
// came; those of term n are from ends[n] up to ends[n+1].
func (b *builder) grouped() (places, ends []uint32) {
	ends = make([]uint32, len(b.terms)+2)
	for _, p := range b.postings {
		ends[p.term+2]++
	}
	for n := range b.terms {
		ends[n+2] += ends[n+1]
	}
	places = make([]uint32, len(b.postings))
	for i, p := range b.postings {
		places[ends[p.term+1]] = uint32(i)
		ends[p.term+1]++
	}
	return places, ends[:len(b.terms)+1]
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
	w := newWriter(s, len(b.terms), 4*len(b.terms))
	places, ends := b.grouped()
	for _, n := range ordered(len(b.terms), func(n uint32) string { return b.terms[n] }) {
		for _, at := range places[ends[n]:ends[n+1]] {
			w.add(b.postings[at].ord, b.postings[at].tf)
		}
		w.end([]byte(b.terms[n]))
	}
	w.finish()
	return s
}
