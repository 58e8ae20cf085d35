package api

import (
	"context"
	"net/http"
)

// Users lists the users of the tenant. It needs tenant_admin, as do all calls on users and groups.
func (c *Client) Users(ctx context.Context, p Page) (out List[User], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("users"), query: p.values()}, &out)
}

// CreateUser adds a person or a service account. The key may be empty.
func (c *Client) CreateUser(ctx context.Context, in NewUser, key string) (out User, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("users"), body: in, header: once(key)}, &out)
}

// User returns a user with all groups.
func (c *Client) User(ctx context.Context, id string) (out User, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("users", id)}, &out)
}

// EditUser changes name, roles or suspension.
func (c *Client) EditUser(ctx context.Context, id string, in UserChange) (out User, err error) {
	return out, c.do(ctx, call{method: http.MethodPatch, path: place("users", id), body: in}, &out)
}

// SetPassword sets somebody's password and ends that person's sessions.
func (c *Client) SetPassword(ctx context.Context, id string, in NewPassword) error {
	return c.do(ctx, call{method: http.MethodPut, path: place("users", id, "password"), body: in}, nil)
}

// Groups lists the groups of the tenant.
func (c *Client) Groups(ctx context.Context, p Page) (out List[Group], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("groups"), query: p.values()}, &out)
}

// CreateGroup adds a group. The key may be empty.
func (c *Client) CreateGroup(ctx context.Context, in NewGroup, key string) (out Group, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("groups"), body: in, header: once(key)}, &out)
}

// Group returns a group with its direct members.
func (c *Client) Group(ctx context.Context, id string) (out Group, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("groups", id)}, &out)
}

// DeleteGroup removes a group.
func (c *Client) DeleteGroup(ctx context.Context, id string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: place("groups", id)}, nil)
}

// Members returns the direct members of a group.
func (c *Client) Members(ctx context.Context, id string) (out Members, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("groups", id, "members")}, &out)
}

// SetMembers replaces the direct members of a group.
func (c *Client) SetMembers(ctx context.Context, id string, in Members) (out Members, err error) {
	return out, c.do(ctx, call{method: http.MethodPut, path: place("groups", id, "members"), body: in}, &out)
}

// AddMember adds a direct member to a group.
func (c *Client) AddMember(ctx context.Context, id string, in NewMember) (out Members, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("groups", id, "members"), body: in}, &out)
}

// RemoveMember takes a direct member ("user:ID" or "group:ID") out of a group.
func (c *Client) RemoveMember(ctx context.Context, id, member string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: place("groups", id, "members", member)}, nil)
}

// SignInWays says how one can sign in. It needs no token.
func (c *Client) SignInWays(ctx context.Context) (out SignInWays, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("sign-in")}, &out)
}

// Identities lists who a user is at identity providers: the caller for "", others with
// tenant_admin.
func (c *Client) Identities(ctx context.Context, user string, p Page) (out List[Identity], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("identities"), query: p.values("user", user)}, &out)
}

// LinkIdentity links a person to an identity by hand. It needs tenant_admin. The key may be empty.
func (c *Client) LinkIdentity(ctx context.Context, in NewIdentity, key string) (out Identity, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("identities"), body: in, header: once(key)}, &out)
}

// UnlinkIdentity ends a link and the sessions that began through it: one's own, or with
// tenant_admin any.
func (c *Client) UnlinkIdentity(ctx context.Context, id string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: place("identities", id)}, nil)
}

// Tokens lists the tokens of a user: the caller's own for "", others' with tenant_admin.
func (c *Client) Tokens(ctx context.Context, user string, p Page) (out List[Token], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("tokens"), query: p.values("user", user)}, &out)
}

// CreateToken makes a token and returns its secret, this once. The key may be empty.
func (c *Client) CreateToken(ctx context.Context, in NewToken, key string) (out IssuedToken, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("tokens"), body: in, header: once(key)}, &out)
}

// RevokeToken ends a token at once.
func (c *Client) RevokeToken(ctx context.Context, id string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: place("tokens", id)}, nil)
}

// ChangePassword replaces the caller's own password and ends the caller's sessions.
func (c *Client) ChangePassword(ctx context.Context, in PasswordChange) error {
	return c.do(ctx, call{method: http.MethodPost, path: place("me", "password"), body: in}, nil)
}

// Session returns who is signed in with the caller's credential.
func (c *Client) Session(ctx context.Context) (out Session, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("session")}, &out)
}
