package oidc

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/outbound"
)

// The description of a provider is read anew after a while, which also forgets keys that it no
// longer publishes; a failed attempt is not repeated at once.
const (
	fresh = time.Hour
	pause = 5 * time.Second
)

// description is what a provider says of itself, checked.
type description struct {
	EndSession  string   `json:"end_session_endpoint"`
	Keys        string   `json:"jwks_uri"`
	Algorithms  []string `json:"id_token_signing_alg_values_supported"`
	Methods     []string `json:"token_endpoint_auth_methods_supported"`
	NamesItself bool     `json:"authorization_response_iss_parameter_supported"`

	oauth    oauth2.Config
	verifier *oidc.IDTokenVerifier
}

// learn returns the provider's description, from memory where it is fresh. Where it cannot be read
// anew, the one before holds.
func (p *Provider) learn() (*description, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conf.Clock().Before(p.again) {
		if p.known != nil {
			return p.known, nil
		}
		return nil, p.failed
	}
	d, err := p.read()
	if err == nil {
		p.known, p.failed, p.again = d, nil, p.conf.Clock().Add(fresh)
		return d, nil
	}
	p.failed, p.again = err, p.conf.Clock().Add(pause)
	if p.known != nil {
		return p.known, nil
	}
	return nil, err
}

// read asks the provider. No request of a person's ends it early: others wait for the same.
func (p *Provider) read() (*description, error) {
	provider, err := oidc.NewProvider(p.client, p.conf.Issuer)
	var other *oidc.IssuerMismatchError
	switch {
	case errors.As(err, &other):
		return nil, auth.Away("its description names another issuer")
	case err != nil:
		return nil, auth.Away("its description cannot be read")
	}
	var d description
	if err := provider.Claims(&d); err != nil {
		return nil, auth.Away("its description is malformed")
	}
	for what, a := range map[string]string{"authorization": provider.Endpoint().AuthURL, "token": provider.Endpoint().TokenURL, "keys": d.Keys} {
		if !p.permits(a) {
			return nil, auth.Away("its address for " + what + " is not on a host that the settings name")
		}
	}
	if d.EndSession != "" && !p.permits(d.EndSession) {
		return nil, auth.Away("its address for signing out is not on a host that the settings name")
	}
	d.oauth = oauth2.Config{
		ClientID: p.conf.ClientID, ClientSecret: p.conf.ClientSecret, RedirectURL: p.conf.RedirectURL, Scopes: p.conf.Scopes,
		Endpoint: provider.Endpoint(),
	}
	if d.oauth.Endpoint.AuthStyle, err = p.style(d.Methods); err != nil {
		return nil, err
	}
	d.verifier = oidc.NewVerifier(p.conf.Issuer, keySet{oidc.NewRemoteKeySet(p.client, d.Keys)}, &oidc.Config{
		ClientID: p.conf.ClientID, Now: p.conf.Clock, SupportedSigningAlgs: asymmetric(d.Algorithms),
	})
	return &d, nil
}

// permits reports whether an address of the description may be used: on a host that the settings
// name, and as protected as the issuer itself.
func (p *Provider) permits(raw string) bool {
	u, err := outbound.ParseURL(raw)
	return err == nil && slices.Contains(p.conf.Hosts, outbound.HostPort(u)) && (u.Scheme == "https" || p.issuer.Scheme == "http" && outbound.Loopback(u))
}

// style says how the client proves itself. One style is chosen, so that a code is never sent twice.
func (p *Provider) style(methods []string) (oauth2.AuthStyle, error) {
	switch {
	case p.conf.ClientSecret == "":
		return oauth2.AuthStyleInParams, nil
	case len(methods) == 0 || slices.Contains(methods, "client_secret_basic"):
		return oauth2.AuthStyleInHeader, nil
	case slices.Contains(methods, "client_secret_post"):
		return oauth2.AuthStyleInParams, nil
	}
	return 0, auth.Away("it takes no client secret")
}

// asymmetric keeps the algorithms whose keys the provider can publish. None, and those that sign
// with a shared secret, are never among them.
func asymmetric(offered []string) (out []string) {
	for _, a := range []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA} {
		if slices.Contains(offered, a) {
			out = append(out, a)
		}
	}
	if out == nil {
		return []string{oidc.RS256}
	}
	return out
}

// keySet tells keys that could not be fetched from signatures that are wrong: of the first kind
// nothing follows for whoever is signing in.
type keySet struct{ remote *oidc.RemoteKeySet }

type unfetched struct{}

// VerifySignature implements oidc.KeySet.
func (k keySet) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	payload, err := k.remote.VerifySignature(ctx, jwt)
	if flag, ok := ctx.Value(unfetched{}).(*bool); ok && err != nil && strings.HasPrefix(err.Error(), "fetching keys ") {
		*flag = true
	}
	return payload, err
}
