package chunk

import (
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
)

// contextOf returns what a chunk that begins with the unit repeats from elsewhere, ending with a
// line end, and its length in code points. It takes no more than half of a chunk.
func (c *cutter) contextOf(u unit) (string, int) {
	b := c.blocks[u.block]
	text := ""
	switch {
	case b.Kind == corpus.TableRow && b.Head >= 0 && b.Head < u.block:
		head := c.blocks[b.Head]
		text = c.doc.Text[head.from.b:head.to.b]
		if u.from != b.from {
			text = withKey(text, c.key(b), c.opt.MaxChars/4)
		}
	case b.Kind == corpus.Code && u.from != b.from:
		text = openingFence(c.doc.Text[b.from.b:b.to.b])
	}
	if text == "" {
		return "", 0
	}
	text = shorten(text, c.opt.MaxChars/2, c.opt.MaxBytes/2)
	return text + "\n", utf8.RuneCountInString(text) + 1
}

// key returns the first cell of a row, by which a piece of the row is known.
func (c *cutter) key(b block) string {
	if len(b.Segments) < 2 {
		return ""
	}
	from := c.walk(b.from, b.Segments[0].Span.Start)
	return c.doc.Text[from.b:c.walk(from, b.Segments[0].Span.End).b]
}

// withKey puts the key of a row under its head, if both are short.
func withKey(head, key string, most int) string {
	if key == "" || strings.Contains(key, "\n") || utf8.RuneCountInString(head)+utf8.RuneCountInString(key) > most {
		return head
	}
	return head + "\n" + key + " | …"
}

// openingFence returns the first line of a fenced block; "" for code that has no fence.
func openingFence(code string) string {
	line := firstLine(code)
	if isFence(line) {
		return line
	}
	return ""
}

func firstLine(s string) string {
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		return s[:i]
	}
	return s
}

// isFence reports whether a line is the opening or closing fence of a code block, whatever list
// mark or quote mark stands before it.
func isFence(line string) bool {
	line = strings.TrimLeft(line, " \t>-*+.)0123456789")
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// shorten keeps the beginning of a context, whole lines or cells if there are any.
func shorten(s string, chars, bytes int) string {
	n, end := 0, -1
	for i := range s {
		if n == chars-2 || i > bytes-8 {
			end = i
			break
		}
		n++
	}
	if end < 0 {
		return s
	}
	s = s[:end]
	if i := strings.LastIndexAny(s, "|\n"); i > 0 {
		s = s[:i+1]
	}
	return strings.TrimRight(s, " \t\r\n") + " …"
}
