package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// contract is what the life of one run must come to, written down without the product: what was
// asked for and what may be read. It counts; it does not know how the agent works.
type contract struct {
	state    string // "asking", "interrupted", "ended"
	attempts int
	requests int // model requests that were begun
	reported int // responses that came with usage
	tokens   int
	readable map[string]bool // base → alice may read it
	lost     map[string]bool // references that were unreadable when they were looked at
	known    int             // pieces of evidence so far
}

// counted counts the calls of a tool that really ran.
type counted struct {
	tool.Tool
	mu       *sync.Mutex
	ran, got *int
	gave     func(args []byte) // is told of each call that gave something
}

func (c counted) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	res, err := c.Tool.Call(ctx, call)
	c.mu.Lock()
	defer c.mu.Unlock()
	*c.ran++
	if err == nil {
		*c.got++
		c.gave(call.Args)
	}
	return res, err
}

// mortal is a journal that is gone for one process when that process is killed: nothing that it
// still tries is stored.
type mortal struct {
	run.Journal
	mu   sync.Mutex
	dead bool
}

func (m *mortal) kill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dead = true
}

func (m *mortal) gone() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return problem.New(problem.Conflict, "lease_lost", "The process is dead.")
	}
	return nil
}

func (m *mortal) Commit(ctx context.Context, c run.Commit) error {
	if err := m.gone(); err != nil {
		return err
	}
	return m.Journal.Commit(ctx, c)
}

// life drives one run and holds it against the contract after every move.
type life struct {
	t  *rapid.T
	r  *rig
	p  *puppet
	id run.ID
	contract
	since        int64 // the ledger's end before the run
	journal      *mortal
	req          llm.Request
	turns        int
	mu           sync.Mutex
	searches     int
	searchesMade int
	reads        int
	readsMade    int
	documents    map[string]bool // what was read
	shown        map[string]bool // what this attempt read, and did not lose since
	again        int             // reads of what was shown
	tally        *tally
}

// tally counts what the sequences came to.
type tally struct {
	sequences, runs, moves, turns, resumes, drops, requests, replayed int
	ends                                                              map[string]int
}

func (l *life) must(err error) {
	if err != nil {
		l.t.Fatalf("%v", err)
	}
}

var me = access.Actor{Tenant: tenant, User: alice}

// boot starts a process: an agent with a journal and tools of its own.
func (l *life) boot() {
	l.journal = &mortal{Journal: l.r.db.Journal()}
	db := l.r.db
	searcher := retrieval.NewSearcher(retrieval.NewLocal(db.Segments()), db.Texts())
	executor, err := tool.NewExecutor(db.Directory(), []tool.Tool{
		counted{toolkit.NewSearch(db.Directory(), searcher, db.Texts()), &l.mu, &l.searchesMade, &l.searches, func([]byte) {}},
		counted{toolkit.NewRead(db.Directory(), db.Catalog(), db.Texts()), &l.mu, &l.readsMade, &l.reads, l.note},
	}, tool.Options{Tries: 1})
	l.must(err)
	deps := l.r.deps
	l.p = newPuppet()
	deps.Journal, deps.Executor, deps.Generator = l.journal, executor, l.p
	l.r.agent = agent.New(deps)
}

// note counts a read that gave its document's one window.
func (l *life) note(args []byte) {
	var read struct {
		Document string `json:"document_id"`
	}
	if json.Unmarshal(args, &read) != nil || l.shown[read.Document] {
		l.again++
	}
	l.documents[read.Document], l.shown[read.Document] = true, true
}

// await waits until the run asks its model again or its attempt has ended.
func (l *life) await() {
	ended := make(chan error, 1)
	a, id := l.r.agent, l.id
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { ended <- a.Await(ctx, me, id) }()
	select {
	case l.req = <-l.p.asked:
		l.state = "asking"
		l.requests++
		l.tally.requests++
		l.look()
	case err := <-ended:
		l.must(err)
		r := l.stored()
		l.state = "ended"
		if r.State == run.Interrupted {
			l.state = "interrupted"
		}
		if r.Reason == run.InternalFault {
			l.t.Fatalf("the run failed inside")
		}
		l.replay()
		l.tally.ends[string(r.Reason)]++
	}
}

// replay goes through the run again, over all its attempts so far.
func (l *life) replay() {
	past := l.r.past(alice, l.id)
	d, err := agent.Replay(context.Background(), past)
	if err != nil || d != nil {
		l.t.Fatalf("the run that ended %s (%s) in attempt %d, replayed: %v, %v", past.Run.State, past.Run.Reason, past.Run.Attempt, d, err)
	}
	if past.Run.Attempt > 1 {
		l.tally.replayed++
	}
}

