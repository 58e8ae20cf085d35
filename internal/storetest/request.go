package storetest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
)

func keyOf(user access.UserID, name string) idempotency.Key {
	return idempotency.Key{Tenant: tenantOf(user), Actor: user, Operation: "op", Name: name}
}

// claimed takes a key that nobody has used.
func (w *World) claimed(k idempotency.Key, digest string) idempotency.Claim {
	w.t.Helper()
	c, done, err := w.Requests.Claim(w.ctx, k, digest)
	w.ok(err)
	if done != nil {
		w.t.Fatalf("the key %s was used before: %+v", k.Name, done)
	}
	return c
}

// repeated asks for a key whose work is done.
func (w *World) repeated(k idempotency.Key, digest string) idempotency.Receipt {
	w.t.Helper()
	_, done, err := w.Requests.Claim(w.ctx, k, digest)
	w.ok(err)
	if done == nil {
		w.t.Fatalf("the work of the key %s would be done again", k.Name)
	}
	return *done
}

// creates makes a knowledge base in the name of a claim.
func (w *World) creates(c idempotency.Claim, name string) (access.KnowledgeBase, error) {
	s := w.scope("carol", access.Catalog)
	return w.Bases.Create(idempotency.With(w.ctx, c), s, access.KnowledgeBase{Name: name})
}

