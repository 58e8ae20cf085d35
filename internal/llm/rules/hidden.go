package rules

import (
	"regexp"
	"strings"
)

// What a page does not show is no statement of it: comments, elements that are styled away, titles of link definitions.
// Markdown keeps them in its text. An answer that quotes them would tell what no reader of the document has seen.

var (
	comment = regexp.MustCompile(`(?s)<!--.*?-->`)
	// commentEnd matches the end of a comment whose beginning lies before the passage. An arrow has something after it.
	commentEnd = regexp.MustCompile(`(?m)-->[ \t]*$`)
	// commentBegin matches the beginning of a comment that is not ended: in Markdown it holds to the end where it begins a line.
	commentBegin = regexp.MustCompile(`(?m)^[ \t>*+-]*<!--`)
	// unseen matches the tag of an element that is not shown.
	unseen = regexp.MustCompile(`(?i)<(script|style|template|noscript)\b[^>]*>|<([a-z][a-z0-9]*)\b[^>]*?(?:\shidden(?:[\s=/][^>]*)?|(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|` +
		`[;"'\s](?:font-size|opacity|width|height)\s*:\s*0(?:\.0+)?(?:px|pt|r?em|%)?\s*[;"'!]|text-indent\s*:\s*-\d{3}|[;"'\s]color\s*:\s*(?:transparent|white|#fff(?:fff)?)\b)[^>]*)>`)
	// anyTag matches what the tag that begins or ends an element begins with.
	anyTag = regexp.MustCompile(`<(/?)([A-Za-z][A-Za-z0-9]*)\b`)
	// definition matches the definition of a link, which stands for comments too: [//]: # (text).
	definition = regexp.MustCompile(`(?m)^[ \t]{0,3}\[[^\]^\n][^\]\n]*\]:[ \t]*(?:#\S*|<[^>\n]*>|https?:\S+|[./]\S*)[ \t]*(?:"[^"\n]*"|'[^'\n]*'|\([^\n]*\))?[ \t]*$`)
)

// gap stands where something hidden was, so that nothing is joined over it. Torn stands where that was inside a sentence,
// of which neither half says what the whole does: a character that is never quoted keeps both from being told.
const (
	gap  = "\n\n"
	torn = "\x00" + gap + "\x00"
)

// parting is what stands between two texts between which something is hidden. A script at the end of a line is often what
// its sentence is about, written as if it were text; a comment there is a remark.
func parting(before, after string, script bool) string {
	before = strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:])
	after, _, _ = strings.Cut(after, "\n")
	switch {
	case strings.TrimLeft(before, "-*+># |") == "" || ended(before):
		return gap
	case strings.TrimSpace(after) == "" && !script, endsIn(before, ":：") && !script:
		return gap
	}
	return torn
}

// shown returns what of a passage's text a page shows.
func shown(text string) string {
	if strings.Contains(text, "-->") || strings.Contains(text, "<!--") {
		var b strings.Builder
		at := 0
		for _, c := range comment.FindAllStringIndex(text, -1) {
			b.WriteString(text[at:c[0]] + parting(text[at:c[0]], text[c[1]:], false))
			at = c[1]
		}
		text = b.String() + text[at:]
		if ends := commentEnd.FindAllStringIndex(text, -1); ends != nil {
			text = gap + text[ends[len(ends)-1][1]:]
		}
		if begin := commentBegin.FindStringIndex(text); begin != nil {
			text = text[:begin[0]]
		}
	}
	if strings.Contains(text, "]:") {
		text = definition.ReplaceAllString(text, gap)
	}
	if !strings.Contains(text, "<") {
		return text
	}
	var out strings.Builder
	for {
		tag := unseen.FindStringSubmatchIndex(text)
		if tag == nil {
			break
		}
		name, script := tag[2:4], true
		if name[0] < 0 {
			name, script = tag[4:6], false
		}
		before, rest := text[:tag[0]], afterElement(text[tag[1]:], strings.ToLower(text[name[0]:name[1]]))
		out.WriteString(before + parting(before, rest, script))
		text = rest
	}
	return out.String() + text
}

// voidElements hold nothing, so nothing of the text goes with them.
var voidElements = map[string]bool{"img": true, "br": true, "hr": true, "input": true, "link": true, "meta": true, "source": true, "col": true, "wbr": true}

// afterElement returns what follows an element whose tag was read. One that is not closed holds all that is left.
func afterElement(text, name string) string {
	if voidElements[name] {
		return text
	}
	for depth := 1; depth > 0; {
		tag := anyTag.FindStringSubmatchIndex(text)
		if tag == nil {
			return ""
		}
		own, ends := strings.EqualFold(text[tag[4]:tag[5]], name), tag[2] < tag[3]
		if text = text[tag[1]:]; !own {
			continue
		}
		_, rest, closed := strings.Cut(text, ">")
		if !closed {
			return ""
		}
		if text = rest; ends {
			depth--
		} else {
			depth++
		}
	}
	return text
}
