package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
)

// library is a knowledge base of Alice's for the group rd, with Bob in it and Carol as an editor, and a
// published version; Tina, who administers the tenant, reads it.
func library(t *testing.T) (*world, string) {
	w := newWorld(t)
	must(t, w.db.Admin().PutGroup(t.Context(), acme, "operator", "team", []access.Principal{"user:bob"}))
	must(t, w.db.Admin().PutGroup(t.Context(), acme, "operator", "rd", []access.Principal{"group:team"}))
	w.kb("lab")
	id := w.add("lab", "travel.txt|The lodging limit is 650 yuan.", "status", "published").DocumentID
	w.grant("lab", "user:alice", "manager", "group:rd", "reader", "user:carol", "editor", "user:tina", "reader")
	return w, id
}

// client speaks for somebody over a connection.
func (w *world) client(who string) *api.Client {
	s := w.live()
	return api.NewClient(s.Client(), s.URL, w.tokens[who])
}

func names(list api.List[api.Reader]) (out []string) {
	for _, r := range list.Items {
		out = append(out, r.UserID+" "+r.Level)
	}
	return out
}

func TestAnAdministratorSeesWhoMayReadAndWhy(t *testing.T) {
	w, id := library(t)
	tina := w.client("tina")
	all, err := tina.Readers(t.Context(), id, api.Page{})
	must(t, err)
	if diff := cmp.Diff([]string{"alice manager", "bob reader", "carol editor", "tina reader"}, names(all)); diff != "" || all.NextCursor != nil {
		t.Errorf("%v\n%s", all.NextCursor, diff)
	}
	paged, err := api.All(t.Context(), func(_ context.Context, p api.Page) (api.List[api.Reader], error) {
		p.Limit = 1
		return tina.Readers(t.Context(), id, p)
	})
	must(t, err)
	if diff := cmp.Diff(all.Items, paged); diff != "" {
		t.Errorf("one by one:\n%s", diff)
	}
	want := api.Reader{
		UserID: "bob", DisplayName: "BOB", MayRead: true, Level: "reader", Grants: []api.Grant{{Principal: "group:rd", Role: "reader"}},
		Policy: "inherits", PolicyPrincipals: []string{},
	}
	if got, err := tina.Reader(t.Context(), id, "bob"); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
	// A policy of the document's own shuts the group out, and then lets it in again.
	expect[any](w, "alice", http.MethodPatch, "/api/documents/"+id, `{"access_policy":{"deny":["group:team"]}}`, http.StatusOK)
	want = api.Reader{
		UserID: "bob", Level: "reader", Obstacle: "policy", Grants: want.Grants, Policy: "denies", PolicyPrincipals: []string{"group:team"},
	}
	if got, err := tina.Reader(t.Context(), id, "bob"); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("denied: %v\n%s", err, cmp.Diff(want, got))
	}
	if got, err := tina.Readers(t.Context(), id, api.Page{}); err != nil || slices.Contains(names(got), "bob reader") {
		t.Errorf("denied: %v %v", names(got), err)
	}
	w.refusal("bob", http.MethodGet, "/api/documents/"+id+"/readers/bob", "", http.StatusNotFound, "not_found")
}

func TestWhoHasNothingAndWhoIsNotThereAreToldAlike(t *testing.T) {
	w, id := library(t)
	tina := w.client("tina")
	var first api.Reader
	for i, user := range []string{"dave", "frank", "erin", "nobody-at-all", "考据"} { // none granted, suspended, of another tenant, unknown, and no ids
		got, err := tina.Reader(t.Context(), id, user)
		if err != nil || got.UserID != user {
			t.Fatalf("%s: %v %+v", user, err, got)
		}
		if got.UserID = ""; i == 0 {
			first = got
		}
		if diff := cmp.Diff(first, got); diff != "" || got.MayRead || got.Obstacle != "no_grant" {
			t.Errorf("%s: %+v\n%s", user, got, diff)
		}
	}
}

// Whoever makes a knowledge base can grant it to a group that they are not in, or to everybody, and
// learns from it neither who is in the group nor who is there.
func TestReadersAreForAdministratorsAndOneselfAlone(t *testing.T) {
	w, id := library(t)
	w.grant("lab", "user:alice", "manager", "group:rd", "reader", "user:carol", "editor", "everyone", "reader")
	missing := picture(w.send("bob", http.MethodGet, "/api/documents/doc_zzz/readers/alice", ""))
	for _, who := range []string{"alice", "bob", "carol", "dave", "erin", "toby"} {
		for _, path := range []string{"/readers", "/readers/tina", "/readers/nobody"} {
			if got := picture(w.send(who, http.MethodGet, "/api/documents/"+id+path, "")); got != missing {
				t.Errorf("%s%s: %s", who, path, got)
			}
		}
	}
	got, err := w.client("bob").Reader(t.Context(), id, "bob")
	if err != nil || !got.MayRead || len(got.Grants) != 2 || got.Grants[1].Principal != "group:rd" {
		t.Errorf("of oneself: %+v %v", got, err)
	}
	w.grant("lab", "user:alice", "manager")
	w.refusal("tina", http.MethodGet, "/api/documents/"+id+"/readers", "", http.StatusNotFound, "not_found")
	w.refusal("tina", http.MethodGet, "/api/documents/"+id+"/readers/tina", "", http.StatusNotFound, "not_found")
}

