package eval_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/problem"
)

const whole = `# A comment.
format: 1
name: 手册
language: zh
k: 5
defaults: {as: alice, tenant: acme, groups: [retrieval, citation], support: 0.8}
cases:
  - id: all
    language: en
    groups: [retrieval, citation]
    as: bob
    tenant: globex
    question: |
      How long
      is it?
    knowledge_bases: [kb-1, kb-2]
    doc_key: travel
    route: fixed_rag
    expect: answered
    state: completed
    finish_reason: success
    documents: doc-1
    doc_keys: [a, "7"]
    versions: [travel@2, a@b@3]
    rank: 2
    recall: 0.5
    codes: [ERR-1042]
    contains: [650, 0.50, yes]
    lacks: "500"
    answer: [x]
    support: 1
    citations:
      - {document: d, doc_key: k, version: 3, heading: h, line: 9, quote: "650"}
    forbid: {documents: d9, doc_keys: k9, versions: k9@1, strings: [CANARY, 秘密]}
  - id: calls
    groups: [tools]
    question: q
    calls:
      - {tool: search_knowledge, arguments: {query: "5", page: 1, on: true, none: , list: [1.5, "a"]}, stripped: 2}
      - {tool: read, arguments: '{"broken"', code: invalid_json}
      - {tool: bare}
    reply: done
    expect: failed
  - id: propose
    groups: [tools]
    propose: {document: d3, others: [x, y], decide: approve}
    state: completed
  - {id: refused, groups: [tools], propose: {document: d3, code: not_found}}
  - id: update
    question: q
    doc_keys: k
    update: {text: new, file: k.md, doc_key: k, knowledge_base: kb, by: carol, before: {contains: [old], versions: k@1}}
`

