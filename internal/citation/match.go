package citation

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
)

// claim is a sentence of an answer, prepared for comparison.
type claim struct {
	compact    string // see compact
	quantities []quantity
	terms      []term
	weight     float64 // of all terms
	negative   bool
	names      []string // folded: words with a capital, titles in quotation marks
}

// term is a word, or a Chinese character with its neighbours.
type term struct {
	text        string // the word or the character
	left, right string // the pairs of the character with its neighbours; "" if there is none
	weight      float64
}

func newClaim(sentence string) claim {
	folded := analysis.Fold(sentence)
	c := claim{compact: compact(folded), names: names(sentence), negative: negative(folded)}
	var rest string
	c.quantities, rest = quantities(folded)
	c.terms = terms(rest)
	for _, t := range c.terms {
		c.weight += t.weight
	}
	return c
}

// terms returns the words of a folded text that carry content.
func terms(folded string) []term {
	var out []term
	for _, t := range analysis.Tokens(folded) {
		if t.Kind == analysis.Word && !t.Stop {
			out = append(out, term{text: t.Term, weight: 1})
		}
	}
	runes := []rune(folded)
	for i, r := range runes {
		if !unicode.Is(unicode.Han, r) || strings.ContainsRune(particles, r) {
			continue
		}
		t := term{text: string(r), weight: 0.5}
		if i > 0 && unicode.Is(unicode.Han, runes[i-1]) {
			t.left = string(runes[i-1 : i+1])
		}
		if i+1 < len(runes) && unicode.Is(unicode.Han, runes[i+1]) {
			t.right = string(runes[i : i+2])
		}
		out = append(out, t)
	}
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
			out = append(out, analysis.Fold(sentence[loc[0]:loc[1]]))
		}
	}
	for _, m := range quoted.FindAllStringSubmatch(sentence, -1) {
		out = append(out, strings.TrimSpace(analysis.Fold(m[1])))
	}
	return out
}

var (
	capital = regexp.MustCompile(`\b\p{Lu}[\p{L}]{2,}`)
	quoted  = regexp.MustCompile(`[《“「『]([^》”」』]{2,40})[》”」』]`)
)

// namesIn reports whether the excerpts hold every name.
func (c claim) namesIn(cited []*source) bool {
	for _, n := range c.names {
		in := func(s *source) bool { return strings.Contains(s.compact, compact(n)) }
		if compact(n) != "" && !slices.ContainsFunc(cited, in) {
			return false
		}
	}
	return true
}

var (
	noNegation = regexp.MustCompile(`非常|无线|未来|不同|不仅|不断|不久|不论|不管|无论|不过|不锈|除非|不但|不动产|未婚|\bnot only\b|\bno\. ?\d`)
	zhNegation = regexp.MustCompile(`[不无未非勿莫没]|禁止|严禁|拒绝|免于`)
	enNegation = regexp.MustCompile(`\b(?:not|no|never|cannot|without|neither|nor|none|prohibited|forbidden)\b|n't\b`)
)

// negative reports whether a folded text denies: an odd number of denials.
func negative(folded string) bool {
	folded = noNegation.ReplaceAllString(folded, " ")
	return (len(zhNegation.FindAllString(folded, -1))+len(enNegation.FindAllString(folded, -1)))%2 == 1
}

// compact keeps the letters and digits of a folded text, and the marks that belong to numbers, with
// one blank between words of letters that are written with blanks.
func compact(folded string) string {
	runes := []rune(folded)
	var out []rune
	gap := false
	for i, r := range runes {
		inside := i > 0 && i+1 < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1])
		switch {
		case r == ',' && inside:
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '%' || inside && strings.ContainsRune(".:/-", r):
			if gap && len(out) > 0 && joined(out[len(out)-1]) && joined(r) {
				out = append(out, ' ')
			}
			gap = false
			out = append(out, r)
		default:
			gap = true
		}
	}
	return string(out)
}

// joined reports whether a character would melt with a like one if the blank between them went.
func joined(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
}

// source is an excerpt, prepared for comparison.
type source struct {
	compact    string
	quantities []quantity
	sentences  []statement
}

// statement is one sentence of an excerpt.
type statement struct {
	text       string
	compact    string
	quantities []quantity
	words      map[string]bool // words, characters and pairs
	clauses    []clause
}

type clause struct {
	words    map[string]bool
	negative bool
}

var clauseEnd = regexp.MustCompile(`[,;:，；：。!?]|\bbut\b|\bhowever\b|但是?`)

