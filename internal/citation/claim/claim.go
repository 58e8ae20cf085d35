// Package claim holds a sentence against texts, by rules alone.
//
// It looks for what must stand literally (numbers, dates, codes, names), for denials and opposites,
// and for how far the words are held, and says what it found: a verdict, the sentence that decides,
// the reasons, and a score. It compares texts with each other in the same way, to find where two of
// them disagree. It knows nothing of answers, references or documents, and speaks of support, not
// of truth.
package claim

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/paraphrase"
	"github.com/kaoju/kaoju/internal/citation/claim/rarity"
	"github.com/kaoju/kaoju/internal/citation/claim/weekday"
)

// claim is a sentence of an answer, prepared for comparison.
type claim struct {
	text       string
	folded     string
	compact    string // see compact
	contrary   bool   // the sentence says that the rest is not so, see framed
	quantities []stated
	terms      []term
	weight     float64 // of all terms
	size       float64 // the number of words, characters by half
	attitudes  map[string]attitude
	stance     stance
	names      []string // folded: words with a capital, titles in quotation marks
}

// term is a word, or a Chinese character with its neighbours.
type term struct {
	text        string // the word or the character
	left, right string // the pairs of the character with its neighbours; "" if there is none
	weight      float64
	at          int      // byte offset in the folded text
	surface     string   // as the folded text writes it
	turned      []string // words that say the contrary of it, where one of the two is denied, see turned
	forms       []string // words of its family that the sources hold in its place, see adapt
}

// size counts a word as one, and two characters of Chinese.
func (t term) size() float64 {
	if han(t.text) {
		return 0.5
	}
	return 1
}

// han reports whether a text is one Chinese character.
func han(text string) bool {
	r, n := utf8.DecodeRuneInString(text)
	return n == len(text) && unicode.Is(unicode.Han, r)
}

func newClaim(sentence string) claim {
	folded := coverage.Unframed(fold(sentence))
	core, beside, contrary := framed(folded)
	if contrary = contrary && len(terms(beside)) == 0; contrary {
		folded = core
	}
	c := claim{text: sentence, folded: folded, contrary: contrary, compact: compact(folded), names: names(sentence), attitudes: attitudes(folded)}
	c.stance = stanceOf(folded, c.attitudes)
	var rest string
	c.quantities, rest = quantities(folded)
	c.quantities = slices.DeleteFunc(c.quantities, func(q stated) bool { return q.rate })
	c.terms = terms(rest)
	for _, t := range c.terms {
		c.weight += t.weight
		c.size += t.size()
	}
	return c
}

// terms returns the words of a folded text that carry content, in order.
func terms(folded string) []term {
	var out []term
	offsets := offsetsOf(folded)
	tokens := analysis.Tokens(folded)
	next := 0
	runes := []rune(folded)
	words := func(until int) {
		for ; next < len(tokens) && tokens[next].Span[0] < until; next++ {
			if t := tokens[next]; t.Kind == analysis.Word && !t.Stop && t.Term != "per" {
				out = append(out, term{text: paraphrase.Word(t.Term), weight: rarity.Of(t.Term), at: offsets[t.Span[0]], surface: string(runes[t.Span[0]:t.Span[1]])})
			}
		}
	}
	for i, r := range runes {
		if !unicode.Is(unicode.Han, r) || strings.ContainsRune(particles, r) {
			continue
		}
		words(i)
		t := term{text: string(r), weight: 0.5, at: offsets[i], surface: string(r)}
		if i > 0 && unicode.Is(unicode.Han, runes[i-1]) {
			t.left = string(runes[i-1 : i+1])
		}
		if i+1 < len(runes) && unicode.Is(unicode.Han, runes[i+1]) {
			t.right = string(runes[i : i+2])
		}
		out = append(out, t)
	}
	words(len(runes))
	return out
}

// particles carry no content of their own.
const particles = "的了吗呢吧啊呀么之与和及或在是而也就都被把从对于以其此这那哪什为有谁何"

// names returns what a sentence calls by name: words of Latin letters with a capital that do not
// begin it, and what stands in quotation marks or 《》.
func names(sentence string) []string {
	var out []string
	for _, loc := range capital.FindAllStringIndex(sentence, -1) {
		before := strings.TrimRight(sentence[:loc[0]], " \t\"'“‘(")
		if before != "" && !strings.ContainsAny(before[len(before)-1:], ".!?:") {
			if n := analysis.Fold(sentence[loc[0]:loc[1]]); !noName.MatchString(n) {
				out = append(out, n)
			}
		}
	}
	for _, m := range quoted.FindAllStringSubmatch(sentence, -1) {
		out = append(out, strings.TrimSpace(analysis.Fold(m[1])))
	}
	return out
}

var (
	// noName are words of English that have a capital and name nothing that a text need hold as it is.
	noName  = regexp.MustCompile(`^(?:` + months + `|` + weekday.Short + `|` + weekday.Any + `s?|celsius|centigrade|fahrenheit)$`)
	capital = regexp.MustCompile(`\b\p{Lu}[\p{L}]{2,}`)
	quoted  = regexp.MustCompile(`[《“「『]([^》”」』]{2,40})[》”」』]`)
)

// offsetsOf returns the byte offset of each code point of a text, and its length at the end.
func offsetsOf(text string) []int {
	out := make([]int, 0, len(text)+1)
	for i := range text {
		out = append(out, i)
	}
	return append(out, len(text))
}
