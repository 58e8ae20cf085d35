package rules

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/llm"
)

// plan returns the next tool call, or false when it is time to write: search once; read the best
// documents one by one until the answer is clear, and more of one that was read in part while there
// is no answer; if it is not found, search once more in other words. Nothing is asked for that the
// run has no allowance left for: the last turn is for the answer.
func plan(v *view, q *question, f *finding) (llm.ToolCall, bool) {
	if v.callsLeft <= 0 || v.turnsLeft <= 1 {
		return llm.ToolCall{}, false
	}
	if len(v.passages) > 0 && f.clear(q) {
		return v.compare(q)
	}
	if v.canSearch && len(v.queries) == 0 && v.searchesLeft > 0 && (v.canRead || len(v.passages) == 0) {
		return v.search(q.query())
	}
	if call, ok := v.read(q, !f.settled); ok {
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
	return toolCall(searchTool, map[string]any{"query": query}), true
}

// read asks for the most promising document that was found and not yet asked for; with more set,
// also for the rest of one that was read in part.
func (v *view) read(q *question, more bool) (llm.ToolCall, bool) {
	if !v.canRead {
		return llm.ToolCall{}, false
	}
	var best map[string]any
	top := 0.0
	for i, h := range v.hits {
		// The order of the search counts; what the snippet shows may move a hit by a few places.
		worth := h.promise(q) - 0.08*float64(i)
		args := map[string]any{"document_id": h.doc}
		if v.tried[h.doc] {
			offset, ok := v.rest(h.doc)
			if !ok || !more {
				continue
			}
			args["offset"], worth = offset, worth-restCost
		} else if v.documentsLeft <= 0 {
			continue
		} else if h.early {
			args["offset"] = 0
		}
		if best == nil || worth > top {
			best, top = args, worth
		}
	}
	if best == nil {
		return llm.ToolCall{}, false
	}
	return toolCall(readTool, best), true
}

// comparable is how much of a question a hit must show, compared with the one that shows most, for its
// document to be read beside one that answers already.
const comparable = 0.6

// compare asks for a further document that may answer too, so that sources which disagree are seen.
func (v *view) compare(q *question) (llm.ToolCall, bool) {
	others, most := *v, 0.0
	for _, h := range v.hits {
		most = max(most, h.promise(q))
	}
	others.hits = nil
	for _, h := range v.hits {
		if !v.tried[h.doc] && most > 0 && h.promise(q) >= comparable*most {
			others.hits = append(others.hits, h)
		}
	}
	return others.read(q, false)
}

// restCost is what the rest of a document is worth less than its first window, which the search
// chose.
const restCost = 0.05

// rest returns where the next window of a document begins that was read in part: after what was
// read, else before it. It is false if there is none, or if no text of the document is left to read.
func (v *view) rest(doc string) (int, bool) {
	first, last, units := (*passage)(nil), (*passage)(nil), 0
	for i := range v.passages {
		p := &v.passages[i]
		if p.doc != doc || p.end <= p.start {
			continue
		}
		units += len(utf16.Encode([]rune(p.text)))
		if first == nil || p.start < first.start {
			first = p
		}
		if last == nil || p.end > last.end {
			last = p
		}
	}
	if first == nil || units >= textLimit {
		return 0, false
	}
	if last.truncatedAfter && !v.offsets[window(doc, last.end)] {
		return last.end, true
	}
	// A window that shows less new text than old would end the run.
	size := min(windowLimit, textLimit-units)
	before := max(0, first.start-size)
	fresh := first.truncatedBefore && first.start-before > size/2
	return before, fresh && !v.offsets[window(doc, before)]
}

// early reports whether a place lies near the beginning of its document, so that a window from the
// beginning on shows it and a second one goes on without a gap.
func early(raw json.RawMessage) bool {
	var l struct {
		Char []int `json:"char"`
	}
	return json.Unmarshal(raw, &l) == nil && len(l.Char) == 2 && l.Char[1] < windowLimit*9/10
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
