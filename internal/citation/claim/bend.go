package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/opposite"
	"github.com/kaoju/kaoju/internal/citation/claim/role"
)

// bends reports whether all that a place lacks are words that a text may leave out or say in another way. What must stand
// literally is never one of them: names, opposites, quantifiers.
func (c claim) bends(s wording, lacking []coverage.Word) bool {
	var plain []coverage.Word
	for _, w := range lacking {
		switch {
		case c.mustStand(w):
			return false
		case w.Carries():
		default:
			plain = append(plain, w)
		}
	}
	if len(plain) == 0 {
		return len(lacking) == 0 || float64(len(lacking)) <= coverage.MostCarried*float64(s.Len())
	}
	m := coverage.MeasureOf(s.Size())
	return float64(len(plain)) <= m.Share*float64(s.Len()) && coverage.LongestRow(plain) <= m.Row
}

// negative begins or ends a word that says the contrary of the rest.
var negative = regexp.MustCompile(`^(?:un|in|im|ir|il|non|dis|anti|counter|mis)-?[a-z]{4,}|less$`)

// mustStand reports whether a word stands for one thing alone, or turns what is said.
func (c claim) mustStand(w coverage.Word) bool {
	turns := func(t term) bool { return len(opposite.Sides()[t.text]) > 0 || c.attitudes[t.text] == denied }
	return slices.Contains(c.names, w.Surface) || slices.ContainsFunc(terms(w.Surface), turns) || negative.MatchString(w.Surface) ||
		strictly.MatchString(w.Surface) || strings.ContainsAny(w.Surface, "0123456789")
}

// asking is what says that something is looked into and not that it is so.
var asking = regexp.MustCompile(`[?？][*_\s]*$|\b(?:examin|assess|determin|investigat|stud|evaluat|test|explor|ask|hypothesi[sz]|unclear|unknown|clarif|compar)\w*\b[^.;]{0,40}\b(?:whether|if)\b|(?:研究|探讨|考察|评估|询问)[^。；]{0,12}是否`)

// eachOf says of each of several what may be so of one.
var eachOf = regexp.MustCompile(`[两二三四五六七八九十\d]\s?[名个位台人家件][^,，;；。]{0,8}[都均]|\bboth of\b|\beach of\b`)

// gainsaid reports whether a place speaks of a claim but does not say it: it asks, or denies what the claim says or the reverse.
func (c claim) gainsaid(s wording, p place) bool {
	if len(p.each) > 0 && c.switches(s, p.each) > coverage.MeasureOf(s.Size()).Switches {
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
	return c.turnedBeside(st) || role.OtherPhase(c.folded, st.folded) ||
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
