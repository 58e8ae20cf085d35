// Package oidc is a relying party of one OpenID Connect provider.
//
// It speaks to the provider through the guarded client alone, to the hosts that the operator named
// and to no others, wherever the provider's own description points. It verifies all that the
// provider says: signature by an asymmetric algorithm, issuer, audience, authorised party, times,
// nonce, and that no claim stands twice. Whom that lets in is decided in package auth.
package oidc

import (
	"context"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/problem"
)

// Bounds of what a provider may send and how long it may take.
const (
	maxResponse = 1 << 20
	maxToken    = 64 << 10
	timeout     = 10 * time.Second
)

// Config says which provider, as whom, and what to ask of it. Values are taken as they stand.
type Config struct {
	Issuer, ClientID string
	ClientSecret     string // "" for a client without one
	RedirectURL      string // where the provider sends browsers back to
	Scopes           []string
	// NameClaim and GroupsClaim are the names of claims of the ID token; "" asks for none.
	NameClaim, GroupsClaim string
	// Hosts are the provider's further hosts as "host:port", beside that of the issuer.
	Hosts []string
	Clock func() time.Time
}

// CallbackPath is where the redirect address leads on this server.
const CallbackPath = "/auth/oidc/callback"

// Provider implements auth.Provider. It is safe for concurrent use.
type Provider struct {
	conf   Config
	issuer *url.URL
	client context.Context // carries the guarded client, as the libraries want it

	mu     sync.Mutex
	known  *description
	failed error // of the last attempt to learn it
	again  time.Time
}

// New makes a relying party without asking the provider anything. A setting that cannot be right
// is problem.Invalid "invalid_oidc", in words that repeat no secret.
func New(conf Config) (*Provider, error) {
	if conf.Clock == nil {
		conf.Clock = time.Now
	}
	issuer, err := address("issuer", conf.Issuer)
	if err != nil {
		return nil, err
	}
	back, err := address("redirect address", conf.RedirectURL)
	if err != nil {
		return nil, err
	}
	switch {
	case !strings.HasSuffix(back.Path, CallbackPath):
		return nil, wrong("the redirect address must end in %s", CallbackPath)
	case conf.ClientID == "":
		return nil, wrong("a client id is needed")
	case !slices.Contains(conf.Scopes, "openid"):
		return nil, wrong("the scopes must hold openid")
	}
	allow := []string{outbound.HostPort(issuer)}
	for _, h := range conf.Hosts {
		host, port, err := net.SplitHostPort(h)
		if err != nil || host == "" || port == "" {
			return nil, wrong("the further host %q is not written as host:port", h)
		}
		allow = append(allow, strings.ToLower(h))
	}
	conf.Hosts = allow
	client := outbound.New(outbound.Options{Allow: allow, MaxResponse: maxResponse, ConnectTimeout: timeout, Timeout: timeout, Redirects: -1})
	return &Provider{conf: conf, issuer: issuer, client: context.WithValue(context.Background(), oauth2.HTTPClient, client)}, nil
}

// address reads an address that secrets travel to: https, or http on this machine.
func address(what, raw string) (*url.URL, error) {
	u, err := outbound.ParseURL(raw)
	switch {
	case err != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, wrong("the %s must be a plain address without query or fragment", what)
	case u.Scheme != "https" && !outbound.Loopback(u):
		return nil, wrong("the %s must begin with https://; http:// is for this machine alone", what)
	}
	return u, nil
}

func wrong(format string, args ...any) error {
	return problem.New(problem.Invalid, "invalid_oidc", "Signing in through a provider: "+format+".", args...)
}

// Issuer implements auth.Provider.
func (p *Provider) Issuer() string { return p.conf.Issuer }

// RedirectURL is where the provider sends browsers back to.
func (p *Provider) RedirectURL() string { return p.conf.RedirectURL }

// with gives a request's context the guarded client.
func (p *Provider) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, p.client.Value(oauth2.HTTPClient))
}

// Authorization implements auth.Provider.
func (p *Provider) Authorization(_ context.Context, c auth.Challenge) (string, error) {
	d, err := p.learn()
	if err != nil {
		return "", err
	}
	return d.oauth.AuthCodeURL(c.State, oauth2.SetAuthURLParam("nonce", c.Nonce), oauth2.S256ChallengeOption(c.Verifier)), nil
}

// Departure implements auth.Provider. It names the client instead of handing the ID token back, so
// that no ID token has to be kept.
func (p *Provider) Departure(_ context.Context, back string) (string, error) {
	d, err := p.learn()
	if err != nil || d.EndSession == "" {
		return "", err
	}
	u, err := url.Parse(d.EndSession)
	if err != nil {
		return "", auth.Away("the address for signing out")
	}
	q := u.Query()
	q.Set("client_id", p.conf.ClientID)
	q.Set("post_logout_redirect_uri", back)
	u.RawQuery = q.Encode()
	return u.String(), nil
}
