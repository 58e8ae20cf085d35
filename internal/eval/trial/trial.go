// Package trial holds the cases of an evaluation against the product.
//
// It asks as the people whom the cases name, through what every other door calls, and judges what
// came of it with the whole store in view: it reads past the rights of those people, so that a
// leak is seen as one and a forbidden thing that is nowhere is not taken for one that was kept.
// What it judges it does not compute: hashes, places and records are recomputed here from the
// original bytes, the events and the ledger.
package trial

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
)

// Runner runs questions. *agent.Agent is the one.
type Runner interface {
	Start(ctx context.Context, actor access.Actor, req agent.Request) (run.ID, error)
	Await(ctx context.Context, actor access.Actor, id run.ID) error
	Cancel(ctx context.Context, actor access.Actor, id run.ID) (*run.Run, error)
}

// Reader is what a person looks at. *desk.Desk is the one.
type Reader interface {
	Search(ctx context.Context, actor access.Actor, req access.Request, q retrieval.Query) (retrieval.Result, error)
	Run(ctx context.Context, actor access.Actor, id run.ID) (desk.Account, error)
	Events(ctx context.Context, actor access.Actor, id run.ID, after int64, limit int) ([]event.Event, bool, error)
	Source(ctx context.Context, actor access.Actor, id run.ID, ref string) (desk.Opened, error)
}

// Proposer is how a person publishes. *desk.Desk is the one.
type Proposer interface {
	Propose(ctx context.Context, actor access.Actor, id corpus.DocumentID) (desk.Proposal, error)
	Proposal(ctx context.Context, actor access.Actor, id approval.ID) (desk.Proposal, error)
	Decide(ctx context.Context, actor access.Actor, id approval.ID, approved bool, request string) (desk.Proposal, error)
}

// Product is what is evaluated, and the stores that judge it. All fields are needed.
type Product struct {
	Runner   Runner
	Reader   Reader
	Proposer Proposer
	// Scripted makes a runner that is the product's but for the model, and what closes it.
	Scripted func(llm.Generator) (Runner, func())
	// Upload takes a new version in and returns when it is published.
	Upload func(ctx context.Context, actor access.Actor, up corpus.Upload, body []byte) error

	Tenants   func(ctx context.Context) ([]access.TenantID, error)
	Directory access.Directory
	Finder    desk.Searcher
	Catalog   corpus.Catalog
	Texts     corpus.Texts
	Blobs     corpus.Blobs
	Originals parse.Reader // nil means that originals are parsed in this process
	Journal   run.Journal
	Events    event.Log
	Ledger    ledger.Log
}

// Options say how to run an evaluation.
type Options struct {
	// Tenant and As stand in for those that a case does not name.
	Tenant access.TenantID
	As     access.UserID
	// Repeat is how often each case is tried; 0 means once. Cases that change documents are tried
	// once.
	Repeat int
	// Parallel bounds the cases under way; 0 means 4.
	Parallel int
	// Patience bounds one try; 0 means five minutes.
	Patience time.Duration
	// Changes lets cases publish and upload. Without it they fall short, unrun.
	Changes bool
	// Done is told of each case when it is over, one at a time; nil tells nobody.
	Done func(eval.CaseResult)
}

// trial is one evaluation under way.
type trial struct {
	Product
	o       Options
	k       int
	tenants []access.TenantID
	chain   *chain
}

