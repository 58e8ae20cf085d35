package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/opposite"
)

// measure is how much of a sentence of so many words a place may lack that says the same.
type measure struct {
	share    float64 // of its words
	row      int     // how many in a row: more are something that the place does not speak of
	switches int     // how often it may go over from one sentence to another, -1 if one must say it all
}

// measureOf tells the measure for the size of a sentence. In a short one each word may be what it says; in a long one few words
// less say nearly the same.
func measureOf(size float64) measure {
	switch {
	case size < longSaid:
		return measure{switches: -1}
	case size < longRun:
		return measure{0.2, 1, -1}
	case size < veryLong:
		return measure{0.2, 1, 2}
	}
	return measure{0.3, 2, 2}
}

const (
	longSaid, longRun, veryLong = 8, 10, 12 // words
	// mostCarried is the share of any sentence that may be missing if it only carries the rest.
	mostCarried = 0.4
)

// bends reports whether all that a place lacks are words that a text may leave out or say in another way. What must stand
// literally is never one of them: names, opposites, quantifiers.
func (c claim) bends(s wording, lacking []coverage.Word) bool {
	var plain []coverage.Word
	for _, w := range lacking {
		switch {
		case c.mustStand(w):
			return false
		case w.Carries(), w.Trails(lacking):
		default:
			plain = append(plain, w)
		}
	}
	if len(plain) == 0 {
		return len(lacking) == 0 || float64(len(lacking)) <= mostCarried*float64(s.Len())
	}
	m := measureOf(s.Size())
	return float64(len(plain)) <= m.share*float64(s.Len()) && longestRow(plain) <= m.row
}

// negative begins or ends a word that says the contrary of the rest.
var negative = regexp.MustCompile(`^(?:un|in|im|ir|il|non|dis|anti|counter|mis)-?[a-z]{4,}|less$`)

// mustStand reports whether a word stands for one thing alone, or turns what is said.
func (c claim) mustStand(w coverage.Word) bool {
	turns := func(t term) bool { return len(opposite.Sides()[t.text]) > 0 || c.attitudes[t.text] == denied }
	return slices.Contains(c.names, w.Surface) || slices.ContainsFunc(terms(w.Surface), turns) || negative.MatchString(w.Surface) ||
		strictly.MatchString(w.Surface) || strings.ContainsAny(w.Surface, "0123456789")
}

// longestRow is how many words stand in a row in the sentence that they are of; two characters are one.
func longestRow(words []coverage.Word) int {
	most, run := 0, 0
	for i, w := range words {
		if run++; i == 0 || words[i-1].At != w.At-1 {
			run = 1
		}
		if most < run {
			most = run
		}
	}
	return most
}

// asking is what says that something is looked into and not that it is so.
var asking = regexp.MustCompile(`[?？][*_\s]*$|\b(?:examin|assess|determin|investigat|stud|evaluat|test|explor|ask|hypothesi[sz]|unclear|unknown|clarif|compar)\w*\b[^.;]{0,40}\b(?:whether|if)\b|(?:研究|探讨|考察|评估|询问)[^。；]{0,12}是否`)

// eachOf says of each of several what may be so of one.
var eachOf = regexp.MustCompile(`[两二三四五六七八九十\d]\s?[名个位台人家件][^,，;；。]{0,8}[都均]|\bboth of\b|\beach of\b`)

// gainsaid reports whether a place speaks of a claim but does not say it: it asks, or denies what the claim says or the reverse.
func (c claim) gainsaid(s wording, p place) bool {
	if len(p.each) > 0 && c.switches(s, p.each) > measureOf(s.Size()).switches {
		return true
	}
	asks := func(st *statement) bool { return c.onlyAsked(*st) }
	denies := func(st *statement) bool { weight, _ := c.flips(attitudes(st.folded)); return weight > 0 }
	return slices.ContainsFunc(p.said, asks) || len(p.said) == 1 && denies(p.said[0]) || slices.ContainsFunc(p.said, c.saidOtherwise)
}

// onlyAsked reports whether a sentence looks into what a claim says.
func (c claim) onlyAsked(st statement) bool {
	return asking.MatchString(st.folded) && !asking.MatchString(c.folded)
}

