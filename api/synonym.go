package api

import (
	"context"
	"net/http"
	"time"
)

// SetSynonyms replaces the words and synonyms of the caller's tenant. A line is "OA, 办公自动化" for names
// of the same, "NB => 笔记本电脑" for a name on the left that also finds those on the right, one Chinese
// word that is kept whole, or a remark after "#".
type SetSynonyms struct {
	Lines []string `json:"lines"`
}

// Synonyms are the words and synonyms of the caller's tenant. Indexed is false while versions may be
// indexed with former words, which are still found by their characters. UpdatedAt is null, and UpdatedBy
// empty, where none were ever set.
type Synonyms struct {
	Lines       []string   `json:"lines"`
	Words       int        `json:"words"`    // lines with a word
	Synonyms    int        `json:"synonyms"` // lines with several names
	Indexed     bool       `json:"indexed"`
	LockVersion int        `json:"lock_version"`
	UpdatedAt   *time.Time `json:"updated_at"`
	UpdatedBy   string     `json:"updated_by"`
}

// Synonyms returns the words and synonyms of the tenant. It needs tenant_admin.
func (c *Client) Synonyms(ctx context.Context) (out Synonyms, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("synonyms")}, &out)
}

// SetSynonyms replaces the words and synonyms of the tenant. The ETag may be empty.
func (c *Client) SetSynonyms(ctx context.Context, in SetSynonyms, etag string) (out Synonyms, err error) {
	return out, c.do(ctx, call{method: http.MethodPut, path: place("synonyms"), body: in, header: matching(etag)}, &out)
}
