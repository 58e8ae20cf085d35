package leaktest

import "testing"

// office is a small world for decisions that were made by hand. Ana is in the team, the team is
// in the house; Kim is a knowledge administrator; Eve is of another tenant.
var office = History{
	{Do: "user", Of: "ana", In: "a", Names: []string{"member"}}, {Do: "user", Of: "ben", In: "a", Names: []string{"member"}},
	{Do: "user", Of: "kim", In: "a", Names: []string{"member", "knowledge_admin"}}, {Do: "user", Of: "eve", In: "b", Names: []string{"knowledge_admin"}},
	{Do: "user", Of: "tess", In: "a", Names: []string{"tenant_admin", "auditor"}},
	{Do: "group", Of: "team", In: "a", Names: []string{"user:ana"}}, {Do: "group", Of: "house", In: "a", Names: []string{"group:team"}},
	{Do: "group", Of: "team", In: "b", Names: []string{"user:eve"}},
	{Do: "grants", Of: "kb", In: "a", Levels: map[string]int{"group:house": 1, "user:kim": 1}},
	{Do: "version", Of: "v", In: "kb", Status: "published", Open: true},
}

// inOffice is the history of the office and then these changes.
func inOffice(more ...Change) History { return append(office[:len(office):len(office)], more...) }

func TestOracleDecidesAsWrittenByHand(t *testing.T) {
	grants := func(levels map[string]int) Change { return Change{Do: "grants", Of: "kb", In: "a", Levels: levels} }
	everyone := grants(map[string]int{"everyone": 1})
	editors := grants(map[string]int{"everyone": 1, "group:team": 2, "user:kim": 2})
	policy := func(open bool, allow, deny []string) Change {
		return Change{Do: "policy", Of: "v", Open: open, Names: allow, Deny: deny}
	}
	draft, archived := Change{Do: "status", Of: "v", Status: "draft"}, Change{Do: "status", Of: "v", Status: "archived"}
	group := func(g string, names ...string) Change { return Change{Do: "group", Of: g, In: "a", Names: names} }
	list := func(names ...string) []string { return names }
	for _, c := range []struct {
		why  string
		h    History
		user string
		use  Use
		want bool
	}{
		{"a grant to a group that holds her group", office, "ana", Find, true},
		{"no grant", office, "ben", Find, false},
		{"a grant by name", office, "kim", Find, true},
		{"another tenant, and a group of the same name", office, "eve", Find, false},
		{"administrators of people read nothing by that", office, "tess", Find, false},
		{"nobody by this name", office, "zoe", Find, false},
		{"published: metadata", office, "ana", List, true},
		{"published: content", office, "ana", Open, true},
		{"published: history needs the role", office, "ana", Past, false},
		{"published: history with the role", office, "kim", Past, true},
		{"published: an excerpt", office, "ana", Cite, true},
		{"the role without the right", inOffice(grants(map[string]int{"user:ana": 1})), "kim", Past, false},
		{"everyone means the tenant", inOffice(everyone), "ben", Find, true},
		{"everyone is nobody of another tenant", inOffice(everyone), "eve", Find, false},
		{"the last grants hold", inOffice(everyone, grants(map[string]int{})), "ben", Find, false},
		{"grants of another base", inOffice(Change{Do: "grants", Of: "kb2", In: "a", Levels: map[string]int{"user:ben": 3}}), "ben", Find, false},
		{"a base without grants", History{office[0], office[9]}, "ana", Find, false},
		{"out of the inner group", inOffice(group("team")), "ana", Find, false},
		{"the inner group is out of the outer", inOffice(group("house")), "ana", Find, false},
		{"into the inner group", inOffice(group("team", "user:ben")), "ben", Find, true},
		{"a circle of groups ends", inOffice(group("team", "group:house", "user:ana"), group("house", "group:team")), "ana", Find, true},
		{"suspended", inOffice(Change{Do: "suspend", Of: "ana"}), "ana", Find, false},
		{"suspended: no excerpt either", inOffice(Change{Do: "suspend", Of: "ana"}), "ana", Cite, false},
		{"somebody else suspended", inOffice(Change{Do: "suspend", Of: "ben"}), "ana", Find, true},
		{"back from suspension", inOffice(Change{Do: "suspend", Of: "ana"}, Change{Do: "restore", Of: "ana"}), "ana", Find, true},
		{"denied by name", inOffice(policy(true, nil, list("user:ana"))), "ana", Find, false},
		{"denied by the outer group", inOffice(policy(true, nil, list("group:house"))), "ana", Find, false},
		{"somebody else denied", inOffice(policy(true, nil, list("user:ben"))), "ana", Find, true},
		{"deny beats allow", inOffice(policy(false, list("user:ana"), list("group:team"))), "ana", Find, false},
		{"allowed by name", inOffice(policy(false, list("user:ana"), nil)), "ana", Find, true},
		{"allowed by group", inOffice(policy(false, list("group:team"), nil)), "ana", Find, true},
		{"others allowed", inOffice(policy(false, list("user:ben"), nil)), "ana", Find, false},
		{"nobody allowed", inOffice(policy(false, nil, nil)), "ana", Find, false},
		{"allowed without a grant", inOffice(policy(false, list("user:ben"), nil)), "ben", Find, false},
		{"everyone denied", inOffice(policy(true, nil, list("everyone"))), "kim", Find, false},
		{"the last policy holds", inOffice(policy(false, nil, nil), policy(true, nil, nil)), "ana", Find, true},
		{"a draft is not found", inOffice(editors, draft), "ana", Find, false},
		{"a draft is for editors", inOffice(editors, draft), "ana", Open, true},
		{"a draft's metadata is for editors", inOffice(editors, draft), "ana", List, true},
		{"a draft is not for readers", inOffice(editors, draft), "ben", List, false},
		{"a draft is no source", inOffice(editors, draft), "ana", Cite, false},
		{"a draft in history needs the role", inOffice(editors, draft), "ana", Past, false},
		{"a draft in history", inOffice(editors, draft), "kim", Past, true},
		{"a draft needs editor, role or not", inOffice(draft), "kim", Open, false},
		{"an archived one is not found", inOffice(editors, archived), "kim", Find, false},
		{"archived metadata is for editors", inOffice(editors, archived), "ana", List, true},
		{"archived metadata is not for readers", inOffice(editors, archived), "ben", List, false},
		{"archived content is not for editors", inOffice(editors, archived), "ana", Open, false},
		{"archived content is for administrators who may read", inOffice(archived), "kim", Open, true},
		{"archived metadata needs editor, role or not", inOffice(archived), "kim", List, false},
		{"archived history", inOffice(archived), "kim", Past, true},
		{"archived history without the right", inOffice(archived, policy(true, nil, list("user:kim"))), "kim", Past, false},
		{"an archived excerpt stays", inOffice(archived), "ana", Cite, true},
		{"an archived excerpt needs the right still", inOffice(archived, policy(true, nil, list("user:ana"))), "ana", Cite, false},
		{"deleted", inOffice(Change{Do: "gone", Of: "v"}), "ana", Find, false},
		{"deleted: no excerpt", inOffice(Change{Do: "gone", Of: "v"}), "ana", Cite, false},
		{"deleted: no history", inOffice(Change{Do: "gone", Of: "v"}), "kim", Past, false},
		{"another version deleted", inOffice(Change{Do: "gone", Of: "w"}), "ana", Find, true},
	} {
		if got := c.h.May(c.user, "v", c.use, len(c.h)); got != c.want {
			t.Errorf("%s: %v, want %v", c.why, got, c.want)
		}
	}
	later := inOffice(Change{Do: "gone", Of: "v"})
	if !later.May("ana", "v", Find, len(office)) || later.May("ana", "v", Find, len(office)-1) || later.May("ana", "w", Find, len(later)) {
		t.Error("a moment is not judged by what was before it alone")
	}
}
