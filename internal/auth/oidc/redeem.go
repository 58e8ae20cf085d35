package oidc

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/kaoju/kaoju/internal/auth"
)

// skew is how far the provider's clock may be from ours.
const skew = 5 * time.Minute

// Redeem implements auth.Provider.
func (p *Provider) Redeem(ctx context.Context, reply auth.Reply, c auth.Challenge) (auth.Claims, error) {
	d, err := p.learn()
	if err != nil {
		return auth.Claims{}, err
	}
	switch {
	case reply.Issuer != "" && reply.Issuer != p.conf.Issuer, reply.Issuer == "" && d.NamesItself:
		return auth.Claims{}, auth.Unwelcome("the reply is not this issuer's")
	case reply.Error == "server_error" || reply.Error == "temporarily_unavailable":
		return auth.Claims{}, auth.Away("it says so itself")
	case reply.Error != "" || reply.Code == "":
		return auth.Claims{}, auth.Unwelcome("the provider let nobody in")
	}
	token, err := d.oauth.Exchange(p.with(ctx), reply.Code, oauth2.VerifierOption(c.Verifier))
	if err != nil {
		return auth.Claims{}, refused(err)
	}
	raw, _ := token.Extra("id_token").(string)
	return p.verify(ctx, d, raw, c.Nonce)
}

// refused says why a code brought no token. What the provider sent is not repeated: it may hold
// anything, the client's secret too.
func refused(err error) error {
	var r *oauth2.RetrieveError
	if !errors.As(err, &r) {
		return auth.Away("no answer to the code")
	}
	switch {
	case r.ErrorCode == "invalid_grant":
		return auth.Unwelcome("the provider refuses the code")
	case r.ErrorCode == "invalid_client" || r.ErrorCode == "unauthorized_client" || r.Response.StatusCode == http.StatusUnauthorized:
		return auth.Away("it refuses the client id or its secret")
	}
	return auth.Away("an error in answer to the code")
}

// verify checks an ID token in every point and reads what it says.
func (p *Provider) verify(ctx context.Context, d *description, raw, nonce string) (auth.Claims, error) {
	if raw == "" || len(raw) > maxToken || !typed(raw, "", "JWT") {
		return auth.Claims{}, auth.Unwelcome("no ID token of the usual form")
	}
	away := new(bool)
	token, err := d.verifier.Verify(context.WithValue(ctx, unfetched{}, away), raw)
	switch {
	case *away:
		return auth.Claims{}, auth.Away("its keys cannot be fetched")
	case err != nil:
		return auth.Claims{}, auth.Unwelcome("the ID token is not valid")
	}
	var payload json.RawMessage
	if err := token.Claims(&payload); err != nil {
		return auth.Claims{}, auth.Unwelcome("the ID token is not valid")
	}
	claims, ok := members(payload)
	if !ok || !p.ours(token, claims) {
		return auth.Claims{}, auth.Unwelcome("the ID token was made for another party, or is ambiguous")
	}
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(nonce)) != 1 || nonce == "" {
		return auth.Claims{}, auth.Unwelcome("the ID token answers another sign-in")
	}
	if !auth.ValidSubject(token.Subject) {
		return auth.Claims{}, auth.Unwelcome("the subject is none")
	}
	return auth.Claims{
		Subject: token.Subject, SID: text(claims["sid"]), Name: text(claims[p.conf.NameClaim]), Groups: texts(claims[p.conf.GroupsClaim]),
	}, nil
}

// ours reports whether a token was made for this client and not long ago. The library has checked
// that we are among its audience; a token for several must say that we asked for it.
func (p *Provider) ours(token *oidc.IDToken, claims map[string]json.RawMessage) bool {
	party, named := claims["azp"]
	if named && text(party) != p.conf.ClientID || !named && len(token.Audience) > 1 {
		return false
	}
	return slices.Contains(token.Audience, p.conf.ClientID) && p.recent(token.IssuedAt)
}

// recent reports whether something was issued within the time that a person may take.
func (p *Provider) recent(issued time.Time) bool {
	age := p.conf.Clock().Sub(issued)
	return age <= auth.SignInTime+skew && age >= -skew
}
