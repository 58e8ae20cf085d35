package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/problem"
)

// embedder is an adapter for the stub.
func (s *stub) embedder(change func(*Config)) *Embedder {
	s.t.Helper()
	c := Config{
		BaseURL: s.URL, Model: "bge-m3", Key: testKey, Backoff: time.Millisecond,
		Client: outbound.New(outbound.Options{Allow: []string{s.HostPort()}}),
	}
	if change != nil {
		change(&c)
	}
	e, err := NewEmbedder(c)
	if err != nil {
		s.t.Fatal(err)
	}
	return e
}

// vectors plays an answer with the given items.
func vectors(items ...string) http.HandlerFunc {
	return llmtest.Document(`{"object": "list", "data": [` + strings.Join(items, ", ") + `], "usage": {"prompt_tokens": 3, "total_tokens": 3}}`)
}

func item(index int, numbers string) string {
	return fmt.Sprintf(`{"object": "embedding", "index": %d, "embedding": [%s]}`, index, numbers)
}

func TestEmbeddingsAreAskedForAndBroughtToLengthOne(t *testing.T) {
	s := newStub(t, vectors(item(0, "3, 4"), item(1, "0, -2")))
	e := s.embedder(nil)
	if got := e.Model(); got != (llm.EmbeddingModel{Name: "bge-m3"}) {
		t.Errorf("before the first answer the model is %+v", got)
	}
	got, err := e.Embed(t.Context(), []string{"差旅政策", "travel"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float32{{0.6, 0.8}, {0, -1}}, got); diff != "" {
		t.Error(diff)
	}
	if e.Model().Dimensions != 2 {
		t.Errorf("the model is %+v", e.Model())
	}
	var body map[string]any
	if err := json.Unmarshal(s.Body(0), &body); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"model": "bge-m3", "input": []any{"差旅政策", "travel"}, "encoding_format": "float"}
	if diff := cmp.Diff(want, body); diff != "" {
		t.Error(diff)
	}
	if s.Path(0) != "/v1/embeddings" || s.Header(0).Get("Authorization") != "Bearer "+testKey {
		t.Errorf("path %s, header %v", s.Path(0), s.Header(0))
	}
	if info := e.Info(); info.Remote || info.Host != s.HostPort() || info.Name != "bge-m3" {
		t.Errorf("info %+v", info)
	}
}

