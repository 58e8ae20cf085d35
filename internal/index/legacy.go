package index

import "github.com/kaoju/kaoju/internal/index/internal/table"

// The former format has, instead of blocks, one run of varints for each list: a gap shifted by two
// bits that say what follows. Databases hold such segments until they are built again
// (retrieval.Renew), so they are read and written anew in memory; nothing but this file knows of them.

// legacy reads the rest of a segment in the former format.
func (r *reader) legacy(s *Segment) (*Segment, error) {
	n := r.Count(1<<28, 5)
	old := &Segment{no: s.no, length: s.length}
	lists := make([]run, 0, n)
	former, total := uint32(0), 0
	for range n {
		at := uint32(len(old.terms))
		r.term(old, former)
		count, size := r.Number(uint64(len(s.no))), r.Number(1<<40)
		if r.Bad || count == 0 || size == 0 {
			return nil, damaged("its tables are torn")
		}
		former, total = at, total+size
		lists = append(lists, run{term: at, count: count, size: size})
	}
	if r.Bad || total != len(r.Data) {
		return nil, damaged("its tables are torn")
	}
	w := newWriter(s, n, total)
	for i, l := range lists {
		end := uint32(len(old.terms))
		if i+1 < n {
			end = lists[i+1].term
		}
		list := reader{table.Reader{Data: r.Bytes(l.size)}}
		if !list.run(w, l.count) {
			return nil, damaged("its postings are wrong")
		}
		w.end(old.terms[l.term:end])
	}
	w.finish()
	return s, nil
}

// run is a list in the former format.
type run struct {
	term  uint32
	count int
	size  int
}

// run reads the postings of one list into the writer. It reports whether they are right.
func (r *reader) run(w *writer, count int) bool {
	ord := int64(-1)
	for range count {
		head := r.Number(1 << 32)
		ord += int64(head >> 2)
		if head>>2 == 0 || ord >= int64(len(w.s.no)) {
			return false
		}
		var tf [fields]uint32
		switch head & 3 {
		case onceInBody:
			tf[body] = 1
		case onceInTitle:
			tf[title] = 1
		case bodyOnly:
			tf[body] = uint32(r.Number(maxCount))
		default:
			for f := range tf {
				tf[f] = uint32(r.Number(maxCount))
			}
		}
		if r.Bad || tf == [fields]uint32{} {
			return false
		}
		w.add(uint32(ord), tf)
	}
	return len(r.Data) == 0
}
