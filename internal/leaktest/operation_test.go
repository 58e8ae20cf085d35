package leaktest

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"pgregory.net/rapid"
)

// operation is one thing that the driver can do. It does nothing where the world is not ripe.
type operation struct {
	name   string
	weight int
	do     func(w *world, t *rapid.T)
}

// operations are all of them; the weights are those of an ordinary office with bad luck.
var operations = []operation{
	{"members", 6, (*world).members}, {"grants", 5, (*world).grants}, {"policy", 8, (*world).policy}, {"suspend", 3, (*world).suspend},
	{"upload", 9, (*world).newVersion}, {"propose", 4, (*world).propose}, {"export", 2, (*world).export}, {"exported", 2, (*world).exported}, {"archive", 2, (*world).archive}, {"delete", 3, (*world).remove},
	{"search", 10, (*world).search}, {"find", 6, (*world).find}, {"chat", 12, (*world).chat}, {"look at run", 8, (*world).lookAtRun},
	{"write", 6, (*world).write}, {"look at draft", 10, (*world).lookAtDraft},
	{"look at version", 20, (*world).lookAtVersion}, {"talk", 4, (*world).lookAtTalk}, {"ledger", 3, (*world).ledger}, {"synonyms", 3, (*world).synonyms},
	{"lists", 4, (*world).lists}, {"job", 2, (*world).job}, {"token", 2, (*world).credential}, {"restart", 1, (*world).restart},
	{"interrupt", 2, (*world).interrupt}, {"resume", 4, (*world).resume},
}

// bag holds each operation as often as it weighs.
func bag() []operation {
	var out []operation
	for _, o := range operations {
		for range o.weight {
			out = append(out, o)
		}
	}
	return out
}

func pick[T any](t *rapid.T, label string, from []T) T { return rapid.SampledFrom(from).Draw(t, label) }

func user(t *rapid.T, label string) string { return pick(t, label, people).id }

// principalsIn are the names that grants and policies of a tenant may carry; nobody who manages.
func principalsIn(tenant string) []string {
	var out []string
	for _, p := range people {
		if p.tenant == tenant && p.id != managerOf[tenant] {
			out = append(out, "user:"+p.id)
		}
	}
	for _, g := range groupsOf[tenant] {
		out = append(out, "group:"+g)
	}
	return out
}

func tenantOf(t *rapid.T) string {
	return pick(t, "tenant", []string{"acme", "acme", "acme", "globex"})
}

// members changes a group: its people, and the groups inside it. A circle is refused by the
// product and stays as it was.
func (w *world) members(t *rapid.T) {
	tenant := tenantOf(t)
	g := pick(t, "group", groupsOf[tenant])
	var list []string
	for _, p := range principalsIn(tenant) {
		if p != "group:"+g && rapid.IntRange(0, 2).Draw(t, p) == 0 {
			list = append(list, p)
		}
	}
	if list == nil {
		list = []string{}
	}
	r := w.p.do(w.tokens[headOf[tenant]], send("PUT", "/api/groups/"+g+"/members", map[string]any{"members": list}))
	if r.status == 200 {
		w.note(Change{Do: "group", Of: g, In: tenant, Names: list})
	} else if r.status/100 != 4 {
		w.fail("members of %s: %d %s", g, r.status, r.body)
	}
}

func (w *world) grants(t *rapid.T) {
	tenant := tenantOf(t)
	levels := map[string]int{}
	for _, p := range append(principalsIn(tenant), "everyone") {
		if l := rapid.IntRange(-3, 2).Draw(t, p); l > 0 {
			levels[p] = l
		}
	}
	w.grant(pick(t, "base", basesOf[tenant]), tenant, levels)
}

// living returns the versions that are there, at least in one of the states.
func (w *world) living(states ...string) []*version {
	var out []*version
	for _, v := range w.all {
		if !v.gone && (len(states) == 0 || slices.Contains(states, v.status)) {
			out = append(out, v)
		}
	}
	return out
}

// limits draws a policy, which never keeps out who manages.
func limits(t *rapid.T, v *version) {
	names := principalsIn(v.tenant)
	v.allow, v.deny, v.open = nil, nil, rapid.Bool().Draw(t, "open")
	for _, p := range names {
		switch rapid.IntRange(0, 3).Draw(t, "policy "+p) {
		case 0:
			v.deny = append(v.deny, p)
		case 1:
			if !v.open {
				v.allow = append(v.allow, p)
			}
		}
	}
	if !v.open {
		v.allow = append(v.allow, "user:"+managerOf[v.tenant])
	}
}

func (w *world) policy(t *rapid.T) {
	// An archived version has the policy of the one in force and none of its own.
	list := slices.DeleteFunc(w.living(), func(v *version) bool { return v.status == "archived" && w.inForce(v.key) != nil })
	if len(list) > 0 {
		v := pick(t, "version", list)
		limits(t, v)
		w.setPolicy(v)
	}
}

