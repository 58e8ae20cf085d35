// Package idempotency holds what makes a repeated request do nothing again: the key that a client
// chose, and the receipt of what the first request with it made.
//
// A receipt holds ids and numbers, and no text: the answer to a repetition is made anew from it,
// under the rights of that moment. The transaction that does the work writes the receipt, so that
// no crash leaves the one without the other; the context carries the claim there.
package idempotency

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// Bounds of what is remembered. The count is an actor's own, so that nobody can make the store
// forget the keys of others.
const (
	Life   = 24 * time.Hour
	Count  = 1000
	Length = 200
	// Lease is how long a request may work before another one with its key takes its place. The
	// work of one that lost its place is undone, since it can no longer write its receipt.
	Lease = time.Minute
)

// Key is what a client called a request, in the hands of one actor, for one operation.
type Key struct {
	Tenant    access.TenantID
	Actor     access.UserID
	Operation string
	Name      string // the client's; it is stored as a hash
}

// Valid refuses a name that is too long.
func (k Key) Valid() error {
	if len(k.Name) > Length {
		return problem.New(problem.Invalid, "invalid_idempotency_key", "An Idempotency-Key is at most %d bytes.", Length)
	}
	return nil
}

// Hash is the key's name as it is stored: whatever a client puts in it does not come to rest.
func (k Key) Hash() string {
	sum := sha256.Sum256([]byte(k.Name))
	return hex.EncodeToString(sum[:])
}

// Digest hashes a request as it was understood, so that spacing does not matter.
func Digest(request any) (string, error) {
	b, err := json.Marshal(request)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// Receipt names what a request made. Empty members were not needed.
type Receipt struct {
	ID      string `json:"id"`
	Version int    `json:"version,omitempty"`
	Job     string `json:"job,omitempty"`
	// Outcome is a stable word where a request has several.
	Outcome string `json:"outcome,omitempty"`
	// Secret is shown once and never stored: only the process that made it can repeat it.
	Secret string `json:"-"`
}

// Claim is the right of one request to do the work of a key.
type Claim struct {
	Key   Key
	Token int64 // fencing token, raised by every claim
}

// Store is the seam to remembered requests. Each method is one transaction.
type Store interface {
	// Claim takes a key for a request. If the key's work was done, its receipt is returned and
	// there is nothing to do. The key with another digest is problem.Invalid
	// "idempotency_key_reused"; one whose request is under way is problem.Conflict
	// "request_in_progress" until it ends or its lease does. What is older than Life is forgotten,
	// and so is the oldest beyond Count of the actor; an actor with as many under way is
	// problem.Exhausted.
	Claim(ctx context.Context, key Key, digest string) (Claim, *Receipt, error)
	// Settle remembers what the request made, unless the transaction that made it has written its
	// receipt, which stays. A claim that was taken over is Lost.
	Settle(ctx context.Context, c Claim, r Receipt) error
	// Release forgets a request that failed and made nothing. One whose receipt is written stays.
	Release(ctx context.Context, c Claim) error
}

// Lost is the refusal to work on under a claim that another request has taken over.
func Lost() *problem.Error {
	return problem.New(problem.Conflict, "request_in_progress", "Another request with this Idempotency-Key took over; ask again for its result.")
}

// UnderWay is the refusal of a request whose key is being worked on elsewhere.
func UnderWay() *problem.Error {
	return problem.New(problem.Conflict, "request_in_progress", "The first request with this Idempotency-Key is still under way; ask again for its result.")
}

// Reused is the refusal of a key that was used for another request.
func Reused() *problem.Error {
	return problem.New(problem.Invalid, "idempotency_key_reused", "This Idempotency-Key was used for another request.")
}

// TooMany is the refusal of an actor who has as many requests under way as can be remembered.
func TooMany() *problem.Error {
	return problem.New(problem.Exhausted, "too_many_requests", "Too many requests of yours with an Idempotency-Key are under way; wait for one to end.")
}

type claimKey struct{}

// With gives work the claim under which it is done. The transaction that makes what the request is
// for finds it with From and writes the receipt.
func With(ctx context.Context, c Claim) context.Context {
	return context.WithValue(ctx, claimKey{}, c)
}

// From returns the claim of a context, if it has one.
func From(ctx context.Context) (Claim, bool) {
	c, ok := ctx.Value(claimKey{}).(Claim)
	return c, ok
}