// saidOtherwise reports whether a sentence says the opposite beside what a claim says, or says it of another time, or of some.
func (c claim) saidOtherwise(st *statement) bool {
	return c.turnedBeside(st) || otherPhase(c.folded, st.folded) ||
		eachOf.MatchString(c.folded) && !eachOf.MatchString(st.folded) && !strictly.MatchString(st.folded)
}

// switches is how often a claim goes over from what one of some sentences holds to what another does. One that says what
// they do after each other does so seldom; one that gives something of the first to what the second speaks of does so
// again and again.
func (c claim) switches(s wording, each []place) int {
	n := 0
	var open []place
	for _, w := range s.All() {
		holds := func(p place) bool { return w.In(p.held...) }
		if !slices.ContainsFunc(each, holds) {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(open), func(p place) bool { return !holds(p) })
		if len(left) == 0 {
			if open != nil {
				n++
			}
			left = slices.DeleteFunc(slices.Clone(each), func(p place) bool { return !holds(p) })
		}
		open = left
	}
	return n
}

// turnedBeside reports whether a sentence says the opposite of something that a claim does, in a clause that holds as much of the
// claim as those do in which it says the same.
func (c claim) turnedBeside(st *statement) bool {
	if !c.stance.besides(stanceOf(st.folded, attitudes(st.folded))) {
		return false
	}
	for k, word := range c.stance {
		if c.stance.both(word) {
			continue
		}
		same, other := -1.0, -1.0
		for _, part := range clausesOf(st.folded) {
			theirs := stanceOf(part, attitudes(part))
			share := c.share(c.cover(vocabulary(part)))
			if _, ok := theirs[k]; ok {
				same = max(same, share)
			}
			if _, ok := theirs[k.Other()]; ok {
				other = max(other, share)
			}
		}
		if other >= 0 && other >= same {
			return true
		}
	}
	return false
}

// unanswered reports whether a claim asks when something was and gives no time for an answer.
func (c claim) unanswered() bool {
	at := strings.LastIndexAny(c.folded, "?？")
	if at < 0 || !asksWhen.MatchString(c.folded[:at]) {
		return false
	}
	numbers, rest := quantities(c.folded[at:])
	return len(numbers) == 0 && !aPeriod.MatchString(rest) && len(terms(rest)) > 0
}

var (
	asksWhen = regexp.MustCompile(`什么(?:时候|时期|时间|年代|朝代)|何时|哪一?[个]?(?:时期|年代|朝代|[年月天日])|\bwhat (?:year|century|decade|month|date)\b`)
	aPeriod  = regexp.MustCompile(`[年月日号时期代朝春夏秋冬初末晨晚周季纪]|\d|\b(?:first|second|third|\w+th|early|late|mid|` + months + `)\b`)
)

var (
	// during and over are whether a time goes on or has passed: "on probation", "after their probation", 试用期内, 试用期满.
	during = regexp.MustCompile(`\b(?:on|in|during|within)(?: the| their| his| her| its| an?)? ([a-z]+)|(\p{Han}{2}期)(?:以?内|期?间)`)
	over   = regexp.MustCompile(`\b(?:pass(?:ed)?|complet(?:ed?|ing)|finish(?:ed|ing)?|after|past|since)(?: the| their| his| her| its| an?)? ([a-z]+)|(\p{Han}{2}期)(?:满|以?后|结束|届满|之后)`)
)

// otherPhase reports whether a claim says of a time what a sentence says of that before or after it.
func otherPhase(claim, sentence string) bool {
	names := func(re *regexp.Regexp, text, word string) bool {
		return slices.ContainsFunc(re.FindAllStringSubmatch(text, -1), func(m []string) bool { return m[1]+m[2] == word })
	}
	for _, pair := range [][2]*regexp.Regexp{{during, over}, {over, during}} {
		for _, m := range pair[0].FindAllStringSubmatch(claim, -1) {
			if word := m[1] + m[2]; names(pair[1], sentence, word) && !names(pair[0], sentence, word) {
				return true
			}
		}
	}
	return false
}