// inForce is the published version of a key; nil if there is none.
func (w *world) inForce(key string) *version {
	for _, v := range w.keys[key] {
		if v.status == "published" && !v.gone {
			return v
		}
	}
	return nil
}

// follow gives the archived versions of a key, and its drafts without a policy of their own, the
// policy of the version in force.
func (w *world) follow(published *version) {
	for _, o := range w.keys[published.key] {
		if o == published || o.gone || o.status == "draft" && o.own {
			continue
		}
		o.allow, o.deny, o.open = slices.Clone(published.allow), slices.Clone(published.deny), published.open
		w.note(Change{Do: "policy", Of: o.id, Names: o.allow, Deny: o.deny, Open: o.open})
	}
}

func (w *world) setPolicy(v *version) {
	w.expect(200, managerOf[v.tenant], send("PATCH", "/api/documents/"+v.id, map[string]any{"access_policy": v.policy()}))
	v.own = true
	w.note(Change{Do: "policy", Of: v.id, Names: v.allow, Deny: v.deny, Open: v.open})
	if v.status == "published" {
		w.follow(v)
	}
}

// suspend takes everything from somebody, or gives it back.
func (w *world) suspend(t *rapid.T) {
	who := pick(t, "who", []string{"ana", "ben", "gus"})
	w.setSuspended(who, !w.away[who])
}

func (w *world) setSuspended(who string, away bool) {
	w.expect(200, headOf[w.tenant(who)], send("PATCH", "/api/users/"+who, map[string]any{"suspended": away}))
	w.away[who] = away
	w.note(Change{Do: map[bool]string{true: "suspend", false: "restore"}[away], Of: who})
	if r := w.p.do(w.tokens[who], get("/api/me")); away && r.status != 401 {
		w.fail("%s is suspended and gets %d: %s", who, r.status, r.body)
	}
	if !away {
		w.tokens[who] = w.p.token(w.t, w.tenant(who), who, time.Time{})
	}
}

// newVersion uploads a document, or a further version of one.
func (w *world) newVersion(t *rapid.T) {
	if len(w.all) >= 40 {
		return
	}
	tenant := tenantOf(t)
	v := &version{tenant: tenant, base: pick(t, "base", basesOf[tenant]), no: 1, open: true}
	v.key = fmt.Sprintf("%s-paper-%d", v.base, rapid.IntRange(1, 5).Draw(t, "paper"))
	before := w.keys[v.key]
	v.no = len(before) + 1
	if v.no > 3 {
		return
	}
	v.id = fmt.Sprintf("doc-%s-v%d", v.key, v.no)
	v.canary = Mint(w.seed, v.id)
	own := true
	if n := len(before); n > 0 && !slices.ContainsFunc(before, func(o *version) bool { return o.gone }) && rapid.Bool().Draw(t, "inherit") {
		own = false
		v.allow, v.deny, v.open = slices.Clone(before[n-1].allow), slices.Clone(before[n-1].deny), before[n-1].open
	} else if rapid.IntRange(0, 2).Draw(t, "limited") == 0 {
		limits(t, v)
	}
	publish := rapid.IntRange(0, 3).Draw(t, "publish") > 0 && (v.base != proposing || len(before) == 0)
	w.upload(v, own, publish)
}

// propose proposes a draft and lets it be approved, declined, overtaken or too late.
func (w *world) propose(t *rapid.T) {
	list := w.living("draft")
	if len(list) == 0 {
		return
	}
	v := pick(t, "version", list)
	boss, other := managerOf[v.tenant], headOf["acme"]
	r := w.look(boss, Open, "proposal", request{"POST", "/api/documents/" + v.id + "/publish-proposals", "", nil})
	if r.status != 201 {
		w.fail("propose %s: %d %s", v.id, r.status, r.body)
	}
	id := between(r.body, `"proposal_id":"`, `"`)
	path := "/api/publish-proposals/" + id
	decide := func(path string, approved bool) request {
		return send("POST", path+"/decisions", map[string]any{"approved": approved})
	}
	w.same(other, "proposal", get(path), get("/api/publish-proposals/prop_unknown"))
	w.same(other, "proposal", decide(path, true), decide("/api/publish-proposals/prop_unknown", true))
	w.look(boss, Open, "proposal", get(path))
	verdict := func(approved bool, status int) {
		if r := w.look(boss, Open, "proposal", decide(path, approved)); r.status != status {
			w.fail("decision on %s: %d, want %d: %s", id, r.status, status, r.body)
		}
	}
	switch pick(t, "end", []string{"approve", "approve", "decline", "overtaken", "late"}) {
	case "approve":
		verdict(true, 200)
		for _, o := range w.keys[v.key] {
			if o.status == "published" && !o.gone {
				w.status(o, "archived")
			}
		}
		w.status(v, "published")
		w.follow(v)
		verdict(false, 409)
	case "decline":
		verdict(false, 200)
		verdict(true, 409)
	case "overtaken":
		w.expect(200, boss, send("PATCH", "/api/documents/"+v.id, map[string]any{"labels": []string{v.canary.Title, "again"}}))
		verdict(true, 409)
	case "late":
		w.p.clock.step(16 * time.Minute)
		w.look(boss, Open, "proposal", get("/api/publish-proposals"))
		w.p.clock.step(-16 * time.Minute)
		verdict(true, 410)
	}
	w.look(boss, Open, "proposal", get("/api/approvals"))
	w.state(v)
}

