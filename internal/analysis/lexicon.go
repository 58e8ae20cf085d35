package analysis

import "sync"

// The bounds of a lexicon.
const (
	MaxWords     = 10_000 // words of its own
	MaxWord      = 16     // characters of one
	MaxGroups    = 2_000  // groups of synonyms
	MaxGroup     = 16     // synonyms in one
	MaxSynonym   = 64     // characters of one
	maxExpansion = 64     // terms that synonyms add to one query
)

// own is what a word of the lexicon costs: less than any other way to cut its characters.
const own = 1

// Lexicon turns texts into terms for a search, by the dictionary that everyone has and by the
// words and synonyms of a tenant. A nil Lexicon has none of its own. It is immutable and safe for
// concurrent use.
//
// Words of its own are cut out of documents and queries alike, so a document is found by a new one
// once it was indexed with it. Synonyms only change queries: they hold at once.
type Lexicon struct {
	words map[string]bool
	reach map[rune]int // the length of the longest word that begins so
	// phrases are the synonyms by their first character, longer ones first.
	phrases map[rune][]phrase
}

// phrase is one synonym: how it reads folded, and what else it can be called.
type phrase struct {
	text  []rune
	other []string
}

// own returns the lengths of the words of the lexicon that the characters begin with.
func (l *Lexicon) own(glyphs []glyph) []int {
	if l == nil || len(l.words) == 0 {
		return nil
	}
	reach := min(l.reach[glyphs[0].r], len(glyphs))
	if reach == 0 {
		return nil
	}
	var out []int
	word := make([]rune, 0, MaxWord)
	for _, g := range glyphs[:reach] {
		word = append(word, g.r)
		if l.words[string(word)] {
			out = append(out, len(word))
		}
	}
	return out
}

// Tokens returns the terms of a text that is to be searched: those of the function Tokens, and
// Segment, Exact, Numeral and Date tokens after those of the place where they begin.
func (l *Lexicon) Tokens(text string) []Token {
	s := scanner{search: true, lexicon: l}
	return s.tokens(text)
}

// Tokenizer returns what gives the same terms as Tokens does of many texts in turn, with less work.
func (l *Lexicon) Tokenizer() *Tokenizer {
	return &Tokenizer{scanner{search: true, lexicon: l, known: words.Get().(map[string]form)}}
}

// words holds the forms of English words that tokenizers met. They follow from the word alone.
var words = sync.Pool{New: func() any { return map[string]form{} }}

// maxWords is how many words are kept for the next document.
const maxWords = 1 << 15

// Tokenizer keeps the memory of a text for the next one, and the words that it met. It is for the
// texts of one document, and not for concurrent use.
type Tokenizer struct{ s scanner }

// Tokens does what Lexicon.Tokens does. The tokens hold until the next call; their terms stay.
func (t *Tokenizer) Tokens(text string) []Token { return t.s.tokens(text) }

// Done leaves the words that were met to the tokenizer of the next document. This one is used no more.
func (t *Tokenizer) Done() {
	if known := t.s.known; len(known) <= maxWords {
		words.Put(known)
	}
	t.s = scanner{}
}

// Query returns the terms to search for: those of the function Query and those that Tokens adds,
// with the terms of titles marked, and after them the terms of synonyms.
func (l *Lexicon) Query(text string) []Token {
	s := scanner{query: true, search: true, lexicon: l}
	s.tokens(text)
	s.titles()
	if l != nil && len(l.phrases) > 0 {
		s.synonyms()
	}
	return s.out
}

// titles marks the terms between the marks of a title.
func (s *scanner) titles() {
	open := -1
	for i, g := range s.glyphs {
		switch {
		case g.r == '《':
			open = int(g.end)
		case g.r == '》' && open >= 0:
			for k := range s.out {
				t := &s.out[k]
				t.Title = t.Title || t.Span[0] >= open && t.Span[1] <= int(s.glyphs[i].start)
			}
			open = -1
		}
	}
}

// synonyms appends the terms of what else the phrases of a query can be called. Of phrases that
// begin at one place the longest counts, and those inside it do not.
func (s *scanner) synonyms() {
	left := maxExpansion
	for i := 0; i < len(s.glyphs); {
		p, end := s.phrase(i)
		if p == nil {
			i++
			continue
		}
		for _, o := range p.other {
			base, terms := len(s.out), s.lexicon.plain(o)
			n := 0
			for _, t := range terms {
				if !t.Stop && t.Kind < Segment && t.Of < 0 {
					n++
				}
			}
			for _, t := range terms {
				if left == 0 {
					return
				}
				if t.Of >= 0 {
					t.Of += base
				}
				t.Span, t.Synonym = s.span(i, end), max(1, n)
				s.out = append(s.out, t)
				left--
			}
		}
		i = end
	}
}

// plain returns the terms of a synonym, without synonyms of its own.
func (l *Lexicon) plain(text string) []Token {
	s := scanner{query: true, search: true, lexicon: l}
	return s.tokens(text)
}

// phrase returns the longest synonym that stands at i and tears no word of letters, and its end.
func (s *scanner) phrase(i int) (*phrase, int) {
	list := s.lexicon.phrases[s.glyphs[i].r]
	if len(list) == 0 || i > 0 && torn(s.glyphs[i-1], s.glyphs[i]) {
		return nil, i
	}
	for k := range list {
		if end := s.reads(i, list[k].text); end > i && (end == len(s.glyphs) || !torn(s.glyphs[end-1], s.glyphs[end])) {
			return &list[k], end
		}
	}
	return nil, i
}

// torn reports whether a word of letters or digits goes on between two characters.
func torn(a, b glyph) bool {
	return (a.class == letter || a.class == digit) && (b.class == letter || b.class == digit)
}

// reads returns the end of the text at i that reads as the phrase, any white space in it being one
// space; i if none does.
func (s *scanner) reads(i int, text []rune) int {
	at := i
	for _, r := range text {
		if at >= len(s.glyphs) {
			return i
		}
		if r == ' ' {
			if s.glyphs[at].class != space {
				return i
			}
			for at < len(s.glyphs) && s.glyphs[at].class == space {
				at++
			}
			continue
		}
		if s.glyphs[at].r != r {
			return i
		}
		at++
	}
	return at
}
