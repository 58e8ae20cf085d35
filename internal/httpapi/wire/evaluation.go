package wire

import (
	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/eval"
)

// Evaluation is a result in figures as the interface writes it.
func Evaluation(r eval.Result) api.Evaluation {
	out := api.Evaluation{
		ID: r.ID, Name: r.Name, Language: r.Language, File: r.File, FileHash: r.FileHash, Source: r.Source, Engine: r.Engine, Model: r.Model,
		Program: r.Version, K: r.K, Repeat: r.Repeat, StartedAt: r.StartedAt, EndedAt: r.EndedAt, Unfinished: r.Unfinished,
		Groups: Each(r.Groups, func(g eval.GroupResult) api.EvaluationGroup {
			return api.EvaluationGroup{Group: string(g.Group), Cases: g.Cases, Passed: g.Passed, Share: g.Share, Low: g.Low, High: g.High}
		}),
	}
	if m := r.Retrieval; m != nil {
		out.Retrieval = &api.EvaluationRanking{Cases: m.Cases, Hit: m.Hit, Recall: m.Recall, MRR: m.MRR, NDCG: m.NDCG, RightVersion: m.RightVersion, Forbidden: m.Forbidden}
	}
	if c := r.Citation; c != nil {
		out.Citation = &api.EvaluationSentences{
			Answers: c.Answers, Conclusions: c.Conclusions, Cited: c.Cited, Supported: c.Supported, Partly: c.Partly,
			NotFound: c.NotFound, Contradicted: c.Contradicted, OldVersions: c.OldVersions,
		}
	}
	return out
}

// EvaluationResult is a result with its cases as the interface writes it.
func EvaluationResult(e desk.Evaluation) api.EvaluationResult {
	return api.EvaluationResult{Evaluation: Evaluation(e.Result), Cases: Each(e.Cases, evaluatedCase)}
}

func evaluatedCase(c desk.EvaluatedCase) api.EvaluationCase {
	return api.EvaluationCase{
		ID: c.ID, Groups: Each(c.Groups, func(g eval.Group) string { return string(g) }), As: string(c.As), Question: c.Question,
		Passed: c.Passed, Tries: c.Tries, Passes: c.Passes, Runs: append([]string{}, c.Runs...), Withheld: c.Withheld, Millis: c.Millis,
		Findings: Each(c.Findings, func(f eval.Finding) api.EvaluationFinding {
			return api.EvaluationFinding{Group: string(f.Group), Code: f.Code, Detail: f.Detail, Try: f.Try, RunID: f.Run}
		}),
	}
}
