package rules

import (
	"regexp"
	"strings"
)

// What stands in code is shown as it is written, tags too: "write `<script>` into the head" hides nothing.

// Signs that stand in code for what begins and ends what a page does not show, while that is taken out.
const signs = "\x01\x02"

var (
	// codeFence matches a line that begins a block of code for certain: one that names its language. A bare fence may end
	// a block whose beginning lies before the passage.
	codeFence = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})[ \t]*[A-Za-z][^`]*$")
	// htmlLine matches a line that begins a block of HTML, which holds to the next blank line and in which nothing is code.
	htmlLine = regexp.MustCompile(`^ {0,3}<[A-Za-z/!?]`)
	// verbatimTag matches the tags of elements that hold HTML over blank lines.
	verbatimTag = regexp.MustCompile(`(?i)<(?:pre|textarea)\b`)
	inCode      = strings.NewReplacer("<", signs[:1], "-->", "--"+signs[1:])
	fromCode    = strings.NewReplacer(signs[:1], "<", signs[1:], ">")
	// unseenHere matches the tag of an element that is not shown where a text begins with it.
	unseenHere = regexp.MustCompile(`^(?:` + unseen.String() + `)`)
)

// shownBesideCode returns what of a passage's text a page shows, with all that stands in code.
func shownBesideCode(text string, cut bool) string {
	masked := coded(text, cut)
	if masked == text {
		return shown(text)
	}
	return fromCode.Replace(shown(masked))
}

// coded writes in another way what in code looks like something that is not shown. It closes where it is in doubt: what may be hidden is left as it is. Of a
// passage whose beginning is cut off it can't be told whether its first line begins within code.
func coded(text string, cut bool) string {
	if !strings.Contains(text, "<") || !strings.ContainsAny(text, "`~") || strings.ContainsAny(text, signs) || verbatimTag.MatchString(text) {
		return text
	}
	var b strings.Builder
	fence, html := "", false
	for at := 0; at < len(text); {
		line, next := text[at:], len(text)
		if end := strings.IndexByte(line, '\n'); end >= 0 {
			line, next = line[:end+1], at+end+1
		}
		body := strings.TrimSpace(line)
		switch first := at == 0; {
		case fence != "":
			if strings.HasPrefix(body, fence) && strings.Trim(body, fence[:1]) == "" {
				fence = ""
			}
			line = inCode.Replace(line)
		case body == "":
			html = false
		case html || first && cut:
		case htmlLine.MatchString(line):
			html = true
		default:
			if m := codeFence.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil && closes(text[next:], m[1]) {
				fence = m[1]
				break
			}
			var whole bool
			if line, whole = inlineCode(line); !whole { // something hidden goes on over the line's end
				return b.String() + text[at:]
			}
		}
		b.WriteString(line)
		at = next
	}
	return b.String()
}

// closes reports whether a block of code that a fence began is ended in a text.
func closes(text, fence string) bool {
	for line := range strings.Lines(text) {
		if body := strings.TrimSpace(line); strings.HasPrefix(body, fence) && strings.Trim(body, fence[:1]) == "" {
			return true
		}
	}
	return false
}

// inlineCode does so with the code in a line, and reports whether all that is hidden in it ends there.
func inlineCode(line string) (out string, whole bool) {
	var b strings.Builder
	for i := 0; i < len(line); {
		rest := line[i:]
		n := 1
		switch {
		case strings.HasPrefix(rest, "<!--"):
			end := strings.Index(rest, "-->")
			if end < 0 {
				return "", false
			}
			n = end + 3
		case rest[0] == '<':
			if tag := unseenHere.FindStringSubmatchIndex(rest); tag != nil {
				name := tag[2:4]
				if name[0] < 0 {
					name = tag[4:6]
				}
				after := afterElement(rest[tag[1]:], strings.ToLower(rest[name[0]:name[1]]))
				if after == "" {
					return "", false
				}
				n = len(rest) - len(after)
			}
		case rest[0] == '`':
			ticks := len(rest) - len(strings.TrimLeft(rest, "`"))
			n = ticks
			if length := codeBefore(rest[ticks:], ticks); length >= 0 {
				n = ticks + length + ticks
				b.WriteString(inCode.Replace(rest[:n]))
				i += n
				continue
			}
		}
		b.WriteString(rest[:n])
		i += n
	}
	return b.String(), true
}

// codeBefore returns the length of the code before a run of exactly so many ticks; -1 if there is none.
func codeBefore(text string, ticks int) int {
	for i := 0; i < len(text); {
		if text[i] != '`' {
			i++
			continue
		}
		run := len(text[i:]) - len(strings.TrimLeft(text[i:], "`"))
		if run == ticks {
			return i
		}
		i += run
	}
	return -1
}
