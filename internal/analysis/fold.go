package analysis

import (
	_ "embed" // for the table of variants
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// glyph is one folded character with the code points of the original that it stands for.
type glyph struct {
	r          rune
	start, end int32
	class      class
	upper      bool // the original was an upper-case letter
}

// class is what the scanner needs to know of a character.
type class uint8

const (
	other class = iota
	space
	letter
	digit
	ideograph // Chinese characters, and the other scripts that are written without spaces
)

// fold returns the folded characters of a text, in the memory of out where that is enough. Bytes that
// are not UTF-8 count as one code point each, as in a conversion to runes.
func fold(out []glyph, text string) []glyph {
	out = slices.Grow(out[:0], len(text)*3/4+1)
	variants := variantTable()
	at := int32(0)
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf && (i+1 == len(text) || text[i+1] < utf8.RuneSelf) {
			out = append(out, ascii(c, at))
			i++
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		// Only the marks U+0300 to U+037F can join a character of the quick kinds.
		if marked := i+size < len(text) && (text[i+size] == 0xCC || text[i+size] == 0xCD); !marked {
			if g, ok := quick(r, at, variants, out); ok {
				out = append(out, g)
				i += size
				at++
				continue
			}
		}
		size = max(size, norm.NFKC.NextBoundaryInString(text[i:], true))
		n := int32(utf8.RuneCountInString(text[i : i+size]))
		out = appendFolded(out, text[i:i+size], at, at+n, variants)
		i += size
		at += n
	}
	return out
}

// quick folds the characters that need no normalisation: ASCII and its full-width forms, the
// common Chinese characters and their punctuation.
func quick(r rune, at int32, variants *variantMap, before []glyph) (glyph, bool) {
	switch {
	case r < utf8.RuneSelf:
		return ascii(byte(r), at), true
	case r >= 0x4E00 && r <= 0x9FFF:
		return glyph{r: planned(variants.of(r), before), start: at, end: at + 1, class: ideograph}, true
	case r >= 0xFF01 && r <= 0xFF5E:
		return ascii(byte(r-0xFEE0), at), true
	case r >= 0x3001 && r <= 0x3003 || r >= 0x3008 && r <= 0x3011:
		return glyph{r: r, start: at, end: at + 1}, true
	}
	return glyph{}, false
}

// ascii folds one byte.
func ascii(c byte, at int32) glyph {
	g := glyph{r: rune(c), start: at, end: at + 1}
	switch {
	case c >= 'a' && c <= 'z':
		g.class = letter
	case c >= 'A' && c <= 'Z':
		g.class, g.upper, g.r = letter, true, rune(c)+'a'-'A'
	case c >= '0' && c <= '9':
		g.class = digit
	case c == ' ' || c >= '\t' && c <= '\r':
		g.class = space
	}
	return g
}

// appendFolded folds a piece of text that normalisation cannot change across its ends. All
// characters that come of it stand for the whole piece.
func appendFolded(out []glyph, piece string, start, end int32, variants *variantMap) []glyph {
	first, _ := utf8.DecodeRuneInString(piece)
	upper := unicode.IsUpper(first)
	folded := norm.NFKC.String(lower(norm.NFKC.String(lower(piece))))
	for _, r := range folded {
		if r = fixed(r); r < 0 {
			continue
		}
		if r >= 0x3400 {
			r = planned(variants.of(r), out)
		}
		out = append(out, glyph{r: r, start: start, end: end, class: classOf(r), upper: upper})
	}
	return out
}

// lower folds case. It is simple lower-casing, with the sharp s and the final sigma besides.
func lower(s string) string {
	if strings.ContainsAny(s, "ßẞς") {
		s = strings.NewReplacer("ß", "ss", "ẞ", "ss", "ς", "σ").Replace(s)
	}
	return strings.Map(unicode.ToLower, s)
}

// fixed folds marks that are written in several ways, and returns -1 for characters that cannot
// be seen.
func fixed(r rune) rune {
	switch r {
	case '\u2010', '\u2011', '\u2013', '\u2212':
		return '-'
	case '\u2018', '\u2019', '\u02BC':
		return '\''
	case '\u201C', '\u201D':
		return '"'
	case '\u00AD', '\uFEFF', '\u180E':
		return -1
	}
	if r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F ||
		r >= 0xFE00 && r <= 0xFE0F {
		return -1
	}
	return r
}

// classOf returns the class of a folded character.
func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		return ascii(byte(r), 0).class
	case isIdeograph(r):
		return ideograph
	case unicode.IsLetter(r), unicode.IsMark(r):
		return letter
	case unicode.IsNumber(r):
		return digit
	case unicode.IsSpace(r):
		return space
	}
	return other
}

func isIdeograph(r rune) bool {
	switch {
	case r < 0x3005:
		return false
	case r <= 0x3007:
		return r != 0x3006
	case r < 0x3041:
		return false
	case r <= 0x312F:
		return r != 0x30FB && (r < 0x3097 || r > 0x309C) && r != 0x30A0
	}
	return r >= 0x31F0 && r <= 0x31FF || r >= 0x3400 && r <= 0x4DBF || r >= 0x4E00 && r <= 0x9FFF ||
		r >= 0xAC00 && r <= 0xD7A3 || r >= 0xF900 && r <= 0xFAFF || r >= 0x20000 && r <= 0x323AF
}

// planned folds 畫 in the sense of a plan, which traditional texts write for 劃: after the
// characters that make that sense it becomes 划, as in 計畫 → 计划.
func planned(r rune, before []glyph) rune {
	if r != '画' || len(before) == 0 {
		return r
	}
	switch before[len(before)-1].r {
	case '计', '规', '企', '筹', '策', '谋':
		return '划'
	}
	return r
}

//go:embed variants.txt
var variantText string

// variantMap holds the simplified form of each traditional or variant character. In basic, 0
// stands for none, and elsewhere for a form that rest holds.
type variantMap struct {
	basic [0xA000 - 0x3400]uint16
	rest  map[rune]rune
}

const elsewhere = 1

func (m *variantMap) of(r rune) rune {
	if r >= 0x3400 && r < 0xA000 {
		switch v := m.basic[r-0x3400]; v {
		case 0:
			return r
		case elsewhere:
		default:
			return rune(v)
		}
	}
	if v, ok := m.rest[r]; ok {
		return v
	}
	return r
}

var variantTable = sync.OnceValue(func() *variantMap {
	m := &variantMap{rest: map[rune]rune{}}
	for line := range strings.Lines(variantText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		target, size := utf8.DecodeRuneInString(line)
		for _, r := range line[size:] {
			switch basic := r >= 0x3400 && r < 0xA000; {
			case basic && target < 0x10000:
				m.basic[r-0x3400] = uint16(target)
			case basic:
				m.basic[r-0x3400] = elsewhere
				m.rest[r] = target
			default:
				m.rest[r] = target
			}
		}
	}
	return m
})
