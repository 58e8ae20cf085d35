package vector

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// Entry is a version in a set. Key orders versions whose chunks are equally near.
type Entry struct {
	Document corpus.DocumentID
	Key      string
	Segment  *Segment
}

// Set is an immutable collection of versions of one space that are searched together.
type Set struct {
	space   Space
	entries []Entry // by key and document
	held    map[corpus.DocumentID]bool
	bytes   int
}

// NewSet returns an empty set in a space.
func NewSet(space Space) *Set { return &Set{space: space, held: map[corpus.DocumentID]bool{}} }

// Space returns the space of the set's vectors.
func (s *Set) Space() Space { return s.space }

// Has reports whether the set holds a version.
func (s *Set) Has(id corpus.DocumentID) bool { return s.held[id] }

// Bytes returns about how much memory the set takes.
func (s *Set) Bytes() int { return s.bytes }

// Each calls fn for every version of the set, in no order that means anything.
func (s *Set) Each(fn func(corpus.DocumentID)) {
	for id := range s.held {
		fn(id)
	}
}

// Change returns the set with some versions added and others removed; the set itself stays as it
// is. Adding a version that is there replaces it, removing one that is not there does nothing. What
// stays is copied, and neither opened nor sorted again. A segment of another space is problem.Conflict "segment_outdated", which embedding the version
// again cures: vectors of two spaces are never compared.
func (s *Set) Change(add []Entry, remove []corpus.DocumentID) (*Set, error) {
	out := &Set{space: s.space, held: maps.Clone(s.held), bytes: s.bytes}
	gone := map[corpus.DocumentID]bool{}
	for _, id := range remove {
		gone[id] = true
		delete(out.held, id)
	}
	fresh := map[corpus.DocumentID]Entry{}
	for _, e := range add {
		if !e.Segment.In(s.space) {
			return nil, problem.New(problem.Conflict, "segment_outdated", "The vectors of a version are not of the model %q.", s.space.Model)
		}
		gone[e.Document], fresh[e.Document] = true, e
		out.held[e.Document] = true
	}
	list := slices.SortedFunc(maps.Values(fresh), compare)
	out.entries = make([]Entry, 0, len(s.entries)+len(list))
	for _, e := range s.entries {
		if gone[e.Document] {
			out.bytes -= e.Segment.Bytes()
			continue
		}
		for len(list) > 0 && compare(list[0], e) < 0 {
			out.entries, list = append(out.entries, list[0]), list[1:]
		}
		out.entries = append(out.entries, e)
	}
	out.entries = append(out.entries, list...)
	for _, e := range fresh {
		out.bytes += e.Segment.Bytes()
	}
	return out, nil
}

// compare orders the versions of a set.
func compare(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Document, b.Document))
}

// Filter is the part of a set that a search may see. It is immutable and safe to share.
type Filter struct {
	set     *Set
	entries []Entry
	n       int
}

// Filter returns the chunks of the versions that admit says yes to. It is asked once a version.
// Whether a chunk is visible is its version's to say, so that the filter is a list of versions,
// and no other chunk is looked at.
func (s *Set) Filter(admit func(corpus.DocumentID) bool) *Filter {
	f := &Filter{set: s}
	for _, e := range s.entries {
		if admit(e.Document) && e.Segment.Chunks() > 0 {
			f.entries = append(f.entries, e)
			f.n += e.Segment.Chunks()
		}
	}
	return f
}

// Chunks returns the number of visible chunks that have a vector.
func (f *Filter) Chunks() int { return f.n }

// Bytes returns about how much memory the filter takes.
func (f *Filter) Bytes() int { return 64 + 48*len(f.entries) }

// Match is a chunk that a search found, with the cosine of its vector and the query's.
type Match struct {
	Document   corpus.DocumentID
	Chunk      corpus.ChunkID
	No         int
	Similarity float64
}

// plan says how a search goes about it.
type plan struct {
	// exactly is how many visible chunks are all compared by their bytes.
	exactly int
	// candidates is how many chunks the signs choose at least when there are more.
	candidates int
}

