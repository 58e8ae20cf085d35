package memory

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Summarise returns the summary of a conversation after one more question: a line of topics for
// each question, the newest first, at most Limit code points. It looks at nothing but the
// question and the summary before; a question without a topic changes nothing, and the same
// question again only moves its line to the front.
//
// Topics are words of the question as they were written. There is no address, no bare amount and
// no control character among them, and no run long enough to be a sentence that was pasted.
func Summarise(previous, question string) string {
	lines := Lines(previous)
	if newest := strings.Join(topics(question), " "); newest != "" {
		kept := []string{newest}
		for _, line := range lines {
			if line != newest {
				kept = append(kept, line)
			}
		}
		lines = kept
	}
	var b strings.Builder
	size := 0
	for _, line := range lines {
		n := utf8.RuneCountInString(line)
		if size > 0 {
			n++
		}
		if size+n > Limit {
			break
		}
		if size > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
		size += n
	}
	return b.String()
}

// Lines returns the lines of a summary, the newest first, fit to stand in a block of a prompt
// whatever was stored: without control characters and without the marks that could end a block.
func Lines(summary string) []string {
	var out []string
	for line := range strings.Lines(summary) {
		if line = strings.Join(strings.Fields(visible(line)), " "); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// opening matches how a question begins, or ends, that goes on from an earlier one.
var opening = regexp.MustCompile(`^(?:那|这|它|他|她|其|该|还有|另外|同样|呢)|(?i)^(?:and|or|but|what about|how about|then|it|its|that|this|those|these|they|there|same)\b|呢[？?]?$`)

// interrogative matches what makes a question of one word a whole one: 年假有多少天, what is a VPN.
var interrogative = regexp.MustCompile(`什么|多少|几|怎|如何|为何|为什么|谁|哪|是否|吗|能不能|有没有|(?i)\b(?:what|who|whose|when|where|why|how|which|is|are|do|does|can)\b`)

// Elliptic reports whether a question says too little to be understood alone: it names nothing,
// or one thing without saying what of it, or it goes on from another question and names little.
// An identifier says enough.
func Elliptic(question string) bool {
	words := 0
	for _, piece := range topics(question) {
		switch r := []rune(piece); {
		case unicode.Is(unicode.Han, r[0]):
			words += (len(r) + 1) / 2 // most Chinese words have two characters
		case strings.ContainsFunc(piece, unicode.IsDigit):
			return false
		default:
			words++
		}
	}
	switch {
	case words == 0 || words > 2:
		return words == 0
	case opening.MatchString(strings.TrimSpace(question)):
		return true
	}
	return words == 1 && !interrogative.MatchString(question)
}

// Expand returns what to search for on behalf of a question: the question itself and, only where
// it is elliptic, the topics of the last two questions before it.
func Expand(summary, question string) string {
	if !Elliptic(question) {
		return question
	}
	out := question
	for i, line := range Lines(summary) {
		if i == 2 || utf8.RuneCountInString(line) > 120 {
			break
		}
		for piece := range strings.FieldsSeq(line) {
			if !strings.Contains(out, piece) {
				out += " " + piece
			}
		}
	}
	return out
}
