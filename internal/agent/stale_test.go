package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/run"
)

// An answer that is judged again, since some right changed before it was stored, keeps what is to be
// known of it: that it broke off, and that addresses were taken out.
func TestAnAnswerThatIsJudgedAgainKeepsItsNotices(t *testing.T) {
	turn := llmtest.Turn{Text: strings.ReplaceAll(cited, "S1", "C1") + "\n下一步：见 https://collect.example/x [C1]", Finish: llm.Length}
	fixed := agent.Request{Goal: question.Goal, Route: run.FixedRAG}
	plain := newRig(t, nil, turn).ask(alice, fixed)
	r := newRig(t, nil, turn)
	journal := &late{Journal: r.deps.Journal, do: func() {
		check(t, r.db.Admin().PutUser(context.Background(), tenant, "carol", access.Identity{User: "newcomer"}))
	}}
	r.agent.Close()
	r.deps.Journal = journal
	r.agent = agent.New(r.deps)
	t.Cleanup(r.agent.Close)
	got := r.ask(alice, fixed)
	got.want(t, run.Completed, run.Success)
	if journal.stale != 1 || !slices.Contains(got.Notices, "addresses_withheld") || !got.NeedsConfirm {
		t.Errorf("%d stale commits, notices %v, needs confirmation: %v", journal.stale, got.Notices, got.NeedsConfirm)
	}
	if !slices.Equal(plain.Notices, got.Notices) || plain.NeedsConfirm != got.NeedsConfirm || plain.Answer.Text != got.Answer.Text {
		t.Errorf("judged once: %v, again: %v", plain.Notices, got.Notices)
	}
}
