package index

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index/internal/table"
	"github.com/kaoju/kaoju/internal/problem"
)

// magicPart opens every encoded part; its last byte is the version of the format. The first one does not have
// Segment.top.
const (
	magicPart    = "KJP\x02"
	magicPartOne = "KJP\x01"
)

// Part is a merged segment of many versions. It is encoded as it lies in memory, so that a server
// that starts need not open and merge the segments of those versions again. Nothing depends on it:
// who can't open one, or does not trust it, makes it anew from the segments.
type Part struct{ part *part }

// Parts returns those parts of the set that are large, and so take long to make.
func (s *Set) Parts() []Part {
	var out []Part
	for _, p := range s.parts {
		if !p.small() {
			out = append(out, Part{p})
		}
	}
	return out
}

// Restore makes a set of parts. All their versions are in it, also those that were removed from the
// set that a part was taken from.
func Restore(parts []Part) *Set {
	s := &Set{}
	for _, p := range parts {
		q := *p.part
		q.dead, q.lost = nil, 0
		s.parts = append(s.parts, &q)
	}
	order(s.parts)
	return s
}

// Is reports whether both are the same part, whatever was removed from it since.
func (p Part) Is(q Part) bool { return p.part.identity() == q.part.identity() }

// Documents returns the versions whose words the part holds, also those that were removed.
func (p Part) Documents() []corpus.DocumentID {
	out := make([]corpus.DocumentID, len(p.part.docs))
	for i, m := range p.part.docs {
		out[i] = m.document
	}
	return out
}

// Outlived reports whether the part holds former words of a version that lives: another part has its present ones.
func (p Part) Outlived(lives func(corpus.DocumentID) bool) bool {
	for i, m := range p.part.docs {
		if p.part.isDead(uint32(i)) && lives(m.document) {
			return true
		}
	}
	return false
}

// Each calls fn for every version of Documents, with its key and the number of its chunks.
func (p Part) Each(fn func(id corpus.DocumentID, key string, chunks int)) {
	for _, m := range p.part.docs {
		fn(m.document, m.key, int(m.chunks))
	}
}

// Cleanse returns the merge that rids a part of this set, or what has become of it, of the versions
// that were removed; nil if there is nothing to do.
func (s *Set) Cleanse(p Part) *Merge {
	for _, q := range s.parts {
		if q.identity() == p.part.identity() && q.lost > 0 && q.lost < q.segment.Chunks() {
			return &Merge{sources: []*part{q}}
		}
	}
	return nil
}

// Encode writes the part. All tables have rows of one width: reading them is copying.
func (p Part) Encode() []byte {
	s := p.part.segment
	out := make([]byte, 0, s.Bytes()+64*len(p.part.docs)+256)
	out = append(append(out, magicPart...), 0, 0, 0, 0)
	out = binary.AppendUvarint(out, analysis.Version)
	out = binary.AppendUvarint(out, uint64(len(p.part.docs)))
	for _, m := range p.part.docs {
		out = appendText(out, string(m.document))
		out = appendText(out, m.key)
		out = binary.AppendUvarint(out, uint64(m.chunks))
	}
	out = appendText(out, s.ids)
	out = appendWords(out, s.idEnd)
	out = appendWords(out, s.no)
	for _, field := range s.length {
		out = appendWords(out, field)
	}
	out = appendText(out, string(s.terms))
	out = binary.AppendUvarint(out, uint64(len(s.dict)))
	for _, e := range s.dict {
		out = binary.LittleEndian.AppendUint32(out, e.term)
		out = binary.LittleEndian.AppendUint32(out, e.block)
		out = binary.LittleEndian.AppendUint32(out, e.count)
	}
	out = appendWords(out, s.last)
	out = appendWords(out, s.start)
	for _, n := range s.peak {
		out = binary.LittleEndian.AppendUint16(out, n)
	}
	top := s.top
	if top == nil {
		top = make([]uint8, len(s.last))
	}
	out = append(append(out, top...), s.data...)
	binary.LittleEndian.PutUint32(out[len(magicPart):], crc32.Checksum(out[len(magicPart)+4:], castagnoli))
	return out
}

func appendText(to []byte, s string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(s))), s...)
}

func appendWords(to []byte, list []uint32) []byte {
	to = slices.Grow(binary.AppendUvarint(to, uint64(len(list))), 4*len(list))
	for _, n := range list {
		to = binary.LittleEndian.AppendUint32(to, n)
	}
	return to
}

// OpenPart reads an encoded part. Damage is problem.Internal "segment_damaged", terms of another
// analysis are problem.Conflict "segment_outdated". The bytes are not kept.
func OpenPart(b []byte) (Part, error) {
	const head = len(magicPart) + 4
	if len(b) < head || string(b[:len(magicPart)]) != magicPart && string(b[:len(magicPart)]) != magicPartOne {
		return Part{}, damaged("it does not begin as a merged one does")
	}
	if binary.LittleEndian.Uint32(b[len(magicPart):]) != crc32.Checksum(b[head:], castagnoli) {
		return Part{}, damaged("its checksum is wrong")
	}
	r := partReader{table.Reader{Data: b[head:]}}
	if v := r.Number(1 << 32); !r.Bad && v != analysis.Version {
		return Part{}, problem.New(problem.Conflict, "segment_outdated", "The merged segment was built with version %d of the analysis; this is version %d.", v, analysis.Version)
	}
	p := &part{segment: &Segment{}, index: map[corpus.DocumentID]uint32{}}
	r.members(p)
	r.tables(p.segment, string(b[:len(magicPart)]) == magicPart)
	if r.Bad || !p.fits() {
		return Part{}, damaged("its tables are torn")
	}
	if !p.segment.soundThroughout() {
		return Part{}, damaged("its postings are wrong")
	}
	p.segment.derive()
	return Part{p}, nil
}

