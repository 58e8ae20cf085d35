package index

import (
	"math/bits"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Filter is the part of a set that a search may see. It is immutable and safe to share.
type Filter struct {
	set     *Set
	bits    [][]uint64 // by part: one bit a chunk
	visible []int      // by part
	n       int
}

// Filter returns the chunks of the versions that admit says yes to. It is asked once a version.
func (s *Set) Filter(admit func(corpus.DocumentID) bool) *Filter {
	f := &Filter{set: s, bits: make([][]uint64, len(s.parts)), visible: make([]int, len(s.parts))}
	for i, p := range s.parts {
		words := make([]uint64, (p.segment.Chunks()+63)/64)
		for at, d := range p.docs {
			if !p.isDead(uint32(at)) && admit(d.document) {
				fill(words, d.first, d.first+d.chunks)
			}
		}
		for _, w := range words {
			f.visible[i] += bits.OnesCount64(w)
		}
		f.bits[i] = words
		f.n += f.visible[i]
	}
	return f
}

// Chunks returns the number of visible chunks.
func (f *Filter) Chunks() int { return f.n }

// Bytes returns about how much memory the filter takes.
func (f *Filter) Bytes() int {
	n := 64
	for _, w := range f.bits {
		n += 48 + 8*len(w)
	}
	return n
}

// fill sets the bits from i up to j.
func fill(words []uint64, i, j uint32) {
	for ; i < j && i%64 != 0; i++ {
		words[i/64] |= 1 << (i % 64)
	}
	for ; i+64 <= j; i += 64 {
		words[i/64] = ^uint64(0)
	}
	for ; i < j; i++ {
		words[i/64] |= 1 << (i % 64)
	}
}

func has(words []uint64, ord int64) bool { return words[ord>>6]&(1<<(uint64(ord)&63)) != 0 }
