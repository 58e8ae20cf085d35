package citation

import (
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
)

// Sentence is a sentence of an answer with the references that stand for it.
type Sentence struct {
	Start, End int    // byte offsets in the answer's text, with the references
	Text       string // without references and list marks
	Refs       []string
	// Own is false if the references are those at the end of its paragraph, which stand for the
	// sentences before them too.
	Own  bool
	part part
}

// Sentences returns the sentences of an answer in order, without section heads and code. A
// reference behind a sentence's full stop belongs to that sentence.
func Sentences(text string) []Sentence {
	var out []Sentence
	for _, p := range pieces(text) {
		if p.code {
			continue
		}
		line := lineSentences(text, p)
		inherit(line)
		for _, s := range line {
			if strings.ContainsFunc(s.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
				out = append(out, s)
			}
		}
	}
	return out
}

// lineSentences cuts one piece of an answer.
func lineSentences(text string, p piece) []Sentence {
	body := text[p.Start:p.End]
	var out []Sentence
	offsets := runeOffsets(body)
	for _, span := range analysis.Sentences(body) {
		start, end := offsets[span[0]], offsets[span[1]]
		if n := len(out); n > 0 {
			lead := leading(body[start:end])
			if whole := lead == end-start; lead > 0 && (whole || len(out[n-1].Refs) == 0) {
				out[n-1].Refs = append(out[n-1].Refs, Refs(body[start:start+lead])...)
				out[n-1].End = p.Start + start + lead
				start += lead
			}
			if strings.TrimSpace(body[start:end]) == "" {
				continue
			}
		}
		out = append(out, Sentence{Start: p.Start + start, End: p.Start + end, Refs: Refs(body[start:end]), part: p.part})
	}
	for i := range out {
		out[i].Own = len(out[i].Refs) > 0
		out[i].Text = plain(text[out[i].Start:out[i].End])
	}
	return out
}

// leading returns the length of the references, with blanks and marks between them, that a text
// begins with and that stand behind what came before: all of it if nothing else follows but
// marks, none if the sentence goes on in lower case ("[S1] says that …").
func leading(text string) int {
	at := 0
	for _, m := range mentions(text) {
		if strings.Trim(text[at:m.Start], " \t，,、;；") != "" {
			break
		}
		at = m.End
	}
	if at > 0 && strings.Trim(text[at:], " \t\r\n。.!！;；,，") == "" {
		return len(text)
	}
	for _, r := range strings.TrimLeft(text[at:], " \t") {
		if unicode.IsLower(r) {
			return 0
		}
		break
	}
	return at
}

// inherit gives sentences without references those of the next sentence of the line that has some.
func inherit(line []Sentence) {
	for i := len(line) - 2; i >= 0; i-- {
		if len(line[i].Refs) == 0 {
			line[i].Refs = line[i+1].Refs
		}
	}
}

// plain takes references, list marks and emphasis off a sentence.
func plain(text string) string {
	text = bullet.ReplaceAllString(without(text), "")
	text = strings.NewReplacer("**", "", "__", "", "`", "").Replace(text)
	return strings.TrimSpace(strings.TrimLeft(text, "# "))
}

// runeOffsets returns the byte offset of each code point of a text, and its length at the end.
func runeOffsets(text string) []int {
	out := make([]int, 0, len(text)+1)
	for i := range text {
		out = append(out, i)
	}
	return append(out, len(text))
}
