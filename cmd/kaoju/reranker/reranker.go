// Package reranker wires the model that reorders hits.
package reranker

import (
	"errors"
	"log/slog"
	"time"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/ranking"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// Settings say where the model is. Without a URL there is none.
type Settings struct {
	URL, Model, Key string
	API             ranking.Protocol
	Place           llm.Place
	// Hits is how many are reordered, and Time how long a search waits for the model.
	Hits int
	Time time.Duration
}

// Check refuses settings that do not go together.
func (s Settings) Check() error {
	switch {
	case s.URL != "" && s.Model == "":
		return errors.New("setting rerank_model: a reranker's endpoint is set, so the model needs a name (KAOJU_RERANK_MODEL)")
	case s.Model != "" && s.URL == "":
		return errors.New("setting rerank_model: a reranker is named, but no endpoint is set (KAOJU_RERANK_URL)")
	case s.Hits < 2 || s.Hits > ranking.MaxTexts:
		return errors.New("setting rerank_hits: must be a whole number from 2 to 100")
	}
	return nil
}

// Open makes what reorders hits; nil where no endpoint is set. It contacts nobody.
func Open(s Settings, log *slog.Logger) (*retrieval.Reranking, error) {
	if s.URL == "" {
		return nil, nil
	}
	client, err := outbound.To(s.URL)
	if err != nil {
		return nil, err
	}
	m, err := ranking.New(ranking.Config{
		BaseURL: s.URL, Model: s.Model, Key: s.Key, Protocol: s.API, Client: client, Place: s.Place, Total: s.Time, Backoff: 100 * time.Millisecond,
	})
	if err != nil {
		return nil, err
	}
	return &retrieval.Reranking{Model: m, Hits: s.Hits, Log: log}, nil
}

// Info names the model; the zero value without one.
func Info(r *retrieval.Reranking) llm.Info {
	if r == nil {
		return llm.Info{}
	}
	return r.Model.Info()
}

// Detail says in a sentence what the model is and where text goes.
func Detail(i llm.Info) string {
	switch {
	case i.Host == "":
		return "hits keep the order of the search"
	case i.Remote:
		return i.Name + " at " + i.Host + ": what is searched for and the passages that are found leave this machine"
	}
	return i.Name + " at " + i.Host + ", which counts as local"
}
