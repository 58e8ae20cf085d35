package agent_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/run"
)

// held holds what is stored of a run against the entry of the end of its last attempt: whatever happened on
// its way, nothing was changed since.
func (r *rig) held(got *run.Run, evidence []citation.Evidence) {
	r.t.Helper()
	entries, err := r.db.Ledger().OfRun(context.Background(), string(tenant), string(got.ID))
	check(r.t, err)
	if held := run.ToldOf(entries, got.Attempt).Hold(got, evidence, false); !held.Verified() {
		r.t.Errorf("a run that ended %s (%s) is called changed: %+v", got.State, got.Reason, held)
	}
}

// why is what alice is told of her run, by the desk over the store.
func (r *rig) why(id run.ID) desk.Why {
	r.t.Helper()
	db := r.db
	d := desk.New(desk.Deps{
		Directory: db.Directory(), Catalog: db.Catalog(), Texts: db.Texts(), Journal: db.Journal(), Events: db.Events(), Ledger: db.Ledger(),
		Trees: db.Proof(), Tapes: db.Proof(),
	})
	why, err := d.Why(context.Background(), access.Actor{Tenant: tenant, User: alice}, id)
	check(r.t, err)
	return why
}

func TestARunThatLostASourceOnItsWayIsNotCalledChanged(t *testing.T) {
	for _, pause := range []bool{false, true} {
		r, p := puppetRig(t, nil)
		id := readTravel(r, p)
		p.turn <- calls(llmtest.Read("doc-expense"))
		<-p.asked
		if pause {
			r.restart()
		}
		r.deny("doc-travel")
		if pause {
			r.resume(alice, id)
		} else {
			p.turn <- says(cited) // it is not used
		}
		<-p.asked
		p.turn <- says("结论：报销需要在 30 天内提交发票。[S2]\n依据：报销需要在 30 天内提交发票。[S2]")
		got := r.through(id)
		if got.State != run.Completed || len(got.evidence) != 2 || !slices.Equal(got.Answer.Refs, []string{"S2"}) {
			t.Fatalf("paused %v: %s (%s) with %d passages, cited %v", pause, got.State, got.Reason, len(got.evidence), got.Answer.Refs)
		}
		if held := *r.why(id).Integrity; held.Changed() || held.Verified() {
			t.Errorf("paused %v, without the right: %+v", pause, held)
		}
		r.allow("doc-travel")
		if held := *r.why(id).Integrity; !held.Verified() {
			t.Errorf("paused %v, with the right again: %+v", pause, held)
		}
	}
}

// A run can't tell that what it names was there: neither to whoever asked, who was never allowed to see it, nor
// by being called changed.
func TestErasingADocumentTellsNothingToWhoeverOnlyNamedIt(t *testing.T) {
	for _, lost := range []bool{false, true} {
		r, p := puppetRig(t, nil)
		r.deny("doc-expense")
		id := r.start(alice, agent.Request{Goal: `What does {"document_id":"doc-expense"} say?`})
		<-p.asked
		p.turn <- calls(llmtest.Search("上海住宿"))
		<-p.asked
		p.turn <- calls(llmtest.Read("doc-travel"))
		<-p.asked
		if lost {
			r.deny("doc-travel")
			p.turn <- says(cited) // it is not used
			<-p.asked
		}
		p.turn <- calls(llmtest.Read("doc-expense"))
		got := r.through(id)
		if lost != slices.Contains(got.Notices, run.ScopeChanged) || got.Reason != run.OutOfScope {
			t.Fatalf("lost %v: %s, %v", lost, got.Reason, got.Notices)
		}
		told := func() string {
			t.Helper()
			raw, err := json.Marshal(r.why(id))
			check(t, err)
			return string(raw)
		}
		before := told()
		if !strings.Contains(before, "doc-expense") || r.why(id).Integrity.Changed() {
			t.Fatalf("lost %v: %s", lost, before)
		}
		check(t, manage(context.Background(), r.db, func(s access.Scope) error { return r.db.Catalog().Erase(context.Background(), s, "doc-expense") }))
		if d := cmp.Diff(before, told()); d != "" {
			t.Errorf("lost %v: %s", lost, d)
		}
	}
}
