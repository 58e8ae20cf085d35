package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// judge holds what a tool gave against what is on paper when it ends, since no look at the rights
// may be older than the last change. What could be read all the while, a search must find; one
// that finds nothing at all has no reason to look a second time.
func (w *world) judge(name string, before map[string]bool, res tool.Result, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		return
	}
	w.tools.Add(1)
	allowed := w.paper.allowed()
	text := string(res.Content)
	var found []string
	for _, h := range res.Hits {
		text += h.Passage.Text + canary(string(h.Document))
		found = append(found, canary(string(h.Document)))
		for _, v := range h.Versions {
			text += canary(string(v.Document))
		}
	}
	for _, p := range res.Passages {
		text += p.Text + canary(string(p.Document))
	}
	for _, c := range canaries.FindAllString(text, -1) {
		if !allowed[c] {
			w.wrong = append(w.wrong, fmt.Sprintf("%s gave %s, which is not readable", name, c))
		}
		w.seen[c] = true
	}
	if name == toolkit.SearchKnowledge && res.Search.Page == 1 {
		for doc := range sheets {
			if c := canary(doc); before[c] && allowed[c] && !slices.Contains(found, c) {
				w.wrong = append(w.wrong, fmt.Sprintf("the search does not find %s, which is readable", c))
			}
		}
	}
}

// watched is a tool with a change before it, and a judge behind.
type watched struct {
	tool.Tool
	w *world
}

func (x watched) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	x.w.hook()
	x.w.mu.Lock()
	x.w.mid = true
	before := x.w.paper.allowed()
	x.w.mu.Unlock()
	res, err := x.Tool.Call(ctx, c)
	x.w.judge(x.Spec().Name, before, res, err)
	return res, err
}

// The seams with a change in the middle of a tool's work: after a search, after the text of a
// document was loaded, before an original is opened.
type searching struct {
	toolkit.Searcher
	w *world
}

func (x searching) Search(ctx context.Context, s access.Scope, q retrieval.Query) (retrieval.Result, error) {
	res, err := x.Searcher.Search(ctx, s, q)
	x.w.middle()
	return res, err
}

type loading struct {
	corpus.Texts
	w *world
}

func (x loading) Text(ctx context.Context, s access.Scope, id corpus.DocumentID) (corpus.Text, error) {
	text, err := x.Texts.Text(ctx, s, id)
	x.w.middle()
	return text, err
}

type opening struct {
	corpus.Blobs
	w *world
}

func (x opening) Open(ctx context.Context, sum corpus.Checksum) (io.ReadCloser, error) {
	x.w.middle()
	return x.Blobs.Open(ctx, sum)
}

// current is a generator that stands for the script of the sequence at hand.
type current struct {
	script atomic.Pointer[llmtest.Script]
}

func (c *current) Info() llm.Info { return llmtest.New().Info() }

func (c *current) Generate(ctx context.Context, req llm.Request, emit func(llm.Delta)) (llm.Response, error) {
	return c.script.Load().Generate(ctx, req, emit)
}

var documentID = regexp.MustCompile(`"document_id":"(doc-[ab][012])"`)

// turns writes a script: searches and reads of whatever was found, each after a change of rights.
func (w *world) turns(t *rapid.T, route run.Route) []llmtest.Turn {
	before := func(turn llmtest.Turn) llmtest.Turn {
		turn.Check = func(llm.Request) { w.hook() }
		return turn
	}
	if route == run.FixedRAG {
		return []llmtest.Turn{before(says("按资料所述。[C1]")), before(says("INSUFFICIENT_EVIDENCE\n- 资料"))}
	}
	out := []llmtest.Turn{before(calls(llmtest.Search("住宿标准")))}
	done := map[string]bool{}
	for i := range rapid.IntRange(1, 4).Draw(t, "reads") {
		pick, again := rapid.IntRange(0, 20).Draw(t, "pick"), rapid.IntRange(0, 5).Draw(t, "again") == 0
		out = append(out, llmtest.Turn{Answer: func(req llm.Request) llmtest.Turn {
			w.hook()
			if again && i < 2 {
				return calls(llmtest.Search(fmt.Sprintf("住宿标准 如上 %d", i)))
			}
			ids := documentID.FindAllStringSubmatch(req.Messages[3].Text, -1)
			ids = slices.DeleteFunc(ids, func(m []string) bool { return done[m[1]] })
			if len(ids) == 0 {
				return says("INSUFFICIENT_EVIDENCE\n- 资料")
			}
			id := ids[pick%len(ids)][1]
			done[id] = true
			if route == run.VersionTool && (pick%2 == 0 || ancient[id] != "") {
				return calls(readVersion(id))
			}
			return calls(llmtest.Read(id))
		}})
	}
	return append(out, before(says("按资料所述。[S1]")), before(says("INSUFFICIENT_EVIDENCE\n- 资料")))
}

