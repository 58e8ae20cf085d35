package contrast

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/peer"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/subject"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// Displaced returns what a sentence names where a claim names another of the same kind: the finance department, the
// legal department. Such a sentence shares nearly all words of the claim and bears out none of it. What one
// of the two leaves out is no rival, nor another word for the same.
func Displaced(c reading.Claim, st *reading.Statement) (Difference, bool) {
	if st.Record {
		return Difference{}, false
	}
	if r, ok := otherLabel(c.Text, st.Text); ok {
		return r, true
	}
	if r, ok := otherDoer(c.Folded, st.Folded); ok {
		return r, true
	}
	full := wording.Terms(c.Folded)
	ours := run{text: c.Text, folded: c.Folded, Subject: subject.Subject{Terms: full, Words: wording.VocabularyOf(full)}}
	theirs := run{text: st.Text, folded: st.Folded, Subject: subject.Subject{Terms: wording.Terms(st.Folded), Words: st.Words}}
	for _, a := range ours.Own(theirs.Subject) {
		for _, b := range theirs.Own(ours.Subject) {
			if max(a.Size, b.Size) > subject.MostOther || turnedIn(c, full[a.From:a.To], st) {
				continue
			}
			ours.Stretch, theirs.Stretch = a, b
			if r, ok := rivalNames(ours, theirs); ok {
				return r, true
			}
		}
	}
	return Difference{}, false
}

// run is a run of words that one of two texts has and the other has not, with the text it stands in.
type run struct {
	subject.Subject
	subject.Stretch
	text, folded string
}

func (r run) written() string { return r.Surface(r.Subject) }

// han reports whether the run is of Chinese characters.
func (r run) han() bool { return wording.Han(r.Terms[r.From].Text) }

// ahead returns the characters before the run of which a head may be.
func (r run) ahead() string {
	if i := strings.Index(r.folded, r.written()); i >= 0 {
		return wording.LastRunes(r.folded[:i], headRunes)
	}
	return ""
}

// turnedIn reports whether a run of words of a claim is said in other words: in another form, or by denying the contrary.
func turnedIn(c reading.Claim, words []wording.Term, st *reading.Statement) bool {
	in := func(w string) bool { return st.Words[w] }
	return slices.ContainsFunc(c.Terms, func(t wording.Term) bool {
		among := func(w wording.Term) bool { return w.Text == t.Text }
		return slices.ContainsFunc(words, among) && (slices.ContainsFunc(t.Forms, in) || slices.ContainsFunc(t.Turned, in))
	})
}

// rivalNames returns what two runs of words name, and whether they name two of one kind.
func rivalNames(ours, theirs run) (Difference, bool) {
	r := Difference{"name", ours.written(), theirs.written()}
	right, left := ours.Right != "" && ours.Right == theirs.Right, ours.Left != "" && ours.Left == theirs.Left
	switch said, found := coverage.Read(r.Said, ""), coverage.Read(r.Found, ""); {
	case len(said.Unheld(found))+len(found.Unheld(said)) == 0: // in other words
	case linking.MatchString(r.Said), linking.MatchString(r.Found), ofStaff(ours.folded, r.Said) && ofStaff(theirs.folded, r.Found):
	case prepositions.MatchString(r.Said) && prepositions.MatchString(r.Found), strings.Contains(r.Said+r.Found, "向"):
	case ours.han() != theirs.han(), !right && !left:
	case ours.han():
		return rivalHan(r, ours, theirs, left, right)
	default:
		return r, rivalLatin(ours, theirs, left, right)
	}
	return r, false
}

// rivalHan tells whether two runs of Chinese characters, with the same character beside them on the left or the right, name two
// of one kind, and adds to what they name the head that both go on with.
func rivalHan(r Difference, ours, theirs run, left, right bool) (Difference, bool) {
	first := ours.From == 0 && theirs.From == 0
	if head := commonHead(ours.Behind(ours.folded, ours.Stretch), theirs.Behind(theirs.folded, theirs.Stretch)); head != "" {
		r.Said, r.Found = r.Said+head, r.Found+head
		return r, !sameKind(ours.folded, r.Said, theirs.folded, r.Found)
	}
	if left && hanHeads.MatchString(ours.ahead()) && labelled.MatchString(r.Said) && labelled.MatchString(r.Found) {
		return r, true
	}
	return r, first && right && !sameKind(ours.folded, r.Said, theirs.folded, r.Found)
}

// rivalLatin is the same of two runs of words.
func rivalLatin(ours, theirs run, left, right bool) bool {
	said, found := ours.written(), theirs.written()
	named := func() bool { return capitalIn(ours.text, said) && capitalIn(theirs.text, found) }
	switch {
	case peer.Exclude(said, found):
		return true
	case right && enHeads()[ours.Right], left && enHeads()[ours.Left] && named():
	case ours.From > 0 && theirs.From > 0 && named():
	case ours.From == 0 && theirs.From == 0 && right && theirs.To-theirs.From == ours.To-ours.From:
	default:
		return false
	}
	return !peer.Same(said, found)
}

// prepositions name nothing by themselves.
var prepositions = regexp.MustCompile(`^[由自从于在对经按以]$`)

// linking begins with words that name nothing: they link sentences, or say how or how many.
var linking = regexp.MustCompile(`^(?:\w+ly|however|moreover|furthermore|therefore|thus|also|then|instead|meanwhile|overall|nevertheless|still|yet|once|again|now|today|several|many|some|most|much|few|both|other|such|another|certain|various|each|every|any|all|no|number|amount|total|at least|likewise|similarly)\b`)

// ofStaff reports whether some words, or characters, are of a word for those who work in a place.
func ofStaff(folded, words string) bool {
	return words == "staff" || slices.ContainsFunc(subject.Staff.FindAllString(strings.ReplaceAll(folded, "员工", "职工"), -1), func(w string) bool {
		return strings.Contains(w, words) || words == "员" && w == "职工"
	})
}

// labelled matches the signs by which parties and suppliers are told apart.
var labelled = regexp.MustCompile(`^[甲乙丙丁戊己庚辛一二三四五六七八九十东西南北]$`)

// sameKind reports whether two names, with what stands before each, are known to be of one thing: 人事部, 人力资源部.
func sameKind(ours, said, theirs, found string) bool {
	for _, a := range longerNames(ours, said) {
		for _, b := range longerNames(theirs, found) {
			if peer.Same(a, b) {
				return true
			}
		}
	}
	return false
}

// longerNames returns a name and the same with up to three characters before it.
func longerNames(folded, name string) []string {
	out := []string{name}
	i := strings.Index(folded, name)
	if i < 0 {
		return out
	}
	before := []rune(wording.LastRunes(folded[:i], headRunes))
	for n := range before {
		out = append(out, string(before[len(before)-n-1:])+name)
	}
	return out
}

// capitalIn reports whether a text writes the first of some folded words with a capital.
func capitalIn(text, folded string) bool {
	first, _, _ := strings.Cut(folded, " ")
	return slices.ContainsFunc(wording.Capital.FindAllString(text, -1), func(w string) bool { return analysis.Fold(w) == first })
}
