package leaktest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
)

// person is somebody in the world.
type person struct {
	id, tenant string
	roles      []string
}

// The people. Kim and Gia manage the bases of their tenants; Tess administers people, looks at
// the ledger, and is a knowledge administrator without any reading right of her own.
var people = []person{
	{"ana", "acme", []string{"member"}}, {"ben", "acme", []string{"member"}},
	{"kim", "acme", []string{"member", "knowledge_admin"}},
	{"tess", "acme", []string{"member", "tenant_admin", "auditor", "knowledge_admin"}},
	{"gus", "globex", []string{"member", "auditor"}}, {"gia", "globex", []string{"member", "tenant_admin", "knowledge_admin"}},
}

var (
	groupsOf  = map[string][]string{"acme": {"g1", "g2", "g3"}, "globex": {"h1", "h2"}}
	basesOf   = map[string][]string{"acme": {"kb1", "kb2", "kb3"}, "globex": {"kbx"}}
	managerOf = map[string]string{"acme": "kim", "globex": "gia"}
	headOf    = map[string]string{"acme": "tess", "globex": "gia"}
	proposing = "kb2" // the base that publishes by proposal
)

// version is what the driver knows of one version of a document.
type version struct {
	id, key, base, tenant string
	no                    int
	canary                Canary
	allow, deny           []string
	open                  bool
	own                   bool // it was given a policy of its own
	status                string
	gone                  bool
	text                  string
}

// asked is a run of the past.
type asked struct{ id, by string }

// world is the product beside its history.
type world struct {
	t       failing
	p       *product
	seed    string
	history History
	scan    *Scanner
	tokens  map[string]string
	away    map[string]bool // suspended
	own     map[string]Canary
	all     []*version
	keys    map[string][]*version
	runs    []asked
	halted  []asked // runs that were interrupted
	talks   []asked // conversations
	jobs    []asked
	exports []asked
	drafts  []asked
	stats   *stats
	trail   []string
	groups  map[string][]string
	levels  map[string]map[string]int
	synonym map[string][]string // the lines of each tenant
	mu      sync.Mutex          // over what is counted: a run's model is looked at while requests are
}

// prompted counts a prompt.
func (w *world) prompted() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stats.prompts++
}

// stats counts over all sequences.
type stats struct {
	sequences, operations, responses, prompts int
	bytes                                     int64
	seen                                      map[string]int // allowed canaries by actor and channel
	equal                                     int
}

func (w *world) tenant(user string) string {
	return people[slices.IndexFunc(people, func(p person) bool { return p.id == user })].tenant
}

// begin makes tenants, people, groups and bases.
func begin(t failing, dir, seed string, s *stats) *world {
	w := &world{
		t: t, p: newProduct(t, dir), seed: seed, scan: &Scanner{}, tokens: map[string]string{}, away: map[string]bool{},
		own: map[string]Canary{}, keys: map[string][]*version{}, stats: s, groups: map[string][]string{}, levels: map[string]map[string]int{}, synonym: map[string][]string{},
	}
	ctx, admin := context.Background(), w.p.db.Admin()
	for tenant := range basesOf {
		w.must(admin.CreateTenant(ctx, access.TenantID(tenant), tenant))
	}
	for _, p := range people {
		var roles []access.Role
		for _, r := range p.roles {
			roles = append(roles, access.Role(r))
		}
		w.must(admin.PutUser(ctx, access.TenantID(p.tenant), "operator", access.Identity{User: access.UserID(p.id), Roles: roles}))
		w.tokens[p.id] = w.p.token(t, p.tenant, p.id, time.Time{})
		w.own[p.id] = Mint(seed, "actor:"+p.id)
		w.scan.Add(w.own[p.id], Words)
		w.note(Change{Do: "user", Of: p.id, In: p.tenant, Names: p.roles})
	}
	for _, tenant := range slices.Sorted(maps.Keys(basesOf)) {
		for _, g := range groupsOf[tenant] {
			w.expect(201, headOf[tenant], send("POST", "/api/groups", map[string]any{"id": g, "members": []string{}}))
		}
		for _, kb := range basesOf[tenant] {
			w.expect(201, managerOf[tenant], send("POST", "/api/knowledge-bases", map[string]any{"id": kb, "name": "Base " + kb}))
			if kb != proposing {
				w.expect(200, managerOf[tenant], send("PATCH", "/api/knowledge-bases/"+kb, map[string]any{"publishing": "direct"}))
			}
			w.grant(kb, tenant, map[string]int{})
		}
	}
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.fail("%v", err)
	}
}

