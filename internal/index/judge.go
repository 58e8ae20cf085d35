package index

import (
	"math/bits"
	"slices"
)

// worth is how many chunks must be left for a list to be stamped into bits: fewer are looked up sooner.
const worth = 4

// judge scores the chunks that were brought in, and empties the window.
func (s *scan) judge(low, high uint32) {
	v := &s.sieve
	v.begin(s.least - s.margin)
	for i, word := range s.found {
		s.found[i] = 0
		for ; word != 0; word &= word - 1 {
			at := i*64 + bits.TrailingZeros64(word)
			v.put(uint32(at), s.sum[at]+s.rest)
			s.sum[at] = 0
		}
	}
	for _, l := range slices.Backward(s.order) {
		if v.n == 0 {
			return
		}
		l.stamped = false
		if l.role == walked || l.bound == 0 {
			continue
		}
		if l.dense != nil {
			v.sift(l.dense.bits[low>>6:], l.bound)
		} else if v.n >= worth {
			s.stamp(l, low, high)
			v.sift(l.held[:], l.bound)
		}
	}
	for i, at := range v.at[:v.n] {
		s.candidate(low+at, v.bound(i))
	}
}

// stamp makes the bits of a list in the window.
func (s *scan) stamp(l *list, low, high uint32) {
	l.stamped = true
	clear(l.held[:])
	for s.stretch(l, low, high) {
		for _, ord := range l.walk.ord[l.walk.from:l.walk.i] {
			l.held[(ord-low)>>6] |= 1 << (ord & 63)
		}
	}
}

// candidate offers a chunk whose score is at most the bound.
func (s *scan) candidate(ord uint32, bound float64) {
	if s.hopeless(bound) {
		return
	}
	for _, l := range slices.Backward(s.order) {
		if l.role == walked {
			continue
		}
		s.share[l.place] = 0
		if l.bound == 0 || l.sifted(ord) {
			continue
		}
		bound -= l.bound
		if l.dense == nil && l.seek(ord) && s.hopeless(bound+l.weight*l.seg.impact(l.probe.at)) {
			return
		}
		x := l.contribution(ord)
		s.share[l.place] = x
		if bound += x; s.hopeless(bound) {
			return
		}
	}
	for _, l := range s.order {
		if l.role == walked {
			s.share[l.place] = l.contribution(ord)
		}
	}
	score := 0.0
	for _, x := range s.share {
		score += x
	}
	s.top.offer(place{score: score, part: int32(s.p), ord: ord})
	s.least = s.top.least()
}
