package desk

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/preview"
	"github.com/kaoju/kaoju/internal/problem"
)

// revoking takes the right away while a text is being read.
type revoking struct {
	textStore
	meanwhile func()
}

func (s revoking) Stretch(ctx context.Context, scope access.Scope, id corpus.DocumentID, _ corpus.Span) (corpus.Stretch, error) {
	out, err := s.Text(ctx, scope, id)
	s.meanwhile()
	n := len([]rune(out.Text))
	return corpus.Stretch{Text: out.Text, Span: corpus.Span{End: n}, Total: n}, err
}

func TestPreviewShowsWhatOneMayReadAlone(t *testing.T) {
	o := newOffice()
	o.put("doc-1", "travel", 1, access.StatusArchived, "old")
	o.put("doc-2", "travel", 2, access.StatusPublished, "上限 <b>")
	o.put("doc-3", "travel", 3, access.StatusDraft, "new")
	d := o.desk()
	d.deps.Texts = revoking{textStore{office: o}, func() {}}
	f, err := d.Preview(t.Context(), alice, "doc-2", preview.Window{}, "")
	if diff := cmp.Diff(preview.Fragment{HTML: `<div data-start="0" data-end="6" class="doc">上限 &lt;b&gt;</div>`, Span: corpus.Span{End: 6}, Total: 6}, f); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for _, id := range []corpus.DocumentID{"doc-1", "doc-3", "doc-4"} {
		if f, err := d.Preview(t.Context(), alice, id, preview.Window{}, ""); !problem.Is(err, problem.NotFound) || f.HTML != "" {
			t.Errorf("%s: %q %v", id, f.HTML, err)
		}
	}
	if _, err := d.Preview(t.Context(), alice, "doc-2", preview.Window{From: 7}, ""); problem.CodeOf(err) != "unknown_place" {
		t.Errorf("a place behind the end: %v", err)
	}
	if len(o.entries) != 0 {
		t.Errorf("reading what is in force left %d entries", len(o.entries))
	}
}

func TestPreviewOfAnArchivedVersionIsRecordedOnceHoweverOftenItIsTried(t *testing.T) {
	o := newOffice()
	o.snap.Identity.Roles = append(o.snap.Identity.Roles, access.KnowledgeAdmin)
	o.put("doc-1", "travel", 1, access.StatusArchived, "old secret")
	o.put("doc-2", "travel", 2, access.StatusPublished, "new")
	once := false
	d := o.desk()
	d.deps.Texts = revoking{textStore{office: o}, func() {
		if !once {
			once, o.moved = true, 1
		}
	}}
	if f, err := d.Preview(t.Context(), alice, "doc-1", preview.Window{}, ""); err != nil || !strings.Contains(f.HTML, "old secret") {
		t.Fatalf("%q %v", f.HTML, err)
	}
	if len(o.entries) != 1 || o.entries[0].Kind != ledger.HistoryRead || !strings.Contains(string(o.entries[0].Body), `"part":"preview"`) || strings.Contains(string(o.entries[0].Body), "secret") {
		t.Errorf("the ledger holds %+v", o.entries)
	}
}

func TestPreviewIsNotGivenOutWhenTheRightWentMeanwhile(t *testing.T) {
	o := newOffice()
	o.put("doc-2", "travel", 2, access.StatusPublished, "secret")
	d := o.desk()
	d.deps.Texts = revoking{textStore{office: o}, func() { o.deny("doc-2") }}
	if f, err := d.Preview(t.Context(), alice, "doc-2", preview.Window{}, ""); !problem.Is(err, problem.NotFound) || f.HTML != "" {
		t.Errorf("%q %v", f.HTML, err)
	}
}
