package retrieval_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/llm/minilm"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// hybridFloors are what both legs with the built-in model must reach in nDCG@10.
var hybridFloors = map[string]float64{"scifact": 0.72, "cranfield": 0.57, "cisi": 0.44, "gitlab-handbook": 0.68}

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
			words := measure(t, dir, c, 1, h.pages(t, searcher(h))).mean
			fused := measure(t, dir, c, 1, h.pages(t, both)).mean
			t.Logf("%s: nDCG@10 %.4f by words, %.4f by both", c.dir, words, fused)
			if fused < floor || fused < words {
				t.Errorf("both legs reach %.4f, the floor is %.2f and words alone reach %.4f", fused, floor, words)
			}
		})
	}
}