var requestTests = []test{
	{"ASettledKeyGivesItsReceiptAgain", func(t *testing.T, w *World) {
		k := keyOf("rita", "k")
		want := idempotency.Receipt{ID: "x", Version: 3, Job: "j", Outcome: "unchanged held"}
		withSecret := want
		withSecret.Secret = "canarysecret44"
		w.ok(w.Requests.Settle(w.ctx, w.claimed(k, "d"), withSecret))
		for range 2 {
			if d := cmp.Diff(want, w.repeated(k, "d")); d != "" {
				t.Fatal(d)
			}
		}
		w.found(t, []string{"canarysecret44"}, false)
	}},
	{"AnotherRequestWithTheKeyIsRefused", func(_ *testing.T, w *World) {
		k := keyOf("rita", "k")
		c := w.claimed(k, "d")
		_, _, err := w.Requests.Claim(w.ctx, k, "other")
		w.want(err, "idempotency_key_reused")
		w.ok(w.Requests.Settle(w.ctx, c, idempotency.Receipt{ID: "x"}))
		_, _, err = w.Requests.Claim(w.ctx, k, "other")
		w.want(err, "idempotency_key_reused")
		is(w, "kind", problem.KindOf(err), problem.Invalid)
	}},
	{"AKeyBelongsToOneActorAndOneOperation", func(_ *testing.T, w *World) {
		mine := keyOf("rita", "k")
		w.ok(w.Requests.Settle(w.ctx, w.claimed(mine, "d"), idempotency.Receipt{ID: "x"}))
		elsewhere := mine
		elsewhere.Operation = "another"
		for _, k := range []idempotency.Key{keyOf("mia", "k"), keyOf("erin", "k"), elsewhere} {
			w.claimed(k, "d")
		}
	}},
	{"AKeyNeedsAnActorWhoIsThere", func(t *testing.T, w *World) {
		for _, k := range []idempotency.Key{
			{Tenant: acme, Actor: "nobody", Operation: "op", Name: "k"}, {Tenant: globex, Actor: "rita", Operation: "op", Name: "k"},
			{Tenant: "initech", Actor: "rita", Operation: "op", Name: "k"},
		} {
			_, _, err := w.Requests.Claim(w.ctx, k, "d")
			same(t, fmt.Sprint(k), err)
		}
		_, _, err := w.Requests.Claim(w.ctx, keyOf("rita", strings.Repeat("k", idempotency.Length+1)), "d")
		w.want(err, "invalid_idempotency_key")
		w.claimed(keyOf("rita", strings.Repeat("k", idempotency.Length)), "d")
	}},
	{"AKeyIsStoredAsAHash", func(t *testing.T, w *World) {
		w.claimed(keyOf("rita", "canarykey55"), "d")
		w.found(t, []string{"canarykey55"}, false)
	}},
	{"ARequestUnderWayIsWaitedFor", func(_ *testing.T, w *World) {
		k := keyOf("rita", "k")
		c := w.claimed(k, "d")
		_, _, err := w.Requests.Claim(w.ctx, k, "d")
		w.want(err, "request_in_progress")
		is(w, "kind", problem.KindOf(err), problem.Conflict)
		w.ok(w.Requests.Release(w.ctx, c))
		w.claimed(k, "another, since nothing was made")
	}},
	{"ALapsedRequestIsTakenOverAndItsWorkUndone", func(t *testing.T, w *World) {
		k := keyOf("carol", "k")
		slow := w.claimed(k, "d")
		w.clock.Advance(idempotency.Lease)
		next := w.claimed(k, "d")
		_, err := w.creates(slow, "canaryslow66")
		w.want(err, "request_in_progress")
		w.found(t, []string{"canaryslow66"}, false)
		w.want(w.Requests.Settle(w.ctx, slow, idempotency.Receipt{ID: "x"}), "request_in_progress")
		w.ok(w.Requests.Release(w.ctx, slow))
		kb, err := w.creates(next, "made")
		w.ok(err)
		is(w, "receipt", w.repeated(k, "d").ID, string(kb.ID))
	}},
	{"TheReceiptIsWrittenWithTheWork", func(_ *testing.T, w *World) {
		k := keyOf("carol", "k")
		c := w.claimed(k, "d")
		kb, err := w.creates(c, "made")
		w.ok(err)
		// Whoever dies, fails or comes late after the work leaves the receipt as it is.
		w.ok(w.Requests.Release(w.ctx, c))
		w.ok(w.Requests.Settle(w.ctx, c, idempotency.Receipt{ID: "something else"}))
		w.clock.Advance(idempotency.Lease)
		is(w, "receipt", w.repeated(k, "d").ID, string(kb.ID))
	}},
	{"WorkThatFailsLeavesNoReceipt", func(_ *testing.T, w *World) {
		k := keyOf("carol", "k")
		c := w.claimed(k, "d")
		_, err := w.Bases.Create(idempotency.With(w.ctx, c), w.scope("carol", access.Catalog), access.KnowledgeBase{ID: "kb"})
		w.want(err, "exists")
		w.ok(w.Requests.Release(w.ctx, c))
		w.claimed(k, "d")
	}},
	{"EveryMakingMethodWritesItsReceipt", func(_ *testing.T, w *World) {
		makes := func(what string, do func(ctx context.Context) string) {
			k := keyOf("carol", what)
			c := w.claimed(k, "d")
			id := do(idempotency.With(w.ctx, c))
			is(w, what, w.repeated(k, "d").ID, id)
		}
		makes("user", func(ctx context.Context) string {
			w.ok(w.Admin.PutUser(ctx, acme, "root", access.Identity{User: "nina"}))
			return "nina"
		})
		makes("group", func(ctx context.Context) string {
			w.ok(w.Admin.PutGroup(ctx, acme, "root", "g", nil))
			return "g"
		})
		makes("token", func(ctx context.Context) string {
			w.ok(w.Auth.PutToken(ctx, auth.Token{ID: "tok_1", Hash: "h", Tenant: acme, User: "rita", Permissions: access.AllPermissions}))
			return "tok_1"
		})
		for _, what := range []string{"identity", "identity that is linked already"} {
			makes(what, func(ctx context.Context) string {
				link, err := w.Identities.PutIdentity(ctx, "root", auth.Identity{Tenant: acme, User: "rita", Issuer: issuer, Subject: "s"})
				w.ok(err)
				return link.ID
			})
		}
		makes("run", func(ctx context.Context) string {
			w.ok(w.Journal.Create(ctx, w.newRun("run_k"), nil))
			return "run_k"
		})
		var draft corpus.DocumentID
		makes("document", func(ctx context.Context) string {
			up := corpus.Upload{KnowledgeBase: "kb", Key: "k"}
			up.Checksum, up.Size = w.put("text")
			res, err := w.Catalog.Reserve(ctx, w.scope("carol", access.Catalog), up)
			w.ok(err)
			draft = res.Document
			return string(draft)
		})
		w.work()
		var proposal string
		makes("proposal", func(ctx context.Context) string {
			p, err := w.Approvals.Propose(ctx, w.scope("carol", access.Content), approval.Proposal{Document: string(draft)})
			w.ok(err)
			proposal = string(p.ID)
			return proposal
		})
		makes("decision", func(ctx context.Context) string {
			_, err := w.Approvals.Decide(ctx, w.scope("carol", access.Content), approval.ID(proposal), approval.Decision{Approved: true, Request: "req"})
			w.ok(err)
			return proposal
		})
	}},
	{"KeysAreForgottenAfterADay", func(_ *testing.T, w *World) {
		done, open := keyOf("rita", "done"), keyOf("rita", "open")
		w.ok(w.Requests.Settle(w.ctx, w.claimed(done, "d"), idempotency.Receipt{ID: "x"}))
		w.clock.Advance(idempotency.Life - time.Minute)
		w.repeated(done, "d")
		c := w.claimed(open, "d")
		w.clock.Advance(2 * time.Minute)
		w.claimed(done, "another request by now")
		w.ok(w.Requests.Settle(w.ctx, c, idempotency.Receipt{ID: "y"}))
		w.repeated(open, "d")
	}},
	{"OneActorsKeysDriveOutTheOldestOfTheirOwn", func(_ *testing.T, w *World) {
		w.ok(w.Requests.Settle(w.ctx, w.claimed(keyOf("mia", "k"), "d"), idempotency.Receipt{ID: "x"}))
		first := keyOf("rita", "first")
		w.ok(w.Requests.Settle(w.ctx, w.claimed(first, "d"), idempotency.Receipt{ID: "y"}))
		w.repeated(first, "d")
		for i := range idempotency.Count {
			w.claimed(keyOf("rita", fmt.Sprint(i)), "d")
		}
		// All that is remembered of rita is under way by now, and the first is forgotten.
		_, _, err := w.Requests.Claim(w.ctx, keyOf("rita", "one more"), "d")
		w.want(err, "too_many_requests")
		is(w, "kind", problem.KindOf(err), problem.Exhausted)
		_, _, err = w.Requests.Claim(w.ctx, keyOf("rita", "7"), "d")
		w.want(err, "request_in_progress")
		is(w, "another's", w.repeated(keyOf("mia", "k"), "d").ID, "x")
		w.claimed(keyOf("mia", "another"), "d")
		w.clock.Advance(idempotency.Lease)
		w.claimed(keyOf("rita", "one more"), "d")
		w.claimed(first, "another request by now")
	}},
	{"OfManyAtOnceOneDoesTheWork", func(_ *testing.T, w *World) {
		k := keyOf("carol", "k")
		var group sync.WaitGroup
		mine := make([]bool, 8)
		errs := make([]error, len(mine))
		for i := range mine {
			group.Go(func() {
				c, done, err := w.Requests.Claim(w.ctx, k, "d")
				if problem.CodeOf(err) == "request_in_progress" || done != nil {
					return
				}
				if mine[i], errs[i] = err == nil, err; err == nil {
					_, errs[i] = w.creates(c, "of many")
				}
			})
		}
		group.Wait()
		n := 0
		for i := range mine {
			w.ok(errs[i])
			if mine[i] {
				n++
			}
		}
		is(w, "did the work", n, 1)
	}},
}
