package leaktest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"
)

const unknown = "doc-no-such-version"

// hits is what a search answers, as far as it does not name rows.
type hits struct {
	Items []struct {
		Document string          `json:"document_id"`
		Key      string          `json:"doc_key"`
		Title    string          `json:"title"`
		Heading  []string        `json:"heading_path"`
		Locator  json.RawMessage `json:"locator"`
		Snippet  string          `json:"snippet"`
		Score    float64         `json:"score"`
		Ranks    json.RawMessage `json:"ranks"`
		Matched  []string        `json:"matched"`
	} `json:"items"`
	Next *string `json:"next_cursor"`
}

var questions = []string{"季度预算", "批准预算 元", "quarterly budget code name", "财务 复核", "内部代号"}

// search looks for what every document holds.
func (w *world) search(t *rapid.T) {
	who := user(t, "who")
	q := map[string]any{"query": pick(t, "query", questions), "limit": pick(t, "limit", []int{3, 50})}
	if rapid.IntRange(0, 3).Draw(t, "narrow") == 0 {
		kb := pick(t, "base", []string{"kb1", "kb2", "kb3", "kbx"})
		q["knowledge_base_ids"] = []string{kb}
		if !w.readsBase(who, kb) && !w.away[who] {
			no := map[string]any{"query": q["query"], "limit": q["limit"], "knowledge_base_ids": []string{"kb-none"}}
			w.same(who, "search", send("POST", "/api/search", q), send("POST", "/api/search", no))
			return
		}
	}
	use := Find
	if rapid.IntRange(0, 3).Draw(t, "back") == 0 {
		// A moment ago the same versions were in force; who may not look back is told nothing.
		q["as_of"] = w.p.clock.now().Add(-time.Duration(rapid.IntRange(0, 900).Draw(t, "ms ago")) * time.Millisecond).UTC().Format(time.RFC3339Nano)
		use = Past
	}
	r := w.look(who, use, "search", send("POST", "/api/search", q))
	if use == Past && r.status == 200 && !slices.Contains(w.roles(who), "knowledge_admin") {
		w.fail("%s looks back: %s", who, r.body)
	}
	if next := between(r.body, `"next_cursor":"`, `"`); next != "" {
		q["cursor"] = next
		w.look(who, use, "search", send("POST", "/api/search", q))
	}
}

func (w *world) roles(who string) []string {
	return people[slices.IndexFunc(people, func(p person) bool { return p.id == who })].roles
}

// readsBase says whether a user has any level on a base: whether a version there that nobody is
// kept from would be readable.
func (w *world) readsBase(who, kb string) bool {
	h := append(w.history[:len(w.history):len(w.history)], Change{Do: "version", Of: "probe", In: kb, Status: "published", Open: true})
	return h.May(who, "probe", Find, len(h))
}

// find demands that a token finds its version exactly for those who may read it.
func (w *world) find(t *rapid.T) {
	if len(w.all) > 0 {
		w.finds(user(t, "who"), pick(t, "version", w.all))
	}
}

func (w *world) finds(who string, v *version) {
	r := w.p.do(w.tokens[who], send("POST", "/api/search", map[string]any{"query": v.canary.Token, "limit": 50}))
	var got hits
	if r.status == 200 {
		w.must(json.Unmarshal([]byte(r.body), &got))
	}
	found := false
	for _, h := range got.Items {
		// What was asked for may come back in the words of the question alone.
		found = found || h.Document == v.id
		if u := w.byID(h.Document); !w.may(who, u, Find) {
			w.fail("LEAK: %s finds %s", who, h.Document)
		}
	}
	if found != w.may(who, v, Find) {
		w.fail("%s looks for %s with its token and found is %v: %d %s", who, v.id, found, r.status, r.body)
	}
	if found {
		w.stats.seen[who+" find"]++
	}
}

// chat asks about a version in one's own conversation, on some route, with some engine; and
// sometimes somebody changes a right between two turns of the model.
func (w *world) chat(t *rapid.T) {
	who := user(t, "who")
	probe := "季度预算"
	var v *version
	if list := w.living(); len(list) > 0 {
		v = pick(t, "about", list)
		probe = v.canary.Probe
	}
	talk := "talk-" + pick(t, "talk", []string{"a", "b"}) // both names are everybody's
	question := fmt.Sprintf("%s 的批准预算是多少？", probe)
	if rapid.IntRange(0, 2).Draw(t, "personal") == 0 {
		question = fmt.Sprintf("关于 %s：%s", w.own[who].Token, question)
	}
	body := map[string]any{"question": question, "conversation_id": talk}
	use, m := Find, w.p.model
	m.parrot, m.read, m.turns, m.halt = rapid.Bool().Draw(t, "parrot"), "read_document", 0, 0
	switch route := pick(t, "route", []string{"", "fixed_rag", "agentic_rag", "agentic_rag", "version_tool"}); route {
	case "version_tool":
		use, m.read = Past, "read_document_version"
		fallthrough
	default:
		if route != "" {
			body["route"] = route
		}
	}
	leak := ""
	m.seen = func(prompt []byte) {
		w.prompted()
		if l := w.leak(who, use, "prompt", prompt); l != "" && leak == "" {
			leak = l
		}
	}
	m.between = w.meanwhile(t, who, v)
	r := w.p.do(w.tokens[who], send("POST", "/api/chat", body))
	m.seen, m.between = nil, nil
	if leak != "" {
		w.fail("%s", leak)
	}
	w.judge(who, Cite, "chat", []byte(r.header+r.body))
	w.judgeLog()
	if r.status >= 500 {
		w.fail("chat as %s: %d %s", who, r.status, r.body)
	}
	if r.status == 200 {
		w.runs = append(w.runs, asked{between(r.body, `"run_id":"`, `"`), who})
		w.talks = append(w.talks, asked{talk, who})
	}
}

