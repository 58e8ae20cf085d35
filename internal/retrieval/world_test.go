package retrieval_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/retrieval"
)

var (
	phrases  = []string{"pump", "valve", "gasket", "请假", "流程", "報銷", "ERR-1042", "v2.3.1", "the", "的", "state-of-the-art"}
	statuses = []access.Status{access.StatusPublished, access.StatusPublished, access.StatusDraft, access.StatusArchived, access.StatusReserved}
	users    = []access.UserID{"u", "editor", "admin", "outsider"}
)

// village draws a house with two knowledge bases, four users and some versions.
func village(t *rapid.T) *house {
	h := newHouse()
	h.users = map[access.UserID]access.Identity{
		"u": {User: "u", Groups: []access.GroupID{"g"}}, "editor": {User: "editor"},
		"admin": {User: "admin", Roles: []access.Role{access.KnowledgeAdmin}}, "outsider": {User: "outsider"},
	}
	h.bases = []access.KnowledgeBase{
		{ID: "kb", Tenant: tenant, Grants: []access.Grant{
			{Principal: access.Group("g"), Level: access.Reader}, {Principal: access.User("editor"), Level: access.Editor}, {Principal: access.User("admin"), Level: access.Reader}}},
		{ID: "other", Tenant: tenant, Grants: []access.Grant{{Principal: access.User("admin"), Level: access.Manager}}},
	}
	principal := rapid.SampledFrom([]access.Principal{access.Everyone, access.Group("g"), access.User("u"), access.User("editor")})
	text := func(label string, high int) string {
		out := ""
		for _, p := range rapid.SliceOfN(rapid.SampledFrom(phrases), 0, high).Draw(t, label) {
			out += p + " "
		}
		return out
	}
	for i := range rapid.IntRange(1, 10).Draw(t, "versions") {
		d := corpus.Document{
			ID: corpus.DocumentID(fmt.Sprintf("d%d", i)), Key: rapid.SampledFrom([]corpus.Key{"a", "b", "c"}).Draw(t, "key"),
			Title: text("title", 3), Status: rapid.SampledFrom(statuses).Draw(t, "status"),
			KnowledgeBase: rapid.SampledFrom([]access.KnowledgeBaseID{"kb", "kb", "other", "gone"}).Draw(t, "base"),
			UpdatedAt:     day(rapid.IntRange(1, 4).Draw(t, "day")),
			Policy: access.Policy{
				Restricted: rapid.Bool().Draw(t, "restricted"),
				Allow:      rapid.SliceOfN(principal, 0, 2).Draw(t, "allow"),
				Deny:       rapid.SliceOfN(principal, 0, 1).Draw(t, "deny"),
			},
		}
		var texts []string
		for range rapid.IntRange(1, 3).Draw(t, "chunks") {
			texts = append(texts, text("text", 12))
		}
		h.put(t, d, texts...)
	}
	return h
}

// request draws what narrows a scope.
func request(t *rapid.T) access.Request {
	req := access.Request{View: rapid.SampledFrom([]access.View{access.Published, access.Catalog, access.Content}).Draw(t, "view")}
	if rapid.Bool().Draw(t, "narrow") {
		req.Bases = []access.KnowledgeBaseID{"kb"}
		req.DocKey = rapid.SampledFrom([]string{"", "a"}).Draw(t, "dockey")
		req.UpdatedFrom, req.UpdatedTo = day(2), day(4)
	}
	return req
}

