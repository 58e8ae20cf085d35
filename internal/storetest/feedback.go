package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

func markOf(id run.ID, sentence string, o desk.Opinion, note string) desk.Mark {
	m := desk.Mark{Actor: "rita", Run: id, Sentence: sentence, Opinion: o, Note: note}
	if sentence != "" {
		m.Hash = seal.Hash("", sentence)
	}
	return m
}

func (w *World) marked(m desk.Mark) desk.Mark {
	w.t.Helper()
	m, err := w.Feedback.Mark(w.ctx, acme, m)
	w.ok(err)
	return m
}

// marks lists all pages.
func (w *World) marks(tenant access.TenantID, user access.UserID, f desk.MarkFilter) (out []desk.Mark) {
	w.t.Helper()
	for {
		page, err := w.Feedback.Marks(w.ctx, tenant, user, f)
		w.ok(err)
		for _, m := range page.Items {
			out = append(out, m.Mark)
			of, evidence, err := w.Journal.Run(w.ctx, tenant, m.Actor, m.Run)
			w.ok(err)
			if diff := cmp.Diff([]any{of, evidence}, []any{m.Of, m.Evidence}); diff != "" {
				w.t.Fatalf("the run of a mark: %s", diff)
			}
		}
		if f.After = page.Next; f.After == "" {
			return out
		}
	}
}

var feedbackTests = []test{
	{"OneOpinionOnASentenceIsKept", func(t *testing.T, w *World) {
		w.reviewed("run_1", run.Success)
		first := w.marked(markOf("run_1", "a", desk.Wrong, "not so"))
		w.clock.Advance(time.Hour)
		second := w.marked(markOf("run_1", "a", desk.Correct, ""))
		whole := w.marked(markOf("run_1", "", desk.Unclear, "the whole"))
		is(w, "made", second.CreatedAt, first.CreatedAt)
		is(w, "changed", second.UpdatedAt.Sub(first.UpdatedAt) >= time.Hour, true)
		if diff := cmp.Diff([]desk.Mark{second, whole}, w.marks(acme, "rita", desk.MarkFilter{})); diff != "" {
			t.Fatal(diff)
		}
	}},
	{"AMarkIsForOnesOwnRun", func(t *testing.T, w *World) {
		w.reviewed("run_1", run.Success)
		w.marked(markOf("run_1", "a", desk.Wrong, ""))
		for _, who := range []struct {
			tenant access.TenantID
			user   access.UserID
		}{{acme, "carol"}, {globex, "erin"}, {globex, "rita"}, {acme, ""}} {
			m := markOf("run_1", "a", desk.Correct, "")
			m.Actor = who.user
			_, err := w.Feedback.Mark(w.ctx, who.tenant, m)
			same(t, fmt.Sprint(who), err)
			if who.user != "" {
				is(w, "listed", len(w.marks(who.tenant, who.user, desk.MarkFilter{})), 0)
			}
		}
		is(w, "opinion", w.marks(acme, "rita", desk.MarkFilter{})[0].Opinion, desk.Wrong)
		is(w, "of the tenant", len(w.marks(acme, "", desk.MarkFilter{})), 1)
		is(w, "of the other tenant", len(w.marks(globex, "", desk.MarkFilter{})), 0)
	}},
	{"ARunWithoutAnAnswerIsNotMarked", func(_ *testing.T, w *World) {
		w.started("run_1")
		_, err := w.Feedback.Mark(w.ctx, acme, markOf("run_1", "", desk.Wrong, ""))
		w.want(err, "no_answer")
	}},
	{"MarksAreListedOldestFirst", func(t *testing.T, w *World) {
		var want []desk.Mark
		for i := range 3 {
			id := run.ID(fmt.Sprint("run_", i))
			w.reviewed(id, run.Success)
			for k := range 3 {
				want = append(want, w.marked(markOf(id, fmt.Sprint("sentence ", k), desk.Correct, "")))
			}
		}
		for _, size := range []int{1, 2, 4, 100} {
			if diff := cmp.Diff(want, w.marks(acme, "rita", desk.MarkFilter{Limit: size})); diff != "" {
				t.Fatalf("pages of %d: %s", size, diff)
			}
		}
		if diff := cmp.Diff(want[3:6], w.marks(acme, "rita", desk.MarkFilter{Run: "run_1", Limit: 2})); diff != "" {
			t.Fatal(diff)
		}
		_, err := w.Feedback.Marks(w.ctx, acme, "rita", desk.MarkFilter{After: "x"})
		w.want(err, "invalid_cursor")
	}},
	{"ARunHasSoManyMarksAndNoMore", func(_ *testing.T, w *World) {
		w.reviewed("run_1", run.Success)
		for i := range desk.MaxMarks {
			w.marked(markOf("run_1", fmt.Sprint(i), desk.Correct, ""))
		}
		_, err := w.Feedback.Mark(w.ctx, acme, markOf("run_1", "one more", desk.Correct, ""))
		w.want(err, "too_many_marks")
		w.marked(markOf("run_1", "7", desk.Wrong, ""))
	}},
	{"ErasingASourceEmptiesWhatWasSaidOfIt", func(t *testing.T, w *World) {
		d := w.laden("k")
		r, l := w.started("run_1")
		w.leaned(r, l, d, "S1")
		r.State, r.Reason, r.EndedAt = run.Completed, run.Success, w.clock.Now()
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r}))
		before := w.marked(markOf("run_1", "canarysentence61", desk.Wrong, "canarynote62"))
		words := []string{"canarysentence61", "canarynote62"}
		w.found(t, words, true)
		w.ok(w.erase("carol", d.ID))
		w.found(t, words, false)
		before.Sentence, before.Note = "", ""
		if diff := cmp.Diff([]desk.Mark{before}, w.marks(acme, "rita", desk.MarkFilter{})); diff != "" {
			t.Fatal(diff)
		}
		_, err := w.Feedback.Mark(w.ctx, acme, markOf("run_1", "", desk.Wrong, "canarynote63"))
		w.want(err, "no_answer")
	}},
}
