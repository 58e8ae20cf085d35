package pdf

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// vocabulary counts the words of a document, to tell a hyphen that parts a word at the end of a
// line from one that belongs to it.
type vocabulary map[string]bool

// maxWords bounds the vocabulary.
const maxWords = 400_000

func collect(lines []line) vocabulary {
	out := vocabulary{}
	for i := range lines {
		for _, r := range lines[i].runs {
			words := strings.Fields(r.text)
			for j, word := range words {
				if j == len(words)-1 && hyphenated(word) || len(out) >= maxWords {
					continue
				}
				if word = bare(word); word != "" {
					out[word] = true
				}
			}
		}
	}
	return out
}

// bare returns a word in lower case without the marks around it.
func bare(word string) string {
	return strings.ToLower(strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }))
}

func isHyphen(r rune) bool { return r == '-' || r == 0x2010 || r == softHyphen }

// hyphenated reports that text ends with a hyphen after a letter.
func hyphenated(text string) bool {
	last, size := utf8.DecodeLastRuneInString(text)
	before, _ := utf8.DecodeLastRuneInString(text[:len(text)-size])
	return isHyphen(last) && unicode.IsLetter(before)
}

// glue returns the end of a line as it is written before the next line, and what stands between.
func (v vocabulary) glue(end, next string) (text, glue string) {
	last, size := utf8.DecodeLastRuneInString(end)
	first, _ := utf8.DecodeRuneInString(next)
	switch {
	case hyphenated(end) && unicode.IsLetter(first):
		stem := end[:len(end)-size]
		if v.belongs(stem, next, last == softHyphen) {
			return stem + "-", ""
		}
		return stem, ""
	case eastern(last) && eastern(first):
		return end, ""
	}
	return end, " "
}

// belongs reports whether the hyphen between the last word of a line and the first of the next is
// part of the word: because the document has the word so elsewhere, because a capital follows, or
// because the first part is one that hardly ever stands before anything else. A word that the
// document has in one piece settles it the other way.
func (v vocabulary) belongs(stem, next string, soft bool) bool {
	head, tail := stem[strings.LastIndexFunc(stem, unicode.IsSpace)+1:], next
	if i := strings.IndexFunc(tail, unicode.IsSpace); i >= 0 {
		tail = tail[:i]
	}
	first, _ := utf8.DecodeRuneInString(tail)
	head, tail = bare(head), bare(tail)
	switch {
	case v[head+"-"+tail]:
		return true
	case v[head+tail]:
		return false
	case soft:
		return false
	}
	return unicode.IsUpper(first) || utf8.RuneCountInString(head) == 1 || strings.ContainsFunc(head, isHyphen) || len(tail) > 3 && slices.Contains(compounds(), head)
}

// compounds are words that a hyphen mostly joins to another whole word.
func compounds() []string {
	return []string{"well", "self", "half", "non", "cross", "quasi", "so", "two", "three", "five", "six", "seven", "zero", "all", "ex", "e"}
}
