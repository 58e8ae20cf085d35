package index

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"
)

// Parts returns how many merged segments a set has.
func Parts(s *Set) int { return len(s.parts) }

// Held returns how many chunks a set keeps in memory, dead ones too.
func Held(s *Set) int {
	n := 0
	for _, p := range s.parts {
		n += p.segment.Chunks()
	}
	return n
}

// Spare merges the parts of a set again, and returns how many bytes of the result are reserved and empty, and how many it has.
func Spare(s *Set) (n, size int) {
	m := survivors(s.parts)
	n += m.ids.Cap() - m.ids.Len()
	for _, p := range []*part{merge(s.parts)} {
		q := p.segment
		size += len(Part{p}.Encode())
		n += cap(q.terms) - len(q.terms) + 12*(cap(q.dict)-len(q.dict)) + cap(q.data) - len(q.data)
		n += 4*(cap(q.last)-len(q.last)) + 4*(cap(q.start)-len(q.start)) + 2*(cap(q.peak)-len(q.peak))
		n += 4*(cap(q.idEnd)-len(q.idEnd)) + 4*(cap(q.no)-len(q.no)) + 4*(cap(p.docOf)-len(p.docOf))
	}
	return n, size
}

// Joining returns a merge of any of a set's parts, due or not.
func Joining(s *Set, pick func(i int) bool) *Merge {
	m := &Merge{}
	for i, p := range s.parts {
		if pick(i) {
			m.sources = append(m.sources, p)
		}
	}
	return m
}

// Dense returns how many lists of a set are kept as bits too.
func Dense(s *Set) int {
	n := 0
	for _, p := range s.parts {
		n += len(p.segment.dense)
	}
	return n
}

// Posting is a chunk in a list.
type Posting struct {
	Ord uint32
	TF  [fields]uint32
}

// made writes a list into a segment of the given number of chunks.
func made(list []Posting, chunks int) *Segment {
	s := &Segment{no: make([]uint32, chunks), length: makeLengths(chunks)}
	for i := range s.no {
		s.length.set(i, [fields]uint32{uint32(i % 7), uint32(i % 5), uint32(i % 300)})
	}
	w := newWriter(s, 1, 0)
	for _, p := range list {
		w.add(p.Ord, p.TF)
	}
	w.end([]byte("term"))
	w.finish()
	return s
}

// Rewritten writes a list into a segment and returns what is read from it, and whether every
// impact covers its block.
func Rewritten(list []Posting, chunks int) ([]Posting, bool) {
	s := made(list, chunks)
	var out []Posting
	covered := s.sound()
	s.each(0, func(ord uint32, tf [fields]uint32) {
		covered = covered && s.length.saturate(tf, ord) <= s.impact(len(out)/blockSize)
		out = append(out, Posting{ord, tf})
	})
	return out, covered
}

// Large returns the sizes of the parts that are not merged when a version comes.
func Large(s *Set) []int {
	var out []int
	for _, p := range s.parts {
		if !p.small() {
			out = append(out, p.segment.size())
		}
	}
	return out
}

// listOf is a list under a name that no parameter hides.
type listOf = list

// Bounded walks over windows that end at the given ordinals, in a segment made of one list. It returns
// the first ordinal whose contribution is more than the bound of its window, and false if there is
// none. A short list is read, a long one may have bits.
func Bounded(list []Posting, chunks int, ends []uint32, short bool) (uint32, bool) {
	s := made(list, chunks)
	l := new(listOf)
	l.open(s, 0, 2.5)
	if short {
		l.dense = nil
	}
	all := &Filter{set: &Set{parts: []*part{{segment: s}}}, visible: []int{chunks}}
	l.show(all.gather(0, 0, 0, uint32(chunks), new(arena)))
	low := uint32(0)
	for _, high := range ends {
		l.reach(low, high)
		for _, p := range list {
			if p.Ord >= low && p.Ord < high && l.weight*s.length.saturate(p.TF, p.Ord) > l.bound*(1+1e-12) {
				return p.Ord, true
			}
		}
		low = high
	}
	return 0, false
}

// PartOf returns a part of a set, however small.
func PartOf(s *Set, i int) Part { return Part{s.parts[i]} }

// Sealed returns the bytes of a part with the checksum that they should have.
func Sealed(b []byte) []byte {
	b = slices.Clone(b)
	binary.LittleEndian.PutUint32(b[len(magicPart):], crc32.Checksum(b[len(magicPart)+4:], castagnoli))
	return b
}

// Hollowed returns copies of a part, each without the bytes of another block, whose place in the
// tables is left.
func (p Part) Hollowed() (out []Part) {
	for k := range p.part.segment.last {
		s := *p.part.segment
		from, to := s.start[k], s.start[k+1]
		s.data = slices.Delete(slices.Clone(s.data), int(from), int(to))
		s.start = slices.Clone(s.start)
		for i := k + 1; i < len(s.start); i++ {
			s.start[i] -= to - from
		}
		q := *p.part
		q.segment = &s
		out = append(out, Part{&q})
	}
	return out
}

// PartHead is how many bytes of a part come before its first number, the version of the analysis.
const PartHead = len(magicPart) + 4

// dictionary makes a segment of one chunk that holds the terms.
func dictionary(terms map[string]bool) *Segment {
	s := &Segment{no: make([]uint32, 1), length: makeLengths(1)}
	w := newWriter(s, len(terms), 0)
	for _, term := range slices.Sorted(maps.Keys(terms)) {
		w.add(0, [fields]uint32{body: 1})
		w.end([]byte(term))
	}
	w.finish()
	return s
}

// Cramped lets searches keep so many numbers of what they read, until the function is called that it returns.
func Cramped(n int) func() {
	before := arenaMost
	arenaMost = n
	return func() { arenaMost = before }
}

// Choosy lets searches choose what they score first by the best posting of each block in all but such short lists, until
// the function is called that it returns.
func Choosy(n int) func() {
	before := seedWhole
	seedWhole = n
	return func() { seedWhole = before }
}

// First returns the part as the first format has it: nobody knows which posting of a block has its largest impact.
func (p Part) First() (Part, []byte) {
	s := *p.part.segment
	b := p.Encode()
	b = slices.Delete(b, len(b)-len(s.data)-len(s.last), len(b)-len(s.data))
	copy(b, magicPartOne)
	s.top = nil
	q := *p.part
	q.segment = &s
	return Part{&q}, Sealed(b)
}
