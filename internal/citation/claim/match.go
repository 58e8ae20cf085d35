package claim

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/contrast"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

// best is where excerpts come nearest to a claim.
type best struct {
	share     float64            // of the claim's words, over the best place of each excerpt
	all       float64            // over all that is cited
	single    float64            // over the best single sentence
	often     float64            // the same as all, less for words that few sentences hold
	end       float64            // over all, of the last third of the claim's words, which mostly says what is new
	statement *reading.Statement // the best single sentence; nil if nothing is cited
	near      []nearby           // sentences that come nearly as near, best first
	nearest   []nearby           // those that come as near as the best one, and that one
	quote     string             // that sentence, or records together
	held      []float64          // how far each term is held anywhere
}

// window is how many neighbouring sentences of an excerpt may support a claim together.
const window = 3

func match(c reading.Claim, cited []*Source) best {
	var out best
	covered, all, held := make([]float64, len(c.Terms)), make([]float64, len(c.Terms)), make([]float64, len(c.Terms))
	for _, s := range cited {
		top, topShare := []float64(nil), -1.0
		each := make([][]float64, len(s.Sentences))
		for i := range s.Sentences {
			st := &s.Sentences[i]
			each[i] = c.Cover(st.Words)
			reading.Raise(all, each[i])
			for k, v := range each[i] {
				if v == 1 {
					held[k]++
				}
			}
			share := c.Share(each[i])
			if share >= contrast.SameWords {
				out.near = append(out.near, nearby{st, share})
			}
			if share > out.single || out.statement == nil {
				out.single, out.quote, out.statement = share, st.Text, st
			}
			joint := make([]float64, len(c.Terms))
			for j := max(0, i-window+1); j <= i; j++ {
				reading.Raise(joint, each[j])
			}
			if share := c.Share(joint); share > topShare {
				top, topShare = joint, share
			}
		}
		if s.Records {
			out.widen(c, s, each)
		}
		reading.Raise(covered, top)
	}
	out.nearest = slices.DeleteFunc(slices.Clone(out.near), func(n nearby) bool { return n.share < out.single-closely })
	out.rank()
	for k := range held {
		held[k] /= held[k] + saturation
	}
	out.share, out.all, out.often, out.end = c.Share(covered), c.Share(all), c.Share(held), c.ShareOfEnd(all)
	out.held = all
	return out
}

// nearby is a sentence with the share of a claim's words that it holds.
type nearby struct {
	*reading.Statement
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
		return n.share < b.single-farOff || n.Statement == b.statement || b.single >= settled
	})
	slices.SortStableFunc(b.near, func(x, y nearby) int { return cmp.Compare(y.share, x.share) })
	b.near = b.near[:min(len(b.near), mostNear)]
}

// saturation is how many sentences that hold a word make half of its worth.
const saturation = 1.2

// clearly is how much more of a claim several records must hold than one, to be quoted together.
const clearly = 0.15

// widen quotes neighbouring records together where no single one comes near to what they hold.
func (b *best) widen(c reading.Claim, s *Source, each [][]float64) {
	most := b.single + clearly
	for i := range s.Sentences {
		joint := slices.Clone(each[i])
		for j := i - 1; j >= max(0, i-window+1); j-- {
			reading.Raise(joint, each[j])
			if share := c.Share(joint); share > most {
				most = share
				var rows []string
				for _, st := range s.Sentences[j : i+1] {
					rows = append(rows, st.Text)
				}
				b.quote = strings.Join(rows, "\n")
			}
		}
	}
}

// order is the share of neighbouring words of a claim that some sentence holds near each other.
func order(c reading.Claim, cited []*Source) float64 {
	if len(c.Terms) < 2 {
		return 1
	}
	held := 0
	for i := 1; i < len(c.Terms); i++ {
		a, b := c.Terms[i-1].Text, c.Terms[i].Text
		if slices.ContainsFunc(cited, func(s *Source) bool {
			return slices.ContainsFunc(s.Sentences, func(st reading.Statement) bool { return st.Neighbours(a, b) })
		}) {
			held++
		}
	}
	return float64(held) / float64(len(c.Terms)-1)
}

// openEnd reports whether the last word of a claim, which mostly says what is new, is held nowhere.
func (b best) openEnd() bool { return len(b.held) > 0 && b.held[len(b.held)-1] == 0 }

// closely is how much less of a claim a sentence may hold than the one that comes nearest, to be as near.
const closely = 0.05
