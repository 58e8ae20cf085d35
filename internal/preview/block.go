package preview

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
)

// block writes block i, or the list or table that begins with it, and returns the number of the
// block after.
func (r *renderer) block(i int) int {
	b := r.doc.blocks[i]
	switch b.Kind {
	case corpus.ListItem:
		return r.list(i)
	case corpus.TableHead, corpus.TableRow:
		return r.table(i)
	}
	span := r.shown(b.Span)
	name := "p"
	switch {
	case b.Kind == corpus.Code || verbatim(b):
		r.element("pre", "", span, "")
		r.WriteString("<code" + r.language(b) + ">")
		r.pieces(b, r.fences(b), noBreak)
		r.WriteString("</code></pre>")
		return i + 1
	case b.Kind == corpus.Heading:
		name = "h" + itoa(min(max(b.Level, 1), 6))
	case b.Kind == corpus.Quote:
		name = "blockquote"
	}
	r.element(name, rowAnchor(b), span, "")
	r.pieces(b, r.markdown(b), breaksOf(b))
	r.WriteString("</" + name + ">")
	return i + 1
}

// rowAnchor is the anchor of the row that a block stands in, where a sheet has a cell outside of tables.
func rowAnchor(b corpus.Block) string {
	if len(b.Segments) == 0 {
		return ""
	}
	row, _ := above(b.Segments[0].Locator)
	return Anchor(row)
}

func breaksOf(b corpus.Block) breaks {
	if isMarkdown(b) {
		return hardBreak
	}
	return allBreak
}

// isMarkdown reports whether a block holds Markdown, of which the text is the source.
func isMarkdown(b corpus.Block) bool {
	return len(b.Segments) > 0 && b.Segments[0].Locator.Kind() == "md"
}

// verbatim reports whether all of a block is code: raw HTML, or metadata before a text.
func verbatim(b corpus.Block) bool {
	return len(b.Segments) > 0 && !slices.ContainsFunc(b.Segments, func(s corpus.Segment) bool {
		l, ok := s.Locator.(corpus.TextLocator)
		return !ok || !l.InCode
	})
}

// pieces writes the pieces of a block that the stretch has, and what stands between them.
func (r *renderer) pieces(b corpus.Block, looks []run, at breaks) {
	span := r.shown(b.Span)
	r.runs, r.breaks = looks, at
	for _, s := range b.Segments {
		if s.Span.Overlap(span) == 0 {
			continue
		}
		r.write(s.Span.Start, look{})
		r.piece(s, look{})
	}
	r.write(span.End, look{})
	r.runs, r.breaks = nil, noBreak
}

// list writes the list items that follow one another, as far as they stand in the same groups.
func (r *renderer) list(i int) int {
	var open []string
	within := groupsOf(r.doc.blocks[i])
	for ; i < len(r.doc.blocks); i++ {
		b := r.doc.blocks[i]
		if b.Kind != corpus.ListItem || b.Span.Start >= r.span.End || !slices.Equal(groupsOf(b), within) {
			break
		}
		r.write(b.Span.Start, look{})
		level := min(max(b.Level, 1), deepest)
		for len(open) > level {
			r.WriteString("</li></" + open[len(open)-1] + ">")
			open = open[:len(open)-1]
		}
		name, more := r.listKind(b)
		if len(open) == level {
			r.WriteString("</li>")
			if open[level-1] != name {
				r.WriteString("</" + open[level-1] + ">")
				open = open[:level-1]
			}
		}
		for len(open) < level {
			r.WriteString("<" + name + more + ">")
			if open = append(open, name); len(open) < level {
				r.WriteString("<li>")
			}
		}
		r.WriteString("<li>")
		r.pieces(b, r.markdown(b), breaksOf(b))
	}
	for ; len(open) > 0; open = open[:len(open)-1] {
		r.WriteString("</li></" + open[len(open)-1] + ">")
	}
	return i
}

// deepest bounds how far lists stand in one another.
const deepest = 9

// listKind says what list an item begins. Only Markdown numbers its items by markup; elsewhere the
// number is text.
func (r *renderer) listKind(b corpus.Block) (name, more string) {
	if !isMarkdown(b) {
		return "ul", ""
	}
	m := ordered.FindStringSubmatch(r.line(b.Segments[0]))
	if m == nil {
		return "ul", ""
	}
	if n, err := strconv.Atoi(m[1]); err == nil && n != 1 {
		return "ol", ` start="` + itoa(n) + `"`
	}
	return "ol", ""
}

var ordered = regexp.MustCompile(`^[ \t]*([0-9]{1,9})[.)](?:[ \t]|$)`)

// line returns the text of a piece, as far as the stretch has it.
func (r *renderer) line(s corpus.Segment) string {
	span := r.shown(s.Span)
	if span.Len() <= 0 {
		return ""
	}
	return string(r.text[span.Start-r.span.Start : span.End-r.span.Start])
}

// language is the class of a block of code that names its language.
func (r *renderer) language(b corpus.Block) string {
	if !isMarkdown(b) || b.Kind != corpus.Code {
		return ""
	}
	m := fenced.FindStringSubmatch(r.line(b.Segments[0]))
	if m == nil || m[1] == "" {
		return ""
	}
	return ` class="language-` + strings.ToLower(m[1]) + `"`
}

// fenced reads the line before a block of code; the language is "" where it is no plain word.
var fenced = regexp.MustCompile("^[ \t>*+.)0-9-]*(?:`{3,}|~{3,})[ \t]*(?:([A-Za-z0-9+#_.-]{1,40})(?:[ \t].*)?|.*)$")

// fences returns the lines around a block of code as marks.
func (r *renderer) fences(b corpus.Block) []run {
	if !isMarkdown(b) || b.Kind != corpus.Code || len(b.Segments) == 0 {
		return nil
	}
	var out []run
	first, last := b.Segments[0], b.Segments[len(b.Segments)-1]
	if !fenced.MatchString(r.line(first)) {
		return nil
	}
	out = append(out, run{r.shown(first.Span), look{kind: mark}})
	if len(b.Segments) > 1 && closing.MatchString(r.line(last)) {
		out = append(out, run{r.shown(last.Span), look{kind: mark}})
	}
	return out
}

var closing = regexp.MustCompile("^[ \t>]*(?:`{3,}|~{3,})[ \t]*$")
