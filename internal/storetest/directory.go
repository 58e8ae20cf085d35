package storetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

var directoryTests = []test{
	{"NobodyHasTheOperatorsName", func(_ *testing.T, w *World) {
		w.want(w.Admin.PutUser(w.ctx, acme, "carol", access.Identity{User: access.Operator}), "reserved_id")
	}},
	{"SnapshotHoldsIdentityAndAllBasesWithGrants", func(t *testing.T, w *World) {
		snap, err := w.Directory.Snapshot(w.ctx, acme, "carol")
		w.ok(err)
		want := access.Snapshot{
			Epoch:    w.epoch(acme),
			Identity: access.Identity{User: "carol", DisplayName: "Carol", Roles: []access.Role{access.Member, access.KnowledgeAdmin}},
			Bases: []access.KnowledgeBase{{
				ID: "kb", Tenant: acme, Name: "Knowledge", Publishing: access.Directly, LockVersion: 1, CreatedAt: snap.Bases[0].CreatedAt,
				Grants: []access.Grant{
					{Principal: access.Group("readers"), Level: access.Reader}, {Principal: access.User("carol"), Level: access.Manager},
					{Principal: access.User("ed"), Level: access.Editor}, {Principal: access.User("mia"), Level: access.Manager},
				},
			}},
		}
		if d := cmp.Diff(want, snap); d != "" {
			t.Fatal(d)
		}
	}},
	{"UnknownTenantOrUserIsNotFound", func(_ *testing.T, w *World) {
		_, err := w.Directory.Snapshot(w.ctx, "nobody", "carol")
		w.want(err, "not_found")
		_, err = w.Directory.Snapshot(w.ctx, acme, "nobody")
		w.want(err, "not_found")
		_, err = w.Directory.Snapshot(w.ctx, acme, "erin")
		w.want(err, "not_found")
	}},
	{"GroupsAreClosedTransitivelyThroughCycles", func(t *testing.T, w *World) {
		for group, members := range map[access.GroupID][]access.Principal{
			"a": {access.User("ed")}, "b": {access.Group("a")}, "c": {access.Group("b"), access.Group("e")},
			"d": {access.Group("c")}, "e": {access.Group("c")}, "x": {access.Group("readers")},
		} {
			w.ok(w.Admin.PutGroup(w.ctx, acme, "root", group, members))
		}
		snap, err := w.Directory.Snapshot(w.ctx, acme, "ed")
		w.ok(err)
		if d := cmp.Diff([]access.GroupID{"a", "b", "c", "d", "e"}, snap.Identity.Groups); d != "" {
			t.Fatal(d)
		}
	}},
	{"PutGroupReplacesTheMembers", func(_ *testing.T, w *World) {
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "readers", []access.Principal{access.User("olga")}))
		for user, n := range map[access.UserID]int{"rita": 0, "olga": 1} {
			snap, err := w.Directory.Snapshot(w.ctx, acme, user)
			w.ok(err)
			is(w, "groups of "+string(user), len(snap.Identity.Groups), n)
		}
	}},
	{"PutUserReplacesAndIgnoresGroups", func(t *testing.T, w *World) {
		id := access.Identity{User: "rita", DisplayName: "丽塔", Roles: []access.Role{access.Auditor}, Groups: []access.GroupID{"admins"}, Suspended: true, Service: true}
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", id))
		snap, err := w.Directory.Snapshot(w.ctx, acme, "rita")
		w.ok(err)
		id.Groups = []access.GroupID{"readers"}
		if d := cmp.Diff(id, snap.Identity); d != "" {
			t.Fatal(d)
		}
	}},
	{"EveryChangeRaisesTheEpochAndIsInTheLedger", func(_ *testing.T, w *World) {
		w.changes(func() error {
			return w.Admin.PutUser(w.ctx, acme, "olga", access.Identity{User: "new", DisplayName: "SECRET NAME"})
		}, ledger.DirectoryChanged)
		added := w.changes(func() error {
			return w.Admin.PutGroup(w.ctx, acme, "olga", "g", []access.Principal{access.User("new")})
		}, ledger.DirectoryChanged)
		is(w, "actor", added[0].Actor, "olga")
	}},
	{"ATakenTenantIsAConflict", func(_ *testing.T, w *World) {
		w.want(w.Admin.CreateTenant(w.ctx, acme, "again"), "exists")
	}},
	{"TenantsAreListedById", func(t *testing.T, w *World) {
		w.ok(w.Admin.CreateTenant(w.ctx, "a", ""))
		got, err := w.Admin.Tenants(w.ctx)
		w.ok(err)
		if d := cmp.Diff([]access.TenantID{"a", acme, globex}, got); d != "" {
			t.Fatal(d)
		}
	}},
	{"UsersAreListedByIdWithoutTheirGroups", func(t *testing.T, w *World) {
		want := []access.Identity{
			{User: "carol", DisplayName: "Carol", Roles: []access.Role{access.Member, access.KnowledgeAdmin}},
			{User: "ed", Roles: []access.Role{}}, {User: "mia", Roles: []access.Role{}}, {User: "olga", Roles: []access.Role{access.TenantAdmin, access.Auditor}},
			{User: "rita", DisplayName: "丽塔", Roles: []access.Role{}, Suspended: true, Service: true},
		}
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", want[4]))
		for _, size := range []int{1, 2, 5, 100, 0} {
			var got []access.Identity
			for after := access.UserID(""); ; after = got[len(got)-1].User {
				page, err := w.Admin.Users(w.ctx, acme, after, size)
				w.ok(err)
				if len(page) == 0 {
					break
				}
				is(w, "fits the page", size == 0 || len(page) <= size, true)
				got = append(got, page...)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("pages of %d: %s", size, d)
			}
		}
	}},
	{"GroupsAreListedWithTheirDirectMembers", func(t *testing.T, w *World) {
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "all", []access.Principal{access.User("ed"), access.Group("readers")}))
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "empty", nil))
		w.ok(w.Admin.PutGroup(w.ctx, globex, "root", "theirs", nil))
		want := []access.Membership{
			{Group: "all", Members: []access.Principal{access.Group("readers"), access.User("ed")}}, {Group: "empty"},
			{Group: "readers", Members: []access.Principal{access.User("rita")}},
		}
		for _, size := range []int{1, 2, 100, 0} {
			var got []access.Membership
			for after := access.GroupID(""); ; after = got[len(got)-1].Group {
				page, err := w.Admin.Groups(w.ctx, acme, after, size)
				w.ok(err)
				if len(page) == 0 {
					break
				}
				got = append(got, page...)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("pages of %d: %s", size, d)
			}
		}
	}},
	{"ADeletedGroupGivesNothingAnyMore", func(t *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "outer", []access.Principal{access.Group("readers")}))
		is(w, "before", w.text("rita", d.ID), "text")
		old := w.scope("rita", access.Published)
		w.changes(func() error { return w.Admin.DeleteGroup(w.ctx, acme, "olga", "readers") }, ledger.DirectoryChanged)
		_, err := w.Catalog.Document(w.ctx, old, d.ID)
		w.want(err, "scope_stale")
		w.hidden(w.scope("rita", access.Published), d.ID)
		snap, err := w.Directory.Snapshot(w.ctx, acme, "rita")
		w.ok(err)
		is(w, "groups", len(snap.Identity.Groups), 0)
		groups, err := w.Admin.Groups(w.ctx, acme, "", 10)
		w.ok(err)
		if diff := cmp.Diff([]access.Membership{{Group: "outer"}}, groups); diff != "" {
			t.Fatal(diff)
		}
		for name, err := range map[string]error{
			"again": w.Admin.DeleteGroup(w.ctx, acme, "olga", "readers"), "unknown": w.Admin.DeleteGroup(w.ctx, acme, "olga", "x"),
			"of another tenant": w.Admin.DeleteGroup(w.ctx, globex, "erin", "outer"),
		} {
			same(t, name, err)
		}
	}},
	{"BadInputIsRefused", func(t *testing.T, w *World) {
		for name, err := range map[string]error{
			"tenant":   w.Admin.CreateTenant(w.ctx, "a/b", ""),
			"user":     w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "a b"}),
			"role":     w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "x", Roles: []access.Role{"god"}}),
			"group":    w.Admin.PutGroup(w.ctx, acme, "root", "", nil),
			"member":   w.Admin.PutGroup(w.ctx, acme, "root", "g", []access.Principal{"robot:x"}),
			"everyone": w.Admin.PutGroup(w.ctx, acme, "root", "g", []access.Principal{access.Everyone}),
		} {
			if !problem.Is(err, problem.Invalid) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		w.want(w.Admin.PutUser(w.ctx, "nobody", "root", access.Identity{User: "x"}), "not_found")
		w.want(w.Admin.PutGroup(w.ctx, "nobody", "root", "g", nil), "not_found")
	}},
	{"ASuspendedUserHasNoScope", func(_ *testing.T, w *World) {
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "rita", Suspended: true}))
		_, err := access.Resolve(w.ctx, w.Directory, access.Actor{Tenant: acme, User: "rita"}, access.Request{})
		w.want(err, "not_found")
	}},
}
