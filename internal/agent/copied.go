package agent

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/tool"
)

// execute runs a call through the executor, unless it is a search for what was read. In a replay what
// became of it is recorded.
func (w *worker) execute(ctx context.Context, call llm.ToolCall) tool.Outcome {
	var args struct {
		Query string `json:"query"`
	}
	if w.past == nil && call.Name == searchTool && slices.Contains(w.run.Tools, searchTool) && json.Unmarshal([]byte(call.Arguments), &args) == nil && w.copied(args.Query) {
		return tool.Outcome{
			Spec:    tool.Spec{Name: searchTool, Sensitivity: tool.Read},
			Failure: &tool.Failure{Code: tool.InvalidArguments, Detail: "The query holds a passage of the material. Search with a few words of your own."},
		}
	}
	return w.agent.deps.Executor.Run(ctx, w.actor, w.run.Tools, w.run.Session(), call)
}

// copied reports whether a query carries what the run was given to read.
func (w *worker) copied(query string) bool {
	var given []string
	for _, e := range w.evidence {
		given = append(given, e.Excerpt)
	}
	for _, m := range w.messages {
		if m.Role == llm.Tool {
			given = append(given, m.Text)
		}
	}
	return copies(query, w.run.Goal, given)
}

// longestCopy is how many code points of what was read may stand in a query in one piece.
const longestCopy = 48

// copies reports whether a query carries text of what the run was given to read, beyond what its
// question says. A query is for finding, not for taking passages elsewhere.
func copies(query, goal string, given []string) bool {
	const window, stride = longestCopy * 3 / 4, longestCopy / 4 // every copy of that length holds a whole window
	runes := []rune(query)
	for i := 0; i+window <= len(runes); i += stride {
		piece := string(runes[i : i+window])
		if strings.Contains(goal, piece) {
			continue
		}
		for _, text := range given {
			if strings.Contains(text, piece) {
				return true
			}
		}
	}
	return false
}
