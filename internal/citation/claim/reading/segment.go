package reading

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// segmentEnd is where a sentence may begin to say another thing in the same way.
var segmentEnd = regexp.MustCompile(`[；;]|[,，]?\s(?:or|and)\s|[,，]\s?(?:或|而)?`)

var (
	bounded = regexp.MustCompile(`^\s*(?:more|less|fewer|above|below|over|under|older|younger|higher|lower|longer)\b`)
	between = regexp.MustCompile(`\bbetween\b[^,;]*$`)
	aTime   = regexp.MustCompile(`\d:\d\d`)
)

// told is what a stretch tells that stands between two places where a sentence may begin to say another thing.
type told struct{ number, time, often bool }

func (t told) or(o told) told {
	return told{t.number || o.number, t.time || o.time, t.often || o.often}
}

// toldBy reads each stretch of a sentence once, and returns what each tells, and what all from it on do.
func toldBy(folded string, ends [][]int) (each, rest []told) {
	from := 0
	for _, loc := range append(ends, []int{len(folded), len(folded)}) {
		part := folded[from:loc[0]]
		each = append(each, told{mentionsNumber(part), aTime.MatchString(part), coverage.Recurs(part)})
		from = loc[1]
	}
	rest = slices.Clone(each)
	for i := len(rest) - 2; i >= 0; i-- {
		rest[i] = rest[i].or(rest[i+1])
	}
	return each, rest
}

// Segments takes a sentence apart where both sides state a number.
func Segments(folded string) []string {
	ends := segmentEnd.FindAllStringIndex(folded, -1)
	if len(ends) == 0 {
		return []string{folded}
	}
	each, rest := toldBy(folded, ends)
	var out []string
	var left told
	from := 0
	for i, loc := range ends {
		mark, right := strings.TrimSpace(folded[loc[0]:loc[1]]), rest[i+1]
		left = left.or(each[i])
		switch {
		case mark == ";" || mark == "；":
		case between.MatchString(wording.LastRunes(folded[from:loc[0]], segmentReach)), wording.InNumber.MatchString(folded[max(0, loc[0]-1):min(len(folded), loc[1]+3)]):
			continue
		case bounded.MatchString(wording.FirstRunes(folded[loc[1]:], segmentReach)):
			continue
		case mark == "," || mark == "，":
			if !(left.time && right.time) && !(left.often && right.often && right.number) {
				continue
			}
		case !left.number || !right.number:
			continue
		}
		out = append(out, folded[from:loc[0]])
		from, left = loc[1], told{}
	}
	return append(out, folded[from:])
}

// segmentReach is how many characters beside the end of a segment say whether it is one.
const segmentReach = 160

func mentionsNumber(folded string) bool {
	numbers, _ := quantity.Read(folded)
	return len(numbers) > 0
}
