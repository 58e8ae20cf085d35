package minilm

import "unicode"

// Legible reports whether the model makes a useful vector of a text: whether most of its letters
// are Latin. A Chinese, Japanese or Korean character counts as three letters, since it says about
// as much. Digits and signs say nothing either way; a text of them alone is not legible, because
// what finds numbers is keyword search. The vectors of other texts mean little, and those who
// keep or compare vectors leave them out.
func Legible(text string) bool {
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case r <= unicode.MaxASCII:
			if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
				latin++
			}
		case !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			other += 3
		default:
			other++
		}
	}
	return latin > other
}
