package index

import (
	"math/bits"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Filter is the part of a set that a search may see. It is immutable and safe to share.
type Filter struct {
	set     *Set
	bits    [][]uint64 // by part: one bit a chunk
	words   [][]uint64 // by part: one bit a word of bits that is not 0
	visible []int      // by part
	n       int
}

// Filter returns the chunks of the versions that admit says yes to. It is asked once a version.
func (s *Set) Filter(admit func(corpus.DocumentID) bool) *Filter {
	var admitted []bool
	s.Each(func(id corpus.DocumentID) { admitted = append(admitted, admit(id)) })
	return s.Select(admitted)
}

// Select returns the chunks of the versions that are admitted, by their number in the order of Each,
// from 0. There must be a word for each.
func (s *Set) Select(admitted []bool) *Filter {
	f := &Filter{
		set: s, bits: make([][]uint64, len(s.parts)), words: make([][]uint64, len(s.parts)), visible: make([]int, len(s.parts)),
	}
	for i, p := range s.parts {
		words := make([]uint64, (p.segment.Chunks()+63)/64)
		run := -1 // where versions side by side began that are to be seen
		at := 0
		for k := range p.docs {
			seen := false
			if !p.isDead(uint32(k)) {
				seen = admitted[at]
				at++
			}
			switch {
			case seen && run < 0:
				run = k
			case !seen && run >= 0:
				f.visible[i] += p.show(words, run, k)
				run = -1
			}
		}
		if run >= 0 {
			f.visible[i] += p.show(words, run, len(p.docs))
		}
		admitted = admitted[at:]
		f.bits[i], f.words[i] = words, summary(words)
		f.n += f.visible[i]
	}
	return f
}

// show sets the bits of the chunks of the versions from i up to j, and returns how many there are.
func (p *part) show(words []uint64, i, j int) int {
	from, to := p.docs[i].first, p.docs[j-1].first+p.docs[j-1].chunks
	fill(words, from, to)
	return int(to - from)
}

// summary returns one bit for each word, set where the word is not 0.
func summary(words []uint64) []uint64 {
	out := make([]uint64, (len(words)+63)/64)
	for i, w := range words {
		if w != 0 {
			out[i>>6] |= 1 << (i & 63)
		}
	}
	return out
}

// Chunks returns the number of visible chunks.
func (f *Filter) Chunks() int { return f.n }

// Bytes returns about how much memory the filter takes.
func (f *Filter) Bytes() int {
	n := 64
	for i := range f.bits {
		n += 64 + 8*len(f.bits[i]) + 8*len(f.words[i])
	}
	return n
}

// any reports whether a chunk from i up to j of a part is visible. It may say yes where only a
// chunk near i or j is.
func (f *Filter) any(p int, i, j uint32) bool {
	if i >= j {
		return false
	}
	a, b := i>>6, (j-1)>>6
	if words := f.bits[p]; b-a < 8 {
		for k := a; k <= b; k++ {
			if words[k] != 0 {
				return true
			}
		}
		return false
	}
	words := f.words[p]
	first, last := a>>6, b>>6
	low, high := ^uint64(0)<<(a&63), ^uint64(0)>>(63-b&63)
	if first == last {
		return words[first]&low&high != 0
	}
	if words[first]&low != 0 || words[last]&high != 0 {
		return true
	}
	for _, w := range words[first+1 : last] {
		if w != 0 {
			return true
		}
	}
	return false
}

// holders counts the visible chunks in the list of a term of a part.
func (f *Filter) holders(p, at int) int {
	s, words := f.set.parts[p].segment, f.bits[p]
	if f.visible[p] == s.Chunks() {
		return int(s.dict[at].count)
	}
	if dense := s.dense[at]; dense != nil {
		return popcount(words, dense.bits, f.words[p])
	}
	n := 0
	from := uint32(0)
	first, end := s.blocks(at)
	var ords [blockSize]uint32
	for k := first; k < end; k++ {
		last := s.last[k]
		if f.any(p, from, last+1) {
			list := ords[:held(k, end, s.dict[at].count)]
			ordinals(list, s.data[s.start[k]:], last)
			for _, ord := range list {
				n += int(words[ord>>6] >> (ord & 63) & 1)
			}
		}
		from = last + 1
	}
	return n
}

// fill sets the bits from i up to j.
func fill(words []uint64, i, j uint32) {
	if i >= j {
		return
	}
	a, b := i>>6, (j-1)>>6
	low, high := ^uint64(0)<<(i&63), ^uint64(0)>>(63-(j-1)&63)
	if a == b {
		words[a] |= low & high
		return
	}
	words[a] |= low
	for k := a + 1; k < b; k++ {
		words[k] = ^uint64(0)
	}
	words[b] |= high
}

// popcount counts the bits that both hold. Used has a bit for each word of a that is not 0: where
// those are few, the others are not looked at.
func popcount(a, b, used []uint64) int {
	n := 0
	b = b[:len(a)]
	for i, w := range used {
		from := i * 64
		if bits.OnesCount64(w) <= 16 {
			for ; w != 0; w &= w - 1 {
				k := from + bits.TrailingZeros64(w)
				n += bits.OnesCount64(a[k] & b[k])
			}
			continue
		}
		to := min(from+64, len(a))
		x, y := a[from:to], b[from:to]
		for k, word := range x {
			n += bits.OnesCount64(word & y[k])
		}
	}
	return n
}
