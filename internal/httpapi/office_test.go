package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
)

// Two versions of one policy: the first is in force, the second a draft.
const (
	firstPolicy  = "travel.txt|The lodging limit is 500 yuan a night. CANARY-one.\n\nMeals are paid by the day."
	secondPolicy = "travel.txt|The lodging limit is 650 yuan a night. CANARY-two.\n\nMeals are paid by the day.\n\nTaxis need a receipt."
)

// office is a world with the two versions in kb-a, which Alice manages, Carol the knowledge
// administrator edits, and Bob reads. Carl is a knowledge administrator and editor too, the robot a
// service account with the same rights.
func office(t *testing.T) (w *world, first, second string) {
	t.Helper()
	w = newWorld(t)
	for _, id := range []access.Identity{
		{User: "carl", Roles: []access.Role{access.KnowledgeAdmin}}, {User: "robot", Roles: []access.Role{access.KnowledgeAdmin}, Service: true},
	} {
		must(t, w.db.Admin().PutUser(t.Context(), acme, "operator", id))
		secret, err := auth.Issue(t.Context(), w.db.Auth(), auth.Token{Tenant: acme, User: id.User, Name: "test", Permissions: access.AllPermissions})
		must(t, err)
		w.tokens[string(id.User)] = secret
	}
	expect[api.KnowledgeBase](w, "alice", "POST", "/api/knowledge-bases", `{"id":"kb-a","name":"Policies"}`, http.StatusCreated)
	w.grant("kb-a", "user:alice", "manager", "user:carol", "editor", "user:carl", "editor", "user:robot", "editor", "user:bob", "reader")
	first = w.add("kb-a", firstPolicy, "status", "published").DocumentID
	second = w.add("kb-a", secondPolicy).DocumentID
	return w, first, second
}

func (w *world) propose(who, id string) api.Proposal {
	w.t.Helper()
	return expect[api.Proposal](w, who, "POST", "/api/documents/"+id+"/publish-proposals", "", http.StatusCreated)
}

func decisions(id string) string { return "/api/publish-proposals/" + id + "/decisions" }

func (w *world) document(id string) api.Document {
	w.t.Helper()
	return expect[api.Document](w, "alice", "GET", "/api/documents/"+id, "", http.StatusOK)
}

// kept is all that a decision could change, byte for byte.
func (w *world) kept(ids ...string) string {
	w.t.Helper()
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(w.send("alice", "GET", "/api/documents/"+id, "").Body.String())
	}
	for _, who := range []string{"carol", "carl"} {
		b.WriteString(w.send(who, "GET", "/api/approvals", "").Body.String())
	}
	return b.String()
}

// reason is how the run of a proposal ended.
func (w *world) reason(who, run string) string {
	w.t.Helper()
	r := expect[api.Run](w, who, "GET", "/api/runs/"+run, "", http.StatusOK)
	return r.State + " " + r.FinishReason
}
