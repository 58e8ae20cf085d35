package corpus

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// Upload is a file on its way to become a version. The zero ID and empty Title are filled in.
//
// A new version of a key inherits what the upload leaves out from the newest version before it:
// policy, source address, labels, and a title that a person gave. Otherwise new bytes would widen
// who may read the document without anybody having said so.
type Upload struct {
	ID            DocumentID // chosen by the caller, or ""
	KnowledgeBase access.KnowledgeBaseID
	Key           Key
	Title         string
	FileName      string // as it came, for messages and for telling the format; decides nothing else
	Policy        access.Policy
	// OwnPolicy makes the zero Policy count as a wish: to inherit from the knowledge base again.
	// Any other Policy always counts and needs manager, as does changing the policy of a key that
	// has versions.
	OwnPolicy bool
	SourceURI string
	Checksum  Checksum
	Size      int64
	MediaType string // declared by the client; the parser decides
	Publish   bool
	// Source names what the file is from, such as a folder that is followed, and Path is its place there;
	// both are "" for a file that came by itself. A version that this upload makes is remembered as the
	// actor's from that source. Bytes that the same source brought already are only remembered at Path.
	// A key whose versions all came another way is problem.Conflict "doc_key_taken", unless the bytes are
	// those of its newest version, or Adopt says that the source is to have it: a version that came by itself
	// is then remembered as the source's too.
	Source string
	Path   string
	Adopt  bool
	// Operator is true for the operator's own command line, which may publish past a proposal.
	Operator bool
}

// MaxContents is how many files one upload may bring, with those inside files that it brought.
const MaxContents = 5000

// Reservation is what an upload was given.
type Reservation struct {
	Document DocumentID
	Version  int
	Job      string // "" when Unchanged
	// Unchanged is true when the bytes are those of the newest version: Document is that one.
	Unchanged bool
	// Held is true when publishing was asked for but needs a proposal: the version stays a draft.
	Held bool
	// Published is true when an unchanged draft was published by this request.
	Published bool
}

// Outcome says in stable words what became of an upload, beside its names and numbers.
func (r Reservation) Outcome() string {
	var words []string
	for _, w := range []struct {
		is   bool
		word string
	}{{r.Unchanged, "unchanged"}, {r.Held, "held"}, {r.Published, "published"}} {
		if w.is {
			words = append(words, w.word)
		}
	}
	return strings.Join(words, " ")
}

// Of returns the reservation with the outcome that the words of Outcome tell of.
func (r Reservation) Of(outcome string) Reservation {
	words := strings.Fields(outcome)
	r.Unchanged, r.Held, r.Published = slices.Contains(words, "unchanged"), slices.Contains(words, "held"), slices.Contains(words, "published")
	return r
}

// Version is a parsed and chunked version, ready to become visible.
type Version struct {
	Document  DocumentID
	Title     string // used when the reservation has none of its own
	Language  string
	MediaType string
	Notices   []string
	Text      string
	Blocks    []Block
	Chunks    []Chunk
	Chunker   int // the number of what cut them (chunk.Version)
	// Segment is the encoded keyword segment of these chunks; nil when there are none.
	Segment []byte
	// Holds says that the file is of a kind that has others in it, and Contents are those. They become
	// documents of their own, whose keys begin with that of this one.
	Holds    bool
	Contents []Content
}

// Content is a file that came inside another. Its bytes are stored, and forsaken by whoever stored them
// when the other one was published, or was not.
type Content struct {
	Path      string // inside the other file, with slashes; it ends the key
	FileName  string
	MediaType string
	Checksum  Checksum
	Size      int64
	// Code and Detail say why it can't be taken; it has no bytes then.
	Code, Detail string
}

// Filter selects documents of a list. Empty fields do not select.
type Filter struct {
	KnowledgeBase          access.KnowledgeBaseID
	Key                    Key
	Status                 access.Status
	UpdatedFrom, UpdatedTo time.Time // inclusive, exclusive
	// Source keeps the versions that the actor brought from this source, and fills in their SourcePath.
	Source string
	// Newest keeps only the newest version of each key that the scope admits.
	Newest bool
	Limit  int
	After  string // cursor of the previous page
}

// Page is one page of a list; Next is the cursor of the following one, "" at the end.
type Page[T any] struct {
	Items []T
	Next  string
}

// Change is an edit of a document's metadata. Nil fields stay as they are.
type Change struct {
	Title  *string
	Policy *access.Policy
	Labels *[]string
	// LockVersion, if not zero, must be the row's; else problem.Conflict "lock_conflict".
	LockVersion int
}

