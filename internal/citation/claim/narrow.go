package claim

import (
	"regexp"
	"slices"
	"strings"
)

// besides are words that stand before a verb and are no part of what a sentence is about.
var besides = regexp.MustCompile(`^(?:每.{1,2}|需|须|need|never|[既也并又未没非不经有]+|[最至高低多少上下长短]+|目前|现在|现|一般|通常|统一|分别|各|只|仅|均|一律|全部|都|最高|最低|最多|最少|至少|至多|上限|下限|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$`)

// narrower reports whether one of two subjects is a part of the other, or another one that is only called alike:
// "the audit" and "the audit of the subsidiary". What is said of one need not be so of the other, and is not denied by
// what is said of it. A name is the same with more words beside it. The vocabularies are those of the whole
// sentences.
func (s subject) narrower(o subject, mine, theirs, named map[string]bool) bool {
	if !(s.verb && o.verb) && !(s.han() && o.han()) && max(len(s.terms), len(o.terms)) > mostOther {
		return false // who knows where they end
	}
	more, less := s.beyond(o, theirs), o.beyond(s, mine)
	if more == less {
		return false
	}
	common := false
	for _, t := range s.terms {
		if !o.holds(t) {
			continue
		}
		if common = true; named[t.text] {
			return false
		}
	}
	return common
}

// beyond reports whether a subject has words that the other has not, nor the whole of its sentence.
func (s subject) beyond(o subject, all map[string]bool) bool {
	return slices.ContainsFunc(s.own(o), func(r stretch) bool {
		if s.han() && r.from > 0 {
			return false // what is put before a Chinese noun says which one
		}
		return !besides.MatchString(r.surface(s)) && slices.ContainsFunc(s.terms[r.from:r.to], func(t term) bool {
			return !(subject{words: all, terms: o.terms}).holds(t)
		})
	})
}

// surface is how a run of words is written.
func (r stretch) surface(s subject) string {
	var b strings.Builder
	for i, t := range s.terms[r.from:r.to] {
		if i > 0 && !han(t.text) {
			b.WriteString(" ")
		}
		b.WriteString(t.surface)
	}
	return b.String()
}

// narrows reports whether a claim and a sentence say something, each at an offset, of a thing and of a part
// of it.
func (c claim) narrows(here, there int, st *statement) bool {
	if here < 0 || there < 0 || st.record {
		return false
	}
	ours, theirs := before(c.folded, here), before(st.folded, there)
	if ours.several || theirs.several || ours.led || theirs.led || len(ours.terms) == 0 || len(theirs.terms) == 0 {
		return false
	}
	named := map[string]bool{}
	for _, n := range append(names(c.text), names(st.text)...) {
		for _, t := range terms(n) {
			named[t.text] = true
		}
	}
	return ours.narrower(theirs, vocabularyOf(c.terms), st.words, named)
}

// elsewhereAt reports whether what stands at an offset of a claim, and of a sentence, is said of two subjects, or
// of one and a part of it.
func (c claim) elsewhereAt(here, there int, st *statement) bool {
	return c.apart(here, there, st) || c.narrows(here, there, st)
}