// fail ends the sequence with what led to it.
func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf("%s\nafter:\n  %s", fmt.Sprintf(format, args...), strings.Join(w.trail, "\n  "))
}

func (w *world) note(c Change) { w.history = append(w.history, c) }

// may asks the oracle about this moment.
func (w *world) may(user string, v *version, use Use) bool {
	return w.history.May(user, v.id, use, len(w.history))
}

// expect makes a request that must be answered so, and looks for nothing in the answer.
func (w *world) expect(status int, user string, q request) response {
	w.t.Helper()
	r := w.p.do(w.tokens[user], q)
	if r.status != status {
		w.fail("%s %s as %s: %d, want %d: %s", q.method, q.path, user, r.status, status, r.body)
	}
	return r
}

// grant replaces the grants of a base; its manager stays.
func (w *world) grant(kb, tenant string, levels map[string]int) {
	names := []string{"", "reader", "editor", "manager"}
	levels["user:"+managerOf[tenant]] = 3
	var list []map[string]string
	for _, p := range slices.Sorted(maps.Keys(levels)) {
		list = append(list, map[string]string{"principal": p, "role": names[levels[p]]})
	}
	w.expect(200, managerOf[tenant], send("PUT", "/api/knowledge-bases/"+kb+"/grants", map[string]any{"grants": list}))
	w.levels[kb] = levels
	w.note(Change{Do: "grants", Of: kb, In: tenant, Levels: maps.Clone(levels)})
}

// body writes the original of a version: its canaries stand in heading, paragraphs and a table.
func (v *version) body() string {
	c := v.canary
	return fmt.Sprintf(`# 季度预算 %[1]s

%[2]s的第一段说明季度预算。本节编号 %[3]s，关键词 %[4]s。

## %[4]s 的批准预算

%[4]s 的批准预算为 %[5]s 元，内部代号 %[3]s，项目 %[1]s。

| 项目 | 数额 |
|---|---|
| %[1]s | %[6]s |

## Budget notes

The quarterly budget of %[4]s is %[6]s yuan; the code name is %[3]s.

%[7]s

末段：%[1]s，%[3]s。
`, c.Name, c.Name, c.Token, c.Probe, c.Grouped(), c.Fact, strings.Repeat("季度预算按部门执行，由财务复核。 ", 1+v.no*3))
}

func (v *version) policy() any {
	if v.open && len(v.deny) == 0 {
		return "inherit"
	}
	m := map[string]any{}
	if !v.open {
		m["allow"] = v.allow
	}
	if len(v.deny) > 0 {
		m["deny"] = v.deny
	}
	return m
}

// upload brings a version in and waits until it is there.
func (w *world) upload(v *version, own bool, publish bool) {
	w.t.Helper()
	w.scan.Add(v.canary, Token, Fact, Name, Title)
	if v.text == "" {
		v.text = v.body()
	}
	fields := []string{"doc_key", v.key, "title", "预算 " + v.canary.Title, "id", v.id}
	if own {
		b, _ := json.Marshal(v.policy())
		fields = append(fields, "access_policy", string(b))
	}
	if publish {
		fields = append(fields, "status", "published")
	}
	boss := managerOf[v.tenant]
	r := w.expect(202, boss, form("/api/knowledge-bases/"+v.base+"/documents", v.canary.Title+".md", v.text, fields...))
	w.must(w.p.worker.Drain(context.Background()))
	w.must(w.p.vectors.Drain(context.Background()))
	w.jobs = append(w.jobs, asked{between(r.body, `"job_id":"`, `"`), boss})
	w.expect(200, boss, send("PATCH", "/api/documents/"+v.id, map[string]any{"labels": []string{v.canary.Title}}))
	w.all = append(w.all, v)
	v.status, v.own = "draft", own
	if publish {
		w.enforce(v)
	}
	w.note(Change{Do: "version", Of: v.id, In: v.base, Status: v.status, Names: v.allow, Deny: v.deny, Open: v.open})
	w.keys[v.key] = append(w.keys[v.key], v)
	if publish {
		w.follow(v)
	}
}

