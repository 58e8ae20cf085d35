package dxf

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// sentinel is what a binary drawing begins with.
const sentinel = "AutoCAD Binary DXF\r\n\x1a\x00"

// Binary reports whether the bytes are a drawing in binary form.
func Binary(data []byte) bool { return bytes.HasPrefix(data, []byte(sentinel)) }

// Text writes a drawing in binary form as text, which says the same, in the encoding of its texts.
// Binary chunks, in which there is nothing to read, are left out. Where the data end early or hold a
// code that no drawing has, so does the text. It is ErrLarge where the text would have more than most
// bytes.
func Text(data []byte, most int) ([]byte, error) {
	b := binaryReader{rest: data[len(sentinel):]}
	// Before 1994, a code is one byte. Every drawing begins with code 0.
	b.wide = bytes.HasPrefix(b.rest, []byte{0, 0})
	var out []byte
	for len(b.rest) > 0 {
		code, value, ok := b.pair()
		if !ok {
			break
		}
		if value == nil {
			continue
		}
		out = strconv.AppendInt(out, int64(code), 10)
		out = append(out, '\n')
		for _, c := range value {
			if c == '\n' || c == '\r' {
				c = ' ' // a value stays on its line
			}
			out = append(out, c)
		}
		out = append(out, '\n')
		if len(out) > most {
			return nil, ErrLarge
		}
	}
	return out, nil
}

type binaryReader struct {
	rest []byte
	wide bool // codes are two bytes
}

// take returns the next bytes; false if there are fewer.
func (b *binaryReader) take(n int) ([]byte, bool) {
	if len(b.rest) < n {
		return nil, false
	}
	out := b.rest[:n]
	b.rest = b.rest[n:]
	return out, true
}

// pair returns a code and its value as text; nil for a chunk of bytes.
func (b *binaryReader) pair() (code int, value []byte, ok bool) {
	if code, ok = b.code(); !ok {
		return 0, nil, false
	}
	kind := kindOf(code)
	if kind == str {
		i := bytes.IndexByte(b.rest, 0)
		if i < 0 {
			return 0, nil, false
		}
		value, b.rest = b.rest[:i:i], b.rest[i+1:]
		if value == nil {
			value = []byte{}
		}
		return code, value, true
	}
	if kind == chunk {
		n, ok := b.take(1)
		if !ok {
			return 0, nil, false
		}
		_, ok = b.take(int(n[0]))
		return code, nil, ok
	}
	raw, ok := b.take(int(kind & 15))
	if !ok {
		return 0, nil, false
	}
	var n int64
	switch kind {
	case whole8:
		n = int64(raw[0])
	case whole16:
		n = int64(int16(binary.LittleEndian.Uint16(raw))) //nolint:gosec // the sign is meant
	case whole32:
		n = int64(int32(binary.LittleEndian.Uint32(raw))) //nolint:gosec // the sign is meant
	case whole64:
		n = int64(binary.LittleEndian.Uint64(raw)) //nolint:gosec // the sign is meant
	case real64:
		return code, strconv.AppendFloat(nil, math.Float64frombits(binary.LittleEndian.Uint64(raw)), 'g', -1, 64), true
	default:
		return 0, nil, false
	}
	return code, strconv.AppendInt(nil, n, 10), true
}

func (b *binaryReader) code() (int, bool) {
	if !b.wide {
		c, ok := b.take(1)
		if !ok {
			return 0, false
		}
		if c[0] != 255 {
			return int(c[0]), true
		}
	}
	c, ok := b.take(2)
	if !ok {
		return 0, false
	}
	return int(binary.LittleEndian.Uint16(c)), true
}

// kind says how a value is written. Its low bits are its length in bytes, where that is fixed.
type kind uint8

const (
	none    kind = 0
	whole8  kind = 0x11
	whole16 kind = 0x12
	whole32 kind = 0x14
	whole64 kind = 0x18
	real64  kind = 0x28
	str     kind = 0x30
	chunk   kind = 0x40
)

// kindOf goes by the ranges of codes of the format; none for a code that it does not have.
func kindOf(code int) kind {
	for _, r := range []struct {
		last int
		kind kind
	}{
		{9, str}, {59, real64}, {79, whole16}, {89, none}, {99, whole32}, {105, str}, {109, none}, {149, real64}, {159, none},
		{169, whole64}, {179, whole16}, {209, none}, {239, real64}, {269, none}, {289, whole16}, {299, whole8}, {309, str},
		{319, chunk}, {369, str}, {389, whole16}, {399, str}, {409, whole16}, {419, str}, {429, whole32}, {439, str},
		{459, whole32}, {469, real64}, {481, str}, {998, none}, {1003, str}, {1004, chunk}, {1009, str}, {1059, real64}, {1070, whole16}, {1071, whole32},
	} {
		if code <= r.last {
			return r.kind
		}
	}
	return none
}
