package analysis

import (
	"strconv"
	"strings"
)

// maxFigure bounds the characters of one number in words.
const maxFigure = 24

// figures appends the values of numbers that are not written in plain digits, and dates.
func (s *scanner) figures() {
	for i := 0; i < len(s.glyphs); {
		g := s.glyphs[i]
		if g.class != digit && g.class != letter && g.r != '百' && numeral(g.r) < 0 {
			i++
			continue
		}
		if end := s.date(i); end > i {
			i = end
			continue
		}
		switch {
		case g.r == '百' && s.reads(i, []rune("百分之")) > i:
			i = s.hundredths(i)
		case g.class == digit && s.starts(i) || numeral(g.r) >= 0:
			i = s.figure(i)
		default:
			i++
		}
	}
}

// starts reports whether a number in digits begins at i, and not inside a word or another number.
func (s *scanner) starts(i int) bool {
	if i == 0 {
		return true
	}
	switch before := s.glyphs[i-1]; {
	case before.class == letter, before.class == digit:
		return false
	case before.r == '.' || before.r == ',' || before.r == '-' || before.r == '/' || before.r == '_' || before.r == ':':
		return i < 2 || s.glyphs[i-2].class != digit && s.glyphs[i-2].class != letter
	}
	return true
}

// hundredths takes 百分之 and a number, and returns its end.
func (s *scanner) hundredths(i int) int {
	from := i + len("百分之")/3
	if n, end := s.number(from); end > from {
		s.add(n.text()+"%", i, end, Numeral, -1)
		return end
	}
	return from
}

// figure takes the number that begins at i, and returns its end: its value if it is written in
// words, a share if a percent sign follows, and the place that it has in a law or a book.
func (s *scanner) figure(i int) int {
	n, end := s.number(i)
	if end == i {
		return i + 1
	}
	value := n.text()
	place := ""
	if i > 0 && s.glyphs[i-1].r == '第' && end < len(s.glyphs) && strings.ContainsRune("条款章节项编篇页届次号期卷部回步级", s.glyphs[end].r) {
		place = "第" + value + string(s.glyphs[end].r)
	}
	if to := s.percent(end); to > end {
		s.add(value+"%", i, to, Numeral, -1)
		return to
	}
	if place != "" {
		s.add(place, i-1, end+1, Numeral, -1)
	}
	if n.words && (place != "" || end-i > 1 || s.counted(end, s.glyphs[i].r)) {
		s.add(value, i, end, Numeral, -1)
	}
	return end
}

// counted reports whether a unit stands at i, so that the single character before it is a number
// and not a part of a word. 一个 and its like are articles, as a rule.
func (s *scanner) counted(i int, number rune) bool {
	if i >= len(s.glyphs) || i > 1 && numeral(s.glyphs[i-2].r) >= 0 {
		return false
	}
	unit := s.glyphs[i].r
	return strings.ContainsRune("年月日天元章节岁倍页周层楼", unit) || number != '一' && strings.ContainsRune("个人次名件份种家位台套条款项", unit)
}

// percent returns the end of the percent sign, or of the word, that stands at i; i if none does.
func (s *scanner) percent(i int) int {
	if i < len(s.glyphs) && s.glyphs[i].r == '%' {
		return i + 1
	}
	if i >= len(s.glyphs) || s.glyphs[i].class != space {
		return i
	}
	for _, word := range []string{" percent", " per cent", " %"} {
		if end := s.reads(i, []rune(word)); end > i && (end == len(s.glyphs) || !torn(s.glyphs[end-1], s.glyphs[end])) {
			return end
		}
	}
	return i
}

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
