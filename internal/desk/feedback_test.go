package desk

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/export"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

// box keeps marks in memory, of the one run of an office.
type box struct {
	*office
	marks []Mark
}

func (b *box) Mark(_ context.Context, _ access.TenantID, m Mark) (Mark, error) {
	b.marks = append(b.marks, m)
	return m, nil
}

func (b *box) Marks(_ context.Context, _ access.TenantID, actor access.UserID, f MarkFilter) (page corpus.Page[Marked], err error) {
	for _, m := range b.marks {
		if (actor == "" || m.Actor == actor) && (f.Run == "" || m.Run == f.Run) {
			page.Items = append(page.Items, Marked{m, b.run, b.evidence})
		}
	}
	return page, nil
}

func marking() (*office, *Desk, *box) {
	o := answered()
	b := &box{office: o}
	d := o.desk()
	d.deps.Feedback = b
	return o, d, b
}

func TestASentenceIsMarkedUnderTheNameOfItsCheck(t *testing.T) {
	_, d, b := marking()
	for _, sentence := range []string{"Canary1 holds [S1].", "Canary1 holds.", " - **Canary1 holds** [S1]. "} {
		v, err := d.Mark(t.Context(), alice, Mark{Run: "r", Sentence: sentence, Opinion: Wrong})
		must(t, err)
		if v.Sentence != "Canary1 holds." || v.Hash != seal.Hash("", "Canary1 holds.") || v.Actor != "alice" {
			t.Errorf("%q: %+v", sentence, v)
		}
	}
	for _, sentence := range []string{"Canary1 holds", "Canary1", "Canary1 holds [S1]. Canary2 holds [S2].", "[S1]", "x"} {
		if _, err := d.Mark(t.Context(), alice, Mark{Run: "r", Sentence: sentence, Opinion: Wrong}); problem.CodeOf(err) != "invalid_request" {
			t.Errorf("%q: %v", sentence, err)
		}
	}
	if len(b.marks) != 3 {
		t.Errorf("%d marks are kept", len(b.marks))
	}
}

func TestNobodyMarksWhatIsNotTheirsOrSaysNothing(t *testing.T) {
	o, d, b := marking()
	wish := Mark{Run: "r", Opinion: Correct}
	if _, err := d.Mark(t.Context(), access.Actor{Tenant: "acme", User: "bob"}, wish); !problem.Is(err, problem.NotFound) {
		t.Error(err)
	}
	if _, err := d.Marks(t.Context(), access.Actor{Tenant: "acme", User: "bob"}, MarkFilter{Run: "r"}); !problem.Is(err, problem.NotFound) {
		t.Error(err)
	}
	o.run.Answer, o.run.State = citation.Answer{}, run.Failed
	o.end()
	if _, err := d.Mark(t.Context(), alice, wish); problem.CodeOf(err) != "no_answer" {
		t.Error(err)
	}
	if _, err := d.ExportRun(t.Context(), alice, "r"); problem.CodeOf(err) != "no_answer" {
		t.Error(err)
	}
	if len(b.marks) != 0 {
		t.Errorf("%+v", b.marks)
	}
}

func TestNotesAndSentencesGoWithWhatTheyLeanOn(t *testing.T) {
	o, d, _ := marking()
	for _, m := range []Mark{
		{Run: "r", Sentence: "Canary1 holds.", Opinion: Correct}, {Run: "r", Sentence: "Canary2 holds.", Opinion: Wrong, Note: "Canary2"},
		{Run: "r", Opinion: Unclear, Note: "Canary3"}, {Run: "r", Opinion: Unclear},
	} {
		_, err := d.Mark(t.Context(), alice, m)
		must(t, err)
	}
	see := func() (out []string) {
		page, err := d.Marks(t.Context(), alice, MarkFilter{})
		must(t, err)
		for _, v := range page.Items {
			text := v.Sentence + "|" + v.Note
			if v.Withheld {
				text += " withheld"
			}
			out = append(out, string(v.Opinion)+" "+text)
		}
		return out
	}
	if diff := cmp.Diff([]string{"correct Canary1 holds.|", "wrong Canary2 holds.|Canary2", "unclear |Canary3", "unclear |"}, see()); diff != "" {
		t.Error(diff)
	}
	o.deny("d3")
	if diff := cmp.Diff([]string{"correct Canary1 holds.|", "wrong | withheld", "unclear | withheld", "unclear | withheld"}, see()); diff != "" {
		t.Error(diff)
	}
	o.deny("d1")
	if got := strings.Join(see(), "\n"); strings.Contains(got, "Canary1") || !strings.Contains(got, "correct | withheld") {
		t.Error(got)
	}
	if v, err := d.MarkOf(t.Context(), alice, "r", "Canary1 holds [S1]."); err != nil || !v.Withheld || v.Opinion != Correct {
		t.Errorf("%+v %v", v, err)
	}
	if _, err := d.MarkOf(t.Context(), alice, "r", "Another."); !problem.Is(err, problem.NotFound) {
		t.Error(err)
	}
}

