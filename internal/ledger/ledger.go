// Package ledger holds the append-only record of what happened in a tenant.
//
// Entries form one hash chain a tenant: each entry's hash covers its own fields and the hash
// before it, so that a changed, missing or reordered entry is found by Verify, also on a machine
// that has only the entries. An entry holds ids, hashes, states and decisions; content is
// referred to by hash and can be erased without breaking the chain. Drivers append entries only
// inside the transaction of what they record.
//
// Over the entries stand Merkle trees: one over a tenant's, and one over each person's own. Their
// roots are signed as checkpoints. A proof of a few hashes shows that an entry is in a log, or that
// a log is what it was at an earlier checkpoint with additions alone, so that whoever kept one sees
// a ledger that was rewritten as a whole.
package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/kaoju/kaoju/internal/canonical"
	"github.com/kaoju/kaoju/internal/problem"
)

// Kind says what an entry records.
type Kind string

// The kinds of entry.
const (
	RunEnded          Kind = "run.ended"
	RunResumed        Kind = "run.resumed"
	RunReduced        Kind = "run.reduced" // what erasing left of one that had ended
	DocumentPublished Kind = "document.published"
	DocumentAdded     Kind = "document.added"
	DocumentRecut     Kind = "document.recut" // its chunks were cut anew from the same text
	DocumentEdited    Kind = "document.edited"
	DocumentArchived  Kind = "document.archived"
	DocumentDeleted   Kind = "document.deleted"
	DocumentErased    Kind = "document.erased"
	ProposalMade      Kind = "proposal.made"
	ProposalEnded     Kind = "proposal.ended"
	TaskEnded         Kind = "task.ended"
	TextExported      Kind = "text.exported"
	BaseChanged       Kind = "knowledge_base.changed"
	GrantsChanged     Kind = "grants.changed"
	DirectoryChanged  Kind = "directory.changed"
	TokenChanged      Kind = "token.changed"
	PasswordChanged   Kind = "password.changed"
	IdentityChanged   Kind = "identity.changed"
	HistoryRead       Kind = "history.read"
	RightsViewed      Kind = "rights.viewed"
	DraftSaved        Kind = "draft.saved"
	Security          Kind = "security"
	EvaluationEnded   Kind = "evaluation.ended"
	LexiconChanged    Kind = "lexicon.changed"
)

// Entry is one record of the chain. Sequence starts at 1 in each tenant and has no gaps.
type Entry struct {
	Sequence int64           `json:"sequence"`
	ID       string          `json:"id"`
	Tenant   string          `json:"tenant_id"`
	Kind     Kind            `json:"kind"`
	RunID    string          `json:"run_id,omitempty"`
	Actor    string          `json:"actor"`
	Time     time.Time       `json:"time"`
	Body     json.RawMessage `json:"body"`
	Previous string          `json:"previous"` // hash of the entry before, 64 zeros for the first
	Hash     string          `json:"hash"`
}

// Genesis is the hash before the first entry.
const Genesis = "0000000000000000000000000000000000000000000000000000000000000000"

// Head is the end of a tenant's chain.
type Head struct {
	Sequence int64  `json:"sequence"`
	Hash     string `json:"hash"`
}

// Seal gives an entry its place after the head: sequence, previous hash and own hash. The time
// is cut to microseconds, which every store keeps.
func Seal(head Head, e Entry) Entry {
	if head.Hash == "" {
		head.Hash = Genesis
	}
	e.Sequence, e.Previous = head.Sequence+1, head.Hash
	e.Time = e.Time.UTC().Truncate(time.Microsecond)
	if len(e.Body) == 0 {
		e.Body = json.RawMessage(`{}`)
	}
	// In the one form, so that whoever writes it anew has the very bytes that were hashed.
	if one, err := canonical.JSON(e.Body); err == nil {
		e.Body = one
	} else if b := new(bytes.Buffer); json.Compact(b, e.Body) == nil {
		e.Body = b.Bytes()
	}
	e.Hash = e.digest()
	return e
}

// Sound reports whether an entry is the one of its hash.
func (e Entry) Sound() bool { return e.Hash == e.digest() }

// digest hashes every field of an entry.
func (e Entry) digest() string {
	body, second := e.covered()
	form := "kaoju-ledger-1"
	if second {
		form = "kaoju-ledger-2"
	}
	sum := digest(form, fmt.Sprint(e.Sequence), e.ID, e.Tenant, string(e.Kind), e.RunID, e.Actor,
		e.Time.Format(time.RFC3339Nano), body, e.Previous)
	return hex.EncodeToString(sum[:])
}

// digest hashes parts with the length of each in front, so that no two lists share a preimage.
func digest(parts ...string) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, part := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write([]byte(part))
	}
	h.Sum(sum[:0])
	return sum
}

// Verifier checks a chain entry by entry. The zero Verifier expects the first entry.
type Verifier struct{ head Head }

// Next checks that e follows what was seen so far and returns problem.Conflict "ledger_broken",
// naming the sequence, if it does not.
func (v *Verifier) Next(e Entry) error {
	previous := v.head.Hash
	if previous == "" {
		previous = Genesis
	}
	switch {
	case e.Sequence != v.head.Sequence+1:
		return broken(v.head.Sequence+1, "is missing or out of order")
	case e.Previous != previous:
		return broken(e.Sequence, "does not follow the entry before it")
	case e.Hash != e.digest():
		return broken(e.Sequence, "was changed after it was written")
	}
	v.head = Head{e.Sequence, e.Hash}
	return nil
}

// Head returns the last entry that was accepted.
func (v *Verifier) Head() Head { return v.head }

func broken(seq int64, what string) error {
	return problem.New(problem.Conflict, "ledger_broken", "Ledger entry %d %s.", seq, what)
}

// Log is the seam to stored entries.
type Log interface {
	// Entries returns a tenant's entries with a sequence above after, in order, at most limit.
	Entries(ctx context.Context, tenant string, after int64, limit int) ([]Entry, error)
	// Entry returns one entry of a tenant; problem.NotFound if it has none of the id.
	Entry(ctx context.Context, tenant, id string) (Entry, error)
	// OfRun returns the entries of a tenant that belong to a run, in order.
	OfRun(ctx context.Context, tenant, run string) ([]Entry, error)
	// Head returns the stored end of the chain, kept apart from the entries so that cutting the
	// end off is found; the zero Head for an empty chain.
	Head(ctx context.Context, tenant string) (Head, error)
	// Append adds an entry that no other transaction of a driver carries, such as a history read
	// or a security event. Sequence, hashes and an empty ID are filled in.
	Append(ctx context.Context, e Entry) (Entry, error)
}
