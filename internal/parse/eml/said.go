package eml

import (
	"strings"
	"unicode"
)

// words are what the forms of a text say that were read so far. A nil one says nothing.
type words struct {
	single map[string]bool
	pairs  map[string]bool
	// new ones count from the next form on: a text may say something twice.
	fresh []string
}

// have reports whether a stretch of another form says nothing that was not said: each of its words
// was, and nearly all of them one after the other as here. Addresses that one form writes out are no
// difference. The stretch is said from the next form on.
func (s *words) have(text string) bool {
	if s == nil {
		return false
	}
	tokens := tokens(text)
	s.fresh = append(s.fresh, append(tokens, "")...)
	if len(s.single) == 0 {
		return false
	}
	together, before := 0, ""
	for _, t := range tokens {
		if !s.single[t] {
			return false
		}
		if before == "" || s.pairs[before+" "+t] {
			together++
		}
		before = t
	}
	return together*10 >= len(tokens)*8
}

// settle ends a form.
func (s *words) settle() {
	if s.single == nil {
		s.single, s.pairs = map[string]bool{}, map[string]bool{}
	}
	before := ""
	for _, t := range s.fresh {
		if t != "" {
			s.single[t] = true
			if before != "" {
				s.pairs[before+" "+t] = true
			}
			before = t
		}
	}
	s.fresh = nil
}

// tokens returns words in lower case, numbers, and one by one Chinese, kana and signs that say something, such
// as those of currencies and comparisons.
func tokens(text string) []string {
	var out []string
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, strings.ToLower(text[start:end]))
		}
		start = -1
	}
	for i, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Sc, unicode.Sm, unicode.So):
			flush(i)
			out = append(out, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if start < 0 {
				start = i
			}
		default:
			flush(i)
		}
	}
	flush(len(text))
	return out
}
