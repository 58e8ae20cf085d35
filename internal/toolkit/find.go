package toolkit

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/corpus"
)

// near is how many code points the words of one place may be apart.
const near = 200

// find returns the place in a text that a model's words mean: the words as they are written,
// nearest to a position; else where at least half of them stand together. Case, width and the
// kind of white space do not count.
func find(text []rune, words string, position int) (corpus.Span, bool) {
	folded := flat(text)
	wanted := flat([]rune(strings.TrimSpace(words)))
	if len(wanted) == 0 {
		return corpus.Span{}, false
	}
	best, ok := corpus.Span{}, false
	for _, at := range occurrences(folded, wanted) {
		if !ok || distance(at, position) < distance(best.Start, position) {
			best, ok = corpus.Span{Start: at, End: at + len(wanted)}, true
		}
	}
	if ok {
		return best, true
	}
	return together(folded, terms(wanted), position)
}

func distance(a, b int) int { return max(a-b, b-a) }

// flat folds each character to one: lower case, ordinary width, a blank for any white space.
func flat(text []rune) []rune {
	out := make([]rune, len(text))
	for i, r := range text {
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			r -= 0xFEE0
		case unicode.IsSpace(r):
			r = ' '
		}
		out[i] = unicode.ToLower(r)
	}
	return out
}

// occurrences returns the positions at which a text holds a piece, in order.
func occurrences(text, piece []rune) []int {
	hay, needle := string(text), string(piece)
	var out []int
	at, runes := 0, 0
	for {
		i := strings.Index(hay[at:], needle)
		if i < 0 {
			return out
		}
		runes += len([]rune(hay[at : at+i]))
		out = append(out, runes)
		at += i + len(string(piece[0]))
		runes++
	}
}

// terms takes folded words apart: runs of letters and digits, and the pairs of Chinese runs.
func terms(words []rune) [][]rune {
	var out [][]rune
	seen := map[string]bool{}
	add := func(t []rune) {
		if len(t) > 0 && !seen[string(t)] {
			seen[string(t)] = true
			out = append(out, t)
		}
	}
	for i := 0; i < len(words); {
		han := unicode.Is(unicode.Han, words[i])
		j := i
		for j < len(words) && (unicode.IsLetter(words[j]) || unicode.IsDigit(words[j])) && unicode.Is(unicode.Han, words[j]) == han {
			j++
		}
		run := words[i:j]
		if han && len(run) > 2 {
			for k := 0; k+2 <= len(run); k++ {
				add(run[k : k+2])
			}
		} else {
			add(run)
		}
		i = max(j, i+1)
	}
	return out
}

// occurrence is a term that begins at a place.
type occurrence struct{ at, term, end int }

// together returns the shortest span, of at most near code points, that holds the most different
// terms, at least half of them; the one nearest to the position among equals.
func together(text []rune, wanted [][]rune, position int) (corpus.Span, bool) {
	var all []occurrence
	for t, term := range wanted {
		for _, at := range occurrences(text, term) {
			all = append(all, occurrence{at, t, at + len(term)})
		}
	}
	slices.SortFunc(all, func(a, b occurrence) int { return a.at - b.at })
	best, most := corpus.Span{}, 0
	for i := range all {
		at, distinct := gather(all[i:])
		closer := at.Len() < best.Len() || at.Len() == best.Len() && distance(at.Start, position) < distance(best.Start, position)
		if distinct > most || distinct == most && closer {
			best, most = at, distinct
		}
	}
	return best, most > 0 && 2*most >= len(wanted)
}

// gather returns the shortest span from the first occurrence that holds all the different terms
// which begin near it, and their number.
func gather(list []occurrence) (corpus.Span, int) {
	out := corpus.Span{Start: list[0].at}
	seen := map[int]bool{}
	for _, o := range list {
		if o.at >= out.Start+near {
			break
		}
		if !seen[o.term] {
			seen[o.term] = true
			out.End = max(out.End, o.end)
		}
	}
	return out, len(seen)
}
