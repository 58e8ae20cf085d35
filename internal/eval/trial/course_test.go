package trial_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/eval/trial"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
)

// many returns cases that differ in their ids alone.
func many(n int, rest string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- {id: c%d, %s}\n", i, rest)
	}
	return b.String()
}

func TestStoppingKeepsWhatIsDone(t *testing.T) {
	h := newHouse(t, nil)
	ctx, stop := context.WithCancel(t.Context())
	r := h.run(ctx, suite(t, many(5, "question: ERR-1042, doc_keys: [error-codes, release-checklist]")), trial.Options{
		Parallel: 1, Done: func(c eval.CaseResult) {
			if c.ID == "c1" {
				stop()
			}
		},
	})
	if len(r.Cases) != 2 || r.Unfinished != 3 || r.Failures() != 0 {
		t.Fatalf("%d cases, %d unfinished, %d failed", len(r.Cases), r.Unfinished, r.Failures())
	}
	if short := r.Short(nil); len(short) != 1 || !strings.Contains(short[0], "not run: 3") {
		t.Errorf("a stopped evaluation counts as whole: %v", short)
	}
	if len(r.Groups) != 3 || r.Groups[0].Cases != 2 {
		t.Errorf("groups: %+v", r.Groups)
	}
}

func TestWhatWasNotRunIsCountedByTenant(t *testing.T) {
	h := newHouse(t, nil)
	ctx, stop := context.WithCancel(t.Context())
	r := h.run(ctx, suite(t, `
- {id: done, question: ERR-1042, groups: retrieval, doc_keys: error-codes}
- {id: a, question: q}
- {id: b, question: q, tenant: globex}
- {id: c, question: q, tenant: acme}
`), trial.Options{Parallel: 1, Done: func(eval.CaseResult) { stop() }})
	if d := cmp.Diff(map[access.TenantID]int{"acme": 2, "globex": 1}, r.NotRun); d != "" || r.Unfinished != 3 {
		t.Errorf("%d not run: %s", r.Unfinished, d)
	}
}

func TestStoppingLeavesNoRunUnderWay(t *testing.T) {
	h := newHouse(t, nil)
	ctx, stop := context.WithCancel(t.Context())
	var started run.ID
	h.Runner = runner{Runner: h.Runner, await: func(_ context.Context, id run.ID) error {
		started = id
		stop()
		return context.Canceled
	}}
	r := h.run(ctx, suite(t, many(3, "question: ERR-1042, doc_keys: [error-codes, release-checklist]")), trial.Options{Parallel: 1})
	if len(r.Cases) != 0 || r.Unfinished != 3 {
		t.Fatalf("%d cases, %d unfinished", len(r.Cases), r.Unfinished)
	}
	actor := access.Actor{Tenant: "acme", User: "alice"}
	must(t, h.Runner.(runner).Runner.Await(t.Context(), actor, started))
	stored, _, err := h.Journal.Run(t.Context(), "acme", "alice", started)
	must(t, err)
	if !stored.State.Final() {
		t.Errorf("the run is left %s", stored.State)
	}
}

func TestACaseThatTakesTooLongFallsShort(t *testing.T) {
	h := newHouse(t, nil)
	h.Runner = runner{Runner: h.Runner, await: func(ctx context.Context, _ run.ID) error {
		<-ctx.Done()
		return ctx.Err()
	}}
	r := h.hold("- {id: x, question: ERR-1042, groups: citation}\n", trial.Options{Patience: time.Millisecond})
	if len(r.Cases) != 1 || r.Cases[0].Passed || r.Unfinished != 0 {
		t.Fatalf("%+v", r)
	}
}

func TestEachCaseIsTriedAsOftenAsAsked(t *testing.T) {
	h := newHouse(t, saying("上海的住宿上限为每晚 650 元[C1]。", "上海的住宿上限为每晚 500 元[C1]。"))
	r := h.hold(fixed, trial.Options{Repeat: 4})
	c := r.Cases[0]
	if c.Passed || c.Tries != 4 || c.Passes != 2 || len(c.Runs) != 4 {
		t.Fatalf("passed %v, %d of %d tries, %d runs", c.Passed, c.Passes, c.Tries, len(c.Runs))
	}
	var tries []int
	for _, f := range c.Findings {
		if f.Code == "contradicted" {
			tries = append(tries, f.Try)
			if f.Run != c.Runs[f.Try-1] {
				t.Errorf("try %d names the run %s, and it was %s", f.Try, f.Run, c.Runs[f.Try-1])
			}
		}
	}
	if d := cmp.Diff([]int{2, 4}, tries); d != "" {
		t.Error(d)
	}
}