func (l *life) stored() *run.Run {
	r, _, err := l.r.db.Journal().Run(context.Background(), tenant, alice, l.id)
	l.must(err)
	return r
}

func (l *life) evidence() []citation.Evidence {
	_, list, err := l.r.db.Journal().Run(context.Background(), tenant, alice, l.id)
	l.must(err)
	return list
}

// drop notes which sources are unreadable at a moment at which they are looked at.
func (l *life) drop() {
	for _, e := range l.evidence() {
		if !l.readable[string(e.KnowledgeBase)] && !l.lost[e.Ref] {
			l.lost[e.Ref] = true
			delete(l.shown, string(e.Document))
			l.tally.drops++
		}
	}
}

// look holds a model request against the rights of its moment.
func (l *life) look() {
	for _, c := range canaries.FindAllString(text(l.req), -1) {
		if doc := "doc-" + strings.ToLower(strings.TrimPrefix(c, "CANARY")); !l.readable[sheets[doc]] {
			l.t.Fatalf("request %d tells %s, which is not readable", l.requests, c)
		}
	}
	var want []string
	for _, e := range l.evidence() {
		if !l.lost[e.Ref] {
			want = append(want, e.Ref)
		}
	}
	if refs, _ := passages(l.req); !slices.Equal(refs, want) {
		l.t.Fatalf("request %d shows %v, want %v", l.requests, refs, want)
	}
}

// step answers the model request that waits.
func (l *life) step(turn llmtest.Turn) {
	if l.state != "asking" {
		l.t.Skip("nothing is asked")
	}
	l.tally.turns++
	if rapid.Bool().Draw(l.t, "usage") {
		n := rapid.IntRange(1, 50).Draw(l.t, "tokens")
		turn.Usage = llmtest.Tokens(n, 1)
		l.reported, l.tokens = l.reported+1, l.tokens+n+1
	}
	l.drop()
	l.p.turn <- turn
	l.await()
	for _, e := range l.evidence()[l.known:] {
		l.known++
		if !l.readable[string(e.KnowledgeBase)] {
			l.t.Fatalf("%s became evidence and was not readable", e.Document)
		}
	}
	if r := l.stored(); l.state == "ended" {
		for _, c := range canaries.FindAllString(r.Answer.Text, -1) {
			if doc := "doc-" + strings.ToLower(strings.TrimPrefix(c, "CANARY")); !l.readable[sheets[doc]] {
				l.t.Fatalf("the answer tells %s, which is not readable", c)
			}
		}
	}
}

// left is how many searches the model was told are left.
func (l *life) left() string {
	left := "2"
	for _, m := range searchesLeft.FindAllStringSubmatch(text(l.req), -1) {
		left = m[1]
	}
	return left
}

// unread lists the documents that the request names and that were not read yet.
func (l *life) unread() (ids []string) {
	for _, m := range documentID.FindAllStringSubmatch(text(l.req), -1) {
		if strings.Count(text(l.req), `"document_id":"`+m[1]+`"`) == 1 && !slices.Contains(ids, m[1]) {
			ids = append(ids, m[1])
		}
	}
	return ids
}

func (l *life) search(t *rapid.T) {
	if rapid.IntRange(0, 19).Draw(t, "beyond") > 0 && (l.left() == "0" || len(l.unread()) > 0) {
		l.read(t)
		return
	}
	l.turns++
	l.step(calls(llmtest.Search(fmt.Sprintf("住宿标准 %d", l.turns))))
}

func (l *life) read(t *rapid.T) {
	ids := l.unread()
	if rapid.IntRange(0, 19).Draw(t, "any") == 0 {
		ids = slices.Sorted(maps.Keys(sheets))
	}
	switch {
	case len(ids) > 0:
	case l.left() != "0":
		l.search(t)
		return
	default:
		l.answer(t)
		return
	}
	l.step(calls(llmtest.Read(rapid.SampledFrom(ids).Draw(t, "document"))))
}

func (l *life) answer(t *rapid.T) {
	refs, texts := passages(l.req)
	if len(refs) < 2 && len(l.unread()) > 0 && rapid.IntRange(0, 5).Draw(t, "early") > 0 {
		l.read(t)
		return
	}
	if len(refs) == 0 || rapid.IntRange(0, 5).Draw(t, "lacking") == 0 {
		l.step(says("INSUFFICIENT_EVIDENCE\n- 资料"))
		return
	}
	ref := rapid.SampledFrom(refs).Draw(t, "ref")
	l.step(says("住宿标准 " + canaries.FindString(texts[ref]) + " 如上。[" + ref + "]"))
}

