package parse

import (
	"math"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/numeral"
)

// counting is what a list with numbers, or one of its items, says of them.
type counting struct {
	start, value       string // of a list, and of an item
	form               string // the attribute type
	reversed, unmarked bool
}

// list is an open list; one without numbers has no form.
type list struct {
	next, step int
	form       string
}

// item is an open item of a list. Its number is written before what is first seen of it.
type item struct {
	mark  string
	outer *item // the item around it
	done  bool  // its number stands in the text, and so do those around it
}

// take reads an attribute that bears on numbers.
func (c *counting) take(key, value string) {
	switch key {
	case "start":
		c.start = value
	case "value":
		c.value = value
	case "type":
		c.form = value
	case "reversed":
		c.reversed = true
	case "style":
		for declaration := range strings.SplitSeq(strings.ToLower(value), ";") {
			if name, said, ok := strings.Cut(declaration, ":"); ok && (strings.TrimSpace(name) == "list-style" || strings.TrimSpace(name) == "list-style-type") {
				c.style(said)
			}
		}
	}
}

// style takes what a style says of the marks of a list.
func (c *counting) style(said string) {
	for word := range strings.FieldsSeq(said) {
		switch word {
		case "none", "disc", "circle", "square":
			c.unmarked = true
		case "decimal", "lower-alpha", "lower-latin", "upper-alpha", "upper-latin", "lower-roman", "upper-roman", "cjk-ideographic", "simp-chinese-informal", "trad-chinese-informal":
			c.form, c.unmarked = word, false
		}
	}
}

// number reads a number as an attribute has it.
func number(s string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil && n > math.MinInt32 && n < math.MaxInt32
}

// enlist sets what a list, or an item of one, means for what is in it. What is not seen is not counted.
func (p *page) enlist(f *frame, c counting) {
	switch f.name {
	case "ol":
		items := 0
		if p.listed <= len(p.lists) {
			items = p.lists[p.listed-1]
		}
		f.list = &list{next: 1, step: 1, form: c.form}
		if c.reversed {
			f.list.next, f.list.step = items, -1
		}
		if n, ok := number(c.start); ok {
			f.list.next = n
		}
		if c.unmarked {
			f.list.form = "none"
		} else if f.list.form == "" {
			f.list.form = "1"
		}
	case "ul", "menu", "dir":
		f.list = nil
	case "li":
		if f.skip {
			return
		}
		f.item = &item{outer: f.item}
		l := f.list
		if l == nil {
			return
		}
		if n, ok := number(c.value); ok {
			l.next = n
		}
		form := l.form
		if c.form != "" && form != "none" {
			form = c.form
		}
		if form != "none" && !c.unmarked {
			f.item.mark = numbered(l.next, form)
		}
		l.next += l.step
	}
}

// numbered writes a number in a form of the attribute or of the style.
func numbered(n int, form string) string {
	switch form {
	case "a", "lower-alpha", "lower-latin":
		return alphabetic(n, 'a') + "."
	case "A", "upper-alpha", "upper-latin":
		return alphabetic(n, 'A') + "."
	case "i", "lower-roman":
		return numeral.Of(n, "lowerRoman") + "."
	case "I", "upper-roman":
		return numeral.Of(n, "upperRoman") + "."
	case "cjk-ideographic", "simp-chinese-informal", "trad-chinese-informal":
		return numeral.Of(n, "chineseCounting") + "、"
	}
	return strconv.Itoa(n) + "."
}

// alphabetic counts a, b … z, aa, ab.
func alphabetic(n int, first byte) string {
	if n < 1 {
		return strconv.Itoa(n)
	}
	var out []byte
	for ; n > 0; n = (n - 1) / 26 {
		out = append([]byte{first + byte((n-1)%26)}, out...)
	}
	return string(out)
}

// marksOf are the numbers that stand before the next character of a frame. They come from the place of that
// character, so that who opens it reads the number too. Code stays what it is.
func (p *page) marksOf(f *frame) string {
	var marks string
	for i := f.item; i != nil && !i.done; i = i.outer {
		if i.done = true; i.mark != "" {
			marks = i.mark + " " + marks
		}
	}
	if f.pre {
		return ""
	}
	return marks
}
