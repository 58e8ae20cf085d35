package vector

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

// TestFewChunksAreComparedExactly holds the bytes against the vectors as the model gave them.
func TestFewChunksAreComparedExactly(t *testing.T) {
	w := newTown(384, 40, 300, 4)
	f := shelf(t, w.space, w.papers).Filter(everything)
	sum, worst := 0.0, 0.0
	for range 40 {
		v := w.point(w.random.IntN(40))
		want, got := oracle(w.papers, everything, v, 10), near(t, f, question(t, w.space, v), 10)
		sum += recall(want, got)
		for i := range got {
			worst = max(worst, math.Abs(got[i].Similarity-want[i].Similarity))
		}
	}
	t.Logf("recall@10 %.3f, similarities within %.5f", sum/40, worst)
	if sum/40 < 0.97 || worst > 0.005 {
		t.Errorf("recall@10 is %.3f, a similarity is off by %.5f", sum/40, worst)
	}
}

// TestSignsFindWhatBytesFindUnderHardFilters takes away the cluster that the query is from, which
// is where candidates chosen by signs miss most.
func TestSignsFindWhatBytesFindUnderHardFilters(t *testing.T) {
	const clusters = 60
	w := newTown(384, clusters, 6000, 4)
	set := shelf(t, w.space, w.papers)
	for _, c := range []struct {
		name string
		part int // one in so many clusters is visible
	}{{"all but the own cluster", 1}, {"a tenth without the own cluster", 10}} {
		sum, n := 0.0, 0
		for range 25 {
			own := w.random.IntN(clusters)
			visible := map[corpus.DocumentID]bool{}
			for i, p := range w.papers {
				visible[p.id] = i%clusters != own && (i%clusters)%c.part == 0
			}
			admit := func(id corpus.DocumentID) bool { return visible[id] }
			v := w.point(own)
			got := by(t, set.Filter(admit), question(t, w.space, v), 10, plan{exactly: 1, candidates: 1000})
			sum += recall(oracle(w.papers, admit, v, 10), got)
			n++
		}
		t.Logf("%s: recall@10 %.3f", c.name, sum/float64(n))
		if sum/float64(n) < 0.95 {
			t.Errorf("%s: recall@10 is %.3f", c.name, sum/float64(n))
		}
	}
}

// hamlet draws a few papers of few dimensions with many equal vectors, so that ties are common.
func hamlet(t *rapid.T) (Space, []paper) {
	space := Space{Model: "m", Dimensions: 5}
	if rapid.Bool().Draw(t, "mean") {
		space.Mean = []float32{0.2, 0, -0.1, 0, 0}
	}
	var out []paper
	for i := range rapid.IntRange(0, 8).Draw(t, "papers") {
		p := paper{id: corpus.DocumentID(fmt.Sprint("d", i)), key: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")}
		for range rapid.IntRange(0, 4).Draw(t, "chunks") {
			p.vectors = append(p.vectors, point(t))
		}
		out = append(out, p)
	}
	return space, out
}

func point(t *rapid.T) []float32 {
	v := make([]float32, 5)
	for i := range v {
		v[i] = float32(rapid.IntRange(-1, 1).Draw(t, "x"))
	}
	v[0] += 0.5 // never without a direction
	return v
}

// TestHiddenVersionsChangeNothing compares a set with hidden versions in it with one that never had
// them, whichever way the search goes about it.
func TestHiddenVersionsChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, papers := hamlet(t)
		visible := map[corpus.DocumentID]bool{}
		var seen []paper
		for _, p := range papers {
			if visible[p.id] = rapid.Bool().Draw(t, "visible"); visible[p.id] {
				seen = append(seen, p)
			}
		}
		p := plan{exactly: rapid.IntRange(0, 12).Draw(t, "exactly"), candidates: rapid.IntRange(1, 6).Draw(t, "candidates")}
		k, q := rapid.IntRange(0, 6).Draw(t, "k"), question(t, space, point(t))
		got := by(t, shelf(t, space, papers).Filter(func(id corpus.DocumentID) bool { return visible[id] }), q, k, p)
		want := by(t, shelf(t, space, seen).Filter(everything), q, k, p)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("the hidden versions can be noticed:\n%s", d)
		}
		for _, m := range got {
			if !visible[m.Document] {
				t.Fatalf("found %v, which is hidden", m)
			}
		}
	})
}

// A bit for each version, in the order in which the set tells them, admits what asking about each admits.
func TestVersionsThatAreSelectedAreThoseThatAreAdmitted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, papers := hamlet(t)
		set := shelf(t, space, papers)
		visible := map[corpus.DocumentID]bool{}
		var bits [4]uint64
		n := 0
		set.Each(func(id corpus.DocumentID) {
			if visible[id] = rapid.Bool().Draw(t, "visible"); visible[id] {
				bits[n/64] |= 1 << (n % 64)
			}
			n++
		})
		selected, admitted := set.Select(bits[:(n+63)/64]), set.Filter(func(id corpus.DocumentID) bool { return visible[id] })
		if selected.Chunks() != admitted.Chunks() {
			t.Fatalf("%d chunks are selected, %d admitted", selected.Chunks(), admitted.Chunks())
		}
		p := plan{exactly: rapid.IntRange(0, 12).Draw(t, "exactly"), candidates: rapid.IntRange(1, 6).Draw(t, "candidates")}
		k, q := rapid.IntRange(0, 6).Draw(t, "k"), question(t, space, point(t))
		if d := cmp.Diff(by(t, admitted, q, k, p), by(t, selected, q, k, p)); d != "" {
			t.Fatal(d)
		}
	})
}

