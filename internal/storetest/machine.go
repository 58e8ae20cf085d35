package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

var oracleTests = []test{
	{"VisibleDocumentsAreThoseOfTheNaiveOracle", func(t *testing.T, w *World) {
		tenants, seen := 0, map[string]int{}
		rapid.Check(t, func(rt *rapid.T) {
			tenants++
			m := newMachine(rt, w, access.TenantID(fmt.Sprint("p", tenants)))
			m.seen = seen
			for range rapid.IntRange(0, 6).Draw(rt, "documents at first") {
				m.upload(rt)
				m.look(rt)
			}
			rt.Repeat(map[string]func(*rapid.T){
				"":        m.look,
				"user":    m.putUser,
				"group":   m.putGroup,
				"ungroup": m.deleteGroup,
				"grants":  m.setGrants,
				"upload":  m.upload,
				"renew":   m.upload,
				"policy":  m.editPolicy,
				"archive": m.archive,
				"delete":  m.delete,
				"erase":   m.erasePaper,
				"propose": m.propose,
				"decide":  m.decide,
				"settle":  m.decide,
				"wait":    m.wait,
			})
			_, err := ledger.Check(w.ctx, w.Ledger, string(m.tenant))
			m.ok(err)
		})
		t.Logf("%d sequences: %v", tenants, seen)
	}},
}

var (
	machineUsers  = []string{"u1", "u2", "u3"}
	machineGroups = []string{"g1", "g2", "g3"}
	machineBases  = []string{"b1", "b2"}
)

// machine drives a tenant of its own and the oracle side by side. "root" manages every base and
// does all the writing, as far as policies let it.
type machine struct {
	*World
	oracle
	tenant  access.TenantID
	pending []*wish
	seen    map[string]int // what happened how often, over all cases
	waits   int
	// What one knows who follows the versions, and up to when.
	known    map[corpus.DocumentID]access.Resource
	followed retrieval.State
}

func newMachine(rt *rapid.T, w *World, tenant access.TenantID) *machine {
	own := *w
	own.t = rt
	m := &machine{World: &own, tenant: tenant, known: map[corpus.DocumentID]access.Resource{}, oracle: oracle{
		suspended: map[string]bool{}, admin: map[string]bool{}, members: map[string][]string{}, grants: map[string]map[string]int{},
		touched: map[string]int{},
	}}
	m.ok(m.Admin.CreateTenant(m.ctx, tenant, ""))
	m.admin["root"] = true
	m.ok(m.Admin.PutUser(m.ctx, tenant, "root", access.Identity{User: "root", Roles: []access.Role{access.KnowledgeAdmin}}))
	for _, u := range machineUsers {
		m.ok(m.Admin.PutUser(m.ctx, tenant, "root", access.Identity{User: access.UserID(u)}))
	}
	for _, b := range machineBases {
		m.createBase(tenant, "root", access.KnowledgeBase{ID: access.KnowledgeBaseID(b), Publishing: access.Directly})
		m.grants[b] = map[string]int{"user:root": 3}
	}
	return m
}

// scoped resolves a user of the machine's tenant.
func (m *machine) scoped(user string, view access.View) (access.Scope, error) {
	return access.Resolve(m.ctx, m.Directory, access.Actor{Tenant: m.tenant, User: access.UserID(user)}, access.Request{View: view})
}

func (m *machine) root(view access.View) access.Scope {
	s, err := m.scoped("root", view)
	m.ok(err)
	return s
}

// someone draws principals: users, groups and everyone.
func someone(rt *rapid.T, label string, most int, withEveryone bool) []string {
	all := []string{"user:root"}
	for _, u := range machineUsers {
		all = append(all, "user:"+u)
	}
	for _, g := range machineGroups {
		all = append(all, "group:"+g)
	}
	if withEveryone {
		all = append(all, "everyone")
	}
	return rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, most, rapid.ID[string]).Draw(rt, label)
}

func principals(list []string) (out []access.Principal) {
	for _, p := range list {
		out = append(out, access.Principal(p))
	}
	return out
}

func (m *machine) putUser(rt *rapid.T) {
	u := rapid.SampledFrom(machineUsers).Draw(rt, "user")
	m.suspended[u], m.admin[u] = rapid.Bool().Draw(rt, "suspended"), rapid.Bool().Draw(rt, "admin")
	id := access.Identity{User: access.UserID(u), Suspended: m.suspended[u]}
	if m.admin[u] {
		id.Roles = []access.Role{access.KnowledgeAdmin}
	}
	m.ok(m.Admin.PutUser(m.ctx, m.tenant, "root", id))
}

