package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/ledger"
)

// evaluated is a result with one case of each outcome.
func evaluated(id string, at time.Time) eval.Result {
	right := true
	r := eval.Result{
		Format: 1, ID: id, Name: "员工手册", Language: "zh", File: "q.yaml", FileHash: "00ff", Source: "data", Engine: "rules", Version: "dev",
		K: 10, Repeat: 2, StartedAt: at, EndedAt: at.Add(time.Minute),
		Cases: []eval.CaseResult{
			{
				ID: "good", Groups: []eval.Group{eval.Retrieval, eval.Citation}, Tenant: acme, As: "rita", Question: "canaryquestion88", Passed: true,
				Tries: 2, Passes: 2, Findings: []eval.Finding{}, Runs: []string{"run_1", "run_2"}, Ranking: &eval.Ranking{First: 1, Hit: true, Recall: 1, RR: 1, NDCG: 1},
				Version: &right, Checks: &eval.CheckCount{Answers: 2, Sentences: 3, Cited: 3, Supported: 3},
			},
			{
				ID: "bad", Groups: []eval.Group{eval.Tools}, Tenant: acme, As: "rita", Tries: 2, Passes: 1, Runs: []string{},
				Findings: []eval.Finding{{Group: eval.Tools, Code: "code", Detail: "call 1 came to ok", Try: 2, Run: "run_3"}},
			},
		},
	}
	r.Sum()
	return r
}

var evaluationTests = []test{
	{"AKeptResultIsReadAsItWas", func(t *testing.T, w *World) {
		want := evaluated("eval_1", w.clock.Now().UTC().Truncate(time.Millisecond))
		w.ok(w.Results.Keep(w.ctx, acme, "rita", want))
		got, err := w.Results.Result(w.ctx, acme, "eval_1")
		w.ok(err)
		want.Tenant = acme
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}},
	{"AResultBelongsToOneTenant", func(t *testing.T, w *World) {
		w.ok(w.Results.Keep(w.ctx, acme, "rita", evaluated("eval_1", w.clock.Now())))
		same(t, "another tenant's", errOf(w.Results.Result(w.ctx, globex, "eval_1")))
		same(t, "unknown", errOf(w.Results.Result(w.ctx, acme, "eval_2")))
		list, _, err := w.Results.Results(w.ctx, globex, eval.Filter{})
		w.ok(err)
		is(w, "results of the other tenant", len(list), 0)
		// The parts of one evaluation have one id in every tenant that it is about.
		w.ok(w.Results.Keep(w.ctx, globex, "operator", evaluated("eval_1", w.clock.Now())))
		same(t, "of a tenant that is not there", w.Results.Keep(w.ctx, "nobody", "rita", evaluated("eval_3", w.clock.Now())))
	}},
	{"AResultIsKeptOnceAndNeverChanges", func(t *testing.T, w *World) {
		at := w.clock.Now().UTC().Truncate(time.Millisecond)
		first := evaluated("eval_1", at)
		w.ok(w.Results.Keep(w.ctx, acme, "rita", first))
		n := len(w.entries(acme))
		other := first
		other.Name = "another"
		w.want(w.Results.Keep(w.ctx, acme, "rita", other), "exists")
		is(w, "ledger entries", len(w.entries(acme)), n)
		got, err := w.Results.Result(w.ctx, acme, "eval_1")
		w.ok(err)
		is(w, "name", got.Name, first.Name)
	}},
	{"KeepingIsRecordedWithoutWordsOfTheFile", func(t *testing.T, w *World) {
		w.ok(w.Results.Keep(w.ctx, acme, "rita", evaluated("eval_1", w.clock.Now())))
		all := w.entries(acme)
		e := all[len(all)-1]
		is(w, "kind and actor", string(e.Kind)+" "+e.Actor, string(ledger.EvaluationEnded)+" rita")
		var body struct {
			Evaluation, Engine string
			Cases, Failed      int
			Groups             map[string][2]int
		}
		w.ok(json.Unmarshal(e.Body, &body))
		is(w, "body", fmt.Sprint(body), fmt.Sprint(struct {
			Evaluation, Engine string
			Cases, Failed      int
			Groups             map[string][2]int
		}{"eval_1", "rules", 2, 1, map[string][2]int{"retrieval": {1, 1}, "citation": {1, 1}, "tools": {0, 1}}}))
		is(w, "words of the file", strings.Contains(string(e.Body), "canaryquestion88") || strings.Contains(string(e.Body), "手册"), false)
	}},
	{"ResultsAreListedNewestFirstWithoutTheirCases", func(t *testing.T, w *World) {
		at := w.clock.Now().UTC().Truncate(time.Millisecond)
		var want []string
		for i := range 7 {
			// Two begin at the same moment: then the id decides.
			id := fmt.Sprint("eval_", i)
			w.ok(w.Results.Keep(w.ctx, acme, "rita", evaluated(id, at.Add(time.Duration(i/2)*time.Second))))
			want = append([]string{id}, want...)
		}
		for _, size := range []int{1, 2, 3, 100} {
			var got []string
			f := eval.Filter{Limit: size}
			for {
				list, next, err := w.Results.Results(w.ctx, acme, f)
				w.ok(err)
				for _, r := range list {
					got = append(got, r.ID)
					is(w, "cases", len(r.Cases), 0)
					is(w, "groups", len(r.Groups), 3)
				}
				if f.After = next; next == "" {
					break
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("pages of %d: %s", size, d)
			}
		}
		_, _, err := w.Results.Results(w.ctx, acme, eval.Filter{After: "x"})
		w.want(err, "invalid_cursor")
	}},
}
