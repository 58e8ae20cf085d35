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
	case b.Kind == corpus.Code && u.from != b.from:
		text = openingFence(c.doc.Text[b.from.b:b.to.b])
	}
	if text == "" {
		return "", 0
	}
	text = shorten(text, c.opt.MaxChars/2, c.opt.MaxBytes/2)
	return text + "\n", utf8.RuneCountInString(text) + 1
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
