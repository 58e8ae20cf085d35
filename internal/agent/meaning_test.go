package agent_test

import (
	"context"
	"slices"
	"testing"

	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// wordsOnly is a search whose other leg failed.
type wordsOnly struct{ tool.Tool }

func (s wordsOnly) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	res, err := s.Tool.Call(ctx, c)
	if res.Search != nil {
		res.Search.WordsOnly = true
	}
	return res, err
}

// TestAnAnswerSaysThatItWasFoundByWordsAlone also replays the run from its recordings, as the rig
// does with every run.
func TestAnAnswerSaysThatItWasFoundByWordsAlone(t *testing.T) {
	for _, failed := range []bool{true, false} {
		r := newRig(t, nil, llmtest.Turn{Text: "上海住宿上限为每晚 650 元。[C1]"})
		if failed {
			r.search.Tool = wordsOnly{r.search.Tool}
		}
		e := r.ask("alice", agent.Request{Goal: "上海住宿上限", Route: run.FixedRAG})
		if e.State != run.Completed || slices.Contains(e.Notices, "words_only") != failed || e.Searches[0].WordsOnly != failed {
			t.Errorf("failed %v: %s with notices %v, searches %+v", failed, e.State, e.Notices, e.Searches)
		}
	}
}

// unranked is a search whose reranker failed.
type unranked struct{ tool.Tool }

func (s unranked) Call(ctx context.Context, c tool.Call) (tool.Result, error) {
	res, err := s.Tool.Call(ctx, c)
	if res.Search != nil {
		res.Search.NotReranked = true
	}
	return res, err
}

func TestAnAnswerSaysThatItsHitsWereNotReranked(t *testing.T) {
	for _, failed := range []bool{true, false} {
		r := newRig(t, nil, llmtest.Turn{Text: "上海住宿上限为每晚 650 元。[C1]"})
		if failed {
			r.search.Tool = unranked{r.search.Tool}
		}
		e := r.ask("alice", agent.Request{Goal: "上海住宿上限", Route: run.FixedRAG})
		if e.State != run.Completed || slices.Contains(e.Notices, "not_reranked") != failed || slices.Contains(e.Notices, "words_only") || e.Searches[0].NotReranked != failed {
			t.Errorf("failed %v: %s with notices %v, searches %+v", failed, e.State, e.Notices, e.Searches)
		}
	}
}
