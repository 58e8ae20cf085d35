package index

import "math/bits"

// The lists that are kept as bits too: those of one chunk in denseShare or more. Small segments
// have none, since their lists are short whatever they hold.
const (
	denseShare = 32
	denseLeast = 4096
)

// stride is how many words of bits lie between two counts.
const stride = 8

// dense is a list as bits: counting its visible chunks is a walk over words instead of over
// postings, and the posting of a chunk is found by counting the bits before it.
type dense struct {
	bits []uint64
	rank []uint32 // how many bits there are before each stride of words
}

// has reports whether the chunk holds the term.
func (d *dense) has(ord uint32) bool { return d.bits[ord>>6]>>(ord&63)&1 != 0 }

// before returns how many chunks before the ordinal hold the term.
func (d *dense) before(ord uint32) int {
	word := ord >> 6
	n := int(d.rank[word/stride])
	for _, w := range d.bits[word/stride*stride : word] {
		n += bits.OnesCount64(w)
	}
	return n + bits.OnesCount64(d.bits[word]&(1<<(ord&63)-1))
}

// bytes returns how much memory the bits take.
func (d *dense) bytes() int { return 8*len(d.bits) + 4*len(d.rank) }

// thicken makes the bits of the longest lists.
func (s *Segment) thicken() {
	n := len(s.no)
	if n < denseLeast {
		return
	}
	s.dense = map[int]*dense{}
	for i := range len(s.dict) - 1 {
		if int(s.dict[i].count) >= n/denseShare {
			s.dense[i] = s.densify(i)
		}
	}
}

// densify makes the bits of a list.
func (s *Segment) densify(at int) *dense {
	words := (len(s.no) + 63) / 64
	d := &dense{bits: make([]uint64, words), rank: make([]uint32, (words+stride-1)/stride)}
	var ords [blockSize]uint32
	first, end := s.blocks(at)
	for k := first; k < end; k++ {
		list := ords[:held(k, end, s.dict[at].count)]
		ordinals(list, s.data[s.start[k]:], s.last[k])
		for _, ord := range list {
			d.bits[ord>>6] |= 1 << (ord & 63)
		}
	}
	n := 0
	for i, w := range d.bits {
		if i%stride == 0 {
			d.rank[i/stride] = uint32(n)
		}
		n += bits.OnesCount64(w)
	}
	return d
}
