package meaning_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/cmd/kaoju/meaning"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
)

func probed(l *llmtest.Lexicon) []*embedding.Model {
	return []*embedding.Model{embedding.New(l, embedding.Traits{})}
}

func TestAProbeSaysWhatVectorCame(t *testing.T) {
	asked := ""
	l := &llmtest.Lexicon{Name: "m", Untold: true, Before: func(_ context.Context, texts []string) error {
		asked = strings.Join(texts, "|")
		return nil
	}}
	said, err := meaning.Probe(t.Context(), probed(l), time.Hour)
	if err != nil || !strings.Contains(said, "dimensions") || strings.Contains(said, " 0 ") || asked != "Kaoju" || l.Calls() != 1 {
		t.Errorf("%q, %v; it was asked for %q in %d calls", said, err, asked, l.Calls())
	}
}

func TestAProbeTellsOfAModelThatFails(t *testing.T) {
	away := errors.New("away")
	l := &llmtest.Lexicon{Name: "m", Before: func(context.Context, []string) error { return away }}
	if said, err := meaning.Probe(t.Context(), probed(l), time.Hour); !errors.Is(err, away) || said != "" {
		t.Errorf("%q, %v", said, err)
	}
}

func TestAProbeWaitsNoLongerThanItsTime(t *testing.T) {
	l := &llmtest.Lexicon{Name: "m", Before: func(ctx context.Context, _ []string) error {
		<-ctx.Done()
		return ctx.Err()
	}}
	if said, err := meaning.Probe(t.Context(), probed(l), time.Millisecond); err == nil || !strings.Contains(err.Error(), "within 1ms") {
		t.Errorf("%q, %v", said, err)
	}
}

func TestWithoutAModelNothingIsAsked(t *testing.T) {
	if said, err := meaning.Probe(t.Context(), nil, time.Hour); err != nil || said == "" {
		t.Errorf("%q, %v", said, err)
	}
}

func TestTheBuiltInModelIsAskedToo(t *testing.T) {
	models, err := meaning.Models(meaning.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if said, err := meaning.Probe(t.Context(), models, time.Hour); err != nil || !strings.Contains(said, " 384 dimensions") {
		t.Errorf("%q, %v", said, err)
	}
}
