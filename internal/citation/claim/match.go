package claim

import (
	"cmp"
	"slices"
	"strings"
)

// best is where excerpts come nearest to a claim.
type best struct {
	share     float64    // of the claim's words, over the best place of each excerpt
	all       float64    // over all that is cited
	single    float64    // over the best single sentence
	often     float64    // the same as all, less for words that few sentences hold
	end       float64    // over all, of the last third of the claim's words, which mostly says what is new
	statement *statement // the best single sentence; nil if nothing is cited
	near      []nearby   // sentences that come nearly as near, best first
	nearest   []nearby   // those that come as near as the best one, and that one
	quote     string     // that sentence, or records together
	held      []float64  // how far each term is held anywhere
}

// window is how many neighbouring sentences of an excerpt may support a claim together.
const window = 3

func match(c claim, cited []*Source) best {
	var out best
	covered, all, held := make([]float64, len(c.terms)), make([]float64, len(c.terms)), make([]float64, len(c.terms))
	for _, s := range cited {
		top, topShare := []float64(nil), -1.0
		each := make([][]float64, len(s.sentences))
		for i := range s.sentences {
			st := &s.sentences[i]
			each[i] = c.cover(st.words)
			raise(all, each[i])
			for k, v := range each[i] {
				if v == 1 {
					held[k]++
				}
			}
			share := c.share(each[i])
			if share >= denies {
				out.near = append(out.near, nearby{st, share})
			}
			if share > out.single || out.statement == nil {
				out.single, out.quote, out.statement = share, st.text, st
			}
			joint := make([]float64, len(c.terms))
			for j := max(0, i-window+1); j <= i; j++ {
				raise(joint, each[j])
			}
			if share := c.share(joint); share > topShare {
				top, topShare = joint, share
			}
		}
		if s.records {
			out.widen(c, s, each)
		}
		raise(covered, top)
	}
	out.nearest = slices.DeleteFunc(slices.Clone(out.near), func(n nearby) bool { return n.share < out.single-closely })
	out.rank()
	for k := range held {
		held[k] /= held[k] + saturation
	}
	out.share, out.all, out.often, out.end = c.share(covered), c.share(all), c.share(held), c.shareOfEnd(all)
	out.held = all
	return out
}

// nearby is a sentence with the share of a claim's words that it holds.
type nearby struct {
	*statement
	share float64
}

const (
	// mostNear bounds the sentences in which a contrast is looked for.
	mostNear = 5
	// farOff is how much less of a claim than the best sentence one of them may hold.
	farOff = 0.15
	// settled is the share with which the best sentence alone says what there is to say.
	settled = 0.90
)

// rank keeps those of the near sentences that come nearly as near as the best one.
func (b *best) rank() {
	b.near = slices.DeleteFunc(b.near, func(n nearby) bool {
		return n.share < b.single-farOff || n.statement == b.statement || b.single >= settled
	})
	slices.SortStableFunc(b.near, func(x, y nearby) int { return cmp.Compare(y.share, x.share) })
	b.near = b.near[:min(len(b.near), mostNear)]
}

// saturation is how many sentences that hold a word make half of its worth.
const saturation = 1.2

// clearly is how much more of a claim several records must hold than one, to be quoted together.
const clearly = 0.15

// widen quotes neighbouring records together where no single one comes near to what they hold.
func (b *best) widen(c claim, s *Source, each [][]float64) {
	most := b.single + clearly
	for i := range s.sentences {
		joint := slices.Clone(each[i])
		for j := i - 1; j >= max(0, i-window+1); j-- {
			raise(joint, each[j])
			if share := c.share(joint); share > most {
				most = share
				var rows []string
				for _, st := range s.sentences[j : i+1] {
					rows = append(rows, st.text)
				}
				b.quote = strings.Join(rows, "\n")
			}
		}
	}
}

func raise(a, b []float64) {
	for i := range b {
		a[i] = max(a[i], b[i])
	}
}

// alone is the worth of a Chinese character that a text holds beside other neighbours.
const alone = 0.4

// cover says for each term how far a vocabulary holds it: a character counts in full with one of
// its neighbours, and less alone.
func (c claim) cover(words map[string]bool) []float64 {
	out := make([]float64, len(c.terms))
	for i, t := range c.terms {
		switch {
		case t.left == "" && t.right == "" && words[t.text], words[t.left], words[t.right]:
			out[i] = 1
		case words[t.text]:
			out[i] = alone
		case slices.ContainsFunc(t.turned, func(w string) bool { return words[w] }):
			out[i] = 1
		case slices.ContainsFunc(t.forms, func(f string) bool { return words[f] }):
			out[i] = formWorth
		}
	}
	return out
}

// share weighs what is covered. A claim without words is covered by its numbers alone.
func (c claim) share(covered []float64) float64 {
	if c.weight == 0 {
		return 1
	}
	sum := 0.0
	for i, t := range c.terms {
		if i < len(covered) {
			sum += t.weight * covered[i]
		}
	}
	return sum / c.weight
}

// shareOfEnd weighs what is covered of the last third of the terms.
func (c claim) shareOfEnd(covered []float64) float64 {
	sum, total := 0.0, 0.0
	for i := len(c.terms) - (len(c.terms)+2)/3; i < len(c.terms); i++ {
		total += c.terms[i].weight
		sum += c.terms[i].weight * covered[i]
	}
	if total == 0 {
		return 1
	}
	return sum / total
}

// order is the share of neighbouring words of a claim that some sentence holds near each other.
func (c claim) order(cited []*Source) float64 {
	if len(c.terms) < 2 {
		return 1
	}
	held := 0
	for i := 1; i < len(c.terms); i++ {
		a, b := c.terms[i-1].text, c.terms[i].text
		if slices.ContainsFunc(cited, func(s *Source) bool {
			return slices.ContainsFunc(s.sentences, func(st statement) bool { return st.neighbours(a, b) })
		}) {
			held++
		}
	}
	return float64(held) / float64(len(c.terms)-1)
}

// reach is how many words may lie between neighbours, and one more.
const reach = 3

func (st statement) neighbours(a, b string) bool {
	if !st.words[a] || !st.words[b] {
		return false
	}
	for i, t := range st.sequence {
		if t != a {
			continue
		}
		for j := max(0, i-reach); j < min(len(st.sequence), i+reach+1); j++ {
			if j != i && st.sequence[j] == b {
				return true
			}
		}
	}
	return false
}

// openEnd reports whether the last word of a claim, which mostly says what is new, is held nowhere.
func (b best) openEnd() bool { return len(b.held) > 0 && b.held[len(b.held)-1] == 0 }
