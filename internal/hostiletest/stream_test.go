package hostiletest

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/anthropic"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/llm/openai"
	"github.com/kaoju/kaoju/internal/problem"
)

// poured is a transport that answers with bytes, without a network.
type poured struct{ body string }

func (p poured) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	llmtest.Raw(p.body)(w, r)
	return w.Result(), nil
}

var errUnusable = errors.New("unusable")

// blocks splits a stream into the data of its events, all at once and naively.
func blocks(body string) []string {
	body = strings.TrimPrefix(body, "\ufeff")
	body = strings.ReplaceAll(strings.ReplaceAll(body, "\r\n", "\n"), "\r", "\n")
	var out, data []string
	for _, line := range append(strings.Split(body, "\n"), "") {
		switch name, value, _ := strings.Cut(line, ":"); {
		case line == "" && data != nil:
			out, data = append(out, strings.TrimSpace(strings.Join(data, "\n"))), nil
		case name == "data":
			data = append(data, strings.TrimPrefix(value, " "))
		}
	}
	return out
}

// reference reads a stream of text as the protocols say, with nothing of the adapters' code.
func reference(wire llmtest.Wire, body string) (string, error) {
	if wire.Name == "openai" {
		return referenceChat(blocks(body))
	}
	return referenceMessages(blocks(body))
}

func referenceChat(list []string) (text string, err error) {
	choice, over := false, false
	for _, data := range list {
		if data == "[DONE]" {
			over = true
			break
		}
		var e struct {
			Error   any
			Choices []struct {
				Index        int
				Delta        struct{ Content string }
				FinishReason string `json:"finish_reason"`
			}
		}
		if data == "" {
			continue
		}
		if json.Unmarshal([]byte(data), &e) != nil {
			if over {
				continue
			}
			return "", errUnusable
		}
		if e.Error != nil {
			return "", errUnusable
		}
		for _, c := range e.Choices {
			if c.Index == 0 {
				choice, over = true, over || c.FinishReason != ""
				text += c.Delta.Content
			}
		}
	}
	if !choice || !over {
		return "", errUnusable
	}
	return text, nil
}

func referenceMessages(list []string) (text string, err error) {
	begun, over := false, false
	open := map[int]bool{}
	for _, data := range list {
		var e struct {
			Type  string
			Index int
			Delta struct {
				Text       string
				StopReason string `json:"stop_reason"`
			}
		}
		if data == "" {
			continue
		}
		if json.Unmarshal([]byte(data), &e) != nil {
			return "", errUnusable
		}
		switch e.Type {
		case "message_start":
			begun = true
		case "content_block_start":
			if open[e.Index] {
				return "", errUnusable
			}
			open[e.Index] = true
		case "content_block_delta":
			if !open[e.Index] {
				return "", errUnusable
			}
			text += e.Delta.Text
		case "message_delta":
			over = over || e.Delta.StopReason != ""
		case "error":
			return "", errUnusable
		case "message_stop":
			if !begun {
				return "", errUnusable
			}
			return text, nil
		}
	}
	if !begun || !over {
		return "", errUnusable
	}
	return text, nil
}

// fortyStreams are the streams of a protocol: contents in framings.
func fortyStreams(w llmtest.Wire) map[string]string {
	junk := w.Event(`{"type":"something_new","x":[null],"object":"unknown"}`)
	contents := map[string]string{
		"plain":   w.Begin + w.Piece("考据 650") + w.Piece("\n[S1]\\\"") + w.End,
		"escaped": w.Begin + strings.ReplaceAll(w.Piece("X"), "X", `\u8003\ud83d\ude00é\n`) + w.End,
		"unknown": w.Begin + junk + w.Piece("a") + junk + w.End + junk,
		"no end":  w.Begin + w.Piece("a") + w.Piece("b"),
		"broken":  w.Begin + w.Piece("a") + "data: {\"type\":\"content_block_delta\",\n\n" + w.Piece("b") + w.End,
	}
	framings := map[string]func(string) string{
		"as it is":        func(s string) string { return s },
		"CRLF":            func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		"CR":              func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
		"byte order mark": func(s string) string { return "\ufeff" + s },
		"no space":        func(s string) string { return strings.ReplaceAll(s, "data: ", "data:") },
		"comments":        func(s string) string { return ": x\n\n" + strings.ReplaceAll(s, "\n\n", "\n: keep-alive\n\n:\n") },
		"other fields":    func(s string) string { return strings.ReplaceAll(s, "data: ", "id: 7\nretry: 5\ndata: ") },
		"no blank line":   func(s string) string { return strings.TrimRight(s, "\n") },
	}
	out := map[string]string{}
	for content, body := range contents {
		for framing, f := range framings {
			out[content+", "+framing] = f(body)
		}
	}
	return out
}

// TestStreamsCutAtEveryByteAreReadAsTheReferenceReadsThem gives the same text, or an error of the
// contract where the reference finds none to give.
func TestStreamsCutAtEveryByteAreReadAsTheReferenceReadsThem(t *testing.T) {
	total := 0
	for _, wire := range llmtest.Wires() {
		whole := 0
		for name, body := range fortyStreams(wire) {
			for n := range len(body) + 1 {
				total++
				got, err := pour(t, wire, body[:n])
				want, none := reference(wire, body[:n])
				if none == nil {
					whole++
				}
				if (err == nil) != (none == nil) || got != want || err != nil && problem.CodeOf(err) != "model_error" {
					t.Fatalf("%s, %s, after %d of %d bytes: %q, %v; the reference reads %q, %v\n%q", wire.Name, name, n, len(body), got, err, want, none, body[:n])
				}
			}
		}
		if whole < 100 {
			t.Errorf("%s: only %d streams were complete", wire.Name, whole)
		}
	}
	t.Logf("%d streams", total)
}

// pour reads a stream with the adapter.
func pour(t *testing.T, wire llmtest.Wire, body string) (string, error) {
	t.Helper()
	client := &http.Client{Transport: poured{body}}
	var g llm.Generator
	var err error
	if wire.Name == "anthropic" {
		g, err = anthropic.New(anthropic.Config{BaseURL: "http://model.example/v1", Model: "m", Client: client, Retries: -1, Idle: time.Minute})
	} else {
		g, err = openai.New(openai.Config{BaseURL: "http://model.example/v1", Model: "m", Client: client, Retries: -1, Idle: time.Minute})
	}
	check(t, err)
	resp, err := g.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "?"}}}, nil)
	return resp.Message.Text, err
}
