package eval_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/problem"
)

// TestRankingsHaveTheFiguresOfTheTextbooks was computed by hand.
func TestRankingsHaveTheFiguresOfTheTextbooks(t *testing.T) {
	log3, log4 := math.Log2(3), math.Log2(4)
	for name, c := range map[string]struct {
		relevant []bool
		total, k int
		want     eval.Ranking
	}{
		"first":              {[]bool{true, false}, 1, 5, eval.Ranking{First: 1, Hit: true, Recall: 1, RR: 1, NDCG: 1}},
		"second":             {[]bool{false, true}, 1, 5, eval.Ranking{First: 2, Hit: true, Recall: 1, RR: 0.5, NDCG: 1 / log3}},
		"nothing":            {nil, 2, 5, eval.Ranking{}},
		"none of them":       {[]bool{false, false}, 1, 5, eval.Ranking{}},
		"behind the cut":     {[]bool{false, false, true}, 1, 2, eval.Ranking{First: 3, RR: 1.0 / 3, NDCG: 1 / log4}},
		"one of two":         {[]bool{true, false, false}, 2, 5, eval.Ranking{First: 1, Hit: true, Recall: 0.5, RR: 1, NDCG: 1 / (1 + 1/log3)}},
		"both, one late":     {[]bool{true, false, true}, 2, 5, eval.Ranking{First: 1, Hit: true, Recall: 1, RR: 1, NDCG: (1 + 1/log4) / (1 + 1/log3)}},
		"nothing is sought":  {[]bool{false}, 0, 5, eval.Ranking{}},
		"beyond the tenth":   {append(make([]bool, 10), true), 1, 20, eval.Ranking{First: 11, Hit: true, Recall: 1, RR: 1.0 / 11}},
		"more than ten good": {[]bool{true, true, true, true, true, true, true, true, true, true, true, true}, 12, 12, eval.Ranking{First: 1, Hit: true, Recall: 1, RR: 1, NDCG: 1}},
	} {
		got := eval.Rank(c.relevant, c.total, c.k)
		if d := cmp.Diff(c.want, got, cmpopts.EquateApprox(0, 1e-12)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestRankingsStayInTheirBoundsAndGetNoWorseByMovingUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		relevant := rapid.SliceOfN(rapid.Bool(), 0, 30).Draw(t, "relevant")
		good := 0
		for _, yes := range relevant {
			if yes {
				good++
			}
		}
		total := good + rapid.IntRange(0, 3).Draw(t, "missing")
		k := rapid.IntRange(1, 30).Draw(t, "k")
		r := eval.Rank(relevant, total, k)
		for name, v := range map[string]float64{"recall": r.Recall, "rr": r.RR, "ndcg": r.NDCG} {
			if v < 0 || v > 1+1e-12 || math.IsNaN(v) {
				t.Fatalf("%s is %v", name, v)
			}
		}
		for i := 1; i < len(relevant); i++ {
			if !relevant[i] || relevant[i-1] {
				continue
			}
			better := append([]bool{}, relevant...)
			better[i-1], better[i] = true, false
			b := eval.Rank(better, total, k)
			if b.RR < r.RR || b.NDCG < r.NDCG-1e-12 || b.Recall < r.Recall {
				t.Fatalf("moving %d up makes %+v of %+v", i, b, r)
			}
		}
	})
}

// TestTheIntervalIsThatOfWilson compares with figures of the published formula.
func TestTheIntervalIsThatOfWilson(t *testing.T) {
	for _, c := range []struct {
		passed, n int
		low, high float64
	}{
		{0, 0, 0, 1}, {0, 10, 0, 0.2775}, {10, 10, 0.7225, 1}, {5, 10, 0.2366, 0.7634}, {8, 10, 0.4902, 0.9433}, {95, 100, 0.8882, 0.9785}, {1, 1, 0.2065, 1},
	} {
		low, high := eval.Wilson(c.passed, c.n)
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.passed, c.n, low, high, c.low, c.high)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5000).Draw(t, "n")
		passed := rapid.IntRange(0, n).Draw(t, "passed")
		low, high := eval.Wilson(passed, n)
		share := float64(passed) / float64(n)
		if low < 0 || high > 1 || low > share || high < share {
			t.Fatalf("%d of %d: %v to %v", passed, n, low, high)
		}
		wider, _ := eval.Wilson(passed*2, n*2)
		if wider < low-1e-12 {
			t.Fatalf("twice as many cases make the interval of %d/%d wider", passed, n)
		}
	})
}

