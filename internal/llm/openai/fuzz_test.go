package openai

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

// direct is a transport that calls a handler, without a network.
type direct struct{ handler http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w.Result(), nil
}

// FuzzStream feeds any bytes as a stream. What comes back is a message that was streamed as it
// is, or an error of the contract.
func FuzzStream(f *testing.F) {
	f.Add("data: " + hello + "\n\ndata: " + stop + "\n\ndata: [DONE]\n\n")
	f.Add("data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}]}}]}\r\n\r\ndata: [DONE]")
	f.Add("{\"choices\":[{\"message\":{\"content\":\"x\"}}]}")
	f.Add(":\n\ndata:\rdata: {\"error\":1}\n\n")
	f.Fuzz(func(t *testing.T, body string) {
		m, err := New(Config{BaseURL: "http://model.example/v1", Model: "m", Client: &http.Client{Transport: direct{raw(body)}}, Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		resp, text, _, err := generate(m, ask("?"))
		if err != nil {
			if c := problem.CodeOf(err); c != "model_error" {
				t.Errorf("%q: %v", body, err)
			}
			return
		}
		if text != resp.Message.Text || resp.Message.Role != llm.Assistant {
			t.Errorf("%q: streamed %q, message %+v", body, text, resp.Message)
		}
		ids := map[string]bool{}
		for _, c := range resp.Message.Calls {
			if c.ID == "" || ids[c.ID] {
				t.Errorf("%q: calls %+v", body, resp.Message.Calls)
			}
			ids[c.ID] = true
		}
	})
}

// TestStreamCutAnywhereGivesAPrefixOrAnError cuts a stream after every byte.
func TestStreamCutAnywhereGivesAPrefixOrAnError(t *testing.T) {
	whole := "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"考据\"}}]}\r\n\r\n: c\n\ndata: " + hello + "\n\ndata: " + stop + "\n\ndata: [DONE]\n\n"
	for n := range len(whole) + 1 {
		m, err := New(Config{BaseURL: "http://model.example/v1", Model: "m", Client: &http.Client{Transport: direct{raw(whole[:n])}}, Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		resp, _, _, err := generate(m, ask("?"))
		complete := strings.Contains(whole[:n], stop)
		if complete != (err == nil) || err == nil && resp.Message.Text != "考据hello" || err != nil && problem.CodeOf(err) != "model_error" {
			t.Errorf("after %d bytes: %q, %v", n, resp.Message.Text, err)
		}
	}
}
