package instead

import (
	"regexp"
	"slices"
	"strings"
)

// whoever are the kinds of values that say who does something, as a kind begins.
var whoever = []string{"party", "post", "department"}

var (
	// clause is what parts one thing that is said from the next.
	clause = regexp.MustCompile(`[,;:!?，；：。！？|]|\. `)
	// month is the one that is written as the verb.
	month = regexp.MustCompile(`\b(?:in|of|by|on|until|since|from|to|before|after|every|early|late|mid|\d(?:st|nd|rd|th)?) may\b|\bmay \d`)
	// leave is what lets somebody do something, or keeps somebody from it.
	leave = regexp.MustCompile(`\b(?:may|can|cannot|could|(?:shall|must|should) not|entitled|allowed|permitted|authori[sz]ed|(?:right|free|option|power) to)\b|可以|(?:^|[^许认宁即便])可(?:[^能靠见观惜]|$)|有权|允许|准许|能够|得以|不得|禁止|严禁`)
	// sole says that there is no other.
	sole = regexp.MustCompile(`\b(?:only|solely|sole|exclusively|exclusive|alone|none but|nobody but|no one but)\b|[仅只唯]|专属|独家`)
	// too says that there are others.
	too = regexp.MustCompile(`\b(?:also|too|as well|likewise|both|each|either|equally)\b|[也亦]|同样`)
	// needed says of a name behind it that what may be done needs that one's approval.
	needed = regexp.MustCompile(`经过?\s*$|\b(?:approv|consent|permi|agree|authori)\w* (?:of|by|from) (?:the |an? |its |their |our )?$`)
	// joinedBefore and joinedBehind are what puts a name beside another one.
	joinedBefore = regexp.MustCompile(`(?:\b(?:and|or|with|as well as) (?:the |an? |its |their |our )?|[和与及或、]\s*)$`)
	joinedBehind = regexp.MustCompile(`^\s*(?:(?:and|or|together with|as well as)\b|[和与及或、]|以及)`)
)

// Beside reports whether what a text says of somebody leaves room for what a claim says of another in the same words: what one
// may do, or may not, another may or may not do as well, and so it is with what is said of one of several. Who alone may leaves no
// such room.
func Beside(said, found Value, claim, text string) bool {
	if said.Kind != found.Kind || !slices.ContainsFunc(whoever, func(kind string) bool { return strings.HasPrefix(said.Kind, kind) }) {
		return false
	}
	ours, theirs := around(claim, said.Written), around(text, found.Written)
	if sole.MatchString(ours.clause) || sole.MatchString(theirs.clause) {
		return false
	}
	return ours.leaves() || theirs.leaves()
}

// named is a name with what stands around it in its clause.
type named struct{ before, behind, clause string }

func (n named) leaves() bool {
	return leave.MatchString(month.ReplaceAllString(n.clause, " ")) && !needed.MatchString(n.before) || too.MatchString(n.clause) || joinedBefore.MatchString(n.before) || joinedBehind.MatchString(n.behind)
}

// around finds a name in a text.
func around(text, name string) named {
	at := strings.Index(text, name)
	if at < 0 {
		return named{}
	}
	from, to := 0, len(text)
	for _, end := range clause.FindAllStringIndex(text, -1) {
		if end[1] <= at {
			from = end[1]
		} else if end[0] >= at+len(name) {
			to = end[0]
			break
		}
	}
	return named{text[from:at], text[at+len(name) : to], text[from:to]}
}
