package analysis

import (
	"fmt"
	"strings"
)

// date appends the day, or the month, that is written at i, and the month of a day, and the year
// where it is in words, and returns the end; i if none is. A day is written 2023年5月1日, 2023-05-01, 2023/5/1, 2023.5.1,
// May 1, 2023 or 1 May 2023; a month without its day.
func (s *scanner) date(i int) int {
	if i > 0 && torn(s.glyphs[i-1], s.glyphs[i]) {
		return i
	}
	forms := []func(*scanner, int) (calendar, int){(*scanner).chineseDate, (*scanner).numericDate, (*scanner).monthFirst, (*scanner).dayFirst}
	if s.glyphs[i].class == letter {
		forms = forms[2:3] // the others begin with a number
	}
	for _, read := range forms {
		c, end := read(s, i)
		if end == i || !c.exists() || end < len(s.glyphs) && torn(s.glyphs[end-1], s.glyphs[end]) {
			continue
		}
		month := fmt.Sprintf("%04d-%02d", c.year, c.month)
		if c.day > 0 {
			s.add(fmt.Sprintf("%s-%02d", month, c.day), i, end, Date, -1)
		}
		s.add(month, i, end, Date, -1)
		if numeral(s.glyphs[i].r) >= 0 {
			s.add(fmt.Sprint(c.year), i, end, Numeral, -1)
		}
		return end
	}
	return i
}

// calendar is a day, or a month if the day is 0.
type calendar struct{ year, month, day int }

func (c calendar) exists() bool {
	return c.year >= 1000 && c.year <= 9999 && c.month >= 1 && c.month <= 12 && c.day >= 0 && c.day <= 31
}

// small returns the whole number at i if it is below ten thousand, and its end; i if there is none.
func (s *scanner) small(i int) (int, int) {
	if i >= len(s.glyphs) {
		return 0, i
	}
	if s.glyphs[i].class == digit && s.glyphs[i].r < 0x80 {
		n, end := 0, i
		for ; end < len(s.glyphs) && s.glyphs[end].class == digit && s.glyphs[end].r < 0x80; end++ {
			if n = n*10 + int(s.glyphs[end].r-'0'); n > 9999 {
				return 0, i
			}
		}
		return n, end
	}
	n, end := s.number(i)
	if n.whole > 9999 || n.places > 0 {
		return 0, i
	}
	return int(n.whole), end
}

// mark returns the place after the character that stands at i, white space before it left out; i
// if another does.
func (s *scanner) mark(i int, r rune) int {
	k := s.blank(i)
	if k < len(s.glyphs) && s.glyphs[k].r == r {
		return k + 1
	}
	return i
}

func (s *scanner) blank(i int) int {
	for i < len(s.glyphs) && s.glyphs[i].class == space {
		i++
	}
	return i
}

func (s *scanner) chineseDate(i int) (c calendar, end int) {
	if s.glyphs[i].class != digit && numeral(s.glyphs[i].r) < 0 {
		return c, i
	}
	year, at := s.small(i)
	next := s.mark(at, '年')
	if at == i || next == at {
		return c, i
	}
	from := s.blank(next)
	month, at := s.small(from)
	next = s.mark(at, '月')
	if at == from || next == at {
		return c, i
	}
	c = calendar{year, month, 0}
	from = s.blank(next)
	day, at := s.small(from)
	if to := s.mark(at, '日'); at > from && to > at {
		c.day = day
		return c, to
	}
	if to := s.mark(at, '号'); at > from && to > at {
		c.day = day
		return c, to
	}
	return c, next
}

func (s *scanner) numericDate(i int) (c calendar, end int) {
	if s.glyphs[i].class != digit {
		return c, i
	}
	year, at := s.small(i)
	if at-i != 4 || at+1 >= len(s.glyphs) {
		return c, i
	}
	sign := s.glyphs[at].r
	if sign != '-' && sign != '/' && sign != '.' {
		return c, i
	}
	month, next := s.small(at + 1)
	if next == at+1 || next-at > 3 {
		return c, i
	}
	if next >= len(s.glyphs) || s.glyphs[next].r != sign {
		if sign == '-' && next-at == 3 {
			return calendar{year, month, 0}, next
		}
		return c, i
	}
	day, end := s.small(next + 1)
	if end == next+1 || end-next > 3 || day == 0 {
		return c, i
	}
	return calendar{year, month, day}, end
}

// monthFirst reads "May 1, 2023", "May 1st 2023" and "May 2023".
func (s *scanner) monthFirst(i int) (c calendar, end int) {
	month, at := s.monthName(i)
	if month == 0 {
		return c, i
	}
	from := s.blank(at)
	n, at := s.small(from)
	if at-from == 4 {
		return calendar{n, month, 0}, at
	}
	if at == from || n == 0 {
		return c, i
	}
	at = s.ordinal(at)
	if next := s.mark(at, ','); next > at {
		at = next
	}
	from = s.blank(at)
	year, end := s.small(from)
	if from == at && s.glyphs[at-1].r != ',' || end-from != 4 {
		return c, i
	}
	return calendar{year, month, n}, end
}

// dayFirst reads "1 May 2023" and "1st of May, 2023".
func (s *scanner) dayFirst(i int) (c calendar, end int) {
	if s.glyphs[i].class != digit {
		return c, i
	}
	day, at := s.small(i)
	if at == i || day == 0 {
		return c, i
	}
	at = s.blank(s.ordinal(at))
	if next := s.reads(at, []rune("of ")); next > at {
		at = next
	}
	month, next := s.monthName(at)
	if month == 0 {
		return c, i
	}
	if to := s.mark(next, ','); to > next {
		next = to
	}
	from := s.blank(next)
	year, end := s.small(from)
	if end-from != 4 {
		return c, i
	}
	return calendar{year, month, day}, end
}

// ordinal returns the end of the letters of "1st" at i, i if there are none.
func (s *scanner) ordinal(i int) int {
	for _, letters := range []string{"st", "nd", "rd", "th"} {
		if end := s.reads(i, []rune(letters)); end > i && (end == len(s.glyphs) || s.glyphs[end].class != letter) {
			return end
		}
	}
	return i
}

// months are the names of the months; three letters stand for each, and four for September.
var months = [...]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// monthName returns the month whose name stands at i, and its end; 0 if none does.
func (s *scanner) monthName(i int) (int, int) {
	end := i
	if i < len(s.glyphs) && !strings.ContainsRune("jfmasond", s.glyphs[i].r) {
		return 0, i // most words begin as no month does
	}
	for end < len(s.glyphs) && s.glyphs[end].class == letter && end-i < len("september") {
		end++
	}
	if end-i < 3 {
		return 0, i
	}
	word := string(s.bare(i, end))
	for k, name := range months {
		if word == name || word == name[:3] || word == "sept" && k == 8 {
			if end < len(s.glyphs) && s.glyphs[end].r == '.' && word != name {
				end++
			}
			return k + 1, end
		}
	}
	return 0, i
}
