package storetest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// reads are all methods that look at documents under a scope, on one version and one chunk.
func (w *World) reads(id corpus.DocumentID, chunk corpus.ChunkID) map[string]func(access.Scope) error {
	title := "x"
	return map[string]func(access.Scope) error{
		"Document": func(s access.Scope) error { _, err := w.Catalog.Document(w.ctx, s, id); return err },
		"Edit": func(s access.Scope) error {
			_, err := w.Catalog.Edit(w.ctx, s, id, corpus.Change{Title: &title})
			return err
		},
		"Delete":  func(s access.Scope) error { return w.Catalog.Delete(w.ctx, s, id) },
		"Archive": func(s access.Scope) error { _, err := w.Catalog.Archive(w.ctx, s, id); return err },
		"Erase":   func(s access.Scope) error { return w.Catalog.Erase(w.ctx, s, id) },
		"Text":    func(s access.Scope) error { _, err := w.Texts.Text(w.ctx, s, id); return err },
		"Stretch": func(s access.Scope) error { _, err := w.Texts.Stretch(w.ctx, s, id, corpus.Span{End: 9}); return err },
		"Chunks":  func(s access.Scope) error { _, err := w.Texts.Chunks(w.ctx, s, id, 0, 10); return err },
		"Chunk":   func(s access.Scope) error { _, _, err := w.Texts.Chunk(w.ctx, s, chunk); return err },
	}
}

// onBases are all methods that look at a knowledge base under a scope.
func (w *World) onBases(id access.KnowledgeBaseID) map[string]func(access.Scope) error {
	return map[string]func(access.Scope) error{
		"Base": func(s access.Scope) error { _, err := w.Bases.Base(w.ctx, s, id); return err },
		"Update": func(s access.Scope) error {
			_, err := w.Bases.Update(w.ctx, s, access.KnowledgeBase{ID: id, Name: "x"})
			return err
		},
		"SetGrants": func(s access.Scope) error { return w.Bases.SetGrants(w.ctx, s, id, nil) },
		"Remove":    func(s access.Scope) error { return w.Bases.Remove(w.ctx, s, id) },
		"Reserve": func(s access.Scope) error {
			sum, _ := w.put("for " + string(id))
			_, err := w.Catalog.Reserve(w.ctx, s, corpus.Upload{KnowledgeBase: id, Key: "k", Checksum: sum})
			return err
		},
	}
}

// same checks that an error is the one answer for absent and invisible, to the letter.
func same(t *testing.T, what string, err error) {
	t.Helper()
	var p *problem.Error
	if !errors.As(err, &p) {
		t.Fatalf("%s: got %v", what, err)
	}
	if d := cmp.Diff(problem.Missing(), p); d != "" {
		t.Errorf("%s: %s", what, d)
	}
}

