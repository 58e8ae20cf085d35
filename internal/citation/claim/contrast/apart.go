package contrast

import (
	"maps"
	"regexp"
	"slices"

	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/subject"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// twoCases reports whether a number of a claim and another of a sentence are those of two cases: they bound
// them on either side, or something else is said of each.
func twoCases(c reading.Claim, q, r quantity.Stated, st *reading.Statement) bool {
	said, ok := subject.Sets(c.Folded, quantity.At(c.Folded, q), st.Folded, quantity.At(st.Folded, r))
	if !ok || st.Record {
		return false
	}
	qs, rest := quantity.Read(said)
	p := reading.Claim{Terms: wording.Terms(rest)}
	for _, t := range p.Terms {
		p.Weight += t.Weight
	}
	return quantity.Opposed(q, r) || subject.Unlike(qs, st.Quantities) || p.Share(p.Cover(st.Words)) < whollyHeld
}

// alias matches another name that a sentence gives its subject.
var alias = regexp.MustCompile(`(?:\b(?:known as|called|named|aka|formerly|short for)\b|简称|又称|又名|也称|原名|即)([^,，;；。)）]*)`)

// elsewhere reports whether a claim and a sentence say something of two subjects, each by its word of a pair.
func elsewhere(c reading.Claim, pair [2]string, st *reading.Statement) bool {
	return ElsewhereAt(c, wording.Position(c.Folded, pair[0]), wording.Position(st.Folded, pair[1]), st)
}

// splits reports whether two opposite words tell what a claim is about from what a sentence is about.
func splits(c reading.Claim, pair [2]string, st *reading.Statement) bool {
	_, ok := subject.Sets(c.Folded, wording.Position(c.Folded, pair[0]), st.Folded, wording.Position(st.Folded, pair[1]))
	return ok
}

// apart reports whether a claim and a sentence say something, each at an offset, of two subjects. An offset is -1 for what is
// nowhere.
func apart(c reading.Claim, here, there int, st *reading.Statement) bool {
	if here < 0 || there < 0 || st.Record {
		return false
	}
	theirs := subject.Before(st.Folded, there)
	for _, m := range alias.FindAllStringSubmatch(st.Folded, -1) {
		maps.Copy(theirs.Words, wording.Vocabulary(m[1]))
	}
	ours := subject.Before(c.Folded, here)
	if !ours.Verb && ours.Han() && len(ours.Own(subject.Subject{Words: st.Words})) == 0 {
		return false // without a verb, they may be of what is said
	}
	all := wording.VocabularyOf(c.Terms)
	return ours.Other(theirs, all) || subject.Conditions(c.Folded, here).Other(subject.Conditions(st.Folded, there), all)
}

// narrows reports whether a claim and a sentence say something, each at an offset, of a thing and of a part
// of it.
func narrows(c reading.Claim, here, there int, st *reading.Statement) bool {
	if here < 0 || there < 0 || st.Record {
		return false
	}
	ours, theirs := subject.Before(c.Folded, here), subject.Before(st.Folded, there)
	if ours.Several || theirs.Several || ours.Led || theirs.Led || len(ours.Terms) == 0 || len(theirs.Terms) == 0 {
		return false
	}
	named := map[string]bool{}
	for _, n := range append(wording.Names(c.Text), wording.Names(st.Text)...) {
		for _, t := range wording.Terms(n) {
			named[t.Text] = true
		}
	}
	return ours.Narrower(theirs, wording.VocabularyOf(c.Terms), st.Words, named)
}

// ElsewhereAt reports whether what stands at an offset of a claim, and of a sentence, is said of two subjects, or
// of one and a part of it.
func ElsewhereAt(c reading.Claim, here, there int, st *reading.Statement) bool {
	return apart(c, here, there, st) || narrows(c, here, there, st)
}

// elsewhen reports whether a claim and a sentence say something for two cases, each by its word of a pair: behind
// it and the same preposition each has words of its own, "free for visitors", "free for employees".
func elsewhen(c reading.Claim, pair [2]string, st *reading.Statement) bool {
	here, there := wording.Position(c.Folded, pair[0]), wording.Position(st.Folded, pair[1])
	if here < 0 || there < 0 || st.Record {
		return false
	}
	theirs := subject.Complements(st.Folded[there:])
	for _, m := range subject.Complements(c.Folded[here:]) {
		if len(m.Terms) == 0 || slices.ContainsFunc(m.Terms, subject.Subject{Words: st.Words}.Holds) {
			continue
		}
		for _, o := range theirs {
			if o.By == m.By && len(o.Terms) > 0 && !slices.ContainsFunc(o.Terms, subject.Subject{Words: wording.VocabularyOf(c.Terms)}.Holds) {
				return true
			}
		}
	}
	return false
}

// doneByOthers reports whether a claim and a sentence say of two single words that one does and the other does
// not do the same: what "do not" stands before is a verb, and what stands before that does it.
func doneByOthers(c reading.Claim, pair [2]string, st *reading.Statement) bool {
	here, there := wording.Position(c.Folded, pair[0]), wording.Position(st.Folded, pair[1])
	if here < 0 || there < 0 || st.Record || len(c.Terms) == 0 || !undone.MatchString(c.Folded[:here]) && !undone.MatchString(st.Folded[:there]) {
		return false
	}
	ours, theirs := subject.Before(c.Folded, here), subject.Before(st.Folded, there)
	if len(ours.Terms) != 1 || len(theirs.Terms) != 1 {
		return false
	}
	ours.Verb, theirs.Verb = true, true
	return ours.Other(theirs, wording.VocabularyOf(c.Terms[1:]))
}

// undone is what a verb is denied by.
var undone = regexp.MustCompile(`\b(?:do|does|did)(?: not|n['’]t) $`)