// usual is the plan of every search. Filters that are narrow enough to remove the query's own
// neighbourhood, where signs find least, leave few chunks.
var usual = plan{exactly: 20_000, candidates: 1000}

// Nearest returns the k nearest of the visible chunks, nearest first; equally near ones in order
// of the version's key, its id and the chunk's number. A query of another space finds nothing.
func (f *Filter) Nearest(q Query, k int) []Match { return f.nearest(q, k, usual) }

func (f *Filter) nearest(q Query, k int, p plan) []Match {
	if k <= 0 || f.n == 0 || q.space.Model != f.set.space.Model || len(q.whole) != f.set.space.Dimensions {
		return nil
	}
	top := heap{k: min(k, f.n)}
	if f.n <= p.exactly {
		f.all(q, &top)
	} else {
		f.chosen(q, max(p.candidates, 4*k), &top)
	}
	return f.matches(&top)
}

// all offers every visible chunk.
func (f *Filter) all(q Query, top *heap) {
	for i := range f.entries {
		seg := f.entries[i].Segment
		for row := range seg.no {
			top.offer(place{similarity: seg.similarity(row, q.whole), entry: int32(i), row: int32(row)})
		}
	}
}

var distances = sync.Pool{New: func() any { return new([]uint16) }}

// chosen offers the n chunks whose signs differ least from the query's. Of those that differ
// equally at the end of the list, the first in the order of the filter are taken.
func (f *Filter) chosen(q Query, n int, top *heap) {
	far := distances.Get().(*[]uint16)
	defer distances.Put(far)
	*far = (*far)[:0]
	count := make([]int, f.set.space.Dimensions+1)
	for i := range f.entries {
		seg := f.entries[i].Segment
		for row := range seg.no {
			d := seg.distance(row, q.signs)
			count[d]++
			*far = append(*far, uint16(d))
		}
	}
	last, left := 0, n
	for left > count[last] && last < len(count)-1 {
		left -= count[last]
		last++
	}
	at := 0
	for i := range f.entries {
		seg := f.entries[i].Segment
		for row := range seg.no {
			d := int((*far)[at])
			at++
			if d > last || d == last && left <= 0 {
				continue
			}
			if d == last {
				left--
			}
			top.offer(place{similarity: seg.similarity(row, q.whole), entry: int32(i), row: int32(row)})
		}
	}
}

// place is a chunk of the filter with its similarity. Places are offered in order.
type place struct {
	similarity float64
	entry, row int32
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(q.similarity, p.similarity), cmp.Compare(p.entry, q.entry), cmp.Compare(p.row, q.row))
}

// heap keeps the k best places, the worst of them first.
type heap struct {
	k    int
	list []place
}

func (h *heap) offer(p place) {
	if len(h.list) < h.k {
		h.list = append(h.list, p)
		for i := len(h.list) - 1; i > 0; {
			up := (i - 1) / 2
			if h.list[i].compare(h.list[up]) <= 0 {
				break
			}
			h.list[i], h.list[up] = h.list[up], h.list[i]
			i = up
		}
		return
	}
	if p.compare(h.list[0]) >= 0 {
		return
	}
	h.list[0] = p
	for i := 0; ; {
		c := 2*i + 1
		if c >= len(h.list) {
			return
		}
		if c+1 < len(h.list) && h.list[c+1].compare(h.list[c]) > 0 {
			c++
		}
		if h.list[c].compare(h.list[i]) <= 0 {
			return
		}
		h.list[i], h.list[c] = h.list[c], h.list[i]
		i = c
	}
}

func (f *Filter) matches(h *heap) []Match {
	slices.SortFunc(h.list, place.compare)
	out := make([]Match, len(h.list))
	for i, p := range h.list {
		e := f.entries[p.entry]
		out[i] = Match{Document: e.Document, Chunk: e.Segment.ids[p.row], No: int(e.Segment.no[p.row]), Similarity: p.similarity}
	}
	return out
}
