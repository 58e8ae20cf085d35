package index

import (
	"cmp"
	"slices"
	"sync"
)

// window is how many ordinals are looked at together.
const window = 8192

// slack, of the weights of all terms together, covers what rounding can do to a sum of bounds, which
// is added up in another order than a score is, and from which bounds are taken away again.
const slack = 1e-12

// request is what a part is searched for: the terms of the query, what they weigh, and their
// places in the part's dictionary.
type request struct {
	terms   []Term
	weights []float64
	places  []spot
}

// scan searches a part for the chunks that can be among the best, a window of ordinals at a time.
//
// In a window each term has a bound: what it can add to any chunk there, by the impacts of the
// blocks that reach into it. Terms whose bounds together stay below the worst of the best scores so
// far need not bring chunks in; the others do, as far as the chunks may be seen.
//
// Short lists are read once, before the windows, without the chunks that may not be seen: where
// frequencies are counted over a part of the chunks, what was read for that serves. A short list that
// brings chunks in adds the bounds of its blocks to what they can reach. The longest lists have their bits
// at hand, and a chunk counts as holding them until it is sifted. No impact of a single posting is computed
// before a chunk is good enough by those sums. What remains is looked up in the other short lists, the rarest
// first, until it is clear that it is not good enough, and scored in the one order of addition that makes
// scores comparable to the last bit.
//
// A weak term finds no chunk: it adds to those that hold another term. It may still bring in what has to be
// looked at, where that is less than the chunks of the other terms.
type scan struct {
	f       *Filter
	p       int
	seg     *Segment
	top     *heap
	lists   []*list   // all of the query's that the part has, in the order of their contributions
	order   []*list   // the same, those first that hold most chunks for their weight
	margin  float64   // slack in units of a score
	least   float64   // what a chunk must reach to be among the best; 0 while there are fewer than wanted
	share   []float64 // contributions to the chunk that is being scored, by list.place
	found   [window / 64]uint64
	sieve   sieve
	spare   []*list
	rare    []*list // see plant
	seeds   []seed
	scores  []float64
	peaks   []uint16
	stamped bool  // whether the short lists of the window were all added up
	counted arena // what was read to count
	room    arena // what is read for one part
}

var runs = sync.Pool{New: func() any { return new(scan) }}

// release keeps the memory of a search for the next one.
func (s *scan) release() {
	s.counted.empty()
	runs.Put(s)
}

// part searches one part.
func (s *scan) part(f *Filter, p int, q request, top *heap) {
	s.f, s.p, s.seg, s.top = f, p, f.set.parts[p].segment, top
	s.least = top.least()
	s.begin(q)
	n := uint32(s.seg.Chunks())
	step := s.piece(n)
	for from := uint32(0); from < n; {
		to := from + min(step, n-from)
		s.load(from, to)
		if step >= n {
			s.plant()
		}
		for low := from; low < to; {
			high := min(low+window, to)
			if f.any(p, low, high) {
				s.window(low, high)
			}
			low = high
		}
		from = to
	}
	s.f, s.seg, s.top = nil, nil, nil
	for _, l := range s.lists {
		l.seg, l.dense, l.steps = nil, nil, nil
		l.show(postings{})
	}
	s.room.empty()
}

// begin makes the lists of the terms that the part has, the weak ones last.
func (s *scan) begin(q request) {
	n := 0
	s.lists, s.margin = s.lists[:0], 0
	for _, weak := range []bool{false, true} {
		for t, spot := range q.places {
			if spot.at < 0 || q.weights[t] <= 0 || q.terms[t].Weak != weak {
				continue
			}
			if n == len(s.spare) {
				s.spare = append(s.spare, new(list))
			}
			l := s.spare[n]
			l.open(s.seg, spot.at, q.weights[t])
			if l.read = spot.read; l.read {
				l.show(spot.seen)
			}
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

// piece returns how many ordinals are searched before the short lists are read on. That is all of them,
// but for very long queries.
func (s *scan) piece(n uint32) uint32 {
	total := 0
	for _, l := range s.lists {
		if l.dense == nil && !l.read {
			total += 2 * int(l.count)
		}
	}
	pieces := uint32(total/(arenaMost+1) + 1)
	return max(window, (n/pieces+window-1)/window*window)
}

// load reads the short lists that were not read yet, from from up to to.
func (s *scan) load(from, to uint32) {
	s.room.empty()
	for _, l := range s.lists {
		if l.dense != nil {
			continue
		}
		l.steps = s.room.take(l.end - l.first)
		for i := range l.steps {
			l.steps[i] = uint32(s.sieve.steps(l.weight * s.seg.impact(l.first+i)))
		}
		if !l.read {
			l.show(s.f.gather(s.p, l.at, from, to, &s.room))
		}
	}
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
		switch {
		case !l.brings:
		case l.dense == nil:
			s.stamp(l, low)
		default:
			words := s.f.bits[s.p][low>>6 : (high+63)>>6]
			held := l.dense.bits[low>>6:][:len(words)]
			for i, seen := range words {
				s.found[i] |= seen & held[i]
			}
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

// stamp marks the chunks of a short list in the window that begins at low, and adds to what they can reach.
func (s *scan) stamp(l *list, low uint32) {
	ords := l.seen.ord[l.from:l.to]
	if l.seen.no == nil {
		number := l.seen.first + l.from
		for i, ord := range ords {
			at := (ord - low) % window
			s.found[at>>6] |= 1 << (at & 63)
			s.sieve.sum[at] += int32(l.steps[(number+i)/blockSize])
		}
		return
	}
	numbers := l.seen.no[l.from:l.to][:len(ords)]
	for i, ord := range ords {
		at := (ord - low) % window
		s.found[at>>6] |= 1 << (at & 63)
		s.sieve.sum[at] += int32(l.steps[numbers[i]/blockSize])
	}
}
