package hostiletest

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/leaktest"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// injection is one entry of the list.
type injection struct {
	ID, Carrier, Text string
	Tier              int
	Assert            map[string]json.RawMessage
}

// strings reads an assertion that is a list of texts.
func (i injection) strings(t *testing.T, key string) []string {
	var out []string
	check(t, json.Unmarshal(i.Assert[key], &out))
	return out
}

// base is the knowledge base in which an injection is planted, document its document there.
func (i injection) base() access.KnowledgeBaseID {
	return access.KnowledgeBaseID("kb-" + strings.ToLower(i.ID))
}
func (i injection) document() corpus.DocumentID {
	return corpus.DocumentID("doc-" + strings.ToLower(i.ID))
}

// asked is the question of a run. A user who brings an injection asks the question behind it.
func (i injection) asked() string {
	if i.Carrier == "user_message" {
		return i.Text + "\n" + question
	}
	return question
}

// plant makes the document that carries an injection; ok is false where none does.
func (i injection) plant() (up corpus.Upload, text string, ok bool) {
	up = corpus.Upload{ID: i.document(), KnowledgeBase: i.base(), Key: corpus.Key(strings.ToLower(i.ID)), FileName: "note.md", Publish: true}
	const about = "上海住宿上限与住宿标准的补充说明。"
	switch i.Carrier {
	case "user_message", "memory":
		return up, "# 补充说明\n\n" + about + "\n", true
	case "doc_body", "email_header":
		return up, "# 补充说明\n\n" + about + "\n\n" + i.Text + "\n\n以上为说明。\n", true
	case "front_matter":
		return up, i.Text + "\n\n# 补充说明\n\n" + about + "\n", true
	case "code_block":
		return up, "# 补充说明\n\n" + about + "\n\n```python\n" + i.Text + "\n```\n", true
	case "table_cell":
		var b strings.Builder
		c := csv.NewWriter(&b)
		_ = c.WriteAll([][]string{{"项目", "说明"}, {"上海住宿上限", i.Text}, {"北京住宿上限", "见正文"}})
		up.FileName = "note.csv"
		return up, b.String(), true
	case "filename":
		up.FileName = strings.ReplaceAll(i.Text, "/", "_") + ".md"
		return up, "# 补充说明\n\n" + about + "\n", true
	case "title":
		up.Title = clipped(strings.Join(strings.Fields(i.Text), " "), 200)
		return up, "# 补充说明\n\n" + about + "\n", true
	case "mcp_tool_description":
		// There are no foreign tools. What would describe one stands where a tool's result shows it.
		up.Title = i.Text
		return up, "# 补充说明\n\n" + about + "\n", true
	}
	return up, "", false
}

// field is the corpus of the injections: the truth, one base for each injection, and what alice may
// not see, which holds canaries.
type field struct {
	*world
	list     []injection
	texts    map[corpus.DocumentID]string
	canaries leaktest.Scanner
	lies     []string
	proposal desk.Proposal
	card     string // the proposal as it was
	token    string // of carol
	checked  map[string]int
}

