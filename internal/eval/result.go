package eval

import (
	"context"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
)

// Result is what came of an evaluation. It is kept as it is: Format rises when its form changes.
type Result struct {
	Format    int             `json:"format"` // 1
	ID        string          `json:"id"`
	Tenant    access.TenantID `json:"tenant_id,omitempty"` // of a stored result
	Name      string          `json:"name"`
	Language  string          `json:"language"`
	File      string          `json:"file"`      // name of the question file
	FileHash  string          `json:"file_hash"` // SHA-256, hex
	Source    string          `json:"source"`    // "data", "in" or "demo"
	Engine    string          `json:"engine"`    // "rules" or "model"
	Model     string          `json:"model,omitempty"`
	Version   string          `json:"version"` // of the program
	K         int             `json:"k"`
	Repeat    int             `json:"repeat"`
	StartedAt time.Time       `json:"started_at"`
	EndedAt   time.Time       `json:"ended_at"`
	// Unfinished counts the cases that were not run because the evaluation was stopped.
	Unfinished int `json:"unfinished"`
	// NotRun counts the same by tenant, while the parts of the tenants are not taken apart.
	NotRun    map[access.TenantID]int `json:"-"`
	Groups    []GroupResult           `json:"groups"`
	Retrieval *RankingMean            `json:"retrieval,omitempty"`
	Citation  *CitationShare          `json:"citation,omitempty"`
	Cases     []CaseResult            `json:"cases"`
}

// GroupResult counts the cases of a group. Low and High are the 95 % score interval of Share.
type GroupResult struct {
	Group  Group   `json:"group"`
	Cases  int     `json:"cases"`
	Passed int     `json:"passed"`
	Share  float64 `json:"share"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// RankingMean is the mean of the rankings of the cases that name documents.
type RankingMean struct {
	Cases        int     `json:"cases"`
	Hit          float64 `json:"hit"`
	Recall       float64 `json:"recall"`
	MRR          float64 `json:"mrr"`
	NDCG         float64 `json:"ndcg_10"`
	RightVersion float64 `json:"right_version"` // share of the cases whose document came in the right version
	Forbidden    int     `json:"forbidden"`     // things that must not have been found and were, over all cases
}

// CitationShare sums up the sentences of all answers.
type CitationShare struct {
	Answers      int     `json:"answers"`
	Conclusions  int     `json:"conclusions"`       // sentences that claim something
	Cited        float64 `json:"conclusions_cited"` // share of them that cites
	Supported    float64 `json:"supported"`
	Partly       float64 `json:"partly"`
	NotFound     float64 `json:"not_found"`
	Contradicted float64 `json:"contradicted"`
	OldVersions  int     `json:"old_versions"` // citations of a version that was not in force
}

// CaseResult is what came of one case over all its repetitions.
type CaseResult struct {
	ID       string          `json:"id"`
	Groups   []Group         `json:"groups"`
	Tenant   access.TenantID `json:"tenant_id"`
	As       access.UserID   `json:"as"`
	Question string          `json:"question,omitempty"`
	Passed   bool            `json:"passed"`
	Tries    int             `json:"tries"`
	Passes   int             `json:"passes"` // tries without a finding
	Findings []Finding       `json:"findings"`
	// Documents are those that the case names and that its findings speak of. Nil, as in a result of
	// before they were noted, says that they are not known.
	Documents []Target    `json:"documents,omitzero"`
	Runs      []string    `json:"runs"` // ids of the runs, in the order of the tries
	Ranking   *Ranking    `json:"ranking,omitempty"`
	Version   *bool       `json:"right_version,omitempty"`
	Leaks     int         `json:"forbidden,omitempty"`
	Checks    *CheckCount `json:"checks,omitempty"`
	Millis    int64       `json:"ms"`
}

// CheckCount counts the sentences of the answers of a case by what the check found.
type CheckCount struct {
	Answers      int `json:"answers"`
	Sentences    int `json:"sentences"`
	Cited        int `json:"cited"`
	Supported    int `json:"supported"`
	Partly       int `json:"partly"`
	NotFound     int `json:"not_found"`
	Contradicted int `json:"contradicted"`
	Old          int `json:"old_versions"`
}

// Finding is one way in which a case fell short, in one group. Code is a stable word; Detail says
// it in words of the question file, ids and figures.
type Finding struct {
	Group  Group  `json:"group"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Try    int    `json:"try,omitempty"`
	Run    string `json:"run_id,omitempty"`
}

// PassedIn reports whether no try of the case fell short in a group.
func (c CaseResult) PassedIn(g Group) bool {
	return !slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Group == g })
}

// Failures counts the cases that fell short in any of their groups.
func (r Result) Failures() (n int) {
	for _, c := range r.Cases {
		if !c.Passed {
			n++
		}
	}
	return n
}

