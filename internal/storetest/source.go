package storetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// from is an upload from a place in a source.
func from(source, path string) corpus.Upload {
	return corpus.Upload{Publish: true, Source: source, Path: path}
}

// places are the documents that a user brought from a source, by their places there: "id" each.
func (w *World) places(user access.UserID, source string) map[string]corpus.DocumentID {
	w.t.Helper()
	page, err := w.Catalog.Documents(w.ctx, w.scope(user, access.Catalog), corpus.Filter{Source: source, Newest: true, Limit: 100})
	w.ok(err)
	out := map[string]corpus.DocumentID{}
	for _, d := range page.Items {
		out[d.SourcePath] = d.ID
	}
	return out
}

func (w *World) holds(what string, user access.UserID, source string, want map[string]corpus.DocumentID) {
	w.t.Helper()
	if d := cmp.Diff(want, w.places(user, source)); d != "" {
		w.t.Fatalf("%s: %s", what, d)
	}
}

type held = map[string]corpus.DocumentID

var sourceTests = []test{
	{"ASourceHoldsWhatItsOwnerBroughtFromItAlone", func(_ *testing.T, w *World) {
		a := w.add("carol", "a", "a", from("folder", "x/a"))
		b := w.add("carol", "b", "b", from("other", "b"))
		c := w.add("mia", "c", "c", from("folder", "c"))
		w.add("carol", "d", "d", published)
		w.holds("carol's folder", "carol", "folder", held{"x/a": a.ID})
		w.holds("carol's other", "carol", "other", held{"b": b.ID})
		w.holds("mia's folder of the same name", "mia", "folder", held{"c": c.ID})
		w.holds("a folder that brought nothing", "carol", "folde_", held{})
		page, err := w.Catalog.Documents(w.ctx, w.scope("carol", access.Catalog), corpus.Filter{Limit: 100})
		w.ok(err)
		for _, d := range page.Items {
			is(w, "place in a list of no source", d.SourcePath, "")
		}
	}},
	{"ASourceHoldsTheVersionsItBroughtWhateverIsNewest", func(_ *testing.T, w *World) {
		first := w.add("carol", "a", "one", from("folder", "a"))
		w.add("carol", "a", "by hand", published)
		w.holds("after a version by hand", "carol", "folder", held{"a": first.ID})
		w.lists("in force", w.scope("carol", access.Catalog), corpus.Filter{Source: "folder", Newest: true, Status: access.StatusPublished})
		third := w.add("carol", "a", "three", from("folder", "a"))
		w.holds("after another of its own", "carol", "folder", held{"a": third.ID})
		w.lists("in force", w.scope("carol", access.Catalog), corpus.Filter{Source: "folder", Newest: true, Status: access.StatusPublished}, third.ID)
	}},
	{"TheSameBytesFromAnotherPlaceMoveWhatTheSourceBrought", func(_ *testing.T, w *World) {
		w.add("carol", "a", "older", from("folder", "a"))
		a := w.add("carol", "a", "text", from("folder", "a"))
		move := func(user access.UserID, up corpus.Upload) {
			up.Key = "a"
			res := w.reserved(user, "text", up)
			is(w, "unchanged", res.Unchanged, true)
			is(w, "version", res.Document, a.ID)
		}
		move("carol", from("folder", "moved/a"))
		w.holds("moved", "carol", "folder", held{"moved/a": a.ID})
		move("carol", from("other", "elsewhere"))
		w.holds("the same bytes in another source", "carol", "folder", held{"moved/a": a.ID})
		w.holds("the other source", "carol", "other", held{})
		move("mia", from("folder", "mine"))
		w.holds("the same bytes of somebody else", "carol", "folder", held{"moved/a": a.ID})
		w.holds("somebody else's folder", "mia", "folder", held{})
		move("carol", corpus.Upload{Publish: true})
		w.holds("the same bytes by hand", "carol", "folder", held{"moved/a": a.ID})
	}},
	{"AKeyThatCameAnotherWayIsNotTakenByASource", func(_ *testing.T, w *World) {
		take := func(what string, user access.UserID, text, code string, up corpus.Upload) {
			w.t.Helper()
			up.Key = "a"
			_, err := w.reserve(user, text, up)
			got := ""
			if err != nil {
				got = problem.CodeOf(err)
			}
			is(w, what, got, code)
		}
		first := w.add("carol", "a", "by hand", published)
		take("other bytes", "carol", "other", "doc_key_taken", from("folder", "a"))
		take("the same bytes", "carol", "by hand", "", from("folder", "a"))
		w.holds("what was not adopted", "carol", "folder", held{})
		take("other bytes again", "carol", "other", "doc_key_taken", from("folder", "a"))
		w.lists("in force", w.scope("carol", access.Catalog), corpus.Filter{Key: "a"}, first.ID)
		own := from("folder", "a")
		own.Adopt = true
		take("the same bytes, to be adopted", "carol", "by hand", "", own)
		w.holds("what was adopted", "carol", "folder", held{"a": first.ID})
		take("the same bytes for another", "mia", "by hand", "", from("folder", "a"))
		own.Source = "other"
		take("what another source has, to be adopted", "carol", "by hand", "", own)
		w.holds("what another source had", "carol", "folder", held{"a": first.ID})
		second := w.add("carol", "a", "other", from("folder", "a"))
		w.holds("the next of its own", "carol", "folder", held{"a": second.ID})
		w.add("carol", "a", "by hand again", published)
		third := w.add("carol", "a", "third", from("folder", "a"))
		w.holds("after one by hand", "carol", "folder", held{"a": third.ID})
		take("another source", "carol", "fourth", "doc_key_taken", from("other", "a"))
		take("somebody else's source of that name", "mia", "fourth", "doc_key_taken", from("folder", "a"))
		fourth := w.add("carol", "a", "fourth", own)
		w.holds("the other source adopted the key", "carol", "other", held{"a": fourth.ID})
	}},
	{"AKeyOfWhichEverythingWasErasedIsFreeForASource", func(_ *testing.T, w *World) {
		for _, key := range []corpus.Key{"a", "b"} {
			d := w.add("carol", key, "by hand", published)
			if key == "a" {
				w.ok(w.Catalog.Erase(w.ctx, w.scope("carol", access.Catalog), d.ID))
			} else {
				w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), d.ID))
			}
		}
		a := w.add("carol", "a", "of the source", from("folder", "a"))
		b := w.add("carol", "b", "of the source", from("folder", "b"))
		w.holds("what is free", "carol", "folder", held{"a": a.ID, "b": b.ID})
	}},
	{"ASourceHoldsNothingThatWasDeletedOrErased", func(_ *testing.T, w *World) {
		a := w.add("carol", "a", "a", from("folder", "a"))
		b := w.add("carol", "b", "b", from("folder", "b"))
		c := w.add("carol", "c", "c", from("folder", "c"))
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), a.ID))
		w.ok(w.Catalog.Erase(w.ctx, w.scope("carol", access.Catalog), b.ID))
		w.holds("what is left", "carol", "folder", held{"c": c.ID})
		w.holds("another reader", "mia", "folder", held{})
	}},
}