// meanwhile draws what happens between the first and the second turn of a model.
func (w *world) meanwhile(t *rapid.T, who string, v *version) func() {
	switch pick(t, "meanwhile", []string{"", "", "deny", "suspend"}) {
	case "deny":
		if v != nil && who != managerOf[v.tenant] && w.tenant(who) == v.tenant {
			return func() {
				v.deny = append(v.deny, "user:"+who)
				w.setPolicy(v)
			}
		}
	case "suspend":
		if (who == "ana" || who == "ben" || who == "gus") && !w.away[who] {
			return func() { w.setSuspended(who, true) }
		}
	}
	return nil
}

// lookAtRun opens a run of the past in every way, as its owner and as somebody else.
func (w *world) lookAtRun(t *rapid.T) {
	if len(w.runs) == 0 {
		return
	}
	r := pick(t, "run", w.runs)
	path := "/api/runs/" + r.id
	ways := []func(string) request{
		func(p string) request { return get(p) },
		func(p string) request { return get(p+"/events", "Accept", "application/json") },
		func(p string) request { return get(p+"/events", "Accept", "text/event-stream") },
		func(p string) request { return get(p + "/sources/S1") },
		func(p string) request { return get(p + "/sources/S1/preview") },
		func(p string) request { return get(p + "/export") },
		func(p string) request { return get(p + "/sources/C1") },
		func(p string) request { return get(p + "/why") },
		func(p string) request { return get(p + "/bundle") },
	}
	for _, way := range ways {
		w.look(r.by, Cite, "run", way(path))
	}
	n := rapid.IntRange(1, 6).Draw(t, "event")
	w.look(r.by, Cite, "replay", get(path+"/events", "Accept", "text/event-stream", "Last-Event-ID", fmt.Sprintf("%s:%d", r.id, n)))
	w.look(r.by, Cite, "run", get("/api/runs"))
	if other := user(t, "other"); other != r.by {
		way := pick(t, "way", ways)
		if q := way(path); !strings.HasSuffix(q.path, "/why") && !strings.HasSuffix(q.path, "/bundle") || !w.audits(other, r.by) {
			w.same(other, "run", q, way("/api/runs/run_unknown"))
		}
		w.audit(other, r)
		w.same(other, "run", request{"POST", path + "/cancel", "", nil}, request{"POST", "/api/runs/run_unknown/cancel", "", nil})
		w.same(other, "run", request{"POST", path + "/resume", "", nil}, request{"POST", "/api/runs/run_unknown/resume", "", nil})
		w.look(other, Cite, "run", get("/api/runs?limit=200"))
	}
}

// audits says whether somebody is an auditor over the other's doings.
func (w *world) audits(who, other string) bool {
	return w.tenant(who) == w.tenant(other) && slices.Contains(w.roles(who), "auditor") && !w.away[who]
}

// audit looks into somebody else's run as an auditor. Words of the question may be seen where every
// document involved may be read; text of a document that may not be read, never.
func (w *world) audit(who string, r asked) {
	if !w.audits(who, r.by) {
		return
	}
	for _, part := range []string{"/why", "/bundle"} {
		got := w.p.do(w.tokens[who], get("/api/runs/"+r.id+part))
		w.stats.responses++
		if got.status >= 500 {
			w.fail("%s audits %s%s: %d %s", who, r.id, part, got.status, got.body)
		}
		for _, h := range w.scan.Scan([]byte(got.header + got.body)) {
			if h.Kind != Words && !w.may(who, w.byID(h.Owner), Cite) {
				w.fail("LEAK to the auditor %s through %s of the run of %s: %v", who, part, r.by, h)
			}
		}
	}
}

// lookAtVersion opens a version in every way. What may be seen must be there, and what may not
// must answer like what does not exist.
func (w *world) lookAtVersion(t *rapid.T) {
	if len(w.all) == 0 {
		return
	}
	v, who := pick(t, "version", w.all), user(t, "who")
	w.opens(who, v)
	if list := w.keys[v.key]; len(list) > 1 {
		to := pick(t, "to", list)
		path := func(id string) request { return get("/api/documents/" + v.id + "/diff?to=" + id) }
		if to != v && w.may(who, v, Open) && w.may(who, to, Open) {
			w.look(who, Open, "diff", path(to.id))
		} else if to != v && !w.away[who] {
			w.same(who, "diff", path(to.id), get("/api/documents/"+unknown+"/diff?to="+to.id))
		}
	}
}

