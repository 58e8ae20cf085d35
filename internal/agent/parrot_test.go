package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// parrot is a model that repeats every canary in its prompt wherever it can: in queries and in its
// answer, under the reference of the passage. It remembers which documents it asked for, and no text.
type parrot struct {
	mu     sync.Mutex
	asked  map[string]bool
	spoken bool
	heard  []string          // the canaries of each request
	after  func(n int)       // called before the response is given
	reads  []string          // what to read
	seen   func(llm.Request) // looks at each request
}

func (p *parrot) Info() llm.Info { return llmtest.New().Info() }

var (
	shownPassage = regexp.MustCompile(`\[([SC]\d+)\] doc_key=[^\n]*\n(~~~[0-9a-f]+)\n([^~]*)\n~~~`)
	searchesLeft = regexp.MustCompile(`"searches":(\d)`)
)

// passages returns the text under each reference in a request, in order.
func passages(req llm.Request) (refs []string, texts map[string]string) {
	texts = map[string]string{}
	add := func(ref, text string) {
		if _, known := texts[ref]; !known {
			refs = append(refs, ref)
		}
		texts[ref] = text
	}
	for _, m := range req.Messages[1:] {
		for _, x := range shownPassage.FindAllStringSubmatch(m.Text, -1) {
			add(x[1], x[3])
		}
		var read struct{ Ref, Text string }
		if m.Role == llm.Tool && json.Unmarshal([]byte(m.Text), &read) == nil && read.Ref != "" {
			add(read.Ref, read.Text)
		}
	}
	return refs, texts
}

func (p *parrot) Generate(ctx context.Context, req llm.Request, _ func(llm.Delta)) (llm.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.heard)
	p.heard = append(p.heard, strings.Join(canaries.FindAllString(text(req), -1), " "))
	if p.seen != nil {
		p.seen(req)
	}
	response, err := llmtest.New(p.answer(req)).Generate(ctx, req, nil)
	if p.after != nil {
		p.after(n)
	}
	return response, err
}

func (p *parrot) answer(req llm.Request) llmtest.Turn {
	all, left := text(req), "2"
	for _, m := range searchesLeft.FindAllStringSubmatch(all, -1) {
		left = m[1]
	}
	if len(req.Tools) > 0 {
		if !documentID.MatchString(all) && left != "0" {
			return calls(llmtest.Search("住宿标准 " + left))
		}
		for _, id := range p.reads {
			if strings.Contains(all, `"document_id":"`+id+`"`) && !p.asked[id] {
				p.asked[id] = true
				return calls(llmtest.Read(id))
			}
		}
		if heard := canaries.FindAllString(all, -1); !p.spoken && left != "0" && len(heard) > 0 {
			p.spoken = true
			return calls(llmtest.Search(strings.Join(heard, " ")))
		}
	}
	refs, texts := passages(req)
	var out []string
	for _, ref := range refs {
		out = append(out, fmt.Sprintf("住宿标准 %s 如上。[%s]", canaries.FindString(texts[ref]), ref))
	}
	if len(out) == 0 {
		return says("INSUFFICIENT_EVIDENCE\n当前资料不足以确认\n- 住宿标准")
	}
	return says("结论：" + strings.Join(out, "") + "\n依据：" + strings.Join(out, ""))
}

// counting is a journal that tells how many events a run has whenever a step of it is stored.
type counting struct {
	run.Journal
	stored func(n int)
	n      int
	begun  int // model requests that were told of
}

func (c *counting) Create(ctx context.Context, r *run.Run, events []event.Event) error {
	err := c.Journal.Create(ctx, r, events)
	c.n += len(events)
	return err
}

func (c *counting) Commit(ctx context.Context, x run.Commit) error {
	err := c.Journal.Commit(ctx, x)
	if err == nil && len(x.Events) > 0 {
		c.n += len(x.Events)
		for _, e := range x.Events {
			if e.Type == event.ModelStarted {
				c.begun++
			}
		}
		c.stored(c.n)
	}
	return err
}

// flight is one run of the parrot over the guarded documents, during which a right is taken.
type flight struct {
	*rig
	desk    *desk.Desk
	parrot  *parrot
	journal *counting
	taken   int // events that were stored when the right was taken; 0 before
	told    int // model requests that had begun when it was taken
}

func newFlight(t *testing.T) *flight {
	t.Helper()
	f := &flight{parrot: &parrot{asked: map[string]bool{}, reads: []string{"doc-a1", "doc-b1"}}, journal: &counting{stored: func(int) {}}}
	f.rig = rigOn(t, guarded, func(d *agent.Deps) {
		f.journal.Journal = d.Journal
		d.Journal, d.Generator, d.Rules = f.journal, f.parrot, nil
	})
	db := f.db
	f.desk = desk.New(desk.Deps{Directory: db.Directory(), Catalog: db.Catalog(), Texts: db.Texts(), Journal: db.Journal(), Events: db.Events(), Memory: db.Memory(), Ledger: db.Ledger(), Trees: db.Proof()})
	for _, kb := range bases {
		f.open(access.KnowledgeBaseID(kb), access.Everyone)
	}
	return f
}

