package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
)

// The client is tried against the server itself: each call, and each kind of answer.
func TestClientWorksAWholeDay(t *testing.T) {
	w := newWorld(t)
	s := w.live()
	ctx := t.Context()
	alice, bob := api.NewClient(s.Client(), s.URL+"/", w.tokens["alice"]), api.NewClient(s.Client(), s.URL, w.tokens["bob"])
	must(t, alice.Ready(ctx))
	me, err := alice.Me(ctx)
	must(t, err)
	system, err := alice.System(ctx)
	must(t, err)
	if me.UserID != "alice" || system.Version != "test" || system.Policy.Limits.SearchPages != 2 {
		t.Errorf("%+v %+v", me, system)
	}
	kb, err := alice.CreateKnowledgeBase(ctx, api.NewKnowledgeBase{ID: "kb-a", Name: "制度"}, "key")
	must(t, err)
	name, direct := "Policies", "direct"
	kb, err = alice.EditKnowledgeBase(ctx, kb.ID, api.KnowledgeBaseChange{Name: &name, Publishing: &direct}, api.ETag(kb.LockVersion))
	must(t, err)
	_, err = alice.SetGrants(ctx, kb.ID, api.Grants{Grants: []api.Grant{{Principal: "user:alice", Role: "manager"}, {Principal: "everyone", Role: "reader"}}}, "")
	must(t, err)
	grants, err := alice.Grants(ctx, kb.ID)
	must(t, err)
	if len(grants.Grants) != 2 {
		t.Errorf("%+v", grants)
	}
	up, err := alice.Upload(ctx, kb.ID, api.NewDocument{
		FileName: `旅 "1".txt`, Body: strings.NewReader("The lodging limit is 650 yuan."), MediaType: "text/plain",
		Title: "Travel", Publish: true, AccessPolicy: `{"deny":["user:dave"]}`, SourceURI: "x:y", Key: "u1",
	})
	must(t, err)
	w.work()
	job, err := alice.Job(ctx, *up.JobID)
	must(t, err)
	cancelled, err := alice.CancelJob(ctx, *up.JobID)
	must(t, err)
	if job.State != "succeeded" || cancelled.State != "succeeded" || up.DocKey != `旅 "1".txt` {
		t.Errorf("%+v %+v %+v", job, cancelled, up)
	}
	documents(t, alice, bob, kb.ID, up.DocumentID)
	asking(t, w, bob, kb.ID)
	must(t, alice.DeleteDocument(ctx, up.DocumentID, ""))
	must(t, alice.DeleteKnowledgeBase(ctx, kb.ID, ""))
	var p *api.Problem
	if _, err := alice.KnowledgeBase(ctx, kb.ID); !errors.As(err, &p) || p.Code != "not_found" || p.Status != http.StatusNotFound {
		t.Errorf("%v", err)
	}
}

func documents(t *testing.T, alice, bob *api.Client, kb, id string) {
	t.Helper()
	ctx := t.Context()
	listed, err := bob.Documents(ctx, kb, api.DocumentFilter{Status: "published", UpdatedFrom: "2000-01-01"}, api.Page{Limit: 5})
	must(t, err)
	versions, err := bob.Versions(ctx, id)
	must(t, err)
	d, err := bob.Document(ctx, id)
	must(t, err)
	if len(listed.Items) != 1 || len(versions.Items) != 1 || d.Title != "Travel" {
		t.Errorf("%+v %+v %+v", listed, versions, d)
	}
	title := "Journeys"
	edited, err := alice.EditDocument(ctx, id, api.DocumentChange{
		Title: &title, Labels: &[]string{"hr"}, AccessPolicy: json.RawMessage(`"inherit"`),
	}, api.ETag(d.LockVersion))
	must(t, err)
	if edited.Title != title || edited.LockVersion == d.LockVersion {
		t.Errorf("%+v", edited)
	}
	chunks, err := bob.Chunks(ctx, id, api.Page{})
	must(t, err)
	original, err := bob.Original(ctx, id)
	must(t, err)
	b, err := io.ReadAll(original)
	must(t, err)
	must(t, original.Close())
	if string(b) != "The lodging limit is 650 yuan." || chunks.Items[0].Text != string(b) {
		t.Errorf("%q %+v", b, chunks)
	}
	bases, err := api.All(ctx, func(ctx context.Context, p api.Page) (api.List[api.KnowledgeBase], error) {
		p.Limit = 1
		return bob.KnowledgeBases(ctx, p)
	})
	must(t, err)
	if len(bases) != 1 || bases[0].Role != "reader" {
		t.Errorf("%+v", bases)
	}
}