// Run holds every case of a suite against the product and returns what came of each, in the order
// of the file. When the context ends, the cases that are over are kept and the others counted as
// unfinished. Cases that change documents, or wait for a person, come last and one after another.
func Run(ctx context.Context, p Product, suite eval.Suite, o Options) (eval.Result, error) {
	tenants, err := p.Tenants(ctx)
	if err != nil {
		return eval.Result{}, err
	}
	t := &trial{Product: p, o: withDefaults(o), k: suite.K, tenants: tenants, chain: newChain(p.Ledger)}
	if err := t.chain.begin(ctx, tenants); err != nil {
		return eval.Result{}, err
	}
	results := make([]*eval.CaseResult, len(suite.Cases))
	var last []int
	gate := make(chan struct{}, t.o.Parallel)
	var group sync.WaitGroup
	var mu sync.Mutex
	one := func(i int) {
		r, ok := t.hold(ctx, suite.Cases[i])
		if !ok {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		results[i] = &r
		if t.o.Done != nil {
			t.o.Done(r)
		}
	}
	for i, c := range suite.Cases {
		if c.Update != nil || c.Propose != nil {
			last = append(last, i)
			continue
		}
		select {
		case gate <- struct{}{}:
		case <-ctx.Done():
			continue
		}
		group.Go(func() {
			defer func() { <-gate }()
			one(i)
		})
	}
	group.Wait()
	for _, i := range last {
		one(i)
	}
	return t.result(ctx, suite, results), nil
}

func withDefaults(o Options) Options {
	o.Repeat, o.Parallel = max(1, o.Repeat), cmpOr(o.Parallel, 4)
	if o.Patience <= 0 {
		o.Patience = 5 * time.Minute
	}
	return o
}

func cmpOr(n, fallback int) int {
	if n > 0 {
		return n
	}
	return fallback
}

// result gathers what is over. The chains of the ledger are verified here, once, for all cases.
func (t *trial) result(ctx context.Context, suite eval.Suite, results []*eval.CaseResult) eval.Result {
	out := eval.Result{Format: 1, Name: suite.Name, Language: suite.Language, K: suite.K, Repeat: t.o.Repeat, NotRun: map[access.TenantID]int{}}
	broken := t.chain.broken(context.WithoutCancel(ctx), t.tenants)
	for i, r := range results {
		if r == nil {
			out.Unfinished++
			out.NotRun[t.tenantOf(suite.Cases[i])]++
			continue
		}
		if detail := broken[r.Tenant]; detail != "" && slices.Contains(r.Groups, eval.Traceability) {
			r.Findings = append(r.Findings, eval.Finding{Group: eval.Traceability, Code: "ledger_broken", Detail: detail})
			r.Passed = false
		}
		out.Cases = append(out.Cases, *r)
	}
	out.Sum()
	return out
}

func (t *trial) tenantOf(c eval.Case) access.TenantID {
	if c.Tenant == "" {
		return t.o.Tenant
	}
	return c.Tenant
}

// hold tries one case as often as it is to be tried. It is false if the evaluation was stopped
// before that.
func (t *trial) hold(ctx context.Context, c eval.Case) (eval.CaseResult, bool) {
	r := eval.CaseResult{
		ID: c.ID, Groups: c.Groups, Tenant: t.tenantOf(c), As: c.As, Question: c.Question, Findings: []eval.Finding{}, Runs: []string{},
		Documents: c.Named(),
	}
	if r.As == "" {
		r.As = t.o.As
	}
	tries := t.o.Repeat
	if c.Changes() {
		tries = 1
	}
	began := time.Now()
	for n := 1; n <= tries; n++ {
		y := &try{trial: t, c: c, actor: access.Actor{Tenant: r.Tenant, User: r.As, Operator: true}, n: n, out: &r}
		before := len(r.Findings)
		bounded, cancel := context.WithTimeout(ctx, t.o.Patience)
		y.begin(bounded)
		late := errors.Is(bounded.Err(), context.DeadlineExceeded) && ctx.Err() == nil
		cancel()
		if ctx.Err() != nil {
			return r, false
		}
		if late && len(r.Findings) == before {
			y.everywhere("timeout", "the case took longer than %s", t.o.Patience)
		}
		r.Tries++
		if len(r.Findings) == before {
			r.Passes++
		}
	}
	r.Passed = len(r.Findings) == 0
	r.Millis = time.Since(began).Milliseconds()
	return r, true
}
