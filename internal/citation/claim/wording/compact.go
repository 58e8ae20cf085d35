package wording

import (
	"strings"
	"unicode"
)

// Compact keeps the letters and digits of a folded text, and the marks that belong to numbers, with
// one blank between words of letters that are written with blanks.
func Compact(folded string) string {
	runes := []rune(folded)
	var out []rune
	gap := false
	for i, r := range runes {
		inside := i > 0 && i+1 < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1])
		switch {
		case r == ',' && inside:
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '%' || inside && strings.ContainsRune(".:/-", r):
			if gap && len(out) > 0 && joined(out[len(out)-1]) && joined(r) {
				out = append(out, ' ')
			}
			gap = false
			out = append(out, r)
		default:
			gap = true
		}
	}
	return string(out)
}

// joined reports whether a character would melt with a like one if the blank between them went.
func joined(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
}
