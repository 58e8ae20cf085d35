package dxf

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// decoder takes the codes out of a text of a drawing.
type decoder struct {
	in  string
	out strings.Builder
	// symbols says that the letters are those of the font for tolerances.
	symbols bool
	// fonts are those of the groups around the place, innermost last.
	fonts []bool
}

// plain reads the text of a TEXT or an attribute.
func plain(s string) string {
	d := decoder{in: s}
	for d.in != "" {
		if !d.escape() && !d.percent() && !d.caret() {
			d.letter()
		}
	}
	return d.out.String()
}

// rich reads the text of an MTEXT, with its codes for fonts, heights, colours and stacks.
func rich(s string) string {
	d := decoder{in: s}
	for d.in != "" {
		switch {
		case d.escape(), d.percent(), d.caret(), d.format():
		case d.in[0] == '{':
			if len(d.fonts) < mostGroups {
				d.fonts = append(d.fonts, d.symbols)
			}
			d.in = d.in[1:]
		case d.in[0] == '}':
			if n := len(d.fonts); n > 0 {
				d.symbols, d.fonts = d.fonts[n-1], d.fonts[:n-1]
			}
			d.in = d.in[1:]
		default:
			d.letter()
		}
	}
	return d.out.String()
}

// parted stands between the parts of a tolerance.
const parted = " | "

// mostGroups bounds the groups in one another whose fonts are remembered.
const mostGroups = 64

// letter writes the next character.
func (d *decoder) letter() {
	r, n := utf8.DecodeRuneInString(d.in)
	if symbol, ok := tolerance[r]; ok && d.symbols {
		r = symbol
	}
	d.out.WriteRune(r)
	d.in = d.in[n:]
}

// tolerance is what letters of the font for tolerances show.
var tolerance = map[rune]rune{
	'a': '∠', 'b': '⊥', 'c': '⏥', 'd': '⌓', 'e': '○', 'f': '∥', 'g': '⌭', 'h': '↗', 'i': '⌯', 'j': '⌖', 'k': '⌒',
	'l': 'Ⓛ', 'm': 'Ⓜ', 'n': 'Ø', 'p': 'Ⓟ', 'r': '◎', 's': 'Ⓢ', 't': '⌰', 'u': '⏤',
}

// escape reads \U+XXXX and \M+NXXXX, which stand for one character; false if there is none.
func (d *decoder) escape() bool {
	if len(d.in) < 7 || d.in[0] != '\\' || d.in[2] != '+' {
		return false
	}
	switch d.in[1] {
	case 'U', 'u':
		r, ok := hex(d.in[3:7])
		if !ok {
			return false
		}
		d.in = d.in[7:]
		if utf16.IsSurrogate(rune(r)) && len(d.in) >= 7 && (d.in[0] == '\\' && d.in[2] == '+') {
			if low, ok := hex(d.in[3:7]); ok {
				if both := utf16.DecodeRune(rune(r), rune(low)); both != utf8.RuneError {
					d.out.WriteRune(both)
					d.in = d.in[7:]
					return true
				}
			}
		}
		d.out.WriteRune(rune(r))
		return true
	case 'M', 'm':
		if len(d.in) < 8 {
			return false
		}
		page := pages[d.in[3]]
		n, ok := hex(d.in[4:8])
		if page == nil || !ok {
			return false
		}
		text, err := page.NewDecoder().Bytes([]byte{byte(n >> 8), byte(n)})
		if err != nil {
			return false
		}
		d.out.Write(text)
		d.in = d.in[8:]
		return true
	}
	return false
}

// pages are the encodings that \M+ counts.
var pages = map[byte]encoding.Encoding{
	'1': japanese.ShiftJIS, '2': traditionalchinese.Big5, '3': korean.EUCKR, '5': simplifiedchinese.GBK,
}

func hex(s string) (uint16, bool) {
	n, err := strconv.ParseUint(s, 16, 16)
	return uint16(n), err == nil
}

