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
	list    []Word
	words   map[string]bool
	labels  []string
	periods []period
}

// Word is a word in its common form, or a Chinese character, and how the text writes it.
type Word struct {
	Term, Surface string
	At            int  // its place among the words of its text
	Joined        bool // a character that follows the one before
}

// Read reads the words of a text, and how often it says that things are. The text as it was written is read for the
// letters that name one of several things.
func Read(folded, written string) Text { return ReadRest(folded, folded, written) }

// ReadRest reads a text of which the words are those of a rest of it alone, since its numbers are compared elsewhere.
func ReadRest(folded, rest, written string) Text { return read(folded, rest, labels(written)) }

// Part reads a part of a text, which names what the whole does by letters and addresses.
func (t Text) Part(folded string) Text { return read(folded, folded, t.labels) }

func read(folded, rest string, labels []string) Text {
	t := Text{words: map[string]bool{}, labels: labels}
	t.periods, _ = periods(folded)
	_, rest = periods(unasked(rest))
	folded = plain(rest)
	runes := []rune(folded)
	tokens := analysis.Tokens(folded)
	for _, k := range tokens {
		if k.Kind == analysis.Word && !k.Stop && k.Span[1] <= len(runes) {
			t.add(Word{Term: common(k.Term), Surface: string(runes[k.Span[0]:k.Span[1]])})
		}
	}
	last := -2
	for i, r := range runes {
		if unicode.Is(unicode.Han, r) && !strings.ContainsRune(light, r) {
			t.add(Word{Term: string(r), Surface: string(r), Joined: last == i-1})
			last = i
		}
	}
	return t
}

func (t *Text) add(w Word) {
	if lightWords()[w.Term] {
		return
	}
	w.At = len(t.list)
	t.words[w.Term] = true
	t.list = append(t.list, w)
}

// Empty reports whether a text has no words that another would have to hold.
func (t Text) Empty() bool { return len(t.list) == 0 && len(t.periods) == 0 && len(t.labels) == 0 }

// Len counts the words of a text, each character as one.
func (t Text) Len() int { return len(t.list) }

// All returns the words of a text.
func (t Text) All() []Word { return t.list }

// In reports whether one of some texts has a word, or one of its family.
func (w Word) In(texts ...Text) bool {
	return slices.ContainsFunc(texts, func(t Text) bool { return t.holds(w.Term) })
}

// Size counts the words of a text, and two Chinese characters as one.
func (t Text) Size() float64 {
	n := 0.0
	for _, w := range t.list {
		if r, size := utf8.DecodeRuneInString(w.Term); size == len(w.Term) && unicode.Is(unicode.Han, r) {
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
	return append(Written(t.Unheld(others...)), t.Unmatched(others...)...)
}

// Unheld returns the words of a text that none of others holds.
func (t Text) Unheld(others ...Text) []Word {
	var out []Word
	for _, w := range t.list {
		if !w.In(others...) {
			out = append(out, w)
		}
	}
	return out
}

// Written writes words, characters that stand together as one.
func Written(words []Word) []string {
	var out []string
	for i, w := range words {
		if w.Joined && i > 0 && words[i-1].At == w.At-1 {
			out[len(out)-1] += w.Surface
			continue
		}
		out = append(out, w.Surface)
	}
	return out
}

// Unmatched returns what a text has that stands for one thing alone and none of others has: letters that say which of
// several it speaks of, addresses, and how often things are.
func (t Text) Unmatched(others ...Text) []string {
	var out []string
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

// address is where to write to, or to look.
var address = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:https?://|www\.)[\w./%#?=&~-]*[\w/]`)

// labels returns the letters by which a text says which of several it speaks of, and its addresses.
func labels(written string) []string {
	out := address.FindAllString(strings.ToLower(written), -1)
	for _, m := range label.FindAllStringSubmatch(written, -1) {
		if l := m[1] + m[2] + m[3]; !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}
