// Package citation holds evidence and the rules by which an answer may lean on it.
//
// The runtime registers evidence when a passage is read and numbers it once; a model can name
// references but not make or change them. An answer is accepted only if it cites, and only what
// this run read. The checks compare each sentence with what it cites; they speak of support, not
// of truth.
package citation

import (
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation/claim"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/seal"
)

// Evidence is one passage that a run read, exactly as it stood then.
type Evidence struct {
	Ref             string // "S1" … for passages read by a tool, "C1" … for fixed retrieval
	Document        corpus.DocumentID
	KnowledgeBase   access.KnowledgeBaseID
	BaseName        string `json:",omitempty"` // of the knowledge base, when it was read; "" if it had none
	Key             corpus.Key
	Version         int
	Status          access.Status // when it was read
	Title           string
	SourceURI       string
	Chunk           corpus.ChunkID
	Chunks          []corpus.ChunkID
	Locator         corpus.Locator
	Span            corpus.Span
	Excerpt         string
	Segments        []corpus.Segment // exact places of the excerpt's parts
	Context         string           `json:",omitempty"` // repeated table header or fence line, to be read before the excerpt
	Nonce           string           // under which the excerpt is hashed; "" if the hash is plain, and for an erased one
	Hash            string           // of the excerpt, hex
	TruncatedBefore bool
	TruncatedAfter  bool
	ReadAt          time.Time
}

// Truncated reports whether the document's text goes on beyond the excerpt.
func (e Evidence) Truncated() bool { return e.TruncatedBefore || e.TruncatedAfter }

// New makes the evidence record of a passage under the reference and the nonce that it was given.
func New(ref, nonce string, p corpus.Passage, at time.Time) Evidence {
	return Evidence{
		Ref: ref, Document: p.Document, KnowledgeBase: p.KnowledgeBase, BaseName: p.BaseName, Key: p.Key, Version: p.Version,
		Status: p.Status, Title: p.Title, SourceURI: p.SourceURI, Chunk: p.Chunk, Chunks: p.Chunks,
		Locator: p.Locator, Span: p.Span, Excerpt: p.Text, Segments: p.Segments, Context: p.Context,
		Nonce: nonce, Hash: seal.Hash(nonce, p.Text),
		TruncatedBefore: p.TruncatedBefore, TruncatedAfter: p.TruncatedAfter, ReadAt: at.UTC(),
	}
}

// UnmarshalJSON reads a stored record, whose locator is of any kind.
func (e *Evidence) UnmarshalJSON(b []byte) error {
	type plain Evidence
	w := struct {
		*plain
		Locator json.RawMessage
	}{plain: (*plain)(e)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	if len(w.Locator) == 0 || string(w.Locator) == "null" {
		return nil
	}
	loc, err := corpus.ParseLocator(w.Locator)
	e.Locator = loc
	return err
}

// Sections are the parts of an answer that a reader looks for. Empty ones were not written.
type Sections struct {
	Conclusion string `json:"conclusion"`
	Basis      string `json:"basis"`
	ToConfirm  string `json:"to_confirm"`
	NextSteps  string `json:"next_steps"`
}

// Answer is a model's text, taken apart and accepted.
type Answer struct {
	Text     string
	Sections Sections
	// Refs are the references that the text cites, in order of first mention.
	Refs []string
	// Insufficient is true when the text declares that the material does not settle the question;
	// Missing then lists what would be needed.
	Insufficient bool
	Missing      []string
}

// SourcesDisagree is the notice of an answer of which two sources disagree.
const SourcesDisagree = "sources_disagree"

// Verdict is the outcome of checking a sentence against what it cites.
type Verdict = claim.Verdict

// The verdicts.
const (
	Supported    = claim.Supported
	Partly       = claim.Partly
	NotSupported = claim.NotSupported
	Contradicted = claim.Contradicted
)

// Reason says why a sentence was not found to be supported in full.
type Reason = claim.Reason

// Check is the verdict on one sentence of an answer.
type Check struct {
	Sentence  string   `json:"sentence"`
	Labels    []string `json:"labels"`
	Verdict   Verdict  `json:"verdict"`
	DecidedBy string   `json:"decided_by"` // the rule, or the verifier model's name
	// Quote is the sentence of the excerpt that decides; "" if none does.
	Quote string `json:"quote"`
	// Score is the strength of the support by the rules, from 0 to 1. It orders sentences; the
	// verdict is decided by more than it.
	Score float64 `json:"score"`
	// Reasons say what was not borne out; none for a sentence that stands in the excerpt.
	Reasons []Reason `json:"reasons"`
}
