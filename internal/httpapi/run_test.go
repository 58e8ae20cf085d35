package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
)

func TestAnswerOpensItsSources(t *testing.T) {
	w, a := told(t)
	if a.State != "completed" || a.FinishReason != "success" || a.Engine != "rules" || len(a.Citations) != 1 || a.Reduced {
		t.Fatalf("%+v", a)
	}
	c := a.Citations[0]
	if c.Label != "S1" || c.Excerpt != "The lodging limit is 650 yuan." || c.Status != "published" || c.DocKey != "travel.txt" {
		t.Errorf("citation %+v", c)
	}
	src := expect[api.Source](w, "bob", "GET", "/api/runs/"+a.RunID+"/sources/S1", "", http.StatusOK)
	if src.Excerpt != c.Excerpt || src.Current.Status != "published" || *src.Current.Version != 1 || *src.Current.Change != "unchanged" {
		t.Errorf("source %+v", src)
	}
	r := expect[api.Run](w, "bob", "GET", "/api/runs/"+a.RunID, "", http.StatusOK)
	if diff := cmp.Diff(a, r.Answer); diff != "" {
		t.Errorf("chat and run differ: %s", diff)
	}
	w.refusal("bob", "GET", "/api/runs/"+a.RunID+"/sources/S2", "", http.StatusNotFound, "not_found")
}

func TestSupersededSourceKeepsItsExcerptAndSaysSo(t *testing.T) {
	w, a := told(t)
	w.add("kb-a", "travel.txt|The lodging limit is 700 yuan.", "status", "published")
	src := expect[api.Source](w, "bob", "GET", "/api/runs/"+a.RunID+"/sources/S1", "", http.StatusOK)
	if src.Excerpt != "The lodging limit is 650 yuan." || src.Version != 1 || src.Current.Status != "archived" ||
		*src.Current.Version != 2 || *src.Current.Change != "changed" {
		t.Errorf("source %+v", src)
	}
	r := expect[api.Run](w, "bob", "GET", "/api/runs/"+a.RunID, "", http.StatusOK)
	if r.Citations[0].Status != "archived" || !r.NeedsConfirmation || !strings.Contains(r.Answer.Answer, "650") {
		t.Errorf("run %+v", r.Answer)
	}
	// The stored excerpt opens; the archived version itself does not.
	w.refusal("bob", "GET", "/api/documents/"+r.Citations[0].DocumentID+"/original", "", http.StatusNotFound, "not_found")
	w.add("kb-a", "travel.txt|Other matters altogether are ruled here.", "status", "published")
	src = expect[api.Source](w, "bob", "GET", "/api/runs/"+a.RunID+"/sources/S1", "", http.StatusOK)
	if *src.Current.Version != 3 || *src.Current.Change != "removed" {
		t.Errorf("source %+v", src.Current)
	}
}

func TestSourcesNameTheirKnowledgeBase(t *testing.T) {
	w, a := told(t)
	expect[api.KnowledgeBase](w, "alice", "PATCH", "/api/knowledge-bases/kb-a", `{"name":"Rules of the house"}`, http.StatusOK)
	b := w.ask("bob", "lodging")
	for _, id := range []string{a.RunID, b.RunID} {
		r := expect[api.Run](w, "bob", "GET", "/api/runs/"+id, "", http.StatusOK)
		if c := r.Citations[0]; c.KnowledgeBaseID != "kb-a" || c.KnowledgeBase != "Rules of the house" {
			t.Errorf("the source is of %q, %q", c.KnowledgeBaseID, c.KnowledgeBase)
		}
	}
	if c := b.Citations[0]; c.KnowledgeBaseID != "kb-a" || c.KnowledgeBase != "Rules of the house" {
		t.Errorf("the source of an answer is of %q, %q", c.KnowledgeBaseID, c.KnowledgeBase)
	}
	// A reader who has lost the base is told neither its id nor its name.
	w.grant("kb-a", "user:alice", "manager")
	if rec := w.send("bob", "GET", "/api/runs/"+a.RunID, ""); strings.Contains(rec.Body.String(), "Rules of the house") || strings.Contains(rec.Body.String(), "knowledge_base\"") {
		t.Errorf("the run still tells of the base: %s", rec.Body)
	}
}

