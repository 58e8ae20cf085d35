package access

import (
	"cmp"
	"slices"
)

// Ruling says how a document's policy decides about one person.
type Ruling string

// The rulings of a policy.
const (
	Inherits  Ruling = "inherits"   // it names nobody in the way of this person
	Allows    Ruling = "allows"     // it is for some alone, and this person is one of them
	Denies    Ruling = "denies"     // it shuts this person out
	NotListed Ruling = "not_listed" // it is for some alone, and this person is none of them
)

// Obstacle is the first condition that keeps somebody from reading a version.
type Obstacle string

// The obstacles, in the order in which they are looked at.
const (
	NoGrant    Obstacle = "no_grant"   // nothing on the knowledge base is granted to the person
	ByPolicy   Obstacle = "policy"     // the document's policy denies it
	ByStatus   Obstacle = "status"     // a draft is for editors, an archived version for knowledge administrators
	NotActive  Obstacle = "not_active" // a grant would do, but there is no active user of this name
	NoObstacle Obstacle = ""
)

// Grounds say why somebody may read a version, or what is in the way.
type Grounds struct {
	Obstacle Obstacle
	Level    Level
	// Grants are those of the knowledge base that the person holds, the highest level first.
	Grants []Grant
	Policy Ruling
	// Named are the person's principals that made the policy's ruling.
	Named []Principal
}

// Grounds explains what Admits says of a version under the scope, from the grants of its knowledge
// base. The scope's view must be Content: reading is what is explained.
func (s Scope) Grounds(kb KnowledgeBase, r Resource) Grounds {
	g := held(kb, s.principals)
	g.Policy, g.Named = s.ruling(r.Policy)
	switch {
	case s.Admits(r):
	case g.Level < Reader:
		g.Obstacle = NoGrant
	case g.Policy == Denies || g.Policy == NotListed:
		g.Obstacle = ByPolicy
	default:
		g.Obstacle = ByStatus
	}
	return g
}

// Absent is what can be said of a name that no active user has: what the grants would give it. A
// knowledge base that grants it nothing says the same of it as of anybody else.
func Absent(kb KnowledgeBase, user UserID, r Resource) Grounds {
	s := Scope{principals: map[Principal]bool{Everyone: true, User(user): true}}
	g := held(kb, s.principals)
	g.Policy, g.Named = s.ruling(r.Policy)
	switch {
	case g.Level < Reader:
		g.Obstacle = NoGrant
	case g.Policy == Denies || g.Policy == NotListed:
		g.Obstacle = ByPolicy
	default:
		g.Obstacle = NotActive
	}
	return g
}

// held are the grants that some principals hold, and the level they come to.
func held(kb KnowledgeBase, principals map[Principal]bool) Grounds {
	var g Grounds
	for _, grant := range kb.Grants {
		if principals[grant.Principal] {
			g.Grants = append(g.Grants, grant)
			g.Level = max(g.Level, grant.Level)
		}
	}
	slices.SortStableFunc(g.Grants, func(a, b Grant) int {
		return cmp.Or(cmp.Compare(b.Level, a.Level), cmp.Compare(a.Principal, b.Principal))
	})
	return g
}

// ruling is what a policy says of the scope's actor, and through which of the actor's principals.
func (s Scope) ruling(p Policy) (Ruling, []Principal) {
	mine := func(list []Principal) []Principal {
		return slices.DeleteFunc(slices.Clone(list), func(who Principal) bool { return !s.principals[who] })
	}
	switch denied, allowed := mine(p.Deny), mine(p.Allow); {
	case len(denied) > 0:
		return Denies, denied
	case !p.Restricted:
		return Inherits, nil
	case len(allowed) > 0:
		return Allows, allowed
	}
	return NotListed, nil
}
