package api

import (
	"context"
	"encoding/json"
	"net/http"
)

// Tools lists the tools whose call the caller may propose.
func (c *Client) Tools(ctx context.Context) (out List[Tool], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("tools")}, &out)
}

// ProposeCall proposes to call a tool. The run is the one whose answer is the evidence, "" if the
// tool needs none; the key may be empty.
func (c *Client) ProposeCall(ctx context.Context, tool string, arguments any, run, key string) (out Proposal, err error) {
	body := struct {
		Arguments any    `json:"arguments"`
		RunID     string `json:"run_id,omitempty"`
	}{arguments, run}
	if raw, ok := arguments.(json.RawMessage); ok && len(raw) == 0 {
		body.Arguments = struct{}{}
	}
	return out, c.do(ctx, call{method: http.MethodPost, path: place("tools", tool, "proposals"), body: body, header: once(key)}, &out)
}

// Task returns what an approved call became.
func (c *Client) Task(ctx context.Context, id string) (out Task, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("tasks", id)}, &out)
}

// TaskResult fetches the texts of an approved export. Each fetch is recorded.
func (c *Client) TaskResult(ctx context.Context, id string) (out Export, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("tasks", id, "result")}, &out)
}
