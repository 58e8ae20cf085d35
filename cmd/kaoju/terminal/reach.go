package terminal

import "github.com/kaoju/kaoju/api"

// Reach names the hosts elsewhere to which models of a command send something; "" where nothing goes anywhere.
type Reach struct{ Model, Verifier, Embedding, Reranker string }

// Elsewhere is a model's host if it counts as elsewhere, else "".
func Elsewhere(host string, remote bool) string {
	if remote {
		return host
	}
	return ""
}

// ReachOf is that of a server, as it tells whoever asks it about itself.
func ReachOf(s api.System) Reach {
	return Reach{
		Model: Elsewhere(s.Model.Host, s.Model.Remote), Verifier: Elsewhere(s.Verifier.Host, s.Verifier.Remote),
		Embedding: Elsewhere(s.Embedding.Host, s.Embedding.Remote), Reranker: Elsewhere(s.Reranker.Host, s.Reranker.Remote),
	}
}

// Asking is who is sent something by a question and its answer.
func (r Reach) Asking() Reach { return r }

// Searching is who is sent something by a search for which nothing answers.
func (r Reach) Searching() Reach { return Reach{Embedding: r.Embedding, Reranker: r.Reranker} }

// Lines say what goes to whom.
func (r Reach) Lines() (out []string) {
	for _, to := range []struct{ host, before, after string }{
		{r.Model, "The question, the snippets that are found and the passages that are read go to ", "."},
		{r.Verifier, "The sentences of the answer and the passages that they cite go to ", ", to be checked."},
		{r.Embedding, "What is searched for goes to ", ", to be compared by meaning."},
		{r.Reranker, "What is searched for and the passages that are found go to ", ", to be ranked."},
	} {
		if to.host != "" {
			out = append(out, to.before+Clean(to.host)+to.after)
		}
	}
	return out
}