func (w *world) opens(who string, v *version) {
	for _, way := range []struct {
		name, path string
		need       Use
	}{
		{"document", "/api/documents/%s", List}, {"versions", "/api/documents/%s/versions", List},
		{"chunks", "/api/documents/%s/chunks", Open}, {"original", "/api/documents/%s/original", Open},
		{"preview", "/api/documents/%s/preview", Open},
		{"history", "/api/tools/document-versions/%s", Past},
	} {
		there := get(fmt.Sprintf(way.path, v.id))
		// Metadata of an archived version is for editors, its content for administrators.
		if !w.may(who, v, way.need) {
			w.same(who, way.name, there, get(fmt.Sprintf(way.path, unknown)))
			continue
		}
		use := way.need
		if use == List {
			use = Open // a title may be seen with the metadata, and nothing else of the version is in it
		}
		if r := w.look(who, use, way.name, there); r.status != 200 {
			w.fail("%s may see %s of %s and gets %d: %s", who, way.name, v.id, r.status, r.body)
		} else if way.need != List && !strings.Contains(r.body, v.canary.Token) {
			w.fail("%s of %s does not hold its token: %s", way.name, v.id, r.body)
		}
	}
}

// lookAtTalk opens conversations: everybody uses the same two names, and each has their own.
func (w *world) lookAtTalk(t *rapid.T) {
	who := user(t, "who")
	path := "/api/conversations/" + pick(t, "talk", []string{"talk-a", "talk-b"}) + "/memory"
	w.look(who, Find, "memory", get("/api/conversations"))
	r := w.look(who, Find, "memory", get(path))
	spoke := false
	for _, a := range w.talks {
		spoke = spoke || a.by == who && strings.Contains(path, a.id)
	}
	if !spoke && r.status == 200 {
		w.fail("%s never spoke in %s and reads a memory: %s", who, path, r.body)
	}
	if rapid.IntRange(0, 4).Draw(t, "forget") == 0 {
		w.look(who, Find, "memory", request{"DELETE", path, "", nil})
	}
}

// ledger exports what the ledger lets somebody see. It holds no text, and one tenant's alone.
func (w *world) ledger(t *rapid.T) {
	who := user(t, "who")
	path := "/api/ledger?limit=200"
	for range 5 {
		r := w.p.do(w.tokens[who], get(path))
		w.stats.responses++
		if hits := w.scan.Scan([]byte(r.body)); len(hits) > 0 {
			w.fail("LEAK into the ledger of %s: %v", who, hits)
		}
		if id := between(r.body, `"id":"`, `"`); id != "" {
			w.look(who, Find, "proof", get("/api/ledger/"+id+"/proof"))
			w.look(who, Find, "proof", get("/api/ledger/checkpoint?from=1"))
			for _, p := range people {
				if other := p.id; !w.audits(other, who) && other != who && !w.audits(who, who) && !w.away[other] {
					w.same(other, "entry", get("/api/ledger/"+id), get("/api/ledger/led_unknown"))
					w.same(other, "entry", get("/api/ledger/"+id+"/proof"), get("/api/ledger/led_unknown/proof"))
				}
			}
		}
		for _, p := range people {
			if p.tenant != w.tenant(who) && strings.Contains(r.body, `"`+p.id+`"`) {
				w.fail("the ledger that %s reads tells of %s: %s", who, p.id, r.body)
			}
		}
		next := between(r.body, `"next_cursor":"`, `"`)
		if next == "" {
			return
		}
		path = "/api/ledger?limit=200&cursor=" + url.QueryEscape(next)
	}
}

func (w *world) lists(t *rapid.T) {
	who := user(t, "who")
	w.look(who, Find, "list", get("/api/knowledge-bases"))
	kb := pick(t, "base", []string{"kb1", "kb2", "kb3", "kbx"})
	if path := "/api/knowledge-bases/%s/documents?limit=200"; w.readsBase(who, kb) {
		w.look(who, Open, "list", get(fmt.Sprintf(path, kb)))
	} else if !w.away[who] {
		w.same(who, "list", get(fmt.Sprintf(path, kb)), get(fmt.Sprintf(path, "kb-none")))
	}
	w.look(who, Open, "proposal", get("/api/publish-proposals"))
}

func (w *world) job(t *rapid.T) {
	if len(w.jobs) > 0 {
		j, who := pick(t, "job", w.jobs), user(t, "who")
		if who != j.by {
			w.same(who, "job", get("/api/jobs/"+j.id), get("/api/jobs/job_unknown"))
			w.same(who, "job", request{"POST", "/api/jobs/" + j.id + "/cancel", "", nil}, request{"POST", "/api/jobs/job_unknown/cancel", "", nil})
		}
	}
}
