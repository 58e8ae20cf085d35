package role

import (
	"iter"
	"regexp"
	"slices"
	"strings"
)

// The measures of a clause that a claim mixes with another.
const (
	mostSwapped = 3.0  // words that are another's
	leastHeld   = 0.5  // share of the claim that the clause holds
	mostSaid    = 32.0 // words of a sentence; a longer one says more than which part each thing plays
	mostUnheld  = 0.15 // share of the claim that the sentence does not
)

// hanging is what a clause begins with, or ends in, that says something beside another and not as another does.
var hanging = regexp.MustCompile(`^\s*(?:[自从]|在|于)|^\s*(?:in|on|at|during|for|by|to|from|of|within|under|through|is|are|was|were|has|had|have|can|may|will|` +
	`known|born|formed|called|named|played|starring|written|created|directed|produced|released|founded|based|located|making|featuring)\b|\b(?:is|are|was|were) an? \w+\s*$`)

// hangs reports whether a clause is none beside others.
func hangs(p part) bool { return p.led || len(p.list) > longest || hanging.MatchString(p.text) }

// mixed tells whether the words of a claim are those of several clauses of a sentence, none of which, with what it
// leaves for another to say, holds them all: "Berlin has 35 desks" of "Berlin has 20 desks and Paris has 35 desks".
func mixed(k part, theirs []part, whole part) (Swap, bool) {
	if len(theirs) < 2 || k.led || weigh(whole.list) > mostSaid || slices.ContainsFunc(theirs, hangs) {
		return Swap{}, false
	}
	if weigh(without(k.list, whole.words)) > mostUnheld*weigh(k.list) {
		return Swap{}, false
	}
	var found Swap
	best := leastHeld
	for c := range candidates(theirs, k) {
		lacking := elsewhere(k, c, whole)
		instead := without(c.list, k.words)
		if len(lacking) == 0 {
			return Swap{}, false
		}
		held := 1 - weigh(without(k.list, c.words))/weigh(k.list)
		if held >= best && len(instead) > 0 && weigh(lacking) <= mostSwapped && weigh(instead) <= mostSwapped {
			best, found = held, Swap{show(lacking), show(instead)}
		}
	}
	return found, found.Said != ""
}

// elsewhere returns the words of a claim that a clause has not, but the whole sentence has: characters beside one of
// their neighbours.
func elsewhere(k, c, whole part) []token {
	return slices.DeleteFunc(without(k.list, c.words), func(t token) bool {
		if len(t.pairs) == 0 {
			return !whole.words[t.text]
		}
		return !slices.ContainsFunc(t.pairs, func(p string) bool { return strings.Contains(whole.text, p) })
	})
}

// mostClauses is how many clauses a sentence has at most of which each is read with what the others leave for it to say.
// Their pairs are as many as the square of that, and whoever writes a document decides how many clauses a sentence has.
const mostClauses = 16

// candidates yields the clauses of a sentence, and each with what it leaves for another to say: the head of one before,
// or the tail of one behind. Of a sentence of very many clauses it yields those alone.
func candidates(list []part, k part) iter.Seq[part] {
	return func(yield func(part) bool) {
		for _, p := range list {
			if !yield(p) {
				return
			}
		}
		if len(list) > mostClauses {
			return
		}
		for i := range list {
			if !withHeads(list[:i], list[i], k, yield) || !withTails(list[i], list[i+1:], yield) {
				return
			}
		}
	}
}

// withHeads yields a clause with what it leaves for those before it to say; false once no more is wanted.
func withHeads(list []part, p, k part, yield func(part) bool) bool {
	for _, before := range list {
		if n := shared(before, p); n > 0 && !yield(p.joined(before.list[:n], p.list)) {
			return false
		}
		if goesOn(p, k) {
			n := len(before.list)
			if len(without(before.list, k.words)) > 0 {
				n--
			}
			if !yield(p.joined(before.list[:n], p.list)) {
				return false
			}
		}
		if again.MatchString(p.text) && !yield(p.joined(p.list, before.list[len(before.list)-1:])) {
			return false
		}
	}
	return true
}

// withTails yields a clause with what it leaves for those behind it to say; false once no more is wanted.
func withTails(p part, list []part, yield func(part) bool) bool {
	for _, behind := range list {
		if n := len(behind.list) - len(p.list); n > 0 && !yield(p.joined(p.list, behind.list[len(behind.list)-n:])) {
			return false
		}
	}
	return true
}

// joined is a clause that says what p does with words of another beside it.
func (p part) joined(a, b []token) part { return newPart(p.text, slices.Concat(a, b)) }

// ownSubject begins a clause that speaks of something of its own.
var ownSubject = regexp.MustCompile(`^\s*(?:the|an?|our|their|its|each|every) `)

// shared is how many tokens at the head of a clause belong to one behind it too: those before a word with which the
// latter begins, denied or not, or else by which the former is longer.
func shared(before, p part) int {
	if ownSubject.MatchString(p.text) {
		return 0
	}
	if p.list[0].text == "是" {
		return max(0, len(before.list)-len(p.list)+1) // it is not this but that
	}
	first := 0
	if strings.Contains("不未无没再先", p.list[0].text) && len(p.list) > 1 {
		first = 1
	}
	i := slices.IndexFunc(before.list, func(o token) bool { return o.text == p.list[first].text })
	if i >= 0 {
		return i
	}
	return max(0, len(before.list)-len(p.list))
}

// goesOn reports whether a claim has all words of a clause from its beginning to the last that it has, and all its numbers. Then
// the clause may go on with what another says of something, in any place of that.
func goesOn(p, k part) bool {
	lacks := odd(p.text) // which of the words of both it denies is not known
	for _, t := range p.list {
		if k.words[t.text] {
			if lacks {
				return false
			}
			continue
		}
		lacks = true
		if t.text[0] <= '9' {
			return false
		}
	}
	return true
}