// The marks of a page are told with as many looks at documents as their runs have, and none at a run.
func TestListingMarksLooksAtEachRunOnce(t *testing.T) {
	o, d, _ := marking()
	looks := func(marks int) (n int) {
		for range marks {
			_, err := d.Mark(t.Context(), alice, Mark{Run: "r", Sentence: "Canary1 holds.", Opinion: Correct})
			must(t, err)
		}
		d.deps.Catalog, d.deps.Journal = counting{catalog{office: o}, &n}, nil
		page, err := d.Marks(t.Context(), alice, MarkFilter{})
		must(t, err)
		if len(page.Items) < marks || page.Items[0].Withheld {
			t.Errorf("%+v", page.Items)
		}
		d.deps.Catalog, d.deps.Journal = catalog{office: o}, journal{office: o}
		return n
	}
	if one, many := looks(1), looks(60); one == 0 || one != many {
		t.Errorf("one mark takes %d looks at documents, sixty take %d", one, many)
	}
}

// counting counts looks at documents.
type counting struct {
	catalog
	n *int
}

func (c counting) Document(ctx context.Context, scope access.Scope, id corpus.DocumentID) (corpus.Document, error) {
	*c.n++
	return c.catalog.Document(ctx, scope, id)
}

func TestAnAnswerIsExportedAsItIsSeen(t *testing.T) {
	o, d, _ := marking()
	o.run.Goal, o.run.EndedAt, o.run.Notices = "问题", noon, []string{"sources_disagree", "extracted_by_rules", "output_truncated"}
	o.run.NeedsConfirm, o.run.Answer.Insufficient = true, true
	o.end()
	doc, err := d.ExportRun(t.Context(), alice, "r")
	must(t, err)
	want := export.Document{
		Title: "问题", Chinese: true, Body: o.run.Answer.Text, Run: "r", SavedAt: noon, ByRules: true, Checks: o.run.Checks,
		Insufficient: true, Unconfirmed: true, Notices: []string{"sources_disagree", "output_truncated"},
		Sources: []export.Source{
			{Ref: "S1", Title: "Title of d1", Key: "d1", Version: 1, Quotes: []export.Quote{{Text: "Canary1 is here.", Place: "行 1"}}},
			{Ref: "S2", Title: "Title of d2", Key: "d2", Version: 1, Quotes: []export.Quote{{Text: "Canary2 is here.", Place: "行 1"}}},
		},
	}
	if diff := cmp.Diff(want, doc); diff != "" {
		t.Error(diff)
	}
	o.deny("d2")
	for i := range o.documents {
		if o.documents[i].ID == "d1" {
			o.documents[i].Status = access.StatusArchived
		}
	}
	doc, err = d.ExportRun(t.Context(), alice, "r")
	must(t, err)
	if !doc.Reduced || doc.Body != "Canary1 holds [S1]." || !doc.Sources[0].Superseded || !cmp.Equal(doc.Sources[1], export.Source{Ref: "S2", Withheld: true}) {
		t.Errorf("%+v", doc)
	}
	o.deny("d1")
	if doc, err = d.ExportRun(t.Context(), alice, "r"); err != nil || doc.Body != "" || !doc.Reduced {
		t.Errorf("with nothing left: %+v %v", doc, err)
	}
}