func TestRightsThatChangeMidRunHoldFromTheNextStepOn(t *testing.T) {
	w := &world{t: t, dirty: map[string]func(context.Context) error{}}
	for _, kb := range bases {
		w.dirty[kb] = func(ctx context.Context) error { return w.grant(ctx, kb) }
	}
	w.dirty["inner"], w.dirty["outer"], w.dirty["alice"] = w.putInner, w.putOuter, w.putAlice
	model := &current{}
	r := rigOn(t, guarded, func(d *agent.Deps) { d.Generator, d.Rules = model, nil })
	w.db = r.db
	searcher := searching{retrieval.NewSearcher(retrieval.NewLocal(r.db.Segments()), r.db.Texts()), w}
	texts := loading{r.db.Texts(), w}
	executor, err := tool.NewExecutor(r.db.Directory(), []tool.Tool{
		watched{toolkit.NewSearch(r.db.Directory(), searcher, texts, toolkit.Versions(r.db.Catalog())), w},
		watched{toolkit.NewRead(r.db.Directory(), r.db.Catalog(), texts), w},
		watched{toolkit.NewHistory(r.db.Directory(), r.db.Catalog(), texts, opening{r.db.Blobs(), w}, r.db.Ledger()), w},
	}, tool.Options{Tries: 1})
	check(t, err)
	a := agent.New(agent.Deps{
		Directory: r.db.Directory(), Journal: r.db.Journal(), Events: r.db.Events(), Executor: executor, Catalog: r.db.Catalog(), Generator: model,
		Memory: r.db.Memory(), Limits: run.DefaultLimits(), Clock: time.Now, Log: silent(),
	})
	t.Cleanup(a.Close)
	sequences, ends := 0, map[run.Reason]int{}
	rapid.Check(t, func(t *rapid.T) {
		sequences++
		route := rapid.SampledFrom([]run.Route{run.AgenticRAG, run.FixedRAG, run.VersionTool}).Draw(t, "route")
		w.begin(rapid.SliceOfN(changes, 0, 14).Draw(t, "changes"))
		script := llmtest.New(w.turns(t, route)...)
		model.script.Store(script)
		actor := access.Actor{Tenant: tenant, User: alice}
		id, err := a.Start(context.Background(), actor, agent.Request{Goal: "住宿标准是什么？", Conversation: "c1", Route: route})
		if problem.Is(err, problem.NotFound) && w.away() {
			return // suspended before it began
		}
		if err == nil {
			err = a.Await(context.Background(), actor, id)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, evidence, err := r.db.Journal().Run(context.Background(), tenant, alice, id)
		if err != nil {
			t.Fatal(err)
		}
		ends[got.Reason]++
		w.mu.Lock()
		defer w.mu.Unlock()
		if len(w.wrong) > 0 {
			t.Fatalf("%s: %s", route, strings.Join(w.wrong, "\n"))
		}
		w.trace(t, script, got, evidenceText(evidence))
	})
	t.Logf("%d sequences, %d answers of tools, ends %v", sequences, w.tools.Load(), ends)
	if w.tools.Load() == 0 || ends[run.Success] == 0 || ends[run.Insufficient] == 0 {
		t.Errorf("the sequences show too little: %d tool answers, ends %v", w.tools.Load(), ends)
	}
}

// trace looks for canaries in all that a run left behind, which may hold those alone that a tool
// was allowed to show. Events, ledger and memory hold none at all.
func (w *world) trace(t *rapid.T, script *llmtest.Script, got *run.Run, evidence string) {
	var prompts bytes.Buffer
	if err := json.NewEncoder(&prompts).Encode(script.Requests()); err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"a prompt": prompts.String(), "the evidence": evidence, "the answer": got.Answer.Text} {
		for _, c := range canaries.FindAllString(text, -1) {
			if !w.seen[c] {
				t.Fatalf("%s is in %s, and no tool was allowed to show it", c, where)
			}
		}
	}
	ctx := context.Background()
	events, err := w.db.Events().After(ctx, string(got.ID), 0, 10000)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := w.db.Ledger().Entries(ctx, string(tenant), w.since, 1000)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal([]any{events, entries})
	if err != nil {
		t.Fatal(err)
	}
	summary, err := w.db.Memory().Memory(ctx, tenant, alice, "c1")
	if err != nil && !problem.Is(err, problem.NotFound) {
		t.Fatal(err)
	}
	if c := canaries.FindString(string(raw) + summary.Summary); c != "" {
		t.Fatalf("%s is in an event, the ledger or the memory", c)
	}
}

func evidenceText(list []citation.Evidence) string {
	var b strings.Builder
	for _, e := range list {
		b.WriteString(e.Excerpt + " " + canary(string(e.Document)) + "\n")
	}
	return b.String()
}
