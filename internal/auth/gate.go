package auth

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// GateDeps are what a gate works with. All seams are needed; the settings have defaults.
type GateDeps struct {
	Tokens    Store
	Logins    Logins
	Directory access.Directory
	// Identities are the links to identity providers.
	Identities Identities
	// Tenants lists all tenants: who signs in without naming one belongs to the only one there is.
	Tenants func(ctx context.Context) ([]access.TenantID, error)
	Clock   func() time.Time
	// A session ends when it was not used for Idle (12 h), and in any case after Lifetime (7 days).
	Idle, Lifetime time.Duration
	// Attempts to sign in that fail are counted by account (10, then one each 6 s) and by address
	// (30, then one each 2 s). They cannot be switched off.
	PerAccount, PerAddress Rate
}

// Gate holds the rules of credentials, for every door the same. It is safe for concurrent use.
type Gate struct {
	deps               GateDeps
	hasher             *hasher
	accounts, networks *Limiter
	// seeing makes looking a session up and ending it for idleness one act: of two requests at
	// once with an idle session, the second must not find it freshly seen by the first.
	seeing [64]sync.Mutex
}

// NewGate returns a gate.
func NewGate(deps GateDeps) *Gate {
	if deps.Clock == nil {
		deps.Clock = time.Now
	}
	if deps.Idle <= 0 {
		deps.Idle = 12 * time.Hour
	}
	if deps.Lifetime <= 0 {
		deps.Lifetime = 7 * 24 * time.Hour
	}
	if deps.PerAccount.off() {
		deps.PerAccount = Rate{Burst: 10, Every: 6 * time.Second}
	}
	if deps.PerAddress.off() {
		deps.PerAddress = Rate{Burst: 30, Every: 2 * time.Second}
	}
	return &Gate{deps: deps, hasher: newHasher(), accounts: NewLimiter(deps.PerAccount), networks: NewLimiter(deps.PerAddress)}
}

// Bearer authenticates an Authorization header: see the function Bearer.
func (g *Gate) Bearer(ctx context.Context, header string) (access.Actor, error) {
	return Bearer(ctx, g.deps.Tokens, header, g.deps.Clock())
}

// Entry is an attempt to sign in.
type Entry struct {
	Tenant   access.TenantID // "": the only one there is
	User     access.UserID
	Password string
	Address  string // where the request came from, with or without a port
	Agent    string // the browser's name for itself
	// Replaces is the secret of the session that the same browser holds already, if any. It ends.
	Replaces string
}

// SignIn begins a session and returns its secret once. An unknown tenant or user, a user without
// a password, a suspended one and a wrong password get the same problem.Denied
// "unauthenticated" after the same work; too many attempts get a *Limited, whoever they are for.
func (g *Gate) SignIn(ctx context.Context, in Entry) (secret string, s Session, err error) {
	if in.Tenant == "" {
		if in.Tenant, err = g.onlyTenant(ctx); err != nil {
			return "", Session{}, err
		}
	}
	back, err := g.attempt(in.Tenant, in.User, in.Address)
	if err != nil {
		return "", Session{}, err
	}
	stored, err := g.verify(ctx, in.Tenant, in.User, in.Password)
	if err != nil {
		return "", Session{}, err
	}
	back()
	if secret, s, err = g.begin(ctx, in.Tenant, in.User, in.Agent); err != nil {
		return "", Session{}, err
	}
	// A password that was replaced while it was being checked has ended all sessions already,
	// but not this one, which began afterwards.
	if now, err := g.password(ctx, in.Tenant, in.User); err != nil || now != stored {
		if ended := g.deps.Logins.EndSession(ctx, s.Hash); ended != nil {
			return "", Session{}, ended
		}
		if err != nil {
			return "", Session{}, err
		}
		return "", Session{}, wrong()
	}
	if in.Replaces != "" {
		if err := g.SignOut(ctx, in.Replaces); err != nil {
			return "", Session{}, err
		}
	}
	return secret, s, nil
}

// onlyTenant is the tenant of who names none: "" where there are several, which no user is in.
func (g *Gate) onlyTenant(ctx context.Context) (access.TenantID, error) {
	all, err := g.deps.Tenants(ctx)
	if err != nil || len(all) != 1 {
		return "", err
	}
	return all[0], nil
}

// attempt counts one attempt to prove who one is. back takes it back: only failures count.
func (g *Gate) attempt(tenant access.TenantID, user access.UserID, address string) (back func(), err error) {
	now, account, from := g.deps.Clock(), string(tenant)+"\x00"+string(user), network(address)
	if err := g.networks.Take(from, now); err != nil {
		return nil, err
	}
	if err := g.accounts.Take(account, now); err != nil {
		return nil, err
	}
	return func() { g.networks.Give(from, now); g.accounts.Give(account, now) }, nil
}

// verify checks a password and returns the stored hash that it matched.
func (g *Gate) verify(ctx context.Context, tenant access.TenantID, user access.UserID, password string) (stored string, err error) {
	if stored, err = g.password(ctx, tenant, user); err != nil {
		return "", err
	}
	ok, err := g.hasher.check(ctx, stored, password)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", wrong()
	}
	return stored, nil
}

// password returns the stored hash of an active user; "" where there is none.
func (g *Gate) password(ctx context.Context, tenant access.TenantID, user access.UserID) (string, error) {
	stored, err := g.deps.Logins.Password(ctx, tenant, user)
	if problem.Is(err, problem.NotFound) {
		return "", nil
	}
	return stored, err
}

