package role

import (
	"regexp"
	"slices"
)

var (
	exceptions = regexp.MustCompile(`除(?:了)?([^,;。非]{1,20}?)(?:以外|之外|外)|([^,;。 ]{1,12}?)除外|` +
		`\b(?:except|excepting|excluding|other than|apart from|with the exception of|unless (?:it|this|that|they) (?:is|are))(?: for| on| in(?: the)?(?: cases?| event) of| in| at)? (?:the |an? )?([a-z0-9 -]+?)(?:$|[,.;]| (?:is|are|may|must|can|has|have|will|receive|get)\b)`)
	// alsoSo says that what is named beside is no exception.
	alsoSo = regexp.MustCompile(`[还也]|\balso\b`)
	// noNegator look like a negation and are none, or bound a number.
	noNegator = regexp.MustCompile(`不仅|不同|不断|不论|不管|无论|非常|除非|未来|不足|不(?:得)?(?:超过|少于|低于|高于|晚于|早于|多于|大于|小于)|\b(?:no|not) (?:more|later|fewer|less|earlier|longer) than\b|\bnot (?:only|until|just|merely|necessarily)\b|\bno (?:doubt|matter)\b|\bneither\b`)
	negator   = regexp.MustCompile(`并非|[不未无没非勿]|禁止|严禁|\b(?:not|no|never|nor|none|nobody|cannot|without|prohibited|forbidden|exclud(?:es?|ed|ing))\b|n['’]t\b`)
	negating  = regexp.MustCompile(`[不未无没非勿并须需应必]|not|no|never|neither|nor|without|must|need|shall`)
)

// Denied reports whether a sentence says of a claim whose words it holds that it is not so, or that it is so except
// for what the claim speaks of.
func Denied(claim, sentence string) bool {
	_, ok := denied(prepare(claim), brackets.ReplaceAllString(prepare(sentence), ""))
	return ok
}

// Contrary returns a clause that denies what a claim of one clause says in the same words, or says what the claim denies.
func Contrary(claim, sentence string) (Swap, bool) {
	claim, sentence = prepare(claim), brackets.ReplaceAllString(prepare(sentence), "")
	own := parts(claim)
	if len(own) != 1 || exceptions.MatchString(claim+"\n"+sentence) {
		return Swap{}, false
	}
	return negated(own[0], parts(sentence), sameness{1, copied})
}

func denied(claim, sentence string) (Swap, bool) {
	if s, ok := excepted(claim, sentence); ok {
		return s, true
	}
	if exceptions.MatchString(claim + "\n" + sentence) {
		return Swap{}, false
	}
	theirs := parts(sentence)
	for _, k := range parts(claim) {
		if s, ok := negated(k, theirs, sameness{wholly, mostly}); ok {
			return s, true
		}
	}
	return Swap{}, false
}

// odd reports whether a text denies what it says.
func odd(text string) bool {
	return len(negator.FindAllString(noNegator.ReplaceAllString(text, ""), -1))%2 == 1
}

const (
	wholly = 0.9 // share of a claim in a clause that says the same or its contrary
	mostly = 0.5 // share of that clause in the claim
)

// sameness is how much of a claim a clause must hold, and how much of the clause the claim.
type sameness struct{ ours, theirs float64 }

// negated tells whether the clauses that hold all words of a claim deny what it says, or say what it denies.
func negated(k part, theirs []part, most sameness) (Swap, bool) {
	var found Swap
	ours := affirmed(k.list)
	if weigh(ours) < 2 || k.led {
		return Swap{}, false
	}
	for t := range candidates(theirs, k) {
		list := affirmed(t.list)
		if t.led || weigh(without(ours, t.words)) > (1-most.ours)*weigh(ours) || weigh(without(list, k.words)) > (1-most.theirs)*weigh(list) {
			continue
		}
		if odd(t.text) == odd(k.text) {
			return Swap{}, false
		}
		found = Swap{k.text, t.text}
	}
	return found, found.Said != ""
}

// Held reports whether a clause of a sentence, with what others leave for it to say, holds all words of a claim that says
// one thing, and denies no more and no less than that.
func Held(claim, sentence string) bool {
	own := parts(prepare(claim))
	if len(own) != 1 {
		return false
	}
	for p := range candidates(parts(prepare(sentence)), own[0]) {
		if len(without(own[0].list, p.words)) == 0 && odd(p.text) == odd(own[0].text) {
			return true
		}
	}
	return false
}

// affirmed are words without those that deny.
func affirmed(list []token) []token {
	return slices.DeleteFunc(slices.Clone(list), func(t token) bool { return negating.FindString(t.text) == t.text })
}

// excepted tells whether one of two texts says of all but something what the other says of that.
func excepted(claim, sentence string) (Swap, bool) {
	k, t := newPart(claim, tokens(claim)), newPart(sentence, tokens(sentence))
	ours, restOfOurs := exceptionsOf(claim)
	theirs, restOfTheirs := exceptionsOf(sentence)
	switch {
	case len(ours) > 0 && len(theirs) == 0:
		same := slices.ContainsFunc(parts(sentence), func(p part) bool {
			return len(without(ours, p.words)) == 0 && odd(p.text) != odd(restOfOurs)
		})
		return Swap{show(ours), ""}, !same
	case len(theirs) > 0 && len(ours) == 0:
		held := len(without(theirs, k.words)) == 0
		return Swap{show(theirs), show(theirs)}, held && odd(claim) == odd(restOfTheirs)
	case len(ours) > 0:
		return Swap{show(ours), show(theirs)}, len(without(ours, t.words)) > 0 || len(without(theirs, k.words)) > 0 || odd(restOfOurs) != odd(restOfTheirs)
	}
	return Swap{}, false
}

// exceptionsOf takes a text apart into what it excepts and what it says of the rest.
func exceptionsOf(text string) ([]token, string) {
	if alsoSo.MatchString(text) {
		return nil, text
	}
	var out []token
	for _, m := range exceptions.FindAllStringSubmatch(text, -1) {
		out = append(out, tokens(m[1]+m[2]+m[3])...)
	}
	return out, exceptions.ReplaceAllString(text, "")
}
