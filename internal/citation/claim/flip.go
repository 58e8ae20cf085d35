package claim

import (
	"regexp"
	"slices"
	"strings"
)

// nearHead is how many Chinese characters behind a denial may begin what it denies.
const nearHead = 3

// manner matches words that stand between a denial and what it denies: "does not significantly improve".
var manner = regexp.MustCompile(`^(?:\w+ly|any|yet|ever|more|much|very|so|such)$`)

// heads returns what the denials of a folded text deny in the first place: the word behind each, or
// the pairs of the Chinese characters behind it.
func heads(folded string) []string {
	if !mayDeny(folded) {
		return nil
	}
	var out []string
	for _, part := range clausesOf(folded) {
		found := denials(part)
		if len(found) == 0 {
			continue
		}
		list := terms(codes.ReplaceAllStringFunc(part, withoutCodes))
		for _, d := range found {
			if !d.thing && !d.number {
				out = append(out, d.heads(list)...)
			}
		}
	}
	return out
}

// heads returns what one denial denies in the first place: the word before it where it reaches none, as
// in "fixes no ERR-1042".
func (d denial) heads(list []term) []string {
	var out []string
	n, before, reached := 0, "", false
	for _, t := range list {
		within := t.at >= d.reach[0] && t.at < d.reach[1]
		reached = reached || within
		switch {
		case t.at < d.word[0]:
			before = t.text
		case !within || manner.MatchString(t.surface):
		case !han(t.text):
			if n == 0 {
				return []string{t.text}
			}
			return out
		case n == nearHead:
			return out
		default:
			n++
			if t.right != "" {
				out = append(out, t.right)
			}
		}
	}
	if !reached && before != "" {
		return []string{before}
	}
	return out
}

// denies returns the very thing that a denial of one of a claim and a sentence denies where the other
// speaks of it and denies it not: the claim's word and the sentence's.
func (c claim) denies(sentence string, theirs map[string]attitude) (pair [2]string, ok bool) {
	for _, h := range heads(c.folded) {
		at := slices.IndexFunc(c.terms, func(t term) bool { return t.text == h || t.right == h })
		if at < 0 || c.attitudes[h] != denied {
			continue
		}
		for _, key := range append([]string{h}, c.terms[at].forms...) {
			if theirs[key] == affirmed {
				return [2]string{h, key}, true
			}
		}
	}
	for _, h := range heads(sentence) {
		if theirs[h] != denied {
			continue
		}
		for _, t := range c.terms {
			if (t.text == h || t.right == h || slices.Contains(t.forms, h)) && c.attitudes[t.key(h)] == affirmed {
				return [2]string{t.key(h), h}, true
			}
		}
	}
	return pair, false
}

// key is under what a term is known, of its word and its pair.
func (t term) key(h string) string {
	if t.right == h {
		return h
	}
	return t.text
}

// agrees reports whether a claim and a sentence deny a word in common: then what else a denial
// reaches in one of them alone is the affair of the order of words.
func (c claim) agrees(sentence map[string]attitude) bool {
	return slices.ContainsFunc(c.terms, func(t term) bool {
		for _, key := range [...]string{t.right, t.left, t.text} {
			if theirs, ok := sentence[key]; ok && key != "" {
				return c.attitudes[key]&theirs&denied != 0
			}
		}
		return false
	})
}

// flips returns the weight of the terms of a claim of which a sentence says the contrary, and the
// terms: what is denied in one of the two and not in the other.
func (c claim) flips(sentence map[string]attitude) (weight float64, words string) {
	if c.agrees(sentence) {
		return 0, ""
	}
	var list []string
	for _, t := range c.terms {
		for _, key := range [...]string{t.right, t.left, t.text} {
			theirs, ok := sentence[key]
			if key == "" || !ok {
				continue
			}
			if ours := c.attitudes[key]; ours&theirs == 0 {
				weight += t.weight
				if len(list) < most {
					list = append(list, t.surface)
				}
			}
			break
		}
	}
	return weight, strings.Join(list, " ")
}
