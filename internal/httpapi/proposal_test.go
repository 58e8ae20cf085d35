package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
)

func TestApprovedProposalPublishesOnce(t *testing.T) {
	w, first, second := office(t)
	p := w.propose("carol", second)
	want := api.ProposalSummary{
		From:       &api.ProposalVersion{DocumentID: first, Version: 1, Checksum: w.document(first).Checksum, Size: w.document(first).Size},
		To:         api.ProposalVersion{DocumentID: second, Version: 2, Checksum: w.document(second).Checksum, Size: w.document(second).Size},
		DiffCounts: api.DiffCounts{SectionsAdded: 1, SectionsChanged: 1, LinesAdded: 3, LinesRemoved: 2, NumbersChanged: 1},
	}
	if diff := cmp.Diff(want, *p.Summary); diff != "" {
		t.Error(diff)
	}
	if p.Status != "pending" || p.LockVersion != w.document(second).LockVersion || p.RunID == "" || p.DocumentID != second || p.ExpiresAt.Sub(p.CreatedAt) != approval.Lifetime {
		t.Errorf("%+v", p)
	}
	if got := w.reason("carol", p.RunID); got != "waiting_for_human " {
		t.Errorf("the run is %s", got)
	}
	got := expect[api.Decided](w, "carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusOK)
	if got.Status != "published" || got.ProposalID != p.ProposalID || got.RunID != p.RunID || got.DocumentID != second || got.LockVersion != w.document(second).LockVersion || got.LockVersion <= p.LockVersion {
		t.Errorf("%+v", got)
	}
	if w.document(second).Status != "published" || w.document(first).Status != "archived" || w.reason("carol", p.RunID) != "completed success" {
		t.Errorf("%s %s %s", w.document(first).Status, w.document(second).Status, w.reason("carol", p.RunID))
	}
	for _, path := range []string{decisions(p.ProposalID), "/api/approvals/" + p.ProposalID + "/decisions"} {
		for _, body := range []string{`{"approved":true}`, `{"approved":false}`} {
			w.refusal("carol", "POST", path, body, http.StatusConflict, "already_decided")
		}
	}
}

func TestDeclinedProposalLeavesTheDocumentAsItIs(t *testing.T) {
	w, first, second := office(t)
	before := w.document(second)
	p := w.propose("carol", second)
	got := expect[api.Decided](w, "carol", "POST", "/api/approvals/"+p.ApprovalID+"/decisions", `{"approved":false}`, http.StatusOK)
	if got.Status != "cancelled" || got.LockVersion != before.LockVersion {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff(before, w.document(second)); diff != "" || w.document(first).Status != "published" {
		t.Error(diff)
	}
	if got := w.reason("carol", p.RunID); got != "completed cancelled" {
		t.Error(got)
	}
}

func TestChangedDocumentIsAConflict(t *testing.T) {
	for name, change := range map[string]func(w *world, first, second string){
		"its title": func(w *world, _, second string) {
			expect[api.Document](w, "alice", "PATCH", "/api/documents/"+second, `{"title":"Other"}`, http.StatusOK)
		},
		"another version came": func(w *world, _, _ string) { w.add("kb-a", "travel.txt|Third.") },
		"another version was archived": func(w *world, first, _ string) {
			expect[api.Document](w, "alice", "POST", "/api/documents/"+first+"/archive", "", http.StatusOK)
		},
		"another version was deleted": func(w *world, first, _ string) { w.send("alice", "DELETE", "/api/documents/"+first, "") },
	} {
		t.Run(name, func(t *testing.T) {
			w, first, second := office(t)
			p := w.propose("carol", second)
			change(w, first, second)
			w.refusal("carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusConflict, "lock_conflict")
			if got := w.document(second).Status; got != "draft" {
				t.Errorf("the document is %s", got)
			}
			if got := w.reason("carol", p.RunID); got != "completed conflict" {
				t.Error(got)
			}
			w.refusal("carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusConflict, "already_decided")
			again := w.propose("carol", second)
			expect[api.Decided](w, "carol", "POST", decisions(again.ProposalID), `{"approved":true}`, http.StatusOK)
		})
	}
}

func TestClockDecidesWhetherItIsTooLate(t *testing.T) {
	for _, c := range []struct {
		after  time.Duration
		status int
	}{
		{0, 200}, {899 * time.Second, 200}, {900*time.Second - time.Microsecond, 200}, {900 * time.Second, 410}, {901 * time.Second, 410}, {100 * time.Hour, 410}, {-time.Hour, 200},
	} {
		t.Run(c.after.String(), func(t *testing.T) {
			w, _, second := office(t)
			began := time.Now().Truncate(time.Second)
			w.set(began)
			p := w.propose("carol", second)
			w.set(began.Add(c.after))
			if c.status == 200 {
				expect[api.Decided](w, "carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusOK)
				return
			}
			w.refusal("carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusGone, "proposal_expired")
			// Setting the clock back revives nothing.
			w.set(began)
			w.refusal("carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusGone, "proposal_expired")
			if got := expect[api.Proposal](w, "carol", "GET", "/api/publish-proposals/"+p.ProposalID, "", http.StatusOK); got.Status != "expired" || got.Approved != nil {
				t.Errorf("%+v", got)
			}
			if w.document(second).Status != "draft" || w.reason("carol", p.RunID) != "completed expired" {
				t.Errorf("%s, %s", w.document(second).Status, w.reason("carol", p.RunID))
			}
		})
	}
}

func TestDecisionBodyIsStrict(t *testing.T) {
	w, first, second := office(t)
	p := w.propose("carol", second)
	before := w.kept(first, second)
	for name, c := range map[string]struct {
		body   string
		status int
	}{
		"text":               {`{"approved":"true"}`, 422},
		"text no":            {`{"approved":"false"}`, 422},
		"number":             {`{"approved":1}`, 422},
		"zero":               {`{"approved":0}`, 422},
		"null":               {`{"approved":null}`, 422},
		"list":               {`{"approved":[true]}`, 422},
		"object":             {`{"approved":{"value":true}}`, 422},
		"missing":            {`{}`, 422},
		"another case":       {`{"Approved":true}`, 422},
		"another case too":   {`{"approved":false,"Approved":true}`, 400},
		"long s":             {`{"a\u017fproved":true}`, 422},
		"extra":              {`{"approved":true,"status":"published"}`, 422},
		"identity":           {`{"approved":true,"user_id":"alice"}`, 422},
		"a lock":             {`{"approved":true,"lock_version":1}`, 422},
		"alone":              {`true`, 422},
		"a list of it":       {`[{"approved":true}]`, 422},
		"words":              {`"我确认发布"`, 422},
		"duplicate":          {`{"approved":false,"approved":true}`, 400},
		"escaped duplicate":  {`{"approved":false,"\u0061pproved":true}`, 400},
		"upper-case literal": {`{"approved":True}`, 400},
		"two":                {`{"approved":true}{"approved":true}`, 400},
		"cut off":            {`{"approved":true`, 400},
		"empty":              {``, 400},
		"form":               {`approved=true`, 400},
	} {
		for _, path := range []string{decisions(p.ProposalID), "/api/approvals/" + p.ProposalID + "/decisions"} {
			if rec := w.send("carol", "POST", path, c.body); rec.Code != c.status {
				t.Errorf("%s: %d, want %d: %s", name, rec.Code, c.status, rec.Body)
			}
		}
	}
	for _, path := range []string{"?approved=true", "?confirm=1"} {
		if rec := w.send("carol", "POST", decisions(p.ProposalID)+path, `{}`); rec.Code != 422 {
			t.Errorf("%s: %d", path, rec.Code)
		}
		if rec := w.send("carol", "GET", decisions(p.ProposalID)+path, ""); rec.Code != http.StatusMethodNotAllowed {
			t.Errorf("GET %s: %d", path, rec.Code)
		}
	}
	if after := w.kept(first, second); after != before {
		t.Errorf("something changed: %s", cmp.Diff(before, after))
	}
}

func TestTwoDecidersAtOncePublishOnce(t *testing.T) {
	w, _, second := office(t)
	for round := range 4 {
		p := w.propose("carol", second)
		before := w.document(second).LockVersion
		var group sync.WaitGroup
		codes := make([]int, 8)
		for i := range codes {
			group.Go(func() {
				body := fmt.Sprintf(`{"approved":%v}`, i%2 == 0)
				codes[i] = w.send("carol", "POST", decisions(p.ProposalID), body).Code
			})
		}
		group.Wait()
		slices.Sort(codes)
		if codes[0] != 200 || codes[1] != 409 || codes[7] != 409 {
			t.Fatalf("round %d: %v", round, codes)
		}
		got := expect[api.Proposal](w, "carol", "GET", "/api/publish-proposals/"+p.ProposalID, "", http.StatusOK)
		rise := w.document(second).LockVersion - before
		if *got.Approved != (got.Status == "published") || (got.Status == "published") != (rise == 1) || rise > 1 {
			t.Fatalf("round %d: %s, lock version rose by %d", round, got.Status, rise)
		}
		entries := expect[api.List[api.Entry]](w, "dave", "GET", "/api/ledger?limit=200&run_id="+p.RunID, "", http.StatusOK)
		var kinds []string
		for _, e := range entries.Items {
			kinds = append(kinds, e.Kind)
		}
		want := []string{"proposal.made", "proposal.ended", "document.published"}
		if got.Status != "published" {
			want = want[:2]
		}
		kinds = slices.DeleteFunc(kinds, func(k string) bool { return k == "run.ended" })
		if diff := cmp.Diff(want, kinds); diff != "" {
			t.Fatalf("round %d: %s", round, diff)
		}
	}
}

func TestNobodyElseProposesOrDecides(t *testing.T) {
	w, first, second := office(t)
	p := w.propose("carol", second)
	before := w.kept(first, second)
	// Alice manages and is no administrator; Carl is one, and did not propose; the robot is a
	// service account, whose credential is never one for deciding.
	for who, status := range map[string]int{"alice": 404, "bob": 404, "carl": 404, "robot": 403, "dave": 404, "erin": 404} {
		for _, body := range []string{`{"approved":true}`, `{"approved":false}`} {
			if own, unknown := w.send(who, "POST", decisions(p.ProposalID), body), w.send(who, "POST", decisions("prop_zzz"), body); own.Code != status || picture(own) != picture(unknown) {
				t.Errorf("%s decides: %s\nunknown: %s", who, picture(own), picture(unknown))
			}
		}
		for _, path := range []string{"/api/publish-proposals/", "/api/approvals/"} {
			if own, unknown := w.send(who, "GET", path+p.ProposalID, ""), w.send(who, "GET", path+"prop_zzz", ""); own.Code != 404 || picture(own) != picture(unknown) {
				t.Errorf("%s looks: %s", who, picture(own))
			}
		}
		if list := w.send(who, "GET", "/api/approvals", "").Body.String(); strings.Contains(list, p.ProposalID) {
			t.Errorf("%s lists it", who)
		}
		if who == "carl" {
			continue
		}
		for _, id := range []string{first, second} {
			known, unknown := w.send(who, "POST", "/api/documents/"+id+"/publish-proposals", ""), w.send(who, "POST", "/api/documents/doc_zzz/publish-proposals", "")
			if known.Code != status || picture(known) != picture(unknown) {
				t.Errorf("%s proposes: %s", who, picture(known))
			}
		}
	}
	if after := w.kept(first, second); after != before {
		t.Errorf("something changed: %s", cmp.Diff(before, after))
	}
}

func TestRightsAreCheckedAgainAtTheDecision(t *testing.T) {
	for name, take := range map[string]func(w *world, second string){
		"the role": func(w *world, _ string) {
			must(w.t, w.db.Admin().PutUser(w.t.Context(), acme, "operator", access.Identity{User: "carol", Roles: []access.Role{access.Member}}))
		},
		"the grant":       func(w *world, _ string) { w.grant("kb-a", "user:alice", "manager") },
		"the right write": func(w *world, _ string) { w.grant("kb-a", "user:alice", "manager", "user:carol", "reader") },
		"the document": func(w *world, second string) {
			expect[api.Document](w, "alice", "PATCH", "/api/documents/"+second, `{"access_policy":{"deny":["user:carol"]}}`, http.StatusOK)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, first, second := office(t)
			p := w.propose("carol", second)
			take(w, second)
			for _, approved := range []string{"true", "false"} {
				w.refusal("carol", "POST", decisions(p.ProposalID), `{"approved":`+approved+`}`, http.StatusNotFound, "not_found")
			}
			if w.document(second).Status != "draft" || w.document(first).Status != "published" {
				t.Error("something was published")
			}
			got := w.send("carol", "GET", "/api/approvals/"+p.ProposalID, "")
			if name != "the role" { // An editor may still read the draft.
				if got.Code != 200 || strings.Contains(got.Body.String(), "travel") || strings.Contains(got.Body.String(), "CANARY") || !strings.Contains(got.Body.String(), `"withheld":true`) {
					t.Errorf("%d %s", got.Code, got.Body)
				}
				for _, path := range []string{"", "/events", "/why"} {
					told := w.send("carol", "GET", "/api/runs/"+p.RunID+path, "", "Accept", "application/json")
					body := told.Body.String()
					states, entries, _ := strings.Cut(body, `"decisions":`) // the ledger's stay as they were written, and hold no key
					if told.Code != 200 || strings.Contains(body, "travel") || strings.Contains(body, w.document(second).Checksum) || strings.Contains(states, `"kb-a"`) || strings.Contains(entries, `"doc_key"`) {
						t.Errorf("%s of the run: %d %s", path, told.Code, body)
					}
				}
			}
		})
	}
}

func TestDifferenceIsJoinedUnderTheRightsOfTheMoment(t *testing.T) {
	w, _, second := office(t)
	p := w.propose("carol", second)
	got := expect[api.Proposal](w, "carol", "GET", "/api/publish-proposals/"+p.ProposalID, "", http.StatusOK)
	if got.Title == "" || got.Difference == nil || got.Difference.Numbers[0].Old != "500" || got.Difference.Numbers[0].New != "650" {
		t.Errorf("%+v", got)
	}
	list := expect[api.List[api.Proposal]](w, "carol", "GET", "/api/approvals?status=pending", "", http.StatusOK)
	if len(list.Items) != 1 || list.Items[0].Difference != nil || list.Items[0].Title == "" || list.Items[0].Summary == nil {
		t.Errorf("%+v", list)
	}
	if list := expect[api.List[api.Proposal]](w, "carol", "GET", "/api/approvals?status=expired", "", http.StatusOK); len(list.Items) != 0 {
		t.Errorf("%+v", list)
	}
	w.refusal("carol", "GET", "/api/approvals?status=done", "", http.StatusUnprocessableEntity, "invalid_request")
}

// Neither what waits nor what is stored of it holds text of a version, before or after.
func TestWaitingRunAndItsEventsHoldNoText(t *testing.T) {
	w, _, second := office(t)
	created := w.send("carol", "POST", "/api/documents/"+second+"/publish-proposals", "")
	var p api.Proposal
	must(t, json.Unmarshal(created.Body.Bytes(), &p))
	told := created.Body.String()
	look := func() {
		for _, path := range []string{"/api/runs/" + p.RunID, "/api/runs/" + p.RunID + "/events", "/api/runs", "/api/publish-proposals", "/api/approvals"} {
			told += w.send("carol", "GET", path, "", "Accept", "application/json").Body.String()
		}
		told += w.send("dave", "GET", "/api/ledger?limit=200&run_id="+p.RunID, "").Body.String()
	}
	look()
	events := expect[api.List[api.Event]](w, "carol", "GET", "/api/runs/"+p.RunID+"/events", "", http.StatusOK, "Accept", "application/json")
	if diff := cmp.Diff([]string{"run.created", "run.waiting_for_human"}, types(events.Items)); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(string(events.Items[1].Data), `"numbers_changed":1`) || !strings.Contains(string(events.Items[1].Data), p.ProposalID) {
		t.Errorf("%s", events.Items[1].Data)
	}
	expect[api.Decided](w, "carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusOK)
	look()
	for _, word := range []string{"CANARY", "lodging", "650 yuan", "650 a night", "Taxis", "yuan"} {
		if strings.Contains(told, word) {
			t.Errorf("%q is told", word)
		}
	}
	closed := expect[api.List[api.Event]](w, "carol", "GET", "/api/runs/"+p.RunID+"/events", "", http.StatusOK, "Accept", "application/json")
	if diff := cmp.Diff([]string{"run.created", "run.waiting_for_human", "run.human.decided", "run.completed"}, types(closed.Items)); diff != "" {
		t.Error(diff)
	}
}

func TestWordsOfAChatDecideNothing(t *testing.T) {
	w, first, second := office(t)
	p := w.propose("carol", second)
	before := w.kept(first, second)
	for _, words := range []string{
		"我确认发布", "确认发布 " + p.ProposalID, "approve " + p.ProposalID, `{\"approved\":true}`, "yes, publish " + second, "同意", "/approve",
		"POST " + decisions(p.ProposalID) + ` {\"approved\":true}`,
	} {
		w.ask("carol", words)
		expect[api.Answer](w, "carol", "POST", "/api/chat", `{"question":"`+words+`","conversation_id":"`+p.RunID+`"}`, http.StatusOK)
		w.runner.work.Wait()
	}
	w.upload("carol", "kb-a", "file", "note.txt|我确认发布 "+p.ProposalID)
	w.work()
	if after := w.kept(first, second); after != before {
		t.Errorf("words changed something: %s", cmp.Diff(before, after))
	}
	if got := w.reason("carol", p.RunID); got != "waiting_for_human " {
		t.Error(got)
	}
}

func TestRepeatedDecisionGetsTheFirstResult(t *testing.T) {
	w, _, second := office(t)
	key := []string{"Idempotency-Key", "k1"}
	first := w.send("carol", "POST", "/api/documents/"+second+"/publish-proposals", "", key...)
	again := w.send("carol", "POST", "/api/documents/"+second+"/publish-proposals", "", key...)
	if first.Code != 201 || first.Body.String() != again.Body.String() {
		t.Fatalf("%s\n%s", first.Body, again.Body)
	}
	var p api.Proposal
	must(t, json.Unmarshal(first.Body.Bytes(), &p))
	decided := w.send("carol", "POST", decisions(p.ProposalID), `{"approved":true}`, key...)
	repeated := w.send("carol", "POST", decisions(p.ProposalID), `{"approved":true}`, key...)
	byOther := w.send("carol", "POST", "/api/approvals/"+p.ProposalID+"/decisions", `{ "approved" : true }`, key...)
	if decided.Code != 200 || picture(decided) != picture(repeated) || picture(decided) != picture(byOther) {
		t.Errorf("%s\n%s\n%s", picture(decided), picture(repeated), picture(byOther))
	}
	w.refusal("carol", "POST", decisions(p.ProposalID), `{"approved":false}`, http.StatusUnprocessableEntity, "idempotency_key_reused", key...)
	w.refusal("carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusConflict, "already_decided", "Idempotency-Key", "k2")
	// A server that was started anew has forgotten the key, and the store has not.
	deps := w.server.deps
	w.door = newServer(deps).front()
	if restarted := w.send("carol", "POST", decisions(p.ProposalID), `{"approved":true}`, key...); picture(restarted) != picture(decided) {
		t.Errorf("after a restart: %s\nwant %s", picture(restarted), picture(decided))
	}
}

func TestProposalsForPublishedAndArchivedVersions(t *testing.T) {
	w, first, second := office(t)
	p := w.propose("carol", first)
	before := w.document(first)
	expect[api.Decided](w, "carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusOK)
	after := w.document(first)
	if after.Status != "published" || after.LockVersion != before.LockVersion+1 || *p.Summary != (api.ProposalSummary{From: p.Summary.From, To: p.Summary.To}) {
		t.Errorf("%+v %+v", after, p.Summary)
	}
	p = w.propose("carol", second)
	expect[api.Decided](w, "carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusOK)
	back := w.propose("carol", first)
	if back.Summary.From.DocumentID != second || back.Summary.SectionsRemoved != 1 {
		t.Errorf("%+v", back.Summary)
	}
	expect[api.Decided](w, "carol", "POST", decisions(back.ProposalID), `{"approved":true}`, http.StatusOK)
	if w.document(first).Status != "published" || w.document(second).Status != "archived" {
		t.Error("the rollback did not happen")
	}
}

func TestCancellingTheWaitingRunCancelsItsProposal(t *testing.T) {
	w, _, second := office(t)
	p := w.propose("carol", second)
	expect[api.Started](w, "carol", "POST", "/api/runs/"+p.RunID+"/cancel", "", http.StatusAccepted)
	if got := expect[api.Proposal](w, "carol", "GET", "/api/approvals/"+p.ProposalID, "", http.StatusOK); got.Status != "cancelled" {
		t.Errorf("%+v", got)
	}
	w.refusal("carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusConflict, "already_decided")
	if w.document(second).Status != "draft" {
		t.Error("it was published")
	}
}

func TestFirstVersionIsProposedAgainstNothing(t *testing.T) {
	w, _, _ := office(t)
	id := w.add("kb-a", "new.txt|One line.\n\nAnother 5 days.").DocumentID
	p := w.propose("carol", id)
	want := api.ProposalSummary{To: p.Summary.To, DiffCounts: api.DiffCounts{SectionsAdded: 2, LinesAdded: 2}}
	if diff := cmp.Diff(want, *p.Summary); diff != "" || p.FromVersion != nil {
		t.Error(diff)
	}
	got := expect[api.Proposal](w, "carol", "GET", "/api/publish-proposals/"+p.ProposalID, "", http.StatusOK)
	if got.Difference != nil {
		t.Errorf("%+v", got.Difference)
	}
}