// soundThroughout is sound on all processors: a part may hold all lists of a tenant.
func (s *Segment) soundThroughout() bool {
	lists, workers := len(s.dict)-1, runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	var faults atomic.Int32
	for w := range workers {
		wg.Go(func() {
			if !s.soundLists(lists*w/workers, lists*(w+1)/workers) {
				faults.Add(1)
			}
		})
	}
	wg.Wait()
	return faults.Load() == 0
}

// partReader reads the tables of a part.
type partReader struct{ table.Reader }

func (r *partReader) members(p *part) {
	n := r.Count(maxCount, 3)
	p.docs = make([]member, n)
	first := uint64(0)
	for i := range p.docs {
		m := member{document: corpus.DocumentID(r.text()), key: r.text(), first: uint32(first)}
		m.chunks = uint32(r.Number(maxCount))
		_, twice := p.index[m.document]
		if first += uint64(m.chunks); r.Bad || first > maxCount || m.chunks == 0 || m.document == "" || twice {
			r.Bad = true
			return
		}
		p.docs[i], p.index[m.document] = m, uint32(i)
	}
	p.docOf = make([]uint32, 0, min(first, uint64(len(r.Data))))
	for i, m := range p.docs {
		for range m.chunks {
			p.docOf = append(p.docOf, uint32(i))
		}
	}
}

func (r *partReader) text() string { return string(r.Bytes(r.Number(math.MaxUint32))) }

// words reads a table of numbers, none of which may be above the limit.
func (r *partReader) words(limit uint32) []uint32 {
	n := r.Count(math.MaxUint32, 4)
	raw := r.Bytes(4 * n)
	if r.Bad {
		return nil
	}
	out := make([]uint32, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(raw[4*i:])
		r.Bad = r.Bad || out[i] > limit
	}
	return out
}

func (r *partReader) tables(s *Segment, tops bool) {
	s.ids = r.text()
	s.idEnd = r.words(uint32(len(s.ids)))
	s.no = r.words(math.MaxInt32)
	for f := range s.length {
		s.length[f] = r.words(math.MaxUint32)
	}
	s.terms = bytes.Clone(r.Bytes(r.Number(math.MaxUint32)))
	n := r.Count(math.MaxUint32, 12)
	if raw := r.Bytes(12 * n); !r.Bad {
		s.dict = make([]entry, n)
		for i := range s.dict {
			row := raw[12*i:]
			s.dict[i] = entry{binary.LittleEndian.Uint32(row), binary.LittleEndian.Uint32(row[4:]), binary.LittleEndian.Uint32(row[8:])}
		}
	}
	s.last = r.words(math.MaxUint32)
	s.start = r.words(math.MaxUint32)
	if raw := r.Bytes(2 * len(s.last)); !r.Bad {
		s.peak = make([]uint16, len(s.last))
		for i := range s.peak {
			s.peak[i] = binary.LittleEndian.Uint16(raw[2*i:])
		}
	}
	if tops {
		s.top = bytes.Clone(r.Bytes(len(s.last)))
	}
	s.data = bytes.Clone(r.Data) // apart, so that the rest need not stay in memory
}

// fits reports whether the tables of a part agree with one another, so that no search leaves them.
func (p *part) fits() bool {
	s := p.segment
	chunks, blocks := len(p.docOf), len(s.last)
	if chunks == 0 || len(s.no) != chunks || len(s.idEnd) != chunks || int(s.idEnd[chunks-1]) != len(s.ids) || !slices.IsSorted(s.idEnd) {
		return false
	}
	if len(s.dict) == 0 || len(s.start) != blocks+1 || !slices.IsSorted(s.start) || int(s.start[blocks])+tail != len(s.data) || s.start[0] != 0 {
		return false
	}
	if slices.ContainsFunc(s.length[:], func(field []uint32) bool { return len(field) != chunks }) {
		return false
	}
	end := s.dict[len(s.dict)-1]
	if int(end.term) != len(s.terms) || int(end.block) != blocks || s.dict[0].block != 0 {
		return false
	}
	for i := range len(s.dict) - 1 {
		e, next := s.dict[i], s.dict[i+1]
		if e.term >= next.term || e.count == 0 || int(e.count) > chunks || int(next.block)-int(e.block) != (int(e.count)+blockSize-1)/blockSize {
			return false
		}
	}
	for i := range len(s.dict) - 2 {
		if bytes.Compare(s.term(i), s.term(i+1)) >= 0 {
			return false
		}
	}
	return !slices.ContainsFunc(s.last, func(ord uint32) bool { return int(ord) >= chunks })
}
