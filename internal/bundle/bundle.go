// Package bundle holds the evidence bundle of an answer: one file that proves, on a machine that has
// nothing but the file and the server's public key, what was answered, from which passages of which
// versions, and that the ledger holds it.
//
// A bundle is one JSON object. A signed manifest has a hash of each part in its one form, so that
// whatever was changed is named, and spacing and the order of members mean nothing; the parts are then
// held against each other and against the ledger's entry of the run, whose place in the log a proof
// shows. The ledger's hashes tell nothing of the texts; the bundle has the nonces of those texts that it
// shows, and no others.
package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/kaoju/kaoju/internal/canonical"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// Format is the version of bundles made now. Those of the first one are verified still; they are exact to
// the byte.
const (
	Format      = "kaoju-bundle-2"
	FirstFormat = "kaoju-bundle-1"
)

// Bundle is what the file holds.
type Bundle struct {
	Format    string           `json:"format"`
	Run       Run              `json:"run"`
	Answer    Answer           `json:"answer"`
	Evidence  []Evidence       `json:"evidence"`
	Checks    []Check          `json:"checks"`
	ToolCalls []ToolCall       `json:"tool_calls"`
	Documents []Document       `json:"documents"`
	Entry     ledger.Entry     `json:"entry"`
	Proof     ledger.Inclusion `json:"proof"`
	Key       ledger.Public    `json:"key"`
	Manifest  string           `json:"manifest"`
}

// Run is the run that answered. Goal is empty where it is withheld.
type Run struct {
	ID            string    `json:"run_id"`
	Tenant        string    `json:"tenant_id"`
	Actor         string    `json:"actor"`
	Kind          string    `json:"kind"`
	Goal          string    `json:"goal"`
	GoalNonce     string    `json:"goal_nonce,omitempty"`
	Route         string    `json:"route"`
	State         string    `json:"state"`
	Reason        string    `json:"finish_reason"`
	Engine        string    `json:"engine"`
	Model         string    `json:"model"`
	Host          string    `json:"host"`
	Attempt       int       `json:"attempt"`
	PromptHash    string    `json:"prompt_hash"`
	RecordingHash string    `json:"recording_hash"`
	CreatedAt     time.Time `json:"created_at"`
	EndedAt       time.Time `json:"ended_at"`
}

// Answer is what was answered. One that is reduced lacks what leans on passages that whoever fetched
// the bundle could not read then, so that it is not the text whose hash the ledger has.
type Answer struct {
	Text              string   `json:"text"`
	Nonce             string   `json:"nonce,omitempty"`
	Conclusion        string   `json:"conclusion"`
	Basis             string   `json:"basis"`
	ToConfirm         string   `json:"to_confirm"`
	NextSteps         string   `json:"next_steps"`
	Missing           []string `json:"missing"`
	Notices           []string `json:"notices"`
	NeedsConfirmation bool     `json:"needs_confirmation"`
	Reduced           bool     `json:"reduced"`
}

// Evidence is one passage exactly as it was read. A withheld one has its label alone.
type Evidence struct {
	Label           string          `json:"label"`
	Withheld        bool            `json:"withheld,omitempty"`
	Cited           bool            `json:"cited"`
	DocumentID      string          `json:"document_id,omitempty"`
	KnowledgeBaseID string          `json:"knowledge_base_id,omitempty"`
	DocKey          string          `json:"doc_key,omitempty"`
	Title           string          `json:"title,omitempty"`
	Version         int             `json:"version,omitempty"`
	Status          string          `json:"status_then,omitempty"`
	ChunkID         string          `json:"chunk_id,omitempty"`
	Locator         json.RawMessage `json:"locator,omitempty"`
	Span            [2]int          `json:"span"`
	SourceURI       string          `json:"source_uri,omitempty"`
	Excerpt         string          `json:"excerpt,omitempty"`
	Nonce           string          `json:"nonce,omitempty"`
	Hash            string          `json:"excerpt_hash,omitempty"`
	TruncatedBefore bool            `json:"truncated_before,omitempty"`
	TruncatedAfter  bool            `json:"truncated_after,omitempty"`
	ReadAt          time.Time       `json:"read_at,omitzero"`
}

