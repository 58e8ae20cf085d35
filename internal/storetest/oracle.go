package storetest

import (
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
)

// oracle is a second opinion on who sees what: plain strings and plain loops, written from the
// rules and sharing no code with the product's decisions.
type oracle struct {
	suspended map[string]bool
	admin     map[string]bool           // knowledge administrators
	members   map[string][]string       // group → "user:…" and "group:…"
	grants    map[string]map[string]int // base → principal → 1 reader, 2 editor, 3 manager
	docs      []*paper
	touched   map[string]int // base/key → how often anything of its versions changed
	history   []moment
}

// moment is what was in force at one time.
type moment struct {
	at   time.Time
	live map[string]bool // ids
}

// remember notes what is in force now.
func (o *oracle) remember(now time.Time) {
	m := moment{at: now, live: map[string]bool{}}
	for _, p := range o.docs {
		if p.status == "published" {
			m.live[p.id] = true
		}
	}
	o.history = append(o.history, m)
}

// saw reports whether the user sees today that the version was in force at a moment.
func (o *oracle) saw(user string, m moment, p *paper) bool {
	return m.live[p.id] && p.status != "deleted" && p.status != "erased" &&
		!o.suspended[user] && o.admin[user] && o.level(user, p.base) > 0 && o.passes(user, p)
}

// mayDecide reports whether the user may propose or decide about the version, whatever its status.
func (o *oracle) mayDecide(user string, p *paper) bool {
	return !o.suspended[user] && o.admin[user] && o.level(user, p.base) >= 2 && o.passes(user, p)
}

// touch notes that a version changed.
func (o *oracle) touch(p *paper) { o.touched[p.base+"/"+p.key]++ }

// paper is a version as the oracle knows it.
type paper struct {
	id, base, key, text string
	version             int
	status              string // "draft", "published", "archived", "deleted" or "erased"
	restricted          bool
	own                 bool // it was given a policy of its own
	allow, deny         []string
}

// stands reports whether a principal means the user.
func (o *oracle) stands(principal, user string, seen map[string]bool) bool {
	if principal == "everyone" || principal == "user:"+user {
		return true
	}
	if len(principal) < 7 || principal[:6] != "group:" || seen[principal] {
		return false
	}
	seen[principal] = true
	for _, m := range o.members[principal[6:]] {
		if o.stands(m, user, seen) {
			return true
		}
	}
	return false
}

func (o *oracle) any(principals []string, user string) bool {
	for _, p := range principals {
		if o.stands(p, user, map[string]bool{}) {
			return true
		}
	}
	return false
}

// level returns the user's level on a base.
func (o *oracle) level(user, base string) int {
	best := 0
	for p, l := range o.grants[base] {
		if l > best && o.stands(p, user, map[string]bool{}) {
			best = l
		}
	}
	return best
}

// passes reports whether the document's policy lets the user through.
func (o *oracle) passes(user string, p *paper) bool {
	return !o.any(p.deny, user) && (!p.restricted || o.any(p.allow, user))
}

// sees reports whether the user sees the version in a view.
func (o *oracle) sees(user string, view access.View, p *paper) bool {
	level := o.level(user, p.base)
	if o.suspended[user] || level == 0 || !o.passes(user, p) {
		return false
	}
	type question struct {
		status string
		view   access.View
	}
	switch (question{p.status, view}) {
	case question{"published", access.Published}, question{"published", access.Catalog},
		question{"published", access.Content}, question{"published", access.Cited},
		question{"archived", access.Cited}:
		return true
	case question{"draft", access.Catalog}, question{"draft", access.Content}, question{"archived", access.Catalog}:
		return level >= 2
	case question{"archived", access.Content}:
		return o.admin[user]
	}
	return false
}

// living returns the versions of a key that were not deleted, oldest first.
func (o *oracle) living(base, key string) (out []*paper) {
	for _, p := range o.docs {
		if p.base == base && p.key == key && p.status != "deleted" && p.status != "erased" {
			out = append(out, p)
		}
	}
	return out
}

// publish makes a version the published one of its key.
func (o *oracle) publish(p *paper) {
	o.touch(p)
	for _, other := range o.living(p.base, p.key) {
		if other.status == "published" {
			other.status = "archived"
		}
	}
	p.status = "published"
	o.follow(p)
}

// follow gives the archived versions of a key the policy of its published one, and the drafts that
// have none of their own.
func (o *oracle) follow(published *paper) {
	for _, other := range o.living(published.base, published.key) {
		if other.status == "archived" || other.status == "draft" && !other.own {
			other.ruledBy(published)
		}
	}
}

// inForce returns the published version of a key; nil if there is none.
func (o *oracle) inForce(base, key string) *paper {
	for _, p := range o.living(base, key) {
		if p.status == "published" {
			return p
		}
	}
	return nil
}

// ruledBy takes over the policy of another version.
func (p *paper) ruledBy(other *paper) {
	p.restricted, p.allow, p.deny = other.restricted, other.allow, other.deny
}

// ruledAs reports whether two versions have one policy.
func (p *paper) ruledAs(other *paper) bool {
	return p.restricted == other.restricted && slices.Equal(p.allow, other.allow) && slices.Equal(p.deny, other.deny)
}
