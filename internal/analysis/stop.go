package analysis

import (
	_ "embed" // for the list of stop words
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed stop.txt
var stopText string

// stopList holds the entries of the list by their use.
type stopList struct {
	english   map[string]bool
	particles runeSet
	begins    runeSet // with what the pairs begin
	pairs     map[[2]rune]bool
	phrases   map[string]bool
}

// runeSet is a set of characters of the basic plane, as bits: each character of a Chinese text is
// looked for.
type runeSet [1 << 16 / 64]uint64

func (s *runeSet) add(r rune) { s[r>>6] |= 1 << (r & 63) }

func (s *runeSet) has(r rune) bool { return r>>6 < rune(len(s)) && s[r>>6]>>(r&63)&1 != 0 }

var stops = sync.OnceValue(func() *stopList {
	l := &stopList{english: map[string]bool{}, pairs: map[[2]rune]bool{}, phrases: map[string]bool{}}
	for line := range strings.Lines(stopText) {
		line, _, _ = strings.Cut(line, "#")
		for _, w := range strings.Fields(line) {
			runes := []rune(w)
			switch {
			case runes[0] < utf8.RuneSelf:
				l.english[w] = true
			case len(runes) == 1:
				l.particles.add(runes[0])
			case len(runes) == 2:
				l.begins.add(runes[0])
				l.pairs[[2]rune(runes)] = true
			default:
				l.phrases[w] = true
			}
		}
	}
	return l
})

// isStopWord reports whether an English word in small letters is a stop word.
func isStopWord(w []byte) bool { return len(w) <= 6 && stops().english[string(w)] }

// isParticle reports whether a Chinese character only serves the grammar of others.
func isParticle(r rune) bool { return stops().particles.has(r) }

// isStopPair reports whether a pair of Chinese characters says nothing of a topic.
func isStopPair(a, b rune) bool {
	switch {
	case a == '吗', a == '呢', a == '么', b == '吗', b == '呢', b == '么':
		return true
	case a == '的':
		return b != '确' && b != '士'
	case b == '的':
		return a != '目' && a != '标'
	}
	list := stops()
	if list.particles.has(a) && list.particles.has(b) {
		return true
	}
	return list.begins.has(a) && list.pairs[[2]rune{a, b}]
}

// isStopPhrase reports whether a Chinese word of three or more characters is of questions only.
func isStopPhrase(w []byte) bool { return stops().phrases[string(w)] }
