package index

import (
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Entry is a version in a set. Key orders versions whose chunks have equal scores.
type Entry struct {
	Document corpus.DocumentID
	Key      string
	Segment  *Segment
}

// Set is an immutable collection of versions that are searched together. The zero Set is empty.
// Segments are merged so that there are few, each at least twice as large as the next.
type Set struct {
	parts []*part
}

// part is one merged segment with the versions that its chunks belong to. It is immutable too.
type part struct {
	segment *Segment
	docs    []member
	docOf   []uint32 // chunk ordinal → index in docs
	index   map[corpus.DocumentID]uint32
	dead    []bool // by index in docs; nil if there are none
	lost    int    // chunks of dead versions
}

// member is a version inside a part: its chunks are those from first up to those of the next.
type member struct {
	document corpus.DocumentID
	key      string
	first    uint32
	chunks   uint32
}

// NewSet makes a set of versions. Where a version is named twice the last one counts.
func NewSet(entries ...Entry) *Set { return (&Set{}).Change(entries, nil) }

// Has reports whether the set holds a version.
func (s *Set) Has(id corpus.DocumentID) bool {
	for _, p := range s.parts {
		if i, ok := p.index[id]; ok && !p.isDead(i) {
			return true
		}
	}
	return false
}

// Documents returns the number of versions in the set.
func (s *Set) Documents() int {
	n := 0
	for _, p := range s.parts {
		for i := range p.docs {
			if !p.isDead(uint32(i)) {
				n++
			}
		}
	}
	return n
}

// Each calls fn for every version of the set, in no order that means anything.
func (s *Set) Each(fn func(corpus.DocumentID)) {
	for _, p := range s.parts {
		for i, m := range p.docs {
			if !p.isDead(uint32(i)) {
				fn(m.document)
			}
		}
	}
}

// Change returns the set with some versions added and others removed; the set itself stays as it
// is. Adding a version that is there replaces it. Removing one that is not there does nothing.
func (s *Set) Change(add []Entry, remove []corpus.DocumentID) *Set {
	parts := slices.Clone(s.parts)
	for _, id := range remove {
		hide(parts, id)
	}
	var fresh []*part
	place := map[corpus.DocumentID]int{}
	for _, e := range add {
		hide(parts, e.Document)
		p := single(e)
		if at, ok := place[e.Document]; ok {
			fresh[at] = p
			continue
		}
		place[e.Document] = len(fresh)
		fresh = append(fresh, p)
	}
	size := 0
	for _, p := range fresh {
		size += p.segment.size()
	}
	return &Set{parts: compact(parts, fresh, size)}
}

// hide marks a version as dead in the part that holds it, in a copy of that part.
func hide(parts []*part, id corpus.DocumentID) {
	for i, p := range parts {
		at, ok := p.index[id]
		if !ok || p.isDead(at) {
			continue
		}
		q := *p
		q.dead = make([]bool, len(p.docs))
		copy(q.dead, p.dead)
		q.dead[at] = true
		q.lost += int(p.docs[at].chunks)
		parts[i] = &q
	}
}

// compact joins the fresh parts with the smaller ones before them, and drops dead versions where
// they are more than half of a part.
func compact(parts, fresh []*part, size int) []*part {
	var kept []*part
	for _, p := range parts {
		switch {
		case p.lost == p.segment.Chunks():
		case p.lost*2 > p.segment.Chunks():
			kept = append(kept, merge([]*part{p}))
		default:
			kept = append(kept, p)
		}
	}
	if len(fresh) == 0 {
		return kept
	}
	from := len(kept)
	for from > 0 && kept[from-1].segment.size() < 2*size {
		from--
		size += kept[from].segment.size()
	}
	group := append(slices.Clone(kept[from:]), fresh...)
	if len(group) == 1 {
		return append(kept[:from:from], group[0])
	}
	return append(kept[:from:from], merge(group))
}

// single makes the part of one version.
func single(e Entry) *part {
	n := e.Segment.Chunks()
	return &part{
		segment: e.Segment,
		docs:    []member{{document: e.Document, key: e.Key, chunks: uint32(n)}},
		docOf:   make([]uint32, n),
		index:   map[corpus.DocumentID]uint32{e.Document: 0},
	}
}

func (p *part) isDead(i uint32) bool { return p.dead != nil && p.dead[i] }
