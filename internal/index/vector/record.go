package vector

import (
	"encoding/binary"
	"math"

	"github.com/kaoju/kaoju/internal/corpus"
)

// recordHead is how long a record is before its values: the scale, the chunk's number, and the length
// of its id.
const recordHead = 4 + 4 + 2

// rows are what a search needs of few chunks alone, one record each: the values with their scale, and
// what the chunk is called. They are in memory, or in a chest.
type rows struct {
	size  int // of a record
	held  []byte
	chest *Chest
	at    int64 // in the chest
}

// add appends a record.
func (r *rows) add(scale []byte, no uint32, values, id []byte) {
	end := len(r.held) + r.size
	r.held = append(r.held, scale...)
	r.held = binary.LittleEndian.AppendUint32(r.held, no)
	r.held = binary.LittleEndian.AppendUint16(r.held, uint16(len(id)))
	r.held = append(append(r.held, values...), id...)
	r.held = r.held[:end]
}

// read returns the records from first to before end. The buffer is overwritten where they have to be
// fetched, and is large enough afterwards.
func (r *rows) read(first, end int, buffer *[]byte) ([]byte, error) {
	if r.chest == nil {
		return r.held[first*r.size : end*r.size], nil
	}
	n := (end - first) * r.size
	if cap(*buffer) < n {
		*buffer = make([]byte, n)
	}
	out := (*buffer)[:n]
	return out, r.chest.read(out, r.at+int64(first*r.size))
}

// similarity is the cosine of a record's vector and a query's.
func similarity(record []byte, whole []int16) float64 {
	v := record[recordHead : recordHead+len(whole)]
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
	scale := math.Float32frombits(binary.LittleEndian.Uint32(record))
	return float64(float64(a+b)*float64(scale)) / unitScale
}

// named returns the number and the id of a record's chunk.
func named(record []byte, dims int) (int, corpus.ChunkID) {
	no, n := binary.LittleEndian.Uint32(record[4:]), int(binary.LittleEndian.Uint16(record[8:]))
	return int(no), corpus.ChunkID(record[recordHead+dims : recordHead+dims+n])
}
