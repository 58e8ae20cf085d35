package index

import (
	"math/bits"
	"slices"
	"sync"
)

// window is how many ordinals are looked at together.
const window = 2048

// slack, of the weights of all terms together, covers what rounding can do to a sum of bounds, which
// is added up in another order than a score is, and from which bounds are taken away again.
const slack = 1e-12

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
	f      *Filter
	p      int
	seg    *Segment
	top    *heap
	lists  []*list   // all of the query's that the part has, in the order of their contributions
	order  []*list   // the same, lowest bound first, weak ones before the others
	margin float64   // slack in units of a score
	rest   float64   // the bounds of the lists that are not walked over in the window, together
	least  float64   // what a chunk must reach to be among the best; 0 while there are fewer than wanted
	share  []float64 // contributions to the chunk that is being scored, by list.place
	sum    [window]float64
	found  [window / 64]uint64
	spare  []*list
}

var runs = sync.Pool{New: func() any { return new(scan) }}

// part searches one part.
func (s *scan) part(f *Filter, p int, q request, top *heap) {
	s.f, s.p, s.seg, s.top = f, p, f.set.parts[p].segment, top
	s.least = top.least()
	s.begin(q)
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

// begin makes the lists of the terms that the part has, the weak ones last.
func (s *scan) begin(q request) {
	n := 0
	s.lists, s.margin = s.lists[:0], 0
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
			s.margin += slack * l.weight
			s.lists = append(s.lists, l)
			n++
		}
	}
	s.order = append(s.order[:0], s.lists...)
	s.share = slices.Grow(s.share[:0], n)[:n]
}

// hopeless reports whether a chunk whose score is at most the bound can't be among the best.
func (s *scan) hopeless(bound float64) bool {
	return bound+s.margin < s.least
}

// window searches the ordinals from low up to high.
func (s *scan) window(low, high uint32) {
	for _, l := range s.lists {
		l.reach(low, high)
	}
	s.arrange()
	// The first lists are those whose bounds together are hopeless.
	optional, sum := 0, 0.0
	s.rest = 0
	for i, l := range s.order {
		sum += l.bound
		if !l.weak && !s.hopeless(sum) {
			break
		}
		optional, s.rest = i+1, sum
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
		ords := c.ord[:c.n]
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
	if s.hopeless(sum + s.rest) {
		return
	}
	// Bits tell of the longest lists whether they hold the chunk, before any block is read.
	rest := s.rest
	for i := optional - 1; i >= 0; i-- {
		if l := s.order[i]; l.lacks(ord) {
			if rest -= l.bound; s.hopeless(sum + rest) {
				return
			}
		}
	}
	for i := optional - 1; i >= 0; i-- {
		l := s.order[i]
		s.share[l.place] = 0
		if l.bound == 0 || l.lacks(ord) {
			continue
		}
		rest -= l.bound
		if !l.seek(ord) {
			continue
		}
		if s.hopeless(sum + rest + l.weight*l.seg.impact(l.probe.at)) {
			return
		}
		x := l.contribution(ord)
		s.share[l.place] = x
		if sum += x; s.hopeless(sum + rest) {
			return
		}
	}
	if s.hopeless(sum) {
		return
	}
	for _, l := range s.order[optional:] {
		s.share[l.place] = 0
		if l.bound > 0 && !l.lacks(ord) && l.seek(ord) {
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
