package claim

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/peer"
)

var (
	// hanHeads end the names of departments, parties, places and papers; what stands before one says which.
	hanHeads = regexp.MustCompile(`公司|合同|协议|中心|车间|供应商|客户|项目|系统|产品|方案|计划|仓库|食堂|银行|大学|学院|学校|医院|协会|委员会|集团|团队|制度|办法|手册|部门|部|处|科|组|厂|店|岛|局|院|所|室|司|队|班|省|市|县|区|镇|村|路|楼|馆|站|库|方|版|级|费|税|险|假|员|期|证`)
	// enHeads are the same in English.
	enHeads = sync.OnceValue(func() map[string]bool {
		out := map[string]bool{}
		for _, t := range analysis.Query("department dept team division unit group committee board office branch contract agreement lease policy plan vendor supplier customer client " +
			"contractor company firm bank plant factory site store shop warehouse building room floor gate hall wing project programme program product service system server " +
			"phase stage section article chapter tier version region city town village island airport station school " +
			"university college hospital hotel tax fee allowance leave insurance licence license permit certificate badge card staff manager director officer " +
			"lawyer shift clause annex appendix") {
			out[t.Term] = true
		}
		return out
	})
	// label is a head with a letter that says which: "Supplier A", 供应商A, A供应商.
	label = regexp.MustCompile(`(\p{Han}{2}|[\p{L}]{2,}) ?\b([A-Z])\b|\b([A-Z]) ?(\p{Han}{2})`)
)

// displaced returns what a sentence names where a claim names another of the same kind: the finance department, the
// legal department. Such a sentence shares nearly all words of the claim and bears out none of it. What one
// of the two leaves out is no rival, nor another word for the same.
func (c claim) displaced(st *statement) (Reason, bool) {
	if st.record {
		return Reason{}, false
	}
	if r, ok := otherLabel(c.text, st.text); ok {
		return r, true
	}
	if r, ok := otherDoer(c.folded, st.folded); ok {
		return r, true
	}
	list := terms(st.folded)
	full := terms(c.folded)
	ours, theirs := subject{terms: full, words: vocabularyOf(full)}, subject{terms: list, words: st.words}
	for _, a := range ours.own(theirs) {
		for _, b := range theirs.own(ours) {
			if a.size > mostOther || b.size > mostOther || c.turnedIn(full[a.from:a.to], st) {
				continue
			}
			if r, ok := c.rivalNames(ours, a, st, theirs, b); ok {
				return r, true
			}
		}
	}
	return Reason{}, false
}

// doer is by whom something is done.
var doer = regexp.MustCompile(`\bby (?:the |an? |its |their |our )?([a-z][a-z'’ -]*?)(?:\s*[.,;:!?()]|\s*$| (?:and|or|in|on|at|for|from|with|within|who|which|that|if|when|before|after|by|to)\b)`)

// otherDoer returns by whom something is done where a claim says that another does it, of whom there can't be two: the line
// manager, the managing director.
func otherDoer(claim, folded string) (Reason, bool) {
	theirs := doer.FindAllStringSubmatch(folded, -1)
	for _, o := range doer.FindAllStringSubmatch(claim, -1) {
		names := func(m []string) bool { return !peer.Exclude(o[1], m[1]) }
		if len(theirs) > 0 && !slices.ContainsFunc(theirs, names) {
			return Reason{"name", o[1], theirs[0][1]}, true
		}
	}
	return Reason{}, false
}

// turnedIn reports whether a run of words of a claim is said in other words: in another form, or by denying the contrary.
func (c claim) turnedIn(words []term, st *statement) bool {
	in := func(w string) bool { return st.words[w] }
	return slices.ContainsFunc(c.terms, func(t term) bool {
		among := func(w term) bool { return w.text == t.text }
		return slices.ContainsFunc(words, among) && (slices.ContainsFunc(t.forms, in) || slices.ContainsFunc(t.turned, in))
	})
}

// rivalNames reports whether two runs of words, each of which one text alone has, name two of one kind.
func (c claim) rivalNames(ours subject, a stretch, st *statement, theirs subject, b stretch) (Reason, bool) {
	r := Reason{"name", a.surface(ours), b.surface(theirs)}
	if said, found := coverage.Read(r.Said, ""), coverage.Read(r.Found, ""); len(said.Unheld(found))+len(found.Unheld(said)) == 0 {
		return r, false // in other words
	}
	right, left := a.right != "" && a.right == b.right, a.left != "" && a.left == b.left
	first := a.from == 0 && b.from == 0
	if linking.MatchString(r.Said) || linking.MatchString(r.Found) || ofStaff(c.folded, r.Said) && ofStaff(st.folded, r.Found) {
		return r, false
	}
	if prepositions.MatchString(r.Said) && prepositions.MatchString(r.Found) {
		return r, false
	}
	if strings.Contains(r.Said+r.Found, "向") || ours.isHan(a) != theirs.isHan(b) || !right && !left {
		return r, false
	}
	if ours.isHan(a) {
		here, there := ours.behind(c.folded, a), theirs.behind(st.folded, b)
		head := commonHead(here, there)
		switch {
		case head != "" && (right || left || first):
			r.Said, r.Found = r.Said+head, r.Found+head
			return r, !sameKind(c.folded, r.Said, st.folded, r.Found)
		case left && hanHeads.MatchString(ours.ahead(c.folded, a)) && labelled.MatchString(r.Said) && labelled.MatchString(r.Found):
			return r, true
		}
		return r, first && right && !sameKind(c.folded, r.Said, st.folded, r.Found)
	}
	switch {
	case peer.Exclude(r.Said, r.Found):
		return r, true
	case right && enHeads()[a.right], left && enHeads()[a.left] && c.capital(r.Said) && capitalIn(st.text, r.Found):
	case c.capital(r.Said) && capitalIn(st.text, r.Found) && a.from > 0 && b.from > 0:
	case first && right && b.to-b.from == a.to-a.from:
	default:
		return r, false
	}
	return r, !peer.Same(r.Said, r.Found)
}

