package toolkit

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
)

const (
	// near is how many code points the words of one place may be apart.
	near = 200
	// mostTerms is how many different words are looked for at most, and stretch how many code points
	// around a position are searched for words that are not together as written. They bound the work
	// on a large document.
	mostTerms = 12
	stretch   = 200_000
	// checkEvery is how many steps pass between two looks at the context.
	checkEvery = 4096
)

// find returns the place in a text that a model's words mean: the words as they are written,
// nearest to a position; else where at least half of them stand together, not too far from it.
// Case, width and the kind of white space do not count. The error is the context's.
func find(ctx context.Context, text []rune, words string, position int) (corpus.Span, bool, error) {
	wanted := flat([]rune(strings.TrimSpace(words)))
	if err := ctx.Err(); err != nil || len(wanted) == 0 {
		return corpus.Span{}, false, err
	}
	position = min(max(0, position), len(text))
	folded := flat(text)
	if at, ok := nearest(folded, wanted, position); ok {
		return corpus.Span{Start: at, End: at + len(wanted)}, true, nil
	}
	from, to := max(0, position-stretch/2), min(len(text), position+stretch/2)
	span, ok, err := together(ctx, folded[from:to], terms(wanted), position-from)
	return corpus.Span{Start: from + span.Start, End: from + span.End}, ok, err
}

// nearest returns the occurrence of a piece that begins nearest to a position; the earlier of two.
func nearest(text, piece []rune, position int) (int, bool) {
	best, ok := 0, false
	before := string(text[:min(len(text), position+len(piece)-1)])
	if i := strings.LastIndex(before, string(piece)); i >= 0 {
		best, ok = utf8.RuneCountInString(before[:i]), true
	}
	after := string(text[position:])
	if i := strings.Index(after, string(piece)); i >= 0 {
		if at := position + utf8.RuneCountInString(after[:i]); !ok || distance(at, position) < distance(best, position) {
			best, ok = at, true
		}
	}
	return best, ok
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

// terms takes folded words apart: runs of letters and digits, and the pairs of Chinese runs; the
// first of them, if they are many.
func terms(words []rune) [][]rune {
	var out [][]rune
	seen := map[string]bool{}
	add := func(t []rune) {
		if len(t) > 0 && len(out) < mostTerms && !seen[string(t)] {
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
type occurrence struct{ at, term int }

// together returns the shortest span, of terms that begin at most near code points after its
// first, that holds the most different ones, at least half of all; the one nearest to the position
// among equals, then the earlier.
func together(ctx context.Context, text []rune, wanted [][]rune, position int) (corpus.Span, bool, error) {
	var all []occurrence
	for t, term := range wanted {
		if err := ctx.Err(); err != nil {
			return corpus.Span{}, false, err
		}
		for _, at := range occurrences(text, term) {
			all = append(all, occurrence{at, t})
		}
	}
	slices.SortStableFunc(all, func(a, b occurrence) int { return a.at - b.at })
	next := make([]int, len(wanted)) // the first occurrence of each term from the present one on
	for t := range next {
		next[t] = len(text) + near
	}
	best, most := corpus.Span{}, 0
	for i := len(all) - 1; i >= 0; i-- {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return corpus.Span{}, false, ctx.Err()
		}
		next[all[i].term] = all[i].at
		span, distinct := gather(all[i].at, next, wanted)
		if distinct > most || distinct == most && better(span, best, position) {
			best, most = span, distinct
		}
	}
	return best, most > 0 && 2*most >= len(wanted), nil
}

// gather returns the span from a place to the end of the last term that begins near it, and how
// many do. next tells where each begins.
func gather(start int, next []int, wanted [][]rune) (corpus.Span, int) {
	out, distinct := corpus.Span{Start: start}, 0
	for t, at := range next {
		if at < start+near {
			out.End = max(out.End, at+len(wanted[t]))
			distinct++
		}
	}
	return out, distinct
}

func better(a, b corpus.Span, position int) bool {
	if a.Len() != b.Len() {
		return a.Len() < b.Len()
	}
	da, db := distance(a.Start, position), distance(b.Start, position)
	return da < db || da == db && a.Start < b.Start
}
