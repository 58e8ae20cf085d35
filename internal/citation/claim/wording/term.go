package wording

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/paraphrase"
	"github.com/kaoju/kaoju/internal/citation/claim/rarity"
)

// Term is a word, or a Chinese character with its neighbours.
type Term struct {
	Text        string   // the word or the character
	Left, Right string   // the pairs of the character with its neighbours; "" if there is none
	Weight      float64  // how much it says, from its rarity; half for a character
	At          int      // byte offset in the folded text
	Surface     string   // as the folded text writes it
	Turned      []string // of a claim's: words of its sources that say the contrary of it, where one of the two is denied
	Forms       []string // of a claim's: words of its family that its sources hold in its place
}

// Size counts a word as one, and two characters of Chinese.
func (t Term) Size() float64 {
	if Han(t.Text) {
		return 0.5
	}
	return 1
}

// Key is what a text is looked up by for a term: h where that is the pair behind the character, or else its word.
func (t Term) Key(h string) string {
	if t.Right == h {
		return h
	}
	return t.Text
}

// Han reports whether a text is one Chinese character.
func Han(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return n == len(text) && unicode.Is(unicode.Han, r)
}

// Terms returns the words of a folded text that carry content, in order.
func Terms(folded string) []Term {
	var out []Term
	offsets := offsetsOf(folded)
	tokens := analysis.Tokens(folded)
	next := 0
	runes := []rune(folded)
	words := func(until int) {
		for ; next < len(tokens) && tokens[next].Span[0] < until; next++ {
			if t := tokens[next]; t.Kind == analysis.Word && !t.Stop && t.Term != "per" {
				out = append(out, Term{Text: paraphrase.Word(t.Term), Weight: rarity.Of(t.Term), At: offsets[t.Span[0]], Surface: string(runes[t.Span[0]:t.Span[1]])})
			}
		}
	}
	for i, r := range runes {
		if !unicode.Is(unicode.Han, r) || strings.ContainsRune(particles, r) {
			continue
		}
		words(i)
		t := Term{Text: string(r), Weight: 0.5, At: offsets[i], Surface: string(r)}
		if i > 0 && unicode.Is(unicode.Han, runes[i-1]) {
			t.Left = string(runes[i-1 : i+1])
		}
		if i+1 < len(runes) && unicode.Is(unicode.Han, runes[i+1]) {
			t.Right = string(runes[i : i+2])
		}
		out = append(out, t)
	}
	words(len(runes))
	return out
}

// particles carry no content of their own.
const particles = "的了吗呢吧啊呀么之与和及或在是而也就都被把从对于以其此这那哪什为有谁何"

// offsetsOf returns the byte offset of each code point of a text, and its length at the end.
func offsetsOf(text string) []int {
	out := make([]int, 0, len(text)+1)
	for i := range text {
		out = append(out, i)
	}
	return append(out, len(text))
}

// Vocabulary returns the words, Chinese characters and pairs of a folded text.
func Vocabulary(folded string) map[string]bool { return VocabularyOf(Terms(folded)) }

// VocabularyOf is Vocabulary of words that were read already.
func VocabularyOf(list []Term) map[string]bool {
	out := map[string]bool{}
	for _, t := range list {
		out[t.Text] = true
		out[t.Left], out[t.Right] = true, true
	}
	delete(out, "")
	return out
}

// Position is where a word stands in a folded text: a stem or a pair of characters; -1 if nowhere.
func Position(folded, word string) int {
	if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return strings.Index(folded, word)
	}
	list := Terms(folded)
	if i := slices.IndexFunc(list, func(t Term) bool { return t.Text == word }); i >= 0 {
		return list[i].At
	}
	offsets := offsetsOf(folded)
	for _, t := range analysis.Tokens(folded) {
		if t.Term == word {
			return offsets[t.Span[0]]
		}
	}
	return -1
}

// Codes matches words of Latin letters, with the figures and marks that make codes of some, and versions. What it matches is
// a code if it has figures.
var Codes = regexp.MustCompile(`\b[a-z]+[a-z0-9]*(?:[-_./:#][a-z0-9]+)*\b|\bv?\d+(?:\.\d+){2,}\b`)

// Strict are words by which a claim says more than what is true of some.
var Strict = regexp.MustCompile(`\b(?:only|all|every|always|never|entirely|exclusively|solely|completely)\b|全部|所有|一律|仅|唯一|只有|从不|总是`)
