package minilm

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxTokens is how many tokens of a text are embedded, the two that frame every text included.
// What follows is not looked at.
const MaxTokens = 256

// maxWord is the length in characters past which a word is unknown as a whole.
const maxWord = 100

// vocabulary is the WordPiece vocabulary of an uncased BERT: whole words and beginnings of words,
// and continuations, which the file marks with two number signs.
type vocabulary struct {
	starts, continuations map[string]int32
	longest               int // bytes of the longest entry
	unknown, begin, end   int32
}

// readVocabulary takes a vocabulary from its file: one token a line, numbered from 0.
func readVocabulary(file string) (*vocabulary, error) {
	v := &vocabulary{starts: make(map[string]int32, 1<<15), continuations: make(map[string]int32, 1<<13)}
	number := int32(0)
	for line := range strings.Lines(file) {
		token := strings.TrimRight(line, "\r\n")
		if rest, ok := strings.CutPrefix(token, "##"); ok && rest != "" {
			v.continuations[rest] = number
			token = rest
		} else {
			v.starts[token] = number
		}
		v.longest = max(v.longest, len(token))
		number++
	}
	for token, at := range map[string]*int32{"[UNK]": &v.unknown, "[CLS]": &v.begin, "[SEP]": &v.end} {
		n, ok := v.starts[token]
		if !ok {
			return nil, malformed("the vocabulary has no %s", token)
		}
		*at = n
	}
	return v, nil
}

// size counts the tokens of the vocabulary.
func (v *vocabulary) size() int { return len(v.starts) + len(v.continuations) }

// tokens returns the token ids of a text between the two that frame it, and whether the text had
// more than limit.
func (v *vocabulary) tokens(text string, limit int) (ids []int32, cut bool) {
	s := splitter{vocabulary: v, limit: limit - 1, ids: make([]int32, 1, min(limit, len(text)/3+3))}
	s.ids[0] = v.begin
	s.split(text)
	ids = s.ids
	if cut = len(ids) > s.limit; cut {
		ids = ids[:s.limit]
	}
	return append(ids, v.end), cut
}

// splitter takes a text apart from left to right, and stops when it has enough.
type splitter struct {
	*vocabulary
	ids   []int32
	limit int
	word  []byte // folded, of at most maxWord characters
	long  bool   // the word has more
	count int    // characters of the word
}

// full reports whether more tokens would not count.
func (s *splitter) full() bool { return len(s.ids) > s.limit }

// split goes through the text in canonical decomposition, so that accents are characters of
// their own. ASCII has none to be taken apart and never combines with what stands before it, so
// that the rest can be decomposed run by run.
func (s *splitter) split(text string) {
	var it norm.Iter
	for !s.full() && text != "" {
		plain := 0
		for plain < len(text) && text[plain] < utf8.RuneSelf && !s.full() {
			s.take(rune(text[plain]))
			plain++
		}
		text = text[plain:]
		run := 0
		for run < len(text) && text[run] >= utf8.RuneSelf {
			run++
		}
		for it.InitString(norm.NFD, text[:run]); !it.Done() && !s.full(); {
			for segment := it.Next(); len(segment) > 0; {
				r, n := utf8.DecodeRune(segment)
				s.take(r)
				segment = segment[n:]
			}
		}
		text = text[run:]
	}
	s.flush()
}

// take adds one character of the decomposed text.
func (s *splitter) take(r rune) {
	switch class(r) {
	case space:
		s.flush()
	case alone:
		s.flush()
		s.add(unicode.ToLower(r))
		s.flush()
	case letter:
		s.add(unicode.ToLower(r))
	case nothing:
	}
}

func (s *splitter) add(r rune) {
	if s.count++; s.count > maxWord {
		s.long = true
		return
	}
	s.word = utf8.AppendRune(s.word, r)
}

// flush turns the word that was gathered into tokens: again and again the longest beginning that
// the vocabulary knows, or one unknown token for a word with a rest that it doesn't know.
func (s *splitter) flush() {
	word, long, before := s.word, s.long, len(s.ids)
	s.word, s.long, s.count = s.word[:0], false, 0
	if long {
		s.ids = append(s.ids, s.unknown)
		return
	}
	known := s.starts
	for len(word) > 0 {
		n := min(len(word), s.longest)
		id, ok := known[string(word[:n])]
		for !ok && n > 1 {
			n--
			if n == len(word) || utf8.RuneStart(word[n]) {
				id, ok = known[string(word[:n])]
			}
		}
		if !ok {
			s.ids = append(s.ids[:before], s.unknown)
			return
		}
		s.ids = append(s.ids, id)
		word, known = word[n:], s.continuations
	}
}

// kind says what a character is to the tokenizer.
type kind uint8

const (
	letter  kind = iota
	space        // ends a word
	alone        // is a word by itself: punctuation and Chinese characters
	nothing      // is left out: accents and control characters
)

// class returns the kind of a character of a decomposed text. The rules are those of BERT's
// uncased tokenizer: every ASCII sign counts as punctuation, also those that are symbols.
func class(r rune) kind {
	if r < utf8.RuneSelf {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			return letter
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			return space
		case r < ' ' || r == 0x7f:
			return nothing
		}
		return alone
	}
	switch {
	case r == utf8.RuneError, unicode.Is(unicode.C, r), unicode.Is(unicode.Mn, r):
		return nothing
	case unicode.IsSpace(r):
		return space
	case chinese(r), unicode.Is(unicode.P, r):
		return alone
	}
	return letter
}

// chinese reports whether a character lies in the blocks of unified ideographs, which the
// model's tokenizer takes one by one. Kana and Hangul are letters to it.
func chinese(r rune) bool {
	return r >= 0x4e00 && r <= 0x9fff || r >= 0x3400 && r <= 0x4dbf || r >= 0x20000 && r <= 0x2a6df ||
		r >= 0x2a700 && r <= 0x2b73f || r >= 0x2b740 && r <= 0x2b81f || r >= 0x2b820 && r <= 0x2ceaf ||
		r >= 0xf900 && r <= 0xfaff || r >= 0x2f800 && r <= 0x2fa1f
}
