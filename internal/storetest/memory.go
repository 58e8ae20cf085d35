package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// asked stores a run of a user in a conversation.
func (w *World) asked(user access.UserID, conversation, goal string) *run.Run {
	w.t.Helper()
	r := w.newRun(run.ID(fmt.Sprint("run_", w.clock.Now().UnixNano())))
	r.Actor, r.Tenant, r.Conversation, r.Goal = user, tenantOf(user), conversation, goal
	w.ok(w.Journal.Create(w.ctx, r, nil))
	return r
}

// conversations lists all pages of a user's conversations.
func (w *World) conversations(user access.UserID, size int) (out []memory.Conversation) {
	w.t.Helper()
	f := memory.Filter{Limit: size}
	for {
		list, next, err := w.Memory.Conversations(w.ctx, tenantOf(user), user, f)
		w.ok(err)
		out = append(out, list...)
		if f.After = next; next == "" {
			return out
		}
	}
}

var memoryTests = []test{
	{"ASummaryIsKeptAndReplaced", func(t *testing.T, w *World) {
		before := w.clock.Now()
		w.ok(w.Memory.Remember(w.ctx, acme, "rita", memory.Memory{Conversation: "c", Summary: "上海 住宿"}))
		w.ok(w.Memory.Remember(w.ctx, acme, "rita", memory.Memory{Conversation: "c", Summary: "报销"}))
		m, err := w.Memory.Memory(w.ctx, acme, "rita", "c")
		w.ok(err)
		is(w, "summary", m.Summary, "报销")
		is(w, "conversation", m.Conversation, "c")
		is(w, "time", m.UpdatedAt.After(before) && m.UpdatedAt.Before(w.clock.Now()), true)
	}},
	{"AMemoryIsNobodyElses", func(t *testing.T, w *World) {
		w.ok(w.Memory.Remember(w.ctx, acme, "rita", memory.Memory{Conversation: "c", Summary: "rita's"}))
		w.ok(w.Memory.Remember(w.ctx, acme, "mia", memory.Memory{Conversation: "c", Summary: "mia's"}))
		for _, who := range []struct {
			tenant       access.TenantID
			user         access.UserID
			conversation string
		}{{acme, "carol", "c"}, {acme, "olga", "c"}, {globex, "rita", "c"}, {globex, "erin", "c"}, {acme, "rita", "other"}, {acme, "", "c"}} {
			_, err := w.Memory.Memory(w.ctx, who.tenant, who.user, who.conversation)
			same(t, fmt.Sprint("Memory ", who), err)
			same(t, fmt.Sprint("Erase ", who), w.Memory.Erase(w.ctx, who.tenant, who.user, who.conversation))
		}
		for user, want := range map[access.UserID]string{"rita": "rita's", "mia": "mia's"} {
			m, err := w.Memory.Memory(w.ctx, acme, user, "c")
			w.ok(err)
			is(w, "summary", m.Summary, want)
		}
	}},
	{"ASummaryHasAtMostFiveHundredCodePoints", func(_ *testing.T, w *World) {
		w.ok(w.Memory.Remember(w.ctx, acme, "rita", memory.Memory{Conversation: "c", Summary: strings.Repeat("字", 500)}))
		for _, long := range []string{strings.Repeat("字", 501), strings.Repeat("a", 501), strings.Repeat("字", 500) + "a"} {
			err := w.Memory.Remember(w.ctx, acme, "rita", memory.Memory{Conversation: "c", Summary: long})
			w.want(err, "too_long")
			is(w, "kind", problem.KindOf(err), problem.Invalid)
		}
		m, err := w.Memory.Memory(w.ctx, acme, "rita", "c")
		w.ok(err)
		is(w, "summary", m.Summary, strings.Repeat("字", 500))
	}},
	{"AMemoryNeedsAnActorAndAConversation", func(t *testing.T, w *World) {
		same(t, "of nobody", w.Memory.Remember(w.ctx, acme, "nobody", memory.Memory{Conversation: "c"}))
		same(t, "of another tenant", w.Memory.Remember(w.ctx, globex, "rita", memory.Memory{Conversation: "c"}))
		w.want(w.Memory.Remember(w.ctx, acme, "rita", memory.Memory{}), "no_conversation")
	}},
	{"AnErasedSummaryIsNowhereAndTheRunsStay", func(t *testing.T, w *World) {
		r := w.asked("rita", "c", "上海住宿标准?")
		w.ok(w.Memory.Remember(w.ctx, acme, "rita", memory.Memory{Conversation: "c", Summary: "canarymemory77"}))
		w.found(t, []string{"canarymemory77"}, true)
		w.ok(w.Memory.Erase(w.ctx, acme, "rita", "c"))
		w.found(t, []string{"canarymemory77"}, false)
		_, err := w.Memory.Memory(w.ctx, acme, "rita", "c")
		same(t, "Memory", err)
		same(t, "Erase again", w.Memory.Erase(w.ctx, acme, "rita", "c"))
		is(w, "goal", w.stored(r.ID).Goal, "上海住宿标准?")
		is(w, "conversations", len(w.conversations("rita", 10)), 1)
	}},
	{"ConversationsAreListedNewestFirst", func(t *testing.T, w *World) {
		var first, last = map[string]*run.Run{}, map[string]*run.Run{}
		runs := map[string]int{}
		for _, c := range []string{"a", "b", "c", "a", "d", "b", "a"} {
			r := w.asked("rita", c, fmt.Sprint("question ", runs[c], " of ", c))
			if runs[c]++; first[c] == nil {
				first[c] = r
			}
			last[c] = r
		}
		w.asked("rita", "", "no conversation")
		w.asked("mia", "a", "mia's")
		w.asked("erin", "a", "erin's")
		var want []memory.Conversation
		for _, c := range []string{"a", "b", "d", "c"} {
			want = append(want, memory.Conversation{ID: c, Title: first[c].Goal, Runs: runs[c], UpdatedAt: last[c].CreatedAt})
		}
		for _, size := range []int{1, 2, 3, 4, 100} {
			if d := cmp.Diff(want, w.conversations("rita", size)); d != "" {
				t.Fatalf("pages of %d: %s", size, d)
			}
		}
		is(w, "of somebody who never asked", len(w.conversations("olga", 10)), 0)
		_, _, err := w.Memory.Conversations(w.ctx, acme, "rita", memory.Filter{After: "x"})
		w.want(err, "invalid_cursor")
	}},
	{"ATitleIsCutShort", func(_ *testing.T, w *World) {
		w.asked("rita", "c", strings.Repeat("字", 300))
		title := []rune(w.conversations("rita", 1)[0].Title)
		is(w, "title", string(title), strings.Repeat("字", len(title)-1)+"…")
		is(w, "short", len(title) <= 80, true)
	}},
	{"EqualTimesAreTornApartByNoPage", func(t *testing.T, w *World) {
		at := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
		for i := range 7 {
			r := w.newRun(run.ID(fmt.Sprint("run_", i)))
			r.Conversation, r.CreatedAt = fmt.Sprint("c", i), at
			w.ok(w.Journal.Create(w.ctx, r, nil))
		}
		seen := map[string]bool{}
		for _, c := range w.conversations("rita", 2) {
			if seen[c.ID] {
				t.Errorf("%s is listed twice", c.ID)
			}
			seen[c.ID] = true
		}
		is(w, "listed", len(seen), 7)
	}},
}
