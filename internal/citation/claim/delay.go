package claim

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/citation/claim/hours"
	"github.com/kaoju/kaoju/internal/citation/claim/numeral"
)

// delay says when something is, as told by a period: within 30 days, after 30 days, 30 days before.
type delay uint8

const (
	anytime delay = iota
	within
	after
	ahead
)

// periodUnits are the units of time of which a period is made.
var periodUnits = map[string]bool{"second": true, "minute": true, "hour": true, "day": true, "workday": true, "night": true, "week": true, "month": true, "year": true, "decade": true}

var (
	withinBefore = regexp.MustCompile(`\b(?:within|in the (?:first|next|following))(?: the)?(?: (?:first|next|following))?\s*$`)
	withinBehind = regexp.MustCompile(`^\s*(?:之|以)?内(?:[^部容地科外]|$)|^[^,;.]{0,30}\bat the latest\b`)
	afterBefore  = regexp.MustCompile(`\bafter(?: the (?:first|initial))?\s*$|(?:满|届满|超过)\s*$`)
	afterBehind  = regexp.MustCompile(`^\s*(?:之|以)?后(?:[^期续台]|$)|^\s*(?:after|later|have passed|has passed)\b`)
	aheadBefore  = regexp.MustCompile(`(?:提前|提早)[^,，;；。]{0,6}$`)
	aheadBehind  = regexp.MustCompile(`^\s*(?:之|以)?前(?:[^后期台]|$)|^\s*(?:before|prior to|ahead|earlier|in advance|beforehand)\b`)
	// deadline says that something is to be done until then, so that "due 30 days after" is within them.
	deadline = regexp.MustCompile(`\b(?:due|payable|deadline|latest)\b|到期|截止|期限|时限|最迟|最晚`)
)

// delayOf reads what stands around a number of a period.
func delayOf(q stated, before, behind string) delay {
	if !periodUnits[q.unit] {
		return anytime
	}
	inside := q.bound == below || withinBefore.MatchString(before) || withinBehind.MatchString(behind)
	switch {
	case aheadBehind.MatchString(behind) || aheadBefore.MatchString(before):
		if inside {
			return anytime // "no later than 5 days before" and "within the last 5 days before" are two things
		}
		return ahead
	case inside:
		return within
	case afterBefore.MatchString(before) || afterBehind.MatchString(behind) && !deadline.MatchString(before+behind):
		return after
	}
	return anytime
}

// otherDelay reports whether two equal periods say that something is at two times.
func otherDelay(a, b stated) bool {
	return a.delay != b.delay && a.delay != anytime && b.delay != anytime
}

// inTime writes a period with when something is, as its language does.
func (s stated) inTime() string {
	if strings.ContainsFunc(s.written, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return s.String() + [...]string{"", "内", "后", "前"}[s.delay]
	}
	return [...]string{"", "within ", "after ", ""}[s.delay] + s.String() + [...]string{"", "", "", " before"}[s.delay]
}

// otherHours tells whether the sentence that comes nearest says of other days or times of day what a claim does, and no
// other sentence that holds much of the claim says it of those.
func (c claim) otherHours(b best, cited []*Source) (Reason, bool) {
	if b.statement == nil || b.statement.record {
		return Reason{}, false
	}
	ours := numeral.Arabic(c.folded)
	said, found, ok := hours.Other(ours, numeral.Arabic(b.statement.folded))
	if !ok {
		return Reason{}, false
	}
	for _, s := range cited {
		for _, st := range s.sentences {
			theirs := numeral.Arabic(st.folded)
			if _, _, other := hours.Other(ours, theirs); !other && hours.Shares(ours, theirs) && c.share(c.cover(st.words)) >= some {
				return Reason{}, false
			}
		}
	}
	return Reason{"name", said, found}, true
}

// beyondHours reports whether a claim that a sentence holds word by word says of whole days what that says of a part of them.
func (c claim) beyondHours(st statement) bool {
	_, _, ok := hours.Other(numeral.Arabic(c.folded), numeral.Arabic(st.folded))
	return ok && !st.record
}