// may is the permission rule written again, from the rows alone.
func may(h *house, user access.UserID, req access.Request, p paper) bool {
	groups, level := h.users[user].Groups, access.NoLevel
	is := func(x access.Principal) bool {
		return x == access.Everyone || x == access.User(user) ||
			slices.ContainsFunc(groups, func(g access.GroupID) bool { return x == access.Group(g) })
	}
	for _, kb := range h.bases {
		if kb.ID != p.KnowledgeBase || req.Bases != nil && !slices.Contains(req.Bases, kb.ID) {
			continue
		}
		for _, g := range kb.Grants {
			if is(g.Principal) {
				level = max(level, g.Level)
			}
		}
	}
	if level == access.NoLevel || slices.ContainsFunc(p.Policy.Deny, is) ||
		p.Policy.Restricted && !slices.ContainsFunc(p.Policy.Allow, is) {
		return false
	}
	if req.DocKey != "" && string(p.Key) != req.DocKey ||
		!req.UpdatedFrom.IsZero() && (p.UpdatedAt.Before(req.UpdatedFrom) || !p.UpdatedAt.Before(req.UpdatedTo)) {
		return false
	}
	switch p.Status {
	case access.StatusPublished:
		return true
	case access.StatusDraft:
		return req.View != access.Published && level >= access.Editor
	case access.StatusArchived:
		return req.View == access.Catalog && level >= access.Editor || req.View == access.Content && user == "admin"
	}
	return false
}

// look searches and returns everything that the actor can observe but the time it took.
func look(t fataler, h *house, s *retrieval.Searcher, user access.UserID, req access.Request, q retrieval.Query) retrieval.Result {
	t.Helper()
	out, err := s.Search(context.Background(), h.scope(t, user, req), q)
	if err != nil {
		t.Fatalf("Search: %v", err)
	}
	out.Took = 0
	return out
}

func TestWorldsThatDifferInHiddenVersionsLookTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := village(t)
		user, req := rapid.SampledFrom(users).Draw(t, "user"), request(t)
		twin := newHouse()
		twin.users, twin.bases = h.users, h.bases
		for _, p := range h.papers {
			if may(h, user, req, p) {
				twin.add(t, p.Document, p.chunks)
			}
		}
		q := retrieval.Query{Limit: rapid.IntRange(1, 5).Draw(t, "limit"), Offset: rapid.IntRange(0, 3).Draw(t, "offset")}
		for _, p := range rapid.SliceOfN(rapid.SampledFrom(phrases), 1, 4).Draw(t, "query") {
			q.Text += p + " "
		}
		got, want := look(t, h, searcher(h), user, req, q), look(t, twin, searcher(twin), user, req, q)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: the hidden versions can be noticed:\n%s", q.Text, diff)
		}
	})
}

func TestExactlyTheAdmittedChunksAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := village(t)
		s := searcher(h)
		for _, user := range users {
			req := request(t)
			var want []corpus.ChunkID
			for _, p := range h.papers {
				for _, c := range p.chunks {
					holds := slices.Contains(wordsOf(c.Text), "pump") || slices.Contains(wordsOf(p.Title), "pump")
					if holds && may(h, user, req, p) {
						want = append(want, c.ID)
					}
				}
			}
			got := ids(look(t, h, s, user, req, retrieval.Query{Text: "pump", Limit: 50}))
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s with %+v found %v, may see %v", user, req, got, want)
			}
		}
	})
}

func wordsOf(text string) []string {
	var out []string
	word := ""
	for _, r := range text + " " {
		if r == ' ' {
			out = append(out, word)
			word = ""
			continue
		}
		word += string(r)
	}
	return out
}

func TestPagesJoinToTheWholeOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := village(t)
		s := searcher(h)
		q := retrieval.Query{Text: "pump 请假 valve", Limit: 50}
		whole := look(t, h, s, "admin", access.Request{}, q)
		q.Limit = rapid.IntRange(1, 4).Draw(t, "limit")
		var joined []retrieval.Hit
		for {
			page := look(t, h, s, "admin", access.Request{}, q)
			joined = append(joined, page.Hits...)
			if len(page.Hits) > q.Limit {
				t.Fatalf("a page of %d has %d hits", q.Limit, len(page.Hits))
			}
			if !page.More {
				break
			}
			q.Offset += q.Limit
		}
		if diff := cmp.Diff(whole.Hits, joined); diff != "" {
			t.Fatal(diff)
		}
	})
}
