package claim

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/numeral"
)

// subject is what a sentence speaks of: its words before the verb, with the numbers among them.
type subject struct {
	terms      []term
	words      map[string]bool
	quantities []stated
	verb       bool // a verb stands behind them
	several    bool // they are of the clauses before
	led        bool // a preposition begins them, so that some say when or where
}

var (
	// enVerb and hanVerb are where what is said of a subject begins at the latest.
	enVerb  = regexp.MustCompile(`\b(?:is|are|was|were|be|been|has|have|had|may|might|can|could|must|shall|should|will|would|do|does|did)(?:n['’]t)?\b|\b(?:cannot|can['’]t|won['’]t)\b`)
	hanVerb = regexp.MustCompile(`由|位于|可以|可[在凭于从由向]|不|未经|禁止|严禁|必须|应当|应[由在于]|需要|须|无需|负责|享[有受]|定在|设在|均|[为是]`)
	// everybody are words for all of those who work in a place, of whom nobody is an exception, and for the place.
	everybody = regexp.MustCompile(`\b(?:all|every|any) (?:the |our )?(?:employees?|staff|personnel|workers?|colleagues?)\b|\b(?:the |our |this )?company(?:['’]s)?\b|(?:全体|所有|任何)(?:员工|职工|雇员|职员|工作人员|人员)|本?公司|我司`)
	// staff are other words for those who work there.
	staff = regexp.MustCompile(`\b(?:employees?|personnel|workers?|colleagues?|members? of staff)\b|职工|雇员|职员|工作人员`)
	// bounding are words that belong to the number behind them.
	bounding = regexp.MustCompile(`有?(?:不(?:得)?(?:超过|少于|低于|高于|大于|小于|多于)|至少|至多|最多|最少)有?`)
	// leading is a preposition that begins a clause.
	leading = regexp.MustCompile(`^\s*(?:in|on|at|for|during|after|before|since|until|under|with|by|from|to|as|when|while|if|of|among|according)\b`)
	// inMonth is a month that reads as a verb.
	inMonth = regexp.MustCompile(`\b(?:in|of|since|until|by|from|early|late|mid) may\b|\bmay \d`)
)

// aside matches what a sentence says beside, and the comma of a date or a number, which end no clause.
var aside = regexp.MustCompile(`\([^()]*\)|（[^（）]*）|-lrb-.*?-rrb-|\d\s?,\s?\d`)

// alias matches another name that a sentence gives its subject.
var alias = regexp.MustCompile(`(?:\b(?:known as|called|named|aka|formerly|short for)\b|简称|又称|又名|也称|原名|即)([^,，;；。)）]*)`)

// before returns the subject of what a folded text says at an offset. Where a clause says nothing before
// it, its subject is among what the clauses before it speak of.
func before(folded string, at int) subject {
	folded = aside.ReplaceAllStringFunc(folded, blanks)
	from := 0
	var earlier subject
	for _, end := range append(clauseEnds(folded), []int{len(folded), len(folded)}) {
		last := end[0] >= at
		s := subjectOf(folded[from:min(end[0], max(at, from))])
		if last {
			if len(s.terms)+len(s.quantities) > 0 {
				return s
			}
			earlier.words = vocabularyOf(earlier.terms)
			return earlier
		}
		if from = end[1]; folded[end[0]:from] == "?" {
			continue // what was asked is no subject of the answer
		}
		earlier.terms, earlier.verb, earlier.several = append(earlier.terms, s.terms...), earlier.verb || s.verb, true
	}
	return subject{words: map[string]bool{}}
}

// subjectOf reads the words of a clause before its verb.
func subjectOf(part string) subject {
	at := verbAt(part)
	verb := at >= 0
	if verb {
		part = part[:at]
	}
	part = staff.ReplaceAllStringFunc(everybody.ReplaceAllStringFunc(part, blanks), func(s string) string {
		if s[0] <= 'z' {
			return "staff"
		}
		return "员工"
	})
	qs, _ := quantities(part)
	list := terms(bounding.ReplaceAllStringFunc(part, blanks))
	return subject{terms: list, words: vocabularyOf(list), quantities: qs, verb: verb, led: leading.MatchString(part)}
}