func (m *machine) putGroup(rt *rapid.T) {
	g := rapid.SampledFrom(machineGroups).Draw(rt, "group")
	m.members[g] = someone(rt, "members", 3, false)
	m.ok(m.Admin.PutGroup(m.ctx, m.tenant, "root", access.GroupID(g), principals(m.members[g])))
}

func (m *machine) setGrants(rt *rapid.T) {
	b := rapid.SampledFrom(machineBases).Draw(rt, "base")
	m.grants[b] = map[string]int{}
	for _, p := range someone(rt, "granted", 4, true) {
		m.grants[b][p] = rapid.IntRange(1, 3).Draw(rt, "level")
	}
	m.grants[b]["user:root"] = 3
	var grants []access.Grant
	for p, l := range m.grants[b] {
		grants = append(grants, access.Grant{Principal: access.Principal(p), Level: access.Level(l)})
	}
	m.ok(m.Bases.SetGrants(m.ctx, m.root(access.Catalog), access.KnowledgeBaseID(b), grants))
}

// policy draws a policy for the paper. Mostly it lets root through, who does the writing.
func policy(rt *rapid.T, p *paper) access.Policy {
	p.restricted, p.allow, p.deny = rapid.IntRange(0, 2).Draw(rt, "restricted") == 0, nil, nil
	if p.restricted {
		p.allow = someone(rt, "allow", 3, true)
		if rapid.IntRange(0, 7).Draw(rt, "without root") > 0 && !slices.Contains(p.allow, "user:root") {
			p.allow = append(p.allow, "user:root")
		}
	}
	if rapid.IntRange(0, 3).Draw(rt, "denying") == 0 {
		p.deny = someone(rt, "deny", 1, false)
	}
	return access.Policy{Restricted: p.restricted, Allow: principals(p.allow), Deny: principals(p.deny)}
}

// upload uploads a text under a key, works on the job at once, and expects what A3 says.
func (m *machine) upload(rt *rapid.T) {
	p := &paper{
		base: rapid.SampledFrom(machineBases).Draw(rt, "base"), key: rapid.SampledFrom([]string{"a", "a", "b"}).Draw(rt, "key"),
		text: rapid.SampledFrom([]string{"one", "two", "three"}).Draw(rt, "text"), status: "draft",
	}
	up := corpus.Upload{
		KnowledgeBase: access.KnowledgeBaseID(p.base), Key: corpus.Key(p.key), Publish: rapid.Bool().Draw(rt, "publish"),
	}
	there := m.living(p.base, p.key)
	if up.OwnPolicy = rapid.Bool().Draw(rt, "says its policy"); up.OwnPolicy {
		up.Policy, p.own = policy(rt, p), true
	} else if n := len(there); n > 0 {
		p.ruledBy(there[n-1])
		p.own = there[n-1].own && there[n-1].status == "draft"
	}
	up.Checksum, up.Size = m.put(p.text)
	res, err := m.Catalog.Reserve(m.ctx, m.root(access.Catalog), up)
	if slices.ContainsFunc(there, func(other *paper) bool { return !m.passes("root", other) }) {
		m.want(err, "not_found")
		return
	}
	if !m.passes("root", p) {
		m.want(err, "policy_excludes_you")
		return
	}
	same := len(there) > 0 && there[len(there)-1].text == p.text && there[len(there)-1].status != "archived"
	if same && !p.ruledAs(there[len(there)-1]) {
		m.want(err, "policy_differs")
		return
	}
	m.ok(err)
	if n := len(there); same {
		is(m.World, "unchanged", res.Unchanged, true)
		is(m.World, "document", string(res.Document), there[n-1].id)
		if up.Publish && there[n-1].status != "published" {
			m.publish(there[n-1])
		}
		return
	}
	is(m.World, "unchanged", res.Unchanged, false)
	for _, other := range m.docs {
		if other.base == p.base && other.key == p.key {
			p.version = max(p.version, other.version)
		}
	}
	p.version++
	p.id = string(res.Document)
	is(m.World, "version", res.Version, p.version)
	m.work()
	m.docs = append(m.docs, p)
	m.touch(p)
	if up.Publish {
		m.publish(p)
	}
}

func (m *machine) publish(p *paper) { m.oracle.publish(p) }

