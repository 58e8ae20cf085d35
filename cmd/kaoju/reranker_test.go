package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/llm/llmtest"
)

// ranker is an endpoint that prefers passages in which a word stands often.
func ranker(t *testing.T, word string) *llmtest.Endpoint {
	t.Helper()
	e := llmtest.NewEndpoint(t)
	e.Handle(func(w http.ResponseWriter, r *http.Request, body []byte) {
		var in struct {
			Documents []string `json:"documents"`
			Texts     []string `json:"texts"`
		}
		if err := json.Unmarshal(body, &in); err != nil || r.URL.Path != "/v1/rerank" {
			http.Error(w, "this is no request to rank", http.StatusNotFound)
			return
		}
		type item struct {
			Index     int     `json:"index"`
			Relevance float64 `json:"relevance_score"`
			Score     float64 `json:"score"`
		}
		var items []item
		for i, text := range append(in.Documents, in.Texts...) {
			n := float64(strings.Count(text, word))
			items = append(items, item{i, n, n})
		}
		w.Header().Set("Content-Type", "application/json")
		if in.Texts != nil {
			_ = json.NewEncoder(w).Encode(items)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"results": items, "usage": map[string]int{"total_tokens": 21}})
	})
	return e
}

// pumpNotes is a folder with two notes, of which the first says more of pumps.
func pumpNotes(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.md": "# Pump\n\nThe pump, the pump and the pump.\n", "b.md": "# Other\n\nA pump is best best.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestARerankerPutsHitsInItsOrder(t *testing.T) {
	data := folder(t, pumpNotes(t))
	if got, _ := searched(t, "pump", "--data", data); len(got.Items) != 2 || got.Items[0].DocKey != "a.md" || strings.Contains(strings.Join(got.Legs, " "), "rerank") || got.RerankTokens != nil {
		t.Fatalf("without a reranker: %+v", got)
	}
	for _, protocol := range []string{"jina", "tei"} {
		e := ranker(t, "best")
		flags := []string{"--data", data, "--rerank-url", e.URL, "--rerank-model", "m", "--rerank-api", protocol}
		got, _ := searched(t, with([]string{"pump"}, flags...)...)
		if len(got.Items) != 2 || got.Items[0].DocKey != "b.md" || got.Items[0].Ranks.Rerank == nil || *got.Items[0].Ranks.Rerank != 1 || !strings.Contains(strings.Join(got.Legs, " "), "rerank") {
			t.Errorf("%s: %+v", protocol, got)
		}
		if counted := got.RerankTokens != nil && *got.RerankTokens == 21; counted != (protocol == "jina") {
			t.Errorf("%s: %v tokens", protocol, got.RerankTokens)
		}
		status, out, errs := kaoju(t, with([]string{"search", "pump"}, flags...)...)
		if status != exitDone || !strings.Contains(out, "reranked 1\n") || strings.Contains(errs, "reranked") {
			t.Errorf("%s: status %d\n%s%s", protocol, status, out, errs)
		}
	}
}

func TestASearchWhoseRerankerIsAwayKeepsItsOrderAndSaysSo(t *testing.T) {
	data := folder(t, pumpNotes(t))
	e := llmtest.NewEndpoint(t, llmtest.Status(http.StatusUnauthorized, "no")).Forever()
	flags := []string{"--data", data, "--rerank-url", e.URL, "--rerank-model", "m"}
	for query, said := range map[string]string{"pump": "Not reranked: the ranking model is not available", "pump 泵": "未重排: 重排模型不可用"} {
		status, out, errs := kaoju(t, with([]string{"search", query}, flags...)...)
		if status != exitDone || !strings.Contains(errs, said) || strings.Index(out, "a.md") > strings.Index(out, "b.md") {
			t.Errorf("%d %q %q", status, out, errs)
		}
	}
	status, out, errs := kaoju(t, with([]string{"ask", "What is the pump?", "--json"}, flags...)...)
	if status != exitDone || !strings.Contains(out, `"not_reranked"`) {
		t.Errorf("asking: %d %s%s", status, out, errs)
	}
}

