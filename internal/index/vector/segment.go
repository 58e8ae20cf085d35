package vector

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/bits"

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
	model  string
	dims   int
	mark   uint32
	ids    []corpus.ChunkID
	no     []uint32
	scales []float32
	signs  []uint64 // words a row
	values []byte   // signed bytes, one a dimension
}

// Chunks returns the number of chunks that have a vector.
func (s *Segment) Chunks() int { return len(s.no) }

// In reports whether the segment's vectors are of a space. One without any is in every space of its
// model.
func (s *Segment) In(space Space) bool {
	return s.model == space.Model && (len(s.no) == 0 || s.dims == space.Dimensions && s.mark == space.mark())
}

// Bytes returns about how much memory the segment takes.
func (s *Segment) Bytes() int {
	return 200 + len(s.values) + 8*len(s.signs) + len(s.no)*(4+4+16+24)
}

// Open reads an encoded segment. All of it is checked, so that a search never meets a fault:
// damage is problem.Internal "segment_damaged". The bytes are kept and must not change.
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
	s.ids, s.no = make([]corpus.ChunkID, n), make([]uint32, n)
	no := uint64(0)
	for i := range n {
		id, gap := r.Bytes(r.Number(maxName)), 0
		gap = r.Number(1 << 24)
		no += uint64(gap)
		if r.Bad || len(id) == 0 || gap == 0 || no > math.MaxInt32 {
			r.Bad = true
			return
		}
		s.ids[i], s.no[i] = corpus.ChunkID(id), uint32(no)
	}
	scales, signs := r.Bytes(4*n), r.Bytes(8*words*n)
	if s.values = r.Bytes(s.dims * n); r.Bad {
		return
	}
	s.scales, s.signs = make([]float32, n), make([]uint64, words*n)
	for i := range s.scales {
		s.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(scales[4*i:]))
		if x := float64(s.scales[i]); !(x > 0 && x <= 1) {
			r.Bad = true
		}
	}
	for i := range s.signs {
		s.signs[i] = binary.LittleEndian.Uint64(signs[8*i:])
	}
	for _, v := range s.values {
		r.Bad = r.Bad || int8(v) == -128
	}
}

// distance counts the dimensions in which a row lies on the other side of the mean.
func (s *Segment) distance(row int, signs []uint64) int {
	n := 0
	for i, w := range s.signs[row*len(signs) : (row+1)*len(signs)] {
		n += bits.OnesCount64(w ^ signs[i])
	}
	return n
}

// similarity is the cosine of a row and a query.
func (s *Segment) similarity(row int, whole []int16) float64 {
	v := s.values[row*len(whole) : (row+1)*len(whole)]
	var a, b int32
	for len(v) >= 8 && len(whole) >= 8 {
		x, w := v[:8:8], whole[:8:8]
		a += int32(w[0])*int32(int8(x[0])) + int32(w[1])*int32(int8(x[1])) + int32(w[2])*int32(int8(x[2])) + int32(w[3])*int32(int8(x[3]))
		b += int32(w[4])*int32(int8(x[4])) + int32(w[5])*int32(int8(x[5])) + int32(w[6])*int32(int8(x[6])) + int32(w[7])*int32(int8(x[7]))
		v, whole = v[8:], whole[8:]
	}
	for i, x := range v {
		a += int32(whole[i]) * int32(int8(x))
	}
	return float64(float64(a+b)*float64(s.scales[row])) / unitScale
}
