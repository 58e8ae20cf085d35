package ranking_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/llm/ranking"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/problem"
)

const testKey = "sk-test-0123456789abcdef"

// model is an adapter for a scripted endpoint.
func model(t *testing.T, e *llmtest.Endpoint, change func(*ranking.Config)) *ranking.Model {
	t.Helper()
	c := ranking.Config{
		BaseURL: e.URL, Model: "bge-reranker", Key: testKey, Backoff: time.Millisecond, Client: outbound.New(outbound.Options{Allow: []string{e.HostPort()}}),
	}
	if change != nil {
		change(&c)
	}
	m, err := ranking.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tei(c *ranking.Config) { c.Protocol = ranking.TEI }

func body(t *testing.T, e *llmtest.Endpoint, n int) (out map[string]any) {
	t.Helper()
	if err := json.Unmarshal(e.Body(n), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTextsAreScoredInTheProtocolOfJinaAndCohere(t *testing.T) {
	e := llmtest.NewEndpoint(t, llmtest.Document(`{"model": "m", "usage": {"prompt_tokens": 12, "total_tokens": 15},
"results": [{"index": 1, "relevance_score": 0.9, "document": {"text": "x"}}, {"index": 0, "relevance_score": -3.5}]}`))
	m := model(t, e, nil)
	got, err := m.Rerank(t.Context(), "上海住宿", []string{"一", "two"})
	if err != nil {
		t.Fatal(err)
	}
	prompt, total := 12, 15
	if d := cmp.Diff(llm.Ranking{Scores: []float64{-3.5, 0.9}, Usage: &llm.Usage{Prompt: &prompt, Total: &total}}, got); d != "" {
		t.Error(d)
	}
	want := map[string]any{"model": "bge-reranker", "query": "上海住宿", "documents": []any{"一", "two"}, "top_n": 2.0, "return_documents": false}
	if d := cmp.Diff(want, body(t, e, 0)); d != "" {
		t.Error(d)
	}
	if e.Path(0) != "/v1/rerank" || e.Header(0).Get("Authorization") != "Bearer "+testKey {
		t.Errorf("path %s, header %v", e.Path(0), e.Header(0))
	}
	if i := m.Info(); i.Remote || i.Host != e.HostPort() || i.Name != "bge-reranker" {
		t.Errorf("%+v", i)
	}
}

func TestTextsAreScoredInTheProtocolOfTextEmbeddingsInference(t *testing.T) {
	e := llmtest.NewEndpoint(t, llmtest.Document(`[{"index": 1, "score": 0.2}, {"index": 0, "score": 0.7}]`))
	got, err := model(t, e, tei).Rerank(t.Context(), "q", []string{"one", "two"})
	if err != nil || got.Usage != nil {
		t.Fatalf("%+v, %v", got, err)
	}
	if d := cmp.Diff([]float64{0.7, 0.2}, got.Scores); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]any{"query": "q", "texts": []any{"one", "two"}, "truncate": true}, body(t, e, 0)); d != "" {
		t.Error(d)
	}
}

func TestUseIsToldAsFarAsTheEndpointTellsIt(t *testing.T) {
	for told, want := range map[string]string{
		`"usage": {"total_tokens": 9}`: "9", `"usage": {"prompt_tokens": 7}`: "7", `"meta": {"tokens": {"input_tokens": 5}, "billed_units": {"search_units": 1}}`: "5",
		`"usage": {}`: "none", `"usage": null`: "none", `"usage": {"total_tokens": -1}`: "none", `"usage": "free"`: "none", `"meta": {"tokens": {"input_tokens": 1.5}}`: "none",
	} {
		e := llmtest.NewEndpoint(t, llmtest.Document(`{"results": [{"index": 0, "relevance_score": 1}], `+told+`}`))
		got, err := model(t, e, nil).Rerank(t.Context(), "q", []string{"x"})
		if err != nil {
			t.Errorf("%s: %v", told, err)
			continue
		}
		total := "none"
		if got.Usage != nil {
			total = fmt.Sprint(*got.Usage.Total)
		}
		if total != want {
			t.Errorf("%s: %s tokens, want %s", told, total, want)
		}
	}
}

// item is one result in both protocols.
func item(index int, score string) string {
	return fmt.Sprintf(`{"index": %d, "relevance_score": %s, "score": %s}`, index, score, score)
}

func TestAnswersThatAreNoScoresAreRefused(t *testing.T) {
	for name, list := range map[string]string{
		"too few":         `[` + item(0, "1") + `]`,
		"too many":        `[` + item(0, "1") + `,` + item(1, "1") + `,` + item(2, "1") + `]`,
		"none":            `[]`,
		"null":            `null`,
		"one text twice":  `[` + item(0, "1") + `,` + item(0, "2") + `]`,
		"a text beyond":   `[` + item(0, "1") + `,` + item(2, "2") + `]`,
		"a negative text": `[` + item(0, "1") + `,` + item(-1, "2") + `]`,
		"no index":        `[{"relevance_score": 1, "score": 1}, {"relevance_score": 1, "score": 1}]`,
		"half an index":   `[{"index": 0.5, "relevance_score": 1, "score": 1}, ` + item(1, "1") + `]`,
		"no score":        `[{"index": 0}, {"index": 1}]`,
		"null for one":    `[` + item(0, "null") + `,` + item(1, "1") + `]`,
		"a text for one":  `[` + item(0, `"1"`) + `,` + item(1, "1") + `]`,
		"NaN":             `[` + item(0, "NaN") + `,` + item(1, "1") + `]`,
		"infinite":        `[` + item(0, "1e999") + `,` + item(1, "1") + `]`,
		"no JSON":         `[` + item(0, "1"),
		"another thing":   `"fine"`,
	} {
		for protocol, whole := range map[ranking.Protocol]string{ranking.Jina: `{"results": ` + list + `}`, ranking.TEI: list} {
			m := model(t, llmtest.NewEndpoint(t, llmtest.Document(whole)), func(c *ranking.Config) { c.Protocol = protocol })
			got, err := m.Rerank(t.Context(), "q", []string{"one", "two"})
			if got.Scores != nil || problem.CodeOf(err) != "rerank_malformed" || !problem.Is(err, problem.Unavailable) {
				t.Errorf("%s, %s: %v, %v", name, protocol, got, err)
			}
		}
	}
	m := model(t, llmtest.NewEndpoint(t, llmtest.Document(`{"error": {"message": "overloaded"}, "results": [`+item(0, "1")+`]}`)), nil)
	if _, err := m.Rerank(t.Context(), "q", []string{"one"}); problem.CodeOf(err) != "rerank_malformed" {
		t.Errorf("an error inside: %v", err)
	}
}

func TestOneProtocolIsNotReadAsTheOther(t *testing.T) {
	for protocol, whole := range map[ranking.Protocol]string{
		ranking.Jina: `[{"index": 0, "score": 1}]`, ranking.TEI: `{"results": [{"index": 0, "relevance_score": 1}]}`,
	} {
		m := model(t, llmtest.NewEndpoint(t, llmtest.Document(whole)), func(c *ranking.Config) { c.Protocol = protocol })
		if _, err := m.Rerank(t.Context(), "q", []string{"one"}); problem.CodeOf(err) != "rerank_malformed" {
			t.Errorf("%s: %v", protocol, err)
		}
	}
}

func TestAnEndpointThatIsBusyIsAskedAgain(t *testing.T) {
	good := llmtest.Document(`{"results": [` + item(0, "1") + `]}`)
	e := llmtest.NewEndpoint(t, llmtest.Status(503, "busy"), llmtest.Status(429, "slow down", "Retry-After", "0"), good)
	if _, err := model(t, e, nil).Rerank(t.Context(), "q", []string{"x"}); err != nil || e.Requests() != 3 {
		t.Errorf("%v after %d requests", err, e.Requests())
	}
}

func TestFailuresHaveACodeAndNoWordOfTheTexts(t *testing.T) {
	const secret = "CANARY-salary-5000"
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		code    string
		times   int
	}{
		"overloaded":  {llmtest.Status(500, secret), "rerank_failed", 3},
		"no such way": {llmtest.Status(404, secret), "rerank_failed", 1},
		"a bad key":   {llmtest.Status(401, secret), "rerank_failed", 1},
		"elsewhere":   {llmtest.Status(302, secret, "Location", "http://127.0.0.1:1/"), "rerank_failed", 1},
		"no answer":   {llmtest.Document(secret), "rerank_malformed", 1},
	} {
		e := llmtest.NewEndpoint(t, c.handler).Forever()
		_, err := model(t, e, nil).Rerank(t.Context(), secret, []string{secret})
		if problem.CodeOf(err) != c.code || !problem.Is(err, problem.Unavailable) || e.Requests() != c.times {
			t.Errorf("%s: %v after %d requests", name, err, e.Requests())
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v tells of the text", name, err)
		}
	}
}

