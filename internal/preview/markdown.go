package preview

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
)

// markdown returns the looks of a block of Markdown: its marks, and what stands between them. It is
// nil for a block of any other format.
func (r *renderer) markdown(b corpus.Block) []run {
	if !isMarkdown(b) {
		return nil
	}
	var out []run
	var content []corpus.Span
	for i, s := range b.Segments {
		span := r.shown(s.Span)
		if span.Len() <= 0 {
			continue
		}
		text := span
		if span.Start == s.Span.Start {
			text.Start += r.marked(b, i)
		}
		if b.Kind == corpus.Heading && span.End == s.Span.End {
			text.End -= utf8.RuneCountInString(sharpsAfter.FindString(r.line(corpus.Segment{Span: text})))
		}
		out = append(append(out, marks(span.Start, text.Start)...), marks(text.End, span.End)...)
		content = append(content, text)
	}
	return weave(out, r.comments(b, content), r.inline(content))
}

// marks returns the characters from one place to another as marks.
func marks(from, to int) []run {
	if to <= from {
		return nil
	}
	return []run{{corpus.Span{Start: from, End: to}, look{kind: mark}}}
}

// marked returns how many characters of a line are marks of its block.
func (r *renderer) marked(b corpus.Block, i int) int {
	line := r.line(b.Segments[i])
	pattern := indented
	switch {
	case b.Kind == corpus.Heading && i > 0 && i == len(b.Segments)-1 && strings.Trim(line, "=- \t") == "":
		return utf8.RuneCountInString(line)
	case b.Kind == corpus.Heading && len(b.Segments) == 1:
		pattern = sharps
	case b.Kind == corpus.ListItem && i == 0:
		pattern = bullets
	case b.Kind == corpus.Quote:
		pattern = quotes
	}
	return utf8.RuneCountInString(pattern.FindString(line))
}

// The marks at the beginning of a line.
var (
	sharps   = regexp.MustCompile(`^[ \t]*#{1,6}(?:[ \t]+|$)`)
	bullets  = regexp.MustCompile(`^[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)){1,32}`)
	quotes   = regexp.MustCompile(`^[ \t]*(?:>[ \t]?)+`)
	indented = regexp.MustCompile(`^[ \t]+`)
)

// sharpsAfter are the marks that close a heading.
var sharpsAfter = regexp.MustCompile(`(?:^|[ \t]+)#+[ \t]*$`)

// comments returns the Markdown comments at the beginning of a paragraph: definitions of references
// that lead nowhere, whose titles a reader of Markdown never sees.
func (r *renderer) comments(b corpus.Block, content []corpus.Span) []run {
	if b.Kind != corpus.Paragraph || len(content) == 0 || content[0].Start != b.Segments[0].Span.Start {
		return nil
	}
	buf, at := r.join(content)
	end := 0
	for {
		n := len(nowhere.FindString(buf[end:]))
		if n == 0 {
			break
		}
		end += n
	}
	if end = len(strings.TrimRight(buf[:end], "\n")); end == 0 {
		return nil
	}
	return []run{{corpus.Span{Start: content[0].Start, End: at[end-1] + 1}, look{kind: comment}}}
}

var nowhere = regexp.MustCompile(`^ {0,3}\[(?:[^\[\]\\]|\\.)+\]:[ \t]*\n?[ \t]*(?:#|<>)(?:[ \t]*\n?[ \t]*` +
	`(?:\((?:[^()\\]|\\.)*\)|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))?[ \t]*(?:\n|$)`)

// join returns the text of some lines, and for each byte of it the character that it is of.
func (r *renderer) join(lines []corpus.Span) (string, []int) {
	var b strings.Builder
	var at []int
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
			at = append(at, l.Start)
		}
		for c := l.Start; c < l.End; c++ {
			n, _ := b.WriteRune(r.text[c-r.span.Start])
			for range n {
				at = append(at, c)
			}
		}
	}
	return b.String(), at
}

// weave puts runs in order. Where two lie over each other, the earlier list is kept.
func weave(lists ...[]run) []run {
	var out []run
	for _, list := range lists {
		out = merge(out, list)
	}
	return out
}

func merge(kept, more []run) []run {
	out := make([]run, 0, len(kept)+len(more))
	for _, m := range more {
		for len(kept) > 0 && kept[0].span.Start < m.span.End {
			k := kept[0]
			if k.span.Start > m.span.Start {
				out = append(out, run{corpus.Span{Start: m.span.Start, End: k.span.Start}, m.look})
			}
			if k.span.End > m.span.End {
				m.span.Start = m.span.End
				break
			}
			out, kept = append(out, k), kept[1:]
			m.span.Start = max(m.span.Start, k.span.End)
		}
		if m.span.Len() > 0 {
			out = append(out, m)
		}
	}
	return append(out, kept...)
}
