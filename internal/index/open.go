package index

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/problem"
)

// Open reads an encoded segment. All of it is checked, so that a search never meets a fault:
// damage is problem.Internal "segment_damaged", terms of another analysis are problem.Conflict
// "segment_outdated", which building the segment again cures. The bytes are kept and must not
// change.
func Open(b []byte) (*Segment, error) {
	const head = len(magic) + 4
	if len(b) < head || string(b[:len(magic)]) != magic {
		return nil, damaged("it does not begin as a segment does")
	}
	if binary.LittleEndian.Uint32(b[len(magic):]) != crc32.Checksum(b[head:], castagnoli) {
		return nil, damaged("its checksum is wrong")
	}
	r := reader{data: b[head:]}
	if v := r.number(1 << 32); !r.bad && v != analysis.Version {
		return nil, problem.New(problem.Conflict, "segment_outdated",
			"The segment was built with version %d of the analysis; this is version %d.", v, analysis.Version)
	}
	s := &Segment{}
	r.chunks(s)
	r.dictionary(s)
	if r.bad {
		return nil, damaged("its tables are torn")
	}
	if !s.sound() {
		return nil, damaged("its postings are wrong")
	}
	return s, nil
}

func damaged(why string) error {
	return problem.New(problem.Internal, "segment_damaged", "A search segment is damaged: %s.", why)
}

// reader takes values from the front of the data. After the first fault bad is set and all
// values are zero.
type reader struct {
	data []byte
	bad  bool
}

// number reads a varint that is at most limit.
func (r *reader) number(limit uint64) int {
	v, n := binary.Uvarint(r.data)
	if n <= 0 || v > limit {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return int(v)
}

// bytes reads n bytes.
func (r *reader) bytes(n int) []byte {
	if n > len(r.data) {
		r.bad, r.data = true, nil
		return nil
	}
	out := r.data[:n]
	r.data = r.data[n:]
	return out
}

// count reads the length of a table whose rows take at least the given bytes each.
func (r *reader) count(limit uint64, row int) int {
	return r.number(min(limit, uint64(len(r.data)/row)))
}

func (r *reader) chunks(s *Segment) {
	n := r.count(maxChunks, 6)
	if n == 0 {
		r.bad = true
		return
	}
	s.idEnd, s.no, s.norm = make([]uint32, n), make([]uint32, n), make([][fields]float64, n)
	var ids []byte
	no := uint64(0)
	for i := range n {
		id := r.bytes(r.number(maxTerm))
		ids = append(ids, id...)
		gap := r.number(maxCount)
		no += uint64(gap)
		s.idEnd[i], s.no[i] = uint32(len(ids)), uint32(no)
		var length [fields]uint32
		for f := range length {
			length[f] = uint32(r.number(maxCount))
		}
		s.norm[i] = norms(length)
		if r.bad || len(id) == 0 || gap == 0 || no > 1<<31 {
			r.bad = true
			return
		}
	}
	s.ids = string(ids)
}

func (r *reader) dictionary(s *Segment) {
	n := r.count(1<<28, 5)
	s.dict = make([]entry, 0, n+1)
	former, start := 0, 0
	for range n {
		shared := r.number(maxTerm)
		suffix := r.bytes(r.number(maxTerm))
		count, size := r.number(uint64(len(s.no))), r.number(1<<40)
		old := s.terms[former:]
		if r.bad || shared > len(old) || shared+len(suffix) > maxTerm || len(suffix) == 0 || count == 0 || size == 0 ||
			shared < len(old) && suffix[0] <= old[shared] {
			r.bad = true
			return
		}
		at := len(s.terms)
		s.terms = append(append(s.terms, old[:shared]...), suffix...)
		s.dict = append(s.dict, entry{term: at, start: start, count: uint32(count)})
		former, start = at, start+size
	}
	s.dict = append(s.dict, entry{term: len(s.terms), start: start})
	if start != len(r.data) {
		r.bad = true
		return
	}
	s.postings = r.data
}

// sound walks over all postings, and notes the last ordinal of each list.
func (s *Segment) sound() bool {
	for i := range len(s.dict) - 1 {
		e := &s.dict[i]
		r := reader{data: s.postings[e.start:s.dict[i+1].start]}
		ord := int64(-1)
		for range e.count {
			head := r.number(1 << 32)
			ord += int64(head >> 2)
			if head>>2 == 0 || ord >= int64(len(s.no)) {
				return false
			}
			sum := 1
			switch head & 3 {
			case bodyOnly:
				sum = r.number(maxCount)
			case everywhere:
				sum = r.number(maxCount) + r.number(maxCount) + r.number(maxCount)
			}
			if sum == 0 || r.bad {
				return false
			}
		}
		if len(r.data) != 0 {
			return false
		}
		e.last = uint32(ord)
	}
	return true
}