// Check is the verdict on one sentence; it speaks of support by the cited text, not of truth.
type Check struct {
	Sentence  string   `json:"sentence"`
	Labels    []string `json:"labels"`
	Verdict   string   `json:"verdict"`
	DecidedBy string   `json:"decided_by"`
	Quote     string   `json:"quote"`
}

// ToolCall is one call of a tool, by hashes.
type ToolCall struct {
	ID         string `json:"call_id"`
	Tool       string `json:"tool"`
	ArgsHash   string `json:"args_hash"`
	ResultHash string `json:"result_hash,omitempty"`
	Code       string `json:"code"`
}

// Document is a version that was read, with the SHA-256 of its original bytes.
type Document struct {
	ID        string `json:"document_id"`
	DocKey    string `json:"doc_key"`
	Version   int    `json:"version"`
	Checksum  string `json:"checksum"`
	MediaType string `json:"media_type"`
}

// manifest is the first line of what is signed, which tells it apart from a checkpoint.
const manifest = "bundle 1"

// Sign completes a bundle and returns the file. The proof names the log in whose name it is signed.
func Sign(b Bundle, key ledger.Key) ([]byte, error) {
	b.Format, b.Key, b.Manifest = Format, key.Public(), ""
	c, err := b.Key.Checkpoint(b.Proof.Checkpoint)
	if err != nil {
		return nil, err
	}
	b.fill()
	parts, err := b.parts()
	if err != nil {
		return nil, err
	}
	lines := []string{manifest}
	for _, p := range parts {
		lines = append(lines, p.name+" "+p.hash)
	}
	if b.Manifest, err = key.Sign(c.Name.Origin(b.Key.Server()), lines...); err != nil {
		return nil, err
	}
	return write(b)
}

// fill makes absent lists empty ones, so that there is one form of nothing.
func (b *Bundle) fill() {
	b.Evidence, b.Checks = some(b.Evidence), some(b.Checks)
	b.ToolCalls, b.Documents = some(b.ToolCalls), some(b.Documents)
	b.Answer.Missing, b.Answer.Notices = some(b.Answer.Missing), some(b.Answer.Notices)
	b.Proof.Hashes = some(b.Proof.Hashes)
	for i := range b.Checks {
		b.Checks[i].Labels = some(b.Checks[i].Labels)
	}
}

func some[T any](list []T) []T { return append([]T{}, list...) }

// part is a piece of a bundle that the manifest names.
type part struct{ name, hash string }

// parts hashes each piece, in the order of the file.
func (b Bundle) parts() ([]part, error) {
	var out []part
	var failed error
	add := func(name string, v any) {
		raw, err := b.form(v)
		failed = errors.Join(failed, err)
		sum := sha256.Sum256(raw)
		out = append(out, part{name, hex.EncodeToString(sum[:])})
	}
	add("format", b.Format)
	add("run", b.Run)
	add("answer", b.Answer)
	for _, e := range b.Evidence {
		add("evidence/"+e.Label, e)
	}
	add("checks", b.Checks)
	add("tool_calls", b.ToolCalls)
	add("documents", b.Documents)
	add("entry", b.Entry)
	add("proof", b.Proof)
	return out, failed
}

// form is the form of a part that its hash is over.
func (b Bundle) form(v any) ([]byte, error) {
	if b.Format == FirstFormat {
		return write(v)
	}
	raw, err := write(v)
	if err != nil {
		return nil, err
	}
	return canonical.JSON(raw)
}

// write is a value as a file has it that nobody wrote anew.
func write(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, problem.Wrap(err, problem.Internal, "bundle", "The bundle can't be written.")
	}
	return b.Bytes(), nil
}