func TestLostEvidenceIsWithheldInTheSameWordsAsDeleted(t *testing.T) {
	answers := map[string]string{}
	for _, way := range []string{"revoked", "denied", "deleted", "knowledge base removed"} {
		w, a := told(t)
		doc := a.Citations[0].DocumentID
		switch way {
		case "revoked":
			w.grant("kb-a", "user:alice", "manager")
		case "denied":
			expect[api.Document](w, "alice", "PATCH", "/api/documents/"+doc, `{"access_policy":{"deny":["user:bob"]}}`, http.StatusOK)
		case "deleted":
			w.send("alice", "DELETE", "/api/documents/"+doc, "")
		default:
			w.send("alice", "DELETE", "/api/knowledge-bases/kb-a", "")
		}
		w.refusal("bob", "GET", "/api/runs/"+a.RunID+"/sources/S1", "", http.StatusNotFound, "not_found")
		rec := w.send("bob", "GET", "/api/runs/"+a.RunID, "")
		if strings.Contains(rec.Body.String(), "650 yuan") || strings.Contains(rec.Body.String(), doc) || strings.Contains(rec.Body.String(), "travel") {
			t.Errorf("%s: the run still tells of the document: %s", way, rec.Body)
		}
		var r map[string]json.RawMessage
		must(t, json.Unmarshal(rec.Body.Bytes(), &r))
		for _, other := range []string{"created_at", "started_at", "ended_at", "conversation_id"} {
			delete(r, other)
		}
		b, err := json.Marshal(r)
		must(t, err)
		answers[way] = string(b)
		if string(r["citations"]) != `[{"label":"S1","withheld":true}]` || string(r["reduced"]) != "true" {
			t.Errorf("%s: citations %s, reduced %s", way, r["citations"], r["reduced"])
		}
		list := w.send("bob", "GET", "/api/runs", "").Body.String()
		if strings.Contains(list, "650 yuan") || strings.Contains(list, doc) {
			t.Errorf("%s: the list of runs still tells of the document: %s", way, list)
		}
	}
	for way, got := range answers {
		if got != answers["deleted"] {
			t.Errorf("%s and deleted differ:\n%s\n%s", way, got, answers["deleted"])
		}
	}
}

func TestRunsAreListedByConversationAndState(t *testing.T) {
	w, a := told(t)
	b := expect[api.Answer](w, "bob", "POST", "/api/chat", `{"question":"nothing of the kind","conversation_id":"c1"}`, http.StatusOK)
	w.runner.work.Wait()
	ids := func(query string) (out []string) {
		for _, r := range expect[api.List[api.Run]](w, "bob", "GET", "/api/runs"+query, "", http.StatusOK).Items {
			out = append(out, r.RunID)
		}
		return out
	}
	for query, want := range map[string][]string{
		"": {b.RunID, a.RunID}, "?conversation_id=c1": {b.RunID}, "?state=completed": {a.RunID},
		"?state=insufficient_evidence": {b.RunID}, "?limit=1": {b.RunID}, "?conversation_id=c2": nil,
	} {
		if diff := cmp.Diff(want, ids(query)); diff != "" {
			t.Errorf("%q: %s", query, diff)
		}
	}
	if b.State != "insufficient_evidence" || len(b.Missing) != 1 {
		t.Errorf("%+v", b)
	}
	if got := expect[api.List[api.Run]](w, "alice", "GET", "/api/runs", "", http.StatusOK); len(got.Items) != 0 {
		t.Errorf("Alice sees Bob's runs: %+v", got.Items)
	}
}

func TestCancelOfAnEndedRunChangesNothing(t *testing.T) {
	w, a := told(t)
	before := w.send("bob", "GET", "/api/runs/"+a.RunID, "").Body.String()
	got := expect[api.Started](w, "bob", "POST", "/api/runs/"+a.RunID+"/cancel", "", http.StatusAccepted)
	if got.State != "completed" || w.send("bob", "GET", "/api/runs/"+a.RunID, "").Body.String() != before {
		t.Errorf("%+v", got)
	}
}

