package pdf

import (
	"math"
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
)

// pad is memory that one page after the other is read into: what is made of it is done with when the next page comes.
type pad struct {
	glyphs, folded []glyph
	last           map[uint64]int32
	chain          []link
}

// link is a glyph among those of its spot. They are a chain through one list: a list for each spot would cost more than all the rest.
type link struct {
	box    corpus.Box
	before int32 // place in the list of the one before at the same spot, counted from 1
	length int32 // of the chain
}

// undoubled leaves out text that was drawn again over itself to look bold: a text object all of whose
// glyphs stand where the same glyphs stood before.
func (p *pad) undoubled(in []glyph) []glyph {
	const grid = 4 // points
	if p.last == nil {
		p.last = make(map[uint64]int32, len(in))
	}
	clear(p.last)
	last, chain := p.last, slices.Grow(p.chain[:0], len(in))
	// A spot is a character, the way it runs, and a square of the page: their bits beside each other.
	at := func(g *glyph, dx, dy int) uint64 {
		x, y := center(g.box)
		column, row := int(math.Floor(float64(x)/grid))+dx, int(math.Floor(float64(y)/grid))+dy
		return uint64(g.r)<<42 | uint64(g.style.turn)<<40 | uint64(column&0xfffff)<<20 | uint64(row&0xfffff) //nolint:gosec // No page has 2²⁰ squares side by side.
	}
	again := func(g *glyph) bool {
		for i := range 9 {
			for k := last[at(g, i%3-1, i/3-1)]; k > 0; k = chain[k-1].before {
				if covers(chain[k-1].box, g.box) {
					return true
				}
			}
		}
		return false
	}
	out := in[:0]
	for i := 0; i < len(in); {
		end, doubled := i, true
		for ; end < len(in) && in[end].style == in[i].style; end++ {
			doubled = doubled && again(&in[end])
		}
		for j := i; j < end && !doubled; j++ {
			l, s := link{box: in[j].box, length: 1}, at(&in[j], 0, 0)
			if l.before = last[s]; l.before > 0 {
				l.length += chain[l.before-1].length
			}
			if l.length <= 16 {
				chain = append(chain, l)
				last[s] = int32(len(chain)) //nolint:gosec // A page has a bounded number of glyphs.
			}
			out = append(out, in[j])
		}
		i = end
	}
	p.chain = chain
	return out
}

// covers reports that two boxes are the same but for a small shift.
func covers(a, b corpus.Box) bool {
	w, h := min(a[2], b[2])-max(a[0], b[0]), min(a[3], b[3])-max(a[1], b[1])
	return w > 0.7*max(a[2]-a[0], b[2]-b[0]) && h > 0.7*max(a[3]-a[1], b[3]-b[1])
}
