package revision

import (
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
)

// unit is the smallest piece that is compared: a sentence, a heading, a list item, a row.
type unit struct {
	span   corpus.Span
	key    string // its text without white space
	weight int    // code points of the key
}

// section is a run of units under one heading path, or one paragraph or row.
type section struct {
	path        []string
	first, last int // units, half-open
	parent      int // the section of the heading above; -1 if there is none
	weight      int
}

// document is a text cut up for comparison.
type document struct {
	text     []rune
	units    []unit
	paths    [][]string // of each unit
	sections []section
	headed   bool // it has headings
	rows     bool // it is a table: every line is a unit
}

// read cuts a text into units and finds the heading path of each.
func read(t corpus.Text) document {
	d := document{text: []rune(t.Text), rows: len(t.Segments) > 0}
	for _, s := range t.Segments {
		d.rows = d.rows && s.Locator != nil && s.Locator.Kind() == "csv"
	}
	spans := analysis.Sentences(t.Text)
	if d.rows {
		spans = lines(d.text)
	}
	at := 0
	for _, s := range spans {
		for at < len(t.Segments) && t.Segments[at].Span.End <= s[0] {
			at++
		}
		var path []string
		if at < len(t.Segments) && t.Segments[at].Span.Start < s[1] {
			path, _ = corpus.Headings(t.Segments[at].Locator)
		}
		key := dense(d.text[s[0]:s[1]])
		if key == "" {
			continue
		}
		d.headed = d.headed || len(path) > 0
		d.paths = append(d.paths, path)
		d.units = append(d.units, unit{span: corpus.Span{Start: s[0], End: s[1]}, key: key, weight: len([]rune(key))})
	}
	return d
}

// lines returns the lines of a text that hold anything.
func lines(text []rune) []analysis.Span {
	var out []analysis.Span
	for i := 0; i < len(text); {
		j := i
		for j < len(text) && text[j] != '\n' {
			j++
		}
		if dense(text[i:j]) != "" {
			out = append(out, analysis.Span{i, j})
		}
		i = j + 1
	}
	return out
}

// dense returns a text without its white space.
func dense(text []rune) string {
	var b strings.Builder
	for _, r := range text {
		if !unicode.IsSpace(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// cut groups the units into sections: by heading path, or else by paragraph and row.
func (d *document) cut(headed bool) {
	var open []int // sections above the one at hand
	for i := range d.units {
		if i > 0 && !d.begins(i, headed) {
			continue
		}
		if n := len(d.sections); n > 0 {
			d.sections[n-1].last = i
		}
		s := section{path: d.paths[i], first: i, parent: -1}
		for len(open) > 0 && !below(s.path, d.sections[open[len(open)-1]].path) {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			s.parent = open[len(open)-1]
		}
		open = append(open, len(d.sections))
		d.sections = append(d.sections, s)
	}
	if n := len(d.sections); n > 0 {
		d.sections[n-1].last = len(d.units)
	}
	for i := range d.sections {
		s := &d.sections[i]
		for _, u := range d.units[s.first:s.last] {
			s.weight += u.weight
		}
	}
}

// begins reports whether a section begins with unit i.
func (d *document) begins(i int, headed bool) bool {
	if headed {
		return pathKey(d.paths[i]) != pathKey(d.paths[i-1])
	}
	ends := 0
	for _, r := range d.text[d.units[i-1].span.End:d.units[i].span.Start] {
		if r == '\n' {
			ends++
		}
	}
	return d.rows || ends > 1
}

// below reports whether a heading path lies below another that names something.
func below(path, above []string) bool {
	return len(above) > 0 && len(path) > len(above) && pathKey(path[:len(above)]) == pathKey(above)
}

// pathKey writes a heading path so that equal ones are equal, whatever their spelling.
func pathKey(path []string) string {
	var b strings.Builder
	for _, p := range path {
		b.WriteString(strings.Join(strings.Fields(analysis.Fold(p)), " "))
		b.WriteByte(0)
	}
	return b.String()
}

// keys are the texts of a section's units.
func (d *document) keys(s section) []string {
	out := make([]string, 0, s.last-s.first)
	for _, u := range d.units[s.first:s.last] {
		out = append(out, u.key)
	}
	return out
}

// whole is the text of a section as one key.
func (d *document) whole(s section) string { return strings.Join(d.keys(s), "\n") }

// span covers a section.
func (d *document) span(s section) corpus.Span {
	return corpus.Span{Start: d.units[s.first].span.Start, End: d.units[s.last-1].span.End}
}

// written is the text of a unit, within bounds.
func (d *document) written(u unit) string {
	text := d.text[u.span.Start:u.span.End]
	if len(text) > maxText {
		return string(text[:maxText]) + "…"
	}
	return string(text)
}

// isHeading reports whether a unit is the heading line of its section.
func (d *document) isHeading(i int) bool {
	path := d.paths[i]
	if len(path) == 0 || i > 0 && pathKey(d.paths[i-1]) == pathKey(path) {
		return false
	}
	return strings.Contains(d.units[i].key, dense([]rune(path[len(path)-1])))
}