// outcome makes a case of a result.
func outcome(id string, groups []eval.Group, tries int, bad ...eval.Finding) eval.CaseResult {
	return eval.CaseResult{ID: id, Groups: groups, Tenant: "acme", Tries: tries, Passed: len(bad) == 0, Findings: bad}
}

func finding(g eval.Group, try int) eval.Finding { return eval.Finding{Group: g, Code: "c", Try: try} }

func summed(cases ...eval.CaseResult) eval.Result {
	r := eval.Result{Format: 1, ID: "eval_x", Cases: cases, StartedAt: time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)}
	r.Sum()
	return r
}

func TestACaseCountsInEachOfItsGroupsByWhatWasFoundThere(t *testing.T) {
	both := []eval.Group{eval.Retrieval, eval.Citation}
	r := summed(outcome("a", both, 1), outcome("b", both, 1, finding(eval.Citation, 1)), outcome("c", []eval.Group{eval.Tools}, 2, finding(eval.Tools, 2)))
	got := map[eval.Group]string{}
	for _, g := range r.Groups {
		got[g.Group] = fmt.Sprintf("%d/%d %.2f", g.Passed, g.Cases, g.Share)
	}
	want := map[eval.Group]string{eval.Retrieval: "2/2 1.00", eval.Citation: "1/2 0.50", eval.Tools: "0/1 0.00"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if r.Failures() != 2 {
		t.Errorf("%d failures", r.Failures())
	}
}

func TestMeansAreOverTheCasesThatHaveTheFigure(t *testing.T) {
	yes, no := true, false
	a, b, c := outcome("a", []eval.Group{eval.Retrieval}, 1), outcome("b", []eval.Group{eval.Retrieval, eval.Citation}, 1), outcome("c", []eval.Group{eval.Retrieval}, 1)
	a.Ranking, a.Version = &eval.Ranking{First: 1, Hit: true, Recall: 1, RR: 1, NDCG: 1}, &yes
	b.Ranking, b.Version, b.Leaks = &eval.Ranking{First: 2, Hit: true, Recall: 0.5, RR: 0.5, NDCG: 0.6}, &no, 2
	b.Checks = &eval.CheckCount{Answers: 1, Sentences: 4, Cited: 3, Supported: 2, Partly: 1, NotFound: 1, Old: 1}
	r := summed(a, b, c)
	want := &eval.RankingMean{Cases: 2, Hit: 1, Recall: 0.75, MRR: 0.75, NDCG: 0.8, RightVersion: 0.5, Forbidden: 2}
	if d := cmp.Diff(want, r.Retrieval, cmpopts.EquateApprox(0, 1e-12)); d != "" {
		t.Error(d)
	}
	cited := &eval.CitationShare{Answers: 1, Conclusions: 4, Cited: 0.75, Supported: 0.5, Partly: 0.25, NotFound: 0.25, OldVersions: 1}
	if d := cmp.Diff(cited, r.Citation); d != "" {
		t.Error(d)
	}
	if r := summed(outcome("t", []eval.Group{eval.Tools}, 1)); r.Retrieval != nil || r.Citation != nil {
		t.Error("tools alone have figures of retrieval or citation")
	}
}

func TestTheResultOfATenantHoldsNothingOfAnother(t *testing.T) {
	other := outcome("erin", []eval.Group{eval.Citation}, 1, finding(eval.Citation, 1))
	other.Tenant = "globex"
	r := summed(outcome("alice", []eval.Group{eval.Citation}, 1), other)
	r.Unfinished, r.NotRun = 3, map[access.TenantID]int{"acme": 1, "initech": 2}
	if d := cmp.Diff([]access.TenantID{"acme", "globex"}, r.Tenants()); d != "" {
		t.Error(d)
	}
	for tenant, want := range map[access.TenantID]string{"acme": "alice 1/1, 1 not run", "globex": "erin 0/1, 0 not run"} {
		part := r.Of(tenant)
		got := fmt.Sprintf("%s %d/%d, %d not run", part.Cases[0].ID, part.Groups[0].Passed, part.Groups[0].Cases, part.Unfinished)
		if len(part.Cases) != 1 || len(part.NotRun) > 0 || got != want || part.Tenant != tenant {
			t.Errorf("%s: %d cases, %s", tenant, len(part.Cases), got)
		}
	}
	if len(r.Cases) != 2 || r.Groups[0].Cases != 2 || r.Unfinished != 3 {
		t.Error("taking a part changed the whole")
	}
}

func TestWhatIsWorseThanBeforeIsARegression(t *testing.T) {
	g := []eval.Group{eval.Retrieval, eval.Citation}
	ranked := func(c eval.CaseResult, rr float64) eval.CaseResult {
		c.Ranking = &eval.Ranking{First: 1, Hit: true, Recall: 1, RR: rr, NDCG: 1}
		return c
	}
	before := summed(ranked(outcome("a", g, 1), 1), outcome("b", g, 1, finding(eval.Citation, 1)), outcome("c", g, 4, finding(eval.Citation, 1)))
	for name, c := range map[string]struct {
		now  eval.Result
		want []eval.Regression
	}{
		"the same": {before, nil},
		"better":   {summed(ranked(outcome("a", g, 1), 1), outcome("b", g, 1), outcome("c", g, 4), outcome("new", g, 1, finding(eval.Citation, 1))), nil},
		"a case falls short": {
			summed(ranked(outcome("a", g, 1, finding(eval.Citation, 1)), 1), before.Cases[1], before.Cases[2]),
			[]eval.Regression{{Case: "a", Group: eval.Citation, Before: 1, Now: 0}},
		},
		"a case is less steady": {
			summed(before.Cases[0], before.Cases[1], outcome("c", g, 4, finding(eval.Citation, 1), finding(eval.Citation, 1), finding(eval.Citation, 3))),
			[]eval.Regression{{Case: "c", Group: eval.Citation, Before: 0.75, Now: 0.5}},
		},
		"a case is gone": {
			summed(before.Cases[0], before.Cases[1]),
			[]eval.Regression{{Case: "c", Group: eval.Retrieval, Before: 1, Now: 0}, {Case: "c", Group: eval.Citation, Before: 0.75, Now: 0}},
		},
		"a case left a group": {
			summed(ranked(outcome("a", []eval.Group{eval.Retrieval}, 1), 1), before.Cases[1], before.Cases[2]),
			[]eval.Regression{{Case: "a", Group: eval.Citation, Before: 1, Now: 0}},
		},
		"a figure fell": {
			summed(ranked(outcome("a", g, 1), 0.9), before.Cases[1], before.Cases[2]),
			[]eval.Regression{{Group: eval.Retrieval, Figure: "mrr", Before: 1, Now: 0.9}},
		},
		"the ledger does not hold": {
			summed(ranked(outcome("a", g, 1, finding(eval.Citation, 0)), 1), before.Cases[1], outcome("c", g, 4, finding(eval.Citation, 1), finding(eval.Citation, 0))),
			[]eval.Regression{{Case: "a", Group: eval.Citation, Before: 1, Now: 0}, {Case: "c", Group: eval.Citation, Before: 0.75, Now: 0}},
		},
		"a figure fell a little": {summed(ranked(outcome("a", g, 1), 0.985), before.Cases[1], before.Cases[2]), nil},
	} {
		if d := cmp.Diff(c.want, eval.Compare(before, c.now, nil)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	harder := summed(before.Cases[0], before.Cases[1], before.Cases[2], ranked(outcome("new", g, 1), 0.1))
	if got := eval.Compare(before, harder, nil); len(got) != 0 {
		t.Errorf("a case that is new counts as worse: %v", got)
	}
	easier := summed(ranked(outcome("a", g, 1), 0.9), before.Cases[1], before.Cases[2], ranked(outcome("new", g, 1), 1))
	easier.Cases = append(easier.Cases, easier.Cases[3], easier.Cases[3], easier.Cases[3])
	easier.Sum()
	if d := cmp.Diff([]eval.Regression{{Group: eval.Retrieval, Figure: "mrr", Before: 1, Now: 0.9}}, eval.Compare(before, easier, nil)); d != "" {
		t.Errorf("cases that are new hide what fell: %s", d)
	}
	if got := eval.Compare(before, summed(ranked(outcome("a", g, 1), 0.9)), func(id string) bool { return id != "a" }); len(got) != 1 || got[0].Figure != "mrr" {
		t.Errorf("of the cases that were run, what fell is not told: %v", got)
	}
	alone := summed(outcome("b", g, 1, finding(eval.Citation, 1)))
	if got := eval.Compare(before, alone, func(id string) bool { return id != "b" }); len(got) != 0 {
		t.Errorf("cases that were left out on purpose count: %v", got)
	}
}

func TestMinimaAreReadAndNothingElseIs(t *testing.T) {
	for text, want := range map[string]eval.Minimum{
		"retrieval=0.9": {Group: eval.Retrieval, Share: 0.9}, "tools=100%": {Group: eval.Tools, Share: 1}, "citation=0": {Group: eval.Citation},
		"traceability=87.5%": {Group: eval.Traceability, Share: 0.875},
	} {
		if got, err := eval.ParseMinimum(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "retrieval", "retrieval=", "retrieval=1.1", "retrieval=-1", "quality=0.5", "=0.5", "retrieval=NaN", "retrieval=150%", "retrieval=x"} {
		if _, err := eval.ParseMinimum(text); problem.CodeOf(err) != "invalid_request" || !strings.Contains(err.Error(), "retrieval=0.9") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAGroupHasToPassWholeUnlessItsMinimumSaysOtherwise(t *testing.T) {
	g := []eval.Group{eval.Retrieval}
	r := summed(outcome("a", g, 1), outcome("b", g, 1), outcome("c", g, 1, finding(eval.Retrieval, 1)), outcome("d", []eval.Group{eval.Tools}, 1))
	for name, c := range map[string]struct {
		minima []eval.Minimum
		short  int
	}{
		"no minimum":          {nil, 1},
		"below":               {[]eval.Minimum{{Group: eval.Retrieval, Share: 0.6}}, 0},
		"above":               {[]eval.Minimum{{Group: eval.Retrieval, Share: 0.7}}, 1},
		"of another group":    {[]eval.Minimum{{Group: eval.Tools, Share: 0.5}}, 1},
		"of a group of none":  {[]eval.Minimum{{Group: eval.Retrieval, Share: 0.5}, {Group: eval.Citation, Share: 0.5}}, 1},
		"exactly what passed": {[]eval.Minimum{{Group: eval.Retrieval, Share: 2.0 / 3}}, 0},
	} {
		if got := r.Short(c.minima); len(got) != c.short {
			t.Errorf("%s: %v", name, got)
		}
	}
	r.Unfinished = 2
	if got := r.Short([]eval.Minimum{{Group: eval.Retrieval, Share: 0.5}}); len(got) != 1 || !strings.Contains(got[0], "not run: 2") {
		t.Errorf("%v", got)
	}
	if (eval.Report{Result: r, Short: []string{"x"}}).Passed() || (eval.Report{Regressions: []eval.Regression{{}}}).Passed() || !(eval.Report{}).Passed() {
		t.Error("a report passes exactly if nothing is short and nothing worse")
	}
}
