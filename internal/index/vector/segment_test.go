package vector

import (
	"bytes"
	"math"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

var plane = Space{Model: "plane", Dimensions: 2}

func encoded(t fataler) []byte {
	t.Helper()
	raw, err := Build(plane, []Row{{"c1", 1, []float32{3, 4}}, {"c3", 3, []float32{-1, 0.5}}})
	if err != nil {
		t.Fatalf("Build: %v", err)
	}
	return raw
}

func TestSegmentKeepsWhatItWasBuiltOf(t *testing.T) {
	s, err := Open(encoded(t))
	if err != nil {
		t.Fatal(err)
	}
	if s.Chunks() != 2 || !s.In(plane) || called(t, s, 1) != "c3 3" || s.Bytes() < 200 {
		t.Errorf("segment %+v", s)
	}
	q := question(t, plane, []float32{3, 4})
	if got := similarity(record(t, s, 0), q.whole); math.Abs(got-1) > 0.01 {
		t.Errorf("a vector is %.3f like itself", got)
	}
	far := make([]uint16, 2)
	if measure(far, s.signs, q.signs); far[0] != 0 || far[1] != 1 {
		t.Errorf("distances %d", far)
	}
}

func TestSegmentsAreTheSameBytesEachTime(t *testing.T) {
	if !bytes.Equal(encoded(t), encoded(t)) {
		t.Error("two builds of one version differ")
	}
}

func TestVersionOfWhichNothingIsReadHasAnEmptySegment(t *testing.T) {
	s := segment(t, plane, paper{id: "d"})
	if s.Chunks() != 0 || !s.In(plane) {
		t.Errorf("segment %+v", s)
	}
	set := shelf(t, plane, []paper{{id: "d"}})
	if f := set.Filter(everything); !set.Has("d") || f.Chunks() != 0 || near(t, f, question(t, plane, []float32{1, 0}), 3) != nil {
		t.Error("the empty version is not held, or was found")
	}
}

func TestEmptySegmentNeedsNoDimensions(t *testing.T) {
	s := segment(t, Space{Model: "plane"}, paper{id: "d"})
	if !s.In(plane) || s.In(Space{Model: "other", Dimensions: 2}) {
		t.Error("the empty segment is not in each space of its model alone")
	}
	if _, err := Build(Space{Model: "plane"}, []Row{{"c", 1, []float32{1, 1}}}); problem.CodeOf(err) != "embedding_space" {
		t.Errorf("a row without dimensions: %v", err)
	}
}

func TestSpacesOfOneNameDifferByTheirMean(t *testing.T) {
	s := segment(t, plane, paper{id: "d", vectors: [][]float32{{1, 1}}})
	if a, b := plane.Key(), (Space{Model: "plane", Dimensions: 2, Mean: []float32{0.1, 0}}).Key(); a != "plane" || b == a {
		t.Errorf("their keys are %q and %q", a, b)
	}
	for _, other := range []Space{
		{Model: "plane", Dimensions: 2, Mean: []float32{0.1, 0}}, {Model: "plane", Dimensions: 3}, {Model: "other", Dimensions: 2},
	} {
		if s.In(other) {
			t.Errorf("the segment says it is of %+v", other)
		}
		_, err := NewSet(other).Change([]Entry{{Document: "d", Segment: s}}, nil)
		if problem.CodeOf(err) != "segment_outdated" {
			t.Errorf("a set of %+v took it: %v", other, err)
		}
	}
}

func TestSignsAreTakenAfterTheMean(t *testing.T) {
	space := Space{Model: "m", Dimensions: 2, Mean: []float32{0.9, 0}}
	unit, err := space.unit([]float32{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := space.signs(unit); got[0] != 0b10 {
		t.Errorf("signs %b", got[0])
	}
}

func TestModelThatAnswersNonsenseIsRefused(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, v := range map[string][]float32{
		"short": {1}, "long": {1, 2, 3}, "none": nil, "NaN": {nan, 1}, "infinite": {1, inf}, "zero": {0, 0}, "next to zero": {1e-20, 0},
	} {
		_, err := Build(plane, []Row{{"c", 1, v}})
		if problem.CodeOf(err) != "embedding_malformed" || problem.KindOf(err) != problem.Unavailable {
			t.Errorf("%s: Build gave %v", name, err)
		}
		if _, err := NewQuery(plane, v); problem.CodeOf(err) != "embedding_malformed" {
			t.Errorf("%s: NewQuery gave %v", name, err)
		}
	}
}

func TestInputThatIsNoVersionIsRefused(t *testing.T) {
	v := []float32{1, 1}
	for name, rows := range map[string][]Row{
		"no id": {{"", 1, v}}, "number zero": {{"a", 0, v}}, "out of order": {{"a", 2, v}, {"b", 1, v}}, "twice": {{"a", 1, v}, {"b", 1, v}},
		"long id": {{corpus.ChunkID(bytes.Repeat([]byte("x"), maxName+1)), 1, v}},
	} {
		if _, err := Build(plane, rows); problem.CodeOf(err) != "segment_input" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, space := range map[string]Space{
		"no name": {Dimensions: 2}, "negative": {Model: "m", Dimensions: -1}, "too many": {Model: "m", Dimensions: maxDimensions + 1},
		"mean of another length": {Model: "m", Dimensions: 2, Mean: []float32{1}},
	} {
		if _, err := Build(space, nil); problem.CodeOf(err) != "embedding_space" {
			t.Errorf("%s: Build gave %v", name, err)
		}
		if _, err := NewQuery(space, v); problem.CodeOf(err) != "embedding_space" {
			t.Errorf("%s: NewQuery gave %v", name, err)
		}
	}
}

func TestEveryFlippedBitIsNoticed(t *testing.T) {
	raw := encoded(t)
	for i := range raw {
		for bit := range 8 {
			b := bytes.Clone(raw)
			b[i] ^= 1 << bit
			if _, err := Open(b); problem.CodeOf(err) != "segment_damaged" {
				t.Fatalf("bit %d of byte %d: %v", bit, i, err)
			}
		}
		if _, err := Open(raw[:i]); problem.CodeOf(err) != "segment_damaged" {
			t.Fatalf("cut after %d bytes: %v", i, err)
		}
	}
}

func TestSetsChangeWithoutTouchingTheFormerOne(t *testing.T) {
	one := shelf(t, plane, []paper{{id: "a", key: "a", vectors: [][]float32{{1, 0}}}, {id: "b", key: "b", vectors: [][]float32{{0, 1}}}})
	two, err := one.Change([]Entry{
		{"a", "a", segment(t, plane, paper{id: "a2", vectors: [][]float32{{-1, 0}}})}, {"c", "c", segment(t, plane, paper{id: "c"})},
	}, []corpus.DocumentID{"b", "nobody"})
	if err != nil {
		t.Fatal(err)
	}
	held := map[corpus.DocumentID]bool{}
	two.Each(func(id corpus.DocumentID) { held[id] = true })
	if len(held) != 2 || !held["a"] || !held["c"] || two.Has("b") || !one.Has("b") || one.Has("c") {
		t.Errorf("the new set holds %v", held)
	}
	q := question(t, plane, []float32{1, 0})
	if got := near(t, one.Filter(everything), q, 1); got[0].Chunk != "a.1" {
		t.Errorf("the former set finds %v", got)
	}
	if got := near(t, two.Filter(everything), q, 9); len(got) != 1 || got[0].Chunk != "a2.1" || got[0].Similarity > -0.99 {
		t.Errorf("the new set finds %v", got)
	}
	if one.Bytes() <= 0 || two.Space().Model != "plane" || one.Filter(everything).Bytes() <= 0 {
		t.Error("sizes are missing")
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(encoded(f))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, raw := range [][]byte{b, sealed(b)} {
			s, err := Open(raw)
			if err != nil {
				if problem.CodeOf(err) != "segment_damaged" {
					t.Fatal(err)
				}
				continue
			}
			if s.Chunks() == 0 {
				continue
			}
			space := Space{Model: s.model, Dimensions: s.dims}
			v := make([]float32, s.dims)
			v[0] = 1
			q := question(t, space, v)
			far := make([]uint16, s.Chunks())
			measure(far, s.signs, q.signs)
			for row, d := range far {
				if x := similarity(record(t, s, row), q.whole); math.IsNaN(x) || int(d) > 64*space.words() {
					t.Fatalf("similarity %v", x)
				}
			}
		}
	})
}
