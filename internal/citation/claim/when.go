package claim

import (
	"regexp"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/hours"
	"github.com/kaoju/kaoju/internal/citation/claim/numeral"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// unanswered reports whether a claim asks when something was and gives no time for an answer.
func unanswered(c reading.Claim) bool {
	at := strings.LastIndexAny(c.Folded, "?？")
	if at < 0 || !asksWhen.MatchString(c.Folded[:at]) {
		return false
	}
	numbers, rest := quantity.Read(c.Folded[at:])
	return len(numbers) == 0 && !aPeriod.MatchString(rest) && len(wording.Terms(rest)) > 0
}

var (
	asksWhen = regexp.MustCompile(`什么(?:时候|时期|时间|年代|朝代)|何时|哪一?[个]?(?:时期|年代|朝代|[年月天日])|\bwhat (?:year|century|decade|month|date)\b`)
	aPeriod  = regexp.MustCompile(`[年月日号时期代朝春夏秋冬初末晨晚周季纪]|\d|\b(?:first|second|third|\w+th|early|late|mid|` + wording.Months + `)\b`)
)

// otherHours tells whether the sentence that comes nearest says of other days or times of day what a claim does, and no
// other sentence that holds much of the claim says it of those.
func otherHours(c reading.Claim, b best, cited []*Source) (Reason, bool) {
	if b.statement == nil || b.statement.Record {
		return Reason{}, false
	}
	ours := numeral.Arabic(c.Folded)
	said, found, ok := hours.Other(ours, numeral.Arabic(b.statement.Folded))
	if !ok {
		return Reason{}, false
	}
	for _, s := range cited {
		for _, st := range s.Sentences {
			theirs := numeral.Arabic(st.Folded)
			if _, _, other := hours.Other(ours, theirs); !other && hours.Shares(ours, theirs) && c.Share(c.Cover(st.Words)) >= some {
				return Reason{}, false
			}
		}
	}
	return Reason{"name", said, found}, true
}

// beyondHours reports whether a claim that a sentence holds word by word says of whole days what that says of a part of them.
func beyondHours(c reading.Claim, st reading.Statement) bool {
	_, _, ok := hours.Other(numeral.Arabic(c.Folded), numeral.Arabic(st.Folded))
	return ok && !st.Record
}
