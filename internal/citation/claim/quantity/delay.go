package quantity

import (
	"regexp"
	"strings"
	"unicode"
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
func delayOf(q Stated, before, behind string) delay {
	if !periodUnits[q.Unit] {
		return anytime
	}
	inside := q.Bound == below || withinBefore.MatchString(before) || withinBehind.MatchString(behind)
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

// OtherDelay reports whether two equal periods say that something is at two times.
func OtherDelay(a, b Stated) bool {
	return a.delay != b.delay && a.delay != anytime && b.delay != anytime
}

// InTime writes a period with when something is, as its language does.
func (s Stated) InTime() string {
	if strings.ContainsFunc(s.written, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return s.String() + [...]string{"", "内", "后", "前"}[s.delay]
	}
	return [...]string{"", "within ", "after ", ""}[s.delay] + s.String() + [...]string{"", "", "", " before"}[s.delay]
}
