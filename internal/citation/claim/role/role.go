// Package role tells whether a sentence gives the parts that things play to others than a text does.
//
// Both may hold the very same words: who pays whom, which of two offices has how many desks, which of two things is
// excluded. It knows words by their form and order alone, and tells of a swap only where both texts hold
// what is swapped.
package role

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/paraphrase"
)

// token is a word, a number or a Chinese character.
type token struct {
	text    string
	surface string
	of      bool     // a preposition before it makes it say which one the word before is
	pairs   []string // of a character with its neighbours
}

// Swap is what a claim says in the place of what a text does.
type Swap struct{ Said, Found string }

// longestWhich is how long "with the " is, with what shows that a word begins there.
const longestWhich = len(" with the ")

// longest is how many tokens a clause has at most of which roles are told; a longer one is said freely.
const longest = 28

var (
	piece = regexp.MustCompile(`\d+(?:p\d+)*|[a-z]+(?:['’-][a-z]+)*|\p{Han}`)
	// letters name one of several of a kind; folded, one of them would be an article.
	letters = regexp.MustCompile(`\b[B-HJ-Z]\b|\bA( ?\p{Han})`)
	lastA   = regexp.MustCompile(`([\p{L}] )A\b`)
	// leading is what parts that hang on another begin with: they say when, why or on what condition.
	leading = regexp.MustCompile(`^\s*(?:if|when|while|after|before|because|since|although|though|unless|until|as|with|which|who|that|including|如|若|当|因|虽|在|即使|尽管|对于)`)
	joins   = regexp.MustCompile(`[;；。,，:：.!?]\s*|\b(?:and|but|whereas|yet|so)\b|而|但是?`)
	// thousands and minutes are marks that belong to a number.
	thousands = regexp.MustCompile(`(\d),(\d{3})\b`)
	minutes   = regexp.MustCompile(`(\d)[:.](\d)`)
	which     = regexp.MustCompile(`\b(?:of|for|in|on|at|with)(?: the| an?)? $`)
	decimal   = regexp.MustCompile(`^(\d+)p(\d+)$`)
	brackets  = regexp.MustCompile(`\([^()]*\)|-lrb-.*?-rrb-`)
	// saying is what a clause has that says something in a single word.
	saying = regexp.MustCompile(`\b(?:is|are|was|were|not|no)\b|不|没有`)
	again  = regexp.MustCompile(`\b(?:it|them|this|these|those)\b|其|它|该`)
)

// kept are words without content of their own that say which part a thing plays.
var kept = map[string]bool{"to": true, "from": true}

// every are words that say of how many something is so.
var every = map[string]bool{"all": true, "every": true, "each": true, "both": true}

// empty are characters that say nothing here.
const empty = "的了吗呢吧啊呀之与和及或在也就都把而则"

// prepare folds a text and keeps apart the letters that name something.
func prepare(text string) string {
	text = letters.ReplaceAllStringFunc(text, func(s string) string { return "label" + s })
	text = paraphrase.Plain(analysis.Fold(lastA.ReplaceAllString(text, "${1}labela")))
	text = minutes.ReplaceAllString(thousands.ReplaceAllString(thousands.ReplaceAllString(text, "$1$2"), "$1$2"), "${1}p$2")
	return strings.TrimRight(text, " .。!?")
}

// tokens returns the words of a prepared text in order.
func tokens(text string) []token {
	var out []token
	end, previous := -1, ""
	for _, loc := range piece.FindAllStringIndex(text, -1) {
		s := text[loc[0]:loc[1]]
		if r, _ := utf8.DecodeRuneInString(s); !unicode.Is(unicode.Han, r) {
			if stem := stem(s); stem != "" {
				out = append(out, token{text: stem, surface: s, of: which.MatchString(text[max(0, loc[0]-longestWhich):loc[0]])})
			}
			end = -1
			continue
		}
		t := token{text: s, surface: s}
		if end == loc[0] {
			t.pairs = append(t.pairs, previous+s)
		}
		if next, n := utf8.DecodeRuneInString(text[loc[1]:]); n > 0 && unicode.Is(unicode.Han, next) {
			t.pairs = append(t.pairs, s+string(next))
		}
		if end, previous = loc[1], s; !strings.Contains(empty, s) {
			out = append(out, t)
		}
	}
	return out
}

