package analysis

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// longest is the length in characters from which a word is cut and a whole is left out: keys and
// encoded data would fill a dictionary with terms that nobody types.
const longest = 64

// scanner walks over the folded characters of a text.
type scanner struct {
	glyphs  []glyph
	query   bool
	search  bool     // with the terms that only a search needs
	lexicon *Lexicon // nil if there is none
	out     []Token
	buf     []byte
	stem    *snowballstem.Env
	cut     cutter
}

func scan(text string, query bool) []Token {
	s := scanner{glyphs: fold(text), query: query}
	s.walk()
	return s.out
}

// walk takes all characters.
func (s *scanner) walk() {
	s.stem = snowballstem.NewEnv("")
	s.out = make([]Token, 0, len(s.glyphs))
	for i := 0; i < len(s.glyphs); {
		switch s.glyphs[i].class {
		case ideograph:
			i = s.characters(i)
		case letter, digit:
			i = s.chain(i)
		default:
			i++
		}
	}
}

// add appends a token over the glyphs from i to j and returns its index.
func (s *scanner) add(term string, i, j int, kind Kind, of int) int {
	s.out = append(s.out, Token{Term: term, Span: s.span(i, j), Kind: kind, Of: of})
	return len(s.out) - 1
}

func (s *scanner) span(i, j int) Span {
	return Span{int(s.glyphs[i].start), int(s.glyphs[j-1].end)}
}

// text returns the folded characters from i to j without the marks that words are compared
// without: apostrophes, and commas between thousands.
func (s *scanner) text(i, j int) string {
	s.buf = s.buf[:0]
	for _, g := range s.glyphs[i:j] {
		switch {
		case g.r < 0x80 && g.r != '\'' && g.r != ',':
			s.buf = append(s.buf, byte(g.r))
		case g.r >= 0x80:
			s.buf = append(s.buf, string(g.r)...)
		}
	}
	return string(s.buf)
}

// characters takes a run of ideographs that begins at i, and returns its end.
func (s *scanner) characters(i int) int {
	j := i + 1
	for j < len(s.glyphs) && s.glyphs[j].class == ideograph {
		j++
	}
	pair := -1
	for k := i; k < j; k++ {
		r := s.glyphs[k].r
		if k+1 < j {
			pair = s.add(string([]rune{r, s.glyphs[k+1].r}), k, k+2, Pair, -1)
			s.out[pair].Stop = isStopPair(r, s.glyphs[k+1].r)
		}
		if !s.query || pair < 0 {
			t := s.add(string(r), k, k+1, Character, pair)
			s.out[t].Stop = isParticle(r)
		}
	}
	if s.search {
		s.words(i, j)
	}
	return j
}

// word appends the word, or the number, from i to j as a part of the token "of".
func (s *scanner) word(i, j, of int) {
	if j-i > 2 && s.glyphs[j-1].r == 's' && s.glyphs[j-2].r == '\'' {
		j -= 2
	}
	kind := Number
	plain := true
	for _, g := range s.glyphs[i:j] {
		if g.class == letter {
			kind = Word
		}
		plain = plain && (g.r >= 'a' && g.r <= 'z' || g.r == '\'')
	}
	end := min(j, i+longest)
	term := s.text(i, end)
	if term == "" {
		return
	}
	stop := plain && isStopWord(term) && !(j-i > 1 && s.acronym(i, j))
	raw := term
	if plain && !stop && len(term) > 2 {
		s.stem.SetCurrent(term)
		english.Stem(s.stem)
		term = s.stem.Current()
	}
	t := s.add(term, i, j, kind, of)
	s.out[t].Stop = stop
	if s.search && term != raw {
		s.add(exactMark+raw, i, j, Exact, t)
	}
}

// acronym reports whether a stop word is written as the name that has its letters: IT, WHO, US.
func (s *scanner) acronym(i, j int) bool {
	for _, g := range s.glyphs[i:j] {
		if !g.upper {
			return false
		}
	}
	switch s.text(i, j) {
	case "it", "who", "us", "can", "am", "pm":
		return !s.shouted(i, j)
	}
	return false
}

// shouted reports whether the words next to the one from i to j are in upper case too, as in a
// title that is.
func (s *scanner) shouted(i, j int) bool {
	for k := j; k < len(s.glyphs) && k < j+3; k++ {
		if s.glyphs[k].class == letter {
			return s.glyphs[k].upper && k+1 < len(s.glyphs) && s.glyphs[k+1].upper
		}
	}
	for k := i - 1; k >= 0 && k > i-4; k-- {
		if s.glyphs[k].class == letter {
			return s.glyphs[k].upper && k > 0 && s.glyphs[k-1].upper
		}
	}
	return false
}
