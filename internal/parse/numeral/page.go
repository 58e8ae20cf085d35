package numeral

import (
	"math"
	"strconv"
	"strings"
)

// Attributes are what a list with numbers on a page, or one of its items, says of them.
type Attributes struct {
	Start, Value       string // of a list, and of an item
	Form               string // the attribute type, or that of a style
	Reversed, Unmarked bool
}

// Take reads an attribute that bears on numbers.
func (c *Attributes) Take(key, value string) {
	switch key {
	case "start":
		c.Start = value
	case "value":
		c.Value = value
	case "type":
		c.Form = value
	case "reversed":
		c.Reversed = true
	case "style":
		for declaration := range strings.SplitSeq(strings.ToLower(value), ";") {
			if name, said, ok := strings.Cut(declaration, ":"); ok && (strings.TrimSpace(name) == "list-style" || strings.TrimSpace(name) == "list-style-type") {
				c.style(said)
			}
		}
	}
}

// style takes what a style says of the marks of a list.
func (c *Attributes) style(said string) {
	for word := range strings.FieldsSeq(said) {
		switch word {
		case "none", "disc", "circle", "square":
			c.Unmarked = true
		case "decimal", "lower-alpha", "lower-latin", "upper-alpha", "upper-latin", "lower-roman", "upper-roman", "cjk-ideographic", "simp-chinese-informal", "trad-chinese-informal":
			c.Form, c.Unmarked = word, false
		}
	}
}

// Number reads a number as an attribute has it.
func Number(s string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil && n > math.MinInt32 && n < math.MaxInt32
}

// Marker is what stands before an item of a number, in a form of the attribute or of the style.
func Marker(n int, form string) string {
	switch form {
	case "a", "lower-alpha", "lower-latin":
		return alphabetic(n, 'a') + "."
	case "A", "upper-alpha", "upper-latin":
		return alphabetic(n, 'A') + "."
	case "i", "lower-roman":
		return Of(n, "lowerRoman") + "."
	case "I", "upper-roman":
		return Of(n, "upperRoman") + "."
	case "cjk-ideographic", "simp-chinese-informal", "trad-chinese-informal":
		return Of(n, "chineseCounting") + "、"
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
