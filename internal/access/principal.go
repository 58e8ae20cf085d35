package access

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// TenantID names a tenant. Every row and every query belongs to exactly one.
type TenantID string

// UserID names a person or service account inside a tenant.
type UserID string

// Operator is the name under which the ledger has what was done on the data folder itself. No user
// can have it.
const Operator UserID = ledger.Operator

// GroupID names a group inside a tenant.
type GroupID string

// KnowledgeBaseID names a knowledge base inside a tenant.
type KnowledgeBaseID string

// Principal is whom a grant or policy names: "user:ID", "group:ID" or "everyone" (everybody in
// the tenant).
type Principal string

// Everyone is the principal that every active user of the tenant has.
const Everyone Principal = "everyone"

// User returns the principal of a user.
func User(id UserID) Principal { return Principal("user:" + string(id)) }

// Group returns the principal of a group.
func Group(id GroupID) Principal { return Principal("group:" + string(id)) }

// ParsePrincipal accepts the three written forms and nothing else.
func ParsePrincipal(s string) (Principal, error) {
	if s == string(Everyone) {
		return Everyone, nil
	}
	kind, id, ok := strings.Cut(s, ":")
	if ok && (kind == "user" || kind == "group") && ValidID(id) {
		return Principal(s), nil
	}
	return "", problem.New(problem.Invalid, "invalid_principal", "%q is not a principal: write user:ID, group:ID or everyone.", s)
}

// ValidID reports whether s can name a user, group, tenant or knowledge base: 1 to 64 letters,
// digits, dots, dashes or underscores of ASCII, beginning with a letter or digit.
func ValidID(s string) bool {
	if len(s) == 0 || len(s) > 64 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !alnum && (i == 0 || c != '.' && c != '-' && c != '_') {
			return false
		}
	}
	return true
}

// Role is a role in the tenant's directory. It never gives a right to read documents by itself.
type Role string

// The roles of a tenant.
const (
	Member         Role = "member"
	KnowledgeAdmin Role = "knowledge_admin"
	Auditor        Role = "auditor"
	TenantAdmin    Role = "tenant_admin"
)

// ParseRole accepts the four roles.
func ParseRole(s string) (Role, error) {
	switch r := Role(s); r {
	case Member, KnowledgeAdmin, Auditor, TenantAdmin:
		return r, nil
	}
	return "", problem.New(problem.Invalid, "invalid_role", "%q is not a role: use member, knowledge_admin, auditor or tenant_admin.", s)
}

// Level is what a grant on a knowledge base allows; each level includes the ones before it.
type Level uint8

// The levels of a grant.
const (
	NoLevel Level = iota
	Reader
	Editor
	Manager
)

// String returns the written form of the level, as grants carry it.
func (l Level) String() string {
	names := [...]string{"none", "reader", "editor", "manager"}
	if int(l) < len(names) {
		return names[l]
	}
	return "none"
}

// ParseLevel accepts reader, editor and manager.
func ParseLevel(s string) (Level, error) {
	for _, l := range []Level{Reader, Editor, Manager} {
		if s == l.String() {
			return l, nil
		}
	}
	return NoLevel, problem.New(problem.Invalid, "invalid_level", "%q is not a level: use reader, editor or manager.", s)
}

// Actor is who is asking, as authentication found it. It holds no rights: those are read from
// the directory each time one is used.
type Actor struct {
	Tenant TenantID
	User   UserID
	// Service is true for a service account, which may not decide proposals.
	Service bool
	// Operator is true when the command line acts on the data folder itself.
	Operator bool
	// Withheld are the permissions that the credential does not carry, such as a token made for
	// reading alone. They take away from the user's rights and can never add to them.
	Withheld Permission
}

// Permission is a set of kinds of request that a credential may be used for.
type Permission uint8

// The permissions. They say what a token is for; the user's own rights still decide.
const (
	Reading  Permission = 1 << iota // look at documents, runs, one's own things
	Asking                          // search, ask, runs, drafts
	Writing                         // documents and knowledge bases
	Deciding                        // proposals and decisions
	Running                         // administration of people, groups and tokens
)

// AllPermissions is what a credential without limits carries.
const AllPermissions = Reading | Asking | Writing | Deciding | Running

var permissionNames = []string{"read", "ask", "write", "decide", "admin"}

// ParsePermissions reads the written forms "read", "ask", "write", "decide" and "admin".
func ParsePermissions(names []string) (Permission, error) {
	var out Permission
	for _, name := range names {
		i := slices.Index(permissionNames, name)
		if i < 0 {
			return 0, problem.New(problem.Invalid, "invalid_scope", "%q is not a scope of tokens: use read, ask, write, decide or admin.", name)
		}
		out |= 1 << i
	}
	return out, nil
}

// Names returns the written forms, in their fixed order.
func (p Permission) Names() []string {
	out := []string{}
	for i, name := range permissionNames {
		if p&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// May reports whether the credential carries all of the permissions.
func (a Actor) May(p Permission) bool { return a.Withheld&p == 0 }

// Identity is what the directory says of a user now.
type Identity struct {
	User        UserID
	DisplayName string
	Roles       []Role
	// Groups are all groups the user is in, through nesting too.
	Groups    []GroupID
	Suspended bool
	Service   bool
}

// Has reports whether the identity holds a role.
func (id Identity) Has(role Role) bool {
	for _, r := range id.Roles {
		if r == role {
			return true
		}
	}
	return false
}

// Grant gives a principal a level on a knowledge base.
type Grant struct {
	Principal Principal
	Level     Level
}
