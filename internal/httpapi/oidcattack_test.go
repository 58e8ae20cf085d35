package httpapi

import (
	"crypto"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/auth/oidc/oidctest"
)

// shared signs with a secret that both sides would have to know: the text of the public key, or
// the client's secret.
func shared(secret []byte) func(string) string {
	return func(signed string) string {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(signed))
		return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
}

func claim(name string, value any) func(*oidctest.Provider) {
	return func(p *oidctest.Provider) {
		p.Claims = func(c map[string]any) {
			if c[name] = value; value == nil {
				delete(c, name)
			}
		}
	}
}

func header(name string, value any) func(*oidctest.Provider) {
	return func(p *oidctest.Provider) { p.Header = func(h map[string]any) { h[name] = value } }
}

// payload replaces a text of the claims as they are signed.
func payload(old, with string) func(*oidctest.Provider) {
	return func(p *oidctest.Provider) {
		p.Seal = func(signed string) string {
			head, body, _ := strings.Cut(signed, ".")
			raw, _ := base64.RawURLEncoding.DecodeString(body)
			return p.Sign(head + "." + base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(raw), old, with, 1))))
		}
	}
}

// confused claims an algorithm that signs with a shared secret.
func confused(secret func(*oidctest.Provider) []byte) func(*oidctest.Provider) {
	return func(p *oidctest.Provider) {
		header("alg", "HS256")(p)
		p.Seal = func(signed string) string { return shared(secret(p))(signed) }
	}
}

// attacks are ID tokens that the provider's own token endpoint brings, each wrong in one point.
var attacks = map[string]func(*oidctest.Provider){
	"another issuer":             claim("iss", "https://evil.example"),
	"no issuer":                  claim("iss", nil),
	"another audience":           claim("aud", "another-client"),
	"no audience":                claim("aud", nil),
	"several without a party":    claim("aud", []string{oidctest.ClientID, "another-client"}),
	"another party":              claim("azp", "another-client"),
	"a party that is no text":    claim("azp", []string{oidctest.ClientID}),
	"expired":                    claim("exp", time.Now().Add(-time.Minute).Unix()),
	"without an end":             claim("exp", nil),
	"issued long ago":            claim("iat", time.Now().Add(-time.Hour).Unix()),
	"issued in the future":       claim("iat", time.Now().Add(time.Hour).Unix()),
	"issued at no time":          claim("iat", nil),
	"not valid yet":              claim("nbf", time.Now().Add(time.Hour).Unix()),
	"no nonce":                   claim("nonce", nil),
	"another nonce":              claim("nonce", "replayed"),
	"an empty nonce":             claim("nonce", ""),
	"no subject":                 claim("sub", nil),
	"an empty subject":           claim("sub", ""),
	"a number as subject":        claim("sub", 7),
	"a subject with a control":   claim("sub", "a\x00b"),
	"a subject without an end":   claim("sub", strings.Repeat("s", 256)),
	"a claim twice":              payload(`"sub":"`, `"sub":"admin","sub":"`),
	"a claim in another case":    payload(`"sub":"`, `"Sub":"admin","sub":"`),
	"an audience in disguise":    payload(`"aud":"kaoju"`, `"aud":"kaoju","\u0061ud":"other"`),
	"a nonce by a folding key":   payload(`"nonce":"`, `"NONCE":"x","nonce":"`),
	"of the kind of a logout":    header("typ", "logout+jwt"),
	"of the kind of an access":   header("typ", "at+jwt"),
	"an unknown key":             header("kid", "unknown"),
	"a key that is a path":       header("kid", "../../dev/null"),
	"a key that is a query":      header("kid", "x' UNION SELECT 'secret"),
	"a critical extension":       header("crit", []string{"exp"}),
	"a header of a megabyte":     header("x", strings.Repeat("x", 1<<20)),
	"a payload of many kilobyte": claim("x", strings.Repeat("x", 80<<10)),
	"the algorithm none": func(p *oidctest.Provider) {
		header("alg", "none")(p)
		p.Seal = func(signed string) string { return signed + "." }
	},
	"none in other letters": func(p *oidctest.Provider) {
		header("alg", "nOnE")(p)
		p.Seal = func(signed string) string { return signed + "." }
	},
	"no signature":  func(p *oidctest.Provider) { p.Seal = func(signed string) string { return signed + "." } },
	"no third part": func(p *oidctest.Provider) { p.Seal = func(signed string) string { return signed } },
	"a changed payload": func(p *oidctest.Provider) {
		p.Seal = func(s string) string { return s[:len(s)-2] + "fQ." + p.Sign(s)[len(s)+1:] }
	},
	"the public key as a shared secret": confused(func(p *oidctest.Provider) []byte {
		der, _ := x509.MarshalPKIXPublicKey(p.Public())
		return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	}),
	"the modulus as a shared secret":         confused(func(p *oidctest.Provider) []byte { return p.Public().N.Bytes() }),
	"the client's secret as a shared secret": confused(func(*oidctest.Provider) []byte { return []byte(oidctest.Secret) }),
	"a key of its own in the header": func(p *oidctest.Provider) {
		public, private, _ := ed25519.GenerateKey(rand.Reader)
		p.Header = func(h map[string]any) {
			h["alg"], h["jwk"] = "EdDSA", map[string]any{"kty": "OKP", "crv": "Ed25519", "x": base64.RawURLEncoding.EncodeToString(public)}
		}
		p.Seal = func(s string) string {
			return s + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(private, []byte(s)))
		}
	},
	"a key at an address in the header": func(p *oidctest.Provider) {
		key, _ := rsa.GenerateKey(rand.Reader, 2048)
		p.Header = func(h map[string]any) { h["jku"], h["x5u"] = "https://evil.example/keys", "https://evil.example/keys" }
		p.Seal = func(s string) string {
			sum := sha256.Sum256([]byte(s))
			signature, _ := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
			return s + "." + base64.RawURLEncoding.EncodeToString(signature)
		}
	},
	"no token at all": func(p *oidctest.Provider) { p.Seal = func(string) string { return "" } },
	"nonsense":        func(p *oidctest.Provider) { p.Seal = func(string) string { return "a.b.c" } },
}

