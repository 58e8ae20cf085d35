package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// Bounds of the memory of idempotency keys. The count is an actor's own, so that nobody can make
// the server forget the keys of others.
const (
	keyLife   = 24 * time.Hour
	keyCount  = 1000
	keyLength = 200
)

// keys remembers what the requests with an Idempotency-Key did. It holds ids of what was made,
// and answers without document text; an answer that has any is made anew from the id.
type keys struct {
	clock func() time.Time
	mu    sync.Mutex
	made  map[keyID]*keyEntry
	order map[access.Actor][]*keyEntry // each actor's own, oldest first
	swept time.Time
}

// keyID is a key in the hands of one actor for one operation.
type keyID struct {
	tenant    access.TenantID
	user      access.UserID
	operation string
	key       string
}

func (id keyID) actor() access.Actor { return access.Actor{Tenant: id.tenant, User: id.user} }

type keyEntry struct {
	id     keyID
	digest string
	at     time.Time
	done   chan struct{} // closed when result is set, or the entry was dropped
	result any
}

func newKeys(clock func() time.Time) *keys {
	return &keys{clock: clock, made: map[keyID]*keyEntry{}, order: map[access.Actor][]*keyEntry{}}
}

// once does something once for an actor's key. The same key with the same request gets the first
// result; with another it is problem.Invalid. What failed is not remembered: nothing was made.
// Without a key it just does it.
func once[T any](ctx context.Context, k *keys, id keyID, request any, do func() (T, error)) (T, error) {
	var none T
	if id.key == "" {
		return do()
	}
	if len(id.key) > keyLength {
		return none, problem.New(problem.Invalid, "invalid_idempotency_key", "An Idempotency-Key is at most %d bytes.", keyLength)
	}
	digest, err := digestOf(request)
	if err != nil {
		return none, err
	}
	for {
		entry, mine := k.take(id, digest)
		switch {
		case entry == nil:
			return none, problem.New(problem.Exhausted, "too_many_requests", "Too many requests of yours with an Idempotency-Key are under way; wait for one to end.")
		case entry.digest != digest:
			return none, problem.New(problem.Invalid, "idempotency_key_reused", "This Idempotency-Key was used for another request.")
		case mine:
			return perform(k, id, entry, do)
		}
		select {
		case <-entry.done:
		case <-ctx.Done():
			return none, ctx.Err()
		}
		if result, ok := entry.result.(T); ok {
			return result, nil
		}
	}
}

// perform does the work of an entry and remembers its result, or forgets the entry.
func perform[T any](k *keys, id keyID, entry *keyEntry, do func() (T, error)) (out T, err error) {
	ok := false
	defer func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if ok {
			entry.result = out
		} else if k.made[id] == entry {
			delete(k.made, id)
		}
		close(entry.done)
	}()
	out, err = do()
	ok = err == nil
	return out, err
}

// take returns the entry of a key, and whether the caller is to fill it; nil if the actor has as
// many under way as can be remembered.
func (k *keys) take(id keyID, digest string) (entry *keyEntry, mine bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.clock()
	if now.Sub(k.swept) >= keyLife {
		for actor := range k.order {
			k.forget(actor, now, keyCount)
		}
		k.swept = now
	}
	k.forget(id.actor(), now, keyCount)
	if e, ok := k.made[id]; ok {
		return e, false
	}
	k.forget(id.actor(), now, keyCount-1)
	if len(k.order[id.actor()]) >= keyCount {
		return nil, false
	}
	e := &keyEntry{id: id, digest: digest, at: now, done: make(chan struct{})}
	k.made[id] = e
	k.order[id.actor()] = append(k.order[id.actor()], e)
	return e, true
}

// forget drops what an actor's keys did a day ago, and the oldest beyond a count. What is under way
// stays, whatever its age: a second request with its key must find it.
func (k *keys) forget(actor access.Actor, now time.Time, most int) {
	list := k.order[actor]
	beyond := len(list) - most
	rest := list[:0]
	for _, e := range list {
		if k.made[e.id] != e { // it failed
			beyond--
			continue
		}
		if e.over() && (beyond > 0 || now.Sub(e.at) >= keyLife) {
			delete(k.made, e.id)
			beyond--
			continue
		}
		rest = append(rest, e)
	}
	clear(list[len(rest):])
	if len(rest) == 0 {
		delete(k.order, actor)
		return
	}
	k.order[actor] = rest
}

// over reports whether the work of an entry has ended.
func (e *keyEntry) over() bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}

// digestOf hashes a request as it was understood, so that spacing does not matter.
func digestOf(request any) (string, error) {
	b, err := json.Marshal(request)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// keyOf names an actor's key for an operation.
func keyOf(actor access.Actor, operation, key string) keyID {
	return keyID{actor.Tenant, actor.User, operation, key}
}
