package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/run"
)

func TestASummarySearchesForItsTopicAlone(t *testing.T) {
	for _, goal := range []string{"请帮我总结一下上海住宿", "上海住宿的主要内容有哪些？", "Give me a short summary of 上海住宿"} {
		r := newRig(t, nil, says("上海住宿上限为每晚 650 元。[C1]"))
		got := r.ask(alice, agent.Request{Goal: goal})
		got.want(t, run.Completed, run.Success)
		if got.Route != run.Summary || got.Use.SearchPages != 1 {
			t.Errorf("%s: route %s, %d searches", goal, got.Route, got.Use.SearchPages)
		}
		if text := r.script.Requests()[0].Messages[0].Text; !strings.Contains(text, "\nmode: summary\n") {
			t.Errorf("%s: the model is not told that a summary is asked for: %s", goal, text)
		}
		searched := ""
		for _, e := range got.events {
			var data struct {
				Args struct{ Query string }
			}
			if e.Type == event.ToolStarted && json.Unmarshal(e.Data, &data) == nil {
				searched = data.Args.Query
			}
		}
		if searched != "上海住宿" {
			t.Errorf("%s: searched for %q", goal, searched)
		}
	}
}

func TestFixedRetrievalThatIsAskedForSearchesForTheWholeGoal(t *testing.T) {
	r := newRig(t, nil, says("上海住宿上限为每晚 650 元。[C1]"))
	got := r.ask(alice, agent.Request{Goal: "总结上海住宿", Route: run.FixedRAG})
	if got.Route != run.FixedRAG || strings.Contains(r.script.Requests()[0].Messages[0].Text, "mode: summary") {
		t.Errorf("route %s: %s", got.Route, r.script.Requests()[0].Messages[0].Text)
	}
}
