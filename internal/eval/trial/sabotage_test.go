package trial_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/eval/trial"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
	"github.com/kaoju/kaoju/internal/tool"
)

const (
	lodging = "- {id: x, question: 上海住宿上限是多少, versions: travel-policy@2, rank: 1, contains: [650], lacks: [500], citations: [{doc_key: travel-policy, version: 2, heading: 每晚上限, quote: 650 元}]}\n"
	canary  = "- {id: x, question: CANARY-RD-7f3a91, expect: insufficient, forbid: {documents: doc-rd-handbook-v1, strings: [CANARY-RD-7f3a91]}}\n"
	code    = "- {id: x, question: ERR-1042, groups: retrieval, doc_keys: error-codes, codes: [ERR-1042]}\n"
	first   = "- {id: x, question: ERR-1042, groups: retrieval, doc_keys: release-checklist, rank: 1}\n"
	silent  = "- {id: x, question: zeppelin regatta, groups: retrieval, no_hits: true}\n"
	absent  = "- {id: x, question: Who won the regatta of 1887?, expect: insufficient, groups: [citation, traceability]}\n"
	fixed   = "- {id: x, question: 上海住宿上限是多少, route: fixed_rag, versions: travel-policy@2, contains: [650], groups: [citation, traceability]}\n"
	bad     = "- {id: x, question: 住宿, route: agentic_rag, calls: [{tool: search_knowledge, code: invalid_arguments}, {tool: search_knowledge, arguments: {query: 住宿, user_id: bob}, stripped: 1}], expect: insufficient}\n"
	waits   = "- {id: x, as: carol, question: 我确认发布, propose: {document: doc-travel-v3, others: [alice]}, state: completed, finish_reason: cancelled}\n"
	renewed = "- {id: x, question: 上海住宿上限是多少, versions: travel-policy@3, contains: [720], update: {publish: doc-travel-v3, by: carol, before: {contains: [650]}}}\n"
)

// sabotage is a fault of the product, a case that passes without it, and what has to be found.
type sabotage struct {
	name  string
	cases string
	fault func(*house)
	want  []string
}

