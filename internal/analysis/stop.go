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
	particles map[rune]bool
	begins    map[rune]bool // with what the pairs begin
	pairs     map[[2]rune]bool
	phrases   map[string]bool
}

var stops = sync.OnceValue(func() *stopList {
	l := &stopList{map[string]bool{}, map[rune]bool{}, map[rune]bool{}, map[[2]rune]bool{}, map[string]bool{}}
	for line := range strings.Lines(stopText) {
		line, _, _ = strings.Cut(line, "#")
		for _, w := range strings.Fields(line) {
			runes := []rune(w)
			switch {
			case runes[0] < utf8.RuneSelf:
				l.english[w] = true
			case len(runes) == 1:
				l.particles[runes[0]] = true
			case len(runes) == 2:
				l.begins[runes[0]] = true
				l.pairs[[2]rune(runes)] = true
			default:
				l.phrases[w] = true
			}
		}
	}
	return l
})

// isStopWord reports whether an English word in small letters is a stop word.
func isStopWord(w string) bool { return len(w) <= 6 && stops().english[w] }

// isParticle reports whether a Chinese character only serves the grammar of others.
func isParticle(r rune) bool { return stops().particles[r] }

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
	if list.particles[a] && list.particles[b] {
		return true
	}
	return list.begins[a] && list.pairs[[2]rune{a, b}]
}

// isStopPhrase reports whether a Chinese word of three or more characters is of questions only.
func isStopPhrase(w string) bool { return stops().phrases[w] }
