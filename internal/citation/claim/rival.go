package claim

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/analysis"
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
func (c claim) otherChoice(st *statement) (Reason, bool) {
	if len(heads(c.folded)) > 0 {
		return Reason{}, false
	}
	theirs := chosen(st.folded)
	for _, o := range chosen(c.folded) {
		same := slices.IndexFunc(theirs, func(t chosenWord) bool { return t.set == o.set })
		if same < 0 || theirs[same].thing == o.thing || several(theirs, o.set) || several(chosen(c.folded), o.set) {
			continue
		}
		pair := [2]string{o.word, theirs[same].word}
		if c.sameThing(pair, st) && !c.elsewhere(pair, st) && !c.splits(pair, st) {
			return Reason{"name", o.word, theirs[same].word}, true
		}
	}
	return Reason{}, false
}

var (
	// anchored is what something comes before or after, by its last two characters, with a single character for
	// which of the two.
	anchored = regexp.MustCompile(`([\p{Han}\d]{2})(?:之|以)?(前|后)(?:[^的台期述款往者勤续果排任代世缀备退]|$)`)
	// unanchored are words that hold such a character and say no such thing.
	unanchored = regexp.MustCompile(`[目提当此先最今随然落售日背][前后]|前后|前提[^交出供醒]|后[来天]|前[天年]`)
)

// otherOrder returns on which side of a thing a claim is, where a sentence is on the other side of the same:
// 回程前, 回程后. Who says both says nothing.
func (c claim) otherOrder(st *statement) (Reason, bool) {
	ours, theirs := orders(c.folded), orders(st.folded)
	for _, anchor := range slices.Sorted(maps.Keys(ours)) {
		side := ours[anchor]
		if other := theirs[anchor]; other != "" && side != "" && other != side {
			return Reason{"opposite", anchor + side, anchor + other}, true
		}
	}
	return Reason{}, false
}

// orders returns on which side of each anchor a text is, "" for both.
func orders(folded string) map[string]string {
	if !strings.ContainsAny(folded, "前后") {
		return nil
	}
	out := map[string]string{}
	for _, m := range anchored.FindAllStringSubmatch(unanchored.ReplaceAllStringFunc(folded, blanks), -1) {
		if had, ok := out[m[1]]; ok && had != m[2] {
			m[2] = ""
		}
		out[m[1]] = m[2]
	}
	return out
}

// chosenWord is a word of a set in a text.
type chosenWord struct {
	choice
	word string
}

func chosen(folded string) []chosenWord {
	var out []chosenWord
	for _, t := range analysis.Tokens(folded) {
		if c, ok := choices()[t.Term]; ok {
			out = append(out, chosenWord{c, t.Term})
		}
	}
	return out
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
