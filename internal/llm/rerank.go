package llm

import "context"

// Ranking says how well each of some texts answers a query, in the order of the texts. Scores are finite;
// they compare the texts of one call and nothing else. Usage is nil if the endpoint reported none.
type Ranking struct {
	Scores []float64
	Usage  *Usage
}

// Reranker scores texts against a query. It is safe for concurrent use. An error leaves no score; when
// the context ended it is the context's.
type Reranker interface {
	Info() Info
	Rerank(ctx context.Context, query string, texts []string) (Ranking, error)
}
