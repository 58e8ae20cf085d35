package revision

import (
	"slices"
	"sort"
)

// Bounds of the exact comparison. Beyond them the comparison leans on what is unique in both, in
// linear time.
const (
	maxEdits = 1000    // differences that are followed exactly
	maxWork  = 8 << 20 // steps: length times differences
	gapEdits = 64      // differences that are followed between two unique pieces
)

// common returns a longest common subsequence of two lists as pairs of indices, or for long lists
// with many differences a shorter one that keeps what is unique in both.
func common(x, y []string) [][2]int {
	ids := map[string]int{}
	number := func(list []string) []int {
		out := make([]int, len(list))
		for i, s := range list {
			id, ok := ids[s]
			if !ok {
				id = len(ids)
				ids[s] = id
			}
			out[i] = id
		}
		return out
	}
	a, b := number(x), number(y)
	lead := 0
	for lead < len(a) && lead < len(b) && a[lead] == b[lead] {
		lead++
	}
	tail := 0
	for tail < len(a)-lead && tail < len(b)-lead && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	out := make([][2]int, 0, lead+tail)
	for i := range lead {
		out = append(out, [2]int{i, i})
	}
	for _, p := range middle(a[lead:len(a)-tail], b[lead:len(b)-tail]) {
		out = append(out, [2]int{p[0] + lead, p[1] + lead})
	}
	for i := tail; i > 0; i-- {
		out = append(out, [2]int{len(a) - i, len(b) - i})
	}
	return out
}

// middle aligns two lists that differ at both ends.
func middle(a, b []int) [][2]int {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	size := len(a) + len(b)
	if out, ok := exact(a, b, min(size, maxEdits, max(gapEdits, maxWork/size))); ok {
		return out
	}
	var out [][2]int
	at := [2]int{}
	for _, p := range append(anchors(a, b), [2]int{len(a), len(b)}) {
		between, _ := exact(a[at[0]:p[0]], b[at[1]:p[1]], gapEdits)
		for _, q := range between {
			out = append(out, [2]int{at[0] + q[0], at[1] + q[1]})
		}
		if p[0] < len(a) {
			out = append(out, p)
		}
		at = [2]int{p[0] + 1, p[1] + 1}
	}
	return out
}

// exact is the greedy shortest edit script of Myers; false if it needs more than most edits.
func exact(a, b []int, most int) ([][2]int, bool) {
	n, m := len(a), len(b)
	v := make([]int, 2*most+3)
	zero := most + 1
	var trace [][]int
	for d := 0; d <= most; d++ {
		for k := -d; k <= d; k += 2 {
			x := v[zero+k-1] + 1
			if k == -d || k != d && v[zero+k-1] < v[zero+k+1] {
				x = v[zero+k+1]
			}
			for x < n && x-k < m && a[x] == b[x-k] {
				x++
			}
			v[zero+k] = x
			if x >= n && x-k >= m {
				return unwind(trace, n, m), true
			}
		}
		trace = append(trace, append([]int(nil), v[zero-d:zero+d+1]...))
	}
	return nil, false
}

// unwind follows a script back to its beginning. trace[d][k+d] is how far the first list was
// followed on diagonal k with d edits.
func unwind(trace [][]int, n, m int) [][2]int {
	var out [][2]int
	x, y := n, m
	for d := len(trace); d > 0; d-- {
		v, zero, k := trace[d-1], d-1, x-y
		down := k == -d || k != d && v[zero+k-1] < v[zero+k+1]
		before, begin := k-1, 1
		if down {
			before, begin = k+1, 0
		}
		far := v[zero+before]
		for x > far+begin {
			x, y = x-1, y-1
			out = append(out, [2]int{x, y})
		}
		x, y = far, far-before
	}
	for x > 0 {
		x, y = x-1, y-1
		out = append(out, [2]int{x, y})
	}
	slices.Reverse(out)
	return out
}

// anchors are the pieces that stand once in each list, as far as their order agrees.
func anchors(a, b []int) [][2]int {
	count := map[int][4]int{} // times in a, place in a, times in b, place in b
	for i, id := range a {
		c := count[id]
		c[0], c[1] = c[0]+1, i
		count[id] = c
	}
	for i, id := range b {
		c := count[id]
		c[2], c[3] = c[2]+1, i
		count[id] = c
	}
	var list [][2]int
	var places []int
	for i, id := range a {
		if c := count[id]; c[0] == 1 && c[2] == 1 {
			list = append(list, [2]int{i, c[3]})
			places = append(places, c[3])
		}
	}
	var out [][2]int
	for _, i := range rising(places) {
		out = append(out, list[i])
	}
	return out
}

// rising returns the indices of a longest increasing run of different numbers.
func rising(list []int) []int {
	var ends []int // index of the smallest end of a run of each length
	before := make([]int, len(list))
	for i, v := range list {
		k := sort.Search(len(ends), func(k int) bool { return list[ends[k]] >= v })
		before[i] = -1
		if k > 0 {
			before[i] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, i)
		} else {
			ends[k] = i
		}
	}
	out := make([]int, len(ends))
	if len(ends) == 0 {
		return out
	}
	at := ends[len(ends)-1]
	for k := len(out) - 1; k >= 0; k-- {
		out[k] = at
		at = before[at]
	}
	return out
}