// percent reads the codes that begin with %%; false if there is none.
func (d *decoder) percent() bool {
	if len(d.in) < 3 || d.in[:2] != "%%" {
		return false
	}
	n := 3
	switch d.in[2] {
	case 'd', 'D':
		d.out.WriteRune('°')
	case 'p', 'P':
		d.out.WriteRune('±')
	case 'c', 'C':
		d.out.WriteRune('Ø')
	case '%':
		d.out.WriteByte('%')
	case 'v', 'V': // between the parts of a tolerance
		d.out.WriteString(parted)
	case 'u', 'U', 'o', 'O', 'k', 'K': // lines under, over and through
	default:
		digits := 0
		for digits < 3 && 2+digits < len(d.in) && d.in[2+digits] >= '0' && d.in[2+digits] <= '9' {
			digits++
		}
		code, err := strconv.Atoi(d.in[2 : 2+digits])
		if err != nil || code < ' ' || code > 255 {
			return false
		}
		d.out.WriteRune(rune(code))
		n = 2 + digits
	}
	d.in = d.in[n:]
	return true
}

// caret reads ^I and the like, which stand for control characters; false if there is none.
func (d *decoder) caret() bool {
	if len(d.in) < 2 || d.in[0] != '^' {
		return false
	}
	switch d.in[1] {
	case 'I':
		d.out.WriteByte('\t')
	case 'J':
		d.out.WriteByte('\n')
	case 'M':
	case ' ':
		d.out.WriteByte('^')
	default:
		return false
	}
	d.in = d.in[2:]
	return true
}

// format reads a code of an MTEXT that begins with a backslash; false if there is none.
func (d *decoder) format() bool {
	if len(d.in) < 2 || d.in[0] != '\\' {
		return false
	}
	switch c := d.in[1]; c {
	case 'P', 'N', 'X':
		d.out.WriteByte('\n')
	case '~':
		d.out.WriteByte(' ')
	case '\\', '{', '}':
		d.out.WriteByte(c)
	case 'L', 'l', 'O', 'o', 'K', 'k':
	case 'S':
		return d.stack()
	case 'f', 'F', 'H', 'W', 'Q', 'T', 'C', 'c', 'A', 'p':
		return d.setting()
	default:
		return false
	}
	d.in = d.in[2:]
	return true
}

// mostSetting bounds the value of a code, so that a backslash in a text takes no more with it.
const mostSetting = 256

// setting leaves out a code with a value, and notes a font.
func (d *decoder) setting() bool {
	end := strings.IndexByte(d.in[:min(len(d.in), mostSetting)], ';')
	if end < 0 {
		return false
	}
	if d.in[1] == 'f' || d.in[1] == 'F' {
		name, _, _ := strings.Cut(strings.ToLower(d.in[2:end]), "|")
		d.symbols = strings.TrimSuffix(name, ".shx") == "gdt"
	}
	d.in = d.in[end+1:]
	return true
}

// stack writes a fraction or a tolerance on one line.
func (d *decoder) stack() bool {
	end := -1
	for i := 2; i < min(len(d.in), mostSetting); i++ {
		if d.in[i] == '\\' {
			i++
		} else if d.in[i] == ';' {
			end = i
			break
		}
	}
	if end < 0 {
		return false
	}
	content := d.in[2:end]
	d.in = d.in[end+1:]
	upper, lower := content, ""
	for i := 0; i < len(content); i++ {
		if content[i] == '\\' {
			i++
		} else if strings.IndexByte("^/#", content[i]) >= 0 {
			upper, lower = content[:i], content[i+1:]
			break
		}
	}
	upper, lower = strings.TrimSpace(plain(unescaped(upper))), strings.TrimSpace(plain(unescaped(lower)))
	if lower == "" || upper == "" {
		d.out.WriteString(upper + lower)
		return true
	}
	if before := d.out.String(); before != "" && before[len(before)-1] >= '0' && before[len(before)-1] <= '9' {
		d.out.WriteByte(' ')
	}
	d.out.WriteString(upper + "/" + lower)
	return true
}

// unescaped takes the backslashes before signs of a stack away.
func unescaped(s string) string {
	return strings.NewReplacer(`\^`, "^", `\/`, "/", `\#`, "#", `\;`, ";", `\\`, `\`).Replace(s)
}
