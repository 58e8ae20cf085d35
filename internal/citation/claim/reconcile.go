package claim

import (
	"regexp"
	"slices"
)

// exclusive says of one thing, or one case, what it denies of all others.
var exclusive = regexp.MustCompile(`\b(?:only|unless|solely|exclusively)\b|[仅只]|除非|方可|才能`)

// reconciled reports whether what looks like a contradiction may say the same in two ways: "use only salt" and "do not use
// sand", "may only leave with a pass" and "may not leave without one", "open until 18:00" and "closes at 18:00".
func (c claim) reconciled(st *statement, rule string) bool {
	switch rule {
	case "negation":
		return exclusive.FindString(c.folded) != exclusive.FindString(st.folded) && count(c.folded) != count(st.folded)
	case "opposite":
		isTime := func(q stated) bool { return q.kind == timeOfDay }
		return slices.ContainsFunc(c.quantities, isTime) && !slices.ContainsFunc(c.quantities, func(q stated) bool { return !states(st.quantities, q) })
	}
	return false
}
