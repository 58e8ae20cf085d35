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
		if s.records {
			out.widen(c, s, each)
		}
		raise(covered, top)
	}
	out.share = c.share(covered)
	return out
}

// clearly is how much more of a claim several records must hold than one, to be quoted together.
const clearly = 0.15

// widen quotes neighbouring records together where no single one comes near to what they hold.
func (b *best) widen(c claim, s *source, each [][]float64) {
	most := b.single + clearly
	for i := range s.sentences {
		joint := slices.Clone(each[i])
		for j := i - 1; j >= max(0, i-window+1); j-- {
			raise(joint, each[j])
			if share := c.share(joint); share > most {
				most = share
				var rows []string
				for _, st := range s.sentences[j : i+1] {
					rows = append(rows, st.text)
				}
				b.quote = strings.Join(rows, "\n")
			}
		}
	}
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