func newSource(excerpt string) *source {
	s := &source{compact: compact(analysis.Fold(excerpt))}
	runes := []rune(excerpt)
	for _, span := range analysis.Sentences(excerpt) {
		text := string(runes[span[0]:span[1]])
		folded := analysis.Fold(text)
		qs, _ := quantities(folded)
		st := statement{text: text, compact: compact(folded), quantities: qs, words: vocabulary(folded)}
		for _, part := range clauseEnd.Split(folded, -1) {
			st.clauses = append(st.clauses, clause{vocabulary(part), negative(part)})
		}
		s.quantities = append(s.quantities, qs...)
		s.sentences = append(s.sentences, st)
	}
	return s
}

// vocabulary returns the words, Chinese characters and pairs of a folded text.
func vocabulary(folded string) map[string]bool {
	out := map[string]bool{}
	for _, t := range terms(folded) {
		out[t.text] = true
		out[t.left], out[t.right] = true, true
	}
	delete(out, "")
	return out
}

// literal returns the sentence of the excerpt that holds a claim word by word. A claim that is
// cut out of a denial, or of a longer number or word, is not held.
func (s *source) literal(c claim) (string, bool) {
	if len([]rune(c.compact)) < 4 {
		return "", false
	}
	for _, st := range s.sentences {
		at, ok := whole(st.compact, c.compact)
		if ok && !negative(lastRunes(st.compact[:at], 12)) {
			return st.text, true
		}
	}
	// A claim may run over several sentences of the excerpt.
	at, ok := whole(s.compact, c.compact)
	if !ok || negative(lastRunes(s.compact[:at], 12)) {
		return "", false
	}
	for _, st := range s.sentences {
		if st.compact != "" && strings.Contains(c.compact, st.compact) {
			return st.text, true
		}
	}
	return "", false
}

// whole finds a piece that begins and ends where words and numbers do.
func whole(text, piece string) (int, bool) {
	for from := 0; ; {
		i := strings.Index(text[from:], piece)
		if i < 0 {
			return 0, false
		}
		i += from
		end := i + len(piece)
		if !(i > 0 && ascii(text[i-1]) && ascii(text[i])) && !(end < len(text) && ascii(text[end-1]) && ascii(text[end])) {
			return i, true
		}
		from = i + 1
	}
}

func ascii(b byte) bool { return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b == '.' || b == '%' }

func lastRunes(s string, n int) string {
	r := []rune(s)
	return string(r[max(0, len(r)-n):])
}

// best is where excerpts come nearest to a claim.
type best struct {
	share      float64 // of the claim's words, over the best place of each excerpt
	single     float64 // over the best single sentence
	quote      string  // that sentence
	quantities []quantity
	negative   bool // of the clauses of that sentence that hold the claim's words
}

// window is how many neighbouring sentences of an excerpt may support a claim together.
const window = 3

func match(c claim, cited []*source) best {
	var out best
	covered := make([]float64, len(c.terms))
	for _, s := range cited {
		top, topShare := []float64(nil), -1.0
		each := make([][]float64, len(s.sentences))
		for i, st := range s.sentences {
			each[i] = c.cover(st.words)
			if share := c.share(each[i]); share > out.single || out.quote == "" {
				out.single, out.quote, out.quantities = share, st.text, st.quantities
				out.negative = c.denied(st)
			}
			joint := make([]float64, len(c.terms))
			for j := max(0, i-window+1); j <= i; j++ {
				raise(joint, each[j])
			}
			if share := c.share(joint); share > topShare {
				top, topShare = joint, share
			}
		}
		raise(covered, top)
	}
	out.share = c.share(covered)
	return out
}

func raise(a, b []float64) {
	for i := range b {
		a[i] = max(a[i], b[i])
	}
}

// cover says for each term how far a vocabulary holds it: a character counts in full with one of
// its neighbours, and less alone.
func (c claim) cover(words map[string]bool) []float64 {
	out := make([]float64, len(c.terms))
	for i, t := range c.terms {
		switch {
		case t.left == "" && t.right == "" && words[t.text], words[t.left], words[t.right]:
			out[i] = 1
		case words[t.text]:
			out[i] = 0.4
		}
	}
	return out
}

// share weighs what is covered. A claim without words is covered by its numbers alone.
func (c claim) share(covered []float64) float64 {
	if c.weight == 0 {
		return 1
	}
	sum := 0.0
	for i, t := range c.terms {
		if i < len(covered) {
			sum += t.weight * covered[i]
		}
	}
	return sum / c.weight
}

// denied returns whether the clauses of a statement that hold at least a third of what it covers
// of the claim deny, taken together.
func (c claim) denied(st statement) bool {
	deny := false
	all := c.share(c.cover(st.words))
	for _, cl := range st.clauses {
		if c.share(c.cover(cl.words)) >= all/3 && cl.negative {
			deny = !deny
		}
	}
	return deny
}
