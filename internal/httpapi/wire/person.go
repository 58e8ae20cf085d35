package wire

import (
	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
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

// Token is a token, without its secret.
func Token(t auth.Token) api.Token {
	return api.Token{
		ID: t.ID, Name: t.Name, UserID: string(t.User), Scopes: t.Permissions.Names(),
		CreatedAt: t.CreatedAt.UTC(), ExpiresAt: Moment(t.ExpiresAt), LastUsedAt: Moment(t.LastUsed),
	}
}