func TestATokenThatIsWrongInOnePointOpensNothing(t *testing.T) {
	h := newHouse(t)
	before := len(h.users())
	var first string
	for name, attack := range attacks {
		h.idp.Claims, h.idp.Header, h.idp.Seal = nil, nil, nil
		attack(h.idp)
		b := h.browser()
		status, body := b.signIn()
		if name == "a header of a megabyte" { // It is larger than any answer of a provider that is read.
			h.refusedAs(name, status, body, http.StatusServiceUnavailable, "provider_unavailable")
		} else {
			h.refusedAs(name, status, body, http.StatusUnauthorized, "unauthenticated")
			if first == "" {
				first = body
			}
			if body != first {
				t.Errorf("%s is answered in words of its own: %s", name, body)
			}
		}
		if who := b.who(); who != "" {
			t.Errorf("%s signed %s in", name, who)
		}
	}
	if n := len(h.users()); n != before {
		t.Errorf("%d people were made", n-before)
	}
	h.idp.Claims, h.idp.Header, h.idp.Seal = nil, nil, nil
	h.browser().in()
	if log := h.log.String(); strings.Contains(log, oidctest.Secret) || strings.Contains(log, "evil.example") || strings.Contains(log, "eyJ") {
		t.Error("the log repeats what was sent")
	}
}

func TestOnlyTheBrowserThatBeganASignInEndsIt(t *testing.T) {
	h := newHouse(t)
	victim, attacker := h.browser(), h.browser()
	for name, who := range map[string]*browser{"one without a sign-in": victim, "one with a sign-in of its own": attacker} {
		if who == attacker {
			attacker.halfway()
		}
		callback := h.browser().halfway()
		status, body := who.open(callback)
		h.refusedAs(name, status, body, http.StatusBadRequest, "sign_in_stale")
		if who.who() != "" {
			t.Errorf("%s is signed in", name)
		}
	}
	// What a stranger's address made of it does not end a sign-in that is under way.
	own := attacker.halfway()
	attacker.open("/auth/oidc/callback?state=x&code=y")
	if status, body := attacker.open(own); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
}

func TestAReplyIsTakenOnce(t *testing.T) {
	h := newHouse(t)
	h.idp.Forgetful = true // It would give a token for the same code again and again.
	b := h.browser()
	callback := b.halfway()
	u, err := url.Parse(callback)
	must(t, err)
	kept := b.Jar.Cookies(u)
	if status, body := b.open(callback); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	asked := h.idp.Asked("/token")
	thief := h.browser()
	thief.Jar.SetCookies(u, kept)
	status, body := thief.open(callback)
	h.refusedAs("the same again", status, body, http.StatusBadRequest, "sign_in_stale")
	if thief.who() != "" || h.idp.Asked("/token") != asked {
		t.Error("the code was sent again")
	}
	// Of many at once, one gets in.
	racer := h.browser()
	callback = racer.halfway()
	kept = racer.Jar.Cookies(u)
	var wait sync.WaitGroup
	var mu sync.Mutex
	codes := map[int]int{}
	for range 20 {
		one := h.browser()
		one.Jar.SetCookies(u, kept)
		wait.Go(func() {
			resp, err := one.Get(callback)
			if err != nil {
				t.Error(err)
				return
			}
			_ = resp.Body.Close()
			mu.Lock()
			defer mu.Unlock()
			codes[resp.StatusCode]++
		})
	}
	wait.Wait()
	if codes[200] != 1 || codes[400] != 19 {
		t.Errorf("%v", codes)
	}
}

