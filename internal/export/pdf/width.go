package pdf

import (
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// How wide the letters of the standard fonts are, in thousandths of their size, from the space to
// the tilde, from Alpha to omega, and from А to я. The letters of code are all of one width.
var (
	plainWidths = [...]int{
		250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444,
		921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500,
		333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
	}
	boldWidths = [...]int{
		250, 333, 555, 500, 500, 1000, 833, 278, 333, 333, 500, 570, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 333, 333, 570, 570, 570, 500,
		930, 722, 667, 722, 722, 667, 611, 778, 778, 389, 500, 778, 667, 944, 722, 778, 611, 778, 722, 556, 667, 722, 722, 1000, 722, 722, 667, 333, 278, 333, 581, 500,
		333, 500, 556, 444, 556, 444, 333, 500, 556, 278, 333, 556, 278, 833, 556, 500, 556, 556, 444, 389, 333, 556, 500, 722, 500, 500, 444, 394, 220, 394, 520,
	}
	greekWidths = [...]int{
		722, 667, 578, 643, 611, 611, 722, 722, 333, 722, 725, 889, 722, 643, 722, 722, 556, 365, 582, 611, 722, 731, 722, 738, 743, 333, 722, 524, 420, 523, 269, 495, 524, 509, 442, 471, 420, 414, 523, 479, 269, 504, 485, 536, 452, 446, 500, 505, 499, 396, 539, 402, 495, 577, 444, 626, 658,
	}
	cyrillicWidths = [...]int{
		722, 574, 667, 578, 682, 611, 896, 501, 722, 722, 667, 678, 889, 722, 722, 722, 556, 667, 611, 708, 790, 722, 722, 650, 1009, 1009, 706, 872, 574, 660, 1028, 667, 444, 509, 472, 410, 509, 444, 691, 395, 535, 535, 486, 499, 633, 535, 500, 535, 500, 444, 437, 500, 648, 500, 535, 503, 770, 770, 517, 672, 456, 429, 747, 460,
	}
	otherWidths = map[rune]int{
		'–': 500, '—': 1000, '‘': 333, '’': 333, '‚': 333, '“': 444, '”': 444, '„': 444, '•': 350, '…': 1000, '°': 400, '±': 549, '×': 564, '÷': 564, '¬': 564,
		'·': 250, '©': 760, '®': 760, '™': 980, '¿': 444, '¡': 333, '‹': 333, '›': 333, '‰': 1000, 'æ': 667, 'Æ': 889, 'œ': 722, 'Œ': 889, 'Ø': 722, 'ł': 278, 'ı': 278,
	}
)

const codeWidth, middleWidth, fullWidth = 600, 500, 1000

// narrow is how wide a letter of an alphabet is. Of one that the standard fonts need not have it is
// that of the letter without its accents, or a middling one: whoever shows it sets it into that width.
func narrow(r rune, face Face) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r > 0xFFFF:
		return fullWidth
	case face == Code:
		return codeWidth
	}
	if n, ok := otherWidths[r]; ok {
		return n
	}
	base := r
	for _, c := range norm.NFKD.String(string(r)) {
		base = c
		break
	}
	for _, of := range []struct {
		first  rune
		widths []int
	}{{' ', map[bool][]int{false: plainWidths[:], true: boldWidths[:]}[face == Bold]}, {'Α', greekWidths[:]}, {'А', cyrillicWidths[:]}} {
		if i := int(base - of.first); i >= 0 && i < len(of.widths) {
			return of.widths[i]
		}
	}
	return middleWidth
}
