package vector

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
)

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// paper is a version with its vectors as the model gave them, for the oracle.
type paper struct {
	id      corpus.DocumentID
	key     string
	vectors [][]float32
}

// segment builds and opens the segment of a paper.
func segment(t fataler, space Space, p paper) *Segment {
	t.Helper()
	rows := make([]Row, len(p.vectors))
	for i, v := range p.vectors {
		rows[i] = Row{Chunk: corpus.ChunkID(fmt.Sprintf("%s.%d", p.id, i+1)), No: i + 1, Vector: v}
	}
	raw, err := Build(space, rows)
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	s, err := Open(raw)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return s
}

// shelf makes a set of papers.
func shelf(t fataler, space Space, papers []paper) *Set {
	t.Helper()
	var add []Entry
	for _, p := range papers {
		add = append(add, Entry{Document: p.id, Key: p.key, Segment: segment(t, space, p)})
	}
	set, err := NewSet(space).Change(add, nil)
	if err != nil {
		t.Fatalf("Change: %v", err)
	}
	return set
}

func question(t fataler, space Space, v []float32) Query {
	t.Helper()
	q, err := NewQuery(space, v)
	if err != nil {
		t.Fatalf("NewQuery: %v", err)
	}
	return q
}

// near is Nearest where nothing may fail.
func near(t fataler, f *Filter, q Query, k int) []Match {
	t.Helper()
	return by(t, f, q, k, usual)
}

// by is near by a plan.
func by(t fataler, f *Filter, q Query, k int, p plan) []Match {
	t.Helper()
	out, err := f.nearest(q, k, p)
	if err != nil {
		t.Fatalf("Nearest: %v", err)
	}
	return out
}

// record returns a record of a segment.
func record(t fataler, s *Segment, row int) []byte {
	t.Helper()
	var buffer []byte
	b, err := s.rows.read(row, row+1, &buffer)
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	return b
}

// called returns what the chunk of a row is called.
func called(t fataler, s *Segment, row int) string {
	t.Helper()
	no, id := named(record(t, s, row), s.dims)
	return fmt.Sprint(id, " ", no)
}

func everything(corpus.DocumentID) bool { return true }

// oracle compares every admitted vector as it is, in floating point, and shares no code with the
// search.
func oracle(papers []paper, admit func(corpus.DocumentID) bool, q []float32, k int) []Match {
	var all []Match
	keys := map[corpus.DocumentID]string{}
	for _, p := range papers {
		keys[p.id] = p.key
		if !admit(p.id) {
			continue
		}
		for i, v := range p.vectors {
			dot, a, b := 0.0, 0.0, 0.0
			for j := range v {
				dot += float64(v[j]) * float64(q[j])
				a += float64(v[j]) * float64(v[j])
				b += float64(q[j]) * float64(q[j])
			}
			all = append(all, Match{
				Document: p.id, Chunk: corpus.ChunkID(fmt.Sprintf("%s.%d", p.id, i+1)), No: i + 1, Similarity: dot / math.Sqrt(a*b),
			})
		}
	}
	slices.SortFunc(all, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(keys[a.Document], keys[b.Document]),
			cmp.Compare(a.Document, b.Document), cmp.Compare(a.No, b.No))
	})
	return all[:min(k, len(all))]
}

// recall is the part of the wanted matches that was found.
func recall(want, got []Match) float64 {
	found := map[corpus.ChunkID]bool{}
	for _, m := range got {
		found[m.Chunk] = true
	}
	n := 0
	for _, m := range want {
		if found[m.Chunk] {
			n++
		}
	}
	return float64(n) / float64(len(want))
}

// town is a synthetic collection that looks like embeddings: a common mean, clusters around it, a
// spectrum that decays so that some sixty directions matter, and no axis that means anything.
// Paper i is of cluster i modulo the number of clusters.
type town struct {
	space    Space
	clusters [][]float64
	spectrum []float64
	mean     []float64
	papers   []paper
	random   *rand.Rand
	turns    []turn
}

// turn is one round of a rotation: signs change, blocks of 64 mix, and places are exchanged.
type turn struct {
	sign  []float64
	place []int
}

func (t *town) rotate(v []float64) []float64 {
	for _, r := range t.turns {
		for i := range v {
			v[i] *= r.sign[i]
		}
		for b := 0; b < len(v); b += 64 {
			for h := 1; h < 64; h *= 2 {
				for i := b; i < b+64; i++ {
					if i&h == 0 {
						v[i], v[i+h] = v[i]+v[i+h], v[i]-v[i+h]
					}
				}
			}
		}
		out := make([]float64, len(v))
		for i, at := range r.place {
			out[at] = v[i] / 8
		}
		v = out
	}
	return v
}

func newTown(dims, clusters, papers, chunks int) *town {
	t := &town{random: rand.New(rand.NewPCG(7, 11))}
	t.mean, t.spectrum = make([]float64, dims), make([]float64, dims)
	for i := range dims {
		t.mean[i] = t.random.NormFloat64() * 0.1
		t.spectrum[i] = 1 / (1 + float64(i)/24)
	}
	for range 3 {
		r := turn{sign: make([]float64, dims), place: t.random.Perm(dims)}
		for i := range r.sign {
			r.sign[i] = float64(2*t.random.IntN(2) - 1)
		}
		t.turns = append(t.turns, r)
	}
	for range clusters {
		c := make([]float64, dims)
		for i := range c {
			c[i] = t.random.NormFloat64() * t.spectrum[i]
		}
		t.clusters = append(t.clusters, c)
	}
	mean := make([]float32, dims)
	for range 2000 {
		for i, x := range normal(t.point(t.random.IntN(clusters))) {
			mean[i] += x / 2000
		}
	}
	t.space = Space{Model: "town", Dimensions: dims, Mean: mean}
	for i := range papers {
		p := paper{id: corpus.DocumentID(fmt.Sprintf("d%05d", i)), key: fmt.Sprintf("k%05d", i)}
		for range chunks {
			p.vectors = append(p.vectors, t.point(i%clusters))
		}
		t.papers = append(t.papers, p)
	}
	return t
}

// point draws a vector of a cluster.
func (t *town) point(cluster int) []float32 {
	v := make([]float64, len(t.mean))
	for i := range v {
		v[i] = t.clusters[cluster][i] + 0.7*t.random.NormFloat64()*t.spectrum[i]
	}
	out := make([]float32, len(v))
	for i, x := range t.rotate(v) {
		out[i] = float32(x + t.mean[i])
	}
	return out
}

func normal(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) / math.Sqrt(sum))
	}
	return out
}

// sealed gives bytes the beginning and the checksum of a segment, so that the fuzzer gets past them.
func sealed(b []byte) []byte {
	out := append([]byte(magic), 0, 0, 0, 0)
	out = append(out, b...)
	binary.LittleEndian.PutUint32(out[len(magic):], crc32.Checksum(b, castagnoli))
	return out
}