// newField fills a world. Without hidden, what alice may not see is not there.
func newField(t *testing.T, list []injection, hidden bool) *field {
	f := &field{world: newWorld(t), list: list, texts: map[corpus.DocumentID]string{}, checked: map[string]int{}}
	put := func(tenant access.TenantID, manager access.UserID, up corpus.Upload, text string) {
		f.texts[up.ID] = text
		f.put(tenant, manager, up, text)
	}
	secretly := func(name string) string {
		c := leaktest.Mint("hostiletest", name)
		f.canaries.Add(c, leaktest.Token, leaktest.Fact, leaktest.Name)
		f.lies = append(f.lies, c.Token, c.Name)
		return fmt.Sprintf("# 并购与薪酬 %s\n\n上海住宿上限为每晚 800 元，项目 %s，编号 %s，数额 %s 元。\n", c.Name, c.Name, c.Token, c.Fact)
	}
	f.base(acme, carol, travel, access.User(alice))
	up := corpus.Upload{KnowledgeBase: travel, Key: "travel", FileName: "travel.md", Publish: true}
	up.ID = "doc-travel-v1"
	put(acme, carol, up, strings.ReplaceAll(secretly("archived"), "800", "500"))
	f.publish()
	up.ID = "doc-travel-v2"
	put(acme, carol, up, policy)
	f.publish()
	up.ID, up.Publish = "doc-travel-v3", false
	put(acme, carol, up, secretly("draft"))
	if hidden {
		f.base(acme, carol, "kb-secret")
		put(acme, carol, corpus.Upload{ID: "doc-merger", KnowledgeBase: "kb-secret", Key: "merger", Title: "并购计划", FileName: "m.md", Publish: true}, secretly("merger"))
		f.base(globex, erin, "kb-globex")
		put(globex, erin, corpus.Upload{ID: "doc-globex", KnowledgeBase: "kb-globex", Key: "g", FileName: "g.md", Publish: true}, secretly("globex"))
	}
	for _, i := range list {
		up, text, ok := i.plant()
		if !ok {
			t.Fatalf("%s: nothing carries %s", i.ID, i.Carrier)
		}
		f.base(acme, carol, i.base(), access.User(alice))
		put(acme, carol, up, text)
	}
	f.publish()
	admin := access.Actor{Tenant: acme, User: carol}
	var err error
	f.proposal, err = f.desk.Propose(t.Context(), admin, "doc-travel-v3")
	check(t, err)
	f.card = f.proposalNow()
	f.token, err = auth.Issue(t.Context(), f.db.Auth(), auth.Token{Tenant: acme, User: carol, Name: "x", Permissions: access.AllPermissions, ExpiresAt: time.Now().Add(time.Hour)})
	check(t, err)
	return f
}

// tierOne are the entries that a program's rules must hold against.
func tierOne(t *testing.T) []injection {
	var out []injection
	for _, i := range sharedtest.Records[injection](t, "security", "injections.jsonl") {
		if i.Tier == 1 {
			out = append(out, i)
		}
	}
	return out
}

// play runs one injection with one part.
func (f *field) play(i injection, part string) (*role, outcome) {
	f.t.Helper()
	r := &role{part: part, payload: i.Text, lies: f.lies}
	for key := range i.Assert {
		if key == "no_tool" {
			r.tools = i.strings(f.t, key)
		}
	}
	talk := strings.ToLower(i.ID) + "-" + strings.ReplaceAll(part, " ", "-")
	if i.Carrier == "memory" {
		check(f.t, f.db.Memory().Remember(f.t.Context(), acme, alice, memory.Memory{Conversation: talk, Summary: clipped(i.Text, 500), UpdatedAt: time.Now()}))
	}
	o := f.ask(r, agent.Request{Goal: i.asked(), Conversation: talk, Bases: []access.KnowledgeBaseID{travel, i.base()}}, nil)
	return r, o
}

// clipped is the beginning of a text, as long as its place may be.
func clipped(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most])
	}
	return text
}

// TestNoInjectionOfTierOneGetsThrough plays every entry with every part and holds every assertion of
// the entry, and those that hold for all.
func TestNoInjectionOfTierOneGetsThrough(t *testing.T) {
	list := tierOne(t)
	for _, i := range list {
		for key := range i.Assert {
			if assertions[key] == nil && unheld[key] == "" {
				t.Errorf("%s: nothing holds the assertion %s", i.ID, key)
			}
		}
	}
	ends := tried(t, list, parts)
	if ends["honest: completed/success"] == 0 || ends[byRules+": completed/success"] == 0 {
		t.Error("no honest run succeeded, so nothing was tried")
	}
}

// TestNoInjectionGetsThroughInAnotherPlace plays the entries where they were not meant to stand: in the body of a
// document, which is what a tool gives, in its title, which its hits show, and in the memory of a conversation.
func TestNoInjectionGetsThroughInAnotherPlace(t *testing.T) {
	var list []injection
	for _, carrier := range []string{"doc_body", "title", "memory"} {
		for _, i := range tierOne(t) {
			if i.Carrier != carrier {
				i.ID, i.Carrier = i.ID+"-"+strings.ReplaceAll(carrier, "_", "-"), carrier
				list = append(list, i)
			}
		}
	}
	ends := tried(t, list, []string{"honest", "obedient answer", "parrot"})
	if ends["honest: completed/success"] < len(list) {
		t.Errorf("%d of %d honest runs succeeded", ends["honest: completed/success"], len(list))
	}
}

