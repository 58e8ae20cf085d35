package index

import (
	"math/bits"
	"slices"
)

// The numbers of postings that are read sooner than that a chunk is looked up in the lists: where all chunks are
// that were brought in, and where those are that the longest lists have left.
const (
	shareOfAll  = 4
	shareOfSome = 48
)

// judge scores the chunks that were brought in, and empties the window.
func (s *scan) judge(low, high uint32) {
	v := &s.sieve
	v.begin(s.least - s.margin)
	var w haul
	for _, l := range s.order {
		switch {
		case l.dense == nil && l.brings:
			w.brought += l.to - l.from
		case l.dense == nil:
			w.postings += l.to - l.from
			w.rest += l.bound
		case l.brings:
			w.brought += window / denseShare
			w.long += l.bound
		default:
			w.long += l.bound
		}
	}
	s.stamped = w.postings == 0
	if !s.stamped && w.postings <= shareOfAll*w.brought {
		s.add(low)
		w.rest = 0
	}
	v.rest(w.long + w.rest)
	for i, word := range s.found[:(high-low+63)/64] {
		if word == 0 {
			continue
		}
		s.found[i] = 0
		for ; word != 0; word &= word - 1 {
			v.put(uint32(i*64 + bits.TrailingZeros64(word)))
		}
	}
	if s.stamped && w.postings > 0 {
		v.end()
	}
	for _, l := range slices.Backward(s.order) {
		if v.n == 0 {
			return
		}
		if l.dense != nil && l.bound > 0 {
			v.sift(l.dense.bits[low>>6:], l.bound)
		}
	}
	if !s.stamped && w.postings <= shareOfSome*v.n {
		s.add(low)
		v.gain(w.rest)
		v.end()
	}
	for i, at := range v.at[:v.n] {
		s.candidate(low+at, v.bound(i))
	}
}

// haul is what the lists have in a window: how many chunks are brought in, at most or about, how many postings
// the short lists have that bring none in, and what those and the longest lists can add to a chunk.
type haul struct {
	brought, postings int
	rest, long        float64
}

// add adds the postings of the short lists that bring no chunks in to what chunks can reach.
func (s *scan) add(low uint32) {
	sum := &s.sieve.sum
	for _, l := range s.order {
		if l.dense != nil || l.brings {
			continue
		}
		for i, ord := range l.seen.ord[l.from:l.to] {
			sum[(ord-low)%window] += int32(l.steps[l.seen.number(l.from+i)/blockSize])
		}
	}
	s.stamped = true
}

// candidate offers a chunk whose score is at most the bound. The bound has, of a short list that brought chunks
// in, what the block of the chunk can add; of any other, what any chunk in the window can get.
func (s *scan) candidate(ord uint32, bound float64) {
	for _, l := range slices.Backward(s.order) {
		if s.stamped || l.bound == 0 || l.dense != nil || l.brings {
			continue
		}
		bound -= l.bound
		if l.seek(ord) {
			bound += l.weight * s.seg.impact(l.first+l.seen.number(l.probe)/blockSize)
		}
		if s.hopeless(bound) {
			return
		}
	}
	found := false
	for _, l := range slices.Backward(s.order) {
		s.share[l.place] = 0
		if l.bound == 0 || !l.holds(ord) {
			continue
		}
		if l.dense != nil {
			bound -= l.bound
		} else {
			bound -= l.weight * s.seg.impact(l.first+l.seen.number(l.probe)/blockSize)
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
