package httpapi

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/memory"
)

// The client's calls on versions and proposals, against the server itself.
func TestClientPublishesInTwoRequests(t *testing.T) {
	w, first, second := office(t)
	s := w.live()
	ctx := t.Context()
	carol := api.NewClient(s.Client(), s.URL, w.tokens["carol"])
	diff, err := carol.Diff(ctx, first, second)
	must(t, err)
	p, err := carol.Propose(ctx, second, "k")
	must(t, err)
	listed, err := carol.Proposals(ctx, "pending", api.Page{Limit: 5})
	must(t, err)
	waiting, err := carol.Approvals(ctx, "", api.Page{})
	must(t, err)
	one, err := carol.Proposal(ctx, p.ProposalID)
	must(t, err)
	same, err := carol.Approval(ctx, p.ApprovalID)
	must(t, err)
	if len(listed.Items) != 1 || len(waiting.Items) != 1 || one.Difference == nil || same.Difference.Counts != diff.Counts {
		t.Errorf("%+v %+v %+v %+v", listed, waiting, one, same)
	}
	done, err := carol.Decide(ctx, p.ProposalID, true, "k")
	must(t, err)
	var refused *api.Problem
	if _, err := carol.DecideApproval(ctx, p.ApprovalID, true, ""); !errors.As(err, &refused) || refused.Code != "already_decided" || done.Status != "published" {
		t.Errorf("%v %+v", err, done)
	}
	old, err := carol.DocumentVersion(ctx, first)
	must(t, err)
	if !strings.Contains(old.Content, "500 yuan") {
		t.Errorf("%+v", old)
	}
	must(t, w.db.Memory().Remember(ctx, acme, "carol", memory.Memory{Conversation: "c/1", Summary: "住宿"}))
	remembered, err := carol.Memory(ctx, "c/1")
	must(t, err)
	must(t, carol.EraseMemory(ctx, "c/1"))
	_, err = carol.Conversations(ctx, api.Page{})
	must(t, err)
	if _, err := carol.Memory(ctx, "c/1"); !errors.As(err, &refused) || refused.Status != http.StatusNotFound || remembered.Summary != "住宿" {
		t.Errorf("%v %+v", err, remembered)
	}
	w.grant("kb-a", "user:alice", "manager", "user:carol", "manager")
	archived, err := carol.ArchiveDocument(ctx, second, "")
	must(t, err)
	must(t, carol.EraseDocument(ctx, first, ""))
	if archived.Status != "archived" {
		t.Errorf("%+v", archived)
	}
}

// Every shape that these operations answer in is the one that is described.
func TestProposalsAreAsDescribedInEveryState(t *testing.T) {
	w, first, second := office(t)
	c := newContract(t, w)
	look := func(paths ...string) {
		t.Helper()
		for _, path := range paths {
			r := w.request("carol", http.MethodGet, path, nil)
			c.check(w.server, r, w.do(r))
		}
	}
	p := w.propose("carol", second)
	one := "/api/publish-proposals/" + p.ProposalID
	look(one, "/api/approvals", "/api/documents/"+first+"/diff?to="+second)
	expect[api.Decided](w, "carol", "POST", decisions(p.ProposalID), `{"approved":true}`, http.StatusOK)
	run := w.ask("bob", "lodging").RunID
	look(one, "/api/runs/"+p.RunID, versionPath+first)
	w.propose("carol", first)
	w.add("kb-a", "travel.txt|Nothing of it is left.")
	source := w.request("bob", http.MethodGet, "/api/runs/"+run+"/sources/S1", nil)
	c.check(w.server, source, w.do(source))
	w.grant("kb-a", "user:alice", "manager")
	look(one, "/api/approvals")
	if got := w.send("carol", "GET", one, "").Body.String(); !strings.Contains(got, `"withheld":true`) || strings.Contains(got, "doc_key") {
		t.Errorf("%s", got)
	}
}
