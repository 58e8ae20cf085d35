package terminal

import "github.com/kaoju/kaoju/api"

// Reach names the hosts elsewhere to which models of a command send something; "" where nothing goes anywhere.
type Reach struct {
	Model, Verifier, Embedding, Reranker string

	Chinese bool // the language in which that is said
}

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

// Asking is who is sent something by a question and its answer, said in the question's language.
func (r Reach) Asking(question string) Reach {
	r.Chinese = WordsFor(question).Chinese
	return r
}

// Searching is who is sent something by a search for which nothing answers.
func (r Reach) Searching(query string) Reach {
	return Reach{Embedding: r.Embedding, Reranker: r.Reranker, Chinese: WordsFor(query).Chinese}
}

// Lines say what goes to whom.
func (r Reach) Lines() (out []string) {
	type way struct{ host, before, after string }
	ways := []way{
		{r.Model, "The question, the snippets that are found and the passages that are read go to ", "."},
		{r.Verifier, "The sentences of the answer and the passages that they cite go to ", ", to be checked."},
		{r.Embedding, "What is searched for goes to ", ", to be compared by meaning."},
		{r.Reranker, "What is searched for and the passages that are found go to ", ", to be ranked."},
	}
	if r.Chinese {
		ways = []way{
			{r.Model, "问题、检索到的摘要和读到的段落将发送至 ", "。"},
			{r.Verifier, "回答的各句及其引用的段落将发送至 ", "，用于核对。"},
			{r.Embedding, "检索内容将发送至 ", "，用于语义比较。"},
			{r.Reranker, "检索内容和检索到的段落将发送至 ", "，用于重排。"},
		}
	}
	for _, to := range ways {
		if to.host != "" {
			out = append(out, to.before+Clean(to.host)+to.after)
		}
	}
	return out
}
