package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
)

// evaluated keeps a result with a case that was asked in the name of each person, and returns its id.
func (w *world) evaluated(name string, who ...access.UserID) string {
	w.t.Helper()
	yes := true
	r := eval.Result{
		Format: 1, ID: "eval_" + name, Name: "Questions " + name, Language: "en", File: name + ".yaml", FileHash: "ab", Source: "data", Engine: "model", Model: "m",
		Version: "1", K: 10, Repeat: 2, StartedAt: w.now().UTC().Truncate(time.Millisecond), EndedAt: w.now().UTC().Truncate(time.Millisecond), Unfinished: 1,
	}
	for i, p := range who {
		secret := "CANARY-" + string(p)
		r.Cases = append(r.Cases, eval.CaseResult{
			ID: fmt.Sprintf("case-%d", i), Groups: []eval.Group{eval.Retrieval, eval.Citation}, Tenant: acme, As: p, Question: secret, Passed: false, Tries: 2, Passes: 1, Documents: []eval.Target{},
			Findings: []eval.Finding{{Group: eval.Citation, Code: "not_cited", Detail: secret, Try: 2, Run: "run_" + secret}}, Runs: []string{"run_a", "run_" + secret},
			Ranking: &eval.Ranking{Hit: true, Recall: 1, RR: 1, NDCG: 1}, Version: &yes, Checks: &eval.CheckCount{Answers: 2, Sentences: 4, Cited: 4, Supported: 3, NotFound: 1}, Millis: 12,
		})
	}
	r.Sum()
	must(w.t, w.db.Results().Keep(w.t.Context(), acme, access.Operator, r))
	return r.ID
}

func TestAnAdministratorReadsResultsOverTime(t *testing.T) {
	w := newWorld(t)
	at := time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)
	for i := range 3 {
		w.set(at.AddDate(0, 0, i))
		w.evaluated(fmt.Sprint(i), "tina", "bob")
	}
	first := expect[api.List[api.Evaluation]](w, "tina", "GET", "/api/evaluations?limit=2", "", http.StatusOK)
	if len(first.Items) != 2 || first.NextCursor == nil || first.Items[0].ID != "eval_2" || first.Items[1].ID != "eval_1" {
		t.Fatalf("%+v", first)
	}
	rest := expect[api.List[api.Evaluation]](w, "tina", "GET", "/api/evaluations?limit=2&cursor="+*first.NextCursor, "", http.StatusOK)
	if len(rest.Items) != 1 || rest.NextCursor != nil || rest.Items[0].ID != "eval_0" || !rest.Items[0].StartedAt.Equal(at) {
		t.Errorf("%+v", rest)
	}
	e := first.Items[0]
	want := []api.EvaluationGroup{{Group: "retrieval", Cases: 2, Passed: 2, Share: 1, Low: e.Groups[0].Low, High: 1}, {Group: "citation", Cases: 2, Passed: 0, High: e.Groups[1].High}}
	if diff := cmp.Diff(want, e.Groups); diff != "" || e.Groups[0].Low <= 0 || e.Groups[0].Low >= 1 || e.Groups[1].High <= 0 {
		t.Error(diff)
	}
	if e.Retrieval == nil || e.Retrieval.Cases != 2 || e.Retrieval.NDCG != 1 || e.Citation == nil || e.Citation.Supported != 0.75 || e.Citation.Answers != 4 ||
		e.Unfinished != 1 || e.Engine != "model" || e.Program != "1" || e.Repeat != 2 || e.File != "2.yaml" {
		t.Errorf("%+v", e)
	}
	w.refusal("tina", "GET", "/api/evaluations?cursor=zzz", "", 422, "invalid_cursor")
}

func TestCasesOfAnothersNameAreWithheldFromTheAdministrator(t *testing.T) {
	w := newWorld(t)
	id := w.evaluated("x", "tina", "bob")
	raw := w.send("tina", "GET", "/api/evaluations/"+id, "").Body.String()
	if strings.Contains(raw, "CANARY-bob") || !strings.Contains(raw, "CANARY-tina") {
		t.Errorf("%s", raw)
	}
	r := expect[api.EvaluationResult](w, "tina", "GET", "/api/evaluations/"+id, "", http.StatusOK)
	if len(r.Cases) != 2 || r.Cases[0].Withheld || r.Cases[0].Runs[1] != r.Cases[0].Findings[0].RunID {
		t.Fatalf("%+v", r)
	}
	bobs := api.EvaluationCase{
		ID: "case-1", Groups: []string{"retrieval", "citation"}, As: "bob", Tries: 2, Passes: 1, Runs: []string{}, Withheld: true, Millis: 12,
		Findings: []api.EvaluationFinding{{Group: "citation", Code: "not_cited", Try: 2}},
	}
	if diff := cmp.Diff(bobs, r.Cases[1]); diff != "" {
		t.Error(diff)
	}
}

