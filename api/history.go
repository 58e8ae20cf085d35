package api

// DocumentVersion is the complete text of a version, made from its original when it was asked for.
type DocumentVersion struct {
	DocumentID string `json:"document_id"`
	DocKey     string `json:"doc_key"`
	Title      string `json:"title"`
	Version    int    `json:"version"`
	Status     string `json:"status"`
	Checksum   string `json:"checksum"`
	MediaType  string `json:"media_type"`
	Content    string `json:"content"`
}
