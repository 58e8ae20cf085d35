package index

import (
	"cmp"
	"slices"
	"sync"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Match is a chunk that a search found.
type Match struct {
	Document corpus.DocumentID
	Chunk    corpus.ChunkID
	No       int
	Score    float64
}

// Search returns the k best of the visible chunks that hold at least one of the terms, best
// first; equal scores in order of the version's key, its id and the chunk's number.
func (f *Filter) Search(terms []Term, k int) []Match {
	if k <= 0 || f.n == 0 || len(terms) == 0 {
		return nil
	}
	places, df := f.look(terms)
	weights := settle(terms, f.n, df)
	top := heap{set: f.set, k: min(k, f.n)}
	for p := range f.set.parts {
		if f.visible[p] > 0 {
			f.score(p, terms, places[p], weights, &top)
		}
	}
	return top.matches()
}

// look finds the terms in each part's dictionary and counts the visible chunks that hold them.
func (f *Filter) look(terms []Term) ([][]int, []int) {
	places := make([][]int, len(f.set.parts))
	df := make([]int, len(terms))
	for p, part := range f.set.parts {
		if f.visible[p] == 0 {
			continue
		}
		places[p] = make([]int, len(terms))
		for t := range terms {
			at := part.segment.find(terms[t].Text)
			places[p][t] = at
			switch {
			case at < 0:
			case f.visible[p] == part.segment.Chunks():
				df[t] += int(part.segment.dict[at].count)
			default:
				df[t] += f.holders(p, at)
			}
		}
	}
	return places, df
}

// holders counts the visible chunks in a list.
func (f *Filter) holders(p, at int) int {
	n := 0
	words := f.bits[p]
	for list := f.set.parts[p].segment.list(at); list.next(); {
		if has(words, list.ord) {
			n++
		}
	}
	return n
}

// board holds the scores of one part's chunks while they are added up.
type board struct {
	sum     []float64
	touched []uint32
}

var boards = sync.Pool{New: func() any { return new(board) }}

// add adds the contributions of one term; those of a weak one only to chunks that have a score.
func (b *board) add(seg *Segment, at int, words []uint64, weight float64, weak bool) {
	for list := seg.list(at); list.next(); {
		if !has(words, list.ord) {
			continue
		}
		if b.sum[list.ord] == 0 {
			if weak {
				continue
			}
			b.touched = append(b.touched, uint32(list.ord))
		}
		b.sum[list.ord] += float64(weight * saturate(list.tf, &seg.norm[list.ord]))
	}
}

// score adds up the contributions of the terms in their order, the weak ones last, and offers every chunk that has
// any to the heap.
func (f *Filter) score(p int, terms []Term, places []int, weights []float64, top *heap) {
	seg, words := f.set.parts[p].segment, f.bits[p]
	b := boards.Get().(*board)
	defer boards.Put(b)
	if n := seg.Chunks(); len(b.sum) < n {
		b.sum = make([]float64, n)
	}
	for _, weak := range []bool{false, true} {
		for t, at := range places {
			if at >= 0 && weights[t] > 0 && terms[t].Weak == weak {
				b.add(seg, at, words, weights[t], weak)
			}
		}
	}
	for _, ord := range b.touched {
		top.offer(place{score: b.sum[ord], part: int32(p), ord: ord})
		b.sum[ord] = 0
	}
	b.touched = b.touched[:0]
}

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
