package index

import (
	"cmp"
	"slices"
)

// The bounds of what is scored before the windows: how many postings of how many lists are looked at for each
// chunk that is wanted, and for how many chunks at most.
const (
	seedPostings = 64
	seedLists    = 6
	seedMost     = 128
)

// seed is a chunk that may be among the best, by what the rarest terms add.
type seed struct {
	ord   uint32
	worth int32
}

// plant scores some chunks that hold rare terms before all others, so that a score is known early which the best
// reach. It only raises what is asked of a chunk: all of them are met again in the windows.
func (s *scan) plant() {
	if s.top.k > seedMost || s.top.least() > 0 {
		return
	}
	rare := s.rarest()
	total := 0
	for _, l := range rare {
		total += l.head
	}
	if total < 2*s.top.k {
		return
	}
	seeds := s.choosing(rare)
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
	if len(scores) >= s.top.k {
		slices.Sort(scores)
		s.top.floor = scores[len(scores)-s.top.k]
		s.least = s.top.least()
	}
}

// rarest returns the shortest lists that find chunks, with the end of the range of ordinals in which they hold few.
func (s *scan) rarest() []*list {
	rare := s.rare[:0]
	for _, l := range s.lists {
		if l.dense == nil && !l.weak {
			rare = append(rare, l)
		}
	}
	slices.SortStableFunc(rare, func(a, b *list) int { return len(a.seen.ord) - len(b.seen.ord) })
	s.rare = rare
	rare = rare[:min(len(rare), seedLists)]
	for high := uint32(s.seg.Chunks()); ; high /= 2 {
		total := 0
		for _, l := range rare {
			l.head = after(l.seen.ord, 0, high)
			total += l.head
		}
		if total <= seedPostings*s.top.k {
			return rare
		}
	}
}

// slot is where the worth of a chunk is added up. That two may share one only makes a worse choice.
func slot(ord uint32) uint32 { return ord * 2654435761 >> 7 % window }

// choosing returns the chunks of the lists that the lists together add most to.
func (s *scan) choosing(rare []*list) []seed {
	sum := &s.sieve.sum
	for _, l := range rare {
		worth := s.sieve.steps(l.weight)
		for _, ord := range l.seen.ord[:l.head] {
			sum[slot(ord)] += worth
		}
	}
	wanted := s.top.k + s.top.k/2
	best := s.seeds[:0] // the worst of them last
	for _, l := range rare {
		for _, ord := range l.seen.ord[:l.head] {
			worth := sum[slot(ord)]
			sum[slot(ord)] = 0
			if worth == 0 || len(best) == wanted && worth <= best[wanted-1].worth {
				continue
			}
			if len(best) < wanted {
				best = append(best, seed{})
			}
			i := len(best) - 1
			for ; i > 0 && best[i-1].worth < worth; i-- {
				best[i] = best[i-1]
			}
			best[i] = seed{ord, worth}
		}
	}
	s.seeds = best
	return best
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
