package rules

import (
	"regexp"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
)

var (
	// polarHan and polarWord match a question that yes or no answers.
	polarHan  = regexp.MustCompile(`[吗嘛么][?？。]?\s*$|是否|能否|可否|要否|有无|是不是|能不能|会不会|要不要|有没有|可不可以|需不需要|应不应该|含不含|算不算|行不行|对不对`)
	polarWord = regexp.MustCompile(`(?i)^\W*(?:is|are|was|were|am|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had)\s+\w`)
	// openHan are words of questions that yes or no does not answer, though they end in 吗.
	openHan = regexp.MustCompile(`什么|多少|谁|哪|几[^乎]|怎么|如何|为何`)

	// polarEnd is what such a question ends with, behind what it asks; polarModal stands between whom and what.
	polarEnd   = regexp.MustCompile(`(?:的|了|过)?[吗嘛么]?[?？。]?\s*$`)
	polarModal = regexp.MustCompile(`还?(?:可不可以|能不能|要不要|会不会|应不应该|需不需要|是不是|可以|能够|能否|可否|要否|是否|需要|应该|必须|允许|[能会要须是])`)

	// denying matches what turns a clause into its opposite; bounding are forms that hold such a word and
	// say how much.
	denying  = regexp.MustCompile(`(?i)不得|禁止|严禁|不可|不能|不会|不予|不含|不包括|不包含|不算|不计|不需|不用|不必|不允许|不准|不许|不发|不报|无需|无须|没有|不再|不[\p{Han}]|\b(?:not|no|never|cannot|without|prohibited|forbidden|excluded|excluding|excludes|except)\b|n't\b`)
	bounding = regexp.MustCompile(`(?i)不(?:得|能|应|可)?(?:少于|低于|超过|高于|多于|大于|小于|晚于|早于|迟于|超出|足|满|限)|\b(?:no|not) (?:more|less|later|earlier|fewer) than\b|\bnot (?:to )?exceed\b|\bnot only\b`)
	clauses  = regexp.MustCompile(`[，,；;：:。！!]|\b(?:but|however)\b|但是?`)
)

// isPolar reports whether yes or no answers a question.
func isPolar(text string) bool {
	return polarHan.MatchString(text) && !openHan.MatchString(text) || polarWord.MatchString(text)
}

// polarFocus returns the terms of what such a question asks: of whom and what, where a word stands between
// them, else of what stands last.
func polarFocus(text string) []string {
	rest := polarEnd.ReplaceAllString(text, "")
	var out []string
	if loc := polarModal.FindStringIndex(rest); loc != nil && loc[0] > 0 {
		out, rest = lastPair(rest[:loc[0]]), rest[loc[1]:]
	}
	return append(out, lastPair(rest)...)
}

// holds reports whether a sentence itself mentions all that a question is about.
func (q *question) holds(s scored) bool {
	for _, key := range q.focus {
		if !s.matched[key] {
			return false
		}
	}
	return true
}

// denies reports whether a sentence denies what a question asks.
func (q *question) denies(text string) bool {
	return denying.MatchString(bounding.ReplaceAllString(q.clause(text), " "))
}

// clause returns the clause of a sentence that speaks of most of what a question asks.
func (q *question) clause(text string) string {
	best, most := "", 0.0
	for _, c := range clauses.Split(text, -1) {
		set := map[string]bool{}
		for _, t := range analysis.Tokens(c) {
			set[t.Term] = true
		}
		share := 0.0
		for _, t := range q.terms {
			share += t.weight * t.mentions(set)
		}
		if share > most {
			best, most = c, share
		}
	}
	return best
}

// others returns the words of a sentence that are none of the question's, folded: those of the clause that
// speaks of it.
func (q *question) others(s scored) map[string]bool {
	text := q.clause(s.text)
	own := map[string]bool{}
	for _, t := range q.terms {
		for _, k := range t.keys {
			own[k] = true
		}
	}
	out := map[string]bool{}
	runes := []rune(text)
	var lexicon *analysis.Lexicon // words of its own are a tenant's, and no tenant is known here
	for _, t := range lexicon.Tokens(text) {
		word := t.Term
		if t.Kind == analysis.Segment {
			word = analysis.Fold(string(runes[t.Span[0]:t.Span[1]])) // its term is marked
		}
		if !t.Stop && t.Of < 0 && t.Kind.Measures() && !own[word] && !strings.Contains(joiners, word) && !strings.Contains(joinerWords, " "+word+" ") {
			out[word] = true
		}
	}
	return out
}
