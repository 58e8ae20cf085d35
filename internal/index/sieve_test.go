package index

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// A chunk may fall through only if what it can reach is too little; what stays must not be far below.
func TestASieveKeepsWhatCanReachTheLeastAndLittleElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weight := rapid.Float64Range(0.001, 20)
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var lists []*list
		var held [30][window / 64]uint64
		for range rapid.IntRange(1, 30).Draw(t, "lists") {
			w := weight.Draw(t, "weight")
			l := &list{weight: w, bound: w * rapid.Float64Range(0, 1).Draw(t, "impact")}
			lists = append(lists, l)
			for i := range window / 64 {
				held[len(lists)-1][i] = rnd.Uint64()
			}
		}
		rest := 0.0
		for _, l := range lists {
			rest += l.bound
		}
		least := rest * rapid.Float64Range(0, 1.1).Draw(t, "least")
		read := &list{weight: weight.Draw(t, "weight of what was read")}
		var v sieve
		v.scale(append(lists, read))
		v.begin(least)
		// The first list is read as those are that bring no chunks in, so that what stands for it is taken back.
		late := rapid.Bool().Draw(t, "one is read late")
		v.rest(rest)
		reach := map[uint32]float64{}
		for at := uint32(0); at < window; at += 1 + at%7 {
			own := rnd.Float64() * read.weight
			v.sum[at] += v.steps(own)
			v.put(at)
			if v.sum[at] != 0 {
				t.Fatal("what was added up is kept for the next window")
			}
			reach[at] = own
			for i, l := range lists {
				if held[i][at>>6]>>(at&63)&1 != 0 {
					reach[at] += l.bound
				}
			}
		}
		for i, l := range lists {
			if i > 0 || !late {
				v.sift(held[i][:], l.bound)
			}
		}
		if late {
			for at := range uint32(window) {
				if held[0][at>>6]>>(at&63)&1 != 0 {
					v.sum[at] += v.steps(lists[0].bound)
				}
			}
			v.gain(lists[0].bound)
		}
		kept := map[uint32]bool{}
		near := float64(len(lists)+4) / v.step
		for i, at := range v.at[:v.n] {
			kept[at] = true
			if got, want := v.bound(i), reach[at]; got < want-1e-9 || got > want+near+1e-9 {
				t.Fatalf("chunk %d has the bound %v, want %v", at, got, want)
			}
			if reach[at] < least-near-1e-9 {
				t.Fatalf("chunk %d stays with %v, %v are wanted", at, reach[at], least)
			}
		}
		if v.end(); v.sum != [window]int32{} {
			t.Fatal("what was added up is kept for the next window")
		}
		for at, sum := range reach {
			if sum >= least+1e-9 && !kept[at] {
				t.Fatalf("chunk %d fell through with %v, %v are wanted", at, sum, least)
			}
		}
	})
}

func TestASieveOfTermsThatWeighNothingHoldsNothing(t *testing.T) {
	var v sieve
	v.scale(nil)
	v.begin(0)
	if v.step != 0 || v.n != 0 {
		t.Fatalf("a step of %v, %d chunks", v.step, v.n)
	}
}
