package leaktest

import "slices"

// Change is one acknowledged change, in the words of the written rules.
type Change struct {
	Do      string // user, suspend, restore, group, grants, version, policy, status, gone
	Of      string // user, group, base or version
	In      string // tenant of a user, group or base; base of a version
	Names   []string
	Deny    []string
	Levels  map[string]int // principal → 1 reader, 2 editor, 3 manager
	Open    bool           // of a policy: no list of those who may
	Status  string
	Version string // document key of a version
}

// Use is what somebody wants to do with a version.
type Use int

// The uses.
const (
	Find Use = iota // by searching and in answers: published versions
	List            // metadata: also drafts and archived ones, for editors
	Open            // content: drafts for editors, archived ones for knowledge administrators
	Past            // the history interface: Open, for knowledge administrators alone
	Cite            // the stored excerpt of one's own run: published and archived
)

// History is everything that was acknowledged, in order.
type History []Change

// May says whether the user might use the version after the first n changes. It goes through all
// of them each time.
func (h History) May(user, version string, use Use, n int) bool {
	var actor, doc, grants *Change
	active, gone := true, false
	var policy Change
	status, groups := "", map[string]Change{}
	for i := range h[:n] {
		c := &h[i]
		switch {
		case c.Do == "user" && c.Of == user:
			actor = c
		case c.Do == "suspend" && c.Of == user:
			active = false
		case c.Do == "restore" && c.Of == user:
			active = true
		case c.Do == "group":
			groups[c.In+"/"+c.Of] = *c
		case c.Do == "version" && c.Of == version:
			doc, status, policy = c, c.Status, *c
		case c.Do == "policy" && c.Of == version:
			policy = *c
		case c.Do == "status" && c.Of == version:
			status = c.Status
		case c.Do == "gone" && c.Of == version:
			gone = true
		}
	}
	if actor == nil || doc == nil || !active || gone {
		return false
	}
	for i := range h[:n] {
		if h[i].Do == "grants" && h[i].Of == doc.In {
			grants = &h[i]
		}
	}
	if grants == nil || grants.In != actor.In {
		return false
	}
	names := principals(user, actor.In, groups)
	level := 0
	for p, l := range grants.Levels {
		if names[p] {
			level = max(level, l)
		}
	}
	listed := func(list []string) bool { return slices.ContainsFunc(list, func(p string) bool { return names[p] }) }
	if level < 1 || listed(policy.Deny) || !policy.Open && !listed(policy.Names) {
		return false
	}
	administrator := slices.Contains(actor.Names, "knowledge_admin")
	switch {
	case use == Past && !administrator:
		return false
	case status == "published":
		return true
	case use == Find:
		return false
	case use == Cite:
		return status == "archived"
	case status == "draft" || use == List:
		return level >= 2
	}
	return administrator
}

// principals are the names under which grants and policies reach a user.
func principals(user, tenant string, groups map[string]Change) map[string]bool {
	names := map[string]bool{"everyone": true, "user:" + user: true}
	for range groups {
		for _, g := range groups {
			if g.In == tenant && slices.ContainsFunc(g.Names, func(m string) bool { return m != "everyone" && names[m] }) {
				names["group:"+g.Of] = true
			}
		}
	}
	return names
}
