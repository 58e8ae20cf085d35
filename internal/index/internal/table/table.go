// Package table reads the tables of stored segments within bounds: no byte of them is believed.
package table

import "encoding/binary"

// Reader takes values from the front of Data. After the first fault Bad is set, Data is gone, and
// all values are zero.
type Reader struct {
	Data []byte
	Bad  bool
}

// Number reads a varint that is at most limit.
func (r *Reader) Number(limit uint64) int {
	v, n := binary.Uvarint(r.Data)
	if n <= 0 || v > limit {
		r.Bad, r.Data = true, nil
		return 0
	}
	r.Data = r.Data[n:]
	return int(v)
}

// Bytes reads n bytes, without copying them.
func (r *Reader) Bytes(n int) []byte {
	if n < 0 || n > len(r.Data) {
		r.Bad, r.Data = true, nil
		return nil
	}
	out := r.Data[:n]
	r.Data = r.Data[n:]
	return out
}

// Count reads the length of a table whose rows take at least the given bytes each, so that a torn
// number can't make a large table.
func (r *Reader) Count(limit uint64, row int) int {
	return r.Number(min(limit, uint64(len(r.Data)/row)))
}
