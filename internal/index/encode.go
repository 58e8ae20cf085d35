package index

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/index/internal/table"
	"github.com/kaoju/kaoju/internal/problem"
)

// An encoded segment opens with magic, whose last byte is the version of the format, and with a
// checksum of all that follows: the version of the analysis, the table of chunks, the dictionary
// with the table of blocks, and the blocks. Numbers are varints. Terms and ordinals are kept as
// differences to those before them.
const (
	magic     = "KJS\x02"
	magicOne  = "KJS\x01" // the format before blocks; databases hold it, see legacy.go
	magicSize = len(magic) + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode writes a segment of one version. The lengths are those of its chunks' fields.
func encode(s *Segment, lengths [][fields]uint32) []byte {
	out := append([]byte(magic), 0, 0, 0, 0)
	out = binary.AppendUvarint(out, analysis.Version)
	out = binary.AppendUvarint(out, uint64(len(s.no)))
	no := uint32(0)
	for i, n := range s.no {
		id := s.chunk(uint32(i))
		out = binary.AppendUvarint(out, uint64(len(id)))
		out = append(out, id...)
		out = binary.AppendUvarint(out, uint64(n-no))
		no = n
		for _, n := range lengths[i] {
			out = binary.AppendUvarint(out, uint64(n))
		}
	}
	out = binary.AppendUvarint(out, uint64(len(s.dict)-1))
	var former []byte
	for i := range len(s.dict) - 1 {
		t := s.term(i)
		shared := common(former, t)
		out = binary.AppendUvarint(out, uint64(shared))
		out = binary.AppendUvarint(out, uint64(len(t)-shared))
		out = append(out, t[shared:]...)
		out = binary.AppendUvarint(out, uint64(s.dict[i].count))
		former = t
		above := int64(-1)
		first, end := s.blocks(i)
		for k := first; k < end; k++ {
			out = binary.AppendUvarint(out, uint64(int64(s.last[k])-above))
			out = binary.AppendUvarint(out, uint64(s.start[k+1]-s.start[k]))
			out = binary.LittleEndian.AppendUint16(out, s.peak[k])
			above = int64(s.last[k])
		}
	}
	out = append(out, s.data...)
	binary.LittleEndian.PutUint32(out[len(magic):], crc32.Checksum(out[magicSize:], castagnoli))
	return out
}

// common returns the length of the longest common beginning.
func common(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Open reads an encoded segment. All of it is checked, so that a search never meets a fault:
// damage is problem.Internal "segment_damaged", terms of another analysis are problem.Conflict
// "segment_outdated", which building the segment again cures. Segments of the former format are
// read too. The bytes are kept and must not change.
func Open(b []byte) (*Segment, error) {
	if len(b) < magicSize || string(b[:len(magic)]) != magic && string(b[:len(magic)]) != magicOne {
		return nil, damaged("it does not begin as a segment does")
	}
	if binary.LittleEndian.Uint32(b[len(magic):]) != crc32.Checksum(b[magicSize:], castagnoli) {
		return nil, damaged("its checksum is wrong")
	}
	r := reader{table.Reader{Data: b[magicSize:]}}
	if v := r.Number(1 << 32); !r.Bad && v != analysis.Version {
		return nil, problem.New(problem.Conflict, "segment_outdated",
			"The segment was built with version %d of the analysis; this is version %d.", v, analysis.Version)
	}
	s := &Segment{}
	r.chunks(s)
	if string(b[:len(magic)]) == magicOne {
		return r.legacy(s)
	}
	r.dictionary(s)
	if r.Bad {
		return nil, damaged("its tables are torn")
	}
	if !s.sound() {
		return nil, damaged("its postings are wrong")
	}
	s.derive()
	return s, nil
}

func damaged(why string) error {
	return problem.New(problem.Internal, "segment_damaged", "A search segment is damaged: %s.", why)
}

// reader reads the tables of a segment.
type reader struct{ table.Reader }

func (r *reader) chunks(s *Segment) {
	n := r.Count(maxChunks, 6)
	if n == 0 {
		r.Bad = true
		return
	}
	s.idEnd, s.no, s.length = make([]uint32, n), make([]uint32, n), makeLengths(n)
	var ids []byte
	no := uint64(0)
	for i := range n {
		id := r.Bytes(r.Number(maxTerm))
		ids = append(ids, id...)
		gap := r.Number(maxCount)
		no += uint64(gap)
		s.idEnd[i], s.no[i] = uint32(len(ids)), uint32(no)
		var length [fields]uint32
		for f := range length {
			length[f] = uint32(r.Number(maxCount))
		}
		s.length.set(i, length)
		if r.Bad || len(id) == 0 || gap == 0 || no > 1<<31 {
			r.Bad = true
			return
		}
	}
	s.ids = string(ids)
}

// term reads the next term of the dictionary: what it shares with the former one, and the rest.
func (r *reader) term(s *Segment, former uint32) {
	shared := r.Number(maxTerm)
	suffix := r.Bytes(r.Number(maxTerm))
	old := s.terms[former:]
	if r.Bad || shared > len(old) || shared+len(suffix) > maxTerm || len(suffix) == 0 ||
		shared < len(old) && suffix[0] <= old[shared] {
		r.Bad = true
		return
	}
	s.terms = append(append(s.terms, old[:shared]...), suffix...)
}

func (r *reader) dictionary(s *Segment) {
	n := r.Count(1<<28, 7)
	s.dict = make([]entry, 0, n+1)
	s.last, s.start, s.peak = make([]uint32, 0, n), make([]uint32, 0, n+1), make([]uint16, 0, n)
	s.terms = make([]byte, 0, 8*n)
	former, start := uint32(0), uint32(0)
	for range n {
		at := uint32(len(s.terms))
		r.term(s, former)
		count := r.Number(uint64(len(s.no)))
		if r.Bad || count == 0 {
			r.Bad = true
			return
		}
		s.dict = append(s.dict, entry{term: at, block: uint32(len(s.last)), count: uint32(count)})
		former = at
		start = r.table(s, (count+blockSize-1)/blockSize, start)
	}
	s.dict = append(s.dict, entry{term: uint32(len(s.terms)), block: uint32(len(s.last))})
	s.start = append(s.start, start)
	if r.Bad || int(start)+tail != len(r.Data) {
		r.Bad = true
		return
	}
	s.data = r.Data
}

// table reads the blocks of one list, the first of which starts at the offset, and returns where
// the last one ends.
func (r *reader) table(s *Segment, blocks int, start uint32) uint32 {
	above := int64(-1)
	for range blocks {
		above += int64(r.Number(uint64(len(s.no))))
		size := r.Number(1 << 16)
		peak := r.Bytes(2)
		if r.Bad || above >= int64(len(s.no)) || above < 0 || size == 0 || uint64(start)+uint64(size) > 1<<31 {
			r.Bad = true
			return 0
		}
		s.last = append(s.last, uint32(above))
		s.start = append(s.start, start)
		s.peak = append(s.peak, binary.LittleEndian.Uint16(peak))
		start += uint32(size)
	}
	return start
}

// sound walks over all blocks: each is exactly as long as the table says, and not empty, and its
// ordinals rise from above those of the block before.
func (s *Segment) sound() bool { return s.soundLists(0, len(s.dict)-1) }

// soundLists walks over the blocks of some lists.
func (s *Segment) soundLists(from, to int) bool {
	var gaps [blockSize]uint32
	for i := from; i < to; i++ {
		above := int64(-1)
		first, end := s.blocks(i)
		for k := first; k < end; k++ {
			n := held(k, end, s.dict[i].count)
			if size := int(s.start[k+1] - s.start[k]); size == 0 || extent(s.data[s.start[k]:s.start[k+1]], n) != size {
				return false
			}
			at := int64(s.last[k])
			src := s.data[s.start[k]:]
			unpack(gaps[:n-1], src[1:], int(src[0]&(1<<gapBits-1)))
			for _, g := range gaps[:n-1] {
				at -= int64(g) + 1
			}
			if at <= above {
				return false
			}
			above = int64(s.last[k])
		}
	}
	return true
}
