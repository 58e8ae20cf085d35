package coverage

// Substitutes reports whether a place has something else of its own where words of a text are missing: between the same
// neighbours stands a word that the text does not have, and that does not merely carry what is said.
func (t Text) Substitutes(place Text, held ...Text) bool {
	missing := gaps(t.list, func(w Word) bool { return w.In(held...) })
	if len(missing) == 0 {
		return false
	}
	own := gaps(place.list, func(w Word) bool { return w.In(t) })
	for _, m := range missing {
		for _, o := range own {
			if o.says && o.stands(m) {
				return true
			}
		}
	}
	return false
}

// gap is a run of words that another text does not have, and what stands before and behind it.
type gap struct {
	before, behind *Word
	says           bool // one of the words does more than carry the others
}

// gaps finds the runs of words that are not known.
func gaps(list []Word, known func(Word) bool) []gap {
	var out []gap
	open := false
	for i := range list {
		if known(list[i]) {
			if open {
				out[len(out)-1].behind = &list[i]
			}
			open = false
			continue
		}
		if !open {
			out, open = append(out, gap{}), true
			if i > 0 {
				out[len(out)-1].before = &list[i-1]
			}
		}
		g := &out[len(out)-1]
		g.says = g.says || !list[i].Carries()
	}
	return out
}

// stands reports whether two gaps have a neighbour in common, and where both have the other one too, that as well.
func (g gap) stands(o gap) bool {
	before, behind := alike(g.before, o.before), alike(g.behind, o.behind)
	switch {
	case g.before == nil || o.before == nil:
		return behind
	case g.behind == nil || o.behind == nil:
		return before
	}
	return before && behind
}

func alike(a, b *Word) bool {
	return a != nil && b != nil && (a.Term == b.Term || kindred(a.Term, b.Term))
}
