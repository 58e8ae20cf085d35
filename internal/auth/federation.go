package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// FederationDeps are what signing in through a provider works with.
type FederationDeps struct {
	Gate       *Gate
	Provider   Provider
	Identities Identities
	Arrivals   Arrivals
	Key        []byte          // of OpenKey
	Tenant     access.TenantID // "": the only one there is
	// Name is how people know the provider, and Home the address to which it sends them back after
	// they signed out there.
	Name, Home string
	// Create lets people whom nobody has linked become members at their first sign-in.
	Create bool
	// Groups and Roles are what being in a group of the provider gives. Nothing gives tenant_admin:
	// who administers a tenant is decided in it.
	Groups map[string][]access.GroupID
	Roles  map[string][]access.Role
}

// Federation lets people in whom one identity provider vouches for. It is safe for concurrent use.
type Federation struct {
	deps  FederationDeps
	seals *sealer
}

// NewFederation returns a federation. A role that a provider may not give is an error.
func NewFederation(deps FederationDeps) (*Federation, error) {
	for group, roles := range deps.Roles {
		for _, r := range roles {
			if _, err := access.ParseRole(string(r)); err != nil || r == access.TenantAdmin {
				return nil, problem.New(problem.Invalid, "invalid_role", "The provider's group %q can't give the role %q: name member, knowledge_admin or auditor.", group, r)
			}
		}
	}
	seals, err := newSealer(deps.Key, "sign-in\x00"+deps.Provider.Issuer())
	if err != nil {
		return nil, err
	}
	return &Federation{deps, seals}, nil
}

// Name is how people know the provider.
func (f *Federation) Name() string { return f.deps.Name }

// Issuer is the provider's name in all that it signs.
func (f *Federation) Issuer() string { return f.deps.Provider.Issuer() }

// Secure reports whether people reach this server over TLS, as far as a provider's settings say. Of no
// federation they say nothing.
func (f *Federation) Secure() bool { return f != nil && strings.HasPrefix(f.deps.Home, "https://") }

// Below is the path under which browsers see the server, without a slash at its end: "" where it has an
// origin of its own, and of no federation, whose settings say nothing.
func (f *Federation) Below() string {
	if f == nil {
		return ""
	}
	home, err := url.Parse(f.deps.Home)
	if err != nil {
		return "" // It is the operator's setting, which was parsed when the provider was made.
	}
	return strings.TrimSuffix(home.Path, "/")
}

// SignInTime is how long a person may take at the provider.
const SignInTime = 10 * time.Minute

// Departing sends a browser to the provider. Cookie is for that browser alone.
type Departing struct {
	Location, Cookie string
	Expires          time.Time
}

// Begin sends a browser to the provider to sign in. It stores nothing. back is where the browser
// wants to be afterwards; what is no path of this server counts as "/".
func (f *Federation) Begin(ctx context.Context, back string) (Departing, error) {
	return f.begin(ctx, transaction{Return: localPath(back)})
}

// BeginLink sends the browser of a signed-in person to the provider to link the identity that it
// comes back with. secret is that of the session; without one it is problem.Denied "no_session".
func (f *Federation) BeginLink(ctx context.Context, secret, back string) (Departing, error) {
	s, _, err := f.deps.Gate.Session(ctx, secret)
	if problem.Is(err, problem.Denied) {
		return Departing{}, problem.New(problem.Denied, "no_session", "Sign in with a browser to link an identity of yours; an administrator can link it too.")
	}
	if err != nil {
		return Departing{}, err
	}
	tenant, err := f.tenant(ctx)
	if err == nil && tenant != s.Tenant {
		err = problem.Missing()
	}
	if err != nil {
		return Departing{}, err
	}
	return f.begin(ctx, transaction{Return: localPath(back), Session: s.Hash})
}

func (f *Federation) begin(ctx context.Context, t transaction) (Departing, error) {
	t.ID, t.Expires = rand.Text(), f.deps.Gate.deps.Clock().Add(SignInTime)
	t.Challenge = Challenge{State: secretOf(""), Nonce: secretOf(""), Verifier: secretOf("")}
	location, err := f.deps.Provider.Authorization(ctx, t.Challenge)
	if err != nil {
		return Departing{}, err
	}
	sealed, err := f.seals.seal(t)
	if err != nil || len(sealed) > maxSealed {
		return Departing{}, problem.Wrap(err, problem.Internal, "sign_in", "The sign-in can't be begun.")
	}
	return Departing{Location: location, Cookie: sealed, Expires: t.Expires}, nil
}

// Callback is a browser that comes back from the provider.
type Callback struct {
	Reply          Reply
	Cookie         string // of Departing
	Session        string // the secret of the session that the browser holds, if any
	Address, Agent string
}

// Arrived is a browser that is signed in. Secret is that of its new session; "" where an identity
// was linked to the session that it has.
type Arrived struct {
	Secret  string
	Session Session
	Return  string
}

