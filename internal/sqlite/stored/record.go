// Package stored holds what rows and their JSON columns look like: records of the product's types,
// and the reading of rows.
//
// Records are apart from the product's types, so that renaming a field there can't silently change
// or lose stored data: each carries its version, and a golden file under testdata holds one of every
// version that was ever written. The package knows the form of stored data and no rule.
package stored

import (
	"encoding/json"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// recordVersion is the version of all records written now.
const recordVersion = 1

// unpack decodes a record and refuses versions that this program does not know.
func unpack[T any](column, what string, r *T) error {
	var head struct {
		V int `json:"v"`
	}
	if err := json.Unmarshal([]byte(column), &head); err != nil {
		return problem.Wrap(err, problem.Internal, "record", "A stored %s can't be read.", what)
	}
	if head.V != recordVersion {
		return problem.New(problem.Internal, "record", "A stored %s has version %d, which this program does not know.", what, head.V)
	}
	if err := json.Unmarshal([]byte(column), r); err != nil {
		return problem.Wrap(err, problem.Internal, "record", "A stored %s can't be read.", what)
	}
	return nil
}

// span is [start, end).
type span [2]int

func spanOf(s corpus.Span) span    { return span{s.Start, s.End} }
func (s span) corpus() corpus.Span { return corpus.Span{Start: s[0], End: s[1]} }

// A locator's JSON is fixed by the product's contract, so that it is stored as it is. One that
// can't be written is no JSON, and makes the record around it one that can't be written either.
func packLocator(l corpus.Locator) json.RawMessage {
	if l == nil {
		return nil
	}
	w := row.Marshal(l)
	if w.Err != nil {
		return json.RawMessage("!")
	}
	return json.RawMessage(w.Text)
}

func unpackLocator(raw json.RawMessage) (corpus.Locator, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	return corpus.ParseLocator(raw)
}

type segmentRecord struct {
	Span    span            `json:"span"`
	Locator json.RawMessage `json:"locator,omitempty"`
}

func packSegments(segments []corpus.Segment) (out []segmentRecord) {
	for _, s := range segments {
		out = append(out, segmentRecord{spanOf(s.Span), packLocator(s.Locator)})
	}
	return out
}

func unpackSegments(records []segmentRecord) (out []corpus.Segment, err error) {
	for _, r := range records {
		l, err := unpackLocator(r.Locator)
		if err != nil {
			return nil, err
		}
		out = append(out, corpus.Segment{Span: r.Span.corpus(), Locator: l})
	}
	return out, nil
}

// textRecord holds the structure of a version's text.
type textRecord struct {
	V      int           `json:"v"`
	Blocks []blockRecord `json:"blocks"`
}

type blockRecord struct {
	Kind        string          `json:"kind"`
	Span        span            `json:"span"`
	Level       int             `json:"level,omitempty"`
	HeadingPath []string        `json:"heading_path,omitempty"`
	Head        int             `json:"head"`
	Segments    []segmentRecord `json:"segments,omitempty"`
}

// Blocks writes the structure of a text.
func Blocks(blocks []corpus.Block) row.Written {
	r := textRecord{V: recordVersion, Blocks: []blockRecord{}}
	for _, b := range blocks {
		r.Blocks = append(r.Blocks, blockRecord{string(b.Kind), spanOf(b.Span), b.Level, b.HeadingPath, b.Head, packSegments(b.Segments)})
	}
	return row.Marshal(r)
}

// ReadBlocks reads what Blocks wrote, in any version.
func ReadBlocks(column string) (out []corpus.Block, err error) {
	var r textRecord
	if err := unpack(column, "text", &r); err != nil {
		return nil, err
	}
	for _, b := range r.Blocks {
		block, err := b.corpus()
		if err != nil {
			return nil, err
		}
		out = append(out, block)
	}
	return out, nil
}

func (b blockRecord) corpus() (corpus.Block, error) {
	segments, err := unpackSegments(b.Segments)
	return corpus.Block{
		Kind: corpus.BlockKind(b.Kind), Span: b.Span.corpus(), Level: b.Level, HeadingPath: b.HeadingPath, Head: b.Head, Segments: segments,
	}, err
}

// chunkRecord holds what a chunk has beside its columns.
type chunkRecord struct {
	V           int             `json:"v"`
	HeadingPath []string        `json:"heading_path,omitempty"`
	Context     string          `json:"context,omitempty"`
	Span        span            `json:"span"`
	Locator     json.RawMessage `json:"locator,omitempty"`
	Segments    []segmentRecord `json:"segments,omitempty"`
}

// Chunk writes what a chunk has beside its own columns.
func Chunk(c corpus.Chunk) row.Written {
	return row.Marshal(chunkRecord{recordVersion, c.HeadingPath, c.Context, spanOf(c.Span), packLocator(c.Locator), packSegments(c.Segments)})
}

// ReadChunk reads what Chunk wrote, in any version.
func ReadChunk(column string, c *corpus.Chunk) (err error) {
	var r chunkRecord
	if err := unpack(column, "chunk", &r); err != nil {
		return err
	}
	c.HeadingPath, c.Context, c.Span = r.HeadingPath, r.Context, r.Span.corpus()
	if c.Locator, err = unpackLocator(r.Locator); err != nil {
		return err
	}
	c.Segments, err = unpackSegments(r.Segments)
	return err
}
