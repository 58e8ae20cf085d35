package coverage

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/paraphrase"
)

// vague are verbs that a place need not hold, a line each, with those that may stand for them. Another verb in the place of
// one says another thing: who skips a break does not take it.
const vague = `
include exclude contain comprise cover consist feature have hold list name
take need require accept last use receive have hold make
make create produce build prepare earn have give offer take
get receive obtain have earn gain be win
become be turn grow
go travel move run
come arrive originate be
put place store keep set lay
set fix define determine agree put
say state specify describe mention tell report note declare write explain provide name define require list set
call name term title
know call recognise
last run take be
hold have contain keep store
name call list mention specify appoint
contain include hold have
consist comprise include
define describe specify set
describe depict portray explain state define
refer relate apply concern
`

var vagueVerbs = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for line := range strings.Lines(strings.TrimSpace(vague)) {
		words := strings.Fields(line)
		first := stemOf(words[0])
		if out[first] == nil {
			out[first] = map[string]bool{}
		}
		for _, w := range words {
			out[first][stemOf(w)] = true
		}
	}
	for _, same := range [][]string{{"state", "say"}, {"specify", "say"}, {"mention", "say"}} {
		out[stemOf(same[0])] = out[stemOf(same[1])]
	}
	return out
})

func stemOf(word string) string {
	for _, t := range analysis.Query(word) {
		if t.Of < 0 {
			return paraphrase.Word(t.Term)
		}
	}
	return word
}

// stems returns the words of letters of a folded text that are none of grammar, in order.
func stems(folded string) []string {
	var out []string
	for _, t := range analysis.Tokens(folded) {
		if t.Kind == analysis.Word && !t.Stop {
			out = append(out, paraphrase.Word(t.Term))
		}
	}
	return out
}

// OtherVerb returns a verb that says little, in whose place a text has one that says another thing: between the same
// words, or at the same end.
func OtherVerb(claim, place string) (said, found string, ok bool) {
	ours, theirs := stems(claim), stems(place)
	for i, w := range ours {
		same, vague := vagueVerbs()[w]
		if !vague || contains(theirs, w) {
			continue
		}
		for k, o := range theirs {
			if same[o] || contains(ours, o) || lightWords()[o] || carrierWords()[o] || i == 0 || k == 0 || ours[i-1] != theirs[k-1] && !kindred(ours[i-1], theirs[k-1]) {
				continue
			}
			if i+1 == len(ours) && k+1 == len(theirs) || i+1 < len(ours) && k+1 < len(theirs) && (ours[i+1] == theirs[k+1] || kindred(ours[i+1], theirs[k+1])) {
				return w, o, true
			}
		}
	}
	return "", "", false
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// OtherWord returns a Chinese word of two characters, in whose place a text has another one that has one of them in common:
// 车库, 车间. The characters alone do not tell the two apart, where the other character stands elsewhere or is mostly one of
// grammar.
func OtherWord(claim, place string) (said, found string, ok bool) {
	theirs := pairs(place)
	for _, w := range pairs(claim) {
		if strings.Contains(place, w.text) {
			continue
		}
		for _, o := range theirs {
			if strings.Contains(claim, o.text) || plain(w.text) != w.text || plain(o.text) != o.text || !w.differs(o) {
				continue
			}
			if w.before != "" && w.before == o.before || w.behind != "" && w.behind == o.behind {
				return w.text, o.text, true
			}
		}
	}
	return "", "", false
}

// pair is a word of two characters with those that it stands between.
type pair struct{ text, first, last, before, behind string }

// differs reports whether two words have one character in common, and the other ones say something: no denial, and not both
// characters of grammar.
func (p pair) differs(o pair) bool {
	ours, theirs := p.last, o.last
	switch {
	case p.first == o.first:
	case p.last == o.last:
		ours, theirs = p.first, o.first
	default:
		return false
	}
	return !strings.ContainsAny(ours+theirs, "不未无没非") && !(strings.Contains(light, ours) && strings.Contains(light, theirs))
}

func pairs(folded string) []pair {
	var lexicon *analysis.Lexicon // words are cut alike for everybody
	runes := []rune(folded)
	at := func(i int) string {
		if i < 0 || i >= len(runes) || runes[i] < 0x4E00 || utf8.RuneLen(runes[i]) != 3 {
			return ""
		}
		return string(runes[i])
	}
	var out []pair
	for _, t := range lexicon.Tokens(folded) {
		if t.Kind == analysis.Segment && t.Span[1]-t.Span[0] == 2 {
			out = append(out, pair{string(runes[t.Span[0]:t.Span[1]]), at(t.Span[0]), at(t.Span[0] + 1), at(t.Span[0] - 1), at(t.Span[1])})
		}
	}
	return out
}
