package vector

import (
	"math/bits"
	"sync"
)

var distances = sync.Pool{New: func() any { return new([]uint16) }}

// chosen offers the n chunks whose signs differ least from the query's. Of those that differ
// equally at the end of the list, the first in the order of the filter are taken.
func (f *Filter) chosen(q Query, n int, top *heap) error {
	far := distances.Get().(*[]uint16)
	defer distances.Put(far)
	if cap(*far) < f.n {
		*far = make([]uint16, f.n)
	}
	list := (*far)[:f.n]
	at := 0
	for i := range f.entries {
		seg := f.entries[i].Segment
		measure(list[at:at+seg.n], seg.signs, q.signs)
		at += seg.n
	}
	last, left := nearest(list, len(q.whole), n)
	var buffer []byte
	var rows []int32
	at = 0
	for i := range f.entries {
		end := at + f.entries[i].Segment.n
		rows = rows[:0]
		for row, d := range list[at:end] {
			if int(d) > last || int(d) == last && left <= 0 {
				continue
			}
			if int(d) == last {
				left--
			}
			rows = append(rows, int32(row))
		}
		if err := f.offer(q, i, rows, &buffer, top); err != nil {
			return err
		}
		at = end
	}
	return nil
}

// nearest returns the largest of the n smallest distances, and how many of that size are among them.
func nearest(list []uint16, dims, n int) (last, left int) {
	count := make([]int, dims+1)
	for _, d := range list {
		count[d]++
	}
	left = n
	for left > count[last] && last < dims {
		left -= count[last]
		last++
	}
	return last, left
}

// measure counts, for each row, the dimensions in which it lies on the other side of the mean than
// the query. The usual number of dimensions has a loop of its own, which takes half the time.
func measure(to []uint16, signs, query []uint64) {
	if len(query) == 6 {
		q := [6]uint64(query)
		for i := range to {
			s := (*[6]uint64)(signs[6*i : 6*i+6])
			to[i] = uint16(bits.OnesCount64(s[0]^q[0]) + bits.OnesCount64(s[1]^q[1]) + bits.OnesCount64(s[2]^q[2]) +
				bits.OnesCount64(s[3]^q[3]) + bits.OnesCount64(s[4]^q[4]) + bits.OnesCount64(s[5]^q[5]))
		}
		return
	}
	for i := range to {
		n := 0
		for k, w := range signs[i*len(query) : (i+1)*len(query)] {
			n += bits.OnesCount64(w ^ query[k])
		}
		to[i] = uint16(n)
	}
}
