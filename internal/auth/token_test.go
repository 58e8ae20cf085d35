package auth_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
)

func perms(p access.Permission) *access.Permission { return &p }

func TestATokenCarriesNoMoreThanWhatMadeIt(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h := newHouse()
		g := h.gate()
		user := rapid.SampledFrom([]access.UserID{"rita", "ada", "bot"}).Draw(rt, "maker")
		token := issue(t, h.shelf, auth.Token{Tenant: "acme", User: user, Permissions: access.Permission(rapid.IntRange(0, 31).Draw(rt, "held"))})
		maker, err := g.Bearer(t.Context(), "Bearer "+token)
		ok(t, err)
		wish := auth.Wish{Name: "n"}
		if rapid.Bool().Draw(rt, "asks for scopes") {
			wish.Permissions = perms(access.Permission(rapid.IntRange(0, 31).Draw(rt, "asked")))
		}
		if user == "ada" && rapid.Bool().Draw(rt, "for a service account") {
			wish.User = "bot"
		}
		secret, made, err := g.MakeToken(t.Context(), maker, wish)
		if err != nil {
			if wish.Permissions != nil && *wish.Permissions != 0 && *wish.Permissions&maker.Withheld == 0 && wish.User != "bot" {
				rt.Fatalf("refused: %v", err)
			}
			return
		}
		child, err := g.Bearer(t.Context(), "Bearer "+secret)
		ok(t, err)
		if child.Withheld&maker.Withheld != maker.Withheld {
			rt.Fatalf("%v withholds less than %v", child.Withheld.Names(), maker.Withheld.Names())
		}
		if child.Service && (made.Permissions&access.Deciding != 0 || child.May(access.Deciding)) {
			rt.Fatal("a service account got a token to decide with")
		}
		if wish.Permissions != nil && made.Permissions != *wish.Permissions {
			rt.Fatalf("asked for %v, got %v", wish.Permissions.Names(), made.Permissions.Names())
		}
	})
}

func TestWhoMayMakeATokenForWhom(t *testing.T) {
	h := newHouse()
	g := h.gate()
	readOnly := adas
	readOnly.Withheld = access.AllPermissions &^ access.Reading
	for name, c := range map[string]struct {
		by   access.Actor
		wish auth.Wish
		code string
	}{
		"one's own":                        {ritas, auth.Wish{Name: "a"}, ""},
		"one's own by name":                {ritas, auth.Wish{Name: "a", User: "rita"}, ""},
		"a service account by its own":     {access.Actor{Tenant: "acme", User: "bot", Service: true, Withheld: access.Deciding}, auth.Wish{Name: "a"}, ""},
		"an administrator for a service":   {adas, auth.Wish{Name: "a", User: "bot"}, ""},
		"the operator for a person":        {access.Actor{Tenant: "acme", User: "ada", Operator: true}, auth.Wish{Name: "a", User: "rita"}, ""},
		"a member for a service":           {ritas, auth.Wish{Name: "a", User: "bot"}, "not_found"},
		"a member for nobody":              {ritas, auth.Wish{Name: "a", User: "zzz"}, "not_found"},
		"an administrator for a person":    {adas, auth.Wish{Name: "a", User: "rita"}, "invalid_request"},
		"an administrator for nobody":      {adas, auth.Wish{Name: "a", User: "zzz"}, "invalid_request"},
		"no name":                          {ritas, auth.Wish{}, "invalid_request"},
		"a name of control":                {ritas, auth.Wish{Name: "a\nb"}, "invalid_request"},
		"expired at once":                  {ritas, auth.Wish{Name: "a", ExpiresAt: now}, "invalid_request"},
		"no scope":                         {ritas, auth.Wish{Name: "a", Permissions: perms(0)}, "invalid_scope"},
		"more than held":                   {readOnly, auth.Wish{Name: "a", Permissions: perms(access.Asking)}, "insufficient_scope"},
		"more than held for a service":     {readOnly, auth.Wish{Name: "a", User: "bot", Permissions: perms(access.Asking)}, "insufficient_scope"},
		"deciding by a service":            {adas, auth.Wish{Name: "a", User: "bot", Permissions: perms(access.Deciding)}, "invalid_scope"},
		"nothing left for a service":       {access.Actor{Tenant: "acme", User: "ada", Withheld: access.AllPermissions &^ access.Deciding}, auth.Wish{Name: "a", User: "bot"}, "invalid_scope"},
		"more than held, in the same word": {readOnly, auth.Wish{Name: "a", Permissions: perms(access.AllPermissions)}, "insufficient_scope"},
	} {
		h.tokens = map[string]auth.Token{}
		secret, made, err := g.MakeToken(t.Context(), c.by, c.wish)
		if c.code == "" {
			if err != nil || h.tokens[auth.HashToken(secret)].ID != made.ID || made.Maker != c.by.User {
				t.Errorf("%s: %v %+v", name, err, made)
			}
			continue
		}
		if err == nil || problem.CodeOf(err) != c.code || secret != "" || len(h.tokens) != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTokensAreListedAndRevokedByTheirOwnersAndByAdministrators(t *testing.T) {
	h := newHouse()
	g := h.gate()
	for _, tok := range []auth.Token{
		{ID: "r1", User: "rita"}, {ID: "r2", User: "rita"}, {ID: "n1", User: "nell"}, {ID: "x1", User: "rita", Tenant: "globex"},
	} {
		if tok.Tenant == "" {
			tok.Tenant = "acme"
		}
		tok.Name, tok.CreatedAt = tok.ID, now.Add(time.Hour)
		issue(t, h.shelf, tok)
	}
	ids := func(by access.Actor, user access.UserID) (out []string) {
		list, err := g.ListTokens(t.Context(), by, user)
		if err != nil {
			return []string{problem.CodeOf(err)}
		}
		for _, tok := range list {
			out = append(out, tok.ID)
		}
		return out
	}
	for name, got := range map[string][]string{
		"own": ids(ritas, ""), "own by name": ids(ritas, "rita"), "as administrator": ids(adas, "rita"),
	} {
		if d := cmp.Diff([]string{"r1", "r2"}, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for name, got := range map[string][]string{
		"another's": ids(ritas, "nell"), "nobody's": ids(ritas, "zzz"), "nobody's as administrator": ids(adas, "zzz"),
	} {
		if d := cmp.Diff([]string{"not_found"}, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for _, c := range []struct {
		by   access.Actor
		id   string
		code string
	}{
		{ritas, "n1", "not_found"}, {ritas, "x1", "not_found"}, {ritas, "zzz", "not_found"}, {adas, "x1", "not_found"},
		{ritas, "r1", ""}, {ritas, "r1", "not_found"}, {adas, "n1", ""},
	} {
		err := g.RevokeToken(t.Context(), c.by, c.id)
		if (err == nil) != (c.code == "") || err != nil && problem.CodeOf(err) != c.code {
			t.Errorf("%s revokes %s: %v", c.by.User, c.id, err)
		}
	}
	if len(h.tokens) != 2 {
		t.Errorf("left: %v", h.tokens)
	}
}
