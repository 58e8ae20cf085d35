package index

import (
	"math/bits"
	"slices"
	"sync"
)

// window is how many ordinals are looked at together.
const window = 2048

// slack covers what rounding can do to a sum of bounds, which is added up in another order than a
// score is.
const slack = 1 + 1e-9

// request is what a part is searched for: the terms of the query, what they weigh, and their
// places in the part's dictionary.
type request struct {
	terms   []Term
	weights []float64
	places  []int
}

// scan searches a part for the chunks that can be among the best, a window of ordinals at a time.
//
// In a window each term has a bound: what it can add to any chunk there, by the impacts of the
// blocks that reach into it. The terms with the lowest bounds that together stay below the worst
// of the best scores so far can't bring a chunk in; only the postings of the others are walked
// over, and the permission bit of each is tested before anything is computed. A chunk that they
// brought in is then looked up in the lists of the rest, highest bound first, until it is clear
// that it is not good enough. What remains is scored anew, in the one order of addition that makes
// scores comparable to the last bit.
//
// A weak term is never walked over: it adds to chunks that others brought in.
type scan struct {
	f     *Filter
	p     int
	seg   *Segment
	top   *heap
	lists []*list // all of the query's that the part has, in the order of their contributions
	order []*list // the same, lowest bound first, weak ones before the others
	rest  []float64
	share []float64 // contributions to the chunk that is being scored, by list.place
	known []bool    // those that were looked up
	sum   [window]float64
	found [window / 64]uint64
	spare []*list
}

var runs = sync.Pool{New: func() any { return new(scan) }}

// part searches one part.
func (s *scan) part(f *Filter, p int, q request, top *heap) {
	s.f, s.p, s.seg, s.top = f, p, f.set.parts[p].segment, top
	s.open(q)
	n := uint32(s.seg.Chunks())
	for low := uint32(0); low < n; {
		high := min(low+window, n)
		if f.any(p, low, high) {
			s.window(low, high)
		}
		low = high
	}
	s.f, s.seg, s.top = nil, nil, nil
	for _, l := range s.lists {
		l.seg, l.dense = nil, nil
	}
}

// open makes the lists of the terms that the part has, the weak ones last.
func (s *scan) open(q request) {
	n := 0
	s.lists = s.lists[:0]
	for _, weak := range []bool{false, true} {
		for t, at := range q.places {
			if at < 0 || q.weights[t] <= 0 || q.terms[t].Weak != weak {
				continue
			}
			if n == len(s.spare) {
				s.spare = append(s.spare, new(list))
			}
			l := s.spare[n]
			l.open(s.seg, at, q.weights[t])
			l.weak, l.place = weak, n
			s.lists = append(s.lists, l)
			n++
		}
	}
	s.order = append(s.order[:0], s.lists...)
	s.rest = slices.Grow(s.rest[:0], n+1)[:n+1]
	s.share = slices.Grow(s.share[:0], n)[:n]
	s.known = slices.Grow(s.known[:0], n)[:n]
}

// hopeless reports whether a chunk whose score is at most the bound can't be among the best.
func (s *scan) hopeless(bound float64) bool {
	return len(s.top.list) == s.top.k && bound*slack < s.top.list[0].score
}

// window searches the ordinals from low up to high.
func (s *scan) window(low, high uint32) {
	for _, l := range s.lists {
		l.reach(low, high)
	}
	s.arrange()
	// The first lists are those whose bounds together are hopeless.
	optional, sum := 0, 0.0
	for i, l := range s.order {
		s.rest[i] = sum
		sum += l.bound
		if optional == i && (l.weak || s.hopeless(sum)) {
			optional = i + 1
		}
	}
	if optional == len(s.order) {
		return
	}
	for _, l := range s.order[optional:] {
		if l.bound > 0 {
			s.gather(l, low, high)
		}
	}
	s.judge(low, optional)
}

// arrange sorts the lists by their bounds, which changes little from window to window.
func (s *scan) arrange() {
	for i := 1; i < len(s.order); i++ {
		l := s.order[i]
		k := i
		for ; k > 0 && before(l, s.order[k-1]); k-- {
			s.order[k] = s.order[k-1]
		}
		s.order[k] = l
	}
}

func before(a, b *list) bool {
	if a.weak != b.weak {
		return a.weak
	}
	return a.bound < b.bound
}

// gather adds the contributions of a list to the visible chunks of the window.
func (s *scan) gather(l *list, low, high uint32) {
	c := &l.walk
	words := s.f.bits[s.p]
	for {
		if c.at < l.near {
			if !s.next(l, l.near, low, high) {
				return
			}
		}
		ords := c.block.ord[:c.block.n]
		i := c.i
		for i < len(ords) && ords[i] < low {
			i++
		}
		for ; i < len(ords) && ords[i] < high; i++ {
			ord := ords[i]
			if words[ord>>6]>>(ord&63)&1 == 0 {
				continue
			}
			at := ord - low
			s.sum[at] += float64(l.weight * c.share(l, i))
			s.found[at>>6] |= 1 << (at & 63)
		}
		c.i = i
		if i < len(ords) || !s.next(l, c.at+1, low, high) {
			return
		}
	}
}

// next reads the first block from k on that reaches into the window and has a visible chunk there;
// false if there is none.
func (s *scan) next(l *list, k int, low, high uint32) bool {
	last := l.seg.last
	for ; k < l.end; k++ {
		from := uint32(0)
		if k > l.first {
			from = last[k-1] + 1
		}
		if from >= high {
			return false
		}
		if s.f.any(s.p, max(from, low), min(last[k]+1, high)) {
			l.walk.load(l, k)
			return true
		}
		if last[k] >= high {
			return false
		}
	}
	return false
}

// judge scores the chunks that were brought in, and empties the window.
func (s *scan) judge(low uint32, optional int) {
	for i, word := range s.found {
		s.found[i] = 0
		for ; word != 0; word &= word - 1 {
			at := i*64 + bits.TrailingZeros64(word)
			sum := s.sum[at]
			s.sum[at] = 0
			s.candidate(low+uint32(at), sum, optional)
		}
	}
}

// candidate offers a chunk whose contributions from the lists that were walked over are sum.
func (s *scan) candidate(ord uint32, sum float64, optional int) {
	clear(s.known)
	for i := optional - 1; i >= 0; i-- {
		if s.hopeless(sum + s.rest[i+1]) {
			return
		}
		l := s.order[i]
		s.known[l.place], s.share[l.place] = true, 0
		if l.bound == 0 || l.lacks(ord) || !l.seek(ord) {
			continue
		}
		if s.hopeless(sum + s.rest[i] + l.weight*l.seg.impact(l.probe.at)) {
			return
		}
		x := l.contribution(ord)
		s.share[l.place] = x
		sum += x
	}
	if s.hopeless(sum) {
		return
	}
	score := 0.0
	for i, l := range s.lists {
		if !s.known[i] {
			s.share[i] = 0
			if l.bound > 0 && !l.lacks(ord) && l.seek(ord) {
				s.share[i] = l.contribution(ord)
			}
		}
		score += s.share[i]
	}
	s.top.offer(place{score: score, part: int32(s.p), ord: ord})
}
