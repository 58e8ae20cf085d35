package index

import (
	"cmp"
	"slices"
)

// place is a chunk with its score.
type place struct {
	score float64
	part  int32
	ord   uint32
}

// heap keeps the k best places, the worst of them first.
type heap struct {
	set  *Set
	k    int
	list []place

	floor float64 // a score that at least k places reach
}

// least returns the score below which nothing is kept any more; 0 while nothing is known of it.
func (h *heap) least() float64 {
	if len(h.list) < h.k {
		return h.floor
	}
	return max(h.floor, h.list[0].score)
}

// compare orders places best first.
func (h *heap) compare(a, b place) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	x, y := h.set.parts[a.part], h.set.parts[b.part]
	d, e := &x.docs[x.docOf[a.ord]], &y.docs[y.docOf[b.ord]]
	return cmp.Or(cmp.Compare(d.key, e.key), cmp.Compare(d.document, e.document),
		cmp.Compare(x.segment.no[a.ord], y.segment.no[b.ord]))
}

func (h *heap) offer(p place) {
	if len(h.list) < h.k {
		h.list = append(h.list, p)
		for i := len(h.list) - 1; i > 0; {
			up := (i - 1) / 2
			if h.compare(h.list[i], h.list[up]) <= 0 {
				break
			}
			h.list[i], h.list[up] = h.list[up], h.list[i]
			i = up
		}
		return
	}
	if p.score < h.list[0].score || h.compare(p, h.list[0]) >= 0 {
		return
	}
	h.list[0] = p
	h.sink()
}

// sink moves the first place down to where it belongs.
func (h *heap) sink() {
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(h.list) {
			return
		}
		if c+1 < len(h.list) && h.compare(h.list[c+1], h.list[c]) > 0 {
			c++
		}
		if h.compare(h.list[c], h.list[i]) <= 0 {
			return
		}
		h.list[i], h.list[c] = h.list[c], h.list[i]
		i = c
	}
}

func (h *heap) matches() []Match {
	slices.SortFunc(h.list, h.compare)
	out := make([]Match, len(h.list))
	for i, p := range h.list {
		x := h.set.parts[p.part]
		out[i] = Match{
			Document: x.docs[x.docOf[p.ord]].document,
			Chunk:    x.segment.chunk(p.ord),
			No:       int(x.segment.no[p.ord]),
			Score:    p.score,
		}
	}
	return out
}
