package setting

import "slices"

// ForEmbedding are the settings of search by meaning alone, for the commands that ask no model, and
// ForReranking those of what reorders hits.
var (
	ForEmbedding = []string{"embedding", "embedding_url", "embedding_model", "embedding_place", "similarity"}
	ForReranking = []string{"rerank_url", "rerank_model", "rerank_api", "rerank_place", "rerank_hits", "rerank_time"}
)

// ForModels are the settings of what answers, of what checks and of search by meaning. Every command under which one
// of them works has all of them as flags.
var ForModels = slices.Concat([]string{
	"model_url", "model", "model_api", "model_tools", "model_place", "verifier", "verifier_url", "verifier_model", "verifier_api",
	"verifier_place", "run_time", "request_time",
}, ForEmbedding, ForReranking)
