package dxf

import (
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/drawing"
)

// tag is one pair of a drawing: a group code and its value. Line is the line of the code.
type tag struct {
	code  int
	value string
	line  int
}

// is reports whether the tag begins something of that name.
func (t tag) is(name string) bool { return t.code == 0 && strings.EqualFold(t.name(), name) }

// name is the value as a name: without the spaces that some programs put around it.
func (t tag) name() string { return strings.TrimSpace(t.value) }

// whole is the value as a whole number; 0 for one that is none.
func (t tag) whole() int {
	n, err := strconv.Atoi(t.name())
	if err != nil {
		return 0
	}
	return n
}

// number is the value as a number; 0 for one that is none, or is beyond any drawing.
func (t tag) number() float64 {
	n, err := strconv.ParseFloat(t.name(), 64)
	if err != nil || !(n > -drawing.Farthest && n < drawing.Farthest) {
		return 0
	}
	return n
}

// scanner reads the tags of a drawing one by one.
type scanner struct {
	rest string
	line int
	// damaged is the line at which no tag could be read; 0 while all could.
	damaged int
}

// next returns the next tag; false at the end, or where the file is damaged.
func (s *scanner) next() (tag, bool) {
	for {
		code, ok := s.text()
		if !ok {
			return tag{}, false
		}
		t := tag{line: s.line}
		var err error
		if t.code, err = strconv.Atoi(strings.TrimSpace(code)); err != nil {
			if strings.TrimSpace(code) != "" || strings.TrimSpace(s.rest) != "" {
				s.damaged = t.line
			}
			s.rest = ""
			return tag{}, false
		}
		if t.value, ok = s.text(); !ok {
			s.damaged = t.line
			return tag{}, false
		}
		if t.code != 999 { // a comment
			return t, true
		}
	}
}

// text returns the next line without its end.
func (s *scanner) text() (string, bool) {
	if s.rest == "" {
		return "", false
	}
	line, rest, _ := strings.Cut(s.rest, "\n")
	s.rest = rest
	s.line++
	return strings.TrimSuffix(line, "\r"), true
}
