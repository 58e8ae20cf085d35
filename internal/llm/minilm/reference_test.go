package minilm

import (
	"context"
	"math"
	"testing"

	"github.com/kaoju/kaoju/internal/sharedtest"
)

// shared returns a file of the shared test data, or skips.
func shared(t testing.TB, path ...string) string { return sharedtest.Path(t, path...) }

// records reads a file of JSON lines of the shared test data.
func records[T any](t testing.TB, path ...string) []T { return sharedtest.Records[T](t, path...) }

// reference is a text with the vector that another runtime gave it.
type reference struct {
	Text      string
	Embedding []float32
}

// cosine returns the product of two vectors of length 1, or of any length.
func cosine(a, b []float32) float64 {
	var product, left, right float64
	for i := range a {
		product += float64(a[i]) * float64(b[i])
		left += float64(a[i]) * float64(a[i])
		right += float64(b[i]) * float64(b[i])
	}
	return product / math.Sqrt(left*right)
}

func TestVectorsAgreeWithThoseOfAnotherRuntime(t *testing.T) {
	refs := records[reference](t, "data", "models", "all-minilm-l6-v2", "reference.jsonl")
	for _, k := range levels() {
		if k.name == "scalar" {
			refs = refs[:2] // which is enough where every kernel was held against plain Go
		}
		t.Run(k.name, func(t *testing.T) {
			e, sum, worst := at(k), 0.0, 1.0
			for _, r := range refs {
				got, err := e.Embed(context.Background(), []string{r.Text})
				if err != nil {
					t.Fatal(err)
				}
				c := cosine(got[0], r.Embedding)
				sum, worst = sum+c, min(worst, c)
				if c < 0.97 {
					t.Errorf("%q: cosine %.4f", r.Text, c)
				}
			}
			mean := sum / float64(len(refs))
			t.Logf("%d texts: mean cosine %.5f, least %.5f", len(refs), mean, worst)
			if mean < 0.99 {
				t.Errorf("mean cosine %.4f", mean)
			}
		})
	}
}
