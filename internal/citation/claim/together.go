package claim

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/role"
)

// whollySaid is how many words a clause has at least that another sentence than the rest of a claim may hold.
const whollySaid = 2

// together returns the words and numbers of a claim that the place which lacks the fewest of them does not hold. It is
// empty if one place says all of the claim, or one each of its clauses. A place is a sentence, or a part of one that
// says something of its own, with the headings it is under and the sentence that tells what it speaks of.
func (c claim) together(cited []*Source) []string {
	var clauses []string
	for _, clause := range clausesOf(c.folded) {
		if strings.TrimSpace(clause) != "" {
			clauses = append(clauses, segments(clause)...)
		}
	}
	several := len(clauses) > 1 && !conditional.MatchString(c.folded)
	var all []place
	for _, s := range cited {
		all = append(all, s.places(several)...)
	}
	lacking := leastLacking(c.folded, c.text, all)
	if len(lacking) == 0 || !several {
		return lacking
	}
	for _, clause := range clauses {
		if coverage.Read(clause, "").Size() < whollySaid || len(leastLacking(clause, clause, all)) > 0 {
			return lacking
		}
	}
	return nil
}

// otherRoles returns what all sentences that come nearest to a claim say of another party, in another order, or as leave where the
// claim says that it is a duty.
func (c claim) otherRoles(b best) (Reason, bool) {
	var why Reason
	for _, n := range b.nearest {
		said, ok := role.Swap{}, false
		for _, compare := range [...]func(claim, sentence string) (role.Swap, bool){role.OtherParty, role.OtherSteps, role.OtherDuty} {
			if said, ok = compare(c.text, n.said()); ok {
				break
			}
		}
		if !ok {
			return Reason{}, false
		}
		why = Reason{"role", said.Said, said.Found}
	}
	return why, why != (Reason{})
}

// leastLacking returns what the place lacks of a folded text that lacks the fewest of its words.
func leastLacking(folded, written string, all []place) []string {
	numbers, rest := quantities(folded)
	said := coverage.ReadRest(folded, rest, written)
	var least []string
	for i, p := range all {
		if lacking := p.lacks(numbers, said); i == 0 || runes(lacking) < runes(least) {
			least = lacking
		}
		if len(least) == 0 {
			break
		}
	}
	return least
}

// runes counts the characters of some words.
func runes(words []string) int { return utf8.RuneCountInString(strings.Join(words, "")) }

// place is where a text may say all that a claim does.
type place struct {
	held    []coverage.Text
	numbers []stated
}

// lacks returns the numbers and words that a place does not hold.
func (p place) lacks(numbers []stated, said coverage.Text) []string {
	var out []string
	for _, q := range numbers {
		if !q.rate && !p.tells(q, numbers) {
			out = append(out, q.String())
		}
	}
	return append(out, said.Lacking(p.held...)...)
}

// tells reports whether a place states a quantity. What is counted without a unit is no amount of one, and "one" is
// mostly an article. What a claim states itself beside a bound is not what lies within that.
func (p place) tells(want stated, own []stated) bool {
	if want.kind == number && want.unit == "" && want.value == "1" {
		return true
	}
	var have, free []stated
	for _, h := range p.numbers {
		if want.kind == number && want.bound != exactly && want.unit == "" && h.unit != "" {
			continue
		}
		if have = append(have, h); !states(own, h) {
			free = append(free, h)
		}
	}
	return states(have, want) || implies(free, want)
}

// segmentEnd is where a sentence may begin to say another thing in the same way.
var segmentEnd = regexp.MustCompile(`[；;]|[,，]?\s(?:or|and)\s|[,，]\s?(?:或|而)?`)

var (
	bounded = regexp.MustCompile(`^\s*(?:more|less|fewer|above|below|over|under|older|younger|higher|lower|longer)\b`)
	between = regexp.MustCompile(`\bbetween\b[^,;]*$`)
	aTime   = regexp.MustCompile(`\d:\d\d`)
)

// segments takes a sentence apart where both sides state a number.
func segments(folded string) []string {
	var out []string
	from := 0
	for _, loc := range segmentEnd.FindAllStringIndex(folded, -1) {
		mark, left, right := strings.TrimSpace(folded[loc[0]:loc[1]]), folded[from:loc[0]], folded[loc[1]:]
		switch {
		case mark == ";" || mark == "；":
		case between.MatchString(left), inNumber.MatchString(folded[max(0, loc[0]-1):min(len(folded), loc[1]+3)]):
			continue
		case bounded.MatchString(right):
			continue
		case mark == "," || mark == "，":
			if !(aTime.MatchString(left) && aTime.MatchString(right)) && !(coverage.Recurs(left) && coverage.Recurs(right) && mentionsNumber(right)) {
				continue
			}
		case !mentionsNumber(left) || !mentionsNumber(right):
			continue
		}
		out = append(out, folded[from:loc[0]])
		from = loc[1]
	}
	return append(out, folded[from:])
}

func mentionsNumber(folded string) bool {
	numbers, _ := quantities(folded)
	return len(numbers) > 0
}

// places returns the places of a source; wide adds whole sentences beside their parts.
func (s *Source) places(wide bool) []place {
	if s.read == nil {
		for _, st := range s.sentences {
			s.read = append(s.read, coverage.Read(st.folded, st.said()))
		}
		s.topic = coverage.Topic(s.read)
	}
	var out []place
	for i := range s.sentences {
		out = append(out, s.placesOf(i, wide)...)
	}
	return out
}

func (s *Source) placesOf(i int, wide bool) []place {
	st := s.sentences[i]
	around := place{held: []coverage.Text{s.topic, coverage.Read(s.columns, s.columns)}}
	for _, k := range s.over(i) {
		around.held = append(around.held, s.read[k])
		around.numbers = append(around.numbers, s.sentences[k].quantities...)
	}
	for k := i; k > 0 && coverage.LeansOn(s.sentences[k].text); k-- {
		around.held = append(around.held, s.read[k-1].Words())
	}
	whole := place{append([]coverage.Text{s.read[i]}, around.held...), append(st.quantities, around.numbers...)}
	parts := segments(st.folded)
	if len(parts) == 1 || st.record || coverage.Row(st.text) {
		return []place{whole}
	}
	var out []place
	if wide {
		out = append(out, whole)
	}
	var before []coverage.Text
	for _, part := range parts {
		own := coverage.Read(part, st.said())
		p := place{append([]coverage.Text{own}, around.held...), around.numbers}
		numbers, _ := quantities(part)
		p.numbers = append(numbers, p.numbers...)
		if len(before) > 0 && !own.Begins(before[0]) {
			p.held = append(p.held, before...)
		}
		if !strictly.MatchString(part) {
			before = append(before, own.Words())
		}
		out = append(out, p)
	}
	return out
}

// over returns the headings that a sentence is under, and the row with the names of the columns above it.
func (s *Source) over(i int) []int {
	var out []int
	depth := 8
	row := coverage.Row(s.sentences[i].text)
	for k := i - 1; k >= 0 && depth > 1; k-- {
		line := s.sentences[k].text
		if row && !coverage.Row(line) {
			row = false
			out = append(out, k+1)
		}
		if d := coverage.Heading(line); d > 0 && d < depth {
			depth = d
			out = append(out, k)
		}
	}
	if row {
		out = append(out, 0)
	}
	return out
}
