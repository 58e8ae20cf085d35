package embedding_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/problem"
)

// picky refuses every batch with a text that holds the word, as an endpoint does: for good.
func picky(word string) *llmtest.Lexicon {
	return &llmtest.Lexicon{Name: "m", Before: func(_ context.Context, texts []string) error {
		if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, word) }) {
			return problem.New(problem.Invalid, embedding.Refused, "The embedding model's endpoint refuses what it was to embed.")
		}
		return nil
	}}
}

// Whichever chunks are refused, all others get vectors, the version is done at once, and what was
// refused is counted.
func TestARefusedTextCostsItselfAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bad := rapid.SliceOfN(rapid.Bool(), 1, 20).Draw(t, "refused")
		var chunks []string
		refused := 0
		for i, b := range bad {
			chunks = append(chunks, fmt.Sprint("chunk ", i))
			if b {
				chunks[i] += " bomb"
				refused++
			}
		}
		d := newDesk(text(chunks...), text("b"))
		lexicon := picky("bomb")
		w := d.worker(embedding.New(lexicon, embedding.Traits{}))
		w.Batch = rapid.IntRange(1, 8).Draw(t, "batch")
		if err := w.Drain(context.Background()); err != nil {
			t.Fatal(err)
		}
		if len(d.retried) != 0 || len(d.open) != 0 || d.kept["d1"].Chunks() != len(bad)-refused || d.refused["d1"] != refused || d.refused["d2"] != 0 || d.kept["d2"].Chunks() != 1 {
			t.Fatalf("%d retries, open %v, %d vectors, %v refused", len(d.retried), d.open, d.kept["d1"].Chunks(), d.refused)
		}
		// Halving: twice the batches above one text, and a harmless one for each that is refused alone.
		if most := 2*len(bad) + refused + 1; lexicon.Calls() > most || d.reports != lexicon.Calls() {
			t.Fatalf("%d calls, at most %d; the lease was renewed %d times", lexicon.Calls(), most, d.reports)
		}
	})
}

// A wrong model name, or a setting that the endpoint does not know, refuses everything. That is no
// fault of any version, so that none is given up, and the model does not come into force empty.
func TestAModelThatRefusesEverythingIsAskedAgainAndNothingIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(text("a", "b", "c"))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			d.worker(embedding.New(picky(""), embedding.Traits{})).Run(ctx)
		}()
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(d.retried) < 10 || len(d.open) != 1 || len(d.kept) != 0 {
			t.Errorf("%d retries, open %v, kept %v", len(d.retried), d.open, d.kept)
		}
		if d.cause.Kind != problem.Unavailable || d.cause.Code != "embedding_failed" {
			t.Errorf("stored cause %+v", d.cause)
		}
		cancel()
		<-done
	})
}

// The key may be refused, or the endpoint go away, while a refusal is being looked into.
func TestAFailureWhileARefusalIsLookedIntoGivesNothingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(text("fine", "bomb"))
		lexicon := picky("bomb")
		refuse, away := lexicon.Before, true
		lexicon.Before = func(ctx context.Context, texts []string) error {
			if texts[0] == "text" && away {
				away = false
				return problem.New(problem.Unavailable, "embedding_failed", "The embedding model's endpoint refuses the key.")
			}
			return refuse(ctx, texts)
		}
		if err := d.worker(embedding.New(lexicon, embedding.Traits{})).Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(d.retried) != 1 || d.cause.Code != "embedding_failed" {
			t.Errorf("%d retries, cause %+v", len(d.retried), d.cause)
		}
		if d.kept["d1"].Chunks() != 1 || d.refused["d1"] != 1 {
			t.Errorf("%d vectors, %d refused", d.kept["d1"].Chunks(), d.refused["d1"])
		}
	})
}