func TestASilentEndpointIsNotWaitedForLonger(t *testing.T) {
	e := llmtest.NewEndpoint(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }).Forever()
	_, err := model(t, e, func(c *ranking.Config) { c.Total = 20 * time.Millisecond }).Rerank(t.Context(), "q", []string{"x"})
	if problem.CodeOf(err) != "rerank_timeout" {
		t.Errorf("%v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := model(t, e, nil).Rerank(ctx, "q", []string{"x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a question that was given up: %v", err)
	}
}

func TestLongTextsAreCutUntilTheyFit(t *testing.T) {
	e := llmtest.NewEndpoint(t)
	var sizes []int
	e.Handle(func(w http.ResponseWriter, r *http.Request, raw []byte) {
		var in struct {
			Query     string
			Documents []string
		}
		if err := json.Unmarshal(raw, &in); err != nil || len([]rune(in.Query)) != 1000 {
			t.Errorf("%v, a query of %d characters", err, len([]rune(in.Query)))
		}
		sizes = append(sizes, len([]rune(in.Documents[0])))
		if len(sizes) < 3 {
			llmtest.Status(413, "too long")(w, r)
			return
		}
		llmtest.Document(`{"results": [`+item(0, "1")+`, `+item(1, "2")+`]}`)(w, r)
	})
	long := strings.Repeat("住宿", 3000)
	got, err := model(t, e, nil).Rerank(t.Context(), long, []string{long, "short"})
	if d := cmp.Diff([]int{2000, 1000, 500}, sizes); d != "" || err != nil || len(got.Scores) != 2 {
		t.Errorf("%s %v %v", d, got, err)
	}
	e = llmtest.NewEndpoint(t, llmtest.Status(413, "too long")).Forever()
	if _, err := model(t, e, nil).Rerank(t.Context(), "q", []string{long}); problem.CodeOf(err) != "rerank_failed" || e.Requests() != 5 {
		t.Errorf("what never fits: %v after %d requests", err, e.Requests())
	}
}

