// Package failpoint names the moments at which a process that takes files in can die.
//
// The code of a stage says that it reached its moment. Nothing happens then, unless a test put
// something into the context that does: there is no variable, setting or global state that
// could, and what arms a context is a package that only tests may import.
package failpoint

import (
	"context"

	"github.com/kaoju/kaoju/internal/failpoint/internal/armed"
)

// Point is a moment in the life of a file.
type Point string

// The moments of taking a file in, in their order. What is "written" stands in a transaction that has
// not been committed.
const (
	UploadReceived     Point = "upload-received" // the bytes are in a temporary file
	BlobNoted          Point = "blob-noted"      // their row is written, and they have no name yet
	BlobPlaced         Point = "blob-placed"     // they have their name
	BlobKept           Point = "blob-kept"       // and the row is committed
	ReservationWritten Point = "reservation-written"
	ReservationMade    Point = "reservation-made"
	JobClaimed         Point = "job-claimed"
	LeaseRenewed       Point = "lease-renewed"
	ParseStarted       Point = "parse-started"
	ParseEnded         Point = "parse-ended"
	ChunksCut          Point = "chunks-cut"
	SegmentBuilt       Point = "segment-built"
	VersionWritten     Point = "version-written"
	TextWritten        Point = "text-written"
	ChunksWritten      Point = "chunks-written"
	SegmentWritten     Point = "segment-written"
	VectorsWanted      Point = "vectors-wanted"
	LedgerWritten      Point = "ledger-written"
	VersionPromoted    Point = "version-promoted"
	JobEnded           Point = "job-ended"
	VersionPublished   Point = "version-published"
	VectorsClaimed     Point = "vectors-claimed"
	VectorsMade        Point = "vectors-made"
	VectorsWritten     Point = "vectors-written"
	VectorsKept        Point = "vectors-kept"
)

// The moments of refusing a file, in their order, after those up to its reading.
const (
	FileRefused    Point = "file-refused"
	RefusalWritten Point = "refusal-written"
	RefusalKept    Point = "refusal-kept" // the bytes are still there
	BlobRemoved    Point = "blob-removed" // and their row is not
	BlobGone       Point = "blob-gone"
)

// PartRead is in the middle of reading: one page, sheet or slide was read of a file that has them.
const PartRead Point = "part-read"

// The moments of taking files out of a file, in their order, between its reading and its end.
const (
	ContentsOpened   Point = "contents-opened"
	ContentKept      Point = "content-kept" // the bytes of one, which nothing has yet
	ContentsKept     Point = "contents-kept"
	ContentReserved  Point = "content-reserved"  // written beside the version of the file
	ContentsArchived Point = "contents-archived" // what is in it no more, written too
	ContentForsaken  Point = "content-forsaken"  // after all is kept: bytes that nothing has are given up
)

// The moments of cutting a version anew, in their order. Between RecutPrepared and RecutKept they stand in one transaction.
const (
	RecutClaimed    Point = "recut-claimed"
	RecutCut        Point = "recut-cut"
	RecutBuilt      Point = "recut-built"
	RecutPrepared   Point = "recut-prepared" // what will be stored
	RecutRemoved    Point = "recut-removed"  // the former chunks
	RecutWritten    Point = "recut-written"  // the new ones
	RecutIndexed    Point = "recut-indexed"
	RecutUnembedded Point = "recut-unembedded" // the vectors of the former chunks are gone, and new ones have a job
	RecutTold       Point = "recut-told"       // to the ledger
	RecutEnded      Point = "recut-ended"
	RecutKept       Point = "recut-kept"
)

// Recutting returns the moments of a version that is cut anew.
func Recutting() []Point {
	return []Point{RecutClaimed, RecutCut, RecutBuilt, RecutPrepared, RecutRemoved, RecutWritten, RecutIndexed, RecutUnembedded, RecutTold, RecutEnded, RecutKept}
}

// Unpacking returns the moments of a file that has others in it, beside those that it shares with others.
func Unpacking() []Point {
	return []Point{ContentsOpened, ContentKept, ContentsKept, ContentReserved, ContentsArchived, ContentForsaken}
}

// Taking returns the moments of a file that is taken in and published, whatever its format.
func Taking() []Point {
	return []Point{
		UploadReceived, BlobNoted, BlobPlaced, BlobKept, ReservationWritten, ReservationMade, JobClaimed, LeaseRenewed, ParseStarted, ParseEnded,
		ChunksCut, SegmentBuilt, VersionWritten, TextWritten, ChunksWritten, SegmentWritten, VectorsWanted, LedgerWritten, VersionPromoted, JobEnded,
		VersionPublished, VectorsClaimed, VectorsMade, VectorsWritten, VectorsKept,
	}
}

// Refusing returns the moments of a file that can't be read, beside those that it shares with others.
func Refusing() []Point {
	return []Point{FileRefused, RefusalWritten, RefusalKept, BlobRemoved, BlobGone}
}

// Reach says that the work in a context is at a moment.
func Reach(ctx context.Context, p Point) {
	if hook := armed.Of(ctx); hook != nil {
		hook(string(p))
	}
}
