package subject

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

const (
	// mostSubject is the size up to which two subjects without a word in common are two.
	mostSubject = 4
	// MostOther is the size of the words by which two subjects differ in one place.
	MostOther = 3
)

// Other reports whether two subjects are of two things: they have nothing in common, or each has words of
// its own in the place of the other's, "the Cedar Project" and "the Maple Project". A subject that only
// says more or less than the other is the same, and so is one of which the first sentence, all of whose words
// are given, speaks elsewhere.
func (s Subject) Other(o Subject, all map[string]bool) bool {
	if len(s.quantities) > 0 && len(o.quantities) > 0 && Unlike(s.quantities, o.quantities) && Unlike(o.quantities, s.quantities) {
		return true
	}
	mine, theirs := s.Own(o), o.Own(s)
	theirs = slices.DeleteFunc(theirs, func(r Stretch) bool {
		return !slices.ContainsFunc(o.Terms[r.From:r.To], func(t wording.Term) bool { return !(Subject{Words: all}).Holds(t) })
	})
	if len(mine) == 0 || len(theirs) == 0 {
		return false
	}
	if mine[0].whole(s) && theirs[0].whole(o) {
		return (s.Verb && o.Verb || s.Han() && o.Han()) && mine[0].Size <= mostSubject && theirs[0].Size <= mostSubject
	}
	if s.Verb && o.Verb && max(len(s.Terms), len(o.Terms)) <= MostOther && !s.Han() && !o.Han() {
		return true // so short that any word of its own makes another
	}
	return !s.Several && !o.Several && slices.ContainsFunc(mine, func(a Stretch) bool {
		return slices.ContainsFunc(theirs, func(b Stretch) bool {
			return max(a.Size, b.Size) <= MostOther && (a.Left != "" && a.Left == b.Left || a.Right != "" && a.Right == b.Right)
		})
	})
}

// Han reports whether a subject is Chinese, where no verb need stand between it and what is said of it.
func (s Subject) Han() bool {
	return !s.Several && !slices.ContainsFunc(s.Terms, func(t wording.Term) bool { return !wording.Han(t.Text) })
}

// Unlike reports whether a list states something that the other does not.
func Unlike(list, other []quantity.Stated) bool {
	return slices.ContainsFunc(list, func(q quantity.Stated) bool { return !q.Rate && !quantity.States(other, q) })
}

// Holds reports whether a subject has a word or one of its family, or a character beside one of its neighbours.
func (s Subject) Holds(t wording.Term) bool {
	switch {
	case t.Left != "" || t.Right != "":
		return s.Words[t.Left] || s.Words[t.Right]
	case s.Words[t.Text]:
		return true
	}
	return slices.ContainsFunc(s.Terms, func(o wording.Term) bool {
		return wording.Kindred(o.Text, t.Text) || min(len(o.Text), len(t.Text)) >= shortName && (strings.HasPrefix(o.Text, t.Text) || strings.HasPrefix(t.Text, o.Text))
	})
}

// shortName is how many letters a short name has at least: Tim, Timothy.
const shortName = 3

// besides are words that stand before a verb and are no part of what a sentence is about.
var besides = regexp.MustCompile(`^(?:每.{1,2}|需|须|need|never|[既也并又未没非不经有]+|[最至高低多少上下长短]+|目前|现在|现|一般|通常|统一|分别|各|只|仅|均|一律|全部|都|最高|最低|最多|最少|至少|至多|上限|下限|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$`)

// Narrower reports whether one of two subjects is a part of the other, or another one that is only called alike:
// "the audit" and "the audit of the subsidiary". What is said of one need not be so of the other, and is not denied by
// what is said of it. A name is the same with more words beside it. The vocabularies are those of the whole
// sentences.
func (s Subject) Narrower(o Subject, mine, theirs, named map[string]bool) bool {
	if !(s.Verb && o.Verb) && !(s.Han() && o.Han()) && max(len(s.Terms), len(o.Terms)) > MostOther {
		return false // who knows where they end
	}
	more, less := s.beyond(o, theirs), o.beyond(s, mine)
	if more == less {
		return false
	}
	common := false
	for _, t := range s.Terms {
		if !o.Holds(t) {
			continue
		}
		if common = true; named[t.Text] {
			return false
		}
	}
	return common
}

// beyond reports whether a subject has words that the other has not, nor the whole of its sentence.
func (s Subject) beyond(o Subject, all map[string]bool) bool {
	return slices.ContainsFunc(s.Own(o), func(r Stretch) bool {
		if s.Han() && r.From > 0 {
			return false // what is put before a Chinese noun says which one
		}
		return !besides.MatchString(r.Surface(s)) && slices.ContainsFunc(s.Terms[r.From:r.To], func(t wording.Term) bool {
			return !(Subject{Words: all, Terms: o.Terms}).Holds(t)
		})
	})
}
