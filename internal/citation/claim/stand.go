package claim

import "github.com/kaoju/kaoju/internal/citation/claim/quantity"

// standing is how excerpts bear a quantity of a claim out.
type standing uint8

const (
	absent   standing = iota // it is not there
	rivalled                 // the deciding sentence states another value in its place
	partly                   // it does so of a part of what the claim is about, or of the whole
	loosely                  // it follows, or a part of it is there, or it is too small a number to look for
	exact                    // it is there
)

// stand judges a quantity by all that is cited and by the sentence that comes nearest to the claim.
// The rival is what that sentence states in its place.
func (b best) stand(q quantity.Stated, have, own []quantity.Stated) (standing, quantity.Stated) {
	if quantity.States(have, q) {
		return exact, quantity.Stated{}
	}
	if b.statement == nil {
		return absent, quantity.Stated{}
	}
	near := b.statement.Quantities
	implied := quantity.Implies(near, q) || quantity.Ranges(near, q)
	if r, ok := quantity.Rival(near, own, q); ok && b.single >= nearness(q) && !implied {
		return rivalled, r
	}
	if implied || q.Small() || quantity.Loose(have, q) || q.Denied && b.another(q) {
		return loosely, quantity.Stated{}
	}
	return absent, quantity.Stated{}
}

// another reports whether the sentence that comes nearest states another value in the place of one that is denied.
func (b best) another(q quantity.Stated) bool {
	q.Denied = false
	_, ok := quantity.Rival(b.statement.Quantities, nil, q)
	return ok && b.single >= nearness(q)
}

// nearness is how much of a claim a sentence must hold to state another value in the place of one: more
// for a bare number, of which a sentence may state many.
func nearness(s quantity.Stated) float64 {
	if s.Kind == quantity.Number && s.Unit == "" && !s.Year() {
		return sameBare
	}
	return same
}

const (
	same     = 0.55 // of the words in one sentence, for "the same words but another number"
	sameBare = 0.65 // the same for a bare number
)