func TestAWholeFileIsReadAsItIsWritten(t *testing.T) {
	got, err := eval.Read("dir/手册.yaml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	key := func(k corpus.Key) eval.Target { return eval.Target{Key: k} }
	want := eval.Suite{Name: "手册", Language: "zh", K: 5, Cases: []eval.Case{
		{
			ID: "all", Line: 8, Groups: []eval.Group{eval.Retrieval, eval.Citation}, Language: "en", Tenant: "globex", As: "bob", Question: "How long\nis it?\n",
			Bases: []access.KnowledgeBaseID{"kb-1", "kb-2"}, DocKey: "travel", Route: "fixed_rag",
			Wants: eval.Wants{
				Outcome: eval.Answered, State: "completed", FinishReason: "success",
				Targets: []eval.Target{{Document: "doc-1"}, key("a"), key("7"), {Key: "travel", Version: 2}, {Key: "a@b", Version: 3}},
				Rank:    2, Recall: 0.5, Codes: []string{"ERR-1042"}, Contains: []string{"650", "0.50", "yes"}, Lacks: []string{"500"}, Answer: []string{"x"},
				Support: new(1.0), Citations: []eval.Place{{Target: eval.Target{Document: "d", Key: "k", Version: 3}, Heading: "h", Line: 9, Quote: "650"}},
			},
			Forbid: eval.Forbidden{Targets: []eval.Target{{Document: "d9"}, key("k9"), {Key: "k9", Version: 1}}, Strings: []string{"CANARY", "秘密"}},
		},
		{
			ID: "calls", Line: 35, Groups: []eval.Group{eval.Tools}, Language: "en", Tenant: "acme", As: "alice", Question: "q", Reply: "done",
			Wants: eval.Wants{Outcome: eval.Failed, Support: new(0.8)},
			Calls: []eval.Call{
				{Tool: "search_knowledge", Arguments: `{"query":"5","page":1,"on":true,"none":null,"list":[1.5,"a"]}`, Code: "ok", Stripped: 2},
				{Tool: "read", Arguments: `{"broken"`, Code: "invalid_json"},
				{Tool: "bare", Arguments: "{}", Code: "ok"},
			},
		},
		{
			ID: "propose", Line: 44, Groups: []eval.Group{eval.Tools}, Language: "en", Tenant: "acme", As: "alice",
			Wants:   eval.Wants{State: "completed", Support: new(0.8)},
			Propose: &eval.Proposal{Document: "d3", Others: []access.UserID{"x", "y"}, Decide: eval.Approve},
		},
		{
			ID: "refused", Line: 48, Groups: []eval.Group{eval.Tools}, Language: "en", Tenant: "acme", As: "alice",
			Wants: eval.Wants{Support: new(0.8)}, Propose: &eval.Proposal{Document: "d3", Code: "not_found", Decide: eval.Decline},
		},
		{
			ID: "update", Line: 49, Groups: []eval.Group{eval.Retrieval, eval.Citation}, Language: "en", Tenant: "acme", As: "alice", Question: "q",
			Wants: eval.Wants{Outcome: eval.Answered, Targets: []eval.Target{key("k")}, Support: new(0.8)},
			Update: &eval.Update{
				Text: "new", File: "k.md", Key: "k", Base: "kb", By: "carol",
				Before: eval.Wants{Outcome: eval.Answered, Contains: []string{"old"}, Targets: []eval.Target{{Key: "k", Version: 1}}},
			},
		},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestLinesOfJSONSayTheSameAsYAML writes the same cases in the other notation.
func TestLinesOfJSONSayTheSameAsYAML(t *testing.T) {
	yaml := "name: n\ndefaults: {as: alice}\ncases:\n- {id: a, question: 上海, doc_keys: [k], contains: [650], recall: 0.5}\n" +
		"- {id: b, question: q, expect: refused, calls: [{tool: t, arguments: {n: 1, s: \"1\"}}]}\n"
	lines := "\xef\xbb\xbf" + `{"name": "n", "defaults": {"as": "alice"}}` + "\n\n" +
		`{"id": "a", "question": "\u4e0a\u6d77", "doc_keys": ["k"], "contains": [650], "recall": 0.5}` + "\n" +
		`{"id": "b", "question": "q", "expect": "refused", "calls": [{"tool": "t", "arguments": {"n": 1, "s": "1"}}]}` + "\r\n"
	one, err := eval.Read("a.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.jsonl", "a.ndjson", "A.JSONL"} {
		other, err := eval.Read(name, []byte(lines))
		if err != nil {
			t.Fatal(err)
		}
		if other.Cases[0].Line != 3 || other.Cases[1].Line != 4 {
			t.Errorf("lines %d and %d", other.Cases[0].Line, other.Cases[1].Line)
		}
		other.Cases[0].Line, other.Cases[1].Line = one.Cases[0].Line, one.Cases[1].Line
		if d := cmp.Diff(one, other); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestWhatIsWrongIsNamedWithItsLineAndKey reads one slip at a time.
func TestWhatIsWrongIsNamedWithItsLineAndKey(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"unknown key of a case":    {"cases:\n- id: a\n  question: q\n  docs: [d]\n", "f.yaml:4: docs: is no key of this place"},
		"unknown key of the file":  {"casse: []\n", "f.yaml:1: casse: is no key of this place; there are cases, defaults"},
		"unknown key inside":       {"cases:\n- id: a\n  question: q\n  forbid:\n    string: [x]\n", "f.yaml:5: forbid.string: is no key"},
		"unknown key of a call":    {"cases:\n- {id: a, question: q, expect: failed, calls: [{tool: t, args: {}}]}\n", "f.yaml:2: calls.args: is no key"},
		"a key twice":              {"cases:\n- id: a\n  id: b\n  question: q\n", `f.yaml:3: mapping key "id" already defined`},
		"no cases":                 {"name: x\n", "f.yaml:1: cases: there is no case"},
		"cases that are no list":   {"cases: {id: a}\n", "f.yaml:1: cases: must be a list, and is a mapping"},
		"a case that is a text":    {"cases:\n- hello\n", "f.yaml:2: must be a mapping, and is a single value"},
		"no id":                    {"cases:\n- question: q\n", "f.yaml:2: id: is missing"},
		"an id twice":              {"cases:\n- {id: a, question: q}\n- {id: a, question: r}\n", `f.yaml:3: id: "a" is the id of the case in line 2 too`},
		"no question":              {"cases:\n- {id: a, contains: [x]}\n", "f.yaml:2: question: is missing"},
		"an empty question":        {"cases:\n- {id: a, question: ' '}\n", "f.yaml:2: question: must be a text, and is empty"},
		"a question that is a map": {"cases:\n- {id: a, question: {x: y}}\n", "f.yaml:2: question: must be a text, and is a mapping"},
		"an unknown group":         {"cases:\n- {id: a, question: q, groups: [retrieval, quality]}\n", `f.yaml:2: groups: "quality" must be retrieval`},
		"a group twice":            {"cases:\n- {id: a, question: q, groups: [citation, citation]}\n", `groups: "citation" must be`},
		"an unknown outcome":       {"cases:\n- {id: a, question: q, expect: right}\n", "f.yaml:2: expect: must be one of answered, insufficient, refused, failed"},
		"an unknown route":         {"cases:\n- {id: a, question: q, route: fast}\n", "f.yaml:2: route: must be one of direct"},
		"a share above one":        {"cases:\n- {id: a, question: q, doc_keys: k, recall: 1.5}\n", "f.yaml:2: recall: must be a share from 0 to 1"},
		"a share that is none":     {"cases:\n- {id: a, question: q, support: NaN}\n", "support: must be a share"},
		"a place of zero":          {"cases:\n- {id: a, question: q, doc_keys: k, rank: 0}\n", "rank: must be a whole number from 1 to 50"},
		"a cut of zero":            {"k: 0\ncases:\n- {id: a, question: q}\n", "f.yaml:1: k: must be a whole number from 1 to 50"},
		"a truth that is none":     {"cases:\n- {id: a, question: q, no_hits: maybe}\n", "no_hits: must be true or false"},
		"a version without number": {"cases:\n- {id: a, question: q, versions: travel}\n", `versions: "travel" must be a key and a version`},
		"a version of zero":        {"cases:\n- {id: a, question: q, versions: travel@0}\n", `versions: "travel@0" must be a key`},
		"an empty list":            {"cases:\n- {id: a, question: q, contains: []}\n", "f.yaml:2: contains: is empty; leave it out"},
		"an empty entry":           {"cases:\n- id: a\n  question: q\n  contains:\n    - x\n    -\n", "contains: must be a text, and is nothing"},
		"an empty place":           {"cases:\n- id: a\n  question: q\n  citations:\n    - {}\n", "citations: names nothing"},
		"a call without tool":      {"cases:\n- {id: a, question: q, calls: [{arguments: {}}]}\n", "calls.tool: is missing"},
		"a reply without calls":    {"cases:\n- {id: a, question: q, reply: r}\n", "reply: is what a scripted model says"},
		"calls in retrieval":       {"cases:\n- {id: a, question: q, groups: [retrieval], doc_keys: k, calls: [{tool: t}]}\n", "groups: a case with calls or propose belongs to tools"},
		"tools without anything":   {"cases:\n- {id: a, question: q, groups: tools}\n", "groups: a case of tools needs calls"},
		"retrieval of nothing":     {"cases:\n- {id: a, question: q, groups: retrieval}\n", "groups: a case of retrieval needs documents"},
		"hits and no hits":         {"cases:\n- {id: a, question: q, no_hits: true, doc_keys: k}\n", "no_hits: does not go with"},
		"rank of nothing":          {"cases:\n- {id: a, question: q, rank: 1}\n", "rank: needs documents"},
		"proposal of nothing":      {"cases:\n- {id: a, propose: {}}\n", "propose.document: is missing"},
		"an unknown decision":      {"cases:\n- {id: a, propose: {document: d, decide: maybe}}\n", "propose.decide: must be one of decline, approve"},
		"two kinds of update":      {"cases:\n- {id: a, question: q, update: {publish: d, text: x, doc_key: k, by: c}}\n", "update: needs publish or text, and not both"},
		"update by nobody":         {"cases:\n- {id: a, question: q, update: {publish: d}}\n", "update.by: is missing"},
		"update of no key":         {"cases:\n- {id: a, question: q, update: {text: x, by: c}}\n", "update.doc_key: is missing"},
		"another format":           {"format: 2\ncases:\n- {id: a, question: q}\n", "f.yaml:1: format: must be 1"},
		"an anchor":                {"cases:\n- &a {id: a, question: q}\n- *a\n", "f.yaml:2: anchors, tags and merged keys have no place here"},
		"a tag":                    {"cases:\n- {id: !!str a, question: q}\n", "anchors, tags and merged keys"},
		"two documents":            {"cases: []\n---\ncases: []\n", "it must hold one document, and holds 2"},
		"nothing":                  {"", "it must hold one document, and holds 0"},
		"no YAML":                  {"cases: [\n", "f.yaml:"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := eval.Read("f.yaml", []byte(c.text))
			if problem.CodeOf(err) != "invalid_questions" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestWhatIsWrongInLinesOfJSONIsNamedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		`{"id": "a", "question": "q"}` + "\n" + `{"id": "b", "question": "q", "docs": 1}`: "f.jsonl:2: docs: is no key",
		`{"id": "a", "question": "q"}` + "\n\n" + `{"id": "b"`:                            "f.jsonl:3: it is not a JSON object",
		`{"id": "a", "id": "b", "question": "q"}`:                                         "f.jsonl:1: id: stands here twice",
		`{"id": "a", "question": "q"} {"id": "b", "question": "q"}`:                       "f.jsonl:1: something stands behind the object",
		`["id"]`:                        "f.jsonl:1: must be a mapping, and is a list",
		`{"id": "a", "question": null}`: "f.jsonl:1: question: must be a text, and is nothing",
		strings.Repeat("[", 100):        "f.jsonl:1: it is not a JSON object",
		"\n\n":                          "f.jsonl:1: cases: there is no case",
	} {
		if _, err := eval.Read("f.jsonl", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

func TestAllThatIsWrongIsToldAtOnceUpToABound(t *testing.T) {
	var b strings.Builder
	b.WriteString("cases:\n")
	for i := range 30 {
		fmt.Fprintf(&b, "- {id: c%d, question: q, no: 1}\n", i)
	}
	_, err := eval.Read("f.yaml", []byte(b.String()))
	var p *problem.Error
	if !errors.As(err, &p) || len(p.Fields) != 30 {
		t.Fatalf("%v", err)
	}
	if n := strings.Count(p.Detail, "\n"); n != 20 || !strings.Contains(p.Detail, "… and 10 more") {
		t.Errorf("%d lines: %s", n, p.Detail)
	}
}

func TestAFileOfAnotherKindOrTooLargeIsRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		raw  []byte
	}{{"a.txt", []byte("cases:\n- {id: a, question: q}\n")}, {"a", nil}, {"a.yaml", make([]byte, eval.MaxBytes+1)}} {
		if _, err := eval.Read(c.name, c.raw); problem.CodeOf(err) != "invalid_questions" {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestACaseBelongsToTheGroupsThatItCanBeHeldAgainst(t *testing.T) {
	for text, want := range map[string][]eval.Group{
		"{id: a, question: q}":                                      {eval.Citation, eval.Traceability},
		"{id: a, question: q, doc_keys: k}":                         {eval.Retrieval, eval.Citation, eval.Traceability},
		"{id: a, question: q, codes: k}":                            {eval.Retrieval, eval.Citation, eval.Traceability},
		"{id: a, question: q, no_hits: true, expect: insufficient}": {eval.Retrieval, eval.Citation, eval.Traceability},
		"{id: a, question: q, forbid: {strings: k}}":                {eval.Retrieval, eval.Citation, eval.Traceability},
		"{id: a, question: q, calls: [{tool: t}]}":                  {eval.Tools, eval.Traceability},
		"{id: a, propose: {document: d}}":                           {eval.Tools, eval.Traceability},
	} {
		s, err := eval.Read("f.yaml", []byte("cases: ["+text+"]"))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, s.Cases[0].Groups); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

func TestHowAQuestionEndsIsReadFromItsState(t *testing.T) {
	for text, want := range map[string]eval.Outcome{
		"": eval.Answered, ", state: completed": eval.Answered, ", state: insufficient_evidence": eval.Insufficient, ", state: refused": eval.Refused,
		", state: failed": eval.Failed, ", state: cancelled": "", ", state: refused, expect: failed": eval.Failed,
	} {
		now := "{id: a, question: q" + text + "}"
		before := "{id: b, question: q, update: {publish: d, by: c, before: {contains: x" + text + "}}}"
		s, err := eval.Read("f.yaml", []byte("cases: ["+now+", "+before+"]"))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Cases[0].Wants.Outcome; got != want {
			t.Errorf("%s: %q, want %q", now, got, want)
		}
		if got := s.Cases[1].Update.Before.Outcome; got != want {
			t.Errorf("%s: %q, want %q", before, got, want)
		}
	}
}

func TestTheReportSpeaksTheLanguageOfMostQuestions(t *testing.T) {
	for text, want := range map[string]string{
		"[{id: a, question: 上海}, {id: b, question: 北京}, {id: c, question: q}]": "zh",
		"[{id: a, question: 上海}, {id: b, question: q}]":                        "en",
		"[{id: a, question: q}]": "en",
	} {
		s, err := eval.Read("f.yaml", []byte("cases: "+text))
		if err != nil || s.Language != want {
			t.Errorf("%s: %q, %v", text, s.Language, err)
		}
	}
}

// TestReadingNeverPanicsAndNeverLetsAnUnnamedCaseThrough reads whatever looks a little like a file.
func TestReadingNeverPanicsAndNeverLetsAnUnnamedCaseThrough(t *testing.T) {
	word := rapid.SampledFrom([]string{
		"cases", "id", "question", "calls", "tool", "a", "1", "\"", "'", ":", ": ", "- ", "\n", "\n  ", "{", "}", "[", "]", ",", "&x ", "*x", "!!str ", "|\n", "#", "上海", "---\n", "null", "\t",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(word, 0, 40).Draw(t, "words"), "")
		for _, name := range []string{"f.yaml", "f.jsonl"} {
			s, err := eval.Read(name, []byte(text))
			if err != nil {
				if problem.CodeOf(err) != "invalid_questions" {
					t.Fatalf("%q: %v", text, err)
				}
				continue
			}
			for _, c := range s.Cases {
				if c.ID == "" || c.Question == "" && c.Propose == nil || len(c.Groups) == 0 {
					t.Fatalf("%q became %+v", text, c)
				}
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(whole), true)
	f.Add([]byte(`{"id": "a", "question": "q", "calls": [{"tool": "t", "arguments": {"x": [1, null]}}]}`), false)
	f.Fuzz(func(t *testing.T, raw []byte, yaml bool) {
		name := "f.jsonl"
		if yaml {
			name = "f.yaml"
		}
		if _, err := eval.Read(name, raw); err != nil && problem.CodeOf(err) != "invalid_questions" {
			t.Fatal(err)
		}
	})
}
