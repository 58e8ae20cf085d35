package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/ledger"
)

var authTests = []test{
	{"ATokenIsFoundByItsHashWithItsUser", func(t *testing.T, w *World) {
		at := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
		secret, err := auth.Issue(w.ctx, w.Auth, auth.Token{Tenant: acme, User: "rita", Name: "laptop", CreatedAt: at, ExpiresAt: at.Add(time.Hour)})
		w.ok(err)
		tok, id, err := w.Auth.TokenByHash(w.ctx, auth.HashToken(secret))
		w.ok(err)
		want := auth.Token{ID: tok.ID, Hash: auth.HashToken(secret), Tenant: acme, User: "rita", Name: "laptop", CreatedAt: at, ExpiresAt: at.Add(time.Hour), Permissions: access.AllPermissions}
		if d := cmp.Diff(want, tok) + cmp.Diff(access.Identity{User: "rita", Roles: []access.Role{}, Groups: []access.GroupID{"readers"}}, id); d != "" {
			t.Fatal(d)
		}
	}},
	{"AnUnknownHashIsNotFound", func(t *testing.T, w *World) {
		_, _, err := w.Auth.TokenByHash(w.ctx, auth.HashToken("kj_x"))
		same(t, "TokenByHash", err)
	}},
	{"ATokenOfASuspendedUserIsNotFound", func(t *testing.T, w *World) {
		secret, err := auth.Issue(w.ctx, w.Auth, auth.Token{Tenant: acme, User: "rita"})
		w.ok(err)
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "rita", Suspended: true}))
		_, _, err = w.Auth.TokenByHash(w.ctx, auth.HashToken(secret))
		same(t, "TokenByHash", err)
	}},
	{"ATokenForAnUnknownUserIsRefused", func(t *testing.T, w *World) {
		_, err := auth.Issue(w.ctx, w.Auth, auth.Token{Tenant: acme, User: "erin"})
		same(t, "PutToken", err)
	}},
	{"ANewTokenIsInTheLedgerAndChangesNobodysView", func(_ *testing.T, w *World) {
		epoch, n := w.epoch(acme), len(w.entries(acme))
		_, err := auth.Issue(w.ctx, w.Auth, auth.Token{Tenant: acme, User: "rita"})
		w.ok(err)
		all := w.entries(acme)
		is(w, "entries", len(all), n+1)
		is(w, "kind", all[n].Kind, ledger.TokenChanged)
		is(w, "epoch", w.epoch(acme), epoch)
	}},
	{"ATokenIsStoredOnce", func(_ *testing.T, w *World) {
		tok := auth.Token{ID: "tok_1", Hash: auth.HashToken("a"), Tenant: acme, User: "rita"}
		w.ok(w.Auth.PutToken(w.ctx, tok))
		w.want(w.Auth.PutToken(w.ctx, tok), "exists")
	}},
}
