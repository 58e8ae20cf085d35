// Package ranking asks endpoints that rank passages: those of the form that Jina and Cohere gave it, as
// vLLM, Infinity and llama.cpp serve it too, and that of Text Embeddings Inference.
package ranking

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/internal/endpoint"
	"github.com/kaoju/kaoju/internal/problem"
)

// Protocol is the form of requests and answers.
type Protocol string

// The protocols.
const (
	Jina Protocol = "jina" // {"model", "query", "documents", "top_n"} to {"results": [{"index", "relevance_score"}]}
	TEI  Protocol = "tei"  // {"query", "texts", "truncate"} to [{"index", "score"}]
)

// The bounds of a request; what is longer is cut at its end.
const (
	MaxTexts = 100
	maxQuery = 1000 // characters
	maxText  = 2000 // characters
	// shortest is the number of characters below which a text that is too long for a model is not cut
	// any further.
	shortest = 125
)

// Config says where a ranking model is.
type Config struct {
	// BaseURL is the endpoint up to "rerank", "/v1" included where it has one.
	BaseURL  string
	Model    string
	Key      string
	Protocol Protocol // "" means Jina
	Client   *http.Client
	Place    llm.Place
	// Total bounds a call with its retries; Backoff is the first pause before a retry. 0 means the
	// defaults of model endpoints.
	Total, Backoff time.Duration
}

// Model is a ranking model behind an endpoint.
type Model struct {
	config   Config
	endpoint *endpoint.Endpoint
}

var _ llm.Reranker = (*Model)(nil)

// New checks a configuration and makes the model. It contacts nobody.
func New(c Config) (*Model, error) {
	if c.Protocol == "" {
		c.Protocol = Jina
	}
	if c.Protocol != Jina && c.Protocol != TEI {
		return nil, problem.New(problem.Invalid, "invalid_model", "The protocol of a reranker is jina or tei.")
	}
	e, err := endpoint.New(endpoint.Config{
		BaseURL: c.BaseURL, Model: c.Model, Key: c.Key, Client: c.Client, Place: c.Place,
		FirstByte: c.Total, Idle: c.Total, Total: c.Total, Backoff: c.Backoff,
	})
	if err != nil {
		return nil, err
	}
	return &Model{config: c, endpoint: e}, nil
}

// Info names the model and the host that receives query and texts.
func (m *Model) Info() llm.Info { return m.endpoint.Info() }

// Rerank implements llm.Reranker. A failure is problem.Unavailable: "rerank_timeout" if the endpoint was
// silent, "rerank_malformed" if it answered with anything but one score for each text, else
// "rerank_failed". Texts that are too long for the model are cut in half until they fit.
func (m *Model) Rerank(ctx context.Context, query string, texts []string) (llm.Ranking, error) {
	if len(texts) == 0 || len(texts) > MaxTexts {
		return llm.Ranking{}, problem.New(problem.Invalid, "invalid_request", "A reranker is asked about 1 to %d texts.", MaxTexts)
	}
	query = cut(query, maxQuery)
	for most := maxText; ; most /= 2 {
		short := make([]string, len(texts))
		for i, t := range texts {
			short[i] = cut(t, most)
		}
		out, err := m.once(ctx, query, short)
		if llm.CauseOf(err) != llm.ContextLength || most/2 < shortest {
			return out, sorted(err)
		}
	}
}

// cut returns the first n characters.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// once makes one request.
func (m *Model) once(ctx context.Context, query string, texts []string) (llm.Ranking, error) {
	body := map[string]any{"query": query}
	if m.config.Protocol == TEI {
		// What is longer than its model reads is cut there; the others do so unasked, or refuse.
		body["texts"], body["truncate"] = texts, true
	} else {
		body["model"], body["documents"], body["top_n"], body["return_documents"] = m.endpoint.Model(), texts, len(texts), false
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return llm.Ranking{}, problem.Wrap(err, problem.Invalid, "invalid_request", "The request to the reranker can't be written as JSON.")
	}
	header := http.Header{}
	if m.config.Key != "" {
		header.Set("Authorization", "Bearer "+m.config.Key)
	}
	reply, _, err := m.endpoint.Do(ctx, endpoint.Call{Path: "rerank", Header: header, Body: raw})
	if err != nil {
		return llm.Ranking{}, err
	}
	defer reply.Close()
	data, err := reply.Whole()
	if err != nil {
		return llm.Ranking{}, reply.Broken(ctx, err)
	}
	return m.read(data, len(texts))
}

