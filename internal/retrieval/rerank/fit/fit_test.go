package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/retrieval/rerank"
)

// planted makes queries of which the passage with the highest value of one feature is the one with a
// grade, while another feature is noise.
func planted(queries int, good, noise int) sample {
	r := rand.New(rand.NewPCG(1, 2))
	var out sample
	for range queries {
		e := example{question: question{ideal: 1}, list: make([]int, 10)}
		best := 0
		for i := range e.list {
			var v rerank.Vector
			v[good], v[noise] = r.Float64(), r.Float64()
			e.vectors = append(e.vectors, v)
			if v[good] > e.vectors[best][good] {
				best = i
			}
		}
		e.list[best] = 1
		e.model = &rerank.Model{}
		out = append(out, e)
	}
	return out
}

func TestRegressionFindsTheFeatureThatDecides(t *testing.T) {
	s := planted(200, 3, 5)
	w := regress([]sample{s}, []int{3, 5})
	if w[3] < 5*math.Abs(w[5]) || w[3] <= 0 {
		t.Errorf("the weights are %v", w)
	}
	for f, x := range w {
		if f != 3 && f != 5 && x != 0 {
			t.Errorf("the feature %s was not used and weighs %v", rerank.Features[f], x)
		}
	}
	if before, after := s.gain(nil), s.gain(&rerank.Model{Weight: w}); after < 0.95 || before > 0.7 {
		t.Errorf("nDCG@10 goes from %v to %v", before, after)
	}
}

func TestSameSamplesGiveTheSameWeights(t *testing.T) {
	a, b := regress([]sample{planted(50, 3, 5)}, []int{3, 5}), regress([]sample{planted(50, 3, 5)}, []int{3, 5})
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
}

// TestManyQueriesDoNotDrownFew holds a large collection that wants one thing against a small one that
// wants the other: the small one keeps a say, as the root of its size.
func TestManyQueriesDoNotDrownFew(t *testing.T) {
	large, small := planted(400, 3, 5), planted(100, 5, 3)
	w := regress([]sample{large, small}, []int{3, 5})
	if w[5] <= 0 || w[3] <= w[5] {
		t.Errorf("the weights are %v", w)
	}
	if ratio := w[3] / w[5]; ratio > 3 {
		t.Errorf("four times the queries weigh %v times as much", ratio)
	}
}

func TestQueryWithoutGradesAmongItsCandidatesIsLeftOut(t *testing.T) {
	s := planted(50, 3, 5)
	with := append(slices.Clone(s[:len(s):len(s)]), example{question: question{ideal: 1}, list: []int{0, 0}, vectors: make([]rerank.Vector, 2)})
	a, b := regress([]sample{s}, []int{3}), regress([]sample{with}, []int{3})
	if math.Abs(a[3]-b[3]) > 1e-9 {
		t.Errorf("a query without grades moved the weight from %v to %v", a[3], b[3])
	}
}

func TestGainIsThatOfTheLegsWhereThereIsNoModel(t *testing.T) {
	s := planted(20, 3, 5)
	for i := range s {
		s[i].model = nil
	}
	if a, b := s.gain(nil), s.gain(&rerank.Model{Weight: rerank.Vector{3: 1}}); a != b {
		t.Errorf("without a model the gain goes from %v to %v", a, b)
	}
}

func TestHalvesPartTheQueriesByTheirNames(t *testing.T) {
	var s sample
	for _, id := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"} {
		s = append(s, example{question: question{record: record{ID: id}}})
	}
	in, out := s.part(true), s.part(false)
	if len(in) == 0 || len(out) == 0 || len(in)+len(out) != len(s) {
		t.Errorf("%d and %d of %d", len(in), len(out), len(s))
	}
}

func TestIdealIsTheBestOrderOfTen(t *testing.T) {
	if got, want := ideal(map[string]int{"a": 3, "b": 1, "c": 0, "d": -1}), 3+1/math.Log2(3); math.Abs(got-want) > 1e-12 {
		t.Errorf("the ideal gain is %v, want %v", got, want)
	}
}

// shelf writes a small collection.
func shelf(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"corpus.jsonl": `{"id":"a","title":"","text":"A failure of the seal was seen on every pump."}
{"id":"b","title":"","text":"A pump seal failure was seen here every day."}
`,
		"queries.jsonl": `{"id":"1","text":"pump seal failure"}
{"id":"2","text":"pump ERR-1042"}
{"id":"3","text":"nothing judged"}
`,
		"qrels.tsv": "1\tb\t1\n2\ta\t2\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, "small"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "small", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestExamplesAreWhatASearchFinds(t *testing.T) {
	c, err := read(shelf(t), "small")
	if err != nil {
		t.Fatal(err)
	}
	a, err := open(t.Context(), c, false, "")
	if err != nil {
		t.Fatal(err)
	}
	got := a.examples()
	if len(got) != 2 {
		t.Fatalf("%d examples, want the two with judgements", len(got))
	}
	if diff := cmp.Diff([]int{0, 1}, got[0].list); diff != "" || got[0].model == nil {
		t.Errorf("the first has the grades %v and the model %v", got[0].list, got[0].model)
	}
	if got[1].model != nil {
		t.Error("a query that names a code has a model")
	}
	ordered := slices.Index(rerank.Features[:], "ordered")
	if e := got[0]; !(e.vectors[1][ordered] > e.vectors[0][ordered]) {
		t.Errorf("the phrase has %v, its words apart %v", e.vectors[1], e.vectors[0])
	}
}

func TestVectorsAreKeptAndReadAgain(t *testing.T) {
	keep := t.TempDir()
	first, err := embed(t.Context(), []string{"pump"}, keep, "a/b")
	if err != nil {
		t.Fatal(err)
	}
	again, err := embed(t.Context(), []string{"another text, which is not looked at"}, keep, "a/b")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Error(diff)
	}
	if p := product(first[0], first[0]); math.Abs(p-1) > 1e-5 {
		t.Errorf("a vector is %v of itself", p)
	}
}

func TestUnknownFeaturesAndFoldersAreNamed(t *testing.T) {
	if _, err := (plan{features: []string{"colour"}}).fit("", ""); err == nil || !bytes.Contains([]byte(err.Error()), []byte("colour")) {
		t.Errorf("an unknown feature gave %v", err)
	}
	if _, err := (plan{fitted: []string{"nowhere"}, features: []string{"cover"}}).fit(t.TempDir(), ""); err == nil {
		t.Error("a missing collection was fitted on")
	}
}

// TestWeightsInUseAreOfTheFeaturesThatThePlansName keeps plan and product together.
func TestWeightsInUseAreOfTheFeaturesThatThePlansName(t *testing.T) {
	for i, m := range rerank.Models() {
		var used []string
		for f, x := range m.Weight {
			if x != 0 {
				used = append(used, rerank.Features[f])
			}
		}
		if diff := cmp.Diff(plans[i].features, used); diff != "" || m.Name != plans[i].name {
			t.Errorf("%s: %s", m.Name, diff)
		}
	}
}
