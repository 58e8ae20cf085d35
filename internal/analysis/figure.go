package analysis

import "strings"

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
