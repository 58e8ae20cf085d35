package desk

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/export"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// drawer keeps the versions of one draft in memory, and their entries in the ledger of its office.
type drawer struct {
	*office
	versions []draft.Draft
}

func (s *drawer) Save(_ context.Context, tenant access.TenantID, actor access.UserID, w draft.Wish) (draft.Draft, error) {
	if w.Base != len(s.versions) {
		return draft.Draft{}, draft.Conflict()
	}
	d := draft.Draft{ID: "draft_1", Tenant: tenant, Actor: actor, Run: w.Run, Newest: w.Base + 1, Version: draft.Version{
		No: w.Base + 1, Title: w.Title, Titled: w.Titled, Body: w.Body, Checks: w.Checks,
	}.Hashed()}
	s.enter("alice", ledger.DraftSaved, "r", body(d.SavedBody()))
	for i := range s.versions {
		s.versions[i].Newest = d.Newest
	}
	s.versions = append(s.versions, d)
	return d, nil
}

func (s *drawer) Draft(_ context.Context, _ access.TenantID, actor access.UserID, id draft.ID, no int) (draft.Draft, error) {
	if no == 0 {
		no = len(s.versions)
	}
	if id != "draft_1" || actor != "alice" || no < 1 || no > len(s.versions) {
		return draft.Draft{}, problem.Missing()
	}
	return s.versions[no-1], nil
}

func (s *drawer) OfRun(ctx context.Context, tenant access.TenantID, actor access.UserID, id run.ID) (draft.Draft, error) {
	if id != "r" {
		return draft.Draft{}, problem.Missing()
	}
	return s.Draft(ctx, tenant, actor, "draft_1", 0)
}

func (s *drawer) Drafts(context.Context, access.TenantID, access.UserID, draft.Filter) (corpus.Page[draft.Draft], error) {
	return corpus.Page[draft.Draft]{Items: s.versions[len(s.versions)-1:]}, nil
}

func (s *drawer) Versions(context.Context, access.TenantID, access.UserID, draft.ID) ([]draft.Draft, error) {
	return s.versions, nil
}

// drafting is an office whose run awaits review, with a drawer for its draft.
func drafting() (*office, *Desk, *drawer) {
	o := answered()
	s := &drawer{office: o}
	o.run.Kind, o.run.State, o.run.Reason, o.run.Goal = run.ForDraft, run.AwaitingReview, run.DraftReady, "the question"
	o.end()
	d := o.desk()
	d.deps.Drafts = s
	return o, d, s
}

func (o *office) allow(id corpus.DocumentID) {
	for i := range o.documents {
		if o.documents[i].ID == id {
			o.documents[i].Policy = access.Policy{}
		}
	}
}

func TestAFirstDraftIsWhatTheRunWrote(t *testing.T) {
	o, d, _ := drafting()
	saved, err := d.SaveDraft(t.Context(), alice, "r", DraftChange{})
	must(t, err)
	if saved.Title != "the question" || saved.Titled || saved.Body != o.run.Answer.Text || saved.No != 1 {
		t.Errorf("%+v", saved)
	}
	// It is checked anew, by the rules of this moment and not by those of the run.
	if diff := cmp.Diff(citation.Verify(o.run.Answer, o.evidence), saved.Checks); diff != "" {
		t.Error(diff)
	}
	o.run.Goal = " \n "
	o.end()
	d.deps.Drafts = &drawer{office: o}
	if nameless, err := d.SaveDraft(t.Context(), alice, "r", DraftChange{}); err != nil || nameless.Title != "r" {
		t.Errorf("a run without a goal: %+v %v", nameless, err)
	}
}

func TestADirectoryThatMovesOnIsAskedAgain(t *testing.T) {
	o, d, _ := drafting()
	o.moved = 2
	_, err := d.SaveDraft(t.Context(), alice, "r", DraftChange{})
	must(t, err)
	o.moved = 2
	v, err := d.Draft(t.Context(), alice, "draft_1", 0)
	must(t, err)
	if v.Reduced() || len(v.Sources) != 2 {
		t.Errorf("%+v", v)
	}
}

