package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Client calls one Kaoju server as one user. It is safe for concurrent use. Errors that the
// server answers are *Problem.
type Client struct {
	http  *http.Client
	base  string
	token string
}

// NewClient returns a client of the server at the base URL, such as "http://127.0.0.1:8000". A
// client without a time limit of its own is needed for Chat, Original and Follow, which last as
// long as they last: bound them by their context.
func NewClient(c *http.Client, base, token string) *Client {
	return &Client{http: c, base: strings.TrimRight(base, "/"), token: token}
}

// call is one request on its way.
type call struct {
	method, path string
	query        url.Values
	header       http.Header
	body         any // marshalled, unless it is an io.Reader
}

// do sends a request and decodes the answer into out, unless that is nil.
func (c *Client) do(ctx context.Context, in call, out any) error {
	res, err := c.open(ctx, in)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if out == nil || res.StatusCode == http.StatusNoContent {
		_, err = io.Copy(io.Discard, res.Body)
		return err
	}
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		return fmt.Errorf("%s %s: reading the answer: %w", in.method, in.path, err)
	}
	return nil
}

// open sends a request and returns an answer that is not an error. The caller closes its body.
func (c *Client) open(ctx context.Context, in call) (*http.Response, error) {
	var body io.Reader
	switch b := in.body.(type) {
	case nil:
	case io.Reader:
		body = b
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(raw)
	}
	address := c.base + in.path
	if len(in.query) > 0 {
		address += "?" + in.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, in.method, address, body)
	if err != nil {
		return nil, err
	}
	for name, values := range in.header {
		req.Header[name] = values
	}
	if body != nil && req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= http.StatusBadRequest {
		defer res.Body.Close()
		return nil, refusal(res)
	}
	return res, nil
}

// refusal reads a problem; an answer that is none becomes one with the status alone.
func refusal(res *http.Response) error {
	p := &Problem{}
	raw, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil || json.Unmarshal(raw, p) != nil || p.Code == "" {
		return &Problem{
			Type: "about:blank", Title: http.StatusText(res.StatusCode), Status: res.StatusCode,
			Code: "http_" + strconv.Itoa(res.StatusCode), Detail: "The server answered " + res.Status + ".",
		}
	}
	return p
}

// place writes a path whose parts are ids.
func place(parts ...string) string {
	var b strings.Builder
	b.WriteString("/api")
	for _, p := range parts {
		b.WriteString("/" + url.PathEscape(p))
	}
	return b.String()
}

// values are query parameters without the empty ones.
func values(pairs ...string) url.Values {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return q
}

func (p Page) values(pairs ...string) url.Values {
	limit := ""
	if p.Limit > 0 {
		limit = strconv.Itoa(p.Limit)
	}
	return values(append(pairs, "limit", limit, "cursor", p.Cursor)...)
}

// matching is the header of an edit that is to fail if the row was changed since; "" for none.
func matching(etag string) http.Header {
	h := http.Header{}
	if etag != "" {
		h.Set("If-Match", etag)
	}
	return h
}

// ETag is the entity tag of a row with a lock version, for the edits that take one.
func ETag(lockVersion int) string { return `"` + strconv.Itoa(lockVersion) + `"` }

// once is the header that makes a repeated request give the first result; "" for none.
func once(key string) http.Header {
	h := http.Header{}
	if key != "" {
		h.Set("Idempotency-Key", key)
	}
	return h
}

// All reads a list to its end, page by page.
func All[T any](ctx context.Context, page func(context.Context, Page) (List[T], error)) ([]T, error) {
	var out []T
	at := Page{Limit: 200}
	for {
		l, err := page(ctx, at)
		if err != nil {
			return nil, err
		}
		out = append(out, l.Items...)
		if l.NextCursor == nil {
			return out, nil
		}
		at.Cursor = *l.NextCursor
	}
}
