package agent_test

import (
	"testing"

	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/run"
)

// repeated is an answer that says the same in two sections, and something under next steps.
const repeated = "结论：上海住宿上限为每晚 650 元。[S1]\n依据：上海住宿上限为每晚 650 元。[S1]\n下一步："

// writtenBy is a run of which an engine wrote the answer.
func writtenBy(t *testing.T, engine llm.Engine, text string) ended {
	t.Helper()
	script := llmtest.New(calls(llmtest.Search("上海住宿")), calls(llmtest.Read("doc-travel")), says(text))
	script.Identity.Engine = engine
	return newRig(t, func(d *agent.Deps) { d.Generator, d.Rules = script, nil }).ask(alice, question)
}

func TestAModelsCitedWordsAreCheckedUnderNextStepsToo(t *testing.T) {
	got := writtenBy(t, llm.Model, repeated+"上海住宿上限为每晚 900 元。[S1]")
	got.want(t, run.Completed, run.Success)
	if len(got.Checks) != 2 || got.Checks[0].Verdict != citation.Supported || got.Checks[1].Verdict != citation.Contradicted || !got.NeedsConfirm {
		t.Errorf("needs confirmation: %v, %+v", got.NeedsConfirm, got.Checks)
	}
}

func TestAModelsCitedWordsAreCheckedWhereNothingIsSettled(t *testing.T) {
	got := writtenBy(t, llm.Model, "INSUFFICIENT_EVIDENCE\n上海住宿上限为每晚 900 元。[S1]\n- 缺少：早餐标准")
	got.want(t, run.InsufficientEvidence, run.Insufficient)
	if len(got.Checks) != 1 || got.Checks[0].Verdict != citation.Contradicted || !got.NeedsConfirm {
		t.Errorf("needs confirmation: %v, %+v", got.NeedsConfirm, got.Checks)
	}
}

func TestWhatTheRuleBasedEngineAdvisesIsNoClaimAndFromAModelItIs(t *testing.T) {
	const advice = "打开原文，核对摘录之外的内容 [S1]"
	for engine, want := range map[llm.Engine]int{llm.Rules: 1, llm.Model: 2} {
		got := writtenBy(t, engine, repeated+advice)
		got.want(t, run.Completed, run.Success)
		if len(got.Checks) != want || got.Checks[0].Verdict != citation.Supported {
			t.Errorf("%s: %+v", engine, got.Checks)
		}
	}
}
