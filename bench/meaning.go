package main

import (
	"math"
	"math/rand/v2"
	"os"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index/vector"
)

// The vectors of the world: as many dimensions as the built-in model has, and how many versions there
// are to a cluster.
const (
	dimensions  = 384
	clusterEach = 20
)

// cloud draws vectors that look like those of a model: a common mean, clusters around it, a spectrum that
// decays so that some sixty directions matter, and no axis that means anything.
type cloud struct {
	clusters int
	mean     [dimensions]float64
	turns    [3]turn
}

// turn is one round of a rotation: signs change, blocks of 64 mix, and places are exchanged.
type turn struct {
	sign  [dimensions]float64
	place []int
}

func newCloud(versions int) *cloud {
	c := &cloud{clusters: max(8, versions/clusterEach)}
	rnd := source(0, 5)
	for i := range c.mean {
		c.mean[i] = rnd.NormFloat64() * 0.1
	}
	for k := range c.turns {
		c.turns[k].place = rnd.Perm(dimensions)
		for i := range dimensions {
			c.turns[k].sign[i] = float64(2*rnd.IntN(2) - 1)
		}
	}
	return c
}

// draw adds a vector to what is already in v, as far from it as told.
func draw(v *[dimensions]float64, rnd *rand.Rand, far float64) {
	for i := range v {
		v[i] += far * rnd.NormFloat64() / (1 + float64(i)/24)
	}
}

// point draws a vector of length 1 of a cluster.
func (c *cloud) point(cluster int, rnd *rand.Rand, to []float32) {
	var v [dimensions]float64
	draw(&v, source(cluster, 6), 1)
	draw(&v, rnd, 0.7)
	for k := range c.turns {
		c.turns[k].apply(&v)
	}
	sum := 0.0
	for i := range v {
		v[i] += c.mean[i]
		sum += v[i] * v[i]
	}
	for i, x := range v {
		to[i] = float32(x / math.Sqrt(sum))
	}
}

func (t *turn) apply(v *[dimensions]float64) {
	for i := range v {
		v[i] *= t.sign[i]
	}
	for b := 0; b < dimensions; b += 64 {
		for h := 1; h < 64; h *= 2 {
			for i := b; i < b+64; i++ {
				if i&h == 0 {
					v[i], v[i+h] = v[i]+v[i+h], v[i]-v[i+h]
				}
			}
		}
	}
	from := *v
	for i, at := range t.place {
		v[at] = from[i] / 8
	}
}

// space is that of the vectors, with the mean of two thousand of them.
func (c *cloud) space() vector.Space {
	mean, one := make([]float32, dimensions), make([]float32, dimensions)
	rnd := source(1, 5)
	for range 2000 {
		c.point(rnd.IntN(c.clusters), rnd, one)
		for i, x := range one {
			mean[i] += x / 2000
		}
	}
	return vector.Space{Model: "clusters", Dimensions: dimensions, Mean: mean}
}

// vectors are those of some versions of the world: as a search has them, and as the plain numbers that it
// is compared with.
type vectors struct {
	cloud    *cloud
	space    vector.Space
	versions []int // in order
	plain    []float32
	set      *vector.Set
	bytes    uint64 // resident, of the set
}

// embed gives every chunk of every step-th version its vector, from the first that is told.
func embed(w *world, first, step int) (*vectors, error) {
	v := &vectors{cloud: newCloud(w.versions)}
	v.space = v.cloud.space()
	for i := first; i < w.versions; i += step {
		v.versions = append(v.versions, i)
	}
	v.plain = make([]float32, len(v.versions)*chunksEach*dimensions)
	chest, err := vector.NewChest(os.TempDir())
	if err != nil {
		return nil, err
	}
	before := heap()
	var add []vector.Entry
	for at, i := range v.versions {
		progress("vectors", at, len(v.versions))
		rnd := source(i, 7)
		cluster := rnd.IntN(v.cloud.clusters)
		rows := make([]vector.Row, chunksEach)
		for c := range rows {
			to := v.vector(at, c)
			v.cloud.point(cluster, rnd, to)
			rows[c] = vector.Row{Chunk: chunkID(i, c+1), No: c + 1, Vector: to}
		}
		raw, err := vector.Build(v.space, rows)
		if err != nil {
			return nil, err
		}
		seg, err := vector.Open(raw)
		if err != nil {
			return nil, err
		}
		if seg, err = chest.Keep(seg); err != nil {
			return nil, err
		}
		add = append(add, vector.Entry{Document: documentID(i), Key: w.resource(i).DocKey, Segment: seg})
	}
	if v.set, err = vector.NewSet(v.space).Change(add, nil); err != nil {
		return nil, err
	}
	add = nil
	v.bytes = heap() - before
	return v, nil
}

// vector returns the plain vector of a chunk, by the places of both.
func (v *vectors) vector(version, chunk int) []float32 {
	at := (version*chunksEach + chunk) * dimensions
	return v.plain[at : at+dimensions]
}

// question draws the vector of a query, of a cluster of its own.
func (v *vectors) question(n int) []float32 {
	rnd, out := source(n, 8), make([]float32, dimensions)
	v.cloud.point(rnd.IntN(v.cloud.clusters), rnd, out)
	return out
}

// near is a chunk with how near it is.
type near struct {
	chunk corpus.ChunkID
	dot   float32
}

// exact compares the vectors of the versions that may be seen one after the other, as they are.
func (v *vectors) exact(query []float32, sees func(version int) bool) []near {
	var list [best]near
	n := 0
	for at, i := range v.versions {
		if !sees(i) {
			continue
		}
		for c := range chunksEach {
			dot := float32(0)
			for k, x := range v.vector(at, c) {
				dot += x * query[k]
			}
			if n == best && dot <= list[n-1].dot {
				continue
			}
			n = min(n+1, best)
			p := n - 1
			for ; p > 0 && list[p-1].dot < dot; p-- {
				list[p] = list[p-1]
			}
			list[p] = near{chunkID(i, c+1), dot}
		}
	}
	return list[:n]
}
