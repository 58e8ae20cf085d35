package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

func TestEvidenceIsNumberedOnceAndKeptExactly(t *testing.T) {
	r := newRig(t, nil, calls(llmtest.Search("政策"), llmtest.Search("上海住宿")),
		calls(llmtest.Read("doc-leave"), llmtest.Read("doc-travel")), says("上海住宿上限为每晚 650 元。[S2]"))
	got := r.ask(alice, question)
	got.want(t, run.Completed, run.Success)
	var refs []string
	for _, e := range got.evidence {
		refs = append(refs, e.Ref+" "+string(e.Document))
		if len(e.Nonce) != 64 || e.Hash != seal.Hash(e.Nonce, e.Excerpt) || !strings.Contains(documents[string(e.Key)], e.Excerpt) {
			t.Errorf("%s is not what stands in the document: %q", e.Ref, e.Excerpt)
		}
		runes := []rune(documents[string(e.Key)])
		if at := string(runes[e.Span.Start:e.Span.End]); at != e.Excerpt {
			t.Errorf("%s: the span holds %q, the excerpt is %q", e.Ref, at, e.Excerpt)
		}
	}
	if diff := cmp.Diff([]string{"S1 doc-leave", "S2 doc-travel"}, refs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"S2"}, got.Answer.Refs); diff != "" {
		t.Error(diff)
	}
	last := r.script.Requests()[2].Messages
	if text := last[len(last)-1].Text; !strings.Contains(text, `"ref":"S2"`) || !strings.Contains(text, "doc-travel") {
		t.Errorf("the model was told %s", text)
	}
}

func TestStoredEventsAndLedgerHoldNoDocumentText(t *testing.T) {
	r := newRig(t, nil, calls(llmtest.Search("上海住宿")), calls(llmtest.Read("doc-travel")), says(cited))
	got := r.ask(alice, question)
	for _, e := range got.events {
		for _, secret := range []string{"每晚 650", "高铁", "差旅政策", "上限为"} {
			if strings.Contains(string(e.Data), secret) {
				t.Errorf("%s holds %q: %s", e.Type, secret, e.Data)
			}
		}
	}
	for _, entry := range r.entries(ledger.RunEnded, got.ID) {
		if strings.Contains(string(entry.Body), "上海") || strings.Contains(string(entry.Body), "每晚") {
			t.Errorf("the ledger holds text: %s", entry.Body)
		}
		var body struct {
			PromptHash string `json:"prompt_hash"`
			Citations  []struct {
				Ref  string `json:"ref"`
				Hash string `json:"excerpt_hash"`
			} `json:"citations"`
			Calls []run.Call `json:"tool_calls"`
		}
		check(t, json.Unmarshal(entry.Body, &body))
		if len(body.PromptHash) != 64 || len(body.Citations) != 1 || body.Citations[0].Hash != got.evidence[0].Hash || len(body.Calls) != 2 {
			t.Errorf("the ledger entry is incomplete: %s", entry.Body)
		}
	}
}

func TestUsageThatWasNotReportedStaysAbsent(t *testing.T) {
	r := newRig(t, nil,
		llmtest.Turn{Calls: []llm.ToolCall{llmtest.Search("上海住宿")}, Usage: llmtest.Tokens(100, 10)},
		llmtest.Turn{Calls: []llm.ToolCall{llmtest.Read("doc-travel")}},
		llmtest.Turn{Text: cited, Usage: llmtest.Tokens(200, 30)})
	u := r.ask(alice, question).Usage
	if u.Calls != 3 || u.CallsWithUsage != 2 || *u.Total != 340 || *u.Prompt != 300 || *u.Completion != 40 {
		t.Errorf("usage %+v", u)
	}
	if u.Estimated == nil || *u.Estimated <= 0 {
		t.Error("the call without usage has no estimate")
	}
	r = newRig(t, nil, calls(llmtest.Search("上海住宿")), calls(llmtest.Read("doc-travel")), says(cited))
	if u := r.ask(alice, question).Usage; u.Total != nil || u.Prompt != nil || u.CallsWithUsage != 0 || u.Calls != 3 {
		t.Errorf("usage that nobody reported became %+v", u)
	}
}

func TestIdentityFieldsAreStrippedAndRecorded(t *testing.T) {
	r := newRig(t, nil, calls(llm.ToolCall{Name: "search_knowledge", Arguments: `{"query":"上海住宿","tenant_id":"globex","user_id":"bob"}`}),
		calls(llmtest.Read("doc-travel")), says(cited))
	got := r.ask(alice, question)
	got.want(t, run.Completed, run.Success)
	if n := len(r.entries(ledger.Security, got.ID)); n != 1 {
		t.Errorf("%d security entries, want 1", n)
	}
	for _, e := range got.events {
		if e.Type == event.ToolStarted && strings.Contains(string(e.Data), "globex") {
			t.Errorf("a stripped value is in the event: %s", e.Data)
		}
	}
}

func TestFixedRetrievalFencesPassagesAsData(t *testing.T) {
	r := newRig(t, nil, says("上海住宿上限为每晚 650 元。[C1]"))
	got := r.ask(alice, agent.Request{Goal: "上海住宿上限", Route: run.FixedRAG})
	got.want(t, run.Completed, run.Success)
	request := r.script.Requests()[0]
	if len(request.Tools) != 0 {
		t.Error("fixed retrieval describes tools to the model")
	}
	prompt := request.Messages[1].Text
	if !strings.Contains(prompt, "[C1] doc_key=") || !strings.Contains(prompt, ` knowledge_base="Policies"`) || !strings.Contains(prompt, "<context>") {
		t.Errorf("prompt: %s", prompt)
	}
	if got.Use.Documents > got.Limits.Documents || got.Use.SearchPages != 1 {
		t.Errorf("use %+v", got.Use)
	}
}
