package index

import "math"

// sieve holds the chunks of a window that were brought in, with what the score of each can be at
// most. Those bounds are whole numbers of steps, always rounded so that they stay bounds: sifting is then a
// walk without branches.
type sieve struct {
	step  float64 // steps in a score of 1
	least int32
	base  int32         // what lists that were not read add at most
	sum   [window]int32 // what lists that were read add at most, by the place in the window
	n     int
	at    [window]uint32 // from the beginning of the window
	top   [window]int32
}

// scale chooses the steps: all terms together reach half of the largest number.
func (v *sieve) scale(lists []*list) {
	sum := 0.0
	for _, l := range lists {
		sum += l.weight
	}
	v.step = 0
	if sum > 0 {
		v.step = (1 << 30) / sum
	}
}

// steps returns a bound in steps.
func (v *sieve) steps(bound float64) int32 { return int32(bound*v.step) + 1 }

// begin empties the sieve. Chunks below the score will fall through.
func (v *sieve) begin(least float64) { v.n, v.least = 0, int32(math.Floor(least*v.step)) }

// rest says what lists that were not read can add to any chunk.
func (v *sieve) rest(bound float64) { v.base = v.steps(bound) }

// put adds a chunk with what was added up for it, which is forgotten, and with the rest.
func (v *sieve) put(at uint32) {
	at %= window
	top := v.base + v.sum[at]
	v.sum[at] = 0
	v.at[v.n], v.top[v.n] = at, top
	v.n += reaches(top, v.least)
}

// gain adds to each bound what was added up for the chunk since, and takes away what stood for it.
func (v *sieve) gain(rest float64) {
	loss := int32(rest * v.step)
	n := 0
	for i, at := range v.at[:v.n] {
		top := v.top[i] - loss + v.sum[at%window]
		v.at[n], v.top[n] = at, top
		n += reaches(top, v.least)
	}
	v.n = n
}

// reaches returns 1 if top is at least as large as least, or else 0.
func reaches(top, least int32) int { return int(uint32(least-1-top) >> 31) }

// bound returns what the score of the i-th chunk can be at most.
func (v *sieve) bound(i int) float64 { return float64(v.top[i]) / v.step }

// sift takes from each bound what a term adds at most, where the bits of a list, which begin at the
// window, say that the chunk does not hold it.
func (v *sieve) sift(held []uint64, bound float64) {
	loss := int32(bound * v.step)
	n := 0
	held = held[:min(len(held), window/64)]
	tops := v.top[:v.n]
	for i, at := range v.at[:len(tops)] {
		lacks := int32(held[at>>6]>>(at&63)&1) - 1 // all bits, if it does not hold it
		top := tops[i] - loss&lacks
		v.at[n%window], v.top[n%window] = at, top
		n += reaches(top, v.least)
	}
	v.n = n
}

// end forgets what was added up.
func (v *sieve) end() { clear(v.sum[:]) }
