// Package corpus holds what the product keeps: documents in versions, their normalised text,
// chunks, and the places in the original that these came from.
//
// A document row is one version of one business document. Its identity across versions is the
// key; at most one version of a key is published. The seams Catalog and Blobs are implemented by
// the storage drivers, and what they promise is tested for every driver by storetest.
package corpus

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
)

// DocumentID names one version of a document.
type DocumentID string

// Key names a document across its versions, unique inside a knowledge base.
type Key string

// ChunkID names a chunk of one version. It never begins with "doc-".
type ChunkID string

// NewChunkID makes an id that no other chunk has.
func NewChunkID() ChunkID { return ChunkID("c_" + strings.ToLower(rand.Text())) }

// Checksum is the SHA-256 of the original bytes, in lower-case hex.
type Checksum string

// Document is one version of one business document.
type Document struct {
	ID            DocumentID
	Tenant        access.TenantID
	KnowledgeBase access.KnowledgeBaseID
	Key           Key
	Title         string
	Version       int // from 1, without gaps among those that succeeded
	Status        access.Status
	SourceURI     string
	// SourcePath is the place in the source that the list was asked for; "" everywhere else.
	SourcePath string
	Policy     access.Policy
	Checksum   Checksum
	MediaType  string
	Language   string // "zh", "en", …, or "" when it was not determined
	Size       int64  // bytes of the original
	Labels     []string
	// Notices are stable words about the reading of the file, such as "no_text_layer".
	Notices     []string
	ChunkCount  int
	CharCount   int // code points of the normalised text
	LockVersion int // from 1; rises with every change of the row
	CreatedAt   time.Time
	UpdatedAt   time.Time // when this version's content came in; edits of metadata do not move it
	PublishedAt time.Time // zero if it never was
	// InForce are the times in which this version was the published one, in order; the last is
	// open while it still is.
	InForce []access.Interval
}

// Resource returns what a scope looks at.
func (d Document) Resource() access.Resource {
	return access.Resource{
		Tenant: d.Tenant, KnowledgeBase: d.KnowledgeBase, DocKey: string(d.Key),
		Status: d.Status, Policy: d.Policy, UpdatedAt: d.UpdatedAt, InForce: d.InForce,
	}
}

// Span is a half-open range of code points in a document's normalised text.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len returns the number of code points in the span.
func (s Span) Len() int { return s.End - s.Start }

// Contains reports whether t lies inside s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Overlap returns the number of code points that both spans cover.
func (s Span) Overlap(t Span) int {
	return max(0, min(s.End, t.End)-max(s.Start, t.Start))
}

// Segment maps a piece of the normalised text (a paragraph, a line, a cell) to its exact place
// in the original.
type Segment struct {
	Span    Span
	Locator Locator
}

// BlockKind says what a block of a document is. It decides where chunks may be cut.
type BlockKind string

// The kinds of block.
const (
	Heading   BlockKind = "heading"
	Paragraph BlockKind = "paragraph"
	ListItem  BlockKind = "list_item"
	TableHead BlockKind = "table_head" // header row or rows, with a delimiter row if there is one
	TableRow  BlockKind = "table_row"
	Code      BlockKind = "code" // a fenced or preformatted block, with its fence marks
	Quote     BlockKind = "quote"
)

// Block is a piece of a document that a chunk should not tear open without need. Blocks are in
// order, do not overlap, and leave only white space of the normalised text uncovered.
type Block struct {
	Kind BlockKind
	Span Span
	// Level is 1 to 9 for a heading, the nesting depth from 1 for a list item, otherwise 0.
	Level int
	// HeadingPath holds the headings above the block, outermost first, without markup. For a
	// heading it ends with the heading itself.
	HeadingPath []string
	// Head is the index of the TableHead block of a TableRow; -1 otherwise.
	Head int
	// Segments cover the block's text in order.
	Segments []Segment
}

// Parsed is what a parser makes of an original: the normalised text and its structure.
type Parsed struct {
	Title    string // from the document itself; "" if it names none
	Language string
	Text     string
	Blocks   []Block
	Notices  []string
}

// Chunk is a piece of a version that answers a small question alone.
type Chunk struct {
	ID          ChunkID
	Document    DocumentID
	No          int // from 1
	HeadingPath []string
	// Context is text repeated from elsewhere in the document so that the chunk can be read
	// alone: a table's header row, a code fence's opening line. It has no width in Span.
	Context string
	// Text is exactly the normalised text at Span.
	Text string
	Span Span
	// Locator covers all of the chunk; Segments map its parts.
	Locator  Locator
	Segments []Segment
}

// Full returns the chunk as a person should read it: the repeated context, then the text.
func (c Chunk) Full() string { return c.Context + c.Text }
