package api

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// SaveDraft saves the next version of the draft of one of the caller's own runs. The key is needed;
// a repetition with it saves nothing again.
func (c *Client) SaveDraft(ctx context.Context, run string, in SaveDraft, key string) (out SavedDraft, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("runs", run, "draft"), body: in, header: once(key)}, &out)
}

// Drafts lists the caller's own drafts, newest first.
func (c *Client) Drafts(ctx context.Context, p Page) (out List[DraftVersion], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("drafts"), query: p.values()}, &out)
}

// Draft returns a version of one of the caller's own drafts; 0 is the newest.
func (c *Client) Draft(ctx context.Context, id string, version int) (out Draft, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("drafts", id), query: versioned(version)}, &out)
}

// DraftVersions lists all versions of one of the caller's own drafts, newest first.
func (c *Client) DraftVersions(ctx context.Context, id string) (out List[DraftVersion], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("drafts", id, "versions")}, &out)
}

// EditDraft saves the next version of one of the caller's own drafts. The ETag is that of the version
// last seen, and is needed.
func (c *Client) EditDraft(ctx context.Context, id string, in DraftChange, etag string) (out Draft, err error) {
	return out, c.do(ctx, call{method: http.MethodPut, path: place("drafts", id), body: in, header: matching(etag)}, &out)
}

// ExportDraft returns a version of a draft as a document: format is "markdown", "docx" or "pdf". The caller
// closes it.
func (c *Client) ExportDraft(ctx context.Context, id string, version int, format string) (io.ReadCloser, error) {
	q := versioned(version)
	q.Set("format", format)
	return c.file(ctx, call{method: http.MethodGet, path: place("drafts", id, "export"), query: q})
}

// ExportRun returns the answer of a run as a document: format is "markdown", "docx" or "pdf". The caller
// closes it.
func (c *Client) ExportRun(ctx context.Context, run, format string) (io.ReadCloser, error) {
	return c.file(ctx, call{method: http.MethodGet, path: place("runs", run, "export"), query: values("format", format)})
}

func (c *Client) file(ctx context.Context, in call) (io.ReadCloser, error) {
	in.header = http.Header{"Accept": {"*/*"}}
	res, err := c.open(ctx, in)
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

// GiveFeedback says of one of the caller's own answers, or of one of its sentences, what it is worth.
// The key may be empty.
func (c *Client) GiveFeedback(ctx context.Context, in NewFeedback, key string) (out Feedback, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("feedback"), body: in, header: once(key)}, &out)
}

// Feedback lists what the caller said, oldest first; of one run, if it is given.
func (c *Client) Feedback(ctx context.Context, run string, p Page) (out List[Feedback], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("feedback"), query: p.values("run_id", run)}, &out)
}

func versioned(version int) url.Values {
	if version == 0 {
		return url.Values{}
	}
	return values("version", strconv.Itoa(version))
}
