package parse

import (
	"unicode"

	"github.com/kaoju/kaoju/internal/corpus"
)

// languageSample bounds the letters that are looked at.
const languageSample = 100_000

// language tells the language by counting scripts, code left aside. Kana tells Japanese from
// Chinese; a Han character or a Korean syllable weighs as much as three Latin letters, since words
// are that much shorter. It is "en" for Latin script and "" where there are no letters.
func language(p corpus.Parsed) string {
	counts := map[string]int{}
	seen, block := 0, 0
	at := -1
	for _, r := range p.Text {
		at++
		for block < len(p.Blocks) && at >= p.Blocks[block].Span.End {
			block++
		}
		if block < len(p.Blocks) && p.Blocks[block].Kind == corpus.Code && at >= p.Blocks[block].Span.Start {
			continue
		}
		if s := script(r); s != "" {
			counts[s]++
			if seen++; seen == languageSample {
				break
			}
		}
	}
	if kana := counts["ja"]; kana > 0 && kana*12 >= counts["zh"] {
		counts["ja"] += counts["zh"]
		counts["zh"] = 0
	}
	for _, dense := range []string{"zh", "ja", "ko"} {
		counts[dense] *= 3
	}
	best, most := "", 0
	for _, s := range []string{"zh", "ja", "ko", "en", "ru", "el", "ar", "he", "th", "hi"} {
		if counts[s] > most {
			best, most = s, counts[s]
		}
	}
	return best
}

// script returns the language that a letter's script stands for.
func script(r rune) string {
	switch {
	case r < 0x80:
		if r|0x20 >= 'a' && r|0x20 <= 'z' {
			return "en"
		}
		return ""
	case unicode.Is(unicode.Han, r):
		return "zh"
	case unicode.In(r, unicode.Hiragana, unicode.Katakana):
		return "ja"
	case unicode.Is(unicode.Hangul, r):
		return "ko"
	case unicode.Is(unicode.Latin, r):
		return "en"
	case unicode.Is(unicode.Cyrillic, r):
		return "ru"
	case unicode.Is(unicode.Greek, r):
		return "el"
	case unicode.Is(unicode.Arabic, r):
		return "ar"
	case unicode.Is(unicode.Hebrew, r):
		return "he"
	case unicode.Is(unicode.Thai, r):
		return "th"
	case unicode.Is(unicode.Devanagari, r):
		return "hi"
	}
	return ""
}
