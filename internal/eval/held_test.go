package eval_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/problem"
)

// TestWhatNobodyWouldLookAtIsRefused names of each case the keys that would pass unseen.
func TestWhatNobodyWouldLookAtIsRefused(t *testing.T) {
	for text, want := range map[string][]string{
		"question: q, groups: retrieval, doc_keys: k, contains: x":                       {"contains"},
		"question: q, groups: retrieval, doc_keys: k, lacks: x, answer: x, support: 0.5": {"lacks", "answer", "support"},
		"question: q, groups: retrieval, doc_keys: k, citations: [{line: 1}]":            {"citations"},
		"question: q, groups: [retrieval, traceability], doc_keys: k, expect: failed":    {"expect"},
		"question: q, groups: traceability, state: failed, finish_reason: x":             {"state", "finish_reason"},
		"question: q, groups: citation, codes: x, no_hits: false":                        {"codes", "no_hits"},
		"question: q, groups: citation, doc_keys: k, rank: 1, recall: 1":                 {"rank", "recall"},
		"question: q, groups: traceability, versions: k@1":                               {"versions"},
		"question: q, groups: tools, expect: failed, documents: d":                       {"documents"},
		"question: q, recall: 1": {"recall"},
		"question: q, groups: citation, expect: insufficient, doc_keys: k":            {"doc_keys"},
		"question: q, groups: citation, state: refused, citations: [{line: 1}]":       {"citations"},
		"question: q, groups: citation, state: cancelled, support: 1":                 {"support"},
		"question: q, groups: citation, route: direct, doc_keys: k, support: 1":       {"doc_keys", "support"},
		"question: q, calls: [{tool: t}], contains: x, lacks: x, answer: x":           {"contains", "lacks", "answer"},
		"question: q, calls: [{tool: t}], doc_keys: k, citations: [{line: 1}]":        {"doc_keys", "citations"},
		"question: q, calls: [{tool: t}], codes: x, support: 0":                       {"codes", "support"},
		"question: q, calls: [{tool: t, code: x}], groups: traceability":              {"groups"},
		"propose: {document: d}, contains: x, versions: k@1":                          {"contains", "versions"},
		"propose: {document: d, code: not_found}, forbid: {strings: x}":               {"forbid"},
		"propose: {document: d, code: not_found}, question: q, state: completed":      {"question", "state"},
		"propose: {document: d, code: not_found, others: [a]}":                        {"propose.code"},
		"propose: {document: d, code: not_found, decide: approve}":                    {"propose.code"},
		"question: q, update: {publish: d, by: c, before: {rank: 1, doc_keys: k}}":    {"update.before.rank"},
		"question: q, update: {publish: d, by: c, before: {no_hits: true, codes: x}}": {"update.before.no_hits", "update.before.codes"},
		"question: q, groups: traceability, update: {publish: d, by: c, before: {contains: x, doc_keys: k, expect: failed}}": {
			"update.before.contains", "update.before.doc_keys", "update.before.expect",
		},
		"question: q, update: {publish: d, by: c, before: {expect: failed, doc_keys: k, contains: x}}": {"update.before.doc_keys"},
	} {
		_, err := eval.Read("f.yaml", []byte("cases: [{id: a, "+text+"}]"))
		var refusal *problem.Error
		if !errors.As(err, &refusal) || refusal.Code != "invalid_questions" {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for line := range strings.Lines(refusal.Detail) {
			got = append(got, strings.Split(line, ": ")[1])
		}
		slices.Sort(got)
		slices.Sort(want)
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v\n%v", text, got, want, err)
		}
	}
}

// TestWhatIsLookedAtIsTaken keeps the refusals from going too far.
func TestWhatIsLookedAtIsTaken(t *testing.T) {
	for i, text := range []string{
		"question: q, doc_keys: k, rank: 1, recall: 0, codes: x, contains: x, lacks: x, answer: x, citations: [{line: 1}], support: 0",
		"question: q, groups: retrieval, no_hits: true",
		"question: q, groups: [retrieval, citation], expect: insufficient, doc_keys: k, contains: x",
		"question: q, groups: citation, state: completed, doc_keys: k, citations: [{line: 1}], support: 1",
		"question: q, groups: tools, state: refused, finish_reason: x, forbid: {strings: x}",
		"question: q, groups: traceability, forbid: {strings: x}",
		"question: q, calls: [{tool: t}], expect: failed, finish_reason: x, forbid: {strings: x}",
		"propose: {document: d, others: [a], decide: approve}, question: q, expect: answered, state: completed, forbid: {strings: x}",
		"question: q, groups: [citation, traceability], update: {publish: d, by: c, before: {doc_keys: k, state: completed, contains: x, support: 1}}",
	} {
		file := fmt.Sprintf("defaults: {support: 0.5}\ncases: [{id: a%d, %s}]", i, text)
		if _, err := eval.Read("f.yaml", []byte(file)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
