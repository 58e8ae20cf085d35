package httpapi

import (
	"context"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/idempotency"
)

// secretLife is how long a process can repeat a secret that is shown once, for a client whose
// connection broke before the answer came.
const secretLife = 10 * time.Minute

// keys lets requests with an Idempotency-Key do their work once. The store remembers what they
// made; this makes requests with one key that meet in this process wait for each other.
type keys struct {
	clock func() time.Time
	store idempotency.Store
	mu    sync.Mutex
	under map[idempotency.Key]*flight
	told  map[string]secret // by the id of what has the secret
}

// flight is the work of a key that is under way in this process.
type flight struct {
	digest  string
	done    chan struct{} // closed when it ended
	receipt *idempotency.Receipt
}

type secret struct {
	text string
	at   time.Time
}

func newKeys(store idempotency.Store, clock func() time.Time) *keys {
	return &keys{clock: clock, store: store, under: map[idempotency.Key]*flight{}, told: map[string]secret{}}
}

// errand is a request that may come again: its key, and all that it asks for.
type errand struct {
	key     idempotency.Key
	request any
}

// errandOf names an actor's request for an operation.
func errandOf(actor access.Actor, operation, key string, request any) errand {
	return errand{idempotency.Key{Tenant: actor.Tenant, Actor: actor.User, Operation: operation, Name: key}, request}
}

// once does the work of a request, if no request with its key has done it, and shows what came of
// it. do returns what names the result; show makes the answer from that, under the rights of this
// moment, so that a right that is lost repeats nothing. The same key with another request is
// problem.Invalid. What failed is not remembered, unless its work was done all the same. Without a
// key it just does it.
func once[T any](ctx context.Context, k *keys, e errand, do func(context.Context) (idempotency.Receipt, error), show func(idempotency.Receipt) (T, error)) (T, error) {
	var none T
	receipt, err := k.receipt(ctx, e, do)
	if err != nil {
		return none, err
	}
	return show(receipt)
}

func (k *keys) receipt(ctx context.Context, e errand, do func(context.Context) (idempotency.Receipt, error)) (idempotency.Receipt, error) {
	if e.key.Name == "" {
		return do(ctx)
	}
	if err := e.key.Valid(); err != nil {
		return idempotency.Receipt{}, err
	}
	digest, err := idempotency.Digest(e.request)
	if err != nil {
		return idempotency.Receipt{}, err
	}
	for {
		f, mine := k.board(e.key, digest)
		switch {
		case f.digest != digest:
			return idempotency.Receipt{}, idempotency.Reused()
		case mine:
			return k.fly(ctx, e.key, f, do)
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return idempotency.Receipt{}, ctx.Err()
		}
		if f.receipt != nil {
			return *f.receipt, nil
		}
	}
}

// board returns the flight of a key, and whether the caller is to make it.
func (k *keys) board(key idempotency.Key, digest string) (f *flight, mine bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if f, ok := k.under[key]; ok {
		return f, false
	}
	f = &flight{digest: digest, done: make(chan struct{})}
	k.under[key] = f
	return f, true
}

// fly claims a key and does its work, unless that is done already.
func (k *keys) fly(ctx context.Context, key idempotency.Key, f *flight, do func(context.Context) (idempotency.Receipt, error)) (out idempotency.Receipt, err error) {
	defer func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.under, key)
		close(f.done)
	}()
	claim, before, err := k.store.Claim(ctx, key, f.digest)
	if err != nil {
		return out, err
	}
	if before != nil {
		before.Secret = k.secretOf(before.ID)
		f.receipt = before
		return *before, nil
	}
	settled := false
	defer func() {
		if !settled { // also when the work panicked
			// If this fails, the claim's lease ends it.
			_ = k.store.Release(context.WithoutCancel(ctx), claim)
		}
	}()
	if out, err = do(idempotency.With(ctx, claim)); err != nil {
		return idempotency.Receipt{}, err
	}
	if err := k.store.Settle(context.WithoutCancel(ctx), claim, out); err != nil {
		return idempotency.Receipt{}, err
	}
	settled = true
	k.tell(out)
	f.receipt = &out
	return out, nil
}

// tell keeps a secret for a while.
func (k *keys) tell(r idempotency.Receipt) {
	if r.Secret == "" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.clock()
	for id, s := range k.told {
		if now.Sub(s.at) >= secretLife {
			delete(k.told, id)
		}
	}
	k.told[r.ID] = secret{r.Secret, now}
}

// secretOf returns a secret that was told a while ago; "" if this process does not know it.
func (k *keys) secretOf(id string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.told[id]
	if !ok || k.clock().Sub(s.at) >= secretLife {
		return ""
	}
	return s.text
}