// prepositions name nothing by themselves.
var prepositions = regexp.MustCompile(`^[由自从于在对经按以]$`)

// linking begins with words that name nothing: they link sentences, or say how or how many.
var linking = regexp.MustCompile(`^(?:\w+ly|however|moreover|furthermore|therefore|thus|also|then|instead|meanwhile|overall|nevertheless|still|yet|once|again|now|today|several|many|some|most|much|few|both|other|such|another|certain|various|each|every|any|all|no|number|amount|total|at least|likewise|similarly)\b`)

// ofStaff reports whether some words, or characters, are of a word for those who work in a place.
func ofStaff(folded, words string) bool {
	return words == "staff" || slices.ContainsFunc(staff.FindAllString(strings.ReplaceAll(folded, "员工", "职工"), -1), func(w string) bool {
		return strings.Contains(w, words) || words == "员" && w == "职工"
	})
}

// labelled matches the signs by which parties and suppliers are told apart.
var labelled = regexp.MustCompile(`^[甲乙丙丁戊己庚辛一二三四五六七八九十东西南北]$`)

// isHan reports whether a run is of Chinese characters.
func (s subject) isHan(r stretch) bool { return han(s.terms[r.from].text) }

// behind and ahead return the text behind a run of words, and before it.
func (s subject) behind(folded string, r stretch) string {
	last := s.terms[r.to-1]
	if at := last.at + len(last.surface); at < len(folded) && strings.HasPrefix(folded[last.at:], last.surface) {
		return folded[at:]
	}
	if i := strings.Index(folded, r.surface(s)); i >= 0 {
		return folded[i+len(r.surface(s)):]
	}
	return ""
}

func (s subject) ahead(folded string, r stretch) string {
	if i := strings.Index(folded, r.surface(s)); i >= 0 {
		return lastRunes(folded[:i], headRunes)
	}
	return ""
}

// headRunes is how many characters behind what distinguishes it a head ends at the latest.
const headRunes = 3

// commonHead returns the head that both texts go on with, with what stands before it.
func commonHead(a, b string) string {
	for _, text := range [...]*string{&a, &b} {
		if r := []rune(*text); len(r) > headRunes {
			*text = string(r[:headRunes])
		}
	}
	here, there := hanHeads.FindStringIndex(a), hanHeads.FindStringIndex(b)
	if here == nil || there == nil || a[here[0]:here[1]] != b[there[0]:there[1]] || !allHan(a[:here[1]]) || !allHan(b[:there[1]]) {
		return ""
	}
	return a[:here[1]]
}

func allHan(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.Is(unicode.Han, r) })
}

// sameKind reports whether two names, with what stands before each, are known to be of one thing: 人事部, 人力资源部.
func sameKind(ours, said, theirs, found string) bool {
	for _, a := range longerNames(ours, said) {
		for _, b := range longerNames(theirs, found) {
			if peer.Same(a, b) {
				return true
			}
		}
	}
	return false
}

// longerNames returns a name and the same with up to three characters before it.
func longerNames(folded, name string) []string {
	out := []string{name}
	i := strings.Index(folded, name)
	if i < 0 {
		return out
	}
	before := []rune(lastRunes(folded[:i], headRunes))
	for n := range before {
		out = append(out, string(before[len(before)-n-1:])+name)
	}
	return out
}

// capital reports whether a claim writes the first of some words with a capital.
func (c claim) capital(words string) bool { return capitalIn(c.text, words) }

func capitalIn(text, folded string) bool {
	first, _, _ := strings.Cut(folded, " ")
	return slices.ContainsFunc(capital.FindAllString(text, -1), func(w string) bool { return analysis.Fold(w) == first })
}

// otherLabel returns a letter by which a text says which of several it speaks of, and that by which the other
// speaks of another of them.
func otherLabel(claim, text string) (Reason, bool) {
	ours, theirs := labels(claim), labels(text)
	for _, o := range ours {
		rival := ""
		for _, t := range theirs {
			if t.head == o.head && t.letter == o.letter {
				rival = ""
				break
			}
			if t.head == o.head {
				rival = t.written
			}
		}
		if rival != "" {
			return Reason{"name", o.written, rival}, true
		}
	}
	return Reason{}, false
}

// labelOf is a head with its letter.
type labelOf struct{ head, letter, written string }

func labels(text string) []labelOf {
	var out []labelOf
	for _, m := range label.FindAllStringSubmatch(text, -1) {
		out = append(out, labelOf{analysis.Fold(m[1] + m[4]), m[2] + m[3], strings.TrimSpace(m[0])})
	}
	return out
}

// closely is how much less of a claim a sentence may hold than the one that comes nearest, to be as near.
const closely = 0.05

// displacedIn returns what all sentences that come nearest to a claim name, or state, in the place of what it names.
func (c claim) displacedIn(b best) (Reason, bool) {
	var why Reason
	for _, n := range b.nearest {
		r, ok := c.displaced(n.statement)
		if !ok {
			q, other, rivalled := c.rivalled(n.statement.quantities)
			if !rivalled {
				return Reason{}, false
			}
			r = Reason{"number", q.String(), other.String()}
		}
		if why == (Reason{}) {
			why = r
		}
	}
	return why, why != (Reason{})
}
