package vector

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index/internal/table"
	"github.com/kaoju/kaoju/internal/problem"
)

// magic opens every encoded segment; its last byte is the version of the format.
const magic = "KJV\x01"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Row is a chunk with its vector.
type Row struct {
	Chunk  corpus.ChunkID
	No     int
	Vector []float32
}

// Build makes the encoded segment of one version. Rows are in order of their chunks; chunks that
// the model does not read have none, and a segment without any row, which needs no dimensions, says
// that all was tried.
func Build(space Space, rows []Row) ([]byte, error) {
	if (len(rows) > 0 || space.Dimensions != 0) && !space.valid() || space.Model == "" || len(rows) > maxChunks {
		return nil, problem.New(problem.Internal, "embedding_space", "A segment of %d vectors can't be made in the space of %q.", len(rows), space.Model)
	}
	out := append([]byte(magic), 0, 0, 0, 0)
	out = binary.AppendUvarint(out, uint64(len(space.Model)))
	out = append(out, space.Model...)
	out = binary.AppendUvarint(out, uint64(space.Dimensions))
	out = binary.LittleEndian.AppendUint32(out, space.mark())
	out = binary.AppendUvarint(out, uint64(len(rows)))
	var scales, signs, values []byte
	no := 0
	for _, r := range rows {
		if r.Chunk == "" || len(r.Chunk) > maxName || r.No <= no {
			return nil, problem.New(problem.Internal, "segment_input", "Chunk %d of the version has no id or is out of order.", r.No)
		}
		unit, err := space.unit(r.Vector)
		if err != nil {
			return nil, err
		}
		out = binary.AppendUvarint(out, uint64(len(r.Chunk)))
		out = append(out, r.Chunk...)
		out = binary.AppendUvarint(out, uint64(r.No-no))
		no = r.No
		for _, w := range space.signs(unit) {
			signs = binary.LittleEndian.AppendUint64(signs, w)
		}
		var scale float32
		scale, values = appendBytes(values, unit)
		scales = binary.LittleEndian.AppendUint32(scales, math.Float32bits(scale))
	}
	out = append(append(append(out, scales...), signs...), values...)
	binary.LittleEndian.PutUint32(out[len(magic):], crc32.Checksum(out[len(magic)+4:], castagnoli))
	return out, nil
}

// appendBytes appends a vector as one signed byte a number and returns what a byte stands for.
func appendBytes(to []byte, unit []float64) (float32, []byte) {
	most := 0.0
	for _, x := range unit {
		most = max(most, math.Abs(x))
	}
	scale := float32(most / 127)
	for _, x := range unit {
		n := math.Round(x / float64(scale))
		to = append(to, byte(int8(max(-127, min(127, n)))))
	}
	return scale, to
}

// Segment is an immutable table of the vectors of one version.
type Segment struct {
	model string
	dims  int
	mark  uint32
	n     int
	signs []uint64 // words a row
	rows  rows
}

// Chunks returns the number of chunks that have a vector.
func (s *Segment) Chunks() int { return s.n }

// In reports whether the segment's vectors are of a space. One without any is in every space of its
// model.
func (s *Segment) In(space Space) bool {
	return s.model == space.Model && (s.n == 0 || s.dims == space.Dimensions && s.mark == space.mark())
}

// Bytes returns about how much memory the segment takes.
func (s *Segment) Bytes() int { return 200 + 8*len(s.signs) + len(s.rows.held) }

// Open reads an encoded segment. All of it is checked, so that a search never meets a fault:
// damage is problem.Internal "segment_damaged". The bytes are not kept.
func Open(b []byte) (*Segment, error) {
	const head = len(magic) + 4
	if len(b) < head || string(b[:len(magic)]) != magic {
		return nil, damaged("it does not begin as one does")
	}
	if binary.LittleEndian.Uint32(b[len(magic):]) != crc32.Checksum(b[head:], castagnoli) {
		return nil, damaged("its checksum is wrong")
	}
	r := reader{table.Reader{Data: b[head:]}}
	s := &Segment{model: string(r.Bytes(r.Number(maxName)))}
	s.dims = r.Number(maxDimensions)
	if mark := r.Bytes(4); mark != nil {
		s.mark = binary.LittleEndian.Uint32(mark)
	}
	if n := r.Number(maxChunks); !r.Bad {
		r.rows(s, n)
	}
	if r.Bad || len(r.Data) != 0 || s.model == "" {
		return nil, damaged("its tables are torn")
	}
	return s, nil
}

func damaged(why string) error {
	return problem.New(problem.Internal, "segment_damaged", "A segment of vectors is damaged: %s.", why)
}

// reader reads the tables of a segment.
type reader struct{ table.Reader }

// rows reads n rows. Each takes three bytes and its vector at least, so that a torn number can't
// make a large table.
func (r *reader) rows(s *Segment, n int) {
	words := (s.dims + 63) / 64
	if s.dims == 0 && n > 0 || n > len(r.Data)/(3+4+8*words+s.dims) {
		r.Bad = true
		return
	}
	ids, no := make([][]byte, n), make([]uint32, n)
	last, width := uint64(0), 0
	for i := range n {
		id, gap := r.Bytes(r.Number(maxName)), 0
		gap = r.Number(1 << 24)
		last += uint64(gap)
		if r.Bad || len(id) == 0 || gap == 0 || last > math.MaxInt32 {
			r.Bad = true
			return
		}
		ids[i], no[i] = id, uint32(last)
		width = max(width, len(id))
	}
	scales, signs := r.Bytes(4*n), r.Bytes(8*words*n)
	values := r.Bytes(s.dims * n)
	if r.Bad {
		return
	}
	s.n, s.signs = n, make([]uint64, words*n)
	s.rows = rows{size: recordHead + s.dims + width, held: make([]byte, 0, n*(recordHead+s.dims+width))}
	for i := range n {
		scale := scales[4*i : 4*i+4]
		if x := float64(math.Float32frombits(binary.LittleEndian.Uint32(scale))); !(x > 0 && x <= 1) {
			r.Bad = true
		}
		s.rows.add(scale, no[i], values[i*s.dims:(i+1)*s.dims], ids[i])
	}
	for i := range s.signs {
		s.signs[i] = binary.LittleEndian.Uint64(signs[8*i:])
	}
	for _, v := range values {
		r.Bad = r.Bad || int8(v) == -128
	}
}
