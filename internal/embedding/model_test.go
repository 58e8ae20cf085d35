package embedding_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/problem"
)

// TestQuestionWaitsForNoBatch holds a batch of passages in the model and asks meanwhile.
func TestQuestionWaitsForNoBatch(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	m := embedding.New(&llmtest.Lexicon{Name: "m", Before: func(_ context.Context, texts []string) error {
		if texts[0] == "passage" {
			close(begun)
			<-release
		}
		return nil
	}}, embedding.Traits{})
	done := make(chan error)
	go func() {
		_, err := m.Passages(t.Context(), []string{"passage"})
		done <- err
	}()
	<-begun
	if _, err := m.Question(t.Context(), "question"); err != nil {
		t.Fatal(err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestBatchBeginsWhenNoQuestionIsUnderWay holds two questions in the model and looks that the batch
// comes after both.
func TestBatchBeginsWhenNoQuestionIsUnderWay(t *testing.T) {
	order := make(chan string, 8)
	begun, release := make(chan struct{}, 2), map[string]chan struct{}{"one": make(chan struct{}), "two": make(chan struct{})}
	m := embedding.New(&llmtest.Lexicon{Name: "m", Before: func(_ context.Context, texts []string) error {
		if hold := release[texts[0]]; hold != nil {
			begun <- struct{}{}
			<-hold
		}
		order <- texts[0]
		return nil
	}}, embedding.Traits{})
	done := make(chan error, 3)
	for q := range release {
		go func() {
			_, err := m.Question(t.Context(), q)
			done <- err
		}()
	}
	<-begun
	<-begun
	go func() {
		_, err := m.Passages(t.Context(), []string{"passage"})
		done <- err
	}()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Passages(cancelled, []string{"never"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a batch whose context ended: %v", err)
	}
	for _, q := range []string{"one", "two"} {
		close(release[q])
		if got := <-order; got != q {
			t.Fatalf("%s came before %s", got, q)
		}
	}
	if got := <-order; got != "passage" {
		t.Fatalf("then came %s", got)
	}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestAnswersThatBreakTheContractAreRefusedWhole(t *testing.T) {
	for name, after := range map[string]func([]string, [][]float32) [][]float32{
		"too few":         func(_ []string, out [][]float32) [][]float32 { return out[1:] },
		"none":            func([]string, [][]float32) [][]float32 { return nil },
		"too many":        func(_ []string, out [][]float32) [][]float32 { return append(out, out[0]) },
		"wrong dimension": func(_ []string, out [][]float32) [][]float32 { out[1] = out[1][:3]; return out },
		"NaN":             func(_ []string, out [][]float32) [][]float32 { out[1][5] = float32(math.NaN()); return out },
		"infinite":        func(_ []string, out [][]float32) [][]float32 { out[0][5] = float32(math.Inf(-1)); return out },
		"zero":            func(_ []string, out [][]float32) [][]float32 { clear(out[1]); return out },
		"empty":           func(_ []string, out [][]float32) [][]float32 { out[0] = nil; return out },
	} {
		for _, untold := range []bool{false, true} {
			m := embedding.New(&llmtest.Lexicon{Name: "m", Untold: untold, After: after}, embedding.Traits{})
			got, err := m.Passages(t.Context(), []string{"one", "two"})
			if problem.CodeOf(err) != "embedding_malformed" || got != nil {
				t.Errorf("%s (untold %v): %d vectors, %v", name, untold, len(got), err)
			}
		}
	}
}

func TestModelThatIsAwayIsUnavailable(t *testing.T) {
	away := errors.New("no route to host")
	m := embedding.New(&llmtest.Lexicon{Name: "m", Before: func(context.Context, []string) error { return away }}, embedding.Traits{})
	if _, err := m.Question(t.Context(), "q"); problem.KindOf(err) != problem.Unavailable || !errors.Is(err, away) {
		t.Errorf("error %v", err)
	}
}

func TestDimensionsAreThoseOfTheFirstAnswer(t *testing.T) {
	lexicon := &llmtest.Lexicon{Name: "m", Untold: true, Dimensions: 8}
	m := embedding.New(lexicon, embedding.Traits{})
	if m.Space().Dimensions != 0 || m.Key() != "m" {
		t.Fatalf("space %+v, key %q", m.Space(), m.Key())
	}
	q, err := m.Question(t.Context(), "q")
	if err != nil || q.Space().Dimensions != 8 || m.Space().Dimensions != 8 {
		t.Fatalf("space %+v after the first answer, %v", m.Space(), err)
	}
	lexicon.Dimensions = 9
	if _, err := m.Question(t.Context(), "q"); problem.CodeOf(err) != "embedding_malformed" {
		t.Errorf("another length later: %v", err)
	}
}

func TestModelSaysWhatItIs(t *testing.T) {
	plain := embedding.New(&llmtest.Lexicon{Name: "m"}, embedding.Traits{})
	if plain.Key() != "m" || !plain.Reads("任何") || plain.Remote() || plain.Host() != "" {
		t.Error("the zero traits are not those of a model in this process that reads every text")
	}
	m := embedding.New(&llmtest.Lexicon{Name: "m", Dimensions: 2}, embedding.Traits{
		Mean: []float32{0.1, 0}, Reads: func(text string) bool { return text == "yes" }, Host: "vectors.example", Remote: true,
	})
	if m.Key() == "m" || !m.Reads("yes") || m.Reads("no") || !m.Remote() || m.Host() != "vectors.example" {
		t.Errorf("the model says it is %q at %q", m.Key(), m.Host())
	}
}