// TestOrderIsByNearnessThenKeyThenDocumentThenChunk holds the order of the small worlds, where the
// vectors are so coarse that bytes lose nothing that tells them apart.
func TestOrderIsByNearnessThenKeyThenDocumentThenChunk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, papers := hamlet(t)
		v := point(t)
		got := near(t, shelf(t, space, papers).Filter(everything), question(t, space, v), 40)
		keys := map[corpus.DocumentID]string{}
		n := 0
		for _, p := range papers {
			keys[p.id] = p.key
			n += len(p.vectors)
		}
		if len(got) != n {
			t.Fatalf("%d of %d chunks were found", len(got), n)
		}
		if !slices.IsSortedFunc(got, func(a, b Match) int {
			switch {
			case a.Similarity != b.Similarity:
				return map[bool]int{true: -1, false: 1}[a.Similarity > b.Similarity]
			case keys[a.Document] != keys[b.Document]:
				return map[bool]int{true: -1, false: 1}[keys[a.Document] < keys[b.Document]]
			case a.Document != b.Document:
				return map[bool]int{true: -1, false: 1}[a.Document < b.Document]
			}
			return a.No - b.No
		}) {
			t.Fatalf("order %v", got)
		}
	})
}

// TestWhetherAllAreComparedDependsOnTheVisibleOnes hides so many that the rest is below the limit.
func TestWhetherAllAreComparedDependsOnTheVisibleOnes(t *testing.T) {
	w := newTown(64, 4, 400, 3)
	set := shelf(t, w.space, w.papers)
	admit := func(id corpus.DocumentID) bool { return id < "d00100" }
	v := w.point(0)
	q, p := question(t, w.space, v), plan{exactly: 300, candidates: 4}
	got := by(t, set.Filter(admit), q, 10, p)
	if want := by(t, set.Filter(admit), q, 10, plan{exactly: math.MaxInt}); !cmp.Equal(got, want) {
		t.Error("300 visible chunks among 1,200 were not all compared")
	}
	all := set.Filter(everything)
	if got, want := by(t, all, q, 10, p), by(t, all, q, 10, plan{exactly: math.MaxInt}); cmp.Equal(got, want) {
		t.Error("1,200 visible chunks were all compared, so this test could not fail")
	}
}

func TestLargestSumsDoNotOverflow(t *testing.T) {
	space := Space{Model: "m", Dimensions: maxDimensions}
	flat, spike := make([]float32, maxDimensions), make([]float32, maxDimensions)
	for i := range flat {
		flat[i] = 1
	}
	spike[5] = 1
	set := shelf(t, space, []paper{{id: "flat", vectors: [][]float32{flat}}, {id: "spike", vectors: [][]float32{spike}}})
	for id, v := range map[corpus.DocumentID][]float32{"flat": flat, "spike": spike} {
		got := near(t, set.Filter(everything), question(t, space, v), 1)
		if len(got) != 1 || got[0].Document != id || math.Abs(got[0].Similarity-1) > 0.01 {
			t.Errorf("%s is nearest to %v", id, got)
		}
	}
}

func TestQueryOfAnotherModelFindsNothing(t *testing.T) {
	a, b := Space{Model: "a", Dimensions: 3}, Space{Model: "b", Dimensions: 3}
	f := shelf(t, a, []paper{{id: "d", vectors: [][]float32{{1, 0, 0}}}}).Filter(everything)
	if got := near(t, f, question(t, b, []float32{1, 0, 0}), 5); got != nil {
		t.Errorf("found %v", got)
	}
	if got := near(t, f, question(t, a, []float32{1, 0, 0}), 5); len(got) != 1 {
		t.Errorf("the own model found %v", got)
	}
	if got := near(t, f, question(t, a, []float32{1, 0, 0}), 0); got != nil {
		t.Errorf("none asked for, found %v", got)
	}
}

// BenchmarkNearest gives the time of a search and of comparing every vector in floating point, as
// their ratio.
func BenchmarkNearest(b *testing.B) {
	w := newTown(384, 60, 6000, 4)
	f := shelf(b, w.space, w.papers).Filter(everything)
	v := w.point(3)
	q := question(b, w.space, v)
	plain := func() float32 {
		best := float32(-2)
		for _, p := range w.papers {
			for _, u := range p.vectors {
				s := float32(0)
				for i, x := range u {
					s += x * v[i]
				}
				best = max(best, s)
			}
		}
		return best
	}
	for name, p := range map[string]plan{"bytes": {exactly: math.MaxInt}, "signs": {candidates: 1000}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				by(b, f, q, 10, p)
			}
		})
	}
	b.Run("floats", func(b *testing.B) {
		for b.Loop() {
			plain()
		}
	})
}
