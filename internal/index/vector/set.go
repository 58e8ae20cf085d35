package vector

import (
	"cmp"
	"maps"
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
	if err != nil {
		return nil, err
	}
	out, err := f.matches(&top)
	runtime.KeepAlive(f) // what is in a chest stays there while its segment is held
	return out, err
}

// all offers every visible chunk.
func (f *Filter) all(q Query, top *heap) error {
	var buffer []byte
	for i := range f.entries {
		if err := f.offer(q, i, 0, f.entries[i].Segment.n, &buffer, top); err != nil {
			return err
		}
	}
	return nil
}

// offer offers the chunks of an entry from first to before end.
func (f *Filter) offer(q Query, entry, first, end int, buffer *[]byte, top *heap) error {
	rows := &f.entries[entry].Segment.rows
	records, err := rows.read(first, end, buffer)
	if err != nil {
		return err
	}
	for row := first; row < end; row++ {
		record := records[(row-first)*rows.size:]
		top.offer(place{similarity: similarity(record, q.whole), entry: int32(entry), row: int32(row)})
	}
	return nil
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

func (f *Filter) matches(h *heap) ([]Match, error) {
	slices.SortFunc(h.list, place.compare)
	out := make([]Match, len(h.list))
	var buffer []byte
	for i, p := range h.list {
		e := f.entries[p.entry]
		record, err := e.Segment.rows.read(int(p.row), int(p.row)+1, &buffer)
		if err != nil {
			return nil, err
		}
		out[i] = Match{Document: e.Document, Similarity: p.similarity}
		out[i].No, out[i].Chunk = named(record, f.set.space.Dimensions)
	}
	return out, nil
}
