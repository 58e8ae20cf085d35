package parse

import (
	"strings"
	"unicode/utf8"
)

// line is one physical line of a source, without its line end. Byte offsets are b, code points r.
type line struct {
	no     int // from 1
	text   string
	b0, r0 int
	r1     int
}

func (l line) blank() bool { return strings.TrimSpace(l.text) == "" }

// lines walks over the lines of a source. A line ends with LF, CR LF or CR.
type lines struct {
	text string
	b, r int
	no   int
}

// next returns the following line; false after the last one. Text that ends with a line end has
// no empty line after it.
func (s *lines) next() (line, bool) {
	if s.b >= len(s.text) {
		return line{}, false
	}
	rest := s.text[s.b:]
	n := strings.IndexAny(rest, "\r\n")
	end := 1
	switch {
	case n < 0:
		n, end = len(rest), 0
	case rest[n] == '\r' && n+1 < len(rest) && rest[n+1] == '\n':
		end = 2
	}
	s.no++
	l := line{no: s.no, text: rest[:n], b0: s.b, r0: s.r}
	l.r1 = l.r0 + utf8.RuneCountInString(l.text)
	s.b += n + end
	s.r = l.r1 + end
	return l, true
}
