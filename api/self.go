package api

import "time"

// Health is the answer of /healthz and /readyz.
type Health struct {
	Status string `json:"status"` // "ok" or "unavailable"
}

// Me says who the caller is.
type Me struct {
	UserID      string   `json:"user_id"`
	TenantID    string   `json:"tenant_id"`
	DisplayName string   `json:"display_name"`
	Roles       []string `json:"roles"`
	Groups      []string `json:"groups"`
}

// System says what this server runs with, and where questions and passages go.
type System struct {
	Version string `json:"version"`
	Model   Model  `json:"model"`
	// Verifier is the model that checks sentences beside the rules, and receives them with the excerpts
	// they cite; not configured where the rules alone check.
	Verifier  Model     `json:"verifier"`
	Embedding Embedding `json:"embedding"`
	Chunking  Chunking  `json:"chunking"`
	// Reranker is the model that reorders hits, and receives what is searched for with the passages that
	// are found; not configured where hits keep the order of the search.
	Reranker Model  `json:"reranker"`
	Policy   Policy `json:"policy"`
	// LocalOnly is true if nothing of the caller's tenant is sent to a model elsewhere; Model is then
	// what answers this tenant.
	LocalOnly bool `json:"local_only"`
	// ModelHealth is for administrators of the tenant; absent for everybody else, and without a model.
	ModelHealth *ModelHealth `json:"model_health,omitempty"`
}

// Model describes what answers. Remote is true if questions, snippets and passages leave the
// operator's premises for Host. Configured is false where sentences are extracted by rules.
type Model struct {
	Configured bool   `json:"configured"`
	Name       string `json:"name"`
	Host       string `json:"host"`
	Remote     bool   `json:"remote"`
}

// ModelHealth says how the model's endpoint last answered: "untried", "ok", "failing", "unauthorized"
// (the key is refused) or "unpaid". Since is null for one that was not asked yet.
type ModelHealth struct {
	Condition string     `json:"condition"`
	Since     *time.Time `json:"since"`
}

// Embedding describes the model that search by meaning goes by. Pending counts the published versions
// that the caller may read whose vectors are to come, Refused those of which the model refused a passage
// for what it says: it is found by its words. Remote is true if questions and the text of
// versions leave the operator's premises for Host, which is empty where nothing leaves the server.
type Embedding struct {
	Configured bool   `json:"configured"`
	Name       string `json:"name"`
	Pending    int    `json:"pending"`
	Refused    int    `json:"refused"`
	Host       string `json:"host"`
	Remote     bool   `json:"remote"`
}

// Chunking tells of the cutting of versions into chunks. Pending counts the versions that the caller may read and that a
// former chunker cut: they are found as they are until they are cut anew.
type Chunking struct {
	Pending int `json:"pending"`
}

// Policy holds the limits that every run and request is under.
type Policy struct {
	Limits      Limits `json:"limits"`
	UploadBytes int64  `json:"upload_bytes"`
}

// Limits bound a whole run. DocumentText and Window count UTF-16 units, of one document and of
// one reading; ContextChars counts code points. Tokens is null where it is unset.
type Limits struct {
	Steps        int   `json:"steps"`
	Repairs      int   `json:"repairs"`
	ToolCalls    int   `json:"tool_calls"`
	SearchPages  int   `json:"search_pages"`
	PageSize     int   `json:"page_size"`
	Documents    int   `json:"documents"`
	DocumentText int   `json:"document_text"`
	Window       int   `json:"window"`
	ContextChars int   `json:"context_chars"`
	Tokens       *int  `json:"tokens"`
	TotalMS      int64 `json:"total_ms"`
	RequestMS    int64 `json:"request_ms"`
}
