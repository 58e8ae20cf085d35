package llm

import "context"

// EmbeddingModel names what made a vector. Vectors of different models are never compared.
type EmbeddingModel struct {
	Name       string
	Dimensions int
}

// Embedder turns texts into vectors of the model's dimensions and of length 1, one for each text
// in the order of texts. It is safe for concurrent use. An error leaves no vector; when the
// context ended it is the context's.
type Embedder interface {
	Model() EmbeddingModel
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}