var sabotages = []sabotage{
	{"a search past the rights", canary, past, []string{"retrieval:forbidden_document", "retrieval:forbidden_text"}},
	{"a search that finds nothing", lodging, searching(func(r *retrieval.Result) { r.Hits = nil }), []string{"retrieval:not_found"}},
	{"a search that finds nothing of a code", code, searching(func(r *retrieval.Result) { r.Hits = nil }), []string{"retrieval:not_found", "retrieval:code_not_found"}},
	{"a ranking upside down", first, searching(reversed), []string{"retrieval:rank"}},
	{"hits where none fits", silent, func(h *house) {
		h.Reader = reading{Reader: h.Reader, search: func(a access.Actor, q retrieval.Query, _ retrieval.Result) (retrieval.Result, error) {
			return h.Finder.Search(h.t.Context(), scopeOf(h, a), retrieval.Query{Text: "住宿"})
		}}
	}, []string{"retrieval:hits"}},
	{"a search that fails", silent, func(h *house) {
		h.Reader = reading{Reader: h.Reader, search: func(access.Actor, retrieval.Query, retrieval.Result) (retrieval.Result, error) {
			return retrieval.Result{}, errors.New("the index is on fire")
		}}
	}, []string{"retrieval:search_failed"}},
	{"a hit under another version", lodging, searching(func(r *retrieval.Result) {
		for i := range r.Hits {
			r.Hits[i].Document.Version++
		}
	}), []string{"retrieval:mislabelled"}},
	{"a hit that is nowhere", lodging, searching(func(r *retrieval.Result) { r.Hits[len(r.Hits)-1].Document.ID = "doc-nowhere" }), []string{"retrieval:no_such_document"}},
	{"the old version found", lodging, searching(func(r *retrieval.Result) {
		for i := range r.Hits {
			if r.Hits[i].Document.Key == "travel-policy" {
				r.Hits[i].Document.ID, r.Hits[i].Document.Version = "doc-travel-v1", 1
			}
		}
	}), []string{"retrieval:not_in_force", "retrieval:wrong_version"}},

	{"a model that says another number", fixed, saying("上海的住宿上限为每晚 500 元[C1]。"), []string{"citation:lacks", "citation:contradicted", "citation:not_supported"}},
	{"a model that cites nothing", fixed, saying("上海的住宿上限为每晚 650 元。"), []string{"citation:outcome", "citation:lacks"}},
	{"a model that gives up", fixed, saying("INSUFFICIENT_EVIDENCE\n- 住宿上限"), []string{"citation:outcome", "citation:lacks"}},
	{"a model that makes things up", fixed, saying("结论\n上海的住宿上限为每晚 650 元[C1]。\n火星基地的氧气配额每周发放[C1]。"), []string{"citation:not_supported"}},
	{"an answer to what nobody wrote", absent, saying("Annual leave is 10 working days [S1]."), []string{"citation:outcome"}},
	{"verdicts that are made up", fixed, showing(func(a *desk.Account) {
		a.Run.Answer.Text = replace(a.Run.Answer.Text, "650", "777")
		for i := range a.Run.Checks {
			a.Run.Checks[i].Sentence = replace(a.Run.Checks[i].Sentence, "650", "777")
		}
	}), []string{"citation:lacks", "citation:check_not_reproduced"}},
	{"no checks", fixed, showing(func(a *desk.Account) { a.Run.Checks = nil }), []string{"citation:not_checked", "citation:check_not_reproduced", "citation:not_supported"}},
	{"no citations", fixed, showing(func(a *desk.Account) { a.Cited = nil }), []string{"citation:no_citation", "citation:check_not_reproduced"}},
	{"citations of another document", lodging, showing(func(a *desk.Account) {
		for i := range a.Cited {
			a.Cited[i].Document, a.Cited[i].Key, a.Cited[i].Version = "doc-procurement-v1", "procurement", 1
		}
	}), []string{"citation:not_cited", "citation:place_not_cited"}},
	{"citations of the old version", lodging, showing(func(a *desk.Account) {
		for i := range a.Cited {
			a.Cited[i].Document, a.Cited[i].Version = "doc-travel-v1", 1
		}
	}), []string{"citation:not_cited", "citation:place_not_cited", "citation:old_version"}},
	{"citations to another heading", lodging, showing(func(a *desk.Account) {
		for i := range a.Cited {
			a.Cited[i].Locator, a.Cited[i].Segments = corpus.TextLocator{Format: "md", Heading: []string{"6 违规与解释"}, Line: 70}, nil
		}
	}), []string{"citation:place_not_cited"}},
	{"a conclusion without reference", fixed, showing(func(a *desk.Account) {
		a.Run.Answer.Sections.Conclusion = "上海的住宿上限为每晚 650 元。"
	}), []string{"citation:conclusion_not_cited"}},
	{"the canary in an answer", absentCanary, showing(func(a *desk.Account) { a.Run.Answer.Text += " CANARY-RD-7f3a91" }), []string{"citation:forbidden_text"}},
	{"the canary in a title that was found", canary, showing(func(a *desk.Account) {
		a.Found = append(a.Found, desk.Found{Document: "doc-rd-handbook-v1", Title: "CANARY-RD-7f3a91"})
	}), []string{"retrieval:forbidden_document", "citation:forbidden_document", "retrieval:forbidden_text", "citation:forbidden_text"}},
	{"the canary in an event", absentCanary, func(h *house) {
		h.Reader = reading{Reader: h.Reader, events: func(events []event.Event) {
			events[0].Data = []byte(`{"note": ["\u0043ANARY-RD-7f3a91"]}`)
		}}
	}, []string{"citation:forbidden_text"}},

	{"an excerpt that was changed", fixed, stored(func(_ *run.Run, e []citation.Evidence) { e[0].Excerpt = replace(e[0].Excerpt, "650", "950") }),
		[]string{"traceability:excerpt_hash", "traceability:place", "traceability:ledger_differs"}},
	{"an excerpt that was changed with its hash", fixed, stored(func(_ *run.Run, e []citation.Evidence) {
		e[0].Excerpt = replace(e[0].Excerpt, "650", "950")
		e[0].Hash = seal.Hash(e[0].Nonce, e[0].Excerpt)
	}), []string{"traceability:place", "traceability:events_differ", "traceability:ledger_differs"}},
	{"a place that was changed", fixed, stored(func(_ *run.Run, e []citation.Evidence) {
		for i, s := range e[0].Segments {
			l := s.Locator.(corpus.TextLocator)
			l.Char[0], l.Char[1] = l.Char[0]+40, l.Char[1]+40
			e[0].Segments[i].Locator = l
		}
	}), []string{"traceability:place"}},
	{"another document named", fixed, stored(func(_ *run.Run, e []citation.Evidence) { e[0].Document = "doc-nowhere" }),
		[]string{"traceability:no_such_document", "traceability:events_differ", "traceability:ledger_differs"}},
	{"another version named", fixed, stored(func(_ *run.Run, e []citation.Evidence) { e[0].Version = 9 }),
		[]string{"traceability:mislabelled", "traceability:events_differ", "traceability:ledger_differs"}},
	{"an answer that was changed", fixed, stored(func(r *run.Run, _ []citation.Evidence) { r.Answer.Text += "!" }),
		[]string{"traceability:events_differ", "traceability:ledger_differs"}},
	{"a citation without evidence", fixed, stored(func(r *run.Run, _ []citation.Evidence) { r.Answer.Refs = append(r.Answer.Refs, "C99") }),
		[]string{"traceability:no_evidence", "traceability:ledger_differs"}},
	{"a tool call that is missing", fixed, stored(func(r *run.Run, _ []citation.Evidence) { r.Calls = nil }),
		[]string{"traceability:events_differ", "traceability:ledger_differs"}},
	{"an end that was changed", fixed, stored(func(r *run.Run, _ []citation.Evidence) { r.Reason = run.Insufficient }),
		[]string{"traceability:events_differ", "traceability:ledger_differs"}},
	{"other bytes in the store", fixed, func(h *house) {
		h.Blobs = blobs{h.Blobs, func(b []byte) []byte { return []byte(replace(string(b), "650", "651")) }}
	}, []string{"traceability:checksum"}},
	{"an event that is missing", fixed, telling(func(e []event.Event) []event.Event {
		if len(e) > 3 {
			return slices.Delete(e, 2, 3)
		}
		return e
	}), []string{"traceability:event_gap"}},
	{"events without an end", fixed, telling(func(e []event.Event) []event.Event {
		if n := len(e); n > 0 && e[n-1].Type.Closes() {
			return e[:n-1]
		}
		return e
	}), []string{"traceability:event_gap"}},
	{"a source in the events that is another", fixed, retold(event.SourceAdded, func(d map[string]any) { d["excerpt_hash"] = strings.Repeat("0", 64) }), []string{"traceability:events_differ"}},
	{"a call in the events that is another", fixed, retold(event.ToolStarted, func(d map[string]any) { d["args_hash"] = "0" }), []string{"traceability:events_differ"}},
	{"another route in the events", fixed, retold(event.RouteSelected, func(d map[string]any) { d["route"] = "direct" }), []string{"traceability:events_differ"}},
	{"another end in the events", fixed, retold(event.Completed, func(d map[string]any) { d["state"] = "refused" }), []string{"traceability:events_differ"}},
	{"another actor in the ledger", fixed, entered(func(e *ledger.Entry, _ map[string]any) { e.Actor = "mallory" }), []string{"traceability:ledger_differs", "traceability:ledger_broken"}},
	{"another answer in the ledger", fixed, entered(func(_ *ledger.Entry, b map[string]any) { b["answer_hash"] = "0" }), []string{"traceability:ledger_differs", "traceability:ledger_broken"}},
	{"other calls in the ledger", fixed, entered(func(_ *ledger.Entry, b map[string]any) { b["tool_calls"] = []any{} }), []string{"traceability:ledger_differs", "traceability:ledger_broken"}},
	{"other citations in the ledger", fixed, entered(func(_ *ledger.Entry, b map[string]any) {
		b["citations"].([]any)[0].(map[string]any)["excerpt_hash"] = "0"
	}), []string{"traceability:ledger_differs", "traceability:ledger_broken"}},
	{"no entry in the ledger", fixed, func(h *house) {
		h.Ledger = entries{h.Ledger, func(page []ledger.Entry) {
			for i := range page {
				page[i].Kind = ledger.Security
			}
		}}
	}, []string{"traceability:ledger_differs", "traceability:ledger_broken"}},

	{"arguments that nobody checks", bad, executing(func(o *tool.Outcome) {
		if o.Failure != nil {
			o.Failure, o.Result = nil, tool.Result{Content: []byte(`{"ok": true}`)}
		}
	}), []string{"tools:code"}},
	{"identities that nobody counts", bad, executing(func(o *tool.Outcome) { o.Stripped = nil }), []string{"tools:identity"}},
	{"tools that fail", bad, executing(func(o *tool.Outcome) { o.Failure = &tool.Failure{Code: tool.NotAllowed} }), []string{"tools:outcome", "tools:code", "tools:call_not_made"}},
	{"a proposal that is its own decision", waits, func(h *house) {
		h.Proposer = proposer{Proposer: h.Proposer, propose: func(p desk.Proposal) {
			_, err := h.db.Approvals().Decide(h.t.Context(), contentOf(h, "carol"), p.ID, decided(true))
			must(h.t, err)
		}}
	}, []string{"tools:not_waiting", "tools:changed", "tools:broke", "traceability:broke"}},
	{"a proposal that others decide", waits, func(h *house) {
		h.Proposer = proposer{Proposer: h.Proposer, decide: func(a access.Actor) bool { return a.User == "alice" }}
	}, []string{"tools:decided_by_other"}},
	{"a decision that does nothing", waits, func(h *house) {
		h.Proposer = proposer{Proposer: h.Proposer, decide: func(a access.Actor) bool { return a.User == "carol" }}
	}, []string{"tools:state", "tools:finish_reason", "traceability:event_gap"}},

	{"an update that does not happen", renewed, func(h *house) {
		h.Proposer = proposer{Proposer: h.Proposer, decide: func(access.Actor) bool { return true }}
	}, []string{"retrieval:wrong_version", "citation:lacks", "citation:not_cited", "citation:old_version", "traceability:source_not_superseded"}},
	{"a source that closes", renewed, func(h *house) {
		h.Reader = reading{Reader: h.Reader, source: func(*desk.Opened) error { return errors.New("gone") }}
	}, []string{"traceability:source_closed"}},
	{"a source that is dressed anew", renewed, func(h *house) {
		h.Reader = reading{Reader: h.Reader, source: func(o *desk.Opened) error {
			o.Evidence.Excerpt = replace(o.Evidence.Excerpt, "650", "720")
			return nil
		}}
	}, []string{"traceability:source_changed"}},
}