// open lets principals read a base, besides its manager.
func (f *flight) open(kb access.KnowledgeBaseID, who ...access.Principal) {
	f.t.Helper()
	grants := []access.Grant{{Principal: access.User(carol), Level: access.Manager}}
	for _, p := range who {
		grants = append(grants, access.Grant{Principal: p, Level: access.Reader})
	}
	check(f.t, manage(context.Background(), f.db, func(s access.Scope) error { return f.db.Bases().SetGrants(context.Background(), s, kb, grants) }))
}

// take keeps doc-a1 from alice.
func (f *flight) take(way string) {
	f.taken, f.told = f.journal.n, f.journal.begun
	ctx := context.Background()
	check(f.t, manage(ctx, f.db, func(s access.Scope) error {
		switch way {
		case "delete":
			return f.db.Catalog().Delete(ctx, s, "doc-a1")
		case "erase":
			return f.db.Catalog().Erase(ctx, s, "doc-a1")
		}
		_, err := f.db.Catalog().Edit(ctx, s, "doc-a1", corpus.Change{Policy: &access.Policy{Deny: []access.Principal{access.User(alice)}}})
		return err
	}))
}

const secret = "CANARYA1"

// judge looks for the canary in everything that came after the right was taken, and in everything
// that is told or kept now.
func (f *flight) judge(id run.ID) ended {
	f.t.Helper()
	ctx, actor := context.Background(), access.Actor{Tenant: tenant, User: alice}
	got := f.read(alice, id)
	clean := func(where, text string) {
		f.t.Helper()
		if strings.Contains(text, secret) || strings.Contains(text, "doc-a1") {
			f.t.Errorf("right taken after event %d: %s tells of the document: %s", f.taken, where, text)
		}
	}
	for i, heard := range f.parrot.heard[f.told:] {
		clean(fmt.Sprint("request ", f.told+i+1), heard)
	}
	for _, e := range got.events[f.taken:] {
		clean("stored "+string(e.Type), string(e.Data))
	}
	for after := int64(0); ; {
		sent, _, err := f.desk.Events(ctx, actor, id, after, 7)
		check(f.t, err)
		if len(sent) == 0 {
			break
		}
		for _, e := range sent {
			after = e.Sequence
			clean("sent "+string(e.Type), string(e.Data))
		}
	}
	account, err := f.desk.Run(ctx, actor, id)
	check(f.t, err)
	raw, err := json.Marshal([]any{account.Cited, account.Read, account.Found, account.Run.Answer, account.Run.Checks, account.Run.Notices})
	check(f.t, err)
	clean("the account", string(raw))
	for _, e := range got.evidence {
		if _, err := f.desk.Source(ctx, actor, id, e.Ref); err == nil && e.Document == "doc-a1" {
			f.t.Error("the source opens")
		}
	}
	if f.taken < len(got.events) {
		clean("the stored answer", got.Answer.Text)
	}
	clean("the checkpoint", got.Checkpoint)
	for _, kind := range []ledger.Kind{ledger.RunEnded, ledger.Security} {
		for _, e := range f.entries(kind, id) {
			if strings.Contains(string(e.Body), secret) {
				f.t.Errorf("the ledger: %s", e.Body)
			}
		}
	}
	memory, err := f.db.Memory().Memory(ctx, tenant, alice, "c1")
	if err != nil && !problem.Is(err, problem.NotFound) {
		f.t.Fatal(err)
	}
	clean("the memory", memory.Summary)
	return got
}

var parroting = agent.Request{Goal: "住宿标准是什么？", Conversation: "c1", Route: run.AgenticRAG}

// TestARightTakenAtAnyEventHoldsFromThereOn takes the right to a document away after each event of
// a run that reads it, repeats it in a query and cites it. Events are stored in steps: between two
// steps nothing happens, so that the ends of the steps are all the moments there are.
func TestARightTakenAtAnyEventHoldsFromThereOn(t *testing.T) {
	for _, route := range []run.Route{run.AgenticRAG, run.FixedRAG} {
		req := parroting
		req.Route = route
		whole := newFlight(t)
		var moments []int
		whole.journal.stored = func(n int) { moments = append(moments, n) }
		course := whole.ask(alice, req)
		whole.agent.Close()
		course.want(t, run.Completed, run.Success)
		if !strings.Contains(course.Answer.Text, secret) || !strings.Contains(strings.Join(whole.parrot.heard, " "), secret) {
			t.Fatalf("the parrot repeats nothing: %s", course.Answer.Text)
		}
		ends, withheld := map[run.Reason]int{}, 0
		for _, way := range []string{"deny", "delete", "erase"} {
			for _, n := range moments {
				t.Run(fmt.Sprint(route, " ", way, " ", n), func(t *testing.T) {
					reason, told := takenAt(t, req, way, n)
					ends[reason]++
					withheld += told
				})
			}
		}
		t.Logf("%s: %d events in %d steps, 3 ways, ends %v, %d times a source was withheld", route, len(course.events), len(moments), ends, withheld)
		if withheld == 0 || ends[run.Success] == 0 {
			t.Errorf("%s: the sequences show too little: ends %v", route, ends)
		}
	}
}

