package index

import (
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
)

// gone is the new ordinal of a chunk whose version was dropped.
const gone = ^uint32(0)

// merge makes one part of the living versions of several, in their order. Beside the result it
// holds a few bytes for each list that is joined, and nothing for a posting.
func merge(parts []*part) *part {
	m := survivors(parts)
	m.out.segment.ids = m.ids.String()
	m.join()
	return m.out
}

// survivors takes over the living versions with their chunks. What it reserves for them is kept: no more than they need.
func survivors(parts []*part) *merger {
	m := &merger{parts: parts, out: &part{segment: &Segment{}, index: map[corpus.DocumentID]uint32{}}}
	chunks, ids := 0, 0
	for _, p := range parts {
		chunks += p.segment.Chunks() - p.lost
		ids += p.idBytes()
	}
	m.ids.Grow(ids)
	s := m.out.segment
	s.idEnd, s.no = make([]uint32, 0, chunks), make([]uint32, 0, chunks)
	for f := range s.length {
		s.length[f] = make([]uint32, 0, chunks)
	}
	m.out.docOf = make([]uint32, 0, chunks)
	for _, p := range parts {
		m.adopt(p)
	}
	return m
}

// idBytes is how long the ids of the chunks are that live.
func (p *part) idBytes() int {
	if p.lost == 0 {
		return len(p.segment.ids)
	}
	n := 0
	for i, d := range p.docs {
		if d.chunks > 0 && !p.isDead(uint32(i)) {
			n += int(p.segment.idEnd[d.first+d.chunks-1] - p.segment.idStart(d.first))
		}
	}
	return n
}

type merger struct {
	parts []*part
	out   *part
	moved [][]uint32 // for each part that has lost versions: old ordinal → new one
	base  []uint32   // for each part: the new ordinal of its first chunk
	ids   strings.Builder
	block block
}

// adopt takes over the versions and chunks of a part.
func (m *merger) adopt(p *part) {
	dst, src := m.out.segment, p.segment
	m.base = append(m.base, uint32(len(dst.no)))
	var moved []uint32
	if p.lost > 0 {
		moved = make([]uint32, len(src.no))
	}
	for i, d := range p.docs {
		end := d.first + d.chunks
		if p.isDead(uint32(i)) {
			for ord := d.first; ord < end; ord++ {
				moved[ord] = gone
			}
			continue
		}
		at := uint32(len(m.out.docs))
		m.out.index[d.document] = at
		first := uint32(len(dst.no))
		for ord := d.first; ord < end; ord++ {
			if moved != nil {
				moved[ord] = first + ord - d.first
			}
			m.ids.WriteString(string(src.chunk(ord)))
			dst.idEnd = append(dst.idEnd, uint32(m.ids.Len()))
			m.out.docOf = append(m.out.docOf, at)
		}
		dst.no = append(dst.no, src.no[d.first:end]...)
		for f := range dst.length {
			dst.length[f] = append(dst.length[f], src.length[f][d.first:end]...)
		}
		m.out.docs = append(m.out.docs, member{document: d.document, key: d.key, first: first, chunks: d.chunks})
	}
	m.moved = append(m.moved, moved)
}

// join merges the dictionaries and writes the lists of each term, one part after another.
func (m *merger) join() {
	pairs, data := 0, 0
	for _, p := range m.parts {
		pairs += len(p.segment.dict) - 1
		data += len(p.segment.data)
	}
	known := newNames(m.parts)
	owner := make([]uint32, 0, pairs) // the number of the term of each list, in the order of the parts
	for k, p := range m.parts {
		for i := range len(p.segment.dict) - 1 {
			owner = append(owner, known.number(uint32(k), uint32(i)))
		}
	}
	lists, ends := m.group(owner, len(known.list))
	w := newWriter(m.out.segment, len(known.list), data)
	m.reserve(known)
	for _, n := range known.sorted() {
		for _, l := range lists[ends[n]:ends[n+1]] {
			m.copy(w, l)
		}
		w.end(known.term(n))
	}
	w.finish()
	m.out.segment.trim()
}

// trim gives back what a merge reserved too much: together its sources have more blocks, and larger ones.
func (s *Segment) trim() {
	s.terms, s.dict, s.data = trimmed(s.terms), trimmed(s.dict), trimmed(s.data)
	s.last, s.start, s.peak, s.top = trimmed(s.last), trimmed(s.start), trimmed(s.peak), trimmed(s.top)
}

// trimmed copies a list that leaves much of its memory empty.
func trimmed[T any](list []T) []T {
	if spare := cap(list) - len(list); spare <= len(list)/64 {
		return list
	}
	out := make([]T, len(list))
	copy(out, list)
	return out
}

// listing names a list: that of a term in the dictionary of a part.
type listing struct{ part, term uint32 }

// group sorts the lists by the numbers of their terms; those of term n are from ends[n] up to ends[n+1].
func (m *merger) group(owner []uint32, terms int) ([]listing, []uint32) {
	ends := make([]uint32, terms+2)
	for _, n := range owner {
		ends[n+2]++
	}
	for n := range terms {
		ends[n+2] += ends[n+1]
	}
	lists := make([]listing, len(owner))
	at := 0
	for k, p := range m.parts {
		for i := range len(p.segment.dict) - 1 {
			n := owner[at]
			at++
			lists[ends[n+1]] = listing{uint32(k), uint32(i)}
			ends[n+1]++
		}
	}
	return lists, ends[:terms+1]
}

// reserve makes room for all terms, and for the blocks of lists that are about as long as in the largest part.
func (m *merger) reserve(known *names) {
	s, terms, blocks, most := m.out.segment, 0, 0, 0
	for n := range known.list {
		terms += len(known.term(uint32(n)))
	}
	for _, p := range m.parts {
		n := len(p.segment.last)
		blocks, most = blocks+n, max(most, n)
	}
	blocks = min(blocks, max(2*most, len(known.list)+len(known.list)/8))
	s.terms = make([]byte, 0, terms)
	s.last, s.start, s.peak = make([]uint32, 0, blocks), make([]uint32, 0, blocks+1), make([]uint16, 0, blocks)
	s.top = make([]uint8, 0, blocks)
}

// copy appends one list, without the chunks that are gone.
func (m *merger) copy(w *writer, l listing) {
	src, moved, base := m.parts[l.part].segment, m.moved[l.part], m.base[l.part]
	first, end := src.blocks(int(l.term))
	b := &m.block
	for k := first; k < end; k++ {
		n := held(k, end, src.dict[l.term].count)
		if n == 1 { // most lists of a version: nothing has to be unpacked
			ord := base + src.last[k]
			if moved != nil {
				ord = moved[src.last[k]]
			}
			if ord != gone {
				w.add(ord, src.only(k))
			}
			continue
		}
		src.read(b, k, n)
		if moved == nil {
			w.append(b, base)
			continue
		}
		for i := range b.n {
			if ord := moved[b.ord[i]]; ord != gone {
				w.add(ord, b.at(i))
			}
		}
	}
}
