// Package api holds the wire types of Kaoju's HTTP contract and a typed client for it.
//
// The types are plain: they carry JSON names and nothing else, and the package imports only the
// standard library, so that another program can use it as it is. Times are RFC 3339 in UTC, ids
// are opaque strings, spans count code points. A field that may be null is a pointer; lists are
// never null. Clients ignore fields and event types they do not know.
package api

// List is one page of a list. NextCursor is null at its end.
type List[T any] struct {
	Items      []T     `json:"items"`
	NextCursor *string `json:"next_cursor"`
}

// Page selects a page of a list. The zero Page is the first one at the server's usual size.
type Page struct {
	Limit  int
	Cursor string
}

// FieldError names one wrong part of a request by its JSON pointer, or by "?name" for a
// parameter of the address.
type FieldError struct {
	Pointer string `json:"pointer"`
	Detail  string `json:"detail"`
}

// Problem is the body of every error (RFC 9457). Code is a stable word. Two answers for things
// that the caller cannot see are equal byte for byte, so it names no request.
type Problem struct {
	Type   string       `json:"type"`
	Title  string       `json:"title"`
	Status int          `json:"status"`
	Detail string       `json:"detail"`
	Code   string       `json:"code"`
	Errors []FieldError `json:"errors,omitempty"`
	// DocumentID, DocKey, Version and JobID say where the upload went that was kept as a draft
	// because publishing it needs a proposal.
	DocumentID string `json:"document_id,omitempty"`
	DocKey     string `json:"doc_key,omitempty"`
	Version    int    `json:"version,omitempty"`
	JobID      string `json:"job_id,omitempty"`
}

// Error returns the code and the detail.
func (p *Problem) Error() string { return p.Code + ": " + p.Detail }