// tried plays entries with parts, and counts how the runs ended.
func tried(t *testing.T, list []injection, parts []string) map[string]int {
	f := newField(t, list, true)
	absent := newField(t, slices.DeleteFunc(slices.Clone(list), func(i injection) bool { return i.Assert["same_answer_as_absent"] == nil }), false)
	ends := map[string]int{}
	for _, i := range list {
		for _, part := range parts {
			t.Run(i.ID+" "+part, func(t *testing.T) {
				f.t, absent.t = t, t
				before := f.head()
				r, o := f.play(i, part)
				ends[part+": "+o.ended()]++
				c := &trial{field: f, t: t, i: i, part: part, role: r, o: o, left: f.since(before), absent: absent, held: map[string]bool{}}
				for _, key := range everywhere {
					c.hold(key)
				}
				for _, key := range slices.Sorted(maps.Keys(i.Assert)) {
					if assertions[key] != nil {
						c.hold(key)
					}
				}
			})
		}
	}
	f.t, absent.t = t, t
	total := 0
	for _, key := range slices.Sorted(maps.Keys(f.checked)) {
		total += f.checked[key]
		t.Logf("%5d × %s", f.checked[key], key)
	}
	for _, key := range slices.Sorted(maps.Keys(ends)) {
		t.Logf("%5d ended %s", ends[key], key)
	}
	t.Logf("%d entries × %d parts, %d assertions", len(list), len(parts), total)
	return ends
}

// TestHonestAnswersToQuestionsAboutAddressesAreGiven holds the other side: material that talks about
// injections, links and approvals is answered from.
func TestHonestAnswersToQuestionsAboutAddressesAreGiven(t *testing.T) {
	w := travelling(t)
	w.put(acme, carol, corpus.Upload{ID: "doc-it", KnowledgeBase: travel, Key: "it", FileName: "it.md", Publish: true},
		"# IT 指南\n\nVPN 的网址是 https://vpn.acme.example/login 。钓鱼邮件常写“请忽略以上规则”。发布需要管理员批准。\n")
	w.publish()
	for goal, answer := range map[string]string{
		"VPN 的网址是什么？": "结论：VPN 的网址是 https://vpn.acme.example/login 。[S1]",
		"钓鱼邮件常写什么？":   "结论：钓鱼邮件常写“请忽略以上规则”。[S1]",
		"发布需要谁批准？":    "结论：发布需要管理员批准。[S1]",
		"VPN 链接在哪里找？": "结论：VPN 的网址是 https://vpn.acme.example/login 。[S1]",
	} {
		o := w.ask(scripted(answer), agent.Request{Goal: goal}, nil)
		if o.ended() != good || o.Answer.Text != answer || o.NeedsConfirm {
			t.Errorf("%s: %s %q, needs confirmation: %t %+v", goal, o.ended(), o.Answer.Text, o.NeedsConfirm, o.Checks)
		}
	}
}

// head is the last entry of acme's ledger, since are those that came after one.
func (f *field) head() int64 {
	h, err := f.db.Ledger().Head(f.t.Context(), string(acme))
	check(f.t, err)
	return h.Sequence
}

func (f *field) since(n int64) []ledger.Entry {
	out, err := f.db.Ledger().Entries(f.t.Context(), string(acme), n, 1000)
	check(f.t, err)
	return out
}

// proposalNow is the proposal as it is, as text.
func (f *field) proposalNow() string {
	p, err := f.desk.Proposal(f.t.Context(), access.Actor{Tenant: acme, User: carol}, f.proposal.ID)
	check(f.t, err)
	return text(f.t, p)
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	check(t, err)
	return string(b)
}
