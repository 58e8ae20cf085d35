package desk

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/picture"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// pageStore draws a page as the bytes of its original, and lets a test act meanwhile.
type pageStore struct {
	meanwhile func()
	err       error
	forgotten int
	left      error // of forgetting
}

func (s *pageStore) Page(_ context.Context, _ corpus.Document, original io.Reader, _, _ int) (picture.Picture, error) {
	b, err := io.ReadAll(original)
	if s.meanwhile != nil {
		s.meanwhile()
	}
	return picture.Picture{PNG: b}, errors.Join(err, s.err)
}

func (s *pageStore) Sketch(ctx context.Context, d corpus.Document, original io.Reader, sheet *sketch.Sheet) ([]byte, error) {
	p, err := s.Page(ctx, d, original, 1, 1)
	if sheet != nil {
		p.PNG = append(p.PNG, sheet.Name...)
	}
	return p.PNG, err
}

func (s *pageStore) Mark(_ context.Context, p picture.Picture, _ []corpus.Box) (picture.Picture, error) {
	return p, nil
}

func (s *pageStore) Forget() error {
	s.forgotten++
	return s.left
}

// stacks has the originals of an office; that of a version without text was erased.
type stacks struct {
	corpus.Blobs
	*office
}

func (s stacks) Open(_ context.Context, sum corpus.Checksum) (io.ReadCloser, error) {
	if sum == "erased" {
		return nil, problem.Missing()
	}
	return io.NopCloser(strings.NewReader("bytes of " + string(sum))), nil
}

func drawingDesk(o *office, s *pageStore) *Desk {
	d := o.desk()
	d.deps.Blobs, d.deps.Pages = stacks{office: o}, s
	return d
}

func TestPageIsShownToWhoMayReadItsVersion(t *testing.T) {
	o := newOffice()
	o.put("doc-1", "travel", 1, access.StatusArchived, "old")
	o.put("doc-2", "travel", 2, access.StatusPublished, "new")
	o.put("doc-3", "travel", 3, access.StatusDraft, "next")
	s := &pageStore{}
	d := drawingDesk(o, s)
	if p, err := d.Page(t.Context(), alice, "doc-2", 1, 300); err != nil || !strings.HasPrefix(string(p.PNG), "bytes of") {
		t.Errorf("%q %v", p.PNG, err)
	}
	for _, id := range []corpus.DocumentID{"doc-1", "doc-3", "doc-4"} {
		if p, err := d.Page(t.Context(), alice, id, 1, 300); !problem.Is(err, problem.NotFound) || p.PNG != nil || err.Error() != problem.Missing().Error() {
			t.Errorf("%s: %q %v", id, p.PNG, err)
		}
	}
	if len(o.entries) != 0 || s.forgotten != 0 {
		t.Errorf("reading what is in force left %d entries, and %d times everything was forgotten", len(o.entries), s.forgotten)
	}
}

func TestPageOfAnArchivedVersionIsRecordedBeforeItIsDrawn(t *testing.T) {
	o := newOffice()
	o.snap.Identity.Roles = append(o.snap.Identity.Roles, access.KnowledgeAdmin)
	o.put("doc-1", "travel", 1, access.StatusArchived, "old secret")
	o.put("doc-2", "travel", 2, access.StatusPublished, "new")
	recorded := 0
	s := &pageStore{}
	s.meanwhile = func() { recorded = len(o.entries) }
	if _, err := drawingDesk(o, s).Page(t.Context(), alice, "doc-1", 1, 300); err != nil {
		t.Fatal(err)
	}
	if recorded != 1 || len(o.entries) != 1 || o.entries[0].Kind != ledger.HistoryRead || !strings.Contains(string(o.entries[0].Body), `"part":"pages"`) {
		t.Errorf("%d entries when it was drawn, then %+v", recorded, o.entries)
	}
}

func TestPageIsNotGivenOutNorKeptWhenTheRightWentMeanwhile(t *testing.T) {
	o := newOffice()
	o.put("doc-2", "travel", 2, access.StatusPublished, "secret")
	s := &pageStore{meanwhile: func() { o.deny("doc-2") }}
	if p, err := drawingDesk(o, s).Page(t.Context(), alice, "doc-2", 1, 300); !problem.Is(err, problem.NotFound) || p.PNG != nil || s.forgotten != 1 {
		t.Errorf("%q %v, forgotten %d times", p.PNG, err, s.forgotten)
	}
}

