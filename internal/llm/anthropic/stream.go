package anthropic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/internal/endpoint"
)

// event is any event of a stream; Type says which fields it has.
type event struct {
	Type    string          `json:"type"`
	Index   int             `json:"index"`
	Message *message        `json:"message"`
	Block   *content        `json:"content_block"`
	Delta   json.RawMessage `json:"delta"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

// message is a whole response, or the head of a streamed one.
type message struct {
	Type       string          `json:"type"`
	Content    []content       `json:"content"`
	StopReason *string         `json:"stop_reason"`
	Usage      *usage          `json:"usage"`
	Error      json.RawMessage `json:"error"`
}

type usage struct {
	Input         endpoint.Count `json:"input_tokens"`
	CacheCreation endpoint.Count `json:"cache_creation_input_tokens"`
	CacheRead     endpoint.Count `json:"cache_read_input_tokens"`
	Output        endpoint.Count `json:"output_tokens"`
}

// stream reads events until message_stop, or the end.
func (m *Model) stream(ctx context.Context, reply *endpoint.Reply, t *turn) error {
	for !t.completed {
		data, err := reply.Event()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && t.stop != "" && ctx.Err() == nil:
			return nil // all of it came; only the end of the transfer is missing
		case err != nil:
			return reply.Broken(ctx, err)
		}
		if data = bytes.TrimSpace(data); len(data) == 0 {
			continue
		}
		var e event
		if err := json.Unmarshal(data, &e); err != nil {
			return m.endpoint.BadData("malformed JSON", data)
		}
		if err := m.take(e, t); err != nil {
			return err
		}
	}
	return nil
}

// take takes in one event. Events of unknown types are passed over, as the protocol demands.
func (m *Model) take(e event, t *turn) error {
	switch e.Type {
	case "message_start":
		t.begun = true
		if e.Message != nil && e.Message.Usage != nil {
			first := *e.Message.Usage
			first.Output = endpoint.Count{} // only the count at the end is the whole
			t.report(first)
		}
	case "content_block_start":
		if e.Block != nil {
			return t.start(e.Index, *e.Block)
		}
	case "content_block_delta":
		var p piece
		if err := json.Unmarshal(e.Delta, &p); err != nil {
			return m.endpoint.BadData("malformed JSON", e.Delta)
		}
		return t.add(e.Index, p)
	case "message_delta":
		var d struct {
			StopReason *string `json:"stop_reason"`
		}
		if json.Unmarshal(e.Delta, &d) == nil && d.StopReason != nil {
			t.stop = *d.StopReason
		}
		if e.Usage != nil {
			t.report(*e.Usage)
		}
	case "message_stop":
		t.completed = true
	case "error":
		return m.endpoint.BadData("an error inside the response", e.Error)
	}
	return nil
}

// whole reads a response that is one JSON document.
func (m *Model) whole(ctx context.Context, reply *endpoint.Reply, t *turn) error {
	data, err := reply.Whole()
	if err != nil {
		return reply.Broken(ctx, err)
	}
	var w message
	if err := json.Unmarshal(data, &w); err != nil {
		return m.endpoint.BadData("malformed JSON", data)
	}
	if w.Type == "error" || len(w.Error) > 0 {
		return m.endpoint.BadData("an error inside the response", w.Error)
	}
	t.begun, t.completed = w.Type == "message" || len(w.Content) > 0, true
	for i, c := range w.Content {
		if err := t.start(i, c); err != nil {
			return err
		}
	}
	if w.StopReason != nil {
		t.stop = *w.StopReason
	}
	if w.Usage != nil {
		t.report(*w.Usage)
	}
	return nil
}

// report keeps what was reported. The prompt's tokens are those read anew, those written to the
// provider's cache and those read from it; a total is not reported by this protocol.
func (t *turn) report(u usage) {
	var prompt *int
	for _, c := range []endpoint.Count{u.Input, u.CacheCreation, u.CacheRead} {
		if c.N == nil || u.Input.N == nil {
			continue
		}
		sum := *c.N
		if prompt != nil {
			sum += *prompt
		}
		prompt = &sum
	}
	if prompt == nil && u.Output.N == nil {
		return
	}
	if t.usage == nil {
		t.usage = &llm.Usage{}
	}
	endpoint.Count{N: prompt}.Into(&t.usage.Prompt)
	u.Output.Into(&t.usage.Completion)
}
