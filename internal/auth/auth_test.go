package auth_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
)

// shelf is a store of tokens in memory.
type shelf struct {
	tokens map[string]auth.Token
	users  map[access.UserID]access.Identity
	broken error
}

func newShelf() *shelf {
	return &shelf{tokens: map[string]auth.Token{}, users: map[access.UserID]access.Identity{"rita": {User: "rita"}, "bot": {User: "bot", Service: true}}}
}

func (s *shelf) PutToken(_ context.Context, t auth.Token) error {
	if s.broken != nil {
		return s.broken
	}
	s.tokens[t.Hash] = t
	return nil
}

func (s *shelf) TokenByHash(_ context.Context, hash string) (auth.Token, access.Identity, error) {
	if s.broken != nil {
		return auth.Token{}, access.Identity{}, s.broken
	}
	t, ok := s.tokens[hash]
	if !ok {
		return auth.Token{}, access.Identity{}, problem.Missing()
	}
	return t, s.users[t.User], nil
}

func (s *shelf) Tokens(_ context.Context, tenant access.TenantID, user access.UserID) (out []auth.Token, err error) {
	for _, t := range s.tokens {
		if t.Tenant == tenant && (user == "" || t.User == user) {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b auth.Token) int { return strings.Compare(a.Name, b.Name) })
	return out, s.broken
}

func (s *shelf) RevokeToken(_ context.Context, tenant access.TenantID, _, user access.UserID, id string) error {
	for hash, t := range s.tokens {
		if t.Tenant == tenant && t.ID == id && (user == "" || t.User == user) {
			delete(s.tokens, hash)
			return nil
		}
	}
	return problem.Missing()
}

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func issue(t *testing.T, s *shelf, tok auth.Token) string {
	t.Helper()
	secret, err := auth.Issue(context.Background(), s, tok)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

func TestAnIssuedTokenIsStoredAsItsHashAlone(t *testing.T) {
	s := newShelf()
	secret := issue(t, s, auth.Token{Tenant: "acme", User: "rita", Name: "laptop"})
	if !strings.HasPrefix(secret, "kj_") || len(secret) != 3+43 {
		t.Fatalf("the secret is %q", secret)
	}
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(secret)))
	stored, ok := s.tokens[hash]
	if !ok {
		t.Fatalf("it is not stored under its hash: %v", s.tokens)
	}
	if dump := fmt.Sprintf("%+v", s.tokens); strings.Contains(dump, secret) || strings.Contains(dump, secret[3:]) {
		t.Fatal("the secret itself is stored")
	}
	if !strings.HasPrefix(stored.ID, "tok_") || stored.Name != "laptop" || stored.User != "rita" {
		t.Fatalf("stored %+v", stored)
	}
}

func TestNoTwoTokensAreAlike(t *testing.T) {
	s, seen := newShelf(), map[string]bool{}
	for range 1000 {
		secret := issue(t, s, auth.Token{User: "rita"})
		if seen[secret] {
			t.Fatal("a secret was issued twice")
		}
		seen[secret] = true
	}
	ids := map[string]bool{}
	for _, tok := range s.tokens {
		ids[tok.ID] = true
	}
	if len(s.tokens) != 1000 || len(ids) != 1000 {
		t.Fatalf("%d tokens with %d ids", len(s.tokens), len(ids))
	}
}

func TestAChosenIdIsKeptAndAFailureIsReturned(t *testing.T) {
	s := newShelf()
	issue(t, s, auth.Token{ID: "tok_own", User: "rita"})
	for _, tok := range s.tokens {
		if tok.ID != "tok_own" {
			t.Fatalf("id %q", tok.ID)
		}
	}
	s.broken = errors.New("disk")
	if _, err := auth.Issue(context.Background(), s, auth.Token{User: "rita"}); !errors.Is(err, s.broken) {
		t.Fatalf("got %v", err)
	}
}

func TestAValidTokenNamesItsActor(t *testing.T) {
	s := newShelf()
	for user, service := range map[access.UserID]bool{"rita": false, "bot": true} {
		secret := issue(t, s, auth.Token{Tenant: "acme", User: user, ExpiresAt: now.Add(time.Second), Permissions: access.Reading | access.Deciding})
		withheld := access.Asking | access.Writing | access.Running
		if service {
			withheld |= access.Deciding
		}
		for _, header := range []string{"Bearer " + secret, "bearer " + secret, "BEARER   " + secret + " "} {
			actor, err := auth.Bearer(context.Background(), s, header, now)
			if err != nil {
				t.Fatalf("%q: %v", header, err)
			}
			if d := cmp.Diff(access.Actor{Tenant: "acme", User: user, Service: service, Withheld: withheld}, actor); d != "" {
				t.Fatal(d)
			}
		}
	}
}

func TestEveryBadCredentialIsRefusedInTheSameWords(t *testing.T) {
	s := newShelf()
	good := issue(t, s, auth.Token{User: "rita"})
	expired := issue(t, s, auth.Token{User: "rita", ExpiresAt: now})
	suspended := issue(t, s, auth.Token{User: "sue"})
	s.users["sue"] = access.Identity{User: "sue", Suspended: true}
	want := "A valid token or session is needed: send Authorization: Bearer TOKEN, or sign in."
	for name, header := range map[string]string{
		"none": "", "no scheme": good, "another scheme": "Basic " + good, "no token": "Bearer ", "no space": "Bearer", "unknown": "Bearer kj_unknown",
		"the hash": "Bearer " + auth.HashToken(good), "expired at this very moment": "Bearer " + expired, "of a suspended user": "Bearer " + suspended,
		"too long": "Bearer " + strings.Repeat("x", 513), "another case": "Bearer " + strings.ToUpper(good), "cut": "Bearer " + good[:len(good)-1],
	} {
		actor, err := auth.Bearer(context.Background(), s, header, now)
		if !problem.Is(err, problem.Denied) || problem.CodeOf(err) != "unauthenticated" || err.Error() != want || actor != (access.Actor{}) {
			t.Errorf("%s: %+v, %v", name, actor, err)
		}
	}
}

func TestAStoredTokenOfNoPermissionsIsGoodForNothing(t *testing.T) {
	s := newShelf()
	s.tokens[auth.HashToken("kj_bare")] = auth.Token{Tenant: "acme", User: "rita"}
	actor, err := auth.Bearer(context.Background(), s, "Bearer kj_bare", now)
	if err != nil || actor.Withheld != access.AllPermissions {
		t.Fatalf("%+v, %v", actor, err)
	}
	actor, err = auth.Bearer(context.Background(), s, "Bearer "+issue(t, s, auth.Token{User: "rita"}), now)
	if err != nil || actor.Withheld != 0 {
		t.Fatalf("the operator's token without a list: %+v, %v", actor, err)
	}
}

func TestAFailingStoreIsNotARefusal(t *testing.T) {
	s := newShelf()
	secret := issue(t, s, auth.Token{User: "rita"})
	s.broken = problem.New(problem.Unavailable, "storage", "The store is away.")
	if _, err := auth.Bearer(context.Background(), s, "Bearer "+secret, now); !problem.Is(err, problem.Unavailable) {
		t.Fatalf("got %v", err)
	}
}