// Of returns the part of a whole result that is about one tenant, with figures of that part alone.
func (r Result) Of(tenant access.TenantID) Result {
	r.Tenant, r.Unfinished, r.NotRun = tenant, r.NotRun[tenant], nil
	r.Cases = slices.DeleteFunc(slices.Clone(r.Cases), func(c CaseResult) bool { return c.Tenant != tenant })
	r.Sum()
	return r
}

// Tenants returns the tenants that the cases are about, in order.
func (r Result) Tenants() (out []access.TenantID) {
	for _, c := range r.Cases {
		if !slices.Contains(out, c.Tenant) {
			out = append(out, c.Tenant)
		}
	}
	slices.Sort(out)
	return out
}

// Sum computes the figures of groups from the cases.
func (r *Result) Sum() {
	r.Groups, r.Retrieval, r.Citation = nil, nil, nil
	for _, g := range Groups() {
		var sum GroupResult
		for _, c := range r.Cases {
			if !slices.Contains(c.Groups, g) {
				continue
			}
			sum.Cases++
			if c.PassedIn(g) {
				sum.Passed++
			}
		}
		if sum.Cases == 0 {
			continue
		}
		sum.Group, sum.Share = g, float64(sum.Passed)/float64(sum.Cases)
		sum.Low, sum.High = Wilson(sum.Passed, sum.Cases)
		r.Groups = append(r.Groups, sum)
	}
	r.sumRanking()
	r.sumCitation()
}

func (r *Result) sumRanking() {
	var m RankingMean
	versions, right := 0, 0
	ranked := false
	for _, c := range r.Cases {
		ranked = ranked || slices.Contains(c.Groups, Retrieval)
		m.Forbidden += c.Leaks
		if c.Version != nil {
			versions++
			if *c.Version {
				right++
			}
		}
		if c.Ranking == nil {
			continue
		}
		m.Cases++
		if c.Ranking.Hit {
			m.Hit++
		}
		m.Recall, m.MRR, m.NDCG = m.Recall+c.Ranking.Recall, m.MRR+c.Ranking.RR, m.NDCG+c.Ranking.NDCG
	}
	if !ranked {
		return
	}
	if n := float64(m.Cases); n > 0 {
		m.Hit, m.Recall, m.MRR, m.NDCG = m.Hit/n, m.Recall/n, m.MRR/n, m.NDCG/n
	}
	m.RightVersion = 1
	if versions > 0 {
		m.RightVersion = float64(right) / float64(versions)
	}
	r.Retrieval = &m
}

func (r *Result) sumCitation() {
	var all CheckCount
	for _, c := range r.Cases {
		if k := c.Checks; k != nil {
			all.Add(*k)
		}
	}
	if all.Answers == 0 {
		return
	}
	out := CitationShare{Answers: all.Answers, Conclusions: all.Sentences, OldVersions: all.Old, Cited: 1}
	if n := float64(all.Sentences); n > 0 {
		out.Cited, out.Supported, out.Partly = float64(all.Cited)/n, float64(all.Supported)/n, float64(all.Partly)/n
		out.NotFound, out.Contradicted = float64(all.NotFound)/n, float64(all.Contradicted)/n
	}
	r.Citation = &out
}

// Add adds the counts of another answer.
func (k *CheckCount) Add(o CheckCount) {
	k.Answers, k.Sentences, k.Cited, k.Old = k.Answers+o.Answers, k.Sentences+o.Sentences, k.Cited+o.Cited, k.Old+o.Old
	k.Supported, k.Partly, k.NotFound, k.Contradicted = k.Supported+o.Supported, k.Partly+o.Partly, k.NotFound+o.NotFound, k.Contradicted+o.Contradicted
}

// Filter selects results of a list. Limit 0 means a page of the store's choice.
type Filter struct {
	Limit int
	After string
}

// Results is the seam to stored results. Each belongs to one tenant and is never changed.
type Results interface {
	// Keep stores a result in a tenant, with a ledger entry that holds its id, the hash of its
	// question file and its counts, under the name of whoever ran the evaluation. That name is not
	// looked up: access.Operator is no user of any tenant. A tenant that is not there is
	// problem.NotFound, and an id that is taken problem.Conflict "exists".
	Keep(ctx context.Context, tenant access.TenantID, by access.UserID, r Result) error
	// Result returns one; problem.NotFound for one of another tenant as for one that is not there.
	Result(ctx context.Context, tenant access.TenantID, id string) (Result, error)
	// Results lists those of a tenant, newest first, without their cases, and the cursor of the
	// next page.
	Results(ctx context.Context, tenant access.TenantID, f Filter) ([]Result, string, error)
}