func asking(t *testing.T, w *world, bob *api.Client, kb string) {
	t.Helper()
	ctx := t.Context()
	found, err := bob.Search(ctx, api.SearchRequest{Query: "lodging", KnowledgeBaseIDs: []string{kb}})
	must(t, err)
	a, err := bob.Chat(ctx, api.ChatRequest{Question: "lodging", KnowledgeBaseIDs: []string{kb}}, "c1")
	must(t, err)
	if len(found.Items) != 1 || len(a.Citations) != 1 {
		t.Fatalf("%+v %+v", found, a)
	}
	src, err := bob.Source(ctx, a.RunID, a.Citations[0].Label)
	must(t, err)
	r, err := bob.Run(ctx, a.RunID)
	must(t, err)
	runs, err := bob.Runs(ctx, api.RunFilter{State: "completed"}, api.Page{})
	must(t, err)
	ended, err := bob.CancelRun(ctx, a.RunID)
	must(t, err)
	if !src.Integrity.Verified || src.Excerpt != a.Citations[0].Excerpt || r.Goal != "lodging" || len(runs.Items) != 1 || ended.State != "completed" {
		t.Errorf("%+v %+v %+v %+v", src, r, runs, ended)
	}
	var streamed, chatted []api.Event
	must(t, bob.ChatStream(ctx, api.ChatRequest{Question: "lodging"}, "", func(e api.Event) error {
		chatted = append(chatted, e)
		return nil
	}))
	started, err := bob.CreateRun(ctx, api.RunRequest{Kind: "answer", Goal: "lodging"}, "")
	must(t, err)
	must(t, bob.Follow(ctx, started.RunID, 0, func(e api.Event) error {
		streamed = append(streamed, e)
		return nil
	}))
	w.runner.work.Wait()
	listed, err := bob.Events(ctx, started.RunID, 0)
	must(t, err)
	if diff := cmp.Diff(listed.Items, streamed); diff != "" {
		t.Errorf("list and stream differ: %s", diff)
	}
	if diff := cmp.Diff(types(streamed), types(chatted)); diff != "" {
		t.Error(diff)
	}
	stop := errors.New("enough")
	n := 0
	err = bob.Follow(ctx, started.RunID, 2, func(api.Event) error { n++; return stop })
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("%v after %d events", err, n)
	}
	must(t, bob.Follow(ctx, started.RunID, int64(len(streamed)), func(api.Event) error { return stop }))
	entries, err := bob.Ledger(ctx, api.LedgerFilter{RunID: a.RunID, From: "2000-01-01"}, api.Page{})
	must(t, err)
	if len(entries.Items) != 1 || entries.Items[0].Kind != "run.ended" {
		t.Errorf("%+v", entries)
	}
	if err := bob.Follow(ctx, "run_zzz", 0, nil); err == nil {
		t.Error("an unknown run can be followed")
	}
}

func TestClientTellsOfTheDraftThatNeedsAProposal(t *testing.T) {
	w := newWorld(t)
	s := w.live()
	alice := api.NewClient(s.Client(), s.URL, w.tokens["alice"])
	kb, err := alice.CreateKnowledgeBase(t.Context(), api.NewKnowledgeBase{Name: "P"}, "")
	must(t, err)
	send := func(text string) (api.Upload, error) {
		return alice.Upload(t.Context(), kb.ID, api.NewDocument{FileName: "a.txt", Body: strings.NewReader(text), Publish: true})
	}
	_, err = send("one")
	must(t, err)
	w.work()
	var p *api.Problem
	if _, err = send("two"); !errors.As(err, &p) || p.Code != "proposal_required" || p.DocumentID == "" || p.JobID == "" || p.Version != 2 {
		t.Errorf("%v", err)
	}
}
