package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// signedIn stores a session of a user that lasts an hour.
func (w *World) signedIn(user access.UserID, hash string) auth.Session {
	w.t.Helper()
	at := w.clock.Now()
	s := auth.Session{Hash: hash, Tenant: acme, User: user, CreatedAt: at, LastSeen: at, ExpiresAt: at.Add(time.Hour), Agent: "浏览器/1"}
	w.ok(w.Logins.PutSession(w.ctx, s))
	return s
}

// signedOut checks that a session is not found.
func (w *World) signedOut(t *testing.T, hash string) {
	t.Helper()
	_, _, err := w.Logins.SessionByHash(w.ctx, hash, w.clock.Now())
	same(t, "session "+hash, err)
}

// suspend suspends a user, or ends that.
func (w *World) suspend(user access.UserID, suspended bool) {
	w.t.Helper()
	w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: user, Suspended: suspended}))
}

var loginTests = []test{
	{"APasswordIsThatOfAnActiveUserWhoHasOne", func(t *testing.T, w *World) {
		_, err := w.Logins.Password(w.ctx, acme, "rita")
		same(t, "without a password", err)
		w.ok(w.Logins.SetPassword(w.ctx, acme, "olga", "rita", "$phc$1"))
		w.ok(w.Logins.SetPassword(w.ctx, acme, "olga", "rita", "$phc$2"))
		phc, err := w.Logins.Password(w.ctx, acme, "rita")
		w.ok(err)
		is(w, "password", phc, "$phc$2")
		for _, who := range []struct {
			tenant access.TenantID
			user   access.UserID
		}{{acme, "mia"}, {acme, "nobody"}, {globex, "rita"}, {"nowhere", "rita"}} {
			_, err := w.Logins.Password(w.ctx, who.tenant, who.user)
			same(t, fmt.Sprint(who), err)
		}
		w.suspend("rita", true)
		_, err = w.Logins.Password(w.ctx, acme, "rita")
		same(t, "suspended", err)
		w.suspend("rita", false)
		phc, err = w.Logins.Password(w.ctx, acme, "rita")
		w.ok(err)
		is(w, "password after a change of the user", phc, "$phc$2")
	}},
	{"AChangeOfPasswordIsInTheLedgerWithoutIt", func(_ *testing.T, w *World) {
		epoch, n := w.epoch(acme), len(w.entries(acme))
		w.ok(w.Logins.SetPassword(w.ctx, acme, "olga", "rita", "$phc$secret"))
		added := w.entries(acme)[n:]
		is(w, "entries", len(added), 1)
		is(w, "entry", fmt.Sprint(added[0].Kind, " ", added[0].Actor, " ", string(added[0].Body)), string(ledger.PasswordChanged)+` olga {"user":"rita"}`)
		is(w, "epoch", w.epoch(acme), epoch)
	}},
	{"APasswordNeedsAUserAndAHash", func(t *testing.T, w *World) {
		same(t, "SetPassword", w.Logins.SetPassword(w.ctx, acme, "olga", "nobody", "$phc$"))
		same(t, "SetPassword", w.Logins.SetPassword(w.ctx, globex, "olga", "rita", "$phc$"))
		w.want(w.Logins.SetPassword(w.ctx, acme, "olga", "rita", ""), "invalid_password")
	}},
	{"ANewPasswordEndsAllSessionsOfItsUser", func(t *testing.T, w *World) {
		w.signedIn("rita", "r1")
		w.signedIn("rita", "r2")
		w.signedIn("mia", "m1")
		w.ok(w.Logins.SetPassword(w.ctx, acme, "olga", "rita", "$phc$"))
		w.signedOut(t, "r1")
		w.signedOut(t, "r2")
		w.ok(w.session("m1"))
	}},
	{"ASessionIsFoundByItsHashWithItsUser", func(t *testing.T, w *World) {
		want := w.signedIn("rita", "r1")
		got, id, err := w.Logins.SessionByHash(w.ctx, "r1", want.CreatedAt)
		w.ok(err)
		want.LastSeen = want.LastSeen.Truncate(time.Minute)
		if d := cmp.Diff(want, got) + cmp.Diff(access.Identity{User: "rita", Roles: []access.Role{}, Groups: []access.GroupID{"readers"}}, id); d != "" {
			t.Fatal(d)
		}
		w.signedOut(t, "unknown")
	}},
	{"ASessionEndsAtItsEnd", func(t *testing.T, w *World) {
		s := w.signedIn("rita", "r1")
		_, _, err := w.Logins.SessionByHash(w.ctx, "r1", s.ExpiresAt.Add(-time.Nanosecond))
		w.ok(err)
		_, _, err = w.Logins.SessionByHash(w.ctx, "r1", s.ExpiresAt)
		same(t, "at its end", err)
	}},
	{"ASuspendedUserIsSignedOutForGood", func(t *testing.T, w *World) {
		w.signedIn("rita", "r1")
		w.suspend("rita", true)
		w.signedOut(t, "r1")
		w.suspend("rita", false)
		w.signedOut(t, "r1")
		s := auth.Session{Hash: "r2", Tenant: acme, User: "rita", ExpiresAt: w.clock.Now().Add(time.Hour)}
		w.suspend("rita", true)
		same(t, "PutSession", w.Logins.PutSession(w.ctx, s))
	}},
	{"SessionsAreEndedOneOrAll", func(t *testing.T, w *World) {
		for _, hash := range []string{"r1", "r2", "r3"} {
			w.signedIn("rita", hash)
		}
		w.signedIn("mia", "m1")
		w.ok(w.Logins.EndSession(w.ctx, "r1"))
		w.ok(w.Logins.EndSession(w.ctx, "r1"))
		w.signedOut(t, "r1")
		w.ok(w.session("r2"))
		w.ok(w.Logins.EndSessions(w.ctx, globex, "rita"))
		w.ok(w.session("r2"))
		w.ok(w.Logins.EndSessions(w.ctx, acme, "rita"))
		w.signedOut(t, "r2")
		w.signedOut(t, "r3")
		w.ok(w.session("m1"))
	}},
	{"ASessionWithoutAnEndIsRefused", func(t *testing.T, w *World) {
		for name, s := range map[string]auth.Session{
			"end": {Hash: "h", Tenant: acme, User: "rita"}, "hash": {Tenant: acme, User: "rita", ExpiresAt: w.clock.Now()},
		} {
			if err := w.Logins.PutSession(w.ctx, s); !problem.Is(err, problem.Invalid) {
				t.Errorf("without %s: %v", name, err)
			}
		}
		same(t, "of nobody", w.Logins.PutSession(w.ctx, auth.Session{Hash: "h", Tenant: acme, User: "erin", ExpiresAt: w.clock.Now()}))
		s := w.signedIn("rita", "r1")
		w.want(w.Logins.PutSession(w.ctx, s), "exists")
	}},
	{"ASessionIsSeenToTheMinute", func(_ *testing.T, w *World) {
		s := w.signedIn("rita", "r1")
		minute := s.CreatedAt.Truncate(time.Minute)
		seen := func(at time.Time) time.Time {
			_, _, err := w.Logins.SessionByHash(w.ctx, "r1", at)
			w.ok(err)
			got, _, err := w.Logins.SessionByHash(w.ctx, "r1", at)
			w.ok(err)
			return got.LastSeen
		}
		is(w, "in the same minute", seen(minute.Add(59*time.Second)), minute)
		is(w, "in the next", seen(minute.Add(61*time.Second)), minute.Add(time.Minute))
		is(w, "much later", seen(minute.Add(20*time.Minute)), minute.Add(20*time.Minute))
		is(w, "a clock that went back", seen(minute.Add(5*time.Minute)), minute.Add(20*time.Minute))
	}},
}

