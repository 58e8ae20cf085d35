package retrieval

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
)

const (
	// snippetWidth is the length of a snippet in code points, about.
	snippetWidth = 160
	// leadWidth is how far before the first match a snippet may begin, to begin with a sentence.
	leadWidth = 60
	// maxMatched bounds the terms that a hit names.
	maxMatched = 32
	ellipsis   = "…"
)

// view is a query as it is shown in hits: which of its terms a text holds, and where.
type view struct {
	text   []rune
	tokens []analysis.Token
	worth  map[string]int // of each term that can match, for choosing a snippet
}

// tokens returns the terms of a text as the index has them, but for the words of a tenant, which a
// view leaves out.
func tokens(text string) []analysis.Token { return (*analysis.Lexicon)(nil).Tokens(text) }

func newView(text string, tokens []analysis.Token) *view {
	v := &view{text: []rune(text), worth: map[string]int{}}
	for _, t := range tokens {
		// A word, or the form of one, is found where its pairs or its stem are.
		if t.Stop || t.Kind == analysis.Segment || t.Kind == analysis.Exact {
			continue
		}
		v.tokens = append(v.tokens, t)
		v.worth[t.Term] = 2
		switch {
		case t.Kind == analysis.Identifier:
			v.worth[t.Term] = 6
		case t.Of >= 0:
			v.worth[t.Term] = 1
		}
	}
	return v
}

// matched returns the pieces of the query whose terms the chunk, its headings or its title hold,
// as the person wrote them and in that order. Pieces that overlap are one.
func (v *view) matched(title string, c corpus.Chunk) []string {
	held := map[string]bool{}
	for _, text := range append([]string{title, c.Full()}, c.HeadingPath...) {
		for _, t := range tokens(text) {
			held[t.Term] = true
		}
	}
	var spans []analysis.Span
	for _, t := range v.tokens {
		if held[t.Term] {
			spans = append(spans, t.Span)
		}
	}
	slices.SortFunc(spans, func(a, b analysis.Span) int { return a[0] - b[0] })
	var out []string
	seen := map[string]bool{}
	for i := 0; i < len(spans) && len(out) < maxMatched; {
		span := spans[i]
		for i++; i < len(spans) && spans[i][0] < span[1]; i++ {
			span[1] = max(span[1], spans[i][1])
		}
		word := string(v.text[span[0]:span[1]])
		if key := analysis.Fold(word); !seen[key] {
			seen[key] = true
			out = append(out, word)
		}
	}
	return out
}

// snippet returns a piece of a chunk's text around the place where most of the query is found
// together, with white space collapsed; the beginning of the text if nothing is found in it.
func (v *view) snippet(text string) string {
	runes := []rune(text)
	var hits []analysis.Token
	for _, t := range tokens(text) {
		if v.worth[t.Term] > 0 {
			hits = append(hits, t)
		}
	}
	start, end := v.window(text, runes, hits)
	cut := strings.Join(strings.Fields(string(runes[start:end])), " ")
	if cut == "" {
		return ""
	}
	if strings.TrimSpace(string(runes[:start])) != "" {
		cut = ellipsis + cut
	}
	if strings.TrimSpace(string(runes[end:])) != "" {
		cut += ellipsis
	}
	return cut
}

// window chooses the piece of the text to show.
func (v *view) window(text string, runes []rune, hits []analysis.Token) (int, int) {
	first := v.cluster(hits)
	start := 0
	if first >= 0 {
		start = lead(text, runes, hits[first].Span[0])
	}
	if rest := len(runes) - start; rest < snippetWidth {
		start = wordStart(runes, max(0, len(runes)-snippetWidth), start)
	}
	end := min(len(runes), start+snippetWidth)
	return start, wordEnd(runes, start, end)
}

// cluster returns the index of the hit that the best window begins with: the one that holds the
// most different terms, by their worth, then the most hits; the earliest of equals. -1 if there
// are no hits.
func (v *view) cluster(hits []analysis.Token) int {
	best, bestScore := -1, 0
	count := map[string]int{}
	worth, n, last := 0, 0, 0
	for i, h := range hits {
		for ; last < len(hits) && hits[last].Span[1] <= h.Span[0]+snippetWidth-leadWidth; last++ {
			t := hits[last].Term
			if count[t]++; count[t] == 1 {
				worth += v.worth[t]
			}
			n++
		}
		if score := worth*16 + min(n, 15); score > bestScore {
			best, bestScore = i, score
		}
		if last <= i {
			last = i + 1
			continue
		}
		if count[h.Term]--; count[h.Term] == 0 {
			worth -= v.worth[h.Term]
		}
		n--
	}
	if best < 0 && len(hits) > 0 {
		return 0
	}
	return best
}

// lead returns where a snippet begins whose first match is at the place: with its sentence if
// that is near, else with a word a little before.
func lead(text string, runes []rune, at int) int {
	for _, s := range analysis.Sentences(text) {
		if s[0] <= at && at < s[1] && at-s[0] <= leadWidth {
			return s[0]
		}
	}
	return wordStart(runes, max(0, at-leadWidth/2), at)
}

// wordStart returns the first place from i on, but no later than limit, that tears no word.
func wordStart(runes []rune, i, limit int) int {
	for k := i; k < limit; k++ {
		if !inside(runes, k) && !unicode.IsSpace(runes[k]) {
			return k
		}
	}
	return limit
}

// wordEnd returns the last place up to i, but in the later half of what begins at start, that
// tears no word; i if there is none.
func wordEnd(runes []rune, start, i int) int {
	for k := i; k > start+(i-start)/2; k-- {
		if !inside(runes, k) {
			return k
		}
	}
	return i
}

// inside reports whether the place lies inside a word, or before a mark of the former character.
func inside(runes []rune, k int) bool {
	if k <= 0 || k >= len(runes) {
		return false
	}
	return unicode.IsMark(runes[k]) || joined(runes[k-1]) && joined(runes[k])
}

// joined reports whether a character is part of words that must not be torn: letters and digits,
// but not those of scripts written without spaces, and the marks inside identifiers.
func joined(r rune) bool {
	switch r {
	case '-', '_', '.', '/', ':', '@', '\'':
		return true
	}
	return (unicode.IsLetter(r) || unicode.IsNumber(r)) &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
