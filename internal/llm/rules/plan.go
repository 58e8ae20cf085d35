package rules

import (
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/llm"
)

// plan returns the next tool call, or false when it is time to write: search once; read the best
// documents one by one until the answer is clear; if it is not found, search once more in other
// words. Nothing is asked for that the run has no allowance left for.
func plan(v *view, q *question, f *finding) (llm.ToolCall, bool) {
	if len(v.passages) > 0 && f.clear(q) {
		return llm.ToolCall{}, false
	}
	if v.canSearch && len(v.queries) == 0 && v.searchesLeft > 0 && (v.canRead || len(v.passages) == 0) {
		return v.search(q.query())
	}
	if call, ok := v.read(q); ok {
		return call, true
	}
	if v.canSearch && v.canRead && !f.settled && v.searchesLeft > 0 && len(v.queries) == 1 && v.documentsLeft > 0 {
		return v.search(q.fewer())
	}
	return llm.ToolCall{}, false
}

// search asks for a search that was not made yet.
func (v *view) search(query string) (llm.ToolCall, bool) {
	if strings.TrimSpace(query) == "" || v.queries[normal(query)] {
		return llm.ToolCall{}, false
	}
	return toolCall(searchTool, map[string]string{"query": query}), true
}

// read asks for the most promising document that was found and not yet asked for.
func (v *view) read(q *question) (llm.ToolCall, bool) {
	if !v.canRead || v.documentsLeft <= 0 {
		return llm.ToolCall{}, false
	}
	best, top := "", -1.0
	for i, h := range v.hits {
		if v.tried[h.doc] {
			continue
		}
		// The order of the search counts; what the snippet shows may move a hit by a few places.
		worth := h.promise(q) - 0.08*float64(i)
		if best == "" || worth > top {
			best, top = h.doc, worth
		}
	}
	if best == "" {
		return llm.ToolCall{}, false
	}
	return toolCall(readTool, map[string]string{"document_id": best}), true
}

// promise is the share of the question's terms that a hit shows.
func (h hit) promise(q *question) float64 {
	set := map[string]bool{}
	for _, t := range analysis.Tokens(strings.Join(slices.Concat([]string{h.title, h.snippet}, h.heading), "\n")) {
		set[t.Term] = true
	}
	total, shown := 0.0, 0.0
	for _, t := range q.terms {
		total += t.weight
		shown += t.weight * t.mentions(set)
	}
	if total == 0 {
		return 0
	}
	return shown / total
}
