package role

import (
	"regexp"
	"slices"
	"strings"
)

// party is one of several who have duties and rights against each other.
var party = regexp.MustCompile(`[甲乙丙丁]方|[买卖]方|出租[方人]|承租[方人]|委托[方人]|受托[方人]|供货?方|需方|发包[方人]|承包[方人]|出借人|借款人|保险人|投保人|房东|租客|用人单位|劳动者|公司|员工|客户|供应商|` +
	`\b(?:buyer|seller|landlord|tenant|lessor|lessee|lender|borrower|employer|employee|customer|provider|supplier|client|contractor|licensor|licensee|insurer|insured|company|vendor|purchaser|manager|member|visitor|guest|host|owner|agent|carrier|shipper)s?\b`)

// SeveralParties reports whether a text speaks of several who have duties and rights against each other.
func SeveralParties(text string) bool {
	found := party.FindAllString(prepare(text), -1)
	return slices.ContainsFunc(found, func(s string) bool { return s != found[0] })
}

// concerned stands before a party to whom something is done.
var concerned = regexp.MustCompile(`[为给向对与和]$|\b(?:to|for|by|with|from|of|against)(?: the| an?)? $`)

// stretch is what is said behind a party until another one is named or the clause ends.
type stretch struct {
	party string
	words []token
}

func stretches(text string) []stretch {
	var out []stretch
	found := slices.DeleteFunc(party.FindAllStringIndex(text, -1), func(loc []int) bool { return concerned.MatchString(text[:loc[0]]) })
	for i, loc := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		if stop := strings.IndexAny(text[loc[1]:end], ",，;；。"); stop >= 0 {
			end = loc[1] + stop
		}
		if words := tokens(text[loc[1]:end]); weigh(words) >= 1 {
			out = append(out, stretch{strings.TrimSuffix(text[loc[0]:loc[1]], "s"), words})
		}
	}
	return out
}

// passive is what is done to somebody, whom it names first.
var passive = regexp.MustCompile(`\bby\b|被`)

// mostSame is the share of a stretch that another holds to say the same.
const mostSame = 0.75

func (s stretch) saidBy(o stretch) bool { return s.lacks(o.words) <= (1-mostSame)*weigh(s.words) }

// lacks weighs the words of a stretch that are not among others.
func (s stretch) lacks(others []token) float64 {
	held := map[string]bool{}
	for _, t := range others {
		held[t.text] = true
	}
	return weigh(without(s.words, held))
}

// sameParty reports whether two words are for one party: the vendor, the supplier.
func sameParty(a, b string) bool {
	return a == b || a[0] <= 'z' && b[0] <= 'z' && stem(a) == stem(b)
}

// OtherParty returns a party of whom a claim says what a sentence says of another one alone: who may end a contract, and
// against whom.
func OtherParty(claim, sentence string) (Swap, bool) {
	claim, sentence = prepare(claim), prepare(sentence)
	if passive.MatchString(claim) != passive.MatchString(sentence) {
		return Swap{}, false
	}
	ours, theirs := stretches(claim), stretches(sentence)
	for _, k := range ours {
		var other string
		own := false
		for _, t := range theirs {
			switch {
			case !k.saidBy(t):
			case sameParty(t.party, k.party):
				own = true
			default:
				other = t.party
			}
		}
		if other != "" && !own {
			return Swap{k.party, other}, true
		}
	}
	return Swap{}, false
}

var (
	// step begins a step, in the order in which steps are done.
	step = regexp.MustCompile(`首先|先|再|才[能可]|方可|然后|接着|随后|最后|(?:之|以)?后(?:由|再)?|\b(?:first|then|next|afterwards|after that|finally|lastly)\b`)
	// earlier and later stand between two steps.
	earlier = regexp.MustCompile(`^(.+?)(?:\bbefore\b)(.+)$`)
	later   = regexp.MustCompile(`^(.+?)(?:\bafter\b)(.+)$`)
	led     = regexp.MustCompile(`^\s*(before|after)\b([^,]+),(.+)$`)
	pause   = regexp.MustCompile(`[,，;；。:]`)
)

// steps returns what a text tells to do, first things first; none if it tells no order.
func steps(text string) [][]token {
	var pieces []string
	if m := led.FindStringSubmatch(text); m != nil {
		if pieces = []string{m[2], m[3]}; m[1] == "before" {
			pieces = []string{m[3], m[2]}
		}
	} else if m := earlier.FindStringSubmatch(text); m != nil {
		pieces = m[1:]
	} else if m := later.FindStringSubmatch(text); m != nil {
		pieces = []string{m[2], m[1]}
	} else if step.MatchString(text) {
		for _, clause := range pause.Split(text, -1) {
			pieces = append(pieces, step.Split(clause, -1)...)
		}
	}
	var out [][]token
	for _, p := range pieces {
		if list := tokens(p); weigh(list) >= 1 {
			out = append(out, list)
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// OtherSteps returns two steps of a claim that a sentence tells in the other order.
func OtherSteps(claim, sentence string) (Swap, bool) {
	ours, theirs := steps(prepare(claim)), steps(prepare(sentence))
	last, before := -1, []token(nil)
	for _, k := range ours {
		at, least := -1, (1-mostSame)*weigh(k)
		for i, t := range theirs {
			if lacks := (stretch{words: k}).lacks(t); lacks < least || lacks == least && at < 0 {
				at, least = i, lacks
			}
		}
		if at < 0 {
			continue
		}
		if at < last {
			return Swap{show(before) + " – " + show(k), show(k) + " – " + show(before)}, true
		}
		last, before = at, k
	}
	return Swap{}, false
}

var (
	may  = regexp.MustCompile(`\b(?:may|can|could)\b|可以?|有权|允许`)
	must = regexp.MustCompile(`\b(?:must|shall|has to|have to|is required to|are required to|is obliged to|are obliged to|needs? to)\b|必须|应当|应该|务必|[^无必]须|应[^用]|^须`)
	// only makes leave a duty: "may only be used with", 方可, 才能.
	only = regexp.MustCompile(`\bonly\b|\bnot\b|\bno\b|方可|才[可能]|[不仅只无未]|可[靠用能行]|认可|许可`)
)

// OtherDuty returns by which word a claim makes a duty of what a sentence leaves to somebody, or the reverse. Who says both,
// and what is denied or said of one case alone, is not compared.
func OtherDuty(claim, sentence string) (Swap, bool) {
	if only.MatchString(claim) || only.MatchString(sentence) {
		return Swap{}, false
	}
	ours, theirs := may.FindString(claim), may.FindString(sentence)
	duty, theirDuty := must.FindString(claim), must.FindString(sentence)
	switch {
	case duty != "" && ours == "" && theirs != "" && theirDuty == "":
		return Swap{duty, theirs}, true
	case ours != "" && duty == "" && theirDuty != "" && theirs == "":
		return Swap{ours, theirDuty}, true
	}
	return Swap{}, false
}