// stem is a word in its common form; "" if it says nothing.
func stem(word string) string {
	if kept[word] || unicode.IsDigit(rune(word[0])) || strings.HasPrefix(word, "label") {
		return word
	}
	if every[word] {
		return ""
	}
	for _, t := range analysis.Tokens(word) {
		if t.Kind == analysis.Word && t.Of < 0 && !t.Stop {
			return paraphrase.Word(t.Term)
		}
	}
	return ""
}

// part is a clause.
type part struct {
	text  string
	list  []token
	words map[string]bool
	led   bool
}

func newPart(text string, list []token) part {
	p := part{text: text, list: list, words: map[string]bool{}, led: leading.MatchString(text)}
	for _, t := range list {
		p.words[t.text] = true
	}
	return p
}

// parts takes a prepared text apart. A piece of a single word belongs to what stands before it, or at the beginning to
// what stands behind. Each word is read twice at most, however many pieces say nothing of their own.
func parts(text string) []part {
	var texts [][]string // pieces that belong together
	var weight float64
	from, said, opened := 0, false, false
	for _, loc := range append(joins.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		piece := text[from:loc[0]]
		from = loc[1]
		own := weigh(tokens(piece))
		says := saying.MatchString(piece)
		switch {
		case !opened:
			if len(texts) == 0 {
				texts = append(texts, nil)
			}
			texts[0] = append(texts[0], piece)
			weight, said = weight+own, said || says
			opened = weight >= 2 || weight > 0 && said
		case own >= 2 || own > 0 && says:
			texts = append(texts, []string{piece})
		default:
			texts[len(texts)-1] = append(texts[len(texts)-1], piece)
		}
	}
	var out []part
	for _, pieces := range texts {
		whole := strings.Join(pieces, " ")
		out = append(out, newPart(whole, tokens(whole)))
	}
	return out
}

// weigh counts words, and two characters as one.
func weigh(list []token) float64 {
	n := 0.0
	for _, t := range list {
		if len(t.pairs) > 0 || utf8.RuneCountInString(t.text) == 1 && t.text[0] > 'z' {
			n += 0.5
			continue
		}
		n++
	}
	return n
}

// Swapped returns what a claim gives to another than a sentence that holds its words does.
func Swapped(claim, sentence string) (Swap, bool) {
	claim, sentence = strings.ReplaceAll(prepare(claim), "、", ","), brackets.ReplaceAllString(prepare(sentence), "")
	if strings.Contains(claim, "?") {
		return Swap{}, false // what is asked gives no part to anything
	}
	if s, ok := denied(claim, sentence); ok {
		return s, true
	}
	whole := newPart(sentence, tokens(sentence))
	theirs := parts(sentence)
	told := inOrder(theirs)
	for _, k := range inOrder(parts(claim)) {
		if len(k.list) > longest || weigh(k.list) < 2 {
			continue
		}
		if s, ok := mixed(k.part, theirs, whole); ok {
			return s, true
		}
		for _, t := range told {
			if s, ok := reversed(k, t); ok {
				return s, true
			}
		}
	}
	return Swap{}, false
}

// show writes some tokens.
func show(list []token) string {
	var b strings.Builder
	for i, t := range list {
		if i > 0 && (t.surface[0] <= 'z' || list[i-1].surface[0] <= 'z') {
			b.WriteString(" ")
		}
		b.WriteString(decimal.ReplaceAllString(strings.TrimPrefix(t.surface, "label"), "$1.$2"))
	}
	return b.String()
}

// without returns the tokens of a list that another does not hold.
func without(list []token, words map[string]bool) []token {
	return slices.DeleteFunc(slices.Clone(list), func(t token) bool { return words[t.text] })
}
