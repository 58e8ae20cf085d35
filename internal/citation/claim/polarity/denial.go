// Package polarity reads how a text speaks of its words: whether it affirms or denies them, which it denies in the first
// place, what it puts into a frame of disbelief, and what it says in words that have an opposite.
//
// It reads one text at a time and compares no two.
package polarity

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// noDenials are words that look like a denial and are none.
var noDenials = regexp.MustCompile(`非常|非洲|[东南西北]非|不列颠|不丹|无线|未来|不同|不仅|不断|不久|不论|不管|无论|不过|不锈|除非|不但|不动产|未婚|并非不|无不|不(?:得|能)?(?:超过|少于|低于|高于|大于|小于|多于|早于|晚于|迟于)|不到|不足|不得不|` +
	`\bnot (?:only|until|just|merely|necessarily|least|surprising\w*)\b|\b(?:no|not) (?:more|less|fewer|later|earlier|longer|higher|lower) than\b|\bno (?:doubt|matter)\b|\bno\. ?\d|\bpresence (?:or|and) (?:\(?\w+\)? )?absence\b|\b(?:whether or|if) not\b`)

const (
	// HanReach is how many characters of Chinese a denial reaches at most.
	HanReach = 12
	// enReach is the same of English.
	enReach = 48
)

// nextSaid is where something else begins to be said, which a denial before it does not reach.
var nextSaid = regexp.MustCompile(`["”]|\band (?:i|you|he|she|it|we|they|the|this|that|these|those|there)\b`)

// denial is a word that denies and what it reaches, in bytes.
type denial struct {
	word, reach [2]int
	thing       bool // it denies a thing and not what is said: "without", "lack of"
	number      bool // it denies a number alone: "is not 650 yuan"
}

// privative matches the denials of a thing.
var privative = regexp.MustCompile(`^(?:without|lack|lacking|absence of|failure to|refusal|rather than|avoid\w*|无|免于)$`)

// denials finds the denials of one clause.
func denials(clause string) []denial {
	if !mayDeny(clause) {
		return nil
	}
	masked := Masked(clause)
	var out []denial
	add := func(loc []int, reach int) {
		end := loc[1]
		for n := 0; end < len(clause) && n < reach; n++ {
			end++
			for end < len(clause) && clause[end]&0xC0 == 0x80 {
				end++
			}
		}
		if next := nextSaid.FindStringIndex(clause[loc[1]:end]); next != nil {
			end = loc[1] + next[0]
		}
		out = append(out, denial{[2]int{loc[0], loc[1]}, [2]int{loc[1], end}, privative.MatchString(clause[loc[0]:loc[1]]), deniesNumber(clause[loc[0]:])})
	}
	for _, loc := range zhDenials.FindAllStringIndex(masked, -1) {
		add(loc, HanReach)
	}
	for _, loc := range enDenials.FindAllStringIndex(masked, -1) {
		// The engine's word ends are those of ASCII: "noël" holds no "no".
		if !letterAt(masked, loc[1]) && !letterBefore(masked, loc[0]) {
			add(loc, enReach)
		}
	}
	return eachOnce(clause, out)
}

var (
	zhDenials = regexp.MustCompile(`[不无未非勿没]|切?莫[要得可能]|禁止|严禁|拒绝|免于`)
	enDenials = regexp.MustCompile(`\b(?:not|no|never|cannot|without|neither|nor|none|nobody|nothing|prohibited|forbidden|incapable|unable|unlikely|lacks?|lacking|lacked|fails?|failed|failure to|refuses?|refused|refusal|declined to|avoids?|avoided|avoiding|absence of|rather than|yet to)\b|n't\b`)
)

// Masked blanks what looks like a denial in a folded text and is none.
func Masked(folded string) string { return noDenials.ReplaceAllStringFunc(folded, wording.Blank) }

// Count tells how many denials a folded text has.
func Count(folded string) int { return len(denials(folded)) }

// eachOnce lets "neither" reach no further than to "nor", which denies the rest: both together deny once.
func eachOnce(clause string, found []denial) []denial {
	is := func(d denial, word string) bool { return clause[d.word[0]:d.word[1]] == word }
	for i, d := range found {
		for _, e := range found[i+1:] {
			if is(d, "neither") && is(e, "nor") {
				found[i].reach[1] = min(d.reach[1], e.word[0])
			}
		}
	}
	return found
}

// denying are pieces of the English words that deny.
var denying = strings.Fields("no n't without never neither prohibited forbidden incap unable unlikely lack fail refus avoid declined absence rather yet")

// mayDeny reports whether a folded text may deny something. It looks at pieces of words alone, since most
// clauses deny nothing.
func mayDeny(folded string) bool {
	return strings.ContainsAny(folded, "不无未非勿没莫禁严拒免") ||
		slices.ContainsFunc(denying, func(piece string) bool { return strings.Contains(folded, piece) })
}

func letterAt(s string, at int) bool {
	for _, r := range s[at:] {
		return unicode.IsLetter(r) && r > unicode.MaxASCII
	}
	return false
}

func letterBefore(s string, at int) bool {
	r := []rune(wording.LastRunes(s[:at], 1))
	return len(r) == 1 && unicode.IsLetter(r[0]) && r[0] > unicode.MaxASCII
}

// Reached reports whether what stands behind a text is denied by it.
func Reached(before string) bool {
	n := 0
	for _, d := range denials(before) {
		if d.reach[1] == len(before) {
			n++
		}
	}
	return n%2 == 1
}