// verbAt is where the verb of a clause begins; -1 if none is known.
func verbAt(part string) int {
	part = masked(inMonth.ReplaceAllStringFunc(part, blanks))
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
	from := 0
	for _, end := range append(clauseEnds(folded), []int{len(folded), len(folded)}) {
		if at < end[0] {
			part := folded[from:end[0]]
			verb := verbAt(part)
			if verb < 0 || from+verb <= at {
				return "", false
			}
			return part[verb:], true
		}
		from = end[1]
	}
	return "", false
}

// sets tells whether two words, or numbers, that exclude each other say whom or what a claim and a sentence are
// about, each before its verb: "expenses above the limit", "the expenses below it".
func sets(claim string, here int, sentence string, there int) (ours string, ok bool) {
	if here < 0 || there < 0 {
		return "", false
	}
	ours, ok = predicate(claim, here)
	_, too := predicate(sentence, there)
	return ours, ok && too
}

// condition reports whether a number of a claim and another of a sentence are those of two cases: they bound
// them on either side, or something else is said of each.
func (c claim) condition(q, r stated, st *statement) bool {
	said, ok := sets(c.folded, numberAt(c.folded, q), st.folded, numberAt(st.folded, r))
	if !ok || st.record {
		return false
	}
	qs, rest := quantities(said)
	p := claim{terms: terms(rest)}
	for _, t := range p.terms {
		p.weight += t.weight
	}
	return opposed(q, r) || unlike(qs, st.quantities) || p.share(p.cover(st.words)) < whollyHeld
}

const (
	// mostSubject is the size up to which two subjects without a word in common are two.
	mostSubject = 4
	// mostOther is the size of the words by which two subjects differ in one place.
	mostOther = 3
)

// other reports whether two subjects are of two things: they have nothing in common, or each has words of
// its own in the place of the other's, "the Cedar Project" and "the Maple Project". A subject that only
// says more or less than the other is the same, and so is one of which the first sentence, all of whose words
// are given, speaks elsewhere.
func (s subject) other(o subject, all map[string]bool) bool {
	if len(s.quantities) > 0 && len(o.quantities) > 0 && unlike(s.quantities, o.quantities) && unlike(o.quantities, s.quantities) {
		return true
	}
	mine, theirs := s.own(o), o.own(s)
	theirs = slices.DeleteFunc(theirs, func(r stretch) bool {
		return !slices.ContainsFunc(o.terms[r.from:r.to], func(t term) bool { return !(subject{words: all}).holds(t) })
	})
	if len(mine) == 0 || len(theirs) == 0 {
		return false
	}
	if mine[0].whole(s) && theirs[0].whole(o) {
		return (s.verb && o.verb || s.han() && o.han()) && mine[0].size <= mostSubject && theirs[0].size <= mostSubject
	}
	if s.verb && o.verb && max(len(s.terms), len(o.terms)) <= mostOther && !s.han() && !o.han() {
		return true // so short that any word of its own makes another
	}
	return !s.several && !o.several && slices.ContainsFunc(mine, func(a stretch) bool {
		return slices.ContainsFunc(theirs, func(b stretch) bool {
			return max(a.size, b.size) <= mostOther && (a.left != "" && a.left == b.left || a.right != "" && a.right == b.right)
		})
	})
}

// han reports whether a subject is Chinese, where no verb need stand between it and what is said of it.
func (s subject) han() bool {
	return !s.several && !slices.ContainsFunc(s.terms, func(t term) bool { return !han(t.text) })
}

// unlike reports whether a list states something that the other does not.
func unlike(list, other []stated) bool {
	return slices.ContainsFunc(list, func(q stated) bool { return !q.rate && !states(other, q) })
}

// stretch is a run of words that only one of two subjects has, with the words that it stands between.
type stretch struct {
	from, to    int
	size        float64
	left, right string
}

func (r stretch) whole(s subject) bool { return r.from == 0 && r.to == len(s.terms) }

