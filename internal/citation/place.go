package citation

import (
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Quote is a piece of a source that decides a sentence, with its exact place.
type Quote struct {
	Text    string
	Span    corpus.Span
	Locator corpus.Locator
}

// Place returns where a text stands in the excerpt, word by word; false if it does not. Runs of
// white space are taken as equal, since a quote is shown on one line.
func (e Evidence) Place(text string) (Quote, bool) {
	runes := []rune(e.Excerpt)
	span, ok := e.record(text)
	if !ok {
		var start, end int
		if start, end, ok = locate(e.Excerpt, text); !ok {
			return Quote{}, false
		}
		span.Start = utf8.RuneCountInString(e.Excerpt[:start])
		span.End = span.Start + utf8.RuneCountInString(e.Excerpt[start:end])
	}
	q := Quote{
		Text: string(runes[span.Start:span.End]),
		Span: corpus.Span{Start: e.Span.Start + span.Start, End: e.Span.Start + span.End},
	}
	q.Locator = corpus.Cover(corpus.Narrow(runes, e.Span.Start, e.Segments, q.Span))
	if q.Locator == nil {
		q.Locator = e.Locator
	}
	return q, true
}

// Quotes returns the pieces of the source that decided the checks which cite it, in order of
// their places, each once.
func (e Evidence) Quotes(checks []Check) []Quote {
	var out []Quote
	for _, c := range checks {
		if c.Quote == "" || !cites(c, e.Ref) {
			continue
		}
		if q, ok := e.Place(c.Quote); ok {
			out = insert(out, q)
		}
	}
	return out
}

func cites(c Check, ref string) bool {
	for _, l := range c.Labels {
		if l == ref {
			return true
		}
	}
	return false
}

// insert keeps quotes in order of their places; one that lies inside another is left out.
func insert(list []Quote, q Quote) []Quote {
	at := len(list)
	for i, have := range list {
		if have.Span.Contains(q.Span) {
			return list
		}
		if q.Span.Start < have.Span.Start {
			at = min(at, i)
		}
	}
	return append(list[:at:at], append([]Quote{q}, list[at:]...)...)
}

// locate finds a text in another as bytes [start, end), taking runs of white space as equal.
func locate(in, text string) (start, end int, ok bool) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return 0, 0, false
	}
	for from := 0; ; {
		i := strings.Index(in[from:], words[0])
		if i < 0 {
			return 0, 0, false
		}
		start = from + i
		if end, ok = follow(in, start+len(words[0]), words[1:]); ok {
			return start, end, true
		}
		from = start + len(words[0])
	}
}

// follow checks that words come next, with white space between, and returns where they end.
func follow(in string, at int, words []string) (int, bool) {
	for _, w := range words {
		rest := strings.TrimLeft(in[at:], " \t\r\n\u00a0\u3000")
		gap := len(in) - at - len(rest)
		if gap == 0 || !strings.HasPrefix(rest, w) {
			return 0, false
		}
		at += gap + len(w)
	}
	return at, true
}
