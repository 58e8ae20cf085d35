package index

// list is the postings of one term of a query in one part.
type list struct {
	seg    *Segment
	weight float64 // what the term weighs, by how rare it is in the visible part
	weak   bool
	place  int // in the order in which contributions are added up
	first  int // its blocks
	end    int
	count  uint32
	dense  *dense // nil for all but the longest lists
	brings bool   // whether it brings chunks in

	// held has the postings in the window as bits, once they were read.
	held [window / 64]uint64

	// bound is at least what the term adds to any chunk of the present window; it holds up to the
	// ordinal until, and near is the first block that reaches into the window.
	bound float64
	until uint32
	near  int

	walk  cursor // over the windows
	probe cursor // over single chunks that are to be scored
}

// cursor is a place in a list: a block that was read, and a posting of it. It only moves forward.
type cursor struct {
	at    int  // the block; -1 before any was read
	from  int  // where the last stretch began, see scan.stretch
	i     int  // the posting
	n     int  // how many postings the block has; 0 if it was not read yet
	known bool // whether the columns were found
	plain bool // whether all of the block's frequencies are in the body
	tf    [fields]column
	ord   [blockSize]uint32
}

func (l *list) open(s *Segment, at int, weight float64) {
	l.seg, l.weight = s, weight
	l.first, l.end = s.blocks(at)
	l.count = s.dict[at].count
	l.dense = s.dense[at]
	l.near, l.until, l.bound = l.first, 0, 0
	l.walk.at, l.probe.at = -1, -1
}

// reach sets the bound for the window from low up to high.
func (l *list) reach(low, high uint32) {
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

// load reads the ordinals of a block.
func (c *cursor) load(l *list, k int) {
	c.at, c.i, c.known = k, 0, false
	c.n = held(k, l.end, l.count)
	ordinals(c.ord[:c.n], l.seg.data[l.seg.start[k]:], l.seg.last[k])
}

// share returns what the posting i of the block earns its chunk of the term's weight.
func (c *cursor) share(l *list, i int) float64 {
	if !c.known {
		c.describe(l)
	}
	if !c.plain {
		return l.seg.length.saturate(c.frequencies(i), c.ord[i])
	}
	x := l.seg.length.of(body, c.tf[body].at(i), c.ord[i])
	return x / (k1 + x)
}

// describe finds the columns of the block.
func (c *cursor) describe(l *list) {
	c.tf, c.known = columns(l.seg.data[l.seg.start[c.at]:], c.n), true
	c.plain = c.tf[title].none() && c.tf[heading].none()
}

// frequencies returns those of the posting i, once the columns are known.
func (c *cursor) frequencies(i int) [fields]uint32 {
	return [fields]uint32{c.tf[title].at(i), c.tf[heading].at(i), c.tf[body].at(i)}
}

// seek moves the probe to the block that could hold the chunk; false if there is none.
func (l *list) seek(ord uint32) bool {
	c, last := &l.probe, l.seg.last
	k := max(c.at, l.first)
	if k < l.end && last[k] >= ord {
		return l.settle(k)
	}
	// Steps that double, then halves.
	step := 1
	for k+step < l.end && last[k+step] < ord {
		step *= 2
	}
	low, high := k+step/2, min(k+step, l.end) // last[low] < ord, or low is where the search began
	for low < high {
		mid := int(uint(low+high) >> 1)
		if last[mid] < ord {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < l.end && l.settle(low)
}

// settle names the block that the probe stands at, without reading it.
func (l *list) settle(k int) bool {
	if c := &l.probe; c.at != k {
		c.at, c.i, c.n, c.known = k, 0, 0, false
	}
	return true
}

// contribution returns what the term adds to the chunk; 0 if the chunk does not hold it. Chunks
// are asked for in rising order.
func (l *list) contribution(ord uint32) float64 {
	if l.dense != nil {
		return l.counted(ord)
	}
	if !l.seek(ord) {
		return 0
	}
	c := &l.probe
	if c.n == 0 {
		c.load(l, c.at)
	}
	ords := c.ord[:c.n]
	low, high := c.i, len(ords)
	for low < high {
		mid := int(uint(low+high) >> 1)
		if ords[mid] < ord {
			low = mid + 1
		} else {
			high = mid
		}
	}
	c.i = low
	if low == len(ords) || ords[low] != ord {
		return 0
	}
	return float64(l.weight * c.share(l, low))
}

// counted returns the contribution by the bits, without reading the ordinals of any block.
func (l *list) counted(ord uint32) float64 {
	if !l.dense.has(ord) {
		return 0
	}
	i := l.dense.before(ord)
	c := &l.probe
	if k := l.first + i/blockSize; c.at != k || !c.known {
		c.at, c.n = k, held(k, l.end, l.count)
		c.describe(l)
	}
	return float64(l.weight * l.seg.length.saturate(c.frequencies(i%blockSize), ord))
}

// holds reports whether the chunk holds the term, by the bits of the window.
func (l *list) holds(ord uint32) bool {
	if l.dense != nil {
		return l.dense.has(ord)
	}
	return l.held[ord%window>>6]>>(ord&63)&1 != 0
}
