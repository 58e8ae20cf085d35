package minilm

import (
	"bufio"
	"cmp"
	"context"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/sharedtest"
)

// TestQualityOfRanking ranks whole documents of public collections by the product of vectors alone
// and measures nDCG@10. It is minutes of work, so it runs where quality is asked for.
func TestQualityOfRanking(t *testing.T) {
	if !sharedtest.Demands("quality") {
		t.Skip("measuring takes minutes; KAOJU_TEST_REQUIRE=quality (make quality) asks for it")
	}
	for _, c := range []struct {
		set   string
		least float64
	}{{"cranfield", 0.48}, {"cisi", 0.38}, {"scifact", 0.62}} {
		t.Run(c.set, func(t *testing.T) {
			got, queries := ranking(t, c.set)
			t.Logf("nDCG@10 over %d queries is %.3f", queries, got)
			if got < c.least {
				t.Errorf("nDCG@10 is %.3f, less than %.2f", got, c.least)
			}
		})
	}
}

// ranking returns the mean nDCG@10 of a collection, and over how many judged queries.
func ranking(t *testing.T, set string) (mean float64, queries int) {
	t.Helper()
	type record struct{ ID, Title, Text string }
	documents, questions := records[record](t, "data", "eval", set, "corpus.jsonl"), records[record](t, "data", "eval", set, "queries.jsonl")
	var texts []string
	for _, d := range documents {
		texts = append(texts, strings.TrimSpace(d.Title+". "+d.Text))
	}
	vectors, err := model384(t).Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	judged := judgements(t, set)
	for _, q := range questions {
		gains := judged[q.ID]
		if len(gains) == 0 {
			continue
		}
		v := embed(t, q.Text)[0]
		type hit struct {
			id    string
			score float64
		}
		var hits []hit
		for i, d := range documents {
			hits = append(hits, hit{d.ID, cosine(v, vectors[i])})
		}
		slices.SortFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
		var got, ideal []float64
		for _, h := range hits[:10] {
			got = append(got, gains[h.id])
		}
		for _, g := range gains {
			ideal = append(ideal, g)
		}
		slices.SortFunc(ideal, func(a, b float64) int { return cmp.Compare(b, a) })
		mean += discounted(got) / discounted(ideal[:min(10, len(ideal))])
		queries++
	}
	return mean / float64(queries), queries
}

func discounted(gains []float64) float64 {
	sum := 0.0
	for i, g := range gains {
		sum += g / math.Log2(float64(i)+2)
	}
	return sum
}

// judgements returns the gains above 0 of a collection by query and document.
func judgements(t *testing.T, set string) map[string]map[string]float64 {
	t.Helper()
	f, err := os.Open(shared(t, "data", "eval", set, "qrels.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	out := map[string]map[string]float64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 3 {
			t.Fatalf("%q is no judgement", lines.Text())
		}
		gain, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		if out[fields[0]] == nil {
			out[fields[0]] = map[string]float64{}
		}
		if gain > 0 {
			out[fields[0]][fields[1]] = gain
		}
	}
	return out
}
