package eval

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/problem"
)

// Report is a result with what it was held against.
type Report struct {
	Result
	// Short names the groups that passed less than they had to, and an evaluation that was stopped.
	Short       []string     `json:"short"`
	Regressions []Regression `json:"regressions,omitempty"`
	Baseline    string       `json:"baseline,omitempty"` // id of the earlier result
}

// Passed reports whether everything is as it has to be.
func (r Report) Passed() bool { return len(r.Short) == 0 && len(r.Regressions) == 0 }

// slack is how much a mean of rankings may fall before it counts as a regression.
const slack = 0.02

// Regression is one way in which a result is worse than an earlier one. Case or Figure is set.
type Regression struct {
	Case   string  `json:"case,omitempty"`
	Group  Group   `json:"group,omitempty"`
	Figure string  `json:"figure,omitempty"`
	Before float64 `json:"before"`
	Now    float64 `json:"now"`
}

// Compare returns what is worse than in an earlier result: a case that passes less often in some
// group, a case that was not run, a mean of rankings that fell by more than two points. The means are
// over the cases that both results rank, since those of other cases say nothing of each other. Cases
// for which skipped is true were left out on purpose; skipped may be nil.
func Compare(earlier, now Result, skipped func(id string) bool) []Regression {
	var out []Regression
	current := map[string]CaseResult{}
	for _, c := range now.Cases {
		current[c.ID] = c
	}
	var before, after Result
	for _, old := range earlier.Cases {
		if skipped != nil && skipped(old.ID) {
			continue
		}
		c, ran := current[old.ID]
		if ran && old.Ranking != nil && c.Ranking != nil {
			before.Cases, after.Cases = append(before.Cases, old), append(after.Cases, c)
		}
		for _, g := range old.Groups {
			before, after := old.share(g), 0.0
			if ran && slices.Contains(c.Groups, g) {
				after = c.share(g)
			}
			if after < before {
				out = append(out, Regression{Case: old.ID, Group: g, Before: before, Now: after})
			}
		}
	}
	return append(out, fallen(before, after)...)
}

// fallen compares the means of two results over the same cases.
func fallen(before, after Result) (out []Regression) {
	before.sumRanking()
	after.sumRanking()
	if before.Retrieval == nil || after.Retrieval == nil {
		return nil
	}
	a, b := *before.Retrieval, *after.Retrieval
	for _, f := range []struct {
		name        string
		before, now float64
	}{{"hit", a.Hit, b.Hit}, {"recall", a.Recall, b.Recall}, {"mrr", a.MRR, b.MRR}, {"ndcg_10", a.NDCG, b.NDCG}} {
		if f.now < f.before-slack {
			out = append(out, Regression{Group: Retrieval, Figure: f.name, Before: f.before, Now: f.now})
		}
	}
	return out
}

// share is the part of the tries that did not fall short in a group. What was found of no single try,
// such as a ledger that does not hold, speaks against all of them.
func (c CaseResult) share(g Group) float64 {
	if c.Tries == 0 {
		return 0
	}
	bad := map[int]bool{}
	for _, f := range c.Findings {
		if f.Group != g {
			continue
		}
		if f.Try == 0 {
			return 0
		}
		bad[f.Try] = true
	}
	return 1 - float64(len(bad))/float64(c.Tries)
}

// Minimum is the share of a group's cases that has to pass.
type Minimum struct {
	Group Group
	Share float64
}

// ParseMinimum reads GROUP=SHARE, the share from 0 to 1 or in percent.
func ParseMinimum(s string) (Minimum, error) {
	name, value, ok := strings.Cut(s, "=")
	value, percent := strings.CutSuffix(value, "%")
	share, err := strconv.ParseFloat(value, 64)
	if percent {
		share /= 100
	}
	if !ok || err != nil || !(share >= 0 && share <= 1) || !slices.Contains(Groups(), Group(name)) {
		return Minimum{}, problem.New(problem.Invalid, "invalid_request",
			"%q is no minimum: write a group (retrieval, citation, tools, traceability), = and a share, such as retrieval=0.9.", s)
	}
	return Minimum{Group(name), share}, nil
}

// Short returns the groups that pass less than their minimum; a group without one has to pass
// whole. A minimum of a group without any case is short too, and so is a stopped evaluation.
func (r Result) Short(minima []Minimum) []string {
	var out []string
	need := map[Group]float64{}
	for _, m := range minima {
		need[m.Group] = m.Share
	}
	for _, g := range Groups() {
		i := slices.IndexFunc(r.Groups, func(x GroupResult) bool { return x.Group == g })
		least, asked := need[g]
		if !asked {
			least = 1
		}
		switch {
		case i < 0 && asked:
			out = append(out, fmt.Sprintf("%s: no case", g))
		case i >= 0 && r.Groups[i].Share < least:
			out = append(out, fmt.Sprintf("%s: %.4g < %.4g", g, r.Groups[i].Share, least))
		}
	}
	if r.Unfinished > 0 {
		out = append(out, fmt.Sprintf("cases not run: %d", r.Unfinished))
	}
	return out
}
