// Package rarity knows how much it says that a text holds a word.
package rarity

import (
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/analysis"
)

// common are English words that most texts hold, so that finding them says little.
const common = "year time people way day man thing woman life child world school state family student group country problem hand part place " +
	"case week company system program question work night point home water room mother area money story fact month lot right study book " +
	"eye job word business issue side kind head house service friend father power hour game line end member city community name team " +
	"minute idea body information back parent face other level office door health person art history party result change morning reason " +
	"research girl guy moment air teacher force education make go know take see come think look want give use find tell ask seem feel try " +
	"leave call good new first last long great little own old big high different small large next early young important few public bad " +
	"same able become begin show hear play run move like live believe hold bring happen write provide sit stand lose pay meet include " +
	"continue set learn lead understand watch follow stop create speak read allow add spend grow open walk win offer remember love consider " +
	"appear buy wait serve die send expect build stay fall cut reach kill remain many more most much well only just now very even still too " +
	"here again however often never always while after before during since until between under over through because both each every several " +
	"within against toward among another such known based made used found said according due main major general various number type form " +
	"example term second third total associate relate role effect increase decrease cause significant"

// commonShare is the weight of a common word, compared with another.
const commonShare = 0.4

var commonTerms = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(common) {
		for _, t := range analysis.Query(word) {
			out[t.Term] = true
		}
	}
	return out
})

// Of is how much it says that a text holds a word.
func Of(word string) float64 {
	if commonTerms()[word] {
		return commonShare
	}
	return 1
}
