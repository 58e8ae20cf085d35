package analysis

import (
	"slices"
	"strings"
	"unicode/utf8"

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
	kept    strings.Builder // what terms lie in, see keep
	stem    *snowballstem.Env
	known   map[string]form // words that came before; nil if none are kept
	cut     cutter
}

// form is an English word: as it was written, its stem, and the term for how it was written.
type form struct{ raw, stem, exact string }

func scan(text string, query bool) []Token {
	s := scanner{query: query}
	return s.tokens(text)
}

// tokens returns the terms of a text.
func (s *scanner) tokens(text string) []Token {
	s.glyphs = fold(s.glyphs, text)
	s.out = slices.Grow(s.out[:0], len(s.glyphs))
	s.walk()
	if s.search {
		s.figures()
	}
	return s.out
}

// page is how much memory for terms is taken at once. Most terms are a few bytes long, and a text has
// hundreds.
const page = 4096

// keep returns the bytes as a string. Many lie in one piece of memory, which is written only behind
// those that were given out.
func (s *scanner) keep(b []byte) string {
	if s.kept.Cap()-s.kept.Len() < len(b) {
		s.kept = strings.Builder{}
		s.kept.Grow(max(len(b), min(page, 2*len(s.glyphs))))
	}
	at := s.kept.Len()
	s.kept.Write(b)
	return s.kept.String()[at:]
}

// lasting keeps the bytes as a string: alone where words are kept from one document to the next, so that
// they hold no more memory than their own.
func (s *scanner) lasting(b []byte) string {
	if s.known != nil {
		return string(b)
	}
	return s.keep(b)
}

// walk takes all characters.
func (s *scanner) walk() {
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
func (s *scanner) text(i, j int) string { return s.keep(s.bare(i, j)) }

// bare returns what text does, until the next call.
func (s *scanner) bare(i, j int) []byte {
	s.buf = s.buf[:0]
	for _, g := range s.glyphs[i:j] {
		switch {
		case g.r < 0x80 && g.r != '\'' && g.r != ',':
			s.buf = append(s.buf, byte(g.r))
		case g.r >= 0x80:
			s.buf = utf8.AppendRune(s.buf, g.r)
		}
	}
	return s.buf
}

// characters takes a run of ideographs that begins at i, and returns its end.
func (s *scanner) characters(i int) int {
	j := i + 1
	for j < len(s.glyphs) && s.glyphs[j].class == ideograph {
		j++
	}
	s.buf = s.buf[:0]
	for _, g := range s.glyphs[i:j] {
		s.buf = utf8.AppendRune(s.buf, g.r)
	}
	run := s.keep(s.buf) // its pairs and characters lie in it
	pair := -1
	for k, at := i, 0; k < j; k++ {
		r := s.glyphs[k].r
		end := at + utf8.RuneLen(r)
		if k+1 < j {
			next := s.glyphs[k+1].r
			pair = s.add(run[at:end+utf8.RuneLen(next)], k, k+2, Pair, -1)
			s.out[pair].Stop = isStopPair(r, next)
		}
		if !s.query || pair < 0 {
			t := s.add(run[at:end], k, k+1, Character, pair)
			s.out[t].Stop = isParticle(r)
		}
		at = end
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
	written := s.bare(i, min(j, i+longest))
	if len(written) == 0 {
		return
	}
	if plain {
		s.english(written, i, j, of)
		return
	}
	s.add(s.keep(written), i, j, kind, of)
}

// english appends the English word from i to j, which is written with these letters.
func (s *scanner) english(written []byte, i, j, of int) {
	stop := isStopWord(written) && !(j-i > 1 && s.acronym(i, j, written))
	if stop || len(written) <= 2 {
		t := s.add(s.keep(written), i, j, Word, of)
		s.out[t].Stop = stop
		return
	}
	f := s.form(written)
	t := s.add(f.stem, i, j, Word, of)
	if s.search && f.stem != f.raw {
		s.add(f.exact, i, j, Exact, t)
	}
}

// form returns the forms of an English word.
func (s *scanner) form(written []byte) form {
	if f, ok := s.known[string(written)]; ok {
		return f
	}
	if s.stem == nil {
		s.stem = snowballstem.NewEnv("")
	}
	s.buf = slices.Insert(written, 0, []byte(exactMark)...)
	f := form{exact: s.lasting(s.buf)}
	f.raw = f.exact[len(exactMark):]
	s.stem.SetCurrent(f.raw)
	english.Stem(s.stem)
	f.stem = s.stem.Current()
	if s.known != nil {
		s.known[f.raw] = f
	}
	return f
}

// acronym reports whether a stop word is written as the name that has its letters: IT, WHO, US.
func (s *scanner) acronym(i, j int, word []byte) bool {
	for _, g := range s.glyphs[i:j] {
		if !g.upper {
			return false
		}
	}
	switch string(word) {
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
