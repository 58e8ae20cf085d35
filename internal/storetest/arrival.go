package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/ledger"
)

// arrival is a subject at the door of acme, with a session that lasts an hour.
func (w *World) arrival(subject, hash, sid string) auth.Arrival {
	at := w.clock.Now()
	return auth.Arrival{
		Tenant: acme, Issuer: issuer, Subject: subject,
		Session: auth.Session{Hash: hash, CreatedAt: at, LastSeen: at, ExpiresAt: at.Add(time.Hour), Agent: "浏览器/1", SID: sid},
	}
}

// arrive lets a subject in.
func (w *World) arrive(subject, hash, sid string) access.UserID {
	w.t.Helper()
	user, err := w.Arrivals.Admit(w.ctx, w.arrival(subject, hash, sid))
	w.ok(err)
	return user
}

// who returns what the directory says of a user of acme.
func (w *World) who(user access.UserID) access.Identity {
	w.t.Helper()
	snap, err := w.Directory.Snapshot(w.ctx, acme, user)
	w.ok(err)
	return snap.Identity
}

// given lets rita in with groups and roles from the provider.
func (w *World) given(groups []access.GroupID, roles ...access.Role) {
	w.t.Helper()
	a := w.arrival("rita", fmt.Sprint("h", w.clock.Now().UnixNano()), "")
	a.Groups, a.Roles = groups, roles
	_, err := w.Arrivals.Admit(w.ctx, a)
	w.ok(err)
}

// ritas compares rita's groups and roles.
func (w *World) ritas(what, groups, roles string) {
	w.t.Helper()
	id := w.who("rita")
	is(w, what+": groups", fmt.Sprint(id.Groups), groups)
	is(w, what+": roles", fmt.Sprint(id.Roles), roles)
}

// sorted makes the groups that a provider gives, and a link of rita's.
func (w *World) sorted() {
	w.t.Helper()
	w.link("rita", "rita")
	for _, g := range []access.GroupID{"a", "b"} {
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", g, nil))
	}
}

