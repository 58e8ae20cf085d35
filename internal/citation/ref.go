package citation

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// mention is a bracket in a text that names references. Start and End are byte offsets.
type mention struct {
	Start, End int
	Refs       []string
}

const (
	maxRange   = 50  // references that a range such as [S1-S4] may stand for
	maxBracket = 400 // bytes in one bracket
)

// Refs returns the references that a text cites, in order of first mention: [S1], [S1][C2],
// [S1, S2], [S1-S3], 【S1】 and the full-width forms, in any case. What stands in code spans, code
// fences, or behind a backslash is no citation.
func Refs(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, m := range mentions(text) {
		for _, ref := range m.Refs {
			if !seen[ref] {
				seen[ref] = true
				out = append(out, ref)
			}
		}
	}
	return out
}

// mentions returns the brackets that name references, in order.
func mentions(text string) []mention {
	var out []mention
	code := codeRanges(text)
	for i := 0; i < len(text); {
		if len(code) > 0 && i >= code[0].Start {
			if i = max(i, code[0].End); i >= code[0].End {
				code = code[1:]
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if (r == '[' || r == '【' || r == '［') && !escapedAt(text, i) {
			if m, ok := bracket(text, i, size); ok {
				out = append(out, m)
				i = m.End
				continue
			}
		}
		i += size
	}
	return out
}

// escapedAt reports whether an odd number of backslashes stands before i.
func escapedAt(text string, i int) bool {
	n := 0
	for i > n && text[i-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// bracket reads the bracket that opens at i. It is a mention only if nothing else is in it.
func bracket(text string, i, size int) (mention, bool) {
	start := i + size
	for at := start; at < len(text) && at < start+maxBracket; {
		r, width := utf8.DecodeRuneInString(text[at:])
		if strings.ContainsRune("]】］", r) {
			refs := list(text[start:at])
			return mention{Start: i, End: at + width, Refs: refs}, len(refs) > 0
		}
		if !strings.ContainsRune("SCsc0123456789,;-~ \t，、；～〜–—‐‑‒―－ＳＣｓｃ０１２３４５６７８９\u3000\u00a0", r) {
			break
		}
		at += width
	}
	return mention{}, false
}

// list reads references with separators between them; nil if there is anything else.
func list(inside string) []string {
	var out []string
	fields := strings.FieldsFunc(narrow(inside), func(r rune) bool { return strings.ContainsRune(",;、 \t", r) })
	for _, f := range fields {
		refs := span(strings.ToUpper(f))
		if refs == nil {
			return nil
		}
		out = append(out, refs...)
	}
	return out
}

// span reads one reference, or a range of them.
func span(s string) []string {
	first, last, ranged := strings.Cut(s, "-")
	series, from, ok := reference(first)
	if !ok {
		return nil
	}
	if !ranged {
		return []string{first}
	}
	other, to, ok := reference(last)
	if !ok || other != series || to < from || to-from >= maxRange {
		return nil
	}
	var out []string
	for n := from; n <= to; n++ {
		out = append(out, fmt.Sprintf("%s%d", series, n))
	}
	return out
}

// reference takes "S12" apart.
func reference(s string) (series string, n int, ok bool) {
	if len(s) < 2 || len(s) > 6 || s[0] != 'S' && s[0] != 'C' {
		return "", 0, false
	}
	for i := 1; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return "", 0, false
		}
	}
	n, err := strconv.Atoi(s[1:])
	return s[:1], n, err == nil
}

// narrow writes full-width letters, digits and marks in ASCII, and any dash as a hyphen.
func narrow(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			return r - 0xFEE0
		case r == 0x3000 || r == 0xA0:
			return ' '
		case r >= 0x2010 && r <= 0x2015 || r == '~' || r == '〜' || r == '～':
			return '-'
		}
		return r
	}, s)
}

// without returns a text with its mentions taken out, and the blanks before them.
func without(text string) string {
	var b strings.Builder
	at := 0
	for _, m := range mentions(text) {
		b.WriteString(strings.TrimRight(text[at:m.Start], " \t"))
		at = m.End
	}
	b.WriteString(text[at:])
	return strings.TrimSpace(b.String())
}

// byteRange is a half-open range of byte offsets.
type byteRange struct{ Start, End int }

// codeRanges returns the code fences and code spans of a text, in order.
func codeRanges(text string) []byteRange {
	var out []byteRange
	prose := 0
	for i := 0; i < len(text); {
		end := lineEnd(text, i)
		mark, n := fence(text[i:end])
		if n == 0 {
			i = end
			continue
		}
		out = append(out, codeSpans(text, prose, i)...)
		start := i
		for i = end; i < len(text); {
			next := lineEnd(text, i)
			m, k := fence(text[i:next])
			closes := m == mark && k >= n && strings.Trim(text[i:next], " \t\r\n"+string(mark)) == ""
			if i = next; closes {
				break
			}
		}
		out = append(out, byteRange{start, i})
		prose = i
	}
	return append(out, codeSpans(text, prose, len(text))...)
}

func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(text)
}

// fence returns the mark and length of the code fence that a line begins with; 0 if none.
func fence(line string) (byte, int) {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) > 3 || len(s) < 3 || s[0] != '`' && s[0] != '~' {
		return 0, 0
	}
	n := len(s) - len(strings.TrimLeft(s, s[:1]))
	if n < 3 || s[0] == '`' && strings.Contains(s[n:], "`") {
		return 0, 0
	}
	return s[0], n
}

// codeSpans returns the code spans between two offsets: runs of backticks that a run of the same
// length closes in the same paragraph.
func codeSpans(text string, from, to int) []byteRange {
	var out []byteRange
	paragraph := from
	for i := from; i < to; {
		if text[i] != '`' {
			i++
			continue
		}
		n := run(text, i, to)
		if i >= paragraph {
			if paragraph = to; strings.Contains(text[i:to], "\n\n") {
				paragraph = i + strings.Index(text[i:to], "\n\n")
			}
		}
		end := -1
		for j := i + n; j < paragraph; {
			if text[j] != '`' {
				j++
				continue
			}
			k := run(text, j, to)
			if j += k; k == n {
				end = j
				break
			}
		}
		if end < 0 || escapedAt(text, i) {
			i += n
			continue
		}
		out = append(out, byteRange{i, end})
		i = end
	}
	return out
}

// run returns how many backticks stand at i.
func run(text string, i, to int) int {
	n := 0
	for i+n < to && text[i+n] == '`' {
		n++
	}
	return n
}
