package contrast

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

// exclusives are words of which one thing has one as a rule: a day of the week, where somebody is from.
// A line is a set of such words; the ways to write one of them are joined by a slash.
const exclusives = `
monday/周一/星期一 tuesday/周二/星期二 wednesday/周三/星期三 thursday/周四/星期四 friday/周五/星期五 saturday/周六/星期六 sunday/周日/周天/星期日/星期天
spring/春季 summer/夏季 autumn/秋季 winter/冬季
american british/english/welsh/scottish canadian australian french german italian spanish portuguese dutch belgian swiss austrian swedish norwegian danish finnish polish russian ukrainian greek turkish indian pakistani chinese japanese korean vietnamese thai indonesian filipino mexican brazilian argentine/argentinian chilean colombian egyptian nigerian kenyan israeli iranian irish
african/africa asian/asia european/europe
red blue green yellow black white purple pink brown
`

// choice is where a word stands in the sets: which set, and which of its things.
type choice struct{ set, thing int }

// choices maps each word to its place. A piece that words of several things have in common, as 星期, has
// none.
var choices = sync.OnceValue(func() map[string]choice {
	out, common := map[string]choice{}, map[string]bool{}
	for set, line := range strings.Split(exclusives, "\n") {
		for thing, ways := range strings.Fields(line) {
			for word := range strings.SplitSeq(ways, "/") {
				for _, t := range analysis.Query(word) {
					if t.Of < 0 && !t.Stop {
						had, ok := out[t.Term]
						common[t.Term] = common[t.Term] || ok && had != choice{set, thing}
						out[t.Term] = choice{set, thing}
					}
				}
			}
		}
	}
	maps.DeleteFunc(out, func(term string, _ choice) bool { return common[term] })
	return out
})

// otherChoice returns a word of a claim in whose place a sentence has another of its set, said of the
// same thing. A sentence with several of a set, and one that has the claim's too, says nothing.
func otherChoice(c reading.Claim, st *reading.Statement) (Difference, bool) {
	if len(polarity.Heads(c.Folded)) > 0 {
		return Difference{}, false
	}
	if r, ok := longer(c, st); ok {
		return r, true
	}
	theirs := chosen(st.Folded)
	for _, o := range chosen(c.Folded) {
		same := slices.IndexFunc(theirs, func(t chosenWord) bool { return t.set == o.set })
		if same < 0 || theirs[same].thing == o.thing || several(theirs, o.set) || several(chosen(c.Folded), o.set) {
			continue
		}
		pair := [2]string{o.word, theirs[same].word}
		if sameThing(c, pair, st) && !splits(c, pair, st) {
			return Difference{"name", o.word, theirs[same].word}, true
		}
	}
	return Difference{}, false
}

// chosenWord is a word of a set in a text.
type chosenWord struct {
	choice
	word string
	at   analysis.Span
}

// chosen returns the words of the sets in a folded text, in order.
func chosen(folded string) []chosenWord {
	var out []chosenWord
	for _, t := range analysis.Tokens(folded) {
		if c, ok := choices()[t.Term]; ok {
			out = append(out, chosenWord{c, t.Term, t.Span})
		}
	}
	return out
}

// spanning is from one day, or season, to another.
type spanning struct {
	from, to chosenWord
	written  string
}

// joins is what stands between the two.
var joins = regexp.MustCompile(`^\s*(?:[-–—~～至到]|\b(?:to|till|until|through|thru)\b)\s*$`)

// spansIn returns from when to when things are in a text.
func spansIn(folded string) []spanning {
	var out []spanning
	list, runes := chosen(folded), []rune(folded)
	for i, w := range list {
		for _, next := range list[i+1:] {
			if next.set == w.set && next.at[0] > w.at[1] && joins.MatchString(string(runes[w.at[1]:next.at[0]])) {
				out = append(out, spanning{w, next, string(runes[w.at[0]:next.at[1]])})
				break
			}
		}
	}
	return out
}

// longer returns a span of a claim that goes on beyond the one of a sentence, or begins before it, where the
// other end is the same: Monday to Saturday, Monday to Friday. What is so for fewer days follows. The sentence
// holds the rest of the claim, and names no other days.
func longer(c reading.Claim, st *reading.Statement) (Difference, bool) {
	ours, theirs := spansIn(c.Folded), spansIn(st.Folded)
	if len(ours) != 1 || len(theirs) != 1 || ours[0].from.set != theirs[0].from.set {
		return Difference{}, false
	}
	o, t := ours[0], theirs[0]
	pair := [2]string{o.to.word, t.to.word}
	switch {
	case o.from.thing > o.to.thing || t.from.thing > t.to.thing: // over the end of the week
		return Difference{}, false
	case o.from.thing == t.from.thing && o.to.thing > t.to.thing:
	case o.to.thing == t.to.thing && o.from.thing < t.from.thing:
		pair = [2]string{o.from.word, t.from.word}
	default:
		return Difference{}, false
	}
	for i, share := range c.Cover(st.Words) {
		if share < 1 && !strings.Contains(o.written, c.Terms[i].Surface) {
			return Difference{}, false
		}
	}
	named := func(w chosenWord) bool { return w.set == t.to.set && w.thing != t.from.thing && w.thing != t.to.thing }
	if slices.ContainsFunc(chosen(st.Folded), named) || elsewhere(c, pair, st) || splits(c, pair, st) {
		return Difference{}, false
	}
	return Difference{"name", o.written, t.written}, true
}

// several reports whether a text names more than one thing of a set.
func several(list []chosenWord, set int) bool {
	first := -1
	for _, w := range list {
		if w.set != set {
			continue
		}
		if first >= 0 && w.thing != first {
			return true
		}
		first = w.thing
	}
	return false
}