// enforce puts a version in force, and the one before it out of force.
func (w *world) enforce(v *version) {
	for _, o := range w.keys[v.key] {
		if o.status == "published" && !o.gone && o != v {
			w.status(o, "archived")
		}
	}
	v.status = "published"
}

func (w *world) status(v *version, status string) {
	v.status = status
	w.note(Change{Do: "status", Of: v.id, Status: status})
}

// look makes a request as somebody and judges every byte of the answer. The use says which
// versions its answer may come from.
func (w *world) look(user string, use Use, channel string, q request) response {
	w.t.Helper()
	r := w.p.do(w.tokens[user], q)
	w.stats.responses++
	if r.status >= 500 {
		w.fail("%s %s as %s: %d %s", q.method, q.path, user, r.status, r.body)
	}
	w.judge(user, use, channel, []byte(r.header+"\n"+r.body))
	w.judgeLog()
	return r
}

// judge holds bytes that reached somebody against the oracle of this moment.
func (w *world) judge(user string, use Use, channel string, b []byte) {
	w.t.Helper()
	if leak := w.leak(user, use, channel, b); leak != "" {
		w.fail("%s", leak)
	}
}

// leak says what in the bytes the user might not see; "" if there is nothing.
func (w *world) leak(user string, use Use, channel string, b []byte) string {
	for _, h := range w.scan.Scan(b) {
		allowed := h.Owner == "actor:"+user
		if h.Kind != Words {
			v := w.byID(h.Owner)
			u := use
			if h.Kind == Title && use == Open {
				u = List
			}
			allowed = w.may(user, v, u) || h.Kind == Title && use == Open && w.may(user, v, Open)
		}
		if !allowed {
			return fmt.Sprintf("LEAK of %s (%s, read as %s) to %s in %s:\n%s", h.Owner, h.Kind, h.View, user, channel, b)
		}
		w.mu.Lock()
		w.stats.seen[user+" "+channel]++
		w.mu.Unlock()
	}
	return ""
}

// judgeLog looks through what was logged: no text of anybody's belongs there.
func (w *world) judgeLog() {
	w.t.Helper()
	if b := w.p.log.take(); len(b) > 0 {
		if hits := w.scan.Scan(b); len(hits) > 0 {
			w.fail("LEAK into the log: %v:\n%s", hits, b)
		}
	}
}

func (w *world) byID(id string) *version {
	i := slices.IndexFunc(w.all, func(v *version) bool { return v.id == id })
	if i < 0 {
		w.fail("no version %s", id)
	}
	return w.all[i]
}

// same demands that what is not there for somebody answers exactly like what does not exist.
func (w *world) same(user, channel string, foreign, unknown request) {
	w.t.Helper()
	a, b := w.look(user, Find, channel, foreign), w.look(user, Find, channel, unknown)
	if a != b || a.status/100 == 2 {
		w.fail("%s as %s tells what is not there from what does not exist:\n%+v\n%+v", foreign.path, user, a, b)
	}
}

// GoString and its likes keep what a failing sequence drew short.
func (v *version) GoString() string  { return v.id }
func (p person) GoString() string    { return p.id }
func (a asked) GoString() string     { return a.id + " of " + a.by }
func (o operation) GoString() string { return o.name }
