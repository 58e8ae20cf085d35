package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// answered is a run that searched, read, was repaired once and answered.
func answered(t *testing.T) agent.Past {
	t.Helper()
	return answering(t)()
}

// answering has such a run and reads it as often as is wanted.
func answering(t *testing.T) func() agent.Past {
	t.Helper()
	r := newRig(t, nil, calls(llmtest.Search("上海住宿")), calls(llmtest.Read("doc-travel")), says("650 元 [S9]"), says(cited))
	got := r.ask(alice, question)
	got.want(t, run.Completed, run.Success)
	return func() agent.Past { return r.past(alice, got.ID) }
}

func replay(t *testing.T, past agent.Past) *agent.Difference {
	t.Helper()
	d, err := agent.Replay(context.Background(), past)
	check(t, err)
	return d
}

func TestEveryExchangeOfARunIsRecorded(t *testing.T) {
	past := answered(t)
	var kinds []string
	for _, r := range past.Tape {
		switch {
		case r.Began != nil:
			kinds = append(kinds, "began")
		case r.Turn != nil:
			kinds = append(kinds, "turn")
		case r.Tool != nil:
			kinds = append(kinds, r.Tool.Outcome.Spec.Name)
		}
		if r.Attempt != 1 || r.Erased || r.Altered || len(r.Hash) != 64 {
			t.Errorf("%+v", r)
		}
	}
	if got := strings.Join(kinds, " "); got != "began turn search_knowledge turn read_document turn turn" {
		t.Errorf("recorded: %s", got)
	}
	hash := ""
	for _, r := range past.Tape {
		hash = run.Fold(hash, r.Hash)
	}
	if hash != past.Run.TapeHash {
		t.Errorf("the run's hash of its recordings is %s, want %s", past.Run.TapeHash, hash)
	}
	prompts := run.Prompts(past.Tape)
	last := prompts[len(prompts)-1]
	if len(last) != 8 || last[0].Role != llm.System || !strings.Contains(last[1].Text, question.Goal) || !strings.Contains(last[7].Text, "未被接受") {
		t.Errorf("the last prompt is %+v", last)
	}
	if prompts[0] != nil || len(prompts[1]) != 2 {
		t.Errorf("the prompts are %d and %d messages long", len(prompts[0]), len(prompts[1]))
	}
}

func TestReplayingTwiceChangesNothing(t *testing.T) {
	past := answered(t)
	for range 2 {
		if d := replay(t, past); d != nil {
			t.Errorf("%v", d)
		}
	}
}

func TestTheFirstDifferenceIsNamed(t *testing.T) {
	turn := func(p *agent.Past, n int) *run.Turn {
		for i := range p.Tape {
			if p.Tape[i].Turn != nil {
				if n--; n == 0 {
					return p.Tape[i].Turn
				}
			}
		}
		return nil
	}
	call := func(p *agent.Past, name string) *run.ToolCall {
		for i := range p.Tape {
			if c := p.Tape[i].Tool; c != nil && c.Outcome.Spec.Name == name {
				return c
			}
		}
		return nil
	}
	tests := map[string]struct {
		change func(*agent.Past)
		what   string
	}{
		"another answer of the model": {func(p *agent.Past) {
			turn(p, 4).Response.Message.Text = strings.ReplaceAll(cited, "650", "651")
		}, "answer"},
		"an answer that cites nothing": {func(p *agent.Past) { turn(p, 4).Response.Message.Text = "650" }, "state"},
		"another call of the model":    {func(p *agent.Past) { turn(p, 2).Response.Message.Calls[0].Arguments = `{"document_id":"doc-leave"}` }, "tool call 2"},
		"another result of a search":   {func(p *agent.Past) { call(p, "search_knowledge").Outcome.Result.Content = []byte(`{"ok":true}`) }, "prompt 2"},
		"another passage":              {func(p *agent.Past) { call(p, "read_document").Outcome.Result.Passages[0].Text = "北京" }, "prompt 3"},
		"another prompt":               {func(p *agent.Past) { turn(p, 1).Hash = strings.Repeat("0", 64) }, "prompt 1"},
		"another memory":               {func(p *agent.Past) { p.Tape[0].Began.Memory = "报销" }, "prompt 1"},
		"another goal":                 {func(p *agent.Past) { p.Run.Goal = "北京住宿上限是多少？" }, "prompt 1"},
		"a model that failed":          {func(p *agent.Past) { turn(p, 4).Response, turn(p, 4).Failure = nil, run.ModelTimeout }, "state"},
		"a turn that is missing":       {func(p *agent.Past) { p.Tape = p.Tape[:len(p.Tape)-1] }, "state"},
		"a call that is missing":       {func(p *agent.Past) { p.Tape = p.Tape[:4] }, "state"},
		"another stored answer":        {func(p *agent.Past) { p.Run.Answer.Text += "。" }, "answer"},
		"another stored section":       {func(p *agent.Past) { p.Run.Answer.Sections.NextSteps = "x" }, "answer's parts"},
		"another stored state":         {func(p *agent.Past) { p.Run.State = run.AwaitingReview }, "state"},
		"another stored reason":        {func(p *agent.Past) { p.Run.Reason = run.DraftReady }, "finish_reason"},
		"another stored check":         {func(p *agent.Past) { p.Run.Checks[0].Verdict = citation.Contradicted }, "check 1"},
		"one stored check less":        {func(p *agent.Past) { p.Run.Checks = p.Run.Checks[1:] }, "checks"},
		"another stored excerpt":       {func(p *agent.Past) { p.Evidence[0].Excerpt += "x" }, "excerpt of S1"},
		"another stored version":       {func(p *agent.Past) { p.Evidence[0].Version++ }, "evidence S1"},
		"evidence that is missing":     {func(p *agent.Past) { p.Evidence = nil }, "pieces of evidence"},
		"another stored call":          {func(p *agent.Past) { p.Run.Calls[0].ResultHash = "x" }, "tool calls"},
		"another notice":               {func(p *agent.Past) { p.Run.Notices = []string{"x"} }, "notices"},
		"another prompt hash":          {func(p *agent.Past) { p.Run.PromptHash = "x" }, "prompt_hash"},
		"a need to confirm":            {func(p *agent.Past) { p.Run.NeedsConfirm = !p.Run.NeedsConfirm }, "needs_confirmation"},
		"another hash of recordings":   {func(p *agent.Past) { p.Run.TapeHash = "x" }, "recording_hash"},
		"a record that was rewritten":  {func(p *agent.Past) { p.Tape[2].Altered = true }, "recording 3"},
		"a record that was emptied":    {func(p *agent.Past) { p.Tape[0] = run.Recorded{Hash: p.Tape[0].Hash, Altered: true} }, "recording 1"},
	}
	read := answering(t)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			past := read()
			tt.change(&past)
			d := replay(t, past)
			if d == nil || d.What != tt.what {
				t.Fatalf("the first difference is %v, want one of %s", d, tt.what)
			}
			for _, text := range []string{"元", "上海", "住宿", "北京"} {
				if strings.Contains(d.String(), text) {
					t.Errorf("the difference tells text: %v", d)
				}
			}
		})
	}
}

