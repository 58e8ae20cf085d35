package retrieval_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/llm/minilm"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// hybridFloors are what both legs with the built-in model must reach in nDCG@10.
var hybridFloors = map[string]float64{"scifact": 0.71, "cranfield": 0.55, "cisi": 0.43, "gitlab-handbook": 0.65}

// TestHybridQualityHolds measures both legs with the built-in model over whole documents, of which the
// model reads the beginning, and holds that they are not below words alone. It embeds some ten
// thousand documents, so that it runs only where quality is asked for in full.
func TestHybridQualityHolds(t *testing.T) {
	if !*full && !requires("quality") {
		t.Skip("it embeds whole collections; -quality.full runs it")
	}
	root := dataFolder(t)
	for _, c := range collections {
		floor, ok := hybridFloors[c.dir]
		if !ok || c.queries != "queries.jsonl" {
			continue
		}
		t.Run(c.dir, func(t *testing.T) {
			dir := filepath.Join(root, "data", "eval", c.dir)
			if _, err := os.Stat(filepath.Join(dir, c.queries)); err != nil {
				t.Skipf("the collection %s is not in the test data", c.dir)
			}
			h := archive(t, dir, c, 1)
			local := retrieval.NewLocal(h)
			cellar := newCellar(h, lexicon(), embedding.Traits{})
			cellar.model = embedding.New(minilm.New(), embedding.Traits{Mean: minilm.Mean(), Reads: minilm.Legible})
			cellar.force = cellar.model.Key()
			leg := retrieval.NewSemantic(local, cellar, retrieval.SemanticOptions{Patience: time.Hour}, cellar.model)
			both := retrieval.NewHybrid(local, h, leg, near)
			scope := h.scope(t, "u", access.Request{})
			words := gain(t, dir, c, func(text string) []corpus.DocumentID {
				found, err := local.Keyword(context.Background(), scope, text, 10)
				if err != nil {
					t.Fatal(err)
				}
				var out []corpus.DocumentID
				for _, m := range found {
					out = append(out, m.Document)
				}
				return out
			})
			fused := gain(t, dir, c, func(text string) []corpus.DocumentID {
				var out []corpus.DocumentID
				for _, hit := range look(t, h, both, "u", access.Request{}, retrieval.Query{Text: text, Limit: 10}).Hits {
					out = append(out, hit.Document.ID)
				}
				return out
			})
			t.Logf("%s: nDCG@10 %.4f by words, %.4f by both", c.dir, words, fused)
			if fused < floor || fused < words {
				t.Errorf("both legs reach %.4f, the floor is %.2f and words alone reach %.4f", fused, floor, words)
			}
		})
	}
}

// gain returns the mean nDCG@10 of what find gives for the queries of a collection.
func gain(t *testing.T, dir string, c collection, find func(text string) []corpus.DocumentID) float64 {
	t.Helper()
	judged := judgements(t, filepath.Join(dir, c.qrels))
	n, sum := 0, 0.0
	for _, q := range records(t, filepath.Join(dir, c.queries)) {
		best := ideal(judged[q.ID])
		if best == 0 {
			continue
		}
		got := 0.0
		for rank, id := range find(q.Text) {
			got += discounted(judged[q.ID][string(id)], rank)
		}
		sum += got / best
		n++
	}
	return sum / math.Max(1, float64(n))
}
