package index

import (
	"cmp"
	"slices"
)

// The bounds of what is scored before the windows.
const (
	seedPostings = 64   // how many postings of short lists are looked at for each chunk that is wanted
	seedLists    = 6    // of how many lists
	seedBlocks   = 96   // of how many blocks of a longer one the best posting is
	seedLookups  = 1000 // about how many postings are looked up to score chunks
	seedMost     = 128  // for how many wanted chunks this is done
)

// seedWhole is how long a list is at most of which all postings are looked at (a variable for tests).
var seedWhole = 256

// seed is a chunk that may be among the best, by what some terms add.
type seed struct {
	ord   uint32
	worth int32
}

// plant scores some chunks before all others, so that a score is known early which the best reach: those that hold
// rare terms together, or hold a term as often as no other chunk near them. It only raises what is asked of a
// chunk: all of them are met again in the windows.
func (s *scan) plant() {
	if s.top.k > seedMost || s.top.least() > 0 {
		return
	}
	if len(s.lists) == 0 {
		return
	}
	seeds := s.choosing()
	if len(seeds) < s.top.k {
		return
	}
	slices.SortFunc(seeds, func(a, b seed) int { return cmp.Compare(a.ord, b.ord) })
	for _, l := range s.lists {
		l.from, l.to, l.probe = 0, len(l.seen.ord), 0
	}
	scores := s.scores[:0]
	for _, x := range seeds {
		scores = append(scores, s.score(x.ord))
	}
	s.scores = scores
	for _, l := range s.lists {
		l.from, l.to, l.probe = 0, 0, 0
	}
	slices.Sort(scores)
	s.top.floor = scores[len(scores)-s.top.k]
	s.least = s.top.least()
}

// rarest returns the short lists that find chunks, the shortest first, and marks in the first few of them a range of
// ordinals in which they hold few.
func (s *scan) rarest() []*list {
	rare := s.rare[:0]
	for _, l := range s.lists {
		if l.dense == nil && !l.weak && len(l.seen.ord) > 0 {
			rare = append(rare, l)
		}
	}
	slices.SortStableFunc(rare, func(a, b *list) int { return len(a.seen.ord) - len(b.seen.ord) })
	s.rare = rare
	low := uint32(s.seg.Chunks())
	for i, l := range rare {
		if l.head = 0; i < seedLists {
			low = min(low, l.seen.ord[0])
		}
	}
	for span := uint32(s.seg.Chunks()) - low; ; span /= 2 {
		total := 0
		for _, l := range rare[:min(len(rare), seedLists)] {
			l.head = after(l.seen.ord, 0, low+span)
			total += l.head
		}
		if total <= seedPostings*s.top.k {
			return rare
		}
	}
}

// slot is where the worth of a chunk is added up. That two may share one only makes a worse choice.
func slot(ord uint32) uint32 { return ord * 2654435761 >> 7 % window }

// choosing returns the chunks that the short lists together add most to, as far as that was looked at.
func (s *scan) choosing() []seed {
	rare := s.rarest()
	sum := &s.sieve.sum
	for _, l := range rare {
		worth := s.usual(l)
		for _, ord := range l.seen.ord[:l.head] {
			sum[slot(ord)] += worth
		}
		s.promise(l, func(ord uint32, worth int32) { sum[slot(ord)] += worth })
	}
	best := seeds{list: s.seeds[:0], wanted: s.top.k + min(max(s.top.k/2, seedLookups/len(s.lists)), 3*s.top.k)}
	for _, l := range rare {
		for _, ord := range l.seen.ord[:l.head] {
			best.offer(ord, sum[slot(ord)])
			sum[slot(ord)] = 0
		}
		s.promise(l, func(ord uint32, _ int32) {
			best.offer(ord, sum[slot(ord)])
			sum[slot(ord)] = 0
		})
	}
	s.seeds = best.list
	return best.list
}

// promise calls fn for the best postings of a list behind its head, by their blocks, with what each adds at most.
func (s *scan) promise(l *list, fn func(ord uint32, worth int32)) {
	rest := l.seen.ord[l.head:]
	if len(rest) <= seedWhole {
		worth := s.usual(l)
		for _, ord := range rest {
			fn(ord, worth)
		}
		return
	}
	if s.seg.top == nil {
		return
	}
	from := l.seen.number(l.head) / blockSize
	least := s.nth(s.seg.peak[l.first+from:l.end], seedBlocks)
	for k := from; k < l.end-l.first; k++ {
		if s.seg.peak[l.first+k] < least {
			continue
		}
		if i := l.seen.find(k*blockSize + int(s.seg.top[l.first+k])); i >= l.head {
			fn(l.seen.ord[i], int32(l.steps[k]))
		}
	}
}

// usual returns what a list adds to a chunk that has the term once.
func (s *scan) usual(l *list) int32 { return s.sieve.steps(l.weight / (1 + k1)) }

// nth returns the n-th largest of the numbers, or 0 if they are not more.
func (s *scan) nth(list []uint16, n int) uint16 {
	if len(list) <= n {
		return 0
	}
	s.peaks = append(s.peaks[:0], list...)
	slices.Sort(s.peaks)
	return s.peaks[len(list)-n]
}

// seeds keeps the best of the chunks that are offered, the worst of them last.
type seeds struct {
	list   []seed
	wanted int
}

func (b *seeds) offer(ord uint32, worth int32) {
	if worth == 0 || len(b.list) == b.wanted && worth <= b.list[b.wanted-1].worth {
		return
	}
	if len(b.list) < b.wanted {
		b.list = append(b.list, seed{})
	}
	i := len(b.list) - 1
	for ; i > 0 && b.list[i-1].worth < worth; i-- {
		b.list[i] = b.list[i-1]
	}
	b.list[i] = seed{ord, worth}
}

// score returns the score of a chunk.
func (s *scan) score(ord uint32) float64 {
	score := 0.0
	for _, l := range s.lists {
		if l.holds(ord) {
			score += l.contribution(ord)
		}
	}
	return score
}
