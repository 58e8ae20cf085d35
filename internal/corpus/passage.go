package corpus

import "github.com/kaoju/kaoju/internal/access"

// Passage is a piece of a version as it was read: the text exactly as it stood, and its place.
type Passage struct {
	Document      DocumentID
	KnowledgeBase access.KnowledgeBaseID
	BaseName      string // of the knowledge base, when it was read; "" if it has none
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
	// Segments map the parts of the text to their exact places.
	Segments []Segment
	// Context is text repeated from elsewhere in the document, such as a table's header row, so
	// that the passage can be read alone. It is not part of Text and has no place of its own.
	Context string
	// TruncatedBefore and TruncatedAfter say that the version's text goes on beyond the passage.
	TruncatedBefore, TruncatedAfter bool
}
