package analysis

import (
	"strconv"
	"strings"
)

// maxFigure bounds the characters of one number.
const maxFigure = 24

// numeral returns the value of a digit in words, -1 if the character is none.
func numeral(r rune) int {
	switch r {
	case '〇', '零':
		return 0
	case '一':
		return 1
	case '二', '两':
		return 2
	case '三':
		return 3
	case '四':
		return 4
	case '五':
		return 5
	case '六':
		return 6
	case '七':
		return 7
	case '八':
		return 8
	case '九':
		return 9
	case '十':
		return 10
	}
	return -1
}

// magnitude returns by how many places a unit moves a number, 0 if the character is none.
func magnitude(r rune) int {
	switch r {
	case '十':
		return 1
	case '百':
		return 2
	case '千':
		return 3
	case '万':
		return 4
	case '亿':
		return 8
	}
	return 0
}

// amount is a number: whole·10^-places.
type amount struct {
	whole  int64
	places int
	words  bool // it has a character that is no plain digit
}

// text returns the number in plain digits.
func (n amount) text() string {
	out := strconv.FormatInt(n.whole, 10)
	if n.places == 0 {
		return out
	}
	if len(out) <= n.places {
		out = strings.Repeat("0", n.places-len(out)+1) + out
	}
	out = out[:len(out)-n.places] + "." + out[len(out)-n.places:]
	return strings.TrimSuffix(strings.TrimRight(out, "0"), ".")
}

// moved returns the number with its point so many places to the right.
func (n amount) moved(places int) amount {
	for ; places > 0; places-- {
		if n.places > 0 {
			n.places--
		} else {
			n.whole *= 10
		}
	}
	return n
}

// most bounds numbers, so that no sum overflows.
const most = 1_000_000_000_000_000

// number reads the number that begins at i, in digits or in words, and returns its end; i if there
// is none, or none that can be known.
func (s *scanner) number(i int) (amount, int) {
	if i < len(s.glyphs) && s.glyphs[i].class == digit && s.glyphs[i].r < 0x80 {
		return s.digits(i)
	}
	if n, end := s.positional(i); end > i {
		return n, end
	}
	return s.spelled(i)
}

// digits reads plain digits with commas and a point, and the unit after them: 3,000, 3.5亿.
func (s *scanner) digits(i int) (amount, int) {
	n, end := amount{}, i
	point := false
	for ; end < len(s.glyphs) && end-i < maxFigure; end++ {
		g := s.glyphs[end]
		switch {
		case g.class == digit && g.r < 0x80:
			if n.whole > most/10 {
				return n, i
			}
			n.whole = n.whole*10 + int64(g.r-'0')
			if point {
				n.places++
			}
			continue
		case g.r == ',' && !point && end > i && s.thousands(end):
			continue
		case g.r == '.' && !point && end+1 < len(s.glyphs) && s.glyphs[end+1].class == digit:
			point = true
			continue
		}
		break
	}
	for end < len(s.glyphs) && magnitude(s.glyphs[end].r) > 1 && n.whole < most/100_000_000 {
		n = n.moved(magnitude(s.glyphs[end].r))
		n.words = true
		end++
	}
	return n, end
}

// positional reads digits in words one after another: 二〇二三, 三点一四.
func (s *scanner) positional(i int) (amount, int) {
	n, end := amount{words: true}, i
	point := false
	for ; end < len(s.glyphs) && end-i < maxFigure; end++ {
		v := numeral(s.glyphs[end].r)
		if v >= 0 && v < 10 {
			if n.whole > most/10 {
				return n, i
			}
			n.whole = n.whole*10 + int64(v)
			if point {
				n.places++
			}
			continue
		}
		if s.glyphs[end].r == '点' && !point && end > i && end+1 < len(s.glyphs) && numeral(s.glyphs[end+1].r) >= 0 && numeral(s.glyphs[end+1].r) < 10 {
			point = true
			continue
		}
		break
	}
	next := end
	if end-i == 1 {
		next = s.blank(end)
	}
	if next < len(s.glyphs) && magnitude(s.glyphs[next].r) > 0 {
		return n, i
	}
	if end-i == 2 && !point {
		return n, i // 三四天 is no number
	}
	return n, end
}

// spelled reads a number with units: 三千, 一百二十三, 十五, 两万三千. A space may stand
// before a unit.
func (s *scanner) spelled(i int) (amount, int) {
	var n count
	end := i
	for k := i; k < len(s.glyphs) && k-i < maxFigure; k++ {
		if k > i && s.glyphs[k].class == space && k+1 < len(s.glyphs) && magnitude(s.glyphs[k+1].r) > 0 {
			k++
		}
		if !n.take(s.glyphs[k].r) {
			break
		}
		end = k + 1
	}
	if end == i {
		return amount{}, i
	}
	return amount{whole: n.value(), words: true}, end
}

// count is a spelled number while it is read: the parts with 亿 and with 万, the part after them,
// and a digit that waits for its unit.
type count struct {
	high, middle, section, digit int64
	waits, begun                 bool
}

func (c *count) value() int64 { return c.high + c.middle + c.section + c.digit }

// take adds a character, and reports whether the number can go on with it.
func (c *count) take(r rune) bool {
	unit := amount{whole: 1}.moved(magnitude(r)).whole
	switch v := numeral(r); {
	case v == 0 && c.begun:
	case v > 0 && v < 10 && !c.waits:
		c.digit, c.waits = int64(v), true
	case unit == 10 && !c.waits && c.section == 0:
		c.section = 10
	case unit > 1 && unit < 10_000 && c.waits:
		c.section, c.digit, c.waits = c.section+c.digit*unit, 0, false
	case unit == 10_000 && c.section+c.digit > 0 && c.middle == 0:
		c.middle, c.section, c.digit, c.waits = (c.section+c.digit)*unit, 0, 0, false
	case unit > 10_000 && c.value() > 0 && c.high == 0:
		c.high, c.middle, c.section, c.digit, c.waits = c.value()*unit, 0, 0, 0, false
	default:
		return false
	}
	c.begun = true
	return true
}
