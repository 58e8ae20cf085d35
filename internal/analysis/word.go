package analysis

import (
	"math"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/analysis/dictionary"
)

// segmentMark and exactMark begin the terms of Segment and Exact tokens, which no other term does:
// the word 合同 and the pair 合同, or the word "policies" and a stem, count apart.
const (
	segmentMark = "|"
	exactMark   = "="
)

// maxRun is the length in characters at which a run without any mark is cut before its words are
// looked for.
const maxRun = 4096

// maxLoan is the length at which a run of kana or of Korean is cut: what stands between two marks
// there counts as a word.
const maxLoan = 16

// cutter finds the words of runs. Its tables are used again for the next run.
type cutter struct {
	cost []int32 // of the cheapest words from here to the end of the run
	next []int32 // where the first of them ends
}

// words appends the words of the run of ideographs from i to j: those of Chinese as the dictionary
// and the lexicon know them, and whole runs of the other scripts.
func (s *scanner) words(i, j int) {
	for i < j {
		chinese := isChinese(s.glyphs[i].r)
		end, limit := i+1, maxLoan
		if chinese {
			limit = maxRun
		}
		for end < j && end-i < limit && isChinese(s.glyphs[end].r) == chinese {
			end++
		}
		if chinese {
			s.segment(i, end)
		} else {
			s.add(s.marked(i, end), i, end, Segment, -1)
		}
		i = end
	}
}

func isChinese(r rune) bool {
	return r >= 0x3400 && r <= 0x9FFF || r == 0x3007 || r >= 0x20000
}

// segment appends the words of a run of Chinese characters: of all ways to cut it the one whose
// words are likeliest together, of equal ones that with the longer word first.
func (s *scanner) segment(i, j int) {
	n := j - i
	c := &s.cut
	if len(c.cost) <= n {
		c.cost, c.next = make([]int32, n+1), make([]int32, n+1)
	}
	tree := dictionary.Chinese()
	c.cost[n] = 0
	for k := n - 1; k >= 0; k-- {
		best, next := int32(math.MaxInt32), int32(k+1)
		var node dictionary.Node
		for e := k; e < n; e++ {
			node = tree.Next(node, s.glyphs[i+e].r)
			cost := int32(0)
			if node != 0 {
				cost = int32(tree.Cost(node))
			}
			if cost == 0 && e == k {
				cost = dictionary.Unknown
			}
			if cost > 0 && cost+c.cost[e+1] <= best {
				best, next = cost+c.cost[e+1], int32(e+1)
			}
			if node == 0 {
				break
			}
		}
		c.cost[k], c.next[k] = best, next
		for _, length := range s.lexicon.own(s.glyphs[i+k : j]) {
			if cost := own + c.cost[k+length]; cost <= c.cost[k] {
				c.cost[k], c.next[k] = cost, int32(k+length)
			}
		}
	}
	for k := 0; k < n; k = int(c.next[k]) {
		from, to := i+k, i+int(c.next[k])
		t := s.add(s.marked(from, to), from, to, Segment, -1)
		s.out[t].Stop = s.empty(from, to)
	}
}

// marked returns the term of the word from i to j.
func (s *scanner) marked(i, j int) string {
	s.buf = append(s.buf[:0], segmentMark...)
	for _, g := range s.glyphs[i:j] {
		s.buf = utf8.AppendRune(s.buf, g.r)
	}
	return s.keep(s.buf)
}

// empty reports whether a word says nothing of a topic.
func (s *scanner) empty(i, j int) bool {
	switch j - i {
	case 1:
		return isParticle(s.glyphs[i].r)
	case 2:
		return isStopPair(s.glyphs[i].r, s.glyphs[i+1].r)
	}
	return isStopPhrase(s.bare(i, j))
}