var arrivalTests = []test{
	{"ALinkedPersonIsLetInWithASession", func(t *testing.T, w *World) {
		w.link("rita", "s")
		epoch, n := w.epoch(acme), len(w.entries(acme))
		a := w.arrival("s", "r1", "sid-1")
		a.Newcomer = access.Identity{User: "unneeded"}
		user, err := w.Arrivals.Admit(w.ctx, a)
		w.ok(err)
		got, _, err := w.Logins.SessionByHash(w.ctx, "r1", w.clock.Now())
		w.ok(err)
		want := a.Session
		want.Tenant, want.User, want.Issuer, want.Subject, want.LastSeen = acme, "rita", issuer, "s", want.LastSeen.Truncate(time.Minute)
		if d := cmp.Diff(want, got); d != "" || user != "rita" {
			t.Fatalf("%q %s", user, d)
		}
		is(w, "epoch", w.epoch(acme), epoch)
		is(w, "entries", len(w.entries(acme)), n)
	}},
	{"WhoIsUnknownSuspendedOrAServiceIsNotLetIn", func(t *testing.T, w *World) {
		w.link("rita", "suspended")
		w.link("mia", "service")
		w.suspend("rita", true)
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "mia", Service: true}))
		epoch, n := w.epoch(acme), len(w.entries(acme))
		for i, a := range []auth.Arrival{w.arrival("nobody", "h0", ""), w.arrival("suspended", "h1", ""), w.arrival("service", "h2", "")} {
			a.Groups = []access.GroupID{"readers"}
			_, err := w.Arrivals.Admit(w.ctx, a)
			same(t, a.Subject, err)
			w.signedOut(t, fmt.Sprint("h", i))
		}
		elsewhere := w.arrival("suspended", "h3", "")
		elsewhere.Tenant = globex
		_, err := w.Arrivals.Admit(w.ctx, elsewhere)
		same(t, "in another tenant", err)
		is(w, "epoch", w.epoch(acme), epoch)
		is(w, "entries", len(w.entries(acme)), n)
	}},
	{"ANewcomerIsAMemberAndNothingElse", func(t *testing.T, w *World) {
		a := w.arrival("new", "h", "")
		a.Newcomer = access.Identity{User: "person-1", DisplayName: "新人", Roles: []access.Role{access.TenantAdmin}, Service: true}
		added := w.changes(func() error { _, err := w.Arrivals.Admit(w.ctx, a); return err }, ledger.DirectoryChanged, ledger.IdentityChanged)
		is(w, "actor", added[0].Actor, "person-1")
		want := access.Identity{User: "person-1", DisplayName: "新人", Roles: []access.Role{access.Member}}
		if d := cmp.Diff(want, w.who("person-1")); d != "" {
			t.Fatal(d)
		}
		w.ok(w.session("h"))
	}},
	{"ANewcomerNeverBecomesWhoIsThere", func(t *testing.T, w *World) {
		a := w.arrival("new", "h", "")
		a.Newcomer = access.Identity{User: "carol", DisplayName: "x"}
		if _, err := w.Arrivals.Admit(w.ctx, a); err == nil {
			t.Error("a newcomer took the place of somebody")
		}
		is(w, "name", w.who("carol").DisplayName, "Carol")
		is(w, "links", len(w.linked(acme, "carol")), 0)
		w.signedOut(t, "h")
	}},
	{"OfFiftyFirstArrivalsAtOnceOneMakesThePerson", func(t *testing.T, w *World) {
		before, err := w.Admin.Users(w.ctx, acme, "", 200)
		w.ok(err)
		var wait sync.WaitGroup
		var mu sync.Mutex
		made := map[access.UserID]int{}
		for i := range 50 {
			a := w.arrival("new", fmt.Sprint("h", i), "")
			a.Newcomer = access.Identity{User: access.UserID(fmt.Sprint("person-", i)), DisplayName: "n"}
			wait.Go(func() {
				user, err := w.Arrivals.Admit(w.ctx, a)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				made[user]++
			})
		}
		wait.Wait()
		after, err := w.Admin.Users(w.ctx, acme, "", 200)
		w.ok(err)
		if len(made) != 1 || len(after) != len(before)+1 {
			t.Errorf("made %v, %d users after %d", made, len(after), len(before))
		}
	}},
	{"TheProviderTakesBackWhatItGaveAndNoMore", func(_ *testing.T, w *World) {
		w.sorted()
		w.ritas("before", "[readers]", "[]")
		// She is among the readers by hand; the provider says so too, and then no longer.
		w.given([]access.GroupID{"a", "readers", "unknown"}, access.Auditor)
		w.ritas("given", "[a readers]", "[auditor]")
		w.given([]access.GroupID{"b", "readers"}, access.Auditor, access.KnowledgeAdmin)
		w.ritas("changed", "[b readers]", "[auditor knowledge_admin]")
		w.given(nil)
		w.ritas("taken", "[readers]", "[]")
	}},
	{"WhatAHandGivesAfterTakingIsTheHands", func(_ *testing.T, w *World) {
		w.sorted()
		w.given([]access.GroupID{"a", "b"}, access.Auditor, access.KnowledgeAdmin)
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "a", nil))
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "a", []access.Principal{access.User("rita")}))
		w.ok(w.Admin.DeleteGroup(w.ctx, acme, "root", "b"))
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "b", []access.Principal{access.User("rita")}))
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "rita", Roles: []access.Role{access.KnowledgeAdmin}}))
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "rita", Roles: []access.Role{access.KnowledgeAdmin, access.Auditor}}))
		w.given(nil)
		w.ritas("taken", "[a b readers]", "[auditor]")
	}},
	{"HandsAndProvidersNeverTakeWhatTheOtherGave", handsAndProviders},
	{"EveryChangeOfTheProvidersIsAnEntryAndAnEpoch", func(_ *testing.T, w *World) {
		w.sorted()
		added := w.changes(func() error { w.given([]access.GroupID{"a"}, access.Auditor); return nil }, ledger.DirectoryChanged)
		is(w, "given", string(added[0].Body), `{"groups":{"given":["a"],"taken":[]},"roles":{"given":["auditor"],"taken":[]},"through":"provider","user":"rita"}`)
		epoch, n := w.epoch(acme), len(w.entries(acme))
		w.given([]access.GroupID{"a"}, access.Auditor)
		is(w, "epoch of no change", w.epoch(acme), epoch)
		is(w, "entries of no change", len(w.entries(acme)), n)
		added = w.changes(func() error { w.given(nil); return nil }, ledger.DirectoryChanged)
		is(w, "taken", string(added[0].Body), `{"groups":{"given":[],"taken":["a"]},"roles":{"given":[],"taken":["auditor"]},"through":"provider","user":"rita"}`)
	}},
	{"WithTheLastLinkGoesWhatTheProviderGave", func(_ *testing.T, w *World) {
		w.sorted()
		other := w.link("rita", "other")
		w.given([]access.GroupID{"a"}, access.Auditor)
		w.ok(w.Identities.RemoveIdentity(w.ctx, acme, "olga", "", other.ID))
		w.ritas("with a link left", "[a readers]", "[auditor]")
		list, err := w.Identities.Identities(w.ctx, acme, "rita")
		w.ok(err)
		w.changes(func() error { return w.Identities.RemoveIdentity(w.ctx, acme, "olga", "", list[0].ID) }, ledger.DirectoryChanged, ledger.IdentityChanged)
		w.ritas("without", "[readers]", "[]")
	}},
	{"AnIdIsSpentOnceUntilItsTimeIsOver", func(t *testing.T, w *World) {
		until := w.clock.Now().Add(time.Minute)
		var wait sync.WaitGroup
		var mu sync.Mutex
		spent := 0
		for range 20 {
			wait.Go(func() {
				if w.Arrivals.Spend(w.ctx, "id", until) == nil {
					mu.Lock()
					defer mu.Unlock()
					spent++
				}
			})
		}
		wait.Wait()
		is(w, "spent", spent, 1)
		w.want(w.Arrivals.Spend(w.ctx, "id", until), "spent")
		w.ok(w.Arrivals.Spend(w.ctx, "other", until))
		w.clock.Advance(time.Minute)
		w.ok(w.Arrivals.Spend(w.ctx, "id", w.clock.Now().Add(time.Minute)))
	}},
	{"ANoticeIsSpentWithWhatItEnds", func(t *testing.T, w *World) {
		w.link("rita", "r")
		w.arrive("r", "r1", "")
		end := auth.Ending{ID: "notice", Until: w.clock.Now().Add(time.Minute), Tenant: acme, Issuer: issuer, Subject: "r"}
		gone, cancel := context.WithCancel(w.ctx)
		cancel()
		if n, err := w.Arrivals.EndProvided(gone, end); err == nil || n != 0 {
			t.Fatalf("an ending that broke off: %d %v", n, err)
		}
		n, err := w.Arrivals.EndProvided(w.ctx, end)
		w.ok(err)
		is(w, "ended", n, 1)
		w.signedOut(t, "r1")
		w.want(w.Arrivals.Spend(w.ctx, "notice", end.Until), "spent")
		w.arrive("r", "r2", "")
		n, err = w.Arrivals.EndProvided(w.ctx, end)
		w.want(err, "spent")
		is(w, "ended by a spent notice", n, 0)
		w.ok(w.session("r2"))
	}},
	{"AProviderEndsItsOwnSessionsAlone", func(t *testing.T, w *World) {
		w.link("rita", "r")
		w.link("mia", "m")
		begin := func() {
			for _, hash := range []string{"r1", "r2", "m1", "p1"} {
				w.ok(w.Logins.EndSession(w.ctx, hash))
			}
			w.arrive("r", "r1", "s1")
			w.arrive("r", "r2", "s2")
			w.arrive("m", "m1", "s1")
			w.signedIn("rita", "p1")
		}
		for _, c := range []struct {
			tenant               access.TenantID
			issuer, subject, sid string
			ends                 []string
		}{
			{acme, issuer, "r", "", []string{"r1", "r2"}}, {acme, issuer, "r", "s1", []string{"r1"}}, {acme, issuer, "", "s1", []string{"r1", "m1"}},
			{acme, issuer, "", "", nil}, {acme, "", "", "", nil}, {acme, "", "", "s1", nil}, {acme, "https://other.example", "r", "", nil},
			{globex, issuer, "r", "", nil}, {acme, issuer, "r", "zzz", nil}, {acme, issuer, "zzz", "", nil},
		} {
			begin()
			end := auth.Ending{ID: fmt.Sprint(c), Until: w.clock.Now().Add(time.Minute), Tenant: c.tenant, Issuer: c.issuer, Subject: c.subject, SID: c.sid}
			n, err := w.Arrivals.EndProvided(w.ctx, end)
			w.ok(err)
			is(w, fmt.Sprint(c), n, len(c.ends))
			left := map[string]bool{"r1": true, "r2": true, "m1": true, "p1": true}
			for _, hash := range c.ends {
				w.signedOut(t, hash)
				delete(left, hash)
			}
			for hash := range left {
				w.ok(w.session(hash))
			}
		}
	}},
}

