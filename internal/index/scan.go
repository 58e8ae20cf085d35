package index

import (
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
// of the best scores so far can't bring a chunk in; only the others do, and the permission bit of
// each chunk is tested before anything is computed.
//
// What was brought in is sifted by the bits of the other lists, which tell of each chunk whether it
// holds the term: the longest lists have them at hand, and others are stamped into bits for the
// window where enough is left to sift. What falls through none is looked up in the lists, highest
// bound first, until it is clear that it is not good enough. What remains is scored anew, in
// the one order of addition that makes scores comparable to the last bit.
//
// A weak term brings no chunk in: it adds to those that others brought in.
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
	s.arrange()
	if !s.divide() {
		return
	}
	for _, l := range s.order {
		switch l.role {
		case walked:
			s.gather(l, low, high)
		case marked:
			s.mark(l, low, high)
		}
	}
	s.judge(low, high)
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

// divide gives each list its role in the window. It reports whether any brings a chunk in.
func (s *scan) divide() bool {
	s.rest = 0
	few := 0 // the first lists are those whose bounds together are hopeless
	for ; few < len(s.order); few++ {
		l := s.order[few]
		if !l.weak && !s.hopeless(s.rest+l.bound) {
			break
		}
		l.role = optional
		s.rest += l.bound
	}
	for _, l := range s.order[few:] {
		if l.role = walked; l.dense != nil {
			l.role = marked
			s.rest += l.bound
		}
	}
	return few < len(s.order)
}

// gather adds the contributions of a list to the visible chunks of the window.
func (s *scan) gather(l *list, low, high uint32) {
	c := &l.walk
	words := s.f.bits[s.p]
	for s.stretch(l, low, high) {
		for i := c.from; i < c.i; i++ {
			ord := c.ord[i]
			if words[ord>>6]>>(ord&63)&1 == 0 {
				continue
			}
			at := ord - low
			s.sum[at] += float64(l.weight * c.share(l, i))
			s.found[at>>6] |= 1 << (at & 63)
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

// mark brings in the visible chunks of a list that is kept as bits.
func (s *scan) mark(l *list, low, high uint32) {
	a, b := low>>6, (high+63)>>6
	bits := l.dense.bits[a:b]
	words := s.f.bits[s.p][a:b]
	found := s.found[:len(bits)]
	for i := range found {
		found[i] |= bits[i] & words[i]
	}
}
