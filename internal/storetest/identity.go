package storetest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/ledger"
)

const issuer = "https://id.example/realm"

// link makes a link of a person of acme.
func (w *World) link(user access.UserID, subject string) auth.Identity {
	w.t.Helper()
	out, err := w.Identities.PutIdentity(w.ctx, "olga", auth.Identity{Tenant: acme, User: user, Issuer: issuer, Subject: subject})
	w.ok(err)
	return out
}

// linked lists the subjects of a user's links.
func (w *World) linked(tenant access.TenantID, user access.UserID) (out []string) {
	w.t.Helper()
	list, err := w.Identities.Identities(w.ctx, tenant, user)
	w.ok(err)
	for _, i := range list {
		out = append(out, i.Issuer+" "+i.Subject)
	}
	return out
}

var identityTests = []test{
	{"AnIdentityIsLinkedOnceAndListedInOrder", func(t *testing.T, w *World) {
		first, second := w.link("rita", "z"), w.link("rita", "a")
		again := w.link("rita", "z")
		if d := cmp.Diff(first, again); d != "" || first.ID == second.ID || first.User != "rita" || first.CreatedAt.IsZero() {
			t.Fatalf("%+v %s", first, d)
		}
		if d := cmp.Diff([]string{issuer + " z", issuer + " a"}, w.linked(acme, "rita")); d != "" {
			t.Fatal(d)
		}
		for _, who := range []struct {
			tenant access.TenantID
			user   access.UserID
		}{{acme, "mia"}, {globex, "rita"}, {acme, "nobody"}} {
			is(w, fmt.Sprint(who), len(w.linked(who.tenant, who.user)), 0)
		}
	}},
	{"AnIdentityIsOnePersonsInATenant", func(_ *testing.T, w *World) {
		w.link("rita", "s")
		put := func(tenant access.TenantID, user access.UserID, issuer, subject string) error {
			_, err := w.Identities.PutIdentity(w.ctx, "olga", auth.Identity{Tenant: tenant, User: user, Issuer: issuer, Subject: subject})
			return err
		}
		w.want(put(acme, "mia", issuer, "s"), "identity_taken")
		w.ok(put(acme, "mia", issuer, "S"))
		w.ok(put(acme, "mia", issuer+"/", "s"))
		w.ok(put(globex, "erin", issuer, "s"))
		w.want(put(acme, "erin", issuer, "x"), "not_found")
		w.want(put("nowhere", "rita", issuer, "x"), "not_found")
		w.want(put(acme, "mia", "", "x"), "invalid_identity")
		w.want(put(acme, "mia", issuer, ""), "invalid_identity")
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "bot", Service: true}))
		w.want(put(acme, "bot", issuer, "bot"), "service_account")
	}},
	{"ALinkIsInTheLedgerWithoutItsSubject", func(_ *testing.T, w *World) {
		epoch, n := w.epoch(acme), len(w.entries(acme))
		link := w.link("rita", "rita.private@example.org")
		w.link("rita", "rita.private@example.org")
		w.ok(w.Identities.RemoveIdentity(w.ctx, acme, "olga", "", link.ID))
		var got string
		for _, e := range w.entries(acme)[n:] {
			got += fmt.Sprintln(e.Kind, e.Actor, string(e.Body))
		}
		want := fmt.Sprintf("%[1]s olga {\"identity\":%[2]q,\"linked\":true,\"user\":\"rita\"}\n%[1]s olga {\"identity\":%[2]q,\"linked\":false,\"user\":\"rita\"}\n",
			ledger.IdentityChanged, link.ID)
		is(w, "entries", got, want)
		is(w, "epoch", w.epoch(acme), epoch)
	}},
	{"ARemovedLinkEndsTheSessionsThatCameThroughIt", func(t *testing.T, w *World) {
		link, other := w.link("rita", "one"), w.link("rita", "two")
		w.signedIn("rita", "by password")
		for hash, subject := range map[string]string{"r1": "one", "r2": "one", "r3": "two"} {
			w.arrive(subject, hash, "")
		}
		same(t, "another's", w.Identities.RemoveIdentity(w.ctx, acme, "mia", "mia", link.ID))
		same(t, "in another tenant", w.Identities.RemoveIdentity(w.ctx, globex, "erin", "", link.ID))
		same(t, "unknown", w.Identities.RemoveIdentity(w.ctx, acme, "olga", "", "idn_x"))
		w.ok(w.Identities.RemoveIdentity(w.ctx, acme, "rita", "rita", link.ID))
		same(t, "twice", w.Identities.RemoveIdentity(w.ctx, acme, "rita", "rita", link.ID))
		w.signedOut(t, "r1")
		w.signedOut(t, "r2")
		w.ok(w.session("r3"))
		w.ok(w.session("by password"))
		is(w, "left", fmt.Sprint(w.linked(acme, "rita")), fmt.Sprint([]string{issuer + " " + other.Subject}))
	}},
}
