package index

import (
	"math/bits"
	"slices"
)

// judge scores the chunks that were brought in, and empties the window.
func (s *scan) judge(low, high uint32) {
	v := &s.sieve
	v.begin(s.least - s.margin)
	defer v.end()
	long, rest := 0.0, 0.0
	for _, l := range s.order {
		switch {
		case l.dense != nil:
			long += l.bound
		case !l.brings:
			rest += l.bound
		}
	}
	for i, word := range s.found {
		s.found[i] = 0
		for ; word != 0; word &= word - 1 {
			v.put(uint32(i*64 + bits.TrailingZeros64(word)))
		}
	}
	if v.settle(long + rest); v.n == 0 {
		return
	}
	if rest > 0 {
		for _, l := range s.order {
			if l.dense == nil && !l.brings && l.bound > 0 {
				s.stamp(l, low, high)
			}
		}
		v.settle(long)
	}
	for _, l := range slices.Backward(s.order) {
		if v.n == 0 {
			return
		}
		if l.dense != nil && l.bound > 0 {
			v.sift(l.dense.bits[low>>6:], l.bound)
		}
	}
	for i, at := range v.at[:v.n] {
		s.candidate(low+at, v.bound(i))
	}
}

// candidate offers a chunk whose score is at most the bound.
func (s *scan) candidate(ord uint32, bound float64) {
	if s.hopeless(bound) {
		return
	}
	found := false
	for _, l := range slices.Backward(s.order) {
		s.share[l.place] = 0
		if l.bound == 0 || !l.holds(ord) {
			continue
		}
		// The bound has what the block of the chunk can add; of a long list, what any in the window can.
		if l.dense != nil {
			bound -= l.bound
		} else if l.seek(ord) {
			bound -= l.weight * l.seg.impact(l.probe.at)
		}
		x := l.contribution(ord)
		s.share[l.place] = x
		found = found || !l.weak
		if bound += x; s.hopeless(bound) {
			return
		}
	}
	if !found {
		return
	}
	score := 0.0
	for _, x := range s.share {
		score += x
	}
	s.top.offer(place{score: score, part: int32(s.p), ord: ord})
	s.least = s.top.least()
}