// takenAt takes the right when a number of events is stored, and judges what comes of the run. It
// returns the reason of its end, and 1 if a source had to be withheld.
func takenAt(t *testing.T, req agent.Request, way string, at int) (run.Reason, int) {
	t.Helper()
	f := newFlight(t)
	f.journal.stored = func(n int) {
		if n >= at && f.taken == 0 {
			f.take(way)
		}
	}
	id := f.start(alice, req)
	check(t, f.agent.Await(context.Background(), access.Actor{Tenant: tenant, User: alice}, id))
	f.agent.Close()
	got := f.judge(id)
	shown := slices.ContainsFunc(got.events[:f.taken], func(e event.Event) bool {
		return e.Type == event.SourceAdded && strings.Contains(string(e.Data), "doc-a1")
	})
	if !shown || f.taken == len(got.events) {
		return got.Reason, 0
	}
	if !got.has(event.SourceWithheld) || !slices.Contains(got.Notices, "scope_changed") {
		t.Errorf("nothing tells that a source was withheld: %v", got.Notices)
	}
	return got.Reason, 1
}

// TestAResponseThatComesAfterTheRightIsGoneIsNotUsed takes the right while the model speaks.
func TestAResponseThatComesAfterTheRightIsGoneIsNotUsed(t *testing.T) {
	whole := newFlight(t)
	whole.ask(alice, parroting)
	for k := range whole.parrot.heard {
		f := newFlight(t)
		f.parrot.after = func(n int) {
			if n == k {
				f.take("deny")
			}
		}
		id := f.start(alice, parroting)
		check(t, f.agent.Await(context.Background(), access.Actor{Tenant: tenant, User: alice}, id))
		f.agent.Close()
		got := f.judge(id)
		if got.State != run.Completed && got.State != run.InsufficientEvidence {
			t.Errorf("during request %d: ended %s (%s)", k+1, got.State, got.Reason)
		}
		if strings.Contains(got.Answer.Text, secret) {
			t.Errorf("during request %d: the answer is %s", k+1, got.Answer.Text)
		}
	}
}

// TestAnAnswerIsStoredOnlyUnderTheRightsItWasJudgedBy takes the right between the judgement of an
// answer and its commit.
func TestAnAnswerIsStoredOnlyUnderTheRightsItWasJudgedBy(t *testing.T) {
	for name, c := range map[string]struct {
		take   func(*flight)
		secret bool
	}{
		"the right to a source": {func(f *flight) { f.take("deny") }, false},
		"something else":        {func(f *flight) { f.open("kb-b", access.User("mallory"), access.Everyone) }, true},
	} {
		f := newFlight(t)
		late := &late{Journal: f.journal, do: func() { c.take(f) }}
		f.agent.Close()
		f.deps.Journal = late
		f.agent = agent.New(f.deps)
		t.Cleanup(f.agent.Close)
		got := f.ask(alice, parroting)
		got.want(t, run.Completed, run.Success)
		if late.stale != 1 || strings.Contains(got.Answer.Text, secret) != c.secret {
			t.Errorf("%s: %d commits were stale, the answer is %s", name, late.stale, got.Answer.Text)
		}
		if !c.secret && slices.ContainsFunc(got.events[:f.taken], func(e event.Event) bool { return e.Type == event.AnswerDelta }) {
			t.Errorf("%s: an answer was told of before it was stored", name)
		}
	}
}

// late is a journal before whose first answer something happens.
type late struct {
	run.Journal
	do    func()
	done  bool
	stale int
}

func (l *late) Commit(ctx context.Context, c run.Commit) error {
	if c.Run.State == run.Completed && !l.done {
		l.done = true
		l.do()
	}
	err := l.Journal.Commit(ctx, c)
	if problem.CodeOf(err) == "scope_stale" {
		l.stale++
	}
	return err
}

func TestAnActorWhoIsSuspendedMidRunIsRefused(t *testing.T) {
	f := newFlight(t)
	f.parrot.after = func(n int) {
		if n == 2 {
			check(t, f.db.Admin().PutUser(context.Background(), tenant, "system", access.Identity{User: alice, Suspended: true}))
		}
	}
	id := f.start(alice, parroting)
	f.group(id)
	got := f.read(alice, id)
	got.want(t, run.Refused, run.PermissionDenied)
	if entries := f.entries(ledger.Security, id); len(entries) != 1 || len(f.parrot.heard) != 3 {
		t.Errorf("%d security entries, %d requests", len(entries), len(f.parrot.heard))
	}
}

// group waits until the run has ended, whoever may look at it.
func (f *flight) group(id run.ID) {
	f.t.Helper()
	for after := int64(0); ; {
		events, err := f.db.Events().After(context.Background(), string(id), after, 100)
		check(f.t, err)
		for _, e := range events {
			if after = e.Sequence; e.Type.Closes() {
				f.agent.Close()
				return
			}
		}
		check(f.t, f.db.Events().Wait(context.Background(), string(id), after))
	}
}