// gifts is the rule of who gave rita a membership, written down apart from any store.
type gifts struct{ exists, hand, provider map[access.GroupID]bool }

// admit is an arrival with groups.
func (g gifts) admit(groups []access.GroupID) {
	for name := range g.provider {
		if !slices.Contains(groups, name) {
			delete(g.provider, name)
		}
	}
	for _, name := range groups {
		if g.exists[name] && !g.hand[name] {
			g.provider[name] = true
		}
	}
}

// put is a hand that says who is in a group: what she has of the provider stays the provider's.
func (g gifts) put(name access.GroupID, in bool) {
	g.exists[name] = true
	if !in {
		delete(g.hand, name)
		delete(g.provider, name)
	} else if !g.provider[name] {
		g.hand[name] = true
	}
}

func (g gifts) remove(name access.GroupID) {
	delete(g.exists, name)
	delete(g.hand, name)
	delete(g.provider, name)
}

// handsAndProviders compares a store with the rule over random changes.
func handsAndProviders(_ *testing.T, w *World) {
	w.link("rita", "rita")
	names := []access.GroupID{"a", "b", "c"}
	rng := rand.New(rand.NewPCG(7, 11)) //nolint:gosec // the same walk every time
	rule := gifts{map[access.GroupID]bool{}, map[access.GroupID]bool{}, map[access.GroupID]bool{}}
	for step := range 300 {
		name := names[rng.IntN(len(names))]
		switch rng.IntN(5) {
		case 0, 1:
			var groups []access.GroupID
			for _, n := range names {
				if rng.IntN(2) == 0 {
					groups = append(groups, n)
				}
			}
			rule.admit(groups)
			w.given(groups)
		case 2, 3:
			var members []access.Principal
			in := rng.IntN(2) == 0
			if in {
				members = []access.Principal{access.User("rita")}
			}
			rule.put(name, in)
			w.ok(w.Admin.PutGroup(w.ctx, acme, "root", name, members))
		default:
			if rule.exists[name] {
				rule.remove(name)
				w.ok(w.Admin.DeleteGroup(w.ctx, acme, "root", name))
			}
		}
		want := []access.GroupID{}
		for _, n := range names {
			if rule.hand[n] || rule.provider[n] {
				want = append(want, n)
			}
		}
		want = append(want, "readers")
		is(w, fmt.Sprint("groups after step ", step), fmt.Sprint(w.who("rita").Groups), fmt.Sprint(want))
	}
}
