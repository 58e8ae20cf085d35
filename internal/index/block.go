package index

import (
	"encoding/binary"
	"math/bits"
)

// blockSize is the number of postings in a block; only the last one of a list may have fewer.
const blockSize = 128

// tail is how many bytes lie behind the last block, so that a block can be read eight bytes at a
// time without looking for its end.
const tail = 8

// A block begins with a byte that holds the width of its gaps and its form. The gaps between its
// ordinals follow, packed into bits; the last ordinal is in the table of blocks. What comes then
// depends on the form: nothing where every chunk has the term once in its body, or once in its
// title; a column of frequencies for the body alone; a column for each field. A column is a width,
// a base and the frequencies above the base, packed.
const (
	onceInBody = iota
	onceInTitle
	bodyOnly
	everywhere
	forms
)

const gapBits = 5

// block is a block that is being filled, or that was read.
type block struct {
	n    int
	form byte
	ord  [blockSize]uint32
	tf   [fields][blockSize]uint32

	spare [blockSize]uint32 // for packing
}

// add appends a posting.
func (b *block) add(ord uint32, tf [fields]uint32) {
	i := b.n & (blockSize - 1)
	b.ord[i] = ord
	for f, n := range tf {
		b.tf[f][i] = n
	}
	b.n++
}

// take appends n postings of a block that was read, from the place from on, with ordinals that are so much larger.
func (b *block) take(src *block, from, n int, base uint32) {
	at := b.n
	for i, ord := range src.ord[from : from+n] {
		b.ord[at+i] = base + ord
	}
	for f := range b.tf {
		dst := b.tf[f][at : at+n]
		switch {
		case src.form == everywhere || src.form == bodyOnly && f == body:
			copy(dst, src.tf[f][from:])
		case src.form == onceInBody && f == body || src.form == onceInTitle && f == title:
			for i := range dst {
				dst[i] = 1
			}
		default:
			clear(dst)
		}
	}
	b.n += n
}

// shape returns the form that holds the block's frequencies in the fewest bytes.
func (b *block) shape() byte {
	var all [fields]uint32
	inBody, inTitle := true, true
	for i := range b.n {
		t, h, x := b.tf[title][i], b.tf[heading][i], b.tf[body][i]
		all[title] |= t
		all[heading] |= h
		inBody = inBody && x == 1
		inTitle = inTitle && t == 1 && x == 0
	}
	switch {
	case all[heading] != 0:
		return everywhere
	case all[title] == 0 && inBody:
		return onceInBody
	case all[title] == 0:
		return bodyOnly
	case inTitle:
		return onceInTitle
	}
	return everywhere
}

// appendBlock appends the encoded block, without the bytes behind it.
func appendBlock(out []byte, b *block) []byte {
	gaps := &b.spare
	var all uint32
	for i := 1; i < b.n; i++ {
		gaps[i-1] = b.ord[i] - b.ord[i-1] - 1
		all |= gaps[i-1]
	}
	width := bits.Len32(all)
	form := b.shape()
	out = append(out, byte(width)|form<<gapBits)
	out = pack(out, gaps[:b.n-1], width)
	switch form {
	case bodyOnly:
		out = appendColumn(out, b.tf[body][:b.n], &b.spare)
	case everywhere:
		for f := range b.tf {
			out = appendColumn(out, b.tf[f][:b.n], &b.spare)
		}
	}
	return out
}

func appendColumn(out []byte, column []uint32, above *[blockSize]uint32) []byte {
	low, high := column[0], column[0]
	for _, v := range column {
		low, high = min(low, v), max(high, v)
	}
	width := bits.Len32(high - low)
	out = append(out, byte(width))
	out = binary.AppendUvarint(out, uint64(low))
	for i, v := range column {
		above[i] = v - low
	}
	return pack(out, above[:len(column)], width)
}

// packed returns how many bytes n values of a width take.
func packed(n, width int) int { return (n*width + 7) / 8 }

// pack appends the low bits of the values, one after another, the first ones lowest.
func pack(out []byte, values []uint32, width int) []byte {
	var word uint64
	n := 0
	for _, v := range values {
		word |= uint64(v) << n
		for n += width; n >= 8; n -= 8 {
			out = append(out, byte(word))
			word >>= 8
		}
	}
	if n > 0 {
		out = append(out, byte(word))
	}
	return out
}

// unpack reads packed values. It may look at up to eight bytes behind them.
func unpack(dst []uint32, src []byte, width int) {
	if width == 0 {
		clear(dst)
		return
	}
	mask := uint64(1)<<width - 1
	if width > 14 {
		for i := range dst {
			bit := i * width
			dst[i] = uint32(binary.LittleEndian.Uint64(src[bit>>3:]) >> (bit & 7) & mask)
		}
		return
	}
	// Four values at a time: 7 bits of offset and 4·14 of values fit into one word.
	i, bit := 0, 0
	for ; i+4 <= len(dst); i += 4 {
		word := binary.LittleEndian.Uint64(src[bit>>3:]) >> (bit & 7)
		d := dst[i : i+4 : i+4]
		d[0] = uint32(word & mask)
		word >>= width & 63
		d[1] = uint32(word & mask)
		word >>= width & 63
		d[2] = uint32(word & mask)
		word >>= width & 63
		d[3] = uint32(word & mask)
		bit += 4 * width
	}
	for ; i < len(dst); i++ {
		dst[i] = uint32(binary.LittleEndian.Uint64(src[bit>>3:]) >> (bit & 7) & mask)
		bit += width
	}
}