// TestTextGoesToARerankerAsSaid looks at what an endpoint that counts as elsewhere is sent, and that
// nothing of a local-only tenant is.
func TestTextGoesToARerankerAsSaid(t *testing.T) {
	const key = "sk-rerank-0123456789"
	for place, far := range map[string]bool{"remote": true, "auto": false, "local": false} {
		e := ranker(t, "best")
		data := folder(t, pumpNotes(t))
		env := map[string]string{"KAOJU_RERANK_URL": e.URL, "KAOJU_RERANK_MODEL": "m", "KAOJU_RERANK_KEY": key, "KAOJU_RERANK_PLACE": place, "KAOJU_DATA": data}
		run := func(line ...string) (int, string, string) {
			var out, errs strings.Builder
			status := execute(t.Context(), line, env, strings.NewReader(""), &out, &errs)
			return status, out.String(), errs.String()
		}
		status, _, errs := run("ask", "What is the pump?")
		if told := strings.Contains(errs, "What is searched for and the passages that are found go to "+e.HostPort()); told != far || status != exitDone || e.Requests() != 1 {
			t.Errorf("%s: status %d, %d requests, %s", place, status, e.Requests(), errs)
		}
		const sent = "What is searched for and the passages that are found go to "
		if status, _, errs := run("search", "pump"); status != exitDone || strings.Contains(errs, sent+e.HostPort()) != far || strings.Contains(errs, "The question") {
			t.Errorf("%s: of a search it is said: status %d, %s", place, status, errs)
		}
		if e.Header(0).Get("Authorization") != "Bearer "+key || strings.Contains(string(e.Body(0)), key) || !strings.Contains(string(e.Body(0)), "A pump is best best.") {
			t.Errorf("%s: it was sent %v %s", place, e.Header(0), e.Body(0))
		}
		if status, out, _ := run("doctor"); status != exitDone || far != strings.Contains(out, "m at "+e.HostPort()+": what is searched for and the passages that are found leave this machine") || strings.Contains(out, key) {
			t.Errorf("%s: doctor says %d %s", place, status, out)
		}
		if status, _, errs := run("tenant", "set", "--local-only"); status != exitDone {
			t.Fatal(status, errs)
		}
		before := e.Requests()
		status, _, errs = run("search", "pump")
		if status != exitDone || far != strings.Contains(errs, "Not reranked: text of this tenant goes to no model elsewhere") || far != (e.Requests() == before) {
			t.Errorf("%s: local-only search: status %d after %d requests, %s", place, status, e.Requests()-before, errs)
		}
	}
}

func TestSettingsOfARerankerGoTogether(t *testing.T) {
	data := folder(t, written(t, "a.md", "# Pump\n\nThe pump.\n"))
	for want, lines := range map[int][][]string{
		exitUsage: {
			{"--rerank-url", "http://127.0.0.1:1/v1"}, {"--rerank-model", "m"}, {"--rerank-url", "ftp://x", "--rerank-model", "m"}, {"--rerank-api", "cohere9"},
			{"--rerank-hits", "1"}, {"--rerank-hits", "101"}, {"--rerank-hits", "many"}, {"--rerank-time", "0s"}, {"--rerank-place", "moon"},
		},
		exitDone: {{}, {"--rerank-hits", "2"}, {"--rerank-hits", "100"}, {"--rerank-api", "tei"}},
	} {
		for _, line := range lines {
			if status, out, errs := kaoju(t, with([]string{"search", "pump", "--data", data}, line...)...); status != want {
				t.Errorf("%v: status %d %s %s", line, status, out, errs)
			}
		}
	}
	if _, out, _ := kaoju(t, "doctor", "--data", data); !strings.Contains(out, "hits keep the order of the search") {
		t.Errorf("doctor without a reranker says\n%s", out)
	}
}

func TestASearchOnAServerSaysWhereItsTextGoes(t *testing.T) {
	e := ranker(t, "best")
	s := serveDemo(t, t.TempDir(), "--rerank-url", e.URL, "--rerank-model", "m", "--rerank-place", "remote")
	status, _, errs := kaoju(t, "search", "住宿上限", "--server", s.url, "--token", s.tokens["ALICE"])
	if want := "检索内容和检索到的段落将发送至 " + e.HostPort() + "，用于重排。\n"; status != exitDone || !strings.HasPrefix(errs, want) {
		t.Errorf("status %d, %q", status, errs)
	}
}