// Somebody's code, or the token that it brought, in the reply to somebody else's sign-in.
func TestACodeBelongsToTheSignInThatAskedForIt(t *testing.T) {
	h := newHouse(t)
	for name, forgetful := range map[string]bool{"the provider holds the code against its challenge": false, "the provider forgets, and the nonce tells": true} {
		h.idp.Forgetful = forgetful
		stolen, err := url.Parse(h.browser().halfway())
		must(t, err)
		victim := h.browser()
		own, err := url.Parse(victim.halfway())
		must(t, err)
		q := own.Query()
		q.Set("code", stolen.Query().Get("code"))
		own.RawQuery = q.Encode()
		status, body := victim.open(own.String())
		h.refusedAs(name, status, body, http.StatusUnauthorized, "unauthenticated")
		if victim.who() != "" {
			t.Errorf("%s: signed in", name)
		}
	}
}

func TestAReplyWithAnotherStateOrIssuerSendsNoCode(t *testing.T) {
	h := newHouse(t)
	for name, c := range map[string]struct {
		reply  func(url.Values)
		status int
		code   string
	}{
		"no state":            {func(q url.Values) { q.Del("state") }, 400, "sign_in_stale"},
		"an empty state":      {func(q url.Values) { q.Set("state", "") }, 400, "sign_in_stale"},
		"another state":       {func(q url.Values) { q.Set("state", "x") }, 400, "sign_in_stale"},
		"a longer state":      {func(q url.Values) { q.Set("state", q.Get("state")+"x") }, 400, "sign_in_stale"},
		"two states":          {func(q url.Values) { q.Add("state", "x") }, 400, "sign_in_stale"},
		"two codes":           {func(q url.Values) { q.Add("code", "x") }, 400, "sign_in_stale"},
		"two issuers":         {func(q url.Values) { q.Add("iss", "https://evil.example") }, 400, "sign_in_stale"},
		"another issuer":      {func(q url.Values) { q.Set("iss", "https://evil.example") }, 401, "unauthenticated"},
		"its issuer unnamed":  {func(q url.Values) { q.Del("iss") }, 401, "unauthenticated"},
		"its issuer and more": {func(q url.Values) { q.Set("iss", q.Get("iss")+"/") }, 401, "unauthenticated"},
		"no code":             {func(q url.Values) { q.Del("code") }, 401, "unauthenticated"},
		"a refusal":           {func(q url.Values) { q.Set("error", "access_denied") }, 401, "unauthenticated"},
		"a refusal for now":   {func(q url.Values) { q.Set("error", "temporarily_unavailable") }, 503, "provider_unavailable"},
	} {
		h.idp.Reply = c.reply
		b := h.browser()
		status, body := b.signIn()
		h.refusedAs(name, status, body, c.status, c.code)
		if b.who() != "" || strings.Contains(body, "evil") {
			t.Errorf("%s: %s", name, body)
		}
	}
	if n := h.idp.Asked("/token"); n != 0 {
		t.Errorf("%d codes were sent", n)
	}
}

// other changes the first character of a text.
func other(s string) string {
	if s[0] == 'A' {
		return "B" + s[1:]
	}
	return "A" + s[1:]
}

func TestASignInThatIsTamperedWithOrLateIsRefused(t *testing.T) {
	h := newHouse(t)
	u, err := url.Parse(h.url + "/auth/oidc/callback")
	must(t, err)
	for name, change := range map[string]func(string) string{
		"cut": func(s string) string { return s[:len(s)-4] }, "changed": other, "longer": func(s string) string { return s + "AAAA" },
		"another alphabet": func(s string) string { return s + "=" }, "huge": func(s string) string { return strings.Repeat("A", 5000) },
	} {
		b := h.browser()
		callback := b.halfway()
		for _, c := range b.Jar.Cookies(u) {
			b.Jar.SetCookies(u, []*http.Cookie{{Name: c.Name, Value: change(c.Value), Path: "/auth/oidc"}})
		}
		status, body := b.open(callback)
		h.refusedAs(name, status, body, http.StatusBadRequest, "sign_in_stale")
	}
	at := time.Now()
	h.set(at)
	late, punctual := h.browser(), h.browser()
	lateTo, punctualTo := late.halfway(), punctual.halfway()
	h.set(at.Add(auth.SignInTime - time.Second))
	if status, body := punctual.open(punctualTo); status != http.StatusOK {
		t.Errorf("in time: %d %s", status, body)
	}
	h.set(at.Add(auth.SignInTime))
	status, body := late.open(lateTo)
	h.refusedAs("late", status, body, http.StatusBadRequest, "sign_in_stale")
}
