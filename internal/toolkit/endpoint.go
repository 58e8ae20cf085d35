package toolkit

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/kaoju/kaoju/internal/tool"
)

// maxAnswer bounds what an endpoint's answer is kept of.
const maxAnswer = 64 << 10

// Endpoint is a tool at an address that the operator declared. The arguments go there in a POST,
// and what comes back is data: it is kept with the task, and nothing acts on it.
//
// Every request of one call carries the call's id as Idempotency-Key, so that an endpoint which
// honours it does a thing once, however often it is asked.
type Endpoint struct {
	Declared tool.Spec
	URL      string
	// Client is the guarded client, which follows no redirect.
	Client *http.Client
	// Key, if set, is sent as a bearer token. Secret, if set, signs the body: the header
	// Kaoju-Signature is "t=SECONDS,v1=HEX" with an HMAC-SHA256 over "SECONDS.BODY".
	Key, Secret string
	// Timeout bounds one request.
	Timeout time.Duration
	Clock   func() time.Time
}

// Spec describes the tool.
func (e *Endpoint) Spec() tool.Spec { return e.Declared }

// delivery is the body of a request.
type delivery struct {
	V         int             `json:"v"`
	Tool      string          `json:"tool"`
	CallID    string          `json:"call_id"`
	RunID     string          `json:"run_id"`
	TenantID  string          `json:"tenant_id"`
	UserID    string          `json:"user_id"`
	Arguments json.RawMessage `json:"arguments"`
}

// Call sends one request. A failure whose code is Harmless says that nothing was done; after any
// other one nobody knows.
func (e *Endpoint) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, e.Timeout)
	defer cancel()
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	req, err := e.request(ctx, call)
	if err != nil {
		return tool.Result{}, &tool.Failure{Code: tool.Unreached, Detail: "The request could not be made.", Err: err}
	}
	resp, err := e.Client.Do(req)
	if err != nil && !connected.Load() {
		return tool.Result{}, &tool.Failure{Code: tool.Unreached, Detail: "The endpoint could not be reached.", Err: err}
	}
	if err != nil {
		return tool.Result{}, fmt.Errorf("call the endpoint of %s: %w", e.Declared.Name, err)
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode >= 200 && resp.StatusCode < 300:
		return tool.Result{Content: answered(resp.Body), Summary: map[string]any{"status": resp.StatusCode}}, nil
	case resp.StatusCode >= 300 && resp.StatusCode < 500 && resp.StatusCode != http.StatusRequestTimeout:
		return tool.Result{}, failure(tool.Refused, "The endpoint refused the call with status %d.", resp.StatusCode)
	}
	return tool.Result{}, fmt.Errorf("the endpoint of %s answered with status %d", e.Declared.Name, resp.StatusCode)
}

func (e *Endpoint) request(ctx context.Context, call tool.Call) (*http.Request, error) {
	body, err := json.Marshal(delivery{
		V: 1, Tool: e.Declared.Name, CallID: call.ID, RunID: call.Session.Run, TenantID: string(call.Actor.Tenant), UserID: string(call.Actor.User),
		Arguments: call.Args,
	})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	// The transport would send a request again by itself if it took it for one that can be.
	req.GetBody = nil
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "kaoju")
	req.Header.Set("Idempotency-Key", call.ID)
	if e.Key != "" {
		req.Header.Set("Authorization", "Bearer "+e.Key)
	}
	if e.Secret != "" {
		at := strconv.FormatInt(e.Clock().Unix(), 10)
		mac := hmac.New(sha256.New, []byte(e.Secret))
		mac.Write([]byte(at + "."))
		mac.Write(body)
		req.Header.Set("Kaoju-Signature", "t="+at+",v1="+hex.EncodeToString(mac.Sum(nil)))
	}
	return req, nil
}

// answered reads what an endpoint says that did what it was asked. What can't be kept takes nothing
// from that.
func answered(body io.Reader) json.RawMessage {
	raw, err := io.ReadAll(io.LimitReader(body, maxAnswer+1))
	switch {
	case err == nil && len(bytes.TrimSpace(raw)) == 0:
		return json.RawMessage(`{}`)
	case err != nil || len(raw) > maxAnswer || tool.Strict(raw) != nil:
		return json.RawMessage(`{"unusable_answer":true}`)
	}
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return json.RawMessage(`{"unusable_answer":true}`)
	}
	return compact.Bytes()
}
