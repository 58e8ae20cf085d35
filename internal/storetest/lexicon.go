package storetest

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// setList replaces acme's list with lines that hold the words.
func (w *World) setList(lock int, words string, lines ...string) lexicon.List {
	w.t.Helper()
	got, err := w.Lexicons.SetList(w.ctx, acme, "olga", lexicon.Change{
		Lines: lines, LockVersion: lock, Words: words, Count: lexicon.Count{Words: 3, Synonyms: 4},
	})
	w.ok(err)
	return got
}

// reworded returns the tenants whose versions may have other words than their lists.
func (w *World) reworded() []retrieval.Reworded {
	w.t.Helper()
	got, err := w.Vocabulary.Reworded(w.ctx)
	w.ok(err)
	return got
}

// lexiconTests are the promises about words and synonyms.
var lexiconTests = []test{
	{"AListThatWasNeverSetIsEmpty", func(_ *testing.T, w *World) {
		got, err := w.Lexicons.List(w.ctx, acme)
		w.ok(err)
		is(w, "lines", len(got.Lines), 0)
		is(w, "lock version", got.LockVersion, 1)
		is(w, "time", got.UpdatedAt.IsZero() && got.UpdatedBy == "", true)
		is(w, "indexed", got.Indexed, true)
		mark, err := w.Lexicons.Mark(w.ctx, acme)
		w.ok(err)
		is(w, "mark", mark, 0)
	}},
	{"AListIsReplacedAsAWhole", func(_ *testing.T, w *World) {
		for i, lines := range [][]string{{"OA, 办公自动化", "", "# 备注"}, {}, {""}, {"甲方"}} {
			set := w.setList(0, "", lines...)
			got, err := w.Lexicons.List(w.ctx, acme)
			w.ok(err)
			is(w, "lines", slices.Equal(got.Lines, lines), true)
			is(w, "the same as was returned", slices.Equal(got.Lines, set.Lines) && got.LockVersion == set.LockVersion, true)
			is(w, "lock version", got.LockVersion, i+2)
			is(w, "by", got.UpdatedBy, "olga")
			is(w, "time", got.UpdatedAt.IsZero(), false)
			mark, err := w.Lexicons.Mark(w.ctx, acme)
			w.ok(err)
			is(w, "mark", mark, i+2)
			other, err := w.Lexicons.List(w.ctx, globex)
			w.ok(err)
			is(w, "the other tenant", other.LockVersion, 1)
		}
	}},
	{"AListIsRecordedWithoutItsText", func(_ *testing.T, w *World) {
		epoch, before := w.epoch(acme), len(w.entries(acme))
		w.setList(0, "", "SECRET, 机密")
		added := w.entries(acme)[before:]
		is(w, "entries", len(added), 1)
		is(w, "kind", added[0].Kind, ledger.LexiconChanged)
		is(w, "actor", added[0].Actor, "olga")
		body := string(added[0].Body)
		is(w, "the text is there", strings.Contains(body, "SECRET") || strings.Contains(body, "机密"), false)
		is(w, "told", strings.Contains(body, `"words":3`) && strings.Contains(body, `"synonyms":4`) && strings.Contains(body, `"hash":"`), true)
		is(w, "epoch moved", w.epoch(acme) != epoch, false)
	}},
	{"AnotherLockVersionIsAConflictAndChangesNothing", func(_ *testing.T, w *World) {
		w.setList(1, "", "OA, 办公")
		before := len(w.entries(acme))
		for _, lock := range []int{1, 3, -1} {
			_, err := w.Lexicons.SetList(w.ctx, acme, "olga", lexicon.Change{LockVersion: lock})
			w.want(err, "lock_conflict")
		}
		w.setList(2, "", "OA, 办公自动化")
		is(w, "entries", len(w.entries(acme)), before+1)
	}},
	{"OfTwoChangesOfOneListOneWins", func(_ *testing.T, w *World) {
		var all sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			all.Go(func() {
				_, errs[i] = w.Lexicons.SetList(w.ctx, acme, "olga", lexicon.Change{Lines: []string{"OA, 办公"}, LockVersion: 1})
			})
		}
		all.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				is(w, "code", problem.CodeOf(err), "lock_conflict")
			}
		}
		is(w, "changes", won, 1)
	}},
	{"AnUnknownTenantHasNoList", func(_ *testing.T, w *World) {
		_, err := w.Lexicons.List(w.ctx, "nobody")
		w.want(err, "not_found")
		_, err = w.Lexicons.SetList(w.ctx, "nobody", "olga", lexicon.Change{})
		w.want(err, "not_found")
	}},
	{"ChangedWordsAreToBeIndexedUntilTheyWere", func(_ *testing.T, w *World) {
		is(w, "at first", len(w.reworded()), 0)
		is(w, "without words", w.setList(0, "", "OA, 办公").Indexed, true)
		is(w, "with words", w.setList(0, "one", "甲方乙").Indexed, false)
		is(w, "with the same words", w.setList(0, "one", "甲方乙", "OA, 办公").Indexed, false)
		first := w.reworded()
		is(w, "tenants", len(first), 1)
		is(w, "change", first[0], retrieval.Reworded{Tenant: acme, Version: 3})
		w.setList(0, "two", "甲方丙")
		// What was built had the former words.
		w.ok(w.Vocabulary.Indexed(w.ctx, first[0]))
		second := w.reworded()
		is(w, "after the former", len(second) == 1 && second[0].Version == 5, true)
		w.ok(w.Vocabulary.Indexed(w.ctx, second[0]))
		is(w, "after the latter", len(w.reworded()), 0)
		// A slower one that ends late takes nothing back.
		w.ok(w.Vocabulary.Indexed(w.ctx, first[0]))
		is(w, "in the end", len(w.reworded()), 0)
		is(w, "words that went", w.setList(0, "").Indexed, false)
	}},
}