func (l *life) nonsense(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "nonsense") > 0 {
		l.search(t)
		return
	}
	l.step(says("没有引用的回答。"))
}

// begin starts another run when the one before has ended.
func (l *life) begin(*rapid.T) {
	if l.state != "ended" && l.state != "" {
		l.t.Skip("a run is under way")
	}
	head, err := l.r.db.Ledger().Head(context.Background(), string(tenant))
	l.must(err)
	l.since = head.Sequence
	id, err := l.r.agent.Start(context.Background(), me, agent.Request{Goal: "住宿标准是什么？", Route: run.AgenticRAG})
	l.must(err)
	l.contract = contract{attempts: 1, readable: l.readable, lost: map[string]bool{}}
	l.searches, l.searchesMade, l.reads, l.readsMade = 0, 0, 0, 0
	clear(l.documents)
	clear(l.shown)
	l.id = id
	l.tally.runs++
	l.await()
}

func (l *life) cancel(t *rapid.T) {
	if l.state == "asking" && rapid.IntRange(0, 3).Draw(t, "sure") > 0 {
		t.Skip("not now")
	}
	before := l.stored().State
	got, err := l.r.agent.Cancel(context.Background(), me, l.id)
	l.must(err)
	if l.state != "asking" {
		if got.State != before {
			l.t.Fatalf("cancelling a run that is %s made it %s", before, got.State)
		}
		return
	}
	if got.State != run.Cancelling {
		l.t.Fatalf("a run under way is %s after it was asked to stop", got.State)
	}
	l.await()
	if s := l.stored().State; s != run.Cancelled {
		l.t.Fatalf("a cancelled run is %s", s)
	}
}

func (l *life) resume(*rapid.T) {
	got, err := l.r.agent.Resume(context.Background(), me, l.id)
	if l.state != "interrupted" {
		if problem.CodeOf(err) != "not_resumable" {
			l.t.Fatalf("resuming a run that is %s: %v", l.state, err)
		}
		return
	}
	l.must(err)
	l.attempts++
	l.tally.resumes++
	if got.Attempt != l.attempts || got.State != run.Queued {
		l.t.Fatalf("resumed as attempt %d, %s; want %d", got.Attempt, got.State, l.attempts)
	}
	l.drop()
	clear(l.shown)
	l.await()
}

// restart ends the process in order or by a kill, and starts another.
func (l *life) restart(t *rapid.T) {
	if rapid.Bool().Draw(t, "kill") {
		l.journal.kill()
	}
	l.r.agent.Close()
	_, err := l.r.db.Journal().Interrupt(context.Background(), time.Now().Add(1000*time.Hour))
	l.must(err)
	l.boot()
	if l.state == "asking" {
		l.state = "interrupted"
		l.replay()
	}
}

func (l *life) revoke(t *rapid.T) { l.set(rapid.SampledFrom(bases).Draw(t, "base"), false) }

func (l *life) giveBack(t *rapid.T) { l.set(rapid.SampledFrom(bases).Draw(t, "base"), true) }

func (l *life) set(kb string, on bool) {
	grants := []access.Grant{{Principal: access.User(carol), Level: access.Manager}}
	if on {
		grants = append(grants, access.Grant{Principal: access.User(alice), Level: access.Reader})
	}
	l.must(manage(context.Background(), l.r.db, func(s access.Scope) error {
		return l.r.db.Bases().SetGrants(context.Background(), s, access.KnowledgeBaseID(kb), grants)
	}))
	l.readable[kb] = on
}

// holds is what must be true whenever nothing moves.
func (l *life) holds(*rapid.T) {
	r := l.stored()
	l.tally.moves++
	limits, use := r.Limits, r.Use
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case r.Attempt != l.attempts:
		l.t.Fatalf("attempt %d, want %d", r.Attempt, l.attempts)
	case r.Usage.Calls != l.requests || use.Steps != l.requests || use.Steps > limits.Steps+limits.Repairs || use.Repairs > limits.Repairs:
		l.t.Fatalf("%d requests were begun; use %+v, usage %+v", l.requests, use, r.Usage)
	case r.Usage.CallsWithUsage != l.reported || l.reported > 0 && (r.Usage.Total == nil || *r.Usage.Total != l.tokens) || l.reported == 0 && r.Usage.Total != nil:
		l.t.Fatalf("%d reports of %d tokens; usage %+v", l.reported, l.tokens, r.Usage)
	case l.searchesMade+l.readsMade > limits.ToolCalls || use.ToolCalls > limits.ToolCalls || use.ToolCalls < l.searchesMade+l.readsMade:
		l.t.Fatalf("%d searches and %d reads ran; use %+v of %d calls", l.searchesMade, l.readsMade, use, limits.ToolCalls)
	case l.searches > limits.SearchPages || use.SearchPages != l.searches:
		l.t.Fatalf("%d searches succeeded; use %+v", l.searches, use)
	// What was read may be read once more in every attempt, and when it was lost and given back. It
	// stays one document.
	case len(l.documents) > limits.Documents || use.Documents != len(l.documents) || l.again > 0:
		l.t.Fatalf("%d documents were read in %d reads, %d of them of what was shown; use %+v", len(l.documents), l.reads, l.again, use)
	case l.state == "asking" && r.State != run.Running || l.state == "interrupted" && r.State != run.Interrupted || l.state == "ended" && (!r.State.Final() || r.State == run.Interrupted):
		l.t.Fatalf("it is %s, want %s", r.State, l.state)
	case l.state != "ended" && r.Answer.Text != "":
		l.t.Fatalf("a run that has not ended holds an answer")
	}
	l.sequence(r)
}

