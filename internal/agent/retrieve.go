package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kaoju/kaoju/internal/analysis/topic"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// retrieve is fixed retrieval: the runtime's own search before the model's only turn. Its chunks
// become evidence C1… under the same limits as reading.
func (w *worker) retrieve(ctx context.Context) error {
	r := w.run
	if r.Use.SearchPages > 0 && (r.Use.SearchPages >= r.Limits.SearchPages || r.Use.ToolCalls >= r.Limits.ToolCalls) {
		return w.conclude(nothingFound(r), nil) // what was found is lost, and nothing is left to search with
	}
	w.next = run.Retrieving
	args := mustJSON(map[string]any{"query": prefix(memory.Expand(w.memory, sought(r)), 400)})
	id := "retrieval"
	if r.Use.ToolCalls > 0 {
		id = fmt.Sprintf("retrieval_%d", r.Use.ToolCalls+1)
	}
	outcome, err := w.call(ctx, llm.ToolCall{ID: id, Name: searchTool, Arguments: args})
	switch {
	case errors.Is(err, errAnew):
		return nil
	case err != nil:
		return err
	case outcome.Failure != nil && outcome.Failure.Code.Retryable():
		return end{reason: run.SearchFailed, cause: outcome.Failure}
	case outcome.Failure != nil:
		return end{reason: run.ToolError, cause: outcome.Failure}
	}
	for _, h := range outcome.Result.Hits {
		session := r.Session()
		read := slices.Contains(session.DocumentsRead(), h.Document)
		left := session.UnitsLeft(h.Document)
		if left == 0 || !read && r.Use.Documents >= r.Limits.Documents || h.Passage.Text == "" {
			continue
		}
		w.register(cut(h.Passage, left), "C")
	}
	if err := w.flush(ctx); err != nil {
		return err
	}
	if len(w.evidence) == 0 {
		return w.conclude(nothingFound(r), nil)
	}
	return nil
}

// sought is what is searched for: the goal, and of a summary what it is to be about.
func sought(r *run.Run) string {
	if about, ok := topic.Summary(r.Goal); ok && about != "" && r.Route == run.Summary {
		return about
	}
	return r.Goal
}

// cut shortens a passage to a number of UTF-16 units and says so.
func cut(p corpus.Passage, units int) corpus.Passage {
	if tool.Units(p.Text) <= units {
		return p
	}
	runes := []rune(p.Text)
	n, used := 0, 0
	for n < len(runes) && used+tool.Units(string(runes[n])) <= units {
		used += tool.Units(string(runes[n]))
		n++
	}
	p.Text, p.TruncatedAfter = string(runes[:n]), true
	p.Span.End = p.Span.Start + n
	p.Segments = corpus.Narrow(runes, p.Span.Start, p.Segments, p.Span)
	p.Locator = corpus.Cover(p.Segments)
	return p
}
