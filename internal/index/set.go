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
// Segments are merged so that there are few parts, the largest first.
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
		n += p.living()
	}
	return n
}

// living returns how many versions of the part are not dead.
func (p *part) living() int {
	n := len(p.docs)
	for _, dead := range p.dead {
		if dead {
			n--
		}
	}
	return n
}

// Each calls fn for every version of the set, in the order in which Select asks for them.
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
// It merges small parts alone, and not those of very many versions, so that its cost does not grow
// with the set; what is left to merge is told by Due.
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
	return &Set{parts: compact(parts, fresh)}
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
