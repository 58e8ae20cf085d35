package index

import "slices"

// postings are those of a list that may be seen, in a range of ordinals. The number of one is its place
// in the whole list.
type postings struct {
	ord   []uint32
	no    []uint32 // nil if the numbers follow one another from first on
	first int
}

// number returns the number of the i-th of them.
func (p *postings) number(i int) int {
	if p.no == nil {
		return p.first + i
	}
	return int(p.no[i])
}

// find returns the place of the posting with the number; -1 if it is not among them.
func (p *postings) find(number int) int {
	if p.no == nil {
		if i := number - p.first; i >= 0 && i < len(p.ord) {
			return i
		}
		return -1
	}
	if i, ok := slices.BinarySearch(p.no, uint32(number)); ok {
		return i
	}
	return -1
}

// arena is memory for the postings of one search. What was taken stays as it is until the arena is emptied.
type arena struct {
	room []uint32
	used int
	held int // taken since it was emptied, in whatever memory
}

// The bounds of an arena, in numbers: how much a search keeps of what it read (a variable for tests), and from which
// size on the memory is not kept for the next one.
var arenaMost = 1 << 21

const arenaKept = 1 << 20

// fits reports whether so many numbers more stay below the bound.
func (a *arena) fits(n int) bool { return a.held+n <= arenaMost }

// take returns room for n numbers.
func (a *arena) take(n int) []uint32 {
	if n > len(a.room)-a.used {
		a.room, a.used = make([]uint32, max(n, 2*len(a.room), 1<<14)), 0
	}
	out := a.room[a.used : a.used+n : a.used+n]
	a.used += n
	a.held += n
	return out
}

// spare gives back the last n numbers of what was taken last.
func (a *arena) spare(n int) {
	a.used -= n
	a.held -= n
}

// empty makes all room free. Much of it is given back to the runtime.
func (a *arena) empty() {
	a.used, a.held = 0, 0
	if len(a.room) > arenaKept {
		a.room = nil
	}
}

// gather reads those postings of a term of a part, from low up to high, that may be seen. Blocks without a
// visible chunk are left out unread.
func (f *Filter) gather(p, at int, low, high uint32, room *arena) postings {
	s := f.set.parts[p].segment
	first, end := s.blocks(at)
	count := s.dict[at].count
	for first < end && s.last[first] < low {
		first++ // of a list that is read in pieces alone
	}
	stop := first
	for stop < end && (stop == first || s.last[stop-1]+1 < high) {
		stop++
	}
	if first == stop {
		return postings{}
	}
	most := (stop - first) * blockSize
	base := (first - int(s.dict[at].block)) * blockSize
	if f.visible[p] == s.Chunks() {
		ord := room.take(most)
		n := 0
		for k := first; k < stop; k++ {
			size := held(k, end, count)
			ordinals(ord[n:n+size], s.data[s.start[k]:], s.last[k])
			n += size
		}
		room.spare(most - n)
		return postings{ord: ord[:n], first: base}.cut(low, high)
	}
	both := room.take(2 * most)
	ord, no := both[:most:most], both[most:]
	words := f.bits[p]
	n := 0
	from := uint32(0)
	if first > int(s.dict[at].block) {
		from = s.last[first-1] + 1
	}
	var block [blockSize]uint32
	for k := first; k < stop; k++ {
		last := s.last[k]
		if f.any(p, from, last+1) {
			list := block[:held(k, end, count)]
			ordinals(list, s.data[s.start[k]:], last)
			for i, o := range list {
				ord[n], no[n] = o, uint32(base+i)
				n += int(words[o>>6] >> (o & 63) & 1)
			}
		}
		from = last + 1
		base += blockSize
	}
	// The numbers move up beside the ordinals, so that what is not needed can be given back.
	copy(both[n:2*n], no[:n])
	room.spare(2 * (most - n))
	return postings{ord: both[:n:n], no: both[n : 2*n : 2*n]}.cut(low, high)
}

// cut returns the postings from low up to high.
func (p postings) cut(low, high uint32) postings {
	i := after(p.ord, 0, low)
	j := after(p.ord, i, high)
	p.ord, p.first = p.ord[i:j], p.first+i
	if p.no != nil {
		p.no = p.no[i:j]
	}
	return p
}

// after returns the first place from i on whose ordinal is at least the given one. It looks near i first.
func after(ords []uint32, i int, ord uint32) int {
	if i >= len(ords) || ords[i] >= ord {
		return i
	}
	step := 1
	for i+step < len(ords) && ords[i+step] < ord {
		i += step
		step *= 2
	}
	low, high := i+1, min(i+step, len(ords))
	for low < high {
		mid := int(uint(low+high) >> 1)
		if ords[mid] < ord {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
