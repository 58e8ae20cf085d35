package index

import (
	"encoding/binary"
	"math"
	"slices"
	"sort"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Segment is an immutable table of chunks and the postings of their terms. Ordinals count its
// chunks from 0. The postings of a term lie in blocks of blockSize.
type Segment struct {
	ids    string   // the chunk ids, one after another
	idEnd  []uint32 // where each ends
	no     []uint32 // chunk numbers
	length lengths
	terms  []byte // the terms in order, one after another
	dict   []entry
	heads  []uint64 // of every signposts-th term, see head

	// The table of blocks, over all lists. A block reaches to where the next one starts.
	last  []uint32 // the last ordinal
	start []uint32 // offset in data; one more than there are blocks
	peak  []uint16 // see Segment.impact
	top   []uint8  // which posting of the block has that impact; nil where nobody knows
	data  []byte   // the blocks, and tail more bytes

	// dense has the longest lists as bits too, by place in the dictionary.
	dense map[int]*dense

	// The bits of a filter that admits all chunks, and their summary.
	all, allWords []uint64
}

// entry is a term of the dictionary. Its text and blocks reach to those of the next entry; the
// last one only marks the ends.
type entry struct {
	term  uint32 // offset in terms
	block uint32 // its first block
	count uint32
}

// peaks is the number of steps in which the impact of a block is kept.
const peaks = math.MaxUint16

// Chunks returns the number of chunks.
func (s *Segment) Chunks() int { return len(s.no) }

// Bytes returns about how much memory the segment takes.
func (s *Segment) Bytes() int {
	n := len(s.ids) + 4*len(s.idEnd) + 4*len(s.no) + 4*fields*len(s.no) + len(s.terms) + 12*len(s.dict) +
		10*len(s.last) + len(s.top) + len(s.data)
	for _, d := range s.dense {
		n += d.bytes()
	}
	return n + 8*(len(s.heads)+len(s.all)+len(s.allWords))
}

// size is what merging the segment costs.
func (s *Segment) size() int { return len(s.no) + len(s.dict) + len(s.data) }

func (s *Segment) chunk(ord uint32) corpus.ChunkID {
	return corpus.ChunkID(s.ids[s.idStart(ord):s.idEnd[ord]])
}

func (s *Segment) idStart(ord uint32) uint32 {
	if ord == 0 {
		return 0
	}
	return s.idEnd[ord-1]
}

func (s *Segment) term(i int) []byte { return s.terms[s.dict[i].term:s.dict[i+1].term] }

// signposts is how many terms lie between two entries of Segment.heads.
const signposts = 32

// head returns the first bytes of a term as a number, which orders terms but for those that begin alike.
func head[T []byte | string](term T) uint64 {
	var b [8]byte
	copy(b[:], term)
	return binary.BigEndian.Uint64(b[:])
}

// find returns the place of a term in the dictionary; -1 if the segment does not hold it.
func (s *Segment) find(term string) int {
	// The heads leave a few terms that are near each other, instead of steps all over the dictionary.
	h := head(term)
	before, _ := slices.BinarySearch(s.heads, h)                                                          // the first whose head is h or more
	after := before + sort.Search(len(s.heads)-before, func(i int) bool { return s.heads[before+i] > h }) // the first whose head is more
	low, high := max(0, before-1)*signposts, min(after*signposts, len(s.dict)-1)
	i := low + sort.Search(high-low, func(i int) bool { return string(s.term(low+i)) >= term })
	if i < high && string(s.term(i)) == term {
		return i
	}
	return -1
}

// signpost makes the heads.
func (s *Segment) signpost() {
	n := len(s.dict) - 1
	s.heads = make([]uint64, 0, (n+signposts-1)/signposts)
	for i := 0; i < n; i += signposts {
		s.heads = append(s.heads, head(s.term(i)))
	}
}

// blocks returns the range of blocks of a term.
func (s *Segment) blocks(i int) (int, int) { return int(s.dict[i].block), int(s.dict[i+1].block) }

// held returns how many postings the block b has, in a list of count postings whose blocks end at end.
func held(b, end int, count uint32) int {
	if b+1 < end {
		return blockSize
	}
	return int(count-1)%blockSize + 1
}

// impact is at least the largest part of its weight that the term earns a chunk of the block. It
// knows nothing of how rare the term is, so that it holds for every visible part.
func (s *Segment) impact(b int) float64 { return float64(s.peak[b]) / peaks }

// each calls fn for every posting of a term.
func (s *Segment) each(i int, fn func(ord uint32, tf [fields]uint32)) {
	first, end := s.blocks(i)
	var b block
	for k := first; k < end; k++ {
		s.read(&b, k, held(k, end, s.dict[i].count))
		for j := range b.n {
			fn(b.ord[j], b.at(j))
		}
	}
}

// read reads the block k, which has n postings.
func (s *Segment) read(b *block, k, n int) {
	src := s.data[s.start[k]:]
	b.n = n
	ordinals(b.ord[:n], src, s.last[k])
	b.frequencies(src)
}

// only returns the frequencies of the one posting of the block k.
func (s *Segment) only(k int) (tf [fields]uint32) {
	for f, c := range columns(s.data[s.start[k]:], 1) {
		tf[f] = c.at(0)
	}
	return tf
}

// derive makes what a segment has in memory beside what is stored.
func (s *Segment) derive() {
	s.signpost()
	s.thicken()
	s.all = full(len(s.no))
	s.allWords = full(len(s.all))
}

// full returns n bits that are set.
func full(n int) []uint64 {
	words := make([]uint64, (n+63)/64)
	fill(words, 0, uint32(n))
	return words
}

// writer appends lists to a segment whose chunk table is complete.
type writer struct {
	s     *Segment
	b     block
	count uint32
}

func newWriter(s *Segment, terms, data int) *writer {
	s.dict = make([]entry, 0, terms+1)
	s.data = make([]byte, 0, data+tail)
	return &writer{s: s}
}

// add appends a posting of the list that is being written. Ordinals rise.
func (w *writer) add(ord uint32, tf [fields]uint32) {
	if w.b.n == blockSize {
		w.flush()
	}
	w.b.add(ord, tf)
	w.count++
}

// append appends the postings of a block that was read, with ordinals that are so much larger.
func (w *writer) append(b *block, base uint32) {
	for from := 0; from < b.n; {
		if w.b.n == blockSize {
			w.flush()
		}
		n := min(b.n-from, blockSize-w.b.n)
		w.b.take(b, from, n, base)
		w.count += uint32(n)
		from += n
	}
}

func (w *writer) flush() {
	s := w.s
	s.last = append(s.last, w.b.ord[w.b.n-1])
	s.start = append(s.start, uint32(len(s.data)))
	peak, top := w.b.peak(&s.length)
	s.peak, s.top = append(s.peak, peak), append(s.top, top)
	s.data = appendBlock(s.data, &w.b)
	w.b.n = 0
}

// end closes the list under its term; without postings there is no term. Terms rise.
func (w *writer) end(term []byte) {
	if w.count == 0 {
		return
	}
	s := w.s
	first := uint32(len(s.last) - int(w.count-1)/blockSize)
	if w.b.n > 0 {
		w.flush()
	}
	s.dict = append(s.dict, entry{term: uint32(len(s.terms)), block: first, count: w.count})
	s.terms = append(s.terms, term...)
	w.count = 0
}

// finish marks the ends of all tables.
func (w *writer) finish() {
	s := w.s
	s.dict = append(s.dict, entry{term: uint32(len(s.terms)), block: uint32(len(s.last))})
	s.start = append(s.start, uint32(len(s.data)))
	s.data = append(s.data, make([]byte, tail)...)
	s.derive()
}

// peak returns the largest impact in the block, rounded up, and the first posting that has it. What a chunk
// earns rises with its weighted frequency, so that the largest of those is enough.
func (b *block) peak(l *lengths) (impact uint16, at uint8) {
	most := 0.0
	for i := range b.n {
		if x := l.frequency([fields]uint32{b.tf[title][i], b.tf[heading][i], b.tf[body][i]}, b.ord[i]); x > most {
			most, at = x, uint8(i)
		}
	}
	return uint16(min(peaks, math.Ceil(peaks*(most/(k1+most))))), at
}