func (w *World) session(hash string) error {
	_, _, err := w.Logins.SessionByHash(w.ctx, hash, w.clock.Now())
	return err
}

var tokenTests = []test{
	{"TokensAreListedByTimeOfCreation", func(t *testing.T, w *World) {
		at := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
		var rita, all []string
		for i, user := range []access.UserID{"rita", "mia", "rita"} {
			tok := auth.Token{ID: fmt.Sprint("tok_", 9-i), Hash: fmt.Sprint("h", i), Tenant: acme, User: user, Name: "n", CreatedAt: at.Add(time.Duration(i) * time.Hour)}
			w.ok(w.Auth.PutToken(w.ctx, tok))
			if all = append(all, tok.ID); user == "rita" {
				rita = append(rita, tok.ID)
			}
		}
		w.ok(w.Auth.PutToken(w.ctx, auth.Token{ID: "tok_g", Hash: "hg", Tenant: globex, User: "erin"}))
		for user, want := range map[access.UserID][]string{"rita": rita, "": all, "olga": nil} {
			list, err := w.Auth.Tokens(w.ctx, acme, user)
			w.ok(err)
			var got []string
			for _, tok := range list {
				got = append(got, tok.ID)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("of %q: %s", user, d)
			}
		}
	}},
	{"ARevokedTokenEndsAtOnce", func(t *testing.T, w *World) {
		put := func(id string, user access.UserID) {
			w.ok(w.Auth.PutToken(w.ctx, auth.Token{ID: id, Hash: "hash of " + id, Tenant: acme, User: user}))
		}
		put("tok_1", "rita")
		put("tok_2", "rita")
		same(t, "another user's", w.Auth.RevokeToken(w.ctx, acme, "mia", "mia", "tok_1"))
		same(t, "in another tenant", w.Auth.RevokeToken(w.ctx, globex, "erin", "", "tok_1"))
		same(t, "unknown", w.Auth.RevokeToken(w.ctx, acme, "rita", "rita", "tok_x"))
		n, epoch := len(w.entries(acme)), w.epoch(acme)
		w.ok(w.Auth.RevokeToken(w.ctx, acme, "rita", "rita", "tok_1"))
		w.ok(w.Auth.RevokeToken(w.ctx, acme, "olga", "", "tok_2"))
		added := w.entries(acme)[n:]
		is(w, "entries", len(added), 2)
		is(w, "entry", fmt.Sprint(added[1].Kind, " ", added[1].Actor, " ", string(added[1].Body)),
			string(ledger.TokenChanged)+` olga {"revoked":true,"token":"tok_2","user":"rita"}`)
		is(w, "epoch", w.epoch(acme), epoch)
		for _, id := range []string{"tok_1", "tok_2"} {
			_, _, err := w.Auth.TokenByHash(w.ctx, "hash of "+id)
			same(t, id, err)
			same(t, id, w.Auth.RevokeToken(w.ctx, acme, "rita", "rita", id))
		}
	}},
	{"PermissionsAreStoredExactly", func(_ *testing.T, w *World) {
		for p := access.Permission(0); p <= access.AllPermissions; p++ {
			tok := auth.Token{ID: fmt.Sprint("tok_", p), Hash: fmt.Sprint("h", p), Tenant: acme, User: "rita", Permissions: p}
			w.ok(w.Auth.PutToken(w.ctx, tok))
			got, _, err := w.Auth.TokenByHash(w.ctx, tok.Hash)
			w.ok(err)
			is(w, "permissions", got.Permissions, p)
		}
	}},
	{"AnIssuedTokenWithoutPermissionsHasAll", func(_ *testing.T, w *World) {
		for asked, want := range map[access.Permission]access.Permission{0: access.AllPermissions, access.Reading: access.Reading} {
			secret, err := auth.Issue(w.ctx, w.Auth, auth.Token{Tenant: acme, User: "rita", Permissions: asked})
			w.ok(err)
			actor, err := auth.Bearer(w.ctx, w.Auth, "Bearer "+secret, w.clock.Now())
			w.ok(err)
			is(w, "may", actor.May(want), true)
			is(w, "may more", actor.May(access.AllPermissions), want == access.AllPermissions)
		}
	}},
	{"ATokensUseIsNotedToTheMinute", func(t *testing.T, w *World) {
		w.ok(w.Auth.PutToken(w.ctx, auth.Token{ID: "tok_1", Hash: "h", Tenant: acme, User: "rita"}))
		used := func() time.Time {
			list, err := w.Auth.Tokens(w.ctx, acme, "rita")
			w.ok(err)
			return list[0].LastUsed
		}
		is(w, "before any use", used().IsZero(), true)
		epoch, n := w.epoch(acme), len(w.entries(acme))
		for range 3 {
			w.clock.Set(w.clock.Now().Truncate(time.Minute).Add(90 * time.Second))
			minute := w.clock.Now().Truncate(time.Minute)
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					if _, _, err := w.Auth.TokenByHash(w.ctx, "h"); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			is(w, "used", used(), minute)
		}
		is(w, "epoch", w.epoch(acme), epoch)
		is(w, "entries", len(w.entries(acme)), n)
	}},
	{"AnExpiredTokenIsNotUsed", func(_ *testing.T, w *World) {
		w.ok(w.Auth.PutToken(w.ctx, auth.Token{ID: "tok_1", Hash: "h", Tenant: acme, User: "rita", ExpiresAt: w.clock.Now()}))
		_, _, err := w.Auth.TokenByHash(w.ctx, "h")
		w.ok(err)
		list, err := w.Auth.Tokens(w.ctx, acme, "rita")
		w.ok(err)
		is(w, "used", list[0].LastUsed.IsZero(), true)
	}},
}
