package index

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
)

// merge makes one part of the living versions of several, in their order.
func merge(parts []*part) *part {
	m := merger{parts: parts, out: &part{segment: &Segment{}, index: map[corpus.DocumentID]uint32{}}}
	for _, p := range parts {
		m.adopt(p)
	}
	m.out.segment.ids = m.ids.String()
	m.join()
	return m.out
}

type merger struct {
	parts []*part
	out   *part
	moved [][]int64 // for each part that has lost versions: old ordinal → new one, -1 for none
	base  []uint32  // for each part: the new ordinal of its first chunk
	ids   strings.Builder
}

// adopt takes over the versions and chunks of a part.
func (m *merger) adopt(p *part) {
	dst, src := m.out.segment, p.segment
	m.base = append(m.base, uint32(len(dst.no)))
	var moved []int64
	if p.lost > 0 {
		moved = make([]int64, len(src.no))
	}
	for i, d := range p.docs {
		if p.isDead(uint32(i)) {
			for ord := d.first; ord < d.first+d.chunks; ord++ {
				moved[ord] = -1
			}
			continue
		}
		at := uint32(len(m.out.docs))
		m.out.index[d.document] = at
		first := uint32(len(dst.no))
		for ord := d.first; ord < d.first+d.chunks; ord++ {
			if moved != nil {
				moved[ord] = int64(len(dst.no))
			}
			m.ids.WriteString(string(src.chunk(ord)))
			dst.idEnd = append(dst.idEnd, uint32(m.ids.Len()))
			dst.no = append(dst.no, src.no[ord])
			dst.norm = append(dst.norm, src.norm[ord])
			m.out.docOf = append(m.out.docOf, at)
		}
		m.out.docs = append(m.out.docs, member{document: d.document, key: d.key, first: first, chunks: d.chunks})
	}
	m.moved = append(m.moved, moved)
}

// run is the list of one term that the parts are joined into.
type run struct {
	data  []byte
	count uint32
	last  int64
}

// join merges the dictionaries and concatenates the lists of each term.
func (m *merger) join() {
	at := map[string]int{}
	var runs []run
	for k, p := range m.parts {
		for i := range len(p.segment.dict) - 1 {
			n, ok := at[string(p.segment.term(i))]
			if !ok {
				n = len(runs)
				at[string(p.segment.term(i))] = n
				runs = append(runs, run{last: -1})
			}
			m.extend(&runs[n], k, i)
		}
	}
	terms := make([]string, 0, len(at))
	for t := range at {
		if runs[at[t]].count > 0 {
			terms = append(terms, t)
		}
	}
	slices.Sort(terms)
	s := m.out.segment
	s.dict = make([]entry, 0, len(terms)+1)
	for _, t := range terms {
		r := &runs[at[t]]
		s.dict = append(s.dict, entry{term: len(s.terms), start: len(s.postings), count: r.count, last: uint32(r.last)})
		s.terms = append(s.terms, t...)
		s.postings = append(s.postings, r.data...)
	}
	s.dict = append(s.dict, entry{term: len(s.terms), start: len(s.postings)})
}

// extend appends the list of a term of part k to a run. Only the first gap changes when the part
// is taken over whole.
func (m *merger) extend(r *run, k, i int) {
	src := m.parts[k].segment
	list := src.list(i)
	if m.moved[k] == nil {
		list.next()
		first := int64(m.base[k]) + list.ord
		r.data = appendPosting(r.data, uint64(first-r.last), list.tf)
		r.data = append(r.data, list.data[list.at:]...)
		r.count += src.dict[i].count
		r.last = int64(m.base[k]) + int64(src.dict[i].last)
		return
	}
	for list.next() {
		ord := m.moved[k][list.ord]
		if ord < 0 {
			continue
		}
		r.data = appendPosting(r.data, uint64(ord-r.last), list.tf)
		r.count++
		r.last = ord
	}
}
