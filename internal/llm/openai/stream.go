package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/internal/endpoint"
)

// chunk is one event of a stream, or a whole response, which differs by having a message where
// the stream has deltas.
type chunk struct {
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		Index        int     `json:"index"`
		Delta        *delta  `json:"delta"`
		Message      *delta  `json:"message"`
		FinishReason *string `json:"finish_reason"`
	} `json:"choices"`
	Usage *usage `json:"usage"`
}

type usage struct {
	Prompt     endpoint.Count `json:"prompt_tokens"`
	Completion endpoint.Count `json:"completion_tokens"`
	Total      endpoint.Count `json:"total_tokens"`
}

// stream reads events until the one that says [DONE], or the end.
func (m *Model) stream(ctx context.Context, reply *endpoint.Reply, t *turn) error {
	for {
		data, err := reply.Event()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && t.finish != "" && ctx.Err() == nil:
			return nil // all of it came; only the end of the transfer is missing
		case err != nil:
			return reply.Broken(ctx, err)
		}
		data = bytes.TrimSpace(data)
		if len(data) == 0 {
			continue
		}
		if string(data) == "[DONE]" {
			t.completed = true
			return nil
		}
		if t.finish != "" && !json.Valid(data) {
			continue // the answer is complete; what was cut can only be its epilogue
		}
		if err := m.take(data, t); err != nil {
			return err
		}
	}
}

// whole reads a response that is one JSON document.
func (m *Model) whole(ctx context.Context, reply *endpoint.Reply, t *turn) error {
	data, err := reply.Whole()
	if err != nil {
		return reply.Broken(ctx, err)
	}
	if err := m.take(data, t); err != nil {
		return err
	}
	t.completed = true
	return nil
}

// take reads one chunk. Of several choices only the first counts.
func (m *Model) take(data []byte, t *turn) error {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return m.endpoint.BadData("malformed JSON", data)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return m.endpoint.BadData("an error inside the response", c.Error)
	}
	if c.Usage != nil {
		t.report(*c.Usage)
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		t.choices = true
		d := choice.Delta
		if d == nil {
			d = choice.Message
		}
		if d != nil {
			if err := t.add(*d); err != nil {
				return err
			}
		}
		if choice.FinishReason != nil && *choice.FinishReason != "" {
			t.finish = *choice.FinishReason
		}
	}
	return nil
}

// report keeps what was reported; a later report replaces an earlier one field by field.
func (t *turn) report(u usage) {
	if u.Prompt.N == nil && u.Completion.N == nil && u.Total.N == nil {
		return
	}
	if t.usage == nil {
		t.usage = &llm.Usage{}
	}
	u.Prompt.Into(&t.usage.Prompt)
	u.Completion.Into(&t.usage.Completion)
	u.Total.Into(&t.usage.Total)
}