// state asks the product for the state of a version and compares it with the history.
func (w *world) state(v *version) {
	r := w.look(managerOf[v.tenant], Open, "document", get("/api/documents/"+v.id))
	if got := between(r.body, `"status":"`, `"`); got != v.status {
		w.fail("%s is %s, and ought to be %s", v.id, got, v.status)
	}
}

func (w *world) archive(t *rapid.T) {
	if list := w.living("published"); len(list) > 0 {
		v := pick(t, "version", list)
		w.expect(200, managerOf[v.tenant], request{"POST", "/api/documents/" + v.id + "/archive", "", nil})
		w.status(v, "archived")
	}
}

func (w *world) remove(t *rapid.T) {
	if list := w.living(); len(list) > 0 {
		v := pick(t, "version", list)
		path, erase := "/api/documents/"+v.id, rapid.Bool().Draw(t, "erase")
		if erase {
			path += "?erase=true"
		}
		w.expect(204, managerOf[v.tenant], request{"DELETE", path, "", nil})
		v.gone = true
		w.note(Change{Do: "gone", Of: v.id})
		if erase {
			w.erased(v)
		}
	}
}

// erased demands that no file of the product holds a word of a version.
func (w *world) erased(v *version) {
	err := filepath.WalkDir(w.p.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, word := range []string{v.canary.Token, v.canary.Fact, v.canary.Name, v.canary.Title, v.canary.Grouped()} {
			if i := bytes.Index(b, []byte(word)); i >= 0 {
				w.fail("%s was erased, and %s holds %s: …%q…", v.id, filepath.Base(path), word, b[max(0, i-200):min(len(b), i+100)])
			}
		}
		return err
	})
	w.must(err)
}

// synonyms replaces the list of a tenant by lines of words that documents and questions hold. Who does
// not administer the tenant learns of no list.
func (w *world) synonyms(t *rapid.T) {
	tenant := tenantOf(t)
	lines := rapid.SliceOfNDistinct(rapid.SampledFrom(synonymLines), 0, 3, rapid.ID[string]).Draw(t, "lines")
	w.setSynonyms(tenant, lines)
	who := user(t, "who")
	w.look(headOf[tenant], Find, "synonyms", get("/api/synonyms"))
	w.look(who, Find, "by synonym", send("POST", "/api/search", map[string]any{"query": "QBX", "limit": 50}))
	if who != headOf[w.tenant(who)] && !w.away[who] {
		w.same(who, "synonyms", get("/api/synonyms"), get("/api/users/nobody"))
		w.same(who, "synonyms", send("PUT", "/api/synonyms", map[string]any{"lines": []string{"B超"}}), send("PUT", "/api/groups/nobody/members", map[string]any{"members": []string{}}))
	}
}

// synonymLines are what administrators write; abbreviations that no document holds stand for words that
// all of them do, and for one that some do.
var synonymLines = []string{"QBX, 批准预算", "ZZK => 季度预算, code name", "预算, budget", "批准 => 季度", "QBX, ZZK"}

func (w *world) setSynonyms(tenant string, lines []string) {
	if lines == nil {
		lines = []string{}
	}
	w.expect(200, headOf[tenant], send("PUT", "/api/synonyms", map[string]any{"lines": lines}))
	w.synonym[tenant] = lines
}

// credential ends a token, or lets its time run out.
func (w *world) credential(t *rapid.T) {
	who := user(t, "who")
	if w.away[who] {
		return
	}
	if rapid.Bool().Draw(t, "expire") {
		token := w.p.token(w.t, w.tenant(who), who, w.p.clock.now().Add(time.Minute))
		w.p.clock.step(2 * time.Minute)
		if r := w.p.do(token, get("/api/me")); r.status != 401 {
			w.fail("an expired token of %s gets %d", who, r.status)
		}
		return
	}
	r := w.expect(201, who, send("POST", "/api/tokens", map[string]any{"name": "short"}))
	secret, id := between(r.body, `"token":"`, `"`), between(r.body, `"id":"`, `"`)
	if r := w.p.do(secret, get("/api/me")); r.status != 200 {
		w.fail("a new token of %s gets %d: %s", who, r.status, r.body)
	}
	w.expect(204, who, request{"DELETE", "/api/tokens/" + id, "", nil})
	if r := w.p.do(secret, get("/api/me")); r.status != 401 {
		w.fail("a revoked token of %s gets %d", who, r.status)
	}
}

// restart closes the product and opens it again on its folder.
func (w *world) restart(*rapid.T) {
	w.p.close(w.t)
	w.p.open(w.t)
}

func (w *world) names() []string { return slices.Sorted(maps.Keys(w.tokens)) }
