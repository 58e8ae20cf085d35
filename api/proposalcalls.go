package api

import (
	"context"
	"net/http"
	"net/url"
)

// Diff compares a version with another one of the same document.
func (c *Client) Diff(ctx context.Context, from, to string) (out Diff, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("documents", from, "diff"), query: values("to", to)}, &out)
}

// DocumentVersion returns the complete text of any version. It needs the role knowledge_admin
// besides the right to read, and is recorded.
func (c *Client) DocumentVersion(ctx context.Context, id string) (out DocumentVersion, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("tools", "document-versions", id)}, &out)
}

// ArchiveDocument takes a published version out of force. The ETag may be empty.
func (c *Client) ArchiveDocument(ctx context.Context, id, etag string) (out Document, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("documents", id, "archive"), header: matching(etag)}, &out)
}

// EraseDocument removes what a version held, for good. The ETag may be empty.
func (c *Client) EraseDocument(ctx context.Context, id, etag string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: place("documents", id), query: url.Values{"erase": {"true"}}, header: matching(etag)}, nil)
}

// Propose proposes to publish a version. The key may be empty.
func (c *Client) Propose(ctx context.Context, id, key string) (out Proposal, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("documents", id, "publish-proposals"), header: once(key)}, &out)
}

// ProposeArchiving proposes to take the published version out of force. The key may be empty.
func (c *Client) ProposeArchiving(ctx context.Context, id, key string) (out Proposal, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("documents", id, "archive-proposals"), header: once(key)}, &out)
}

// Proposals lists the caller's own proposals, newest first; those of one status, if it is given.
func (c *Client) Proposals(ctx context.Context, status string, p Page) (out List[Proposal], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("publish-proposals"), query: p.values("status", status)}, &out)
}

// Proposal returns one of the caller's own proposals with what would change.
func (c *Client) Proposal(ctx context.Context, id string) (out Proposal, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("publish-proposals", id)}, &out)
}

// Decide decides one of the caller's own proposals. The key may be empty; a repetition with the
// same key gets the first result.
func (c *Client) Decide(ctx context.Context, id string, approved bool, key string) (out Decided, err error) {
	return out, c.do(ctx, call{
		method: http.MethodPost, path: place("publish-proposals", id, "decisions"), body: Decision{Approved: approved}, header: once(key),
	}, &out)
}

// Approvals lists all that waits for the caller, or waited, newest first.
func (c *Client) Approvals(ctx context.Context, status string, p Page) (out List[Proposal], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("approvals"), query: p.values("status", status)}, &out)
}

// Approval returns one of the caller's own approvals with what would change.
func (c *Client) Approval(ctx context.Context, id string) (out Proposal, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("approvals", id)}, &out)
}

// DecideApproval is Decide for an approval of any kind.
func (c *Client) DecideApproval(ctx context.Context, id string, approved bool, key string) (out Decided, err error) {
	return out, c.do(ctx, call{
		method: http.MethodPost, path: place("approvals", id, "decisions"), body: Decision{Approved: approved}, header: once(key),
	}, &out)
}

// Conversations lists the caller's own conversations, newest first.
func (c *Client) Conversations(ctx context.Context, p Page) (out List[Conversation], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("conversations"), query: p.values()}, &out)
}

// Memory returns what is remembered of one of the caller's own conversations.
func (c *Client) Memory(ctx context.Context, conversation string) (out Memory, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("conversations", conversation, "memory")}, &out)
}

// EraseMemory erases it.
func (c *Client) EraseMemory(ctx context.Context, conversation string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: place("conversations", conversation, "memory")}, nil)
}