func TestVectorsGoToTheTextsThatTheyName(t *testing.T) {
	s := newStub(t, vectors(item(1, "0, 1"), item(0, "1, 0")))
	got, err := s.embedder(nil).Embed(t.Context(), []string{"one", "two"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float32{{1, 0}, {0, 1}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnswersThatAreNoVectorsAreRefused(t *testing.T) {
	for name, body := range map[string]string{
		"too few":           `{"data": [` + item(0, "1, 0") + `]}`,
		"too many":          `{"data": [` + item(0, "1, 0") + `,` + item(1, "1, 0") + `,` + item(2, "1, 0") + `]}`,
		"none":              `{"data": []}`,
		"no data":           `{"object": "list"}`,
		"one text twice":    `{"data": [` + item(0, "1, 0") + `,` + item(0, "0, 1") + `]}`,
		"a text beyond":     `{"data": [` + item(0, "1, 0") + `,` + item(2, "0, 1") + `]}`,
		"a negative text":   `{"data": [` + item(0, "1, 0") + `,` + item(-1, "0, 1") + `]}`,
		"no index":          `{"data": [{"embedding": [1, 0]}, {"embedding": [0, 1]}]}`,
		"two lengths":       `{"data": [` + item(0, "1, 0") + `,` + item(1, "1, 0, 0") + `]}`,
		"an empty vector":   `{"data": [` + item(0, "") + `,` + item(1, "") + `]}`,
		"no vector":         `{"data": [{"index": 0}, {"index": 1}]}`,
		"null for a number": `{"data": [` + item(0, "1, null") + `,` + item(1, "1, 0") + `]}`,
		"NaN":               `{"data": [` + item(0, "1, NaN") + `,` + item(1, "1, 0") + `]}`,
		"too large":         `{"data": [` + item(0, "1e39, 0") + `,` + item(1, "1, 0") + `]}`,
		"a zero vector":     `{"data": [` + item(0, "1, 0") + `,` + item(1, "0, 0") + `]}`,
		"base64":            `{"data": [{"index": 0, "embedding": "AACAPwAAAAA="}, {"index": 1, "embedding": "AACAPwAAAAA="}]}`,
		"an error inside":   `{"error": {"message": "overloaded"}, "data": [` + item(0, "1, 0") + `,` + item(1, "0, 1") + `]}`,
		"no JSON":           `{"data": [`,
	} {
		got, err := newStub(t, llmtest.Document(body)).embedder(nil).Embed(t.Context(), []string{"one", "two"})
		if got != nil || problem.CodeOf(err) != "embedding_malformed" || problem.KindOf(err) != problem.Unavailable {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestDimensionsOfAnEndpointHold(t *testing.T) {
	s := newStub(t, vectors(item(0, "1, 0")), vectors(item(0, "1, 0, 0")), vectors(item(0, "0, 1")))
	e := s.embedder(nil)
	for i, good := range []bool{true, false, true} {
		if _, err := e.Embed(t.Context(), []string{"x"}); (err == nil) != good || !good && problem.CodeOf(err) != "embedding_malformed" {
			t.Errorf("answer %d: %v", i, err)
		}
	}
}

func TestManyTextsGoInSeveralRequests(t *testing.T) {
	s := newStub(t)
	s.Handle(func(w http.ResponseWriter, _ *http.Request, body []byte) {
		var in struct{ Input []string }
		if err := json.Unmarshal(body, &in); err != nil {
			t.Error(err)
		}
		var items []string
		for i, text := range in.Input {
			items = append(items, item(i, fmt.Sprint(len(text), ", 1")))
		}
		vectors(items...)(w, nil)
	})
	texts := make([]string, 150)
	for i := range texts {
		texts[i] = strings.Repeat("x", i+1)
	}
	got, err := s.embedder(nil).Embed(t.Context(), texts)
	if err != nil || len(got) != 150 || s.Requests() != 3 {
		t.Fatalf("%d vectors in %d requests, %v", len(got), s.Requests(), err)
	}
	for i, v := range got {
		if math.Abs(float64(v[0]/v[1])-float64(i+1)) > 0.01 {
			t.Fatalf("text %d has the vector %v", i, v)
		}
	}
}

// TestTextsThatAreTooLongAreCut plays a model that reads so many bytes a request.
func TestTextsThatAreTooLongAreCut(t *testing.T) {
	play := func(most int) *stub {
		s := newStub(t)
		s.Handle(func(w http.ResponseWriter, _ *http.Request, body []byte) {
			var in struct{ Input []string }
			if err := json.Unmarshal(body, &in); err != nil {
				t.Error(err)
			}
			var items []string
			for i, text := range in.Input {
				if len(text) > most {
					llmtest.Status(400, `{"error": {"message": "This model's maximum context length is 8192 tokens", "code": "context_length_exceeded"}}`)(w, nil)
					return
				}
				items = append(items, item(i, fmt.Sprint(len(text), ", 1")))
			}
			vectors(items...)(w, nil)
		})
		return s
	}
	got, err := play(300).embedder(nil).Embed(t.Context(), []string{"short", strings.Repeat("长", 400), "tiny"})
	if err != nil || len(got) != 3 {
		t.Fatalf("%d vectors, %v", len(got), err)
	}
	for i, want := range []float64{5, 300, 4} {
		if math.Abs(float64(got[i][0]/got[i][1])-want) > 0.5 {
			t.Errorf("text %d was sent as %v bytes, want %v", i, got[i][0]/got[i][1], want)
		}
	}
	if _, err := play(3).embedder(nil).Embed(t.Context(), []string{strings.Repeat("x", 200)}); problem.CodeOf(err) != "embedding_refused" || problem.KindOf(err) != problem.Invalid {
		t.Errorf("a text that is refused however short: %v", err)
	}
}

func TestFailuresOfTheEndpointHaveStableCodes(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		code    string
	}{
		"key refused":  {llmtest.Status(401, `{"error": "sk-secret-of-the-endpoint"}`), "embedding_failed"},
		"away":         {llmtest.Status(503, "no"), "embedding_failed"},
		"unknown":      {llmtest.Status(404, "no such model"), "embedding_failed"},
		"busy":         {llmtest.Status(429, "slow down"), "embedding_failed"},
		"silent":       {llmtest.Silent, "embedding_timeout"},
		"broken off":   {llmtest.Raw(`{"data": [`), "embedding_malformed"},
		"cut":          {llmtest.Abort, "embedding_failed"},
		"another page": {llmtest.Document(`<html>`), "embedding_malformed"},
	} {
		s := newStub(t, c.handler)
		s.Forever()
		_, err := s.embedder(func(c *Config) { c.FirstByte, c.Retries = 200*time.Millisecond, -1 }).Embed(t.Context(), []string{"secret passage"})
		if problem.CodeOf(err) != c.code || problem.KindOf(err) != problem.Unavailable {
			t.Errorf("%s: %v (%s)", name, err, problem.CodeOf(err))
		}
		if text := fmt.Sprint(err); strings.Contains(text, testKey) || strings.Contains(text, "secret") {
			t.Errorf("%s: the error says %q", name, text)
		}
	}
}

// TestWhatIsRefusedForItsContentIsToldFromAllElse plays every status that refuses.
func TestWhatIsRefusedForItsContentIsToldFromAllElse(t *testing.T) {
	for status, content := range map[int]bool{400: true, 413: true, 422: true, 401: false, 402: false, 403: false, 404: false, 405: false, 429: false, 500: false, 503: false} {
		s := newStub(t, llmtest.Status(status, `{"error": {"message": "the input holds secret"}}`))
		s.Forever()
		_, err := s.embedder(func(c *Config) { c.Retries = -1 }).Embed(t.Context(), []string{"one", "two"})
		kind, code := problem.Unavailable, "embedding_failed"
		if content {
			kind, code = problem.Invalid, "embedding_refused"
		}
		if problem.KindOf(err) != kind || problem.CodeOf(err) != code {
			t.Errorf("status %d: %v (%v %s)", status, err, problem.KindOf(err), problem.CodeOf(err))
		}
		if strings.Contains(fmt.Sprint(err), "secret") {
			t.Errorf("status %d: the error says %v", status, err)
		}
	}
}

func TestEmbeddingsAreTriedAgain(t *testing.T) {
	s := newStub(t, llmtest.Status(503, ""), llmtest.Status(429, ""), vectors(item(0, "1, 0")))
	if got, err := s.embedder(nil).Embed(t.Context(), []string{"x"}); err != nil || len(got) != 1 || s.Requests() != 3 {
		t.Errorf("%d vectors after %d requests, %v", len(got), s.Requests(), err)
	}
}

func TestEndOfTheContextEndsEmbedding(t *testing.T) {
	s := newStub(t, llmtest.Silent)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.embedder(nil).Embed(ctx, []string{"x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestEmbedderNeedsAnEndpoint(t *testing.T) {
	for name, c := range map[string]Config{
		"no model": {BaseURL: "http://127.0.0.1:1/v1", Client: http.DefaultClient}, "no client": {BaseURL: "http://127.0.0.1:1/v1", Model: "m"},
		"no address": {Model: "m", Client: http.DefaultClient},
	} {
		if _, err := NewEmbedder(c); problem.KindOf(err) != problem.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzEmbeddings(f *testing.F) {
	f.Add([]byte(`{"data": [{"index": 0, "embedding": [1, 0]}]}`), 1)
	f.Add([]byte(`{"data": [{"index": 1, "embedding": [1, 0]}, {"index": 0, "embedding": [1, 2]}]}`), 2)
	e, err := NewEmbedder(Config{BaseURL: "http://127.0.0.1:1/v1", Model: "m", Client: http.DefaultClient})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		if n < 0 || n > 100 {
			return
		}
		out, err := e.read(data, n)
		if err == nil && len(out) != n {
			t.Fatalf("%d vectors for %d texts", len(out), n)
		}
		for _, v := range out {
			sum := 0.0
			for _, x := range v {
				sum += float64(x) * float64(x)
			}
			if math.Abs(sum-1) > 1e-3 {
				t.Fatalf("a vector of length %v", math.Sqrt(sum))
			}
		}
	})
}
