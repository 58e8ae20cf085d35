package wiring

import (
	"github.com/kaoju/kaoju/cmd/kaoju/reranker"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
)

// Reach is where the models of this process send something.
func (s *Product) Reach() terminal.Reach {
	e, r := s.Meaning.Info(), reranker.Info(s.Searcher.Reranking)
	return terminal.Reach{
		Model: terminal.Elsewhere(s.Model.Host, s.Model.Remote), Verifier: terminal.Elsewhere(s.Verifier.Host, s.Verifier.Remote),
		Embedding: terminal.Elsewhere(e.Host, e.Remote), Reranker: terminal.Elsewhere(r.Host, r.Remote),
	}
}