var visibilityTests = []test{
	{"AbsentAndInvisibleAreOneAnswerOnEveryMethod", func(t *testing.T, w *World) {
		hidden := w.add("carol", "hidden", "hidden", corpus.Upload{Publish: true, Policy: access.Policy{Deny: []access.Principal{access.User("mia")}}})
		draft := w.add("carol", "draft", "draft", corpus.Upload{})
		foreign := w.add("erin", "foreign", "foreign", corpus.Upload{KnowledgeBase: "other", Publish: true})
		foreignChunks, err := w.Texts.Chunks(w.ctx, unscopedScope(globex), foreign.ID, 0, 1)
		w.ok(err)
		for _, c := range []struct {
			name  string
			user  access.UserID
			id    corpus.DocumentID
			chunk corpus.ChunkID
		}{
			{"no such id", "mia", "doc_unknown", "c_unknown"},
			{"denied by the policy", "mia", hidden.ID, w.chunks(hidden.ID)[0].ID},
			{"a draft, to a reader", "rita", draft.ID, w.chunks(draft.ID)[0].ID},
			{"without any grant", "olga", draft.ID, w.chunks(draft.ID)[0].ID},
			{"of another tenant", "mia", foreign.ID, foreignChunks[0].ID},
		} {
			for method, call := range w.reads(c.id, c.chunk) {
				same(t, method+", "+c.name, call(w.scope(c.user, access.Content)))
			}
		}
		for _, base := range []access.KnowledgeBaseID{"unknown", "kb", "other"} {
			for method, call := range w.onBases(base) {
				same(t, method+" of "+string(base), call(w.scope("olga", access.Content)))
			}
		}
	}},
	{"AStaleScopeIsRefusedOnEveryMethod", func(t *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		calls := w.reads(d.ID, w.chunks(d.ID)[0].ID)
		for name, call := range w.onBases("kb") {
			calls[name] = call
		}
		calls["Documents"] = func(s access.Scope) error { _, err := w.Catalog.Documents(w.ctx, s, corpus.Filter{}); return err }
		calls["List"] = func(s access.Scope) error { _, err := w.Bases.List(w.ctx, s); return err }
		calls["Create"] = func(s access.Scope) error {
			_, err := w.Bases.Create(w.ctx, s, access.KnowledgeBase{ID: "n"})
			return err
		}
		old := w.scope("carol", access.Content)
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "g", nil))
		for name, call := range calls {
			if err := call(old); problem.CodeOf(err) != "scope_stale" || !problem.Is(err, problem.Conflict) {
				t.Errorf("%s with a stale scope: %v", name, err)
			}
			if err := call(access.Scope{}); !problem.Is(err, problem.NotFound) {
				t.Errorf("%s with the zero scope: %v", name, err)
			}
		}
	}},
	{"EveryChangeOfWhatIsSeenMakesScopesStale", func(t *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		next := w.reserved("carol", "more", corpus.Upload{Key: "k"})
		job := w.claim()
		policy := access.Policy{}
		carol := func() access.Scope { return w.scope("carol", access.Catalog) }
		for _, c := range []struct {
			name   string
			change func() error
		}{
			{"a user", func() error { return w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "u"}) }},
			{"a group", func() error { return w.Admin.PutGroup(w.ctx, acme, "root", "g", nil) }},
			{"a base", func() error { _, err := w.Bases.Create(w.ctx, carol(), access.KnowledgeBase{ID: "b"}); return err }},
			{"grants", func() error { return w.Bases.SetGrants(w.ctx, carol(), "b", nil) }},
			{"a policy", func() error {
				_, err := w.Catalog.Edit(w.ctx, carol(), d.ID, corpus.Change{Policy: &policy})
				return err
			}},
			{"a draft", func() error { _, err := w.publish(next.Document, job.ID, job.Token); return err }},
			{"publishing", func() error { _, err := w.reserve("carol", "more", corpus.Upload{Key: "k", Publish: true}); return err }},
			{"archiving", func() error { _, err := w.Catalog.Archive(w.ctx, carol(), next.Document); return err }},
			{"a decision", func() error {
				p := w.proposed("carol", d.ID)
				return errOf(w.decide("carol", p.ID, true))
			}},
			{"a group's end", func() error { return w.Admin.DeleteGroup(w.ctx, acme, "root", "g") }},
			{"deleting", func() error { return w.Catalog.Delete(w.ctx, carol(), d.ID) }},
			{"erasing", func() error { return w.Catalog.Erase(w.ctx, carol(), d.ID) }},
			{"removing", func() error { return w.Bases.Remove(w.ctx, carol(), "kb") }},
		} {
			old := w.scope("ed", access.Catalog)
			w.ok(c.change())
			if _, err := w.Catalog.Documents(w.ctx, old, corpus.Filter{}); problem.CodeOf(err) != "scope_stale" {
				t.Errorf("after %s: %v", c.name, err)
			}
			if other := w.scope("erin", access.Catalog); other.Epoch() != w.epoch(globex) {
				t.Errorf("after %s the other tenant moved", c.name)
			}
		}
	}},
	{"ViewsDecideWhichStatusesAreSeen", func(t *testing.T, w *World) {
		archived := w.add("carol", "k", "one", published)
		current := w.add("carol", "k", "two", published)
		draft := w.add("carol", "k", "three", corpus.Upload{})
		for _, c := range []struct {
			user access.UserID
			view access.View
			want []corpus.DocumentID
		}{
			{"rita", access.Published, []corpus.DocumentID{current.ID}},
			{"rita", access.Catalog, []corpus.DocumentID{current.ID}},
			{"rita", access.Content, []corpus.DocumentID{current.ID}},
			{"rita", access.Cited, []corpus.DocumentID{current.ID, archived.ID}},
			{"ed", access.Published, []corpus.DocumentID{current.ID}},
			{"ed", access.Catalog, []corpus.DocumentID{draft.ID, current.ID, archived.ID}},
			{"ed", access.Content, []corpus.DocumentID{draft.ID, current.ID}},
			{"carol", access.Content, []corpus.DocumentID{draft.ID, current.ID, archived.ID}},
			{"olga", access.Content, nil},
		} {
			if d := cmp.Diff(c.want, w.listed(w.scope(c.user, c.view), corpus.Filter{}, 100)); d != "" {
				t.Errorf("%s in view %d: %s", c.user, c.view, d)
			}
		}
	}},
	{"ARevokedGroupHidesOnTheNextRead", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		is(w, "before", w.text("rita", d.ID), "text")
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "readers", nil))
		w.hidden(w.scope("rita", access.Published), d.ID)
	}},
	{"WithinReadsAgainUnderAFreshScope", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		tries := 0
		w.ok(access.Within(w.ctx, w.Directory, access.Actor{Tenant: acme, User: "rita"}, access.Request{}, func(s access.Scope) error {
			if tries++; tries == 1 {
				w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "g", nil))
			}
			_, err := w.Catalog.Document(w.ctx, s, d.ID)
			return err
		}))
		is(w, "tries", tries, 2)
	}},
}
