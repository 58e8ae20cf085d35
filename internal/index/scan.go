package index

import (
	"cmp"
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
// blocks that reach into it. Terms whose bounds together stay below the worst of the best scores so
// far need not bring chunks in; the others do, as far as the chunks may be seen.
//
// A list is read once in a window: its chunks are marked as bits, and the bound of each block is added to
// what its chunks can reach. The longest lists have their bits at hand, and a chunk counts as holding
// them until it is sifted. No impact of a single posting is computed before a chunk is good enough by
// those sums. What remains is looked up in the lists, the rarest first, until it is clear that it is not good
// enough, and scored in the one order of addition that makes scores comparable to the last bit.
//
// A weak term finds no chunk: it adds to those that hold another term. It may still bring in what has to be
// looked at, where that is less than the chunks of the other terms.
type scan struct {
	f      *Filter
	p      int
	seg    *Segment
	top    *heap
	lists  []*list   // all of the query's that the part has, in the order of their contributions
	order  []*list   // the same, those first that hold most chunks for their weight
	margin float64   // slack in units of a score
	least  float64   // what a chunk must reach to be among the best; 0 while there are fewer than wanted
	share  []float64 // contributions to the chunk that is being scored, by list.place
	found  [window / 64]uint64
	sieve  sieve
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
	slices.SortStableFunc(s.order, func(a, b *list) int {
		return cmp.Compare(float64(b.count)*a.weight, float64(a.count)*b.weight)
	})
	s.share = slices.Grow(s.share[:0], n)[:n]
	s.sieve.scale(s.lists)
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
	if !s.divide() {
		return
	}
	for _, l := range s.order {
		if !l.brings {
			continue
		}
		held := l.held[:]
		if l.dense == nil {
			s.stamp(l, low, high)
		} else {
			held = l.dense.bits[low>>6:]
		}
		words := s.f.bits[s.p][low>>6 : (high+63)>>6]
		held = held[:len(words)]
		for i, seen := range words {
			s.found[i] |= seen & held[i]
		}
	}
	s.judge(low, high)
}

// divide chooses the lists that bring chunks in, so that they hold few. There are two ways: among those that
// find chunks, where the weak ones can all add to the others, or among all. It reports whether any is needed.
func (s *scan) divide() bool {
	least := s.choose(true)
	if least > 0 && s.choose(false) >= least {
		s.choose(true)
	}
	return least > 0
}

// choose lets all lists bring chunks in but for those whose bounds together are hopeless, and, if strong is
// said, for the weak ones. It returns how many postings the lists have that it chose.
func (s *scan) choose(strong bool) int {
	rest, n := 0.0, 0
	if strong {
		for _, l := range s.order {
			if l.weak {
				rest += l.bound
			}
		}
	}
	for _, l := range s.order {
		l.brings = false
		switch {
		case l.bound == 0 || strong && l.weak:
		case s.hopeless(rest + l.bound):
			rest += l.bound
		default:
			l.brings = true
			n += int(l.count)
		}
	}
	return n
}

// stamp marks the chunks of a list in the window, and adds to what they can reach.
func (s *scan) stamp(l *list, low, high uint32) {
	clear(l.held[:])
	for s.stretch(l, low, high) {
		c := &l.walk
		bound := s.sieve.steps(l.weight * l.seg.impact(c.at))
		for _, ord := range c.ord[c.from:c.i] {
			at := (ord - low) % window
			l.held[at>>6] |= 1 << (at & 63)
			s.sieve.sum[at] += bound
		}
	}
}

// stretch moves the walk over the next postings in the window, of one block: those from from up to
// i. It reports whether there are any.
func (s *scan) stretch(l *list, low, high uint32) bool {
	c := &l.walk
	for {
		switch {
		case c.at < l.near:
			if !s.next(l, l.near, low, high) {
				return false
			}
		case c.i == c.n:
			if !s.next(l, c.at+1, low, high) {
				return false
			}
		}
		ords := c.ord[:c.n]
		i := c.i
		for i < len(ords) && ords[i] < low {
			i++
		}
		c.from = i
		for i < len(ords) && ords[i] < high {
			i++
		}
		c.i = i
		if c.from < i {
			return true
		}
		if i < len(ords) {
			return false
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
