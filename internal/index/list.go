package index

// list is the postings of one term of a query in one part. Those of short lists are read before a
// search goes through the windows; of the longest ones there are bits.
type list struct {
	seg    *Segment
	weight float64 // what the term weighs, by how rare it is in the visible part
	weak   bool
	place  int // in the order in which contributions are added up
	at     int // in the dictionary
	first  int // its blocks
	end    int
	count  uint32
	dense  *dense // nil for all but the longest lists
	brings bool   // whether it brings chunks in

	// bound is at least what the term adds to any chunk of the present window.
	bound float64

	// Of a short list: its postings that may be seen, those in the window from from up to to, where a
	// chunk was looked for last, and what each block adds at most, in steps.
	read     bool // whether all were read when they were counted
	seen     postings
	from, to int
	probe    int
	steps    []uint32
	head     int // how many of its first postings are looked at before the windows, see scan.plant

	// Of a long list: the ordinal up to which the bound holds, and the first block that reaches into the window.
	until uint32
	near  int

	// The columns of the block that was looked into last; -1 before any was.
	block int
	tf    [fields]column
	plain bool // whether all of the block's frequencies are in the body
}

func (l *list) open(s *Segment, at int, weight float64) {
	l.seg, l.at, l.weight = s, at, weight
	l.first, l.end = s.blocks(at)
	l.count = s.dict[at].count
	l.dense = s.dense[at]
	l.near, l.until, l.bound = l.first, 0, 0
	l.block = -1
	l.show(postings{})
}

// show gives a short list its postings.
func (l *list) show(p postings) { l.seen, l.from, l.to, l.probe = p, 0, 0, 0 }

// reach sets the bound for the window from low up to high. Windows rise.
func (l *list) reach(low, high uint32) {
	if l.dense == nil {
		l.stretch(low, high)
		return
	}
	if high <= l.until {
		return
	}
	last := l.seg.last
	for l.near < l.end && last[l.near] < low {
		l.near++
	}
	peak := uint16(0)
	k := l.near
	for ; k < l.end; k++ {
		if k > l.first && last[k-1]+1 >= high {
			break
		}
		peak = max(peak, l.seg.peak[k])
		if last[k] >= high {
			k++
			break
		}
	}
	l.bound = l.weight * (float64(peak) / peaks)
	// A bound made of one block, or of none, holds until that block ends, or for good.
	l.until = 0
	switch {
	case l.near == l.end:
		l.until = ^uint32(0)
	case k == l.near+1:
		l.until = last[l.near] + 1
	}
}

// stretch finds the postings of a short list in the window, and the largest impact of their blocks.
func (l *list) stretch(low, high uint32) {
	l.from = after(l.seen.ord, l.to, low)
	l.to = after(l.seen.ord, l.from, high)
	l.probe, l.bound = l.from, 0
	if l.from == l.to {
		return
	}
	peak := uint16(0)
	from, to := l.seen.number(l.from)/blockSize, l.seen.number(l.to-1)/blockSize
	for _, n := range l.seg.peak[l.first+from : l.first+to+1] {
		peak = max(peak, n)
	}
	l.bound = l.weight * (float64(peak) / peaks)
}

// seek moves to the posting of a chunk in the window and reports whether there is one. Chunks are asked for
// in rising order.
func (l *list) seek(ord uint32) bool {
	l.probe = after(l.seen.ord[:l.to], l.probe, ord)
	return l.probe < l.to && l.seen.ord[l.probe] == ord
}

// holds reports whether a chunk of the window holds the term, and moves to its posting.
func (l *list) holds(ord uint32) bool {
	if l.dense != nil {
		return l.dense.has(ord)
	}
	return l.seek(ord)
}

// contribution returns what the term adds to a chunk that holds it, at which a short list stands.
func (l *list) contribution(ord uint32) float64 {
	n := 0
	if l.dense != nil {
		n = l.dense.before(ord)
	} else {
		n = l.seen.number(l.probe)
	}
	if k := l.first + n/blockSize; k != l.block {
		l.block = k
		l.tf = columns(l.seg.data[l.seg.start[k]:], held(k, l.end, l.count))
		l.plain = l.tf[title].none() && l.tf[heading].none()
	}
	i := n % blockSize
	if l.plain {
		x := l.seg.length.of(body, l.tf[body].at(i), ord)
		return float64(l.weight * (x / (k1 + x)))
	}
	return float64(l.weight * l.seg.length.saturate([fields]uint32{l.tf[title].at(i), l.tf[heading].at(i), l.tf[body].at(i)}, ord))
}
