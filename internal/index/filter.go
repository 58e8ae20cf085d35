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
	var admitted []uint64
	n := 0
	s.Each(func(id corpus.DocumentID) {
		if n%64 == 0 {
			admitted = append(admitted, 0)
		}
		if admit(id) {
			admitted[n/64] |= 1 << (n % 64)
		}
		n++
	})
	return s.Select(admitted)
}

// Select returns the chunks of the versions that are admitted: a bit each, by their number in the order of Each,
// from 0, the first ones lowest. There must be a bit for each.
func (s *Set) Select(admitted []uint64) *Filter {
	f := &Filter{
		set: s, bits: make([][]uint64, len(s.parts)), words: make([][]uint64, len(s.parts)), visible: make([]int, len(s.parts)),
	}
	first := 0 // the number of the part's first living version
	for i, p := range s.parts {
		f.bits[i], f.words[i], f.visible[i] = p.shown(admitted, first)
		f.n += f.visible[i]
		first += p.living()
	}
	return f
}

// shown returns the bits of the chunks of the admitted versions, their summary, and how many they are. The first
// living version has that number.
func (p *part) shown(admitted []uint64, first int) (words, summary []uint64, n int) {
	chunks := p.segment.Chunks()
	if p.dead == nil && next(admitted, first, first+len(p.docs), ^uint64(0)) == first+len(p.docs) {
		return p.segment.all, p.segment.allWords, chunks
	}
	words = make([]uint64, (chunks+63)/64)
	summary = make([]uint64, (len(words)+63)/64)
	show := func(i, j int) {
		from, to := p.docs[i].first, p.docs[j-1].first+p.docs[j-1].chunks
		if from < to {
			fill(words, from, to)
			fill(summary, from>>6, (to-1)>>6+1)
			n += int(to - from)
		}
	}
	if p.dead == nil { // versions side by side are shown together
		for end, i := first+len(p.docs), next(admitted, first, first+len(p.docs), 0); i < end; {
			j := next(admitted, i, end, ^uint64(0))
			show(i-first, j-first)
			i = next(admitted, j, end, 0)
		}
		return words, summary, n
	}
	for i, at := 0, first; i < len(p.docs); i++ {
		if p.dead[i] {
			continue
		}
		if admitted[at>>6]>>(at&63)&1 != 0 {
			show(i, i+1)
		}
		at++
	}
	return words, summary, n
}

// next returns the first place from i on, but before end, whose bit differs from those of other, or the end.
func next(words []uint64, i, end int, other uint64) int {
	if i >= end {
		return end
	}
	k := i >> 6
	word := (words[k] ^ other) & (^uint64(0) << (i & 63))
	for word == 0 {
		if k++; k<<6 >= end {
			return end
		}
		word = words[k] ^ other
	}
	return min(end, k<<6+bits.TrailingZeros64(word))
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