// sequence holds the events against the contract: no gap, one closing event for each attempt that
// is over, attempts in order, and the closing events and the ledger telling the same.
func (l *life) sequence(r *run.Run) {
	events, err := l.r.db.Events().After(context.Background(), string(l.id), 0, 100000)
	l.must(err)
	closings, attempt, open := 0, 1, true
	for i, e := range events {
		if e.Sequence != int64(i+1) {
			l.t.Fatalf("event %d has number %d", i+1, e.Sequence)
		}
		if e.Type == event.Resumed {
			if open {
				l.t.Fatalf("an attempt begins while another is open")
			}
			attempt, open = attempt+1, true
		}
		if !open || e.Attempt != attempt {
			l.t.Fatalf("%s of attempt %d comes in attempt %d, open: %v", e.Type, e.Attempt, attempt, open)
		}
		if e.Type.Closes() {
			closings, open = closings+1, false
		}
		if strings.Contains(string(e.Data), "CANARY") {
			l.t.Fatalf("%s holds a canary: %s", e.Type, e.Data)
		}
	}
	over := l.attempts
	if l.state == "asking" {
		over--
	}
	if closings != over || open != (l.state == "asking") {
		l.t.Fatalf("%d closing events, want %d", closings, over)
	}
	entries, err := l.r.db.Ledger().Entries(context.Background(), string(tenant), l.since, 10000)
	l.must(err)
	entries = slices.DeleteFunc(entries, func(e ledger.Entry) bool { return e.Kind != ledger.RunEnded || e.RunID != string(l.id) })
	if len(entries) != over {
		l.t.Fatalf("%d ledger entries of ends, want %d", len(entries), over)
	}
	if strings.Contains(r.Checkpoint, "CANARY") {
		l.t.Fatalf("the checkpoint holds a canary: %s", r.Checkpoint)
	}
}

// TestTheLifeOfARunKeepsItsContract moves a run through random steps, cancels, resumes, revocations,
// grants and restarts over the real store, and holds it against an independent account of them.
func TestTheLifeOfARunKeepsItsContract(t *testing.T) {
	fewer(t)
	r := rigOn(t, guarded, nil)
	all := &tally{ends: map[string]int{}}
	rapid.Check(t, func(t *rapid.T) {
		l := &life{t: t, r: r, tally: all, documents: map[string]bool{}, shown: map[string]bool{}, contract: contract{attempts: 1, readable: map[string]bool{}, lost: map[string]bool{}}}
		for _, kb := range bases {
			l.set(kb, true)
		}
		l.boot()
		defer func() { l.r.agent.Close() }()
		l.begin(t)
		search, read := l.search, l.read
		t.Repeat(map[string]func(*rapid.T){
			"search": search, "search again": search, "read": read, "read more": read, "read further": read, "answer": l.answer, "nonsense": l.nonsense,
			"cancel": l.cancel, "resume": l.resume, "resume again": l.resume, "restart": l.restart, "restart again": l.restart,
			"revoke": l.revoke, "revoke again": l.revoke, "give back": l.giveBack, "begin": l.begin, "begin again": l.begin, "": l.holds,
		})
		all.sequences++
	})
	t.Logf("%d sequences of %d runs, %d states held, %d requests, %d resumes, %d replays of them, %d sources dropped, ends %v",
		all.sequences, all.runs, all.moves, all.requests, all.resumes, all.replayed, all.drops, all.ends)
	if all.sequences >= 50 && (all.resumes == 0 || all.replayed == 0 || all.drops == 0 || all.ends["success"] == 0) {
		t.Errorf("the sequences show too little: %+v", all)
	}
}
