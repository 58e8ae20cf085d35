package index

import (
	"sort"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Segment is an immutable table of chunks and the postings of their terms. Ordinals count its
// chunks from 0.
type Segment struct {
	ids      string   // the chunk ids, one after another
	idEnd    []uint32 // where each ends
	no       []uint32 // chunk numbers
	norm     [][fields]float64
	terms    []byte // the terms in order, one after another
	dict     []entry
	postings []byte
}

// entry is a term of the dictionary. Its text and postings reach to those of the next entry; the
// last one only marks the ends.
type entry struct {
	term  int // offset in terms
	start int // offset in postings
	count uint32
	last  uint32 // the last ordinal, for joining lists
}

// Chunks returns the number of chunks.
func (s *Segment) Chunks() int { return len(s.no) }

// size is what merging the segment costs.
func (s *Segment) size() int { return len(s.no) + len(s.dict) + len(s.postings) }

func (s *Segment) chunk(ord uint32) corpus.ChunkID {
	start := uint32(0)
	if ord > 0 {
		start = s.idEnd[ord-1]
	}
	return corpus.ChunkID(s.ids[start:s.idEnd[ord]])
}

func (s *Segment) term(i int) []byte { return s.terms[s.dict[i].term:s.dict[i+1].term] }

// find returns the place of a term in the dictionary; -1 if the segment does not hold it.
func (s *Segment) find(term string) int {
	n := len(s.dict) - 1
	i := sort.Search(n, func(i int) bool { return string(s.term(i)) >= term })
	if i < n && string(s.term(i)) == term {
		return i
	}
	return -1
}

// list returns the postings of a term of the dictionary.
func (s *Segment) list(i int) cursor {
	return cursor{data: s.postings[s.dict[i].start:s.dict[i+1].start], ord: -1}
}

// A posting begins with the gap to the former ordinal, shifted by two bits that say what follows:
// nothing for a single occurrence in the body or in the title, one number for occurrences in the
// body alone, three for any others.
const (
	onceInBody = iota
	onceInTitle
	bodyOnly
	everywhere
)

// cursor walks over the postings of a term. The bytes were checked when the segment was opened,
// so that a walk needs no errors.
type cursor struct {
	data []byte
	at   int
	ord  int64
	tf   [fields]uint32
}

// next moves to the next posting and reports whether there is one.
func (c *cursor) next() bool {
	if c.at >= len(c.data) {
		return false
	}
	// Most postings are one byte: a single occurrence in the body, a short gap.
	if b := c.data[c.at]; b < 0x80 && b&3 == onceInBody {
		c.at++
		c.ord += int64(b >> 2)
		c.tf = [fields]uint32{body: 1}
		return true
	}
	c.step()
	return true
}

// step reads a posting of any form.
func (c *cursor) step() {
	head := c.number()
	c.ord += int64(head >> 2)
	switch head & 3 {
	case onceInBody:
		c.tf = [fields]uint32{body: 1}
	case onceInTitle:
		c.tf = [fields]uint32{title: 1}
	case bodyOnly:
		c.tf = [fields]uint32{body: uint32(c.number())}
	default:
		c.tf[title], c.tf[heading], c.tf[body] = uint32(c.number()), uint32(c.number()), uint32(c.number())
	}
}

// number reads one varint; 0 at the end of the data.
func (c *cursor) number() uint64 {
	var v uint64
	for shift := 0; c.at < len(c.data); shift += 7 {
		b := c.data[c.at]
		c.at++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	return v
}
