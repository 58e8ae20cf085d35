package wire

import (
	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/desk"
)

// Identity is who a person is at a provider.
func Identity(i auth.Identity) api.Identity {
	return api.Identity{ID: i.ID, UserID: string(i.User), Issuer: i.Issuer, Subject: i.Subject, CreatedAt: i.CreatedAt.UTC()}
}

// ListedUser is a user as lists show one, without groups.
func ListedUser(id access.Identity) api.User {
	return api.User{
		ID: string(id.User), DisplayName: id.DisplayName, Roles: Texts(id.Roles), Suspended: id.Suspended, Service: id.Service,
	}
}

// User is a user with all groups.
func User(id access.Identity) api.User {
	u, groups := ListedUser(id), Texts(id.Groups)
	u.Groups = &groups
	return u
}

// Group is a group with its direct members.
func Group(m access.Membership) api.Group {
	return api.Group{ID: string(m.Group), Members: Texts(m.Members)}
}

// Reader is a person with the grounds on which a version may be read or not.
func Reader(r desk.Reader) api.Reader {
	return api.Reader{
		UserID: string(r.User), DisplayName: r.DisplayName, Service: r.Service, MayRead: r.Obstacle == access.NoObstacle, Obstacle: string(r.Obstacle),
		Level: r.Level.String(), Grants: Each(r.Grants, grant), Policy: string(r.Policy), PolicyPrincipals: Texts(r.Named),
	}
}

func grant(g access.Grant) api.Grant {
	return api.Grant{Principal: string(g.Principal), Role: g.Level.String()}
}

// Token is a token, without its secret.
func Token(t auth.Token) api.Token {
	return api.Token{
		ID: t.ID, Name: t.Name, UserID: string(t.User), Scopes: t.Permissions.Names(),
		CreatedAt: t.CreatedAt.UTC(), ExpiresAt: Moment(t.ExpiresAt), LastUsedAt: Moment(t.LastUsed),
	}
}