// An administrator looks as Bob: at no time is anything shown that one of the two may not see.
func TestAnAdministratorLooksAsSomebodyElse(t *testing.T) {
	w, id := library(t)
	w.grant("lab", "user:alice", "manager", "group:rd", "reader")
	w.kb("open")
	w.add("open", "canteen.txt|The lodging is opposite the canteen.", "status", "published")
	w.grant("open", "user:alice", "manager", "everyone", "reader")
	w.kb("mine")
	w.add("mine", "secret.txt|The lodging of the board.", "status", "published")
	w.grant("mine", "user:alice", "manager", "user:tina", "manager")
	tina := w.client("tina")
	found := func(as string) (out []string) {
		got, err := tina.Search(t.Context(), api.SearchRequest{Query: "lodging", ViewAs: as})
		must(t, err)
		for _, h := range got.Items {
			out = append(out, h.DocKey)
		}
		slices.Sort(out)
		return out
	}
	for as, want := range map[string][]string{"": {"canteen.txt", "secret.txt"}, "bob": {"canteen.txt"}, "alice": {"canteen.txt", "secret.txt"}, "dave": {"canteen.txt"}} {
		if diff := cmp.Diff(want, found(as)); diff != "" {
			t.Errorf("as %q:\n%s", as, diff)
		}
	}
	bases, err := tina.KnowledgeBasesAs(t.Context(), "bob", api.Page{})
	if err != nil || len(bases.Items) != 1 || bases.Items[0].ID != "open" {
		t.Errorf("%+v %v", bases, err)
	}
	docs, err := tina.Documents(t.Context(), "open", api.DocumentFilter{ViewAs: "bob"}, api.Page{})
	if err != nil || len(docs.Items) != 1 {
		t.Errorf("%+v %v", docs, err)
	}
	for _, path := range []string{"/api/knowledge-bases/mine/documents?view_as=bob", "/api/knowledge-bases/lab/documents?view_as=bob"} {
		w.refusal("tina", http.MethodGet, path, "", http.StatusNotFound, "not_found")
	}
	// Once Tina may read the library too, she finds there what Bob finds, and nothing without either.
	w.grant("lab", "user:alice", "manager", "group:rd", "reader", "user:tina", "manager")
	if diff := cmp.Diff([]string{"canteen.txt", "travel.txt"}, found("bob")); diff != "" {
		t.Error(diff)
	}
	expect[any](w, "tina", http.MethodPatch, "/api/documents/"+id, `{"access_policy":{"deny":["user:bob"]}}`, http.StatusOK)
	if diff := cmp.Diff([]string{"canteen.txt"}, found("bob")); diff != "" {
		t.Error(diff)
	}
}

func TestLookingAsSomebodyElseIsForAdministratorsAndRecorded(t *testing.T) {
	w, _ := library(t)
	w.grant("lab", "user:alice", "manager", "group:rd", "reader", "user:tina", "reader")
	for _, who := range []string{"alice", "bob", "carol", "dave", "erin", "toby"} { // Toby administers another tenant
		w.refusal(who, http.MethodPost, "/api/search", `{"query":"lodging","view_as":"bob"}`, http.StatusNotFound, "not_found")
		w.refusal(who, http.MethodGet, "/api/knowledge-bases?view_as=bob", "", http.StatusNotFound, "not_found")
	}
	for _, as := range []string{"frank", "erin", "nobody"} {
		w.refusal("tina", http.MethodPost, "/api/search", `{"query":"lodging","view_as":"`+as+`"}`, http.StatusNotFound, "not_found")
	}
	viewed := func() (out []string) {
		for _, e := range expect[api.List[api.Entry]](w, "dave", http.MethodGet, "/api/ledger?limit=200", "", http.StatusOK).Items {
			if e.Kind == "rights.viewed" {
				out = append(out, e.Actor+" "+string(e.Body))
			}
		}
		return out
	}
	if got := viewed(); got != nil {
		t.Errorf("what was refused is recorded: %v", got)
	}
	expect[any](w, "tina", http.MethodPost, "/api/search", `{"query":"lodging","view_as":"bob"}`, http.StatusOK)
	expect[any](w, "tina", http.MethodGet, "/api/knowledge-bases/lab/documents?view_as=bob", "", http.StatusOK)
	expect[any](w, "tina", http.MethodGet, "/api/knowledge-bases?view_as=bob", "", http.StatusOK)
	expect[any](w, "tina", http.MethodPost, "/api/search", `{"query":"lodging"}`, http.StatusOK)
	// A refusal tells of rights as well, and is recorded as well.
	w.kb("hidden")
	w.grant("hidden", "user:alice", "manager", "user:tina", "reader")
	w.refusal("tina", http.MethodGet, "/api/knowledge-bases/hidden/documents?view_as=bob", "", http.StatusNotFound, "not_found")
	got := viewed()
	slices.Sort(got)
	want := []string{`tina {"as":"bob","part":"documents"}`, `tina {"as":"bob","part":"documents"}`, `tina {"as":"bob","part":"knowledge_bases"}`, `tina {"as":"bob","part":"search"}`}
	if diff := cmp.Diff(want, got); diff != "" || strings.Contains(strings.Join(got, ""), "lodging") {
		t.Errorf("%s", diff)
	}
}