func TestWhatCannotBeReplayedSaysWhy(t *testing.T) {
	read := answering(t)
	for name, change := range map[string]func(*agent.Past){
		"under way":    func(p *agent.Past) { p.Run.State = run.Running },
		"publishing":   func(p *agent.Past) { p.Run.Kind = run.ForPublish },
		"acting":       func(p *agent.Past) { p.Run.Kind = run.ForAction },
		"not recorded": func(p *agent.Past) { p.Tape = nil },
		"erased":       func(p *agent.Past) { p.Tape[3].Erased = true },
		"broken":       func(p *agent.Past) { p.Run.Reason = run.InternalFault },
	} {
		past := read()
		change(&past)
		if _, err := agent.Replay(context.Background(), past); problem.CodeOf(err) != "not_replayable" || !problem.Is(err, problem.Conflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestARunThatLeanedOnItsMemoryIsReplayedWithTheMemoryOfThen(t *testing.T) {
	r := newRig(t, nil, says("差旅的说明 [C1]"))
	ctx := context.Background()
	check(t, r.db.Memory().Remember(ctx, tenant, alice, memory.Memory{Conversation: "c", Summary: "上海住宿"}))
	got := r.ask(alice, agent.Request{Goal: "那报销呢？", Conversation: "c", Route: run.FixedRAG})
	check(t, r.db.Memory().Erase(ctx, tenant, alice, "c"))
	r.replay(alice, got.ID)
	if m := r.past(alice, got.ID).Tape[0].Began.Memory; !strings.Contains(m, "住宿") {
		t.Errorf("the memory that was recorded is %q", m)
	}
}

func TestAFallbackIsReplayedWithoutTheModel(t *testing.T) {
	r := newRig(t, nil, llmtest.Turn{Err: problem.New(problem.Unavailable, "model_error", "gone")})
	req := question
	req.RulesFallback = true
	got := r.ask(alice, req)
	got.want(t, run.Completed, run.Success)
	if got.Model.Engine != llm.Rules {
		t.Errorf("the engine is %v", got.Model)
	}
	r.replay(alice, got.ID)
}

func TestStrangeBytesOfAModelAreReplayed(t *testing.T) {
	r := newRig(t, nil, llmtest.Turn{Calls: []llm.ToolCall{llmtest.Search("<上海 & 住宿>\u2028")}, State: []byte(`{"reasoning": "<a> & \u2028 b"}`)},
		calls(llmtest.Read("doc-travel")), says("<b>650 元</b> [S1]\u2028"), says(cited))
	got := r.ask(alice, question)
	r.replay(alice, got.ID)
}