func wrong() error {
	return problem.New(problem.Denied, "unauthenticated", "These are not the tenant, the user and the password of an active account.")
}

// Session authenticates the secret of a session. Anything but a session under way of an active
// person is problem.Denied "unauthenticated", in the words that a bad token gets.
func (g *Gate) Session(ctx context.Context, secret string) (Session, access.Actor, error) {
	if len(secret) > 512 || !strings.HasPrefix(secret, sessionPrefix) {
		return Session{}, access.Actor{}, unauthenticated()
	}
	hash, now := HashToken(secret), g.deps.Clock()
	lock := &g.seeing[hexDigit(hash[0])<<2|hexDigit(hash[1])>>2]
	lock.Lock()
	defer lock.Unlock()
	s, id, err := g.deps.Logins.SessionByHash(ctx, hash, now)
	switch {
	case problem.Is(err, problem.NotFound):
		return Session{}, access.Actor{}, unauthenticated()
	case err != nil:
		return Session{}, access.Actor{}, err
	case !now.Before(s.ExpiresAt) || now.Sub(s.LastSeen) >= g.deps.Idle:
		if err := g.deps.Logins.EndSession(ctx, hash); err != nil && !problem.Is(err, problem.NotFound) {
			return Session{}, access.Actor{}, err
		}
		return Session{}, access.Actor{}, unauthenticated()
	case id.Suspended || id.Service:
		return Session{}, access.Actor{}, unauthenticated()
	}
	return s, access.Actor{Tenant: s.Tenant, User: s.User}, nil
}

// hexDigit reads one digit of a hash.
func hexDigit(c byte) int { return strings.IndexByte("0123456789abcdef", c) }

// SignOut ends the session of a secret at once. One that has ended already stays so.
func (g *Gate) SignOut(ctx context.Context, secret string) error {
	err := g.deps.Logins.EndSession(ctx, HashToken(secret))
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	return err
}

// Change is a person's change of their own password.
type Change struct {
	Current, New   string
	Address, Agent string
	// Session asks for a new session in the place of the one with which the change is made.
	Session bool
}

// ChangePassword replaces the actor's own password, which must be proved once more, and ends all
// the actor's sessions. A wrong one is problem.Invalid "wrong_password", and so is none at all:
// a first password is set by an administrator. The secret of the new session, if one was asked
// for, is returned once.
func (g *Gate) ChangePassword(ctx context.Context, actor access.Actor, c Change) (secret string, s Session, err error) {
	if err := CheckPassword(actor.User, c.New); err != nil {
		return "", Session{}, err
	}
	back, err := g.attempt(actor.Tenant, actor.User, c.Address)
	if err != nil {
		return "", Session{}, err
	}
	if _, err := g.verify(ctx, actor.Tenant, actor.User, c.Current); err != nil {
		if problem.Is(err, problem.Denied) {
			err = problem.New(problem.Invalid, "wrong_password", "The current password is not this one.")
		}
		return "", Session{}, err
	}
	back()
	if err := g.store(ctx, actor, actor.User, c.New); err != nil || !c.Session {
		return "", Session{}, err
	}
	return g.begin(ctx, actor.Tenant, actor.User, c.Agent)
}

// store sets a password that was checked.
func (g *Gate) store(ctx context.Context, by access.Actor, user access.UserID, password string) error {
	hashed, err := g.hasher.hash(ctx, password)
	if err != nil {
		return err
	}
	return g.deps.Logins.SetPassword(ctx, by.Tenant, by.User, user, hashed)
}

// SetPassword sets the password of a person of the tenant and ends that person's sessions. It
// needs tenant_admin, or the operator. Administrators who have a password change their own with
// ChangePassword, which asks for it: problem.Conflict "own_password". A service account has none.
func (g *Gate) SetPassword(ctx context.Context, actor access.Actor, user access.UserID, password string) error {
	if err := g.administers(ctx, actor); err != nil {
		return err
	}
	id, err := g.identity(ctx, actor.Tenant, user)
	if err != nil {
		return err
	}
	if id.Service {
		return problem.New(problem.Invalid, "service_account", "A service account has no password; make a token for it.")
	}
	if err := CheckPassword(user, password); err != nil {
		return err
	}
	if user == actor.User && !actor.Operator {
		if had, err := g.password(ctx, actor.Tenant, user); err != nil {
			return err
		} else if had != "" {
			return problem.New(problem.Conflict, "own_password", "Change your own password at /api/me/password, with the current one.")
		}
	}
	return g.store(ctx, actor, user, password)
}

// identity returns what the directory says of a user now.
func (g *Gate) identity(ctx context.Context, tenant access.TenantID, user access.UserID) (access.Identity, error) {
	snap, err := g.deps.Directory.Snapshot(ctx, tenant, user)
	if err != nil {
		return access.Identity{}, err
	}
	if snap.Identity.User != user {
		return access.Identity{}, problem.Missing()
	}
	return snap.Identity, nil
}

// administers checks that the actor runs the tenant. Everybody else finds nothing.
func (g *Gate) administers(ctx context.Context, actor access.Actor) error {
	id, err := g.identity(ctx, actor.Tenant, actor.User)
	if err != nil {
		return err
	}
	if id.Suspended || !actor.Operator && !id.Has(access.TenantAdmin) {
		return problem.Missing()
	}
	return nil
}
