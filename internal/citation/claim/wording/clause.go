package wording

import (
	"iter"
	"regexp"
	"strings"
	"unicode/utf8"
)

// clauseEnd is a mark, or a word, behind which something else is said.
var clauseEnd = regexp.MustCompile(`[,;:|，；：。!?]|\bbut\b|\bhowever\b|但是?`)

// InNumber matches the marks that belong to a number or a time of day: 15,000 and 10:30.
var InNumber = regexp.MustCompile(`\d(?:,\d{3})+\b|\d:\d\d\b`)

// ClauseEnds returns, in bytes, where the clauses of a folded text end, and the next ones begin.
func ClauseEnds(folded string) [][]int {
	return clauseEnd.FindAllStringIndex(InNumber.ReplaceAllStringFunc(folded, Blank), -1)
}

// Spans tells, in bytes, where each clause of a folded text begins and ends.
func Spans(folded string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		from := 0
		for _, end := range ClauseEnds(folded) {
			if !yield(from, end[0]) {
				return
			}
			from = end[1]
		}
		yield(from, len(folded))
	}
}

// Clauses takes a folded text apart into its clauses.
func Clauses(folded string) []string {
	var out []string
	for from, to := range Spans(folded) {
		out = append(out, folded[from:to])
	}
	return out
}

// Blank is a text of the same length that says nothing.
func Blank(s string) string { return strings.Repeat(" ", len(s)) }

// LastRunes is the end of a text, of so many characters at most. It looks at no more than that.
func LastRunes(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}

// FirstRunes is the same of the beginning.
func FirstRunes(s string, n int) string {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return s[:at]
}
