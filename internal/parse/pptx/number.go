package pptx

import (
	"strings"

	"github.com/kaoju/kaoju/internal/parse/numeral"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// levels is how many levels paragraphs have.
const levels = 9

// bullet is what stands before a paragraph: a number of a form, from a start; of the form "" something that is no number.
type bullet struct {
	form  string
	start int
}

// counter numbers the paragraphs of one body of text.
type counter struct {
	style [levels]*bullet // of paragraphs that say nothing themselves
	last  [levels]bullet
	n     [levels]int // the last number; 0 where a list has to begin
}

// readBullet reads what the properties of a paragraph, whose start was read last, say of what stands before it; nil if nothing.
func readBullet(in *ooxml.Reader) (b *bullet, err error) {
	err = in.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "buAutoNum":
			b = &bullet{e.Attr("type"), min(max(e.Int("startAt", 1), 1), 32767)}
		case "buNone", "buChar", "buBlip":
			b = &bullet{}
		}
		return nil
	})
	return b, err
}

// defaults reads the list style of a body of text, whose start was read last.
func (c *counter) defaults(in *ooxml.Reader) error {
	return in.Children(func(e ooxml.Element) (err error) {
		// lvl1pPr to lvl9pPr
		if n := strings.TrimSuffix(strings.TrimPrefix(e.Name, "lvl"), "pPr"); len(n) == 1 && n[0] >= '1' && n[0] <= '9' {
			c.style[n[0]-'1'], err = readBullet(in)
		}
		return err
	})
}

// next counts a paragraph and returns its number as it is printed; "" if it has none. What stands deeper does not end a list;
// what stands higher does, and so does a paragraph of its level without a number, or with one of another form.
func (c *counter) next(level int, own *bullet) string {
	b := own
	if b == nil {
		b = c.style[level]
	}
	for i := level + 1; i < levels; i++ {
		c.n[i] = 0
	}
	if b == nil || b.form == "" {
		c.n[level] = 0
		return ""
	}
	if c.n[level] == 0 || c.last[level] != *b {
		c.n[level] = b.start - 1
	}
	c.n[level]++
	c.last[level] = *b
	return printed(c.n[level], b.form)
}

// forms are the numbers in the names of forms; what stands around a number is the end of the name.
var forms = []struct{ prefix, format string }{
	{"alphaLc", "lowerLetter"}, {"alphaUc", "upperLetter"}, {"romanLc", "lowerRoman"}, {"romanUc", "upperRoman"},
	{"arabicDb", "decimalFullWidth"}, {"arabic", "decimal"}, {"circleNum", "decimalEnclosedCircle"},
	{"ea1JpnKor", "ideographDigital"}, {"ea1Jpn", "japaneseCounting"}, {"ea1Ch", "chineseCounting"}, {"hindi", "decimal"}, {"thai", "decimal"},
}

// printed writes a number in a form of automatic numbering.
func printed(n int, form string) string {
	s := numeral.Of(n, "decimal")
	for _, f := range forms {
		if strings.HasPrefix(form, f.prefix) {
			s = numeral.Of(n, f.format)
			break
		}
	}
	switch {
	case strings.HasSuffix(form, "ParenBoth"):
		return "(" + s + ")"
	case strings.HasSuffix(form, "ParenR"):
		return s + ")"
	case strings.HasSuffix(form, "Period"):
		return s + "."
	case strings.HasSuffix(form, "Minus"):
		return s + "-"
	}
	return s
}