func TestAskingAboutNothingOrTooMuchIsRefused(t *testing.T) {
	e := llmtest.NewEndpoint(t)
	for _, n := range []int{0, ranking.MaxTexts + 1} {
		if _, err := model(t, e, nil).Rerank(t.Context(), "q", make([]string, n)); problem.CodeOf(err) != "invalid_request" || e.Requests() != 0 {
			t.Errorf("%d texts: %v", n, err)
		}
	}
}

func TestAConfigurationIsChecked(t *testing.T) {
	client := outbound.New(outbound.Options{})
	for name, c := range map[string]ranking.Config{
		"no model": {BaseURL: "http://127.0.0.1/v1", Client: client}, "no client": {BaseURL: "http://127.0.0.1/v1", Model: "m"},
		"no address": {Model: "m", Client: client}, "another protocol": {BaseURL: "http://127.0.0.1/v1", Model: "m", Client: client, Protocol: "cohere9"},
	} {
		if m, err := ranking.New(c); m != nil || !problem.Is(err, problem.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m, err := ranking.New(ranking.Config{BaseURL: "https://rank.example/v1", Model: "m", Client: client})
	if err != nil || !m.Info().Remote || m.Info().Host != "rank.example" {
		t.Errorf("%v", err)
	}
}

func TestScoresGoToTheTextsThatTheyName(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 1, 20).Draw(r, "scores")
		order := rapid.Permutation(func() (out []int) {
			for i := range scores {
				out = append(out, i)
			}
			return out
		}()).Draw(r, "order")
		var items []string
		for _, i := range order {
			items = append(items, item(i, fmt.Sprint(scores[i])))
		}
		e := llmtest.NewEndpoint(t, llmtest.Document(`{"results": [`+strings.Join(items, ",")+`]}`))
		defer e.Close()
		got, err := model(t, e, nil).Rerank(t.Context(), "q", make([]string, len(scores)))
		if err != nil {
			r.Fatal(err)
		}
		if d := cmp.Diff(scores, got.Scores); d != "" {
			r.Fatal(d)
		}
	})
}