// Catalog is the seam to documents. Every method is one transaction, reads under the scope's
// epoch (problem.Conflict "scope_stale" if the directory has moved on), and answers
// problem.NotFound for whatever the scope does not admit.
type Catalog interface {
	// Reserve takes an upload in: it decides whether the bytes are new (A3), and if so reserves
	// id and version number and queues the job that will parse them, all at once. It needs
	// editor on the knowledge base, and manager where Publish is set or a policy is brought along.
	// The reserved row is admitted by no scope until Publish.
	//
	// A policy that would exclude the actor is problem.Invalid "policy_excludes_you", and one that
	// differs from that of the same bytes where they are there already problem.Conflict
	// "policy_differs". The operator may exclude anybody. Whatever error but
	// "scope_stale" is returned, the upload's bytes are given up with it.
	Reserve(ctx context.Context, scope access.Scope, up Upload) (Reservation, error)
	// Document returns one version.
	Document(ctx context.Context, scope access.Scope, id DocumentID) (Document, error)
	// Documents lists versions, newest update first, ties by id.
	Documents(ctx context.Context, scope access.Scope, f Filter) (Page[Document], error)
	// Edit changes metadata. It needs editor; the policy needs manager, and must not exclude the
	// actor ("policy_excludes_you"). A policy is the document's: that of the published version is
	// that of all archived ones of its key, which can't be given another (problem.Conflict
	// "policy_of_published"), and of the drafts that were given none of their own. Documents that came out of
	// its file, and have the policy that it had, get the new one too.
	Edit(ctx context.Context, scope access.Scope, id DocumentID, c Change) (Document, error)
	// Archive takes a published version out of force without another in its place. It needs
	// manager; a version that is not published is problem.Conflict "not_published".
	Archive(ctx context.Context, scope access.Scope, id DocumentID) (Document, error)
	// Delete hides a version at once and for good. It needs manager. The bytes stay until Erase.
	Delete(ctx context.Context, scope access.Scope, id DocumentID) error
	// Erase removes what a version held, deleted or not: original (unless another version has the
	// same bytes), text, chunks, index segment, titles, and the excerpts and answers of runs that
	// lean on it. Ids and hashes stay, so that the ledger still verifies. It needs manager on the
	// knowledge base and the role knowledge_admin; the bytes are gone from the database file and
	// its log when it returns.
	Erase(ctx context.Context, scope access.Scope, id DocumentID) error
}

// Texts is the seam to the content of versions, under the rules of Catalog.
type Texts interface {
	// Text returns the normalised text with its blocks.
	Text(ctx context.Context, scope access.Scope, id DocumentID) (Text, error)
	// Stretch returns a part of the normalised text, as far as there is any, with the blocks that
	// share a character with it. It costs less than Text, however long the text is.
	Stretch(ctx context.Context, scope access.Scope, id DocumentID, span Span) (Stretch, error)
	// Chunks returns chunks in order, those after number "after", at most limit.
	Chunks(ctx context.Context, scope access.Scope, id DocumentID, after, limit int) ([]Chunk, error)
	// Chunk returns one chunk and its document.
	Chunk(ctx context.Context, scope access.Scope, id ChunkID) (Chunk, Document, error)
}

// Text is the content of a version, as it was parsed.
type Text struct {
	Document Document
	Text     string
	Segments []Segment // those of all blocks, in order
	Blocks   []Block
}

// Stretch is a part of the content of a version.
type Stretch struct {
	Text   string
	Span   Span // of Text in the whole
	Total  int  // code points of the whole
	Blocks []Block
	First  int // the number of the first of the blocks in the whole, as Head counts them; 0 without any
}

// Publisher is the seam through which a parsed version becomes visible. Only ingest uses it.
type Publisher interface {
	// Reserved returns the reservation that a job works on: the row, and the upload's wishes.
	Reserved(ctx context.Context, job string) (Document, Upload, error)
	// Publish makes a reserved version visible as a draft, or as the published version if the
	// upload asked for it and the knowledge base allows: row, text, chunks, keyword segment,
	// archiving of the former version, ledger entry, epoch and the job's success are one
	// transaction, fenced by the job's token (problem.Conflict "lease_lost"). Vectors follow by
	// another method when there is an embedder.
	//
	// What is in the file is reserved in the same transaction, each content as an upload of the same owner
	// with the policy and the wish of the file, under the file's key, a slash and its path, and with a job of
	// its own. One that can't be is noted with the reason, and stands in nobody's way. Where the file is
	// published, documents that came out of a former version of it and are not in this one are archived.
	Publish(ctx context.Context, v Version, job string, token int64) (Document, error)
	// Release gives up a reservation and frees its version number, as part of ending the job as
	// failed (cause with code and detail) or cancelled (nil cause), fenced like Publish.
	Release(ctx context.Context, id DocumentID, job string, token int64, cause *problem.Error) error
}

// Blobs is the seam to original bytes, addressed by checksum. Storing is idempotent.
type Blobs interface {
	// Put reads r to its end and keeps the bytes durably, at most limit of them (problem.Invalid
	// "too_large" beyond, nothing kept).
	Put(ctx context.Context, r io.Reader, limit int64) (Checksum, int64, error)
	// Forsake gives up bytes that were put for an upload which ended before Reserve took or refused
	// it. They go unless a version or another upload has them.
	Forsake(ctx context.Context, sum Checksum) error
	// Open returns the bytes; problem.NotFound if there are none under the sum. Callers have
	// authorised the read of a document that has this checksum.
	Open(ctx context.Context, sum Checksum) (io.ReadCloser, error)
}

// Bases is the seam to knowledge bases, under the rules of Catalog.
type Bases interface {
	// Create makes a knowledge base that the actor manages. A taken id is problem.Conflict "exists".
	Create(ctx context.Context, scope access.Scope, kb access.KnowledgeBase) (access.KnowledgeBase, error)
	// Base returns one that the scope admits.
	Base(ctx context.Context, scope access.Scope, id access.KnowledgeBaseID) (access.KnowledgeBase, error)
	// List returns those that the scope admits, by id.
	List(ctx context.Context, scope access.Scope) ([]access.KnowledgeBase, error)
	// Update sets name and publishing; SetGrants replaces the grants. Both need manager and write
	// a ledger entry.
	Update(ctx context.Context, scope access.Scope, kb access.KnowledgeBase) (access.KnowledgeBase, error)
	SetGrants(ctx context.Context, scope access.Scope, id access.KnowledgeBaseID, grants []access.Grant) error
	// Remove hides the knowledge base and all its documents at once, and erases them, for nobody
	// has a right any more with which it could be done later. It needs manager.
	Remove(ctx context.Context, scope access.Scope, id access.KnowledgeBaseID) error
}