func TestARunOfNobodyOrOfAnotherStateIsNotDrafted(t *testing.T) {
	o, d, _ := drafting()
	for _, id := range []run.ID{"s", ""} {
		if _, err := d.SaveDraft(t.Context(), alice, id, DraftChange{}); !problem.Is(err, problem.NotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := d.SaveDraft(t.Context(), access.Actor{Tenant: "acme", User: "bob"}, "r", DraftChange{}); !problem.Is(err, problem.NotFound) {
		t.Error(err)
	}
	o.snap.Identity.Suspended = true
	if _, err := d.SaveDraft(t.Context(), alice, "r", DraftChange{}); !problem.Is(err, problem.NotFound) {
		t.Errorf("suspended: %v", err)
	}
	o.snap.Identity.Suspended = false
	for _, s := range []run.State{run.Queued, run.Running, run.Completed, run.Failed, run.Interrupted, run.InsufficientEvidence} {
		o.run.State = s
		if _, err := d.SaveDraft(t.Context(), alice, "r", DraftChange{}); problem.CodeOf(err) != "not_awaiting_review" {
			t.Errorf("%s: %v", s, err)
		}
	}
}

func TestAnExportedDraftWarnsOfWhatTheRunWarnedOf(t *testing.T) {
	o, d, _ := drafting()
	_, err := d.SaveDraft(t.Context(), alice, "r", DraftChange{})
	must(t, err)
	doc, err := d.ExportDraft(t.Context(), alice, "draft_1", 0)
	must(t, err)
	if !doc.Unconfirmed || doc.Insufficient || doc.ByRules || doc.Notices != nil {
		t.Errorf("of a run without notices: %+v", doc)
	}
	o.run.Notices, o.run.Answer.Insufficient = []string{"extracted_by_rules", "sources_disagree", "addresses_withheld"}, true
	o.end()
	doc, err = d.ExportDraft(t.Context(), alice, "draft_1", 0)
	must(t, err)
	if !doc.Unconfirmed || !doc.Insufficient || !doc.ByRules || !cmp.Equal(doc.Notices, []string{"sources_disagree", "addresses_withheld"}) {
		t.Errorf("%+v", doc)
	}
}

func TestATitleThatWasGivenLeansOnAllThatWasRead(t *testing.T) {
	o, d, _ := drafting()
	title := "Canary2 in short"
	_, err := d.SaveDraft(t.Context(), alice, "r", DraftChange{Title: &title})
	must(t, err)
	o.deny("d3") // read, and not cited
	for _, see := range []func() (DraftView, error){
		func() (DraftView, error) { return d.Draft(t.Context(), alice, "draft_1", 0) },
		func() (DraftView, error) {
			page, err := d.Drafts(t.Context(), alice, draft.Filter{})
			return page.Items[0], err
		},
		func() (DraftView, error) {
			list, err := d.DraftVersions(t.Context(), alice, "draft_1")
			return list[0], err
		},
	} {
		v, err := see()
		must(t, err)
		if v.Title != "the question" || !v.TitleWithheld || !v.Reduced() {
			t.Errorf("%+v", v)
		}
	}
	doc, err := d.ExportDraft(t.Context(), alice, "draft_1", 0)
	must(t, err)
	if doc.Title != "the question" || !doc.Reduced {
		t.Errorf("%+v", doc)
	}
	o.allow("d3")
	if v, err := d.Draft(t.Context(), alice, "draft_1", 0); err != nil || v.Title != title || v.Reduced() {
		t.Errorf("%+v %v", v, err)
	}
}

// Whatever a person wrote and whatever is lost: what is shown holds no word of a sentence that leans
// on it, an edit that would lose something unseen is refused, and what comes back is whole.
func TestWhatIsLostIsNeitherShownNorOverwritten(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		o, d, s := drafting()
		body := ""
		for i := range rapid.IntRange(1, 6).Draw(r, "sentences") {
			n := rapid.IntRange(0, 3).Draw(r, "source")
			body += fmt.Sprintf("Secret%d word%d", n, i)
			if n > 0 {
				body += fmt.Sprintf(" [S%d]", n)
			}
			body += rapid.SampledFrom([]string{".\n", ". ", "。", ".\n\n", "\n- "}).Draw(r, "end")
		}
		title := "Secret9"
		if _, err := d.SaveDraft(context.Background(), alice, "r", DraftChange{Title: &title, Body: &body}); err != nil {
			r.Fatal(err)
		}
		stored := s.versions[0].Body
		lost := map[int]bool{}
		for n := 1; n <= 3; n++ {
			if lost[n] = rapid.Bool().Draw(r, "lost"); lost[n] {
				o.deny(corpus.DocumentID(fmt.Sprint("d", n)))
			}
		}
		any := lost[1] || lost[2] || lost[3]
		v, err := d.Draft(context.Background(), alice, "draft_1", 0)
		if err != nil {
			r.Fatal(err)
		}
		doc, err := d.ExportDraft(context.Background(), alice, "draft_1", 0)
		if err != nil {
			r.Fatal(err)
		}
		md, err := export.Write(doc, export.AsMarkdown)
		if err != nil {
			r.Fatal(err)
		}
		shown := v.Title + v.Body + fmt.Sprint(v.Checks) + string(md)
		for n := 1; n <= 3; n++ {
			if lost[n] && strings.Contains(shown, fmt.Sprint("Secret", n)) {
				r.Fatalf("what leans on S%d is shown of %q: %s", n, stored, shown)
			}
		}
		if any && strings.Contains(shown, "Secret9") || !any && (v.Body != stored || v.Reduced()) {
			r.Fatalf("lost %v, shown %+v", lost, v)
		}
		edit := "Another text."
		_, err = d.EditDraft(context.Background(), alice, "draft_1", DraftChange{Body: &edit, Base: 1})
		if v.BodyReduced != (problem.CodeOf(err) == "draft_reduced") || err != nil && !v.BodyReduced {
			r.Fatalf("body reduced %v, and the edit: %v", v.BodyReduced, err)
		}
		if s.versions[0].Body != stored {
			r.Fatal("a version that is kept was changed")
		}
	})
}
