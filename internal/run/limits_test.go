package run_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
	"pgregory.net/rapid"
)

func TestDefaultLimitsAreThoseOfTheContract(t *testing.T) {
	want := run.Limits{
		Steps: 8, Repairs: 1, ToolCalls: 8, SearchPages: 2, PageSize: 5, Documents: 3, TextUnits: 4000, WindowUnits: 2000,
		ContextChars: 32000, Total: 3 * time.Minute, Request: time.Minute,
	}
	if diff := cmp.Diff(want, run.DefaultLimits()); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
}

func n(v int) *int { return &v }

func TestUsageThatWasNotReportedIsNotZero(t *testing.T) {
	var u run.Usage
	u.Sent(3, 1200)
	u.Received(nil, 0)
	u.Sent(4, 1500)
	u.Received(&llm.Usage{}, 0)
	want := run.Usage{Calls: 2, Messages: 7, Characters: 2700}
	if diff := cmp.Diff(want, u); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	raw, err := json.Marshal(u)
	if err != nil {
		t.Fatal(err)
	}
	var wire map[string]any
	if err := json.Unmarshal(raw, &wire); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"prompt_tokens", "completion_tokens", "total_tokens", "estimated_tokens", "cost"} {
		if v, ok := wire[field]; !ok || v != nil {
			t.Errorf("%s is %v (there: %v), want null", field, v, ok)
		}
	}
}

func TestTotalsSayHowManyCallsTheyCover(t *testing.T) {
	var u run.Usage
	for _, r := range []*llm.Usage{
		{Prompt: n(100), Completion: n(20), Total: n(120)},
		nil,
		{Prompt: n(50), Completion: n(5)},
		{Total: n(7)},
		{Prompt: n(1)},
		{Prompt: n(0), Completion: n(0), Total: n(0)},
	} {
		u.Sent(1, 10)
		u.Received(r, 30)
	}
	want := run.Usage{
		Calls: 6, CallsWithUsage: 5, Prompt: n(151), Completion: n(25), Total: n(182), Estimated: n(30), Messages: 6, Characters: 60,
	}
	if diff := cmp.Diff(want, u); diff != "" {
		t.Errorf("usage (-want +got):\n%s", diff)
	}
	if got := u.Tokens(); got != 212 {
		t.Errorf("Tokens() = %d, want 212: reported and estimated", got)
	}
}

func TestAReportedZeroIsAFigure(t *testing.T) {
	var u run.Usage
	u.Received(&llm.Usage{Prompt: n(0), Completion: n(0)}, 50)
	if u.CallsWithUsage != 1 || u.Total == nil || *u.Total != 0 || u.Estimated != nil {
		t.Errorf("usage %+v", u)
	}
}

func TestUsageAddsUpInAnyOrder(t *testing.T) {
	report := rapid.Custom(func(t *rapid.T) *llm.Usage {
		if rapid.Bool().Draw(t, "absent") {
			return nil
		}
		figure := func(name string) *int {
			if rapid.Bool().Draw(t, name+" absent") {
				return nil
			}
			return n(rapid.IntRange(0, 1000).Draw(t, name))
		}
		return &llm.Usage{Prompt: figure("prompt"), Completion: figure("completion"), Total: figure("total")}
	})
	rapid.Check(t, func(t *rapid.T) {
		reports := rapid.SliceOfN(report, 0, 8).Draw(t, "reports")
		var u, v run.Usage
		prompt, some := 0, false
		for _, r := range reports {
			u.Received(r, 5)
			if r != nil && r.Prompt != nil {
				prompt, some = prompt+*r.Prompt, true
			}
		}
		for i := len(reports) - 1; i >= 0; i-- {
			v.Received(reports[i], 5)
		}
		if diff := cmp.Diff(u, v); diff != "" {
			t.Fatalf("order matters:\n%s", diff)
		}
		if (u.Prompt != nil) != some || some && *u.Prompt != prompt {
			t.Fatalf("prompt %v, want %d (reported: %v)", u.Prompt, prompt, some)
		}
	})
}

func TestTotalsDoNotShareTheReportsMemory(t *testing.T) {
	var u run.Usage
	r := llm.Usage{Prompt: n(1), Completion: n(2), Total: n(3)}
	u.Received(&r, 0)
	*r.Prompt, *r.Total = 100, 100
	if *u.Prompt != 1 || *u.Total != 3 {
		t.Errorf("prompt %d, total %d", *u.Prompt, *u.Total)
	}
}