func TestACaseThatChangesDocumentsIsTriedOnce(t *testing.T) {
	r := newHouse(t, nil).hold(renewed, trial.Options{Repeat: 3, Changes: true})
	if c := r.Cases[0]; !c.Passed || c.Tries != 1 {
		t.Errorf("%d tries, %v", c.Tries, c.Findings)
	}
}

func TestDocumentsAreNotChangedWithoutLeave(t *testing.T) {
	h := newHouse(t, nil)
	before, err := h.Ledger.Head(t.Context(), "acme")
	must(t, err)
	r := h.hold(renewed+"- {id: y, as: carol, propose: {document: doc-travel-v3, decide: approve}}\n", trial.Options{})
	for _, id := range []string{"x", "y"} {
		for _, c := range codes(r, id) {
			if !strings.HasSuffix(c, ":changes_documents") {
				t.Errorf("%s: %s", id, c)
			}
		}
		if len(codes(r, id)) == 0 {
			t.Errorf("%s passes without having been run", id)
		}
	}
	after, err := h.Ledger.Head(t.Context(), "acme")
	must(t, err)
	if before != after {
		t.Errorf("something happened: the ledger went from %d to %d", before.Sequence, after.Sequence)
	}
}

func TestAnApprovedProposalIsPublished(t *testing.T) {
	r := newHouse(t, nil).hold(
		"- {id: x, as: carol, propose: {document: doc-travel-v3, decide: approve}, state: completed, finish_reason: success}\n", trial.Options{Changes: true})
	if got := codes(r, "x"); len(got) > 0 {
		t.Errorf("%v: %v", got, r.Cases[0].Findings)
	}
}

func TestNoMoreCasesAreUnderWayThanAllowed(t *testing.T) {
	h := newHouse(t, nil)
	var now, most atomic.Int32
	h.Reader = reading{Reader: h.Reader, search: func(_ access.Actor, _ retrieval.Query, r retrieval.Result) (retrieval.Result, error) {
		n := now.Add(1)
		defer now.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		return r, nil
	}}
	text := many(40, "question: ERR-1042, groups: retrieval, doc_keys: error-codes")
	r := h.hold(text, trial.Options{Parallel: 3})
	if len(r.Cases) != 40 || r.Failures() != 0 {
		t.Fatalf("%d cases, %d failed", len(r.Cases), r.Failures())
	}
	if most.Load() > 3 {
		t.Errorf("%d cases were under way at once", most.Load())
	}
}

// TestCasesThatChangeThingsComeLastAndAlone lets an update stand first in the file: what the
// others see is the state before it.
func TestCasesThatChangeThingsComeLastAndAlone(t *testing.T) {
	h := newHouse(t, nil)
	var mu sync.Mutex
	var order []string
	text := renewed + many(6, "question: 上海住宿上限是多少, versions: travel-policy@2, contains: [650]")
	r := h.hold(text, trial.Options{Changes: true, Done: func(c eval.CaseResult) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, c.ID)
	}})
	if n := r.Failures(); n > 0 {
		t.Errorf("%d failed: %+v", n, r.Cases)
	}
	if len(order) != 7 || order[6] != "x" {
		t.Errorf("order: %v", order)
	}
	if r.Cases[0].ID != "x" {
		t.Errorf("the result is not in the order of the file: %s is first", r.Cases[0].ID)
	}
}