func TestSameKeyGivesTheFirstResult(t *testing.T) {
	w, _ := told(t)
	start := func(key, goal string) api.Started {
		return expect[api.Started](w, "bob", "POST", "/api/runs", `{"kind":"answer","goal":"`+goal+`"}`, http.StatusAccepted, "Idempotency-Key", key)
	}
	one := start("k1", "lodging")
	if two := start("k1", "lodging"); two != one {
		t.Errorf("the same key made %+v after %+v", two, one)
	}
	if other := start("k2", "lodging"); other.RunID == one.RunID {
		t.Error("another key gave the first result")
	}
	w.refusal("bob", "POST", "/api/runs", `{"kind":"answer","goal":"other"}`, http.StatusUnprocessableEntity, "idempotency_key_reused", "Idempotency-Key", "k1")
	// Keys are an actor's own, and an operation's.
	if hers := expect[api.Started](w, "alice", "POST", "/api/runs", `{"kind":"answer","goal":"other"}`, http.StatusAccepted, "Idempotency-Key", "k1"); hers.RunID == one.RunID {
		t.Error("two people share a key")
	}
	chat := func() api.Answer {
		return expect[api.Answer](w, "bob", "POST", "/api/chat", `{"question":"lodging"}`, http.StatusOK, "Idempotency-Key", "k1")
	}
	if a, b := chat(), chat(); a.RunID != b.RunID || a.RunID == one.RunID || !strings.Contains(b.Answer, "650") {
		t.Errorf("%+v %+v", a, b)
	}
	w.runner.work.Wait()
	// The first result is told under the rights of the moment.
	w.grant("kb-a", "user:alice", "manager")
	if c := chat(); strings.Contains(c.Answer, "650") || !c.Reduced {
		t.Errorf("a repeated question tells what was lost: %+v", c)
	}
	w.refusal("bob", "POST", "/api/runs", `{"kind":"answer","goal":"x"}`, http.StatusUnprocessableEntity, "invalid_idempotency_key", "Idempotency-Key", strings.Repeat("k", 201))
	w.runner.work.Wait()
}

func TestKeyCoversUploadsAndKnowledgeBases(t *testing.T) {
	w := newWorld(t)
	create := func(name string, status int) *api.KnowledgeBase {
		rec := w.send("alice", "POST", "/api/knowledge-bases", `{"name":"`+name+`"}`, "Idempotency-Key", "k")
		if rec.Code != status {
			t.Fatalf("%d %s", rec.Code, rec.Body)
		}
		var out api.KnowledgeBase
		must(t, json.Unmarshal(rec.Body.Bytes(), &out))
		return &out
	}
	kb := create("A", http.StatusCreated)
	if again := create("A", http.StatusCreated); again.ID != kb.ID {
		t.Errorf("%+v after %+v", again, kb)
	}
	create("B", http.StatusUnprocessableEntity)
	upload := func(text string) api.Upload {
		body, media := formOf("file", "a.txt|"+text)
		rec := w.do(w.request("alice", "POST", "/api/knowledge-bases/"+kb.ID+"/documents", body, "Content-Type", media, "Idempotency-Key", "u"))
		var out api.Upload
		must(t, json.Unmarshal(rec.Body.Bytes(), &out))
		return out
	}
	first := upload("one")
	w.work()
	// Another boundary and another moment make no other request; other bytes do.
	if diff := cmp.Diff(first, upload("one")); diff != "" {
		t.Error(diff)
	}
	if other := upload("two"); other.DocumentID != "" {
		t.Errorf("other bytes under the same key: %+v", other)
	}
}

func TestACitationTellsWhenItsVersionWasPublished(t *testing.T) {
	w, _ := desk2(t)
	a := w.ask("bob", "lodging")
	if len(a.Citations) == 0 {
		t.Fatalf("%+v", a)
	}
	for _, c := range a.Citations {
		doc := expect[api.Document](w, "carol", http.MethodGet, "/api/documents/"+c.DocumentID, "", http.StatusOK)
		if c.PublishedAt == nil || doc.PublishedAt == nil || !c.PublishedAt.Equal(*doc.PublishedAt) {
			t.Errorf("%s was published %v, the citation says %v", c.DocKey, doc.PublishedAt, c.PublishedAt)
		}
	}
	// What can't be read any more tells nothing.
	w.grant("kb-a", "user:alice", "manager")
	w.grant("kb-b", "user:alice", "manager")
	if raw := w.send("bob", http.MethodGet, "/api/runs/"+a.RunID, "").Body.String(); strings.Contains(raw, "published_at") {
		t.Errorf("%s", raw)
	}
}