// own returns the runs of words of a subject that the other does not hold.
func (s subject) own(o subject) []stretch {
	var out []stretch
	open := false
	for i, t := range s.terms {
		if o.holds(t) {
			open = false
			continue
		}
		if !open {
			r := stretch{from: i}
			if i > 0 {
				r.left = s.terms[i-1].text
			}
			out = append(out, r)
		}
		r := &out[len(out)-1]
		r.to, r.right, open = i+1, "", true
		r.size += t.size()
		if i+1 < len(s.terms) {
			r.right = s.terms[i+1].text
		}
	}
	return out
}

// holds reports whether a subject has a word or one of its family, or a character beside one of its neighbours.
func (s subject) holds(t term) bool {
	switch {
	case t.left != "" || t.right != "":
		return s.words[t.left] || s.words[t.right]
	case s.words[t.text]:
		return true
	}
	return slices.ContainsFunc(s.terms, func(o term) bool {
		return kindred(o.text, t.text) || min(len(o.text), len(t.text)) >= shortName && (strings.HasPrefix(o.text, t.text) || strings.HasPrefix(t.text, o.text))
	})
}

// shortName is how many letters a short name has at least: Tim, Timothy.
const shortName = 3

// position is where a word stands in a folded text: a stem or a pair of characters; -1 if nowhere.
func position(folded, word string) int {
	if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return strings.Index(folded, word)
	}
	list := terms(folded)
	if i := slices.IndexFunc(list, func(t term) bool { return t.text == word }); i >= 0 {
		return list[i].at
	}
	offsets := offsetsOf(folded)
	for _, t := range analysis.Tokens(folded) {
		if t.Term == word {
			return offsets[t.Span[0]]
		}
	}
	return -1
}

// elsewhere reports whether a claim and a sentence say something of two subjects, each by its word of a pair.
func (c claim) elsewhere(pair [2]string, st *statement) bool {
	return c.elsewhereAt(position(c.folded, pair[0]), position(st.folded, pair[1]), st)
}

// splits reports whether two opposite words tell what a claim is about from what a sentence is about.
func (c claim) splits(pair [2]string, st *statement) bool {
	_, ok := sets(c.folded, position(c.folded, pair[0]), st.folded, position(st.folded, pair[1]))
	return ok
}

// numberAt is where a text first states a quantity, as far as its writing tells; -1 if nowhere.
func numberAt(folded string, q stated) int {
	for _, loc := range numeral.Han.FindAllStringIndex(folded, -1) {
		if n, ok := numeral.HanValue(folded[loc[0]:loc[1]], folded[:loc[0]], folded[loc[1]:]); ok && q.kind == number && strconv.FormatInt(n, 10) == q.value {
			return loc[0]
		}
	}
	for _, loc := range numeral.Words.FindAllStringIndex(folded, -1) {
		if q.kind == number && numeral.English(folded[loc[0]:loc[1]]) == q.value {
			return loc[0]
		}
	}
	if i := strings.Index(folded, q.written); q.written != "" && i >= 0 {
		return i
	}
	if i := strings.IndexFunc(folded, unicode.IsDigit); i >= 0 {
		return i
	}
	if loc := bareMonth.FindStringIndex(folded); loc != nil {
		return loc[0]
	}
	return -1
}

// apart is the same by the offsets of the two words; -1 for a word that is nowhere.
func (c claim) apart(here, there int, st *statement) bool {
	if here < 0 || there < 0 || st.record {
		return false
	}
	theirs := before(st.folded, there)
	for _, m := range alias.FindAllStringSubmatch(st.folded, -1) {
		maps.Copy(theirs.words, vocabulary(m[1]))
	}
	ours := before(c.folded, here)
	if !ours.verb && ours.han() && len(ours.own(subject{words: st.words})) == 0 {
		return false // without a verb, they may be of what is said
	}
	all := vocabularyOf(c.terms)
	return ours.other(theirs, all) || conditions(c.folded, here).other(conditions(st.folded, there), all)
}