const absentCanary = "- {id: x, question: Who won the regatta of 1887?, expect: insufficient, groups: citation, forbid: {strings: [CANARY-RD-7f3a91]}}\n"

// TestAFaultOfTheProductMakesCasesFallShort breaks the product in one way at a time.
func TestAFaultOfTheProductMakesCasesFallShort(t *testing.T) {
	for _, s := range slices.Concat(sabotages, moreSabotages) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			r := newHouse(t, s.fault).hold(s.cases, trial.Options{Changes: true})
			wordless(t, r)
			got := codes(r, "x")
			for _, want := range s.want {
				if !slices.Contains(got, want) {
					t.Errorf("%s was not found; found: %v", want, got)
				}
			}
			for _, other := range got {
				if !slices.Contains(s.want, other) {
					t.Errorf("%s was found, too", other)
				}
			}
		})
	}
}

// wordless holds that what is found is told without text of a document: none of the phrases below
// stands in a question file.
func wordless(t *testing.T, r eval.Result) {
	t.Helper()
	raw, err := json.Marshal(r)
	must(t, err)
	for _, phrase := range []string{"每晚上限，", "含税", "不含早餐", "浦东", "breakfast", "研发组", "签名校验", "差旅管理制度"} {
		if strings.Contains(string(raw), phrase) {
			t.Errorf("the result holds %q", phrase)
		}
	}
}

// TestTheSameCasesPassWithoutAFault keeps the cases above from falling short by themselves.
func TestTheSameCasesPassWithoutAFault(t *testing.T) {
	done := map[string]bool{}
	for _, s := range slices.Concat(sabotages, moreSabotages) {
		if done[s.cases] {
			continue
		}
		done[s.cases] = true
		if got := codes(newHouse(t, nil).hold(s.cases, trial.Options{Changes: true}), "x"); len(got) > 0 {
			t.Errorf("%s falls short: %v", s.cases, got)
		}
	}
}

func scopeOf(h *house, a access.Actor) access.Scope {
	h.t.Helper()
	s, err := access.Resolve(h.t.Context(), h.Directory, a, access.Request{})
	must(h.t, err)
	return s
}
