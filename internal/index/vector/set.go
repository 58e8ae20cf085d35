package vector

import (
	"cmp"
	"maps"
	"math/bits"
	"runtime"
	"slices"

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

// Each calls fn for every version of the set, in the order in which Select has a bit for each.
func (s *Set) Each(fn func(corpus.DocumentID)) {
	for i := range s.entries {
		fn(s.entries[i].Document)
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

// Select returns the chunks of the versions that are admitted: a bit each, by their number in the order of Each, from 0, the
// first ones lowest. There must be a bit for each.
func (s *Set) Select(admitted []uint64) *Filter {
	f := &Filter{set: s}
	n := 0
	for _, word := range admitted {
		n += bits.OnesCount64(word)
	}
	f.entries = make([]Entry, 0, n)
	for w, word := range admitted {
		for ; word != 0; word &= word - 1 {
			if e := &s.entries[w*64+bits.TrailingZeros64(word)]; e.Segment.Chunks() > 0 {
				f.entries = append(f.entries, *e)
				f.n += e.Segment.Chunks()
			}
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
// of the version's key, its id and the chunk's number. A query of another space finds nothing. It fails
// where vectors are on disk and can't be read.
func (f *Filter) Nearest(q Query, k int) ([]Match, error) { return f.nearest(q, k, usual) }

func (f *Filter) nearest(q Query, k int, p plan) ([]Match, error) {
	if k <= 0 || f.n == 0 || q.space.Model != f.set.space.Model || len(q.whole) != f.set.space.Dimensions {
		return nil, nil
	}
	top := heap{k: min(k, f.n)}
	var err error
	if f.n <= p.exactly {
		err = f.all(q, &top)
	} else {
		err = f.chosen(q, max(p.candidates, 4*k), &top)
	}
	runtime.KeepAlive(f) // what is in a chest stays there while its segment is held
	if err != nil {
		return nil, err
	}
	return f.matches(&top), nil
}

// all offers every visible chunk.
func (f *Filter) all(q Query, top *heap) error {
	var chosen []int32
	var buffer []byte
	for i := range f.entries {
		chosen = chosen[:0]
		for row := range f.entries[i].Segment.n {
			chosen = append(chosen, int32(row))
		}
		if err := f.offer(q, i, chosen, &buffer, top); err != nil {
			return err
		}
	}
	return nil
}

// scattered is how many records are read at most for each that is asked for: to fetch one takes longer than to read some
// that lie between.
const scattered = 8

// offer offers rows of an entry, which rise.
func (f *Filter) offer(q Query, entry int, chosen []int32, buffer *[]byte, top *heap) error {
	rows := &f.entries[entry].Segment.rows
	for len(chosen) > 0 {
		n := 1
		for n < len(chosen) && chosen[n]-chosen[n-1] <= scattered {
			n++
		}
		first := int(chosen[0])
		records, err := rows.read(first, int(chosen[n-1])+1, buffer)
		if err != nil {
			return err
		}
		for _, row := range chosen[:n] {
			record := records[(int(row)-first)*rows.size:]
			p := place{similarity: similarity(record, q.whole), entry: int32(entry), row: row}
			if top.takes(p) {
				p.no, p.chunk = named(record, len(q.whole))
				top.offer(p)
			}
		}
		chosen = chosen[n:]
	}
	return nil
}

// place is a chunk of the filter with its similarity, and what it is called. Places are offered in order.
type place struct {
	similarity float64
	entry, row int32
	no         int
	chunk      corpus.ChunkID
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(q.similarity, p.similarity), cmp.Compare(p.entry, q.entry), cmp.Compare(p.row, q.row))
}

// heap keeps the k best places, the worst of them first.
type heap struct {
	k    int
	list []place
}

// takes reports whether the heap would keep the place.
func (h *heap) takes(p place) bool { return len(h.list) < h.k || p.compare(h.list[0]) < 0 }

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
		out[i] = Match{Document: f.entries[p.entry].Document, Chunk: p.chunk, No: p.no, Similarity: p.similarity}
	}
	return out
}