// TestACaseThatCannotFailFallsShort holds what keeps an evaluation from passing for nothing.
func TestACaseThatCannotFailFallsShort(t *testing.T) {
	h := newHouse(t, nil)
	r := h.hold(`
- {id: canary, question: ERR-1042, groups: retrieval, forbid: {strings: [CANARY-NOWHERE-11]}}
- {id: document, question: ERR-1042, groups: retrieval, forbid: {documents: doc-nowhere}}
- {id: version, question: ERR-1042, groups: retrieval, forbid: {versions: travel-policy@9}}
- {id: target, question: ERR-1042, groups: retrieval, documents: doc-nowhere}
- {id: key, question: ERR-1042, groups: retrieval, doc_keys: nowhere}
- {id: place, question: ERR-1042, groups: citation, citations: [{doc_key: nowhere}]}
- {id: user, question: ERR-1042, groups: retrieval, as: mallory, doc_keys: error-codes}
- {id: tenant, question: ERR-1042, groups: retrieval, tenant: initech, doc_keys: error-codes}
- {id: foreign, question: ERR-1042, groups: retrieval, doc_keys: office-guide}
- {id: other, question: ERR-1042, groups: retrieval, forbid: {documents: doc-globex-travel-v1, strings: [Singapore]}}
`, trial.Options{})
	want := map[string]string{
		"canary": "cannot_fail", "document": "cannot_fail", "version": "cannot_fail", "target": "unknown_target", "key": "unknown_target",
		"place": "unknown_target", "user": "no_such_user", "tenant": "no_such_user", "foreign": "unknown_target",
	}
	for _, c := range r.Cases {
		got := codes(r, c.ID)
		if want[c.ID] == "" && len(got) > 0 {
			t.Errorf("%s: %v", c.ID, got)
		}
		if want[c.ID] != "" && (len(got) != 1 || !strings.HasSuffix(got[0], ":"+want[c.ID])) {
			t.Errorf("%s: %v, want %s", c.ID, got, want[c.ID])
		}
	}
}

func TestAnUpdateThatTestsNothingFallsShort(t *testing.T) {
	for _, group := range []string{"citation", "traceability"} {
		r := newHouse(t, nil).hold("- {id: x, question: ERR-1042, groups: "+group+", update: {by: carol, publish: doc-travel-v3}}\n", trial.Options{Changes: true})
		if got := codes(r, "x"); !slices.Equal(got, []string{group + ":update_untested"}) {
			t.Errorf("%s: %v", group, got)
		}
	}
}

func TestAProposalOfWhatIsNotThereProvesNoRefusal(t *testing.T) {
	r := newHouse(t, nil).hold("- {id: x, groups: tools, propose: {document: doc-nowhere, code: not_found}}\n", trial.Options{})
	if got := codes(r, "x"); !slices.Equal(got, []string{"tools:broke"}) {
		t.Errorf("%v", got)
	}
}

func TestAnUpdateByWhoMayNotPublishFallsShort(t *testing.T) {
	r := newHouse(t, nil).hold(strings.Replace(renewed, "by: carol", "by: alice", 1), trial.Options{Changes: true})
	if got := codes(r, "x"); !slices.Contains(got, "citation:broke") {
		t.Errorf("%v", got)
	}
}

func TestAQuestionThatIsNotTakenFallsShort(t *testing.T) {
	h := newHouse(t, nil)
	h.Runner = refusing{h.Runner}
	r := h.hold("- {id: x, question: ERR-1042}\n", trial.Options{})
	if got := codes(r, "x"); !slices.Equal(got, []string{"citation:broke", "traceability:broke"}) {
		t.Errorf("%v", got)
	}
	if d := r.Cases[0].Findings[0].Detail; !strings.Contains(d, "too_many_runs: You have") {
		t.Errorf("the finding does not say why: %s", d)
	}
}

type refusing struct{ trial.Runner }

func (refusing) Start(context.Context, access.Actor, agent.Request) (run.ID, error) {
	return "", problem.New(problem.Exhausted, "too_many_runs", "You have too many runs.")
}

func TestAProductWithoutTenantsIsNotEvaluated(t *testing.T) {
	h := newHouse(t, nil)
	h.Tenants = func(context.Context) ([]access.TenantID, error) { return nil, errors.New("no directory") }
	if _, err := trial.Run(t.Context(), h.Product, suite(t, code), trial.Options{}); err == nil {
		t.Error("no error")
	}
}
