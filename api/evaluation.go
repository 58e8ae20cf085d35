package api

import (
	"context"
	"net/http"
	"time"
)

// Evaluation is a kept result of a question file in figures. Source is "data" for one that is kept.
type Evaluation struct {
	ID         string               `json:"id"`
	Name       string               `json:"name"`
	Language   string               `json:"language"`
	File       string               `json:"file"`
	FileHash   string               `json:"file_hash"`
	Source     string               `json:"source"`
	Engine     string               `json:"engine" enum:"rules,model"`
	Model      string               `json:"model"`
	Program    string               `json:"program" doc:"Version of the program."`
	K          int                  `json:"k"`
	Repeat     int                  `json:"repeat"`
	StartedAt  time.Time            `json:"started_at"`
	EndedAt    time.Time            `json:"ended_at"`
	Unfinished int                  `json:"unfinished" doc:"Cases that were not run because it was stopped."`
	Groups     []EvaluationGroup    `json:"groups"`
	Retrieval  *EvaluationRanking   `json:"retrieval"`
	Citation   *EvaluationSentences `json:"citation"`
}

// EvaluationGroup counts the cases of a group. Low and High are the 95 % score interval of Share.
type EvaluationGroup struct {
	Group  string  `json:"group" enum:"retrieval,citation,tools,traceability"`
	Cases  int     `json:"cases"`
	Passed int     `json:"passed"`
	Share  float64 `json:"share"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// EvaluationRanking is the mean of the rankings of the cases that name documents.
type EvaluationRanking struct {
	Cases        int     `json:"cases"`
	Hit          float64 `json:"hit"`
	Recall       float64 `json:"recall"`
	MRR          float64 `json:"mrr"`
	NDCG         float64 `json:"ndcg_10"`
	RightVersion float64 `json:"right_version"`
	Forbidden    int     `json:"forbidden"`
}

// EvaluationSentences sums up the sentences of all answers, as shares of those that claim something.
type EvaluationSentences struct {
	Answers      int     `json:"answers"`
	Conclusions  int     `json:"conclusions"`
	Cited        float64 `json:"conclusions_cited"`
	Supported    float64 `json:"supported"`
	Partly       float64 `json:"partly"`
	NotFound     float64 `json:"not_found"`
	Contradicted float64 `json:"contradicted"`
	OldVersions  int     `json:"old_versions"`
}

// EvaluationResult is a result with its cases.
type EvaluationResult struct {
	Evaluation
	Cases []EvaluationCase `json:"cases"`
}

// EvaluationCase is what came of a case. Withheld says that it was asked in the name of another
// person, or speaks of a document that the reader may not see now: its question, runs, and the details
// of its findings are then left out, and whether a document that was not found was there is not told.
type EvaluationCase struct {
	ID       string              `json:"id"`
	Groups   []string            `json:"groups"`
	As       string              `json:"as"`
	Question string              `json:"question"`
	Passed   bool                `json:"passed"`
	Tries    int                 `json:"tries"`
	Passes   int                 `json:"passes" doc:"Tries without a finding."`
	Findings []EvaluationFinding `json:"findings"`
	Runs     []string            `json:"runs"`
	Withheld bool                `json:"withheld"`
	Millis   int64               `json:"ms"`
}

// EvaluationFinding is one way in which a case fell short.
type EvaluationFinding struct {
	Group  string `json:"group" enum:"retrieval,citation,tools,traceability"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Try    int    `json:"try"`
	RunID  string `json:"run_id"`
}

// Evaluations returns a page of the tenant's kept results, newest first. It needs tenant_admin.
func (c *Client) Evaluations(ctx context.Context, p Page) (out List[Evaluation], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("evaluations"), query: p.values()}, &out)
}

// Evaluation returns a kept result with its cases. It needs tenant_admin.
func (c *Client) Evaluation(ctx context.Context, id string) (out EvaluationResult, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("evaluations", id)}, &out)
}