// pick draws one of the papers; nil if there are none.
func (m *machine) pick(rt *rapid.T) *paper {
	if len(m.docs) == 0 {
		return nil
	}
	return rapid.SampledFrom(m.docs).Draw(rt, "document")
}

func (m *machine) editPolicy(rt *rapid.T) {
	p := m.pick(rt)
	if p == nil {
		return
	}
	changed := *p
	pol := policy(rt, &changed)
	_, err := m.Catalog.Edit(m.ctx, m.root(access.Catalog), corpus.DocumentID(p.id), corpus.Change{Policy: &pol})
	if !m.sees("root", access.Catalog, p) {
		m.want(err, "not_found")
		return
	}
	if !m.passes("root", &changed) {
		m.want(err, "policy_excludes_you")
		return
	}
	if p.status == "archived" && m.oracle.inForce(p.base, p.key) != nil {
		m.want(err, "policy_of_published")
		return
	}
	m.ok(err)
	changed.own = true
	*p = changed
	if p.status == "published" {
		m.oracle.follow(p)
	}
	m.touch(p)
}

func (m *machine) delete(rt *rapid.T) {
	p := m.pick(rt)
	if p == nil {
		return
	}
	err := m.Catalog.Delete(m.ctx, m.root(access.Catalog), corpus.DocumentID(p.id))
	if !m.sees("root", access.Catalog, p) {
		m.want(err, "not_found")
		return
	}
	m.ok(err)
	p.status = "deleted"
	m.touch(p)
}

// look compares the present, the past and the proposals, and notes what is in force.
func (m *machine) look(rt *rapid.T) {
	m.compare(rt)
	m.comparePast(rt)
	m.compareProposals()
	m.remember(m.clock.Now())
}

// compare lets one user look in one view, in every way there is.
func (m *machine) compare(rt *rapid.T) {
	user := rapid.SampledFrom(append([]string{"root"}, machineUsers...)).Draw(rt, "reader")
	view := rapid.SampledFrom([]access.View{access.Published, access.Catalog, access.Content, access.Cited}).Draw(rt, "view")
	scope, err := m.scoped(user, view)
	if m.suspended[user] {
		m.want(err, "not_found")
		return
	}
	m.ok(err)
	var want []string
	for _, p := range m.docs {
		if m.sees(user, view, p) {
			want = append(want, p.id)
		}
		x, err := m.Texts.Text(m.ctx, scope, corpus.DocumentID(p.id))
		if m.sees(user, view, p) != (err == nil) || err == nil && (x.Text != p.text || x.Document.Version != p.version || string(x.Document.Status) != p.status) {
			m.t.Fatalf("%s in view %d reads %+v as %+v, %v", user, view, *p, x.Document, err)
		}
		if err != nil && !problem.Is(err, problem.NotFound) {
			m.ok(err)
		}
	}
	m.agrees("list", want, ids(m.listed(scope, corpus.Filter{}, rapid.IntRange(1, 4).Draw(rt, "page"))))
	var admitted []string
	for id, r := range m.follow() {
		if scope.Admits(r) {
			admitted = append(admitted, string(id))
		}
	}
	m.agrees("image", want, admitted)
}

// follow returns what rights are judged by, as one knows it who read the rows once and then what
// changed. It must be what the rows say.
func (m *machine) follow() map[corpus.DocumentID]access.Resource {
	all := func(corpus.DocumentID, int64) bool { return true }
	img, err := m.Segments.Image(m.ctx, m.tenant, m.followed, all)
	m.ok(err)
	for _, id := range img.Gone {
		delete(m.known, id)
	}
	for _, d := range img.Documents {
		m.known[d.Document] = d.Resource
	}
	m.followed = img.State
	img, err = m.Segments.Image(m.ctx, m.tenant, retrieval.State{}, all)
	m.ok(err)
	rows := map[corpus.DocumentID]access.Resource{}
	for _, d := range img.Documents {
		rows[d.Document] = d.Resource
	}
	if d := cmp.Diff(rows, m.known); d != "" {
		m.t.Fatalf("who follows knows otherwise than the rows: %s", d)
	}
	return rows
}

func ids(list []corpus.DocumentID) (out []string) {
	for _, id := range list {
		out = append(out, string(id))
	}
	return out
}

func (m *machine) agrees(what string, want, got []string) {
	want, got = slices.Clone(want), slices.Clone(got)
	slices.SortFunc(want, strings.Compare)
	slices.SortFunc(got, strings.Compare)
	if d := cmp.Diff(want, got); d != "" {
		m.t.Fatalf("%s: %s", what, d)
	}
}
