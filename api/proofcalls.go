package api

import (
	"context"
	"io"
	"net/http"
	"strconv"
)

// Entry returns one entry of the ledger: the caller's own, or an auditor's any.
func (c *Client) Entry(ctx context.Context, id string) (out Entry, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("ledger", id)}, &out)
}

// Proof returns an entry with the proof that the caller's log holds it, when that had so many
// entries; 0 is now.
func (c *Client) Proof(ctx context.Context, id string, size int64) (out Proof, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("ledger", id, "proof"), query: values("size", number(size))}, &out)
}

// Checkpoint returns the signed state of the caller's log when it had so many entries; 0 is now.
func (c *Client) Checkpoint(ctx context.Context, size int64) (out Checkpoint, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("ledger", "checkpoint"), query: values("size", number(size))}, &out)
}

// Growth returns the signed state of the caller's log as it is, with the proof that the log of an
// earlier size is its beginning.
func (c *Client) Growth(ctx context.Context, from int64) (out Checkpoint, err error) {
	q := values("from", strconv.FormatInt(from, 10))
	return out, c.do(ctx, call{method: http.MethodGet, path: place("ledger", "checkpoint"), query: q}, &out)
}

// ExportLedger opens the caller's whole log as a file that is verified without the server. The caller
// closes it. A file that broke off has no signed end.
func (c *Client) ExportLedger(ctx context.Context) (io.ReadCloser, error) {
	return c.file(ctx, call{method: http.MethodGet, path: place("ledger", "export")})
}

// LedgerKey returns the public key of the server.
func (c *Client) LedgerKey(ctx context.Context) (out LedgerKey, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("ledger", "key")}, &out)
}

// Why returns how a run came to what it says.
func (c *Client) Why(ctx context.Context, run string) (out Why, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("runs", run, "why")}, &out)
}

// Bundle opens the evidence bundle of a run. The caller closes it.
func (c *Client) Bundle(ctx context.Context, run string) (io.ReadCloser, error) {
	res, err := c.open(ctx, call{method: http.MethodGet, path: place("runs", run, "bundle")})
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