// ordinals reads the n ordinals of a block that ends with the ordinal last.
func ordinals(dst []uint32, src []byte, last uint32) {
	n := len(dst)
	width := int(src[0] & (1<<gapBits - 1))
	dst[n-1] = last
	mask := uint64(1)<<width - 1
	i := n - 2 // gaps are taken from behind, since the last ordinal is known
	if width <= 14 {
		for src := src[1:]; i >= 3; i -= 4 {
			bit := (i - 3) * width
			word := binary.LittleEndian.Uint64(src[bit>>3:]) >> (bit & 7)
			a := uint32(word & mask)
			b := uint32(word >> (width & 63) & mask)
			c := uint32(word >> (2 * width & 63) & mask)
			d := last - 1 - uint32(word>>(3*width&63)&mask)
			o := dst[i-3 : i+1 : i+1]
			c, b = d-1-c, d-2-c-b
			o[3], o[2], o[1] = d, c, b
			last = b - 1 - a
			o[0] = last
		}
	}
	for src := src[1:]; i >= 0; i-- {
		bit := i * width
		last -= uint32(binary.LittleEndian.Uint64(src[bit>>3:])>>(bit&7)&mask) + 1
		dst[i] = last
	}
}

// frequencies reads the n frequencies of a block.
func (b *block) frequencies(src []byte) {
	at := columns(src, b.n)
	b.form = src[0] >> gapBits
	for f := range b.tf {
		if c := &at[f]; c.src != nil {
			unpack(b.tf[f][:b.n], c.src, c.width)
			for i := range b.n {
				b.tf[f][i] += c.low
			}
		}
	}
}

// column is where the frequencies of a field lie in a block. One of them can be read alone.
type column struct {
	src   []byte // nil if the form of the block says what they are
	width int
	low   uint32
}

// columns finds the columns of a block of n postings.
func columns(src []byte, n int) (out [fields]column) {
	at := 1 + packed(n-1, int(src[0]&(1<<gapBits-1)))
	switch src[0] >> gapBits {
	case onceInBody:
		out[body].low = 1
	case onceInTitle:
		out[title].low = 1
	case bodyOnly:
		out[body].find(src[at:], n)
	case everywhere:
		for f := range out {
			at += out[f].find(src[at:], n)
		}
	}
	return out
}

// none reports whether the field holds the term in no chunk of the block, by its form.
func (c *column) none() bool { return c.src == nil && c.low == 0 }

// find reads the head of a column and returns how many bytes the column takes.
func (c *column) find(src []byte, n int) int {
	c.width = int(src[0])
	low, k := uint64(src[1]), 1
	if low >= 0x80 {
		low, k = binary.Uvarint(src[1:])
	}
	c.low = uint32(low)
	c.src = src[1+k:]
	return 1 + k + packed(n, c.width)
}

// at returns the frequency of the posting i.
func (c *column) at(i int) uint32 {
	if c.width == 0 {
		return c.low
	}
	bit := i * c.width
	return c.low + uint32(binary.LittleEndian.Uint64(c.src[bit>>3:])>>(bit&7)&(1<<c.width-1))
}

// at returns the frequencies of the posting i, in any form.
func (b *block) at(i int) [fields]uint32 {
	switch b.form {
	case onceInBody:
		return [fields]uint32{body: 1}
	case onceInTitle:
		return [fields]uint32{title: 1}
	case bodyOnly:
		return [fields]uint32{body: b.tf[body][i]}
	}
	return [fields]uint32{b.tf[title][i], b.tf[heading][i], b.tf[body][i]}
}

// extent returns how many bytes the block takes at the front of src; 0 if it is torn, if a
// frequency could be larger than any that is counted, or if its form is unknown.
func extent(src []byte, n int) int {
	if len(src) == 0 {
		return 0
	}
	width := int(src[0] & (1<<gapBits - 1))
	form := src[0] >> gapBits
	at := 1 + packed(n-1, width)
	columns := [forms]int{bodyOnly: 1, everywhere: fields}
	if form >= forms {
		return 0
	}
	for range columns[form] {
		if at >= len(src) {
			return 0
		}
		width := int(src[at])
		low, k := binary.Uvarint(src[at+1:])
		if width > 25 || k <= 0 || low > maxCount {
			return 0
		}
		at += 1 + k + packed(n, width)
	}
	if at > len(src) {
		return 0
	}
	return at
}
