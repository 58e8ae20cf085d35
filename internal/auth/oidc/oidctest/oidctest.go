// Package oidctest is an OpenID Connect provider for tests, which misbehaves as it is told.
//
// It signs with the standard library alone and shares no code with what it tests.
package oidctest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"
)

// The client that every provider knows.
const (
	ClientID = "kaoju"
	Secret   = "oidc-client-SECRET-9b1c"
)

// Provider is a running provider. Its fields are scripts, to be set before the step that they are
// for; nil ones leave things as they should be.
type Provider struct {
	URL string // the issuer
	// Person is who signs in at the provider's page: the claims about them.
	Person map[string]any
	Clock  func() time.Time
	// Describe changes the description, Reply what the browser is sent back with, Claims and Header
	// an ID token, and Seal replaces how it is signed.
	Describe func(map[string]any)
	Reply    func(url.Values)
	Claims   func(map[string]any)
	Header   func(map[string]any)
	Seal     func(signed string) string
	// Answer replaces the answer of the endpoint whose path is the key.
	Answer map[string]http.HandlerFunc
	// Forgetful takes codes again and again, and any verifier.
	Forgetful bool

	t      testing.TB
	server *httptest.Server
	mu     sync.Mutex
	key    *rsa.PrivateKey
	kid    string
	codes  map[string]url.Values
	asked  map[string]int
	tokens []string
}

// first is the first key of every provider: making one takes longer than all else in a test.
var first = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// New starts a provider that ends with the test.
func New(t testing.TB) *Provider {
	t.Helper()
	p := &Provider{
		t: t, Clock: time.Now, codes: map[string]url.Values{}, asked: map[string]int{}, Answer: map[string]http.HandlerFunc{},
		Person: map[string]any{"sub": "subject-1", "name": "王芳", "sid": "sid-1"},
	}
	p.key, p.kid = first(), rand.Text()
	p.server = httptest.NewServer(http.HandlerFunc(p.serve))
	p.URL = p.server.URL
	t.Cleanup(p.server.Close)
	return p
}

// Rotate replaces the key that signs; the one before is no longer published.
func (p *Provider) Rotate() {
	p.t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		p.t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.key, p.kid = key, rand.Text()
}

// Stop ends the server; Asked counts the requests of a path, and Tokens lists the ID tokens that
// were given out.
func (p *Provider) Stop() { p.server.Close() }

// Asked counts the requests of a path.
func (p *Provider) Asked(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

// Tokens lists the ID tokens that were given out.
func (p *Provider) Tokens() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.tokens)
}

func (p *Provider) serve(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked[r.URL.Path]++
	if answer := p.Answer[r.URL.Path]; answer != nil {
		answer(w, r)
		return
	}
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		p.describe(w)
	case "/keys":
		n := base64.RawURLEncoding.EncodeToString(p.key.N.Bytes())
		e := base64.RawURLEncoding.EncodeToString(big.NewInt(int64(p.key.E)).Bytes())
		write(w, http.StatusOK, map[string]any{"keys": []any{map[string]any{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": p.kid, "n": n, "e": e}}})
	case "/authorize":
		p.authorize(w, r)
	case "/token":
		p.exchange(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (p *Provider) describe(w http.ResponseWriter) {
	d := map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
		"end_session_endpoint": p.URL + "/logout", "id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"},
		"authorization_response_iss_parameter_supported": true,
	}
	if p.Describe != nil {
		p.Describe(d)
	}
	write(w, http.StatusOK, d)
}

// authorize stands for the page at which the person signs in.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for name, want := range map[string]string{"response_type": "code", "client_id": ClientID, "code_challenge_method": "S256"} {
		if q.Get(name) != want {
			p.t.Errorf("the request for a sign-in has the %s %q, want %q", name, q.Get(name), want)
		}
	}
	for _, name := range []string{"state", "nonce", "code_challenge"} {
		if len(q.Get(name)) < 43 {
			p.t.Errorf("the request for a sign-in has the %s %q", name, q.Get(name))
		}
	}
	code := rand.Text()
	p.codes[code] = q
	back := url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {p.URL}}
	if p.Reply != nil {
		p.Reply(back)
	}
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
}

func (p *Provider) exchange(w http.ResponseWriter, r *http.Request) {
	id, secret, ok := r.BasicAuth()
	if !ok || id != ClientID || secret != Secret {
		write(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client", "error_description": "the secret was " + secret})
		return
	}
	q, known := p.codes[r.PostFormValue("code")]
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	fits := base64.RawURLEncoding.EncodeToString(sum[:]) == q.Get("code_challenge") && r.PostFormValue("redirect_uri") == q.Get("redirect_uri")
	if !p.Forgetful {
		delete(p.codes, r.PostFormValue("code"))
	}
	if !known || !fits && !p.Forgetful {
		write(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	claims := maps.Clone(p.Person)
	claims["nonce"] = q.Get("nonce")
	token := p.idToken(claims)
	p.tokens = append(p.tokens, token)
	write(w, http.StatusOK, map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": token})
}

func (p *Provider) idToken(claims map[string]any) string {
	now := p.Clock()
	claims["iss"], claims["aud"], claims["iat"], claims["exp"] = p.URL, ClientID, now.Unix(), now.Add(time.Minute).Unix()
	header := map[string]any{"alg": "RS256", "typ": "JWT", "kid": p.kid}
	if p.Claims != nil {
		p.Claims(claims)
	}
	if p.Header != nil {
		p.Header(header)
	}
	return p.seal(header, claims)
}

// Notice makes a logout token about what change adds or changes: it names nobody by itself.
func (p *Provider) Notice(change func(header, claims map[string]any)) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Clock()
	claims := map[string]any{
		"iss": p.URL, "aud": ClientID, "iat": now.Unix(), "exp": now.Add(2 * time.Minute).Unix(), "jti": rand.Text(),
		"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}},
	}
	header := map[string]any{"alg": "RS256", "typ": "logout+jwt", "kid": p.kid}
	change(header, claims)
	return p.seal(header, claims)
}

func (p *Provider) seal(header, claims map[string]any) string {
	h, err := json.Marshal(header)
	if err != nil {
		p.t.Error(err)
	}
	c, err := json.Marshal(claims)
	if err != nil {
		p.t.Error(err)
	}
	signed := base64.RawURLEncoding.EncodeToString(h) + "." + base64.RawURLEncoding.EncodeToString(c)
	if p.Seal != nil {
		return p.Seal(signed)
	}
	return p.Sign(signed)
}

// Sign adds the signature of the present key.
func (p *Provider) Sign(signed string) string {
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, p.key, crypto.SHA256, sum[:])
	if err != nil {
		p.t.Error(err)
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// Public returns the present key as those have it who may only verify.
func (p *Provider) Public() *rsa.PublicKey { return &p.key.PublicKey }

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// Signer is how one key signs, for when it is no longer the present one.
type Signer struct {
	Seal   func(signed string) string
	Header func(map[string]any)
}

// Signer returns how the present key signs.
func (p *Provider) Signer() Signer {
	key, kid := p.key, p.kid
	return Signer{
		Seal:   func(signed string) string { return (&Provider{t: p.t, key: key}).Sign(signed) },
		Header: func(h map[string]any) { h["kid"] = kid },
	}
}