func TestReaderWhoGoesAwayCostsNothingThatIsKeptUnlessTheRightWentToo(t *testing.T) {
	for gone, want := range map[bool]int{false: 0, true: 1} {
		o := newOffice()
		o.put("doc-2", "travel", 2, access.StatusPublished, "x")
		ctx, cancel := context.WithCancel(t.Context())
		s := &pageStore{meanwhile: func() {
			cancel()
			if gone {
				o.deny("doc-2")
			}
		}}
		if _, err := drawingDesk(o, s).Page(ctx, alice, "doc-2", 1, 300); problem.Is(err, problem.NotFound) != gone || s.forgotten != want {
			t.Errorf("the right went too: %t; %v, forgotten %d times", gone, err, s.forgotten)
		}
	}
}

func TestPageWhoseOriginalWasErasedIsNotThere(t *testing.T) {
	o := newOffice()
	o.put("doc-2", "travel", 2, access.StatusPublished, "x")
	o.documents[0].Checksum = "erased"
	if _, err := drawingDesk(o, &pageStore{}).Page(t.Context(), alice, "doc-2", 1, 300); !problem.Is(err, problem.NotFound) {
		t.Errorf("%v", err)
	}
}

func TestPageThatFailsCostsNothingThatIsKept(t *testing.T) {
	o := newOffice()
	o.put("doc-2", "travel", 2, access.StatusPublished, "x")
	s := &pageStore{err: problem.Missing()}
	if _, err := drawingDesk(o, s).Page(t.Context(), alice, "doc-2", 99, 300); !problem.Is(err, problem.NotFound) || s.forgotten != 0 {
		t.Errorf("%v, forgotten %d times", err, s.forgotten)
	}
}

func TestDeskWithoutPagesHasNone(t *testing.T) {
	o := newOffice()
	o.put("doc-2", "travel", 2, access.StatusPublished, "x")
	d := o.desk()
	if _, err := d.Page(t.Context(), alice, "doc-2", 1, 300); !problem.Is(err, problem.NotFound) {
		t.Errorf("%v", err)
	}
	if err := d.forgetPages(nil); err != nil {
		t.Error(err)
	}
}

func TestPicturesGoWithWhatIsErased(t *testing.T) {
	busy, hidden := problem.New(problem.Unavailable, "busy", "erased, but"), problem.Missing()
	left := problem.New(problem.Unavailable, "pictures_left", "x")
	for name, c := range map[string]struct {
		erasing, left error
		forgotten     int
		want          []error
	}{
		"erased": {nil, nil, 1, nil}, "erased, with something left to do": {busy, nil, 1, []error{busy}}, "not erased": {hidden, nil, 0, []error{hidden}},
		"erased, and pictures left": {nil, left, 1, []error{left}}, "both": {busy, left, 1, []error{busy, left}},
	} {
		s := &pageStore{left: c.left}
		err := drawingDesk(newOffice(), s).forgetPages(c.erasing)
		if s.forgotten != c.forgotten || (err == nil) != (c.want == nil) {
			t.Errorf("%s: forgotten %d times, %v", name, s.forgotten, err)
		}
		for _, w := range c.want {
			if !errors.Is(err, w) {
				t.Errorf("%s: %v is not %v", name, err, w)
			}
		}
	}
}

func TestSheetIsShownToWhoMayReadItsVersionBeforeAndAfter(t *testing.T) {
	o := newOffice()
	o.put("doc-1", "travel", 1, access.StatusArchived, "old")
	o.put("doc-2", "travel", 2, access.StatusPublished, "new")
	o.put("doc-3", "travel", 3, access.StatusDraft, "next")
	s := &pageStore{}
	d := drawingDesk(o, s)
	if svg, err := d.Sketch(t.Context(), alice, "doc-2", &sketch.Sheet{Name: " A1"}); err != nil || !strings.HasPrefix(string(svg), "bytes of") || !strings.HasSuffix(string(svg), " A1") {
		t.Errorf("%q %v", svg, err)
	}
	for _, id := range []corpus.DocumentID{"doc-1", "doc-3", "doc-4"} {
		if svg, err := d.Sketch(t.Context(), alice, id, nil); !problem.Is(err, problem.NotFound) || svg != nil || err.Error() != problem.Missing().Error() {
			t.Errorf("%s: %q %v", id, svg, err)
		}
	}
	s.meanwhile = func() { o.deny("doc-2") }
	if svg, err := d.Sketch(t.Context(), alice, "doc-2", nil); !problem.Is(err, problem.NotFound) || svg != nil || s.forgotten != 1 {
		t.Errorf("the right went meanwhile: %q %v, forgotten %d times", svg, err, s.forgotten)
	}
	d.deps.Pages = nil
	if _, err := d.Sketch(t.Context(), alice, "doc-2", nil); !problem.Is(err, problem.NotFound) {
		t.Errorf("where nothing is drawn: %v", err)
	}
}
