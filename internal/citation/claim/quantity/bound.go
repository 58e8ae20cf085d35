package quantity

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

var (
	moreBefore = regexp.MustCompile(`(?:more than|greater than|over|above|at least|no less than|not less than|exceed\w*|minimum of|超过|超出|多于|高于|大于|不少于|不低于|不小于|至少|最少|逾)\s*(?:为|是)?\s*$`)
	notLess    = regexp.MustCompile(`(?:no less than|not less than|no fewer than|不少于|不低于|不小于)\s*$`)
	lessBefore = regexp.MustCompile(`(?:less than|fewer than|under|below|at most|up to|no more than|not more than|no later than|not later than|no longer than|not longer than|within|maximum of|not exceed\w*|不超过|不得超过|不多于|不高于|不大于|不(?:得)?(?:晚于|迟于)|至多|最多|低于|少于|小于|不足|不到)\s*(?:为|是)?\s*$`)
	moreBehind = regexp.MustCompile(`^\s*(?:(?:及|或)?以上|or more|or above|or higher|and above)`)
	lessBehind = regexp.MustCompile(`^\s*(?:(?:及|或)?以[下内]|之内|or less|or fewer|or below|or lower)`)
	// limits are words that say of the next number that it is the most or the least, with a verb between.
	limits      = regexp.MustCompile(`(上限|限额|最高|最多|至多|最长|最晚|最迟|\bat most\b|\bup to\b|\blimit|\bcap\b|\bmaximum\b)|(下限|最低|最少|至少|最短|\bat least\b|\bminimum\b)`)
	aboutBefore = regexp.MustCompile(`(?:about|around|approximately|roughly|nearly|almost|some|circa|约|大约|约为|将近|接近|近)\s*$`)
	aboutBehind = regexp.MustCompile(`^\s*(?:左右|上下|余|or so)`)
)

func boundOf(before, behind string) Bound {
	limit := limitOf(before)
	before = wording.LastRunes(before, 24)
	switch {
	case notLess.MatchString(before):
		return Above
	case lessBefore.MatchString(before) || lessBehind.MatchString(behind) || limit == below:
		return below
	case moreBefore.MatchString(before) || moreBehind.MatchString(behind) || limit == Above:
		return Above
	}
	return Exactly
}

// limitOf returns what the last word before a number that names a limit makes of it. A limit that has its
// number already, or stands in another clause, is none.
func limitOf(before string) Bound {
	before = wording.LastRunes(before, 24)
	if i := strings.LastIndexAny(before, ",，;；。0123456789"); i >= 0 {
		_, n := utf8.DecodeRuneInString(before[i:])
		before = before[i+n:]
	}
	found := limits.FindAllStringSubmatch(before, -1)
	switch {
	case len(found) == 0:
		return Exactly
	case found[len(found)-1][1] != "":
		return below
	}
	return Above
}
