package leaktest

import (
	"context"
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/run"
)

// interrupt begins a run and ends the process in one of its model turns.
func (w *world) interrupt(t *rapid.T) {
	who := user(t, "who")
	list := w.living("published")
	if len(list) == 0 || w.away[who] {
		return
	}
	v, m := pick(t, "about", list), w.p.model
	leak := ""
	m.parrot, m.read, m.turns, m.between = rapid.Bool().Draw(t, "parrot"), "read_document", 0, nil
	m.halt, m.halted = rapid.IntRange(1, 3).Draw(t, "turn"), make(chan struct{})
	m.seen = func(prompt []byte) {
		w.prompted()
		if l := w.leak(who, Find, "prompt", prompt); l != "" && leak == "" {
			leak = l
		}
	}
	body := map[string]any{"kind": "answer", "goal": fmt.Sprintf("%s 的批准预算是多少？", v.canary.Probe), "route": pick(t, "route", []string{"agentic_rag", "agentic_rag", "fixed_rag"})}
	id := between(w.expect(202, who, send("POST", "/api/runs", body)).body, `"run_id":"`, `"`)
	ended, stop := w.ended(who, id)
	defer stop()
	select {
	case <-m.halted:
	case err := <-ended:
		w.must(err)
	}
	w.p.close(w.t)
	m.seen, m.halt = nil, 0
	w.p.open(w.t)
	if leak != "" {
		w.fail("%s", leak)
	}
	w.judgeLog()
	w.runs, w.halted = append(w.runs, asked{id, who}), append(w.halted, asked{id, who})
}

// ended tells when the attempt of a run has ended.
func (w *world) ended(who, id string) (<-chan error, context.CancelFunc) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	a, actor := w.p.agent, access.Actor{Tenant: access.TenantID(w.tenant(who)), User: access.UserID(who)}
	go func() { done <- a.Await(ctx, actor, run.ID(id)) }()
	return done, stop
}

// resume goes on with a run that was interrupted, whatever became of rights meanwhile. What it was
// shown before and may still be cited may be in its prompt.
func (w *world) resume(t *rapid.T) {
	if len(w.halted) == 0 {
		return
	}
	r, m := pick(t, "run", w.halted), w.p.model
	if w.away[r.by] {
		return
	}
	leak := ""
	m.parrot, m.read, m.turns, m.between, m.halt = rapid.Bool().Draw(t, "parrot"), "read_document", 0, nil, 0
	m.seen = func(prompt []byte) {
		w.prompted()
		if l := w.leak(r.by, Cite, "prompt", prompt); l != "" && leak == "" {
			leak = l
		}
	}
	path := "/api/runs/" + r.id
	began := w.look(r.by, Cite, "resume", request{"POST", path + "/resume", "", nil})
	if began.status != 202 && began.status != 409 {
		w.fail("resume of %s: %d %s", r.id, began.status, began.body)
	}
	done, stop := w.ended(r.by, r.id)
	defer stop()
	w.must(<-done)
	m.seen = nil
	if leak != "" {
		w.fail("%s", leak)
	}
	for _, q := range []request{get(path), get(path + "/events"), get(path+"/events", "Accept", "text/event-stream"), get("/api/runs")} {
		w.look(r.by, Cite, "resumed run", q)
	}
	w.halted = slices.DeleteFunc(w.halted, func(h asked) bool { return h == r })
}