// Complete ends a sign-in. It must be the browser that began it, within its time and for the first
// time: anything else is problem.Invalid "sign_in_stale". What the provider says that opens
// nothing is the error of Unwelcome, whether the person is unknown or suspended. A new session
// begins, and the one that the browser held ends. Failures are counted by address.
func (f *Federation) Complete(ctx context.Context, in Callback) (Arrived, error) {
	gate, now := f.deps.Gate, f.deps.Gate.deps.Clock()
	from := network(in.Address)
	if err := gate.networks.Take(from, now); err != nil {
		return Arrived{}, err
	}
	t, ok := f.seals.open(in.Cookie, now)
	if !ok || subtle.ConstantTimeCompare([]byte(t.Challenge.State), []byte(in.Reply.State)) != 1 {
		return Arrived{}, stale("another browser, another time or another state")
	}
	if t.Session != "" && t.Session != HashToken(in.Session) {
		return Arrived{}, stale("another session than the one that asked")
	}
	if err := f.deps.Arrivals.Spend(ctx, "sign-in "+HashToken(t.ID), t.Expires); problem.CodeOf(err) == "spent" {
		return Arrived{}, stale("used already")
	} else if err != nil {
		return Arrived{}, err
	}
	claims, err := f.deps.Provider.Redeem(ctx, in.Reply, t.Challenge)
	if err != nil {
		return Arrived{}, err
	}
	out, err := f.arrive(ctx, in, t, claims)
	if err != nil {
		return Arrived{}, err
	}
	gate.networks.Give(from, now)
	return out, nil
}

func stale(reason string) error {
	return problem.Wrap(errors.New(reason), problem.Invalid, "sign_in_stale",
		"This sign-in was begun elsewhere, took too long or was used already; begin it again.")
}

func (f *Federation) arrive(ctx context.Context, in Callback, t transaction, claims Claims) (Arrived, error) {
	tenant, err := f.tenant(ctx)
	if err != nil {
		return Arrived{}, err
	}
	if t.Session != "" {
		return Arrived{Return: t.Return}, f.linkOwn(ctx, in.Session, claims)
	}
	secret, s := f.deps.Gate.fresh(in.Agent)
	s.SID = claims.SID
	a := Arrival{Tenant: tenant, Issuer: f.Issuer(), Subject: claims.Subject, Session: s}
	if f.deps.Create {
		a.Newcomer = newcomer(claims)
	}
	a.Groups, a.Roles = given(claims.Groups, f.deps.Groups), given(claims.Groups, f.deps.Roles)
	user, err := f.deps.Arrivals.Admit(ctx, a)
	if problem.Is(err, problem.NotFound) {
		return Arrived{}, Unwelcome("an unknown person, or one who is suspended")
	}
	if err != nil {
		return Arrived{}, err
	}
	if in.Session != "" {
		if err := f.deps.Gate.SignOut(ctx, in.Session); err != nil {
			return Arrived{}, err
		}
	}
	s.Tenant, s.User, s.Issuer, s.Subject = tenant, user, a.Issuer, a.Subject
	return Arrived{Secret: secret, Session: s, Return: t.Return}, nil
}

// linkOwn links an identity to the person of a session that is under way still.
func (f *Federation) linkOwn(ctx context.Context, secret string, claims Claims) error {
	s, _, err := f.deps.Gate.Session(ctx, secret)
	if err != nil {
		return err
	}
	_, err = f.deps.Identities.PutIdentity(ctx, s.User, Identity{Tenant: s.Tenant, User: s.User, Issuer: f.Issuer(), Subject: claims.Subject})
	return err
}

// tenant is where the people of the provider belong.
func (f *Federation) tenant(ctx context.Context) (access.TenantID, error) {
	if f.deps.Tenant != "" {
		return f.deps.Tenant, nil
	}
	return f.deps.Gate.onlyTenant(ctx)
}

// newcomer is whom a provider's claims make. The id is random: one that the provider or the person
// could choose might be that of somebody else, or one that a grant names already.
func newcomer(claims Claims) access.Identity {
	id := access.Identity{User: access.UserID("person-" + strings.ToLower(rand.Text()[:16]))}
	id.DisplayName = displayName(claims.Name)
	if id.DisplayName == "" {
		id.DisplayName = string(id.User)
	}
	return id
}

// displayName makes a name fit to be shown: without control and direction characters, and cut.
func displayName(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, name)
	name = strings.TrimSpace(name)
	if runes := []rune(name); len(runes) > 100 {
		name = strings.TrimSpace(string(runes[:100]))
	}
	return name
}

// given lists what a person's groups give, each once.
func given[T comparable](groups []string, gifts map[string][]T) (out []T) {
	seen := map[T]bool{}
	for _, g := range groups {
		for _, gift := range gifts[g] {
			if !seen[gift] {
				seen[gift] = true
				out = append(out, gift)
			}
		}
	}
	return out
}