// A result is read by the rights of now: what it names must not outlast the right to see it, nor must
// the kind of a finding tell whether the document was there.
func TestACaseOfOnesOwnNamesNoDocumentThatIsLost(t *testing.T) {
	for _, named := range []string{"by id", "by key"} {
		w, a := told(t)
		c := a.Citations[0]
		target := eval.Target{Document: corpus.DocumentID(c.DocumentID)}
		if named == "by key" {
			target = eval.Target{Key: corpus.Key(c.DocKey)}
		}
		keep := func(id, code string, documents []eval.Target) {
			must(t, w.db.Results().Keep(t.Context(), acme, access.Operator, eval.Result{Format: 1, ID: "eval_" + id, StartedAt: w.now(), EndedAt: w.now(), Cases: []eval.CaseResult{{
				ID: "one", Groups: []eval.Group{eval.Retrieval}, Tenant: acme, As: "tina", Question: "about " + target.String(), Tries: 1, Runs: []string{}, Documents: documents,
				Findings: []eval.Finding{{Group: eval.Retrieval, Code: code, Detail: "it speaks of " + target.String()}},
			}}}))
		}
		cases := func(id string) string {
			b, err := json.Marshal(expect[api.EvaluationResult](w, "tina", "GET", "/api/evaluations/eval_"+id, "", http.StatusOK).Cases)
			must(t, err)
			return string(b)
		}
		keep("there", "not_found", []eval.Target{target})
		keep("unknown", "unknown_target", []eval.Target{target})
		keep("old", "not_found", nil)
		w.grant("kb-a", "user:alice", "manager", "user:tina", "reader")
		for id, code := range map[string]string{"there": "not_found", "unknown": "unknown_target"} {
			if got := cases(id); !strings.Contains(got, "it speaks of "+target.String()) || !strings.Contains(got, code) {
				t.Errorf("%s: while she may read it: %s", named, got)
			}
		}
		if got := cases("old"); strings.Contains(got, target.String()) {
			t.Errorf("%s: a result that does not say what it names: %s", named, got)
		}
		w.grant("kb-a", "user:alice", "manager")
		there, unknown := cases("there"), cases("unknown")
		if strings.Contains(there, target.String()) || there != unknown || !strings.Contains(there, `"withheld":true`) {
			t.Errorf("%s: after she lost it:\n%s\n%s", named, there, unknown)
		}
	}
}

func TestAnEvaluationThatIsNotOnesOwnLooksUnknown(t *testing.T) {
	w := newWorld(t)
	id := w.evaluated("x", "alice")
	// Alice, in whose name its case was asked, does not administer the tenant.
	for _, who := range []string{"alice", "bob", "carol", "dave", "erin", "toby"} {
		foreign, unknown := picture(w.send(who, "GET", "/api/evaluations/"+id, "")), picture(w.send(who, "GET", "/api/evaluations/eval_zzz", ""))
		if foreign != unknown || !strings.Contains(foreign, "404") {
			t.Errorf("%s:\n%s\n%s", who, foreign, unknown)
		}
	}
	if list := expect[api.List[api.Evaluation]](w, "toby", "GET", "/api/evaluations", "", http.StatusOK); len(list.Items) != 0 {
		t.Errorf("another tenant's administrator sees %+v", list)
	}
	w.refusal("carol", "GET", "/api/evaluations", "", 404, "not_found")
}

func TestTheClientReadsEvaluations(t *testing.T) {
	w := newWorld(t)
	id := w.evaluated("x", "tina")
	tina := w.client("tina")
	all, err := api.All(t.Context(), tina.Evaluations)
	if err != nil || len(all) != 1 || all[0].ID != id {
		t.Fatalf("%+v %v", all, err)
	}
	r, err := tina.Evaluation(t.Context(), id)
	if err != nil || len(r.Cases) != 1 || r.Name != "Questions x" {
		t.Errorf("%+v %v", r, err)
	}
	var p *api.Problem
	if _, err := tina.Evaluation(t.Context(), "eval_zzz"); !errors.As(err, &p) || p.Code != "not_found" {
		t.Errorf("%v", err)
	}
}
