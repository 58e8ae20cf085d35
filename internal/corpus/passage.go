package corpus

import "github.com/kaoju/kaoju/internal/access"

// Passage is a piece of a version as it was read: the text exactly as it stood, and its place.
type Passage struct {
	Document      DocumentID
	KnowledgeBase access.KnowledgeBaseID
	Key           Key
	Version       int
	Status        access.Status
	Title         string
	SourceURI     string
	// Chunk is the chunk that holds the hit which led here; Chunks are all that overlap.
	Chunk   ChunkID
	Chunks  []ChunkID
	Locator Locator
	Span    Span
	Text    string
	// TruncatedBefore and TruncatedAfter say that the version's text goes on beyond the passage.
	TruncatedBefore, TruncatedAfter bool
}
