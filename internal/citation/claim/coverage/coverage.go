// Package coverage tells which words of a sentence a place of a text does not hold in any form.
//
// It reads texts that are folded as claims are. Words are held by their stem, by another word of their family, or by one
// of the words that are known to say the same; Chinese characters are held wherever the place has them, since two texts
// may cut a run of them into words in two ways. Words of grammar, what says that a text says something, and words of
// duty and of leave carry nothing that a place must hold: the last are compared by Modal.
package coverage

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/analysis"
)

// Text is what the words of a text say.
type Text struct {
	list    []word
	words   map[string]bool
	labels  []string
	periods []period
}

// word is a word in its common form, or a Chinese character, and how the text writes it.
type word struct {
	term, surface string
	joined        bool // a character that follows the one before
}

// Read reads the words of a text, and how often it says that things are. The text as it was written is read for the
// letters that name one of several things.
func Read(folded, written string) Text { return ReadRest(folded, folded, written) }

// ReadRest reads a text of which the words are those of a rest of it alone, since its numbers are compared elsewhere.
func ReadRest(folded, rest, written string) Text {
	t := Text{words: map[string]bool{}, labels: labels(written)}
	t.periods, _ = periods(folded)
	_, rest = periods(rest)
	folded = plain(rest)
	runes := []rune(folded)
	tokens := analysis.Tokens(folded)
	for _, k := range tokens {
		if k.Kind == analysis.Word && !k.Stop && k.Span[1] <= len(runes) {
			t.add(word{term: common(k.Term), surface: string(runes[k.Span[0]:k.Span[1]])})
		}
	}
	last := -2
	for i, r := range runes {
		if unicode.Is(unicode.Han, r) && !strings.ContainsRune(light, r) {
			t.add(word{term: string(r), surface: string(r), joined: last == i-1})
			last = i
		}
	}
	return t
}

func (t *Text) add(w word) {
	if lightWords()[w.term] {
		return
	}
	t.words[w.term] = true
	t.list = append(t.list, w)
}

// Empty reports whether a text has no words that another would have to hold.
func (t Text) Empty() bool { return len(t.list) == 0 && len(t.periods) == 0 && len(t.labels) == 0 }

// Size counts the words of a text, and two Chinese characters as one.
func (t Text) Size() float64 {
	n := 0.0
	for _, w := range t.list {
		if r, size := utf8.DecodeRuneInString(w.term); size == len(w.term) && unicode.Is(unicode.Han, r) {
			n += 0.5
			continue
		}
		n++
	}
	return n
}

// Lacking returns the words of a text that none of others holds, and in what order of time, each as it is written.
// Characters that stand together are returned together.
func (t Text) Lacking(others ...Text) []string {
	var out []string
	open := false
	for _, w := range t.list {
		switch {
		case slices.ContainsFunc(others, func(o Text) bool { return o.holds(w.term) }):
			open = false
		case open && w.joined:
			out[len(out)-1] += w.surface
		default:
			out, open = append(out, w.surface), true
		}
	}
	for _, l := range t.labels {
		if !slices.ContainsFunc(others, func(o Text) bool { return slices.Contains(o.labels, l) }) {
			out = append(out, l)
		}
	}
	for _, p := range t.periods {
		if !slices.ContainsFunc(others, func(o Text) bool { return slices.ContainsFunc(o.periods, p.is) }) {
			out = append(out, p.written)
		}
	}
	return out
}

// holds reports whether a text has a word, or one of its family.
func (t Text) holds(term string) bool {
	if t.words[term] {
		return true
	}
	if len(term) < familyLetters || term[0] > 'z' {
		return false
	}
	for w := range t.words {
		if kindred(term, w) {
			return true
		}
	}
	return false
}

// familyLetters is how many letters two words of one family have in common at least, and familyTenths how much of the
// longer one that is.
const (
	familyLetters = 4
	familyTenths  = 6
)

// kindred reports whether two words are of one family: "approve", "approval".
func kindred(a, b string) bool {
	if b[0] > 'z' {
		return false
	}
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n >= familyLetters && 10*n >= familyTenths*max(len(a), len(b)) && endings.MatchString(a[n:]) && endings.MatchString(b[n:])
}

// endings are what words of one family end in behind what they have in common.
var endings = regexp.MustCompile(`^(?:e|al|ally|ed|er|or|es|s|y|i|ing|ion|at|ate|ation|ition|it|ment|ful|ly|age|ance|ence|ant|ent|abl|able|ibl|ibility|ability|iv|ive|ic|ical|ten|en|t|n|r|ies|ity)?$`)

// label is a letter that says which of several a thing is, beside a Chinese word or a noun.
var label = regexp.MustCompile(`\b([A-Z])\s?\p{Han}|\p{Han}\s?([A-Z])\b|\p{L}{3,} ([B-HJ-Z])\b`)

// labels returns the letters by which a text says which of several it speaks of.
func labels(written string) []string {
	var out []string
	for _, m := range label.FindAllStringSubmatch(written, -1) {
		if l := m[1] + m[2] + m[3]; !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}
