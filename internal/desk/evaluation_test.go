package desk

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/problem"
)

// results holds one result of each of two tenants.
type results struct{ asked eval.Filter }

func (s *results) Keep(context.Context, access.TenantID, access.UserID, eval.Result) error {
	return nil
}

func (s *results) Result(_ context.Context, tenant access.TenantID, id string) (eval.Result, error) {
	if id != "eval_"+string(tenant) {
		return eval.Result{}, problem.Missing()
	}
	r := eval.Result{ID: id, Tenant: tenant, Name: "Handbook", Unfinished: 2, Groups: []eval.GroupResult{{Group: eval.Citation, Cases: 2, Passed: 0}}}
	for _, who := range []access.UserID{"tina", "bob"} {
		r.Cases = append(r.Cases, eval.CaseResult{
			ID: "case of " + string(who), As: who, Documents: []eval.Target{}, Question: "SECRET of " + string(who), Tries: 1, Runs: []string{"run SECRET of " + string(who)},
			Findings: []eval.Finding{{Group: eval.Citation, Code: "not_cited", Detail: "SECRET of " + string(who), Try: 1, Run: "run SECRET of " + string(who)}},
		})
	}
	return r, nil
}

func (s *results) Results(ctx context.Context, tenant access.TenantID, f eval.Filter) ([]eval.Result, string, error) {
	s.asked = f
	r, err := s.Result(ctx, tenant, "eval_"+string(tenant))
	r.Cases = nil
	return []eval.Result{r}, "next", err
}

func evaluating() (*Desk, *results) {
	r := newRegistry(0)
	r.users["tina"] = access.Identity{User: "tina", Roles: []access.Role{access.TenantAdmin}}
	r.users["carol"] = access.Identity{User: "carol", Roles: []access.Role{access.Member, access.KnowledgeAdmin, access.Auditor}}
	r.users["gone"] = access.Identity{User: "gone", Suspended: true, Roles: []access.Role{access.TenantAdmin}}
	s := &results{}
	return New(Deps{Directory: r, Admin: r, Results: s}), s
}

func TestResultsOfEvaluationsAreTheTenantsAdministrators(t *testing.T) {
	d, s := evaluating()
	for _, who := range []access.UserID{"carol", "gone", "nobody"} {
		a := access.Actor{Tenant: "acme", User: who}
		_, list := d.Evaluations(t.Context(), a, eval.Filter{})
		_, there := d.Evaluation(t.Context(), a, "eval_acme")
		_, gone := d.Evaluation(t.Context(), a, "eval_zzz")
		for _, err := range []error{list, there, gone} {
			if problem.KindOf(err) != problem.NotFound || err.Error() != gone.Error() {
				t.Errorf("%s: %v", who, err)
			}
		}
	}
	tina := access.Actor{Tenant: "acme", User: "tina"}
	page, err := d.Evaluations(t.Context(), tina, eval.Filter{Limit: 3, After: "c"})
	if err != nil || len(page.Items) != 1 || page.Next != "next" || s.asked != (eval.Filter{Limit: 3, After: "c"}) {
		t.Errorf("%+v %+v %v", page, s.asked, err)
	}
	if _, err := d.Evaluation(t.Context(), tina, "eval_globex"); problem.KindOf(err) != problem.NotFound {
		t.Errorf("another tenant's result: %v", err)
	}
}

func TestWhatACaseWasAskedInTheNameOfAnotherIsNotTold(t *testing.T) {
	d, _ := evaluating()
	got, err := d.Evaluation(t.Context(), access.Actor{Tenant: "acme", User: "tina"}, "eval_acme")
	if err != nil || len(got.Cases) != 2 || got.Unfinished != 2 || got.Groups[0].Cases != 2 {
		t.Fatalf("%+v %v", got, err)
	}
	own, others := got.Cases[0], got.Cases[1]
	if own.Withheld || own.Question != "SECRET of tina" || own.Runs[0] != own.Findings[0].Run || own.Findings[0].Detail != "SECRET of tina" {
		t.Errorf("her own case: %+v", own)
	}
	if diff := cmp.Diff([]eval.Finding{{Group: eval.Citation, Code: "not_cited", Try: 1}}, others.Findings); diff != "" || !others.Withheld || others.ID != "case of bob" {
		t.Errorf("%+v: %s", others, diff)
	}
	if strings.Contains(cmp.Diff(EvaluatedCase{}, others), "SECRET") {
		t.Errorf("a case of Bob's tells %+v", others)
	}
}
