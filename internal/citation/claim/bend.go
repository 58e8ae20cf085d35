package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/contrast"
	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/opposite"
	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/role"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// bends reports whether all that a place lacks are words that a text may leave out or say in another way. What must stand
// literally is never one of them: names, opposites, quantifiers.
func bends(c reading.Claim, s reading.Asked, lacking []coverage.Word) bool {
	var plain []coverage.Word
	for _, w := range lacking {
		switch {
		case mustStand(c, w):
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
func mustStand(c reading.Claim, w coverage.Word) bool {
	turns := func(t wording.Term) bool {
		return len(opposite.Sides()[t.Text]) > 0 || c.Attitudes[t.Text] == polarity.Denied
	}
	return slices.Contains(c.Names, w.Surface) || slices.ContainsFunc(wording.Terms(w.Surface), turns) || negative.MatchString(w.Surface) ||
		wording.Strict.MatchString(w.Surface) || strings.ContainsAny(w.Surface, "0123456789")
}

// asking is what says that something is looked into and not that it is so.
var asking = regexp.MustCompile(`[?？][*_\s]*$|\b(?:examin|assess|determin|investigat|stud|evaluat|test|explor|ask|hypothesi[sz]|unclear|unknown|clarif|compar)\w*\b[^.;]{0,40}\b(?:whether|if)\b|(?:研究|探讨|考察|评估|询问)[^。；]{0,12}是否`)

// eachOf says of each of several what may be so of one.
var eachOf = regexp.MustCompile(`[两二三四五六七八九十\d]\s?[名个位台人家件][^,，;；。]{0,8}[都均]|\bboth of\b|\beach of\b`)

// gainsaid reports whether a place speaks of a claim but does not say it: it asks, or denies what the claim says or the reverse.
func gainsaid(c reading.Claim, s reading.Asked, p reading.Place) bool {
	if len(p.Each) > 0 && switches(c, s, p.Each) > coverage.MeasureOf(s.Size()).Switches {
		return true
	}
	asks := func(st *reading.Statement) bool { return onlyAsked(c, *st) }
	otherwise := func(st *reading.Statement) bool { return saidOtherwise(c, st) }
	denies := func(st *reading.Statement) bool {
		weight, _ := contrast.Flips(c, polarity.Attitudes(st.Folded))
		return weight > 0
	}
	return slices.ContainsFunc(p.Said, asks) || len(p.Said) == 1 && denies(p.Said[0]) || slices.ContainsFunc(p.Said, otherwise)
}

// onlyAsked reports whether a sentence looks into what a claim says.
func onlyAsked(c reading.Claim, st reading.Statement) bool {
	return asking.MatchString(st.Folded) && !asking.MatchString(c.Folded)
}

// saidOtherwise reports whether a sentence says the opposite beside what a claim says, or says it of another time, or of some.
func saidOtherwise(c reading.Claim, st *reading.Statement) bool {
	return turnedBeside(c, st) || role.OtherPhase(c.Folded, st.Folded) ||
		eachOf.MatchString(c.Folded) && !eachOf.MatchString(st.Folded) && !wording.Strict.MatchString(st.Folded)
}

// switches is how often a claim goes over from what one of some sentences holds to what another does. One that says what
// they do after each other does so seldom; one that gives something of the first to what the second speaks of does so
// again and again.
func switches(c reading.Claim, s reading.Asked, each []reading.Place) int {
	n := 0
	var open []reading.Place
	for _, w := range s.All() {
		holds := func(p reading.Place) bool { return w.In(p.Held...) }
		if !slices.ContainsFunc(each, holds) {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(open), func(p reading.Place) bool { return !holds(p) })
		if len(left) == 0 {
			if open != nil {
				n++
			}
			left = slices.DeleteFunc(slices.Clone(each), func(p reading.Place) bool { return !holds(p) })
		}
		open = left
	}
	return n
}

// turnedBeside reports whether a sentence says the opposite of something that a claim does, in a clause that holds as much of the
// claim as those do in which it says the same.
func turnedBeside(c reading.Claim, st *reading.Statement) bool {
	if !c.Stance.Besides(polarity.StanceOf(st.Folded, polarity.Attitudes(st.Folded))) {
		return false
	}
	for k, word := range c.Stance {
		if c.Stance.Both(word) {
			continue
		}
		same, other := -1.0, -1.0
		for _, part := range wording.Clauses(st.Folded) {
			theirs := polarity.StanceOf(part, polarity.Attitudes(part))
			share := c.Share(c.Cover(wording.Vocabulary(part)))
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