// score is a number of an answer. What stands for none in JSON is null, which would be read as zero.
type score float64

// UnmarshalJSON refuses everything but a finite number.
func (s *score) UnmarshalJSON(b []byte) error {
	x, err := strconv.ParseFloat(string(b), 64)
	*s = score(x)
	return err
}

// result is what one text was given, by either name.
type result struct {
	Index     *int   `json:"index"`
	Relevance *score `json:"relevance_score"`
	Score     *score `json:"score"`
}

// tokens are the ways in which an endpoint may tell its use.
type tokens struct {
	Usage struct {
		Prompt *int `json:"prompt_tokens"`
		Total  *int `json:"total_tokens"`
	} `json:"usage"`
	Meta struct {
		Tokens struct {
			Input *int `json:"input_tokens"`
		} `json:"tokens"`
	} `json:"meta"`
}

// usage is what was told; nil if nothing was, or what can't be.
func (t tokens) usage() *llm.Usage {
	u := llm.Usage{Prompt: t.Usage.Prompt, Total: t.Usage.Total}
	if u.Prompt == nil {
		u.Prompt = t.Meta.Tokens.Input
	}
	if u.Total == nil {
		u.Total = u.Prompt
	}
	if u.Total == nil || *u.Total < 0 || u.Prompt != nil && *u.Prompt < 0 {
		return nil
	}
	return &u
}

// read takes an answer apart. Scores go to the texts that they name, each once: a list in another order
// is no fault, one with a gap or a double is.
func (m *Model) read(data []byte, n int) (llm.Ranking, error) {
	var results []result
	var told tokens
	if m.config.Protocol == TEI {
		if err := json.Unmarshal(data, &results); err != nil {
			return llm.Ranking{}, m.endpoint.BadData("malformed JSON", data)
		}
	} else {
		var answer struct {
			Results []result        `json:"results"`
			Error   json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(data, &answer); err != nil {
			return llm.Ranking{}, m.endpoint.BadData("malformed JSON", data)
		}
		if len(answer.Error) > 0 && string(answer.Error) != "null" {
			return llm.Ranking{}, m.endpoint.BadData("an error inside the response", answer.Error)
		}
		results = answer.Results
		// Use of another form is not obtained, and no reason to refuse the scores.
		if json.Unmarshal(data, &told) != nil {
			told = tokens{}
		}
	}
	if len(results) != n {
		return llm.Ranking{}, m.endpoint.Bad("another number of scores than of texts")
	}
	out := llm.Ranking{Scores: make([]float64, n), Usage: told.usage()}
	named := make([]bool, n)
	for _, r := range results {
		given := r.Relevance
		if m.config.Protocol == TEI {
			given = r.Score
		}
		if r.Index == nil || *r.Index < 0 || *r.Index >= n || named[*r.Index] || given == nil {
			return llm.Ranking{}, m.endpoint.Bad("scores that do not say which text each is of")
		}
		named[*r.Index], out.Scores[*r.Index] = true, float64(*given)
	}
	return out, nil
}

// sorted names a failure as one of a reranker.
func sorted(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	code, what := "rerank_failed", "The reranker's endpoint failed."
	switch llm.CauseOf(err) {
	case llm.Silent:
		code, what = "rerank_timeout", "The reranker's endpoint does not answer in time."
	case llm.Malformed, llm.BrokenOff, llm.OutputLimit:
		code, what = "rerank_malformed", "The reranker's endpoint gave an answer that can't be used."
	}
	if problem.CodeOf(err) == "model_timeout" {
		code, what = "rerank_timeout", "The reranker's endpoint does not answer in time."
	}
	return problem.Wrap(err, problem.Unavailable, code, "%s", what)
}
