// Package subject reads what a sentence speaks of, as far as its order of words tells: the words before the verb, and
// the conditions and complements around what is said. It tells whether two subjects are two things, or one and a part of it.
package subject

import (
	"regexp"

	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// Subject is what a sentence speaks of: its words before the verb, with the numbers among them.
type Subject struct {
	Terms      []wording.Term
	Words      map[string]bool // of the terms, see wording.VocabularyOf
	quantities []quantity.Stated
	Verb       bool // a verb stands behind them
	Several    bool // they are of the clauses before
	Led        bool // a preposition begins them, so that some say when or where
}

var (
	// enVerb and hanVerb are where what is said of a subject begins at the latest.
	enVerb  = regexp.MustCompile(`\b(?:is|are|was|were|be|been|has|have|had|may|might|can|could|must|shall|should|will|would|do|does|did)(?:n['’]t)?\b|\b(?:cannot|can['’]t|won['’]t)\b`)
	hanVerb = regexp.MustCompile(`由|位于|可以|可[在凭于从由向]|不|未经|禁止|严禁|必须|应当|应[由在于]|需要|须|无需|负责|享[有受]|定在|设在|均|[为是]`)
	// everybody are words for all of those who work in a place, of whom nobody is an exception, and for the place.
	everybody = regexp.MustCompile(`\b(?:all|every|any) (?:the |our )?(?:employees?|staff|personnel|workers?|colleagues?)\b|\b(?:the |our |this )?company(?:['’]s)?\b|(?:全体|所有|任何)(?:员工|职工|雇员|职员|工作人员|人员)|本?公司|我司`)
	// Staff are other words for those who work there.
	Staff = regexp.MustCompile(`\b(?:employees?|personnel|workers?|colleagues?|members? of staff)\b|职工|雇员|职员|工作人员`)
	// bounding are words that belong to the number behind them.
	bounding = regexp.MustCompile(`有?(?:不(?:得)?(?:超过|少于|低于|高于|大于|小于|多于)|至少|至多|最多|最少)有?`)
	// leading is a preposition that begins a clause.
	leading = regexp.MustCompile(`^\s*(?:in|on|at|for|during|after|before|since|until|under|with|by|from|to|as|when|while|if|of|among|according)\b`)
	// inMonth is a month that reads as a verb.
	inMonth = regexp.MustCompile(`\b(?:in|of|since|until|by|from|early|late|mid) may\b|\bmay \d`)
)

// aside matches what a sentence says beside, and the comma of a date or a number, which end no clause.
var aside = regexp.MustCompile(`\([^()]*\)|（[^（）]*）|-lrb-.*?-rrb-|\d\s?,\s?\d`)

// Before returns the subject of what a folded text says at an offset. Where a clause says nothing before
// it, its subject is among what the clauses before it speak of.
func Before(folded string, at int) Subject {
	folded = aside.ReplaceAllStringFunc(folded, wording.Blank)
	var earlier Subject
	for from, to := range wording.Spans(folded) {
		s := Of(folded[from:min(to, max(at, from))])
		if to >= at {
			if len(s.Terms)+len(s.quantities) > 0 {
				return s
			}
			earlier.Words = wording.VocabularyOf(earlier.Terms)
			return earlier
		}
		if folded[to] == '?' {
			continue // what was asked is no subject of the answer
		}
		earlier.Terms, earlier.Verb, earlier.Several = append(earlier.Terms, s.Terms...), earlier.Verb || s.Verb, true
	}
	return Subject{Words: map[string]bool{}}
}

// Of reads the words of a clause before its verb.
func Of(part string) Subject {
	at := VerbAt(part)
	verb := at >= 0
	if verb {
		part = part[:at]
	}
	part = Staff.ReplaceAllStringFunc(everybody.ReplaceAllStringFunc(part, wording.Blank), func(s string) string {
		if s[0] <= 'z' {
			return "staff"
		}
		return "员工"
	})
	qs, _ := quantity.Read(part)
	list := wording.Terms(bounding.ReplaceAllStringFunc(part, wording.Blank))
	return Subject{Terms: list, Words: wording.VocabularyOf(list), quantities: qs, Verb: verb, Led: leading.MatchString(part)}
}

// VerbAt is where the verb of a clause begins; -1 if none is known.
func VerbAt(part string) int {
	part = polarity.Masked(inMonth.ReplaceAllStringFunc(part, wording.Blank))
	at := -1
	for _, begins := range [...]*regexp.Regexp{enVerb, hanVerb} {
		if loc := begins.FindStringIndex(part); loc != nil && (at < 0 || loc[0] < at) {
			at = loc[0]
		}
	}
	return at
}

// predicate returns what the clause says of what stands at an offset, if that is among the words before its
// verb.
func predicate(folded string, at int) (said string, ok bool) {
	for from, to := range wording.Spans(folded) {
		if at < to {
			part := folded[from:to]
			verb := VerbAt(part)
			if verb < 0 || from+verb <= at {
				return "", false
			}
			return part[verb:], true
		}
	}
	return "", false
}

// Sets tells whether two words, or numbers, that exclude each other say whom or what a claim and a sentence are
// about, each before its verb: "expenses above the limit", "the expenses below it".
func Sets(claim string, here int, sentence string, there int) (ours string, ok bool) {
	if here < 0 || there < 0 {
		return "", false
	}
	ours, ok = predicate(claim, here)
	_, too := predicate(sentence, there)
	return ours, ok && too
}
