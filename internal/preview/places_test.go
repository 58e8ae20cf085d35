package preview_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/preview"
	"github.com/kaoju/kaoju/internal/preview/previewtest"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// anchors are the elements of a document with ids, on all of its pages.
type anchors map[string][]previewtest.Placed

func anchorsOf(t fataler, pages []preview.Fragment) anchors {
	t.Helper()
	out := anchors{}
	for _, f := range pages {
		placed, err := previewtest.PlacedIn(f.HTML)
		if err != nil {
			t.Fatalf("%v", err)
		}
		for _, p := range placed {
			if p.ID != "" {
				out[p.ID] = append(out[p.ID], p)
			}
		}
	}
	return out
}

// at returns the elements that an id leads to, by the rule of the documentation: those with the id, or
// else with the greatest last number that is not above its own.
func (a anchors) at(id string) []previewtest.Placed {
	if found := a[id]; found != nil {
		return found
	}
	cut := strings.LastIndexByte(id, '-') + 1
	most, err := strconv.Atoi(id[cut:])
	if err != nil {
		return nil
	}
	best := -1
	for other := range a {
		if len(other) > cut && other[:cut] == id[:cut] {
			if n, err := strconv.Atoi(other[cut:]); err == nil && n <= most && n > best {
				best = n
			}
		}
	}
	return a[id[:cut]+strconv.Itoa(best)]
}

// holds reports whether one of the elements holds a character.
func holds(placed []previewtest.Placed, at int) bool {
	return slices.ContainsFunc(placed, func(p previewtest.Placed) bool { return p.Start <= at && at < p.End })
}

// saysAgain reports whether a piece says the value of a merged cell again, whose anchor is the cell.
func saysAgain(placed []previewtest.Placed, s corpus.Segment, text []rune) bool {
	r, ok := corpus.RecordOf(s.Locator)
	return ok && r.Merged && slices.ContainsFunc(placed, func(p previewtest.Placed) bool { return shows(p.Text, text[s.Span.Start:s.Span.End]) })
}

// begins reports whether a page begins at or before a piece, where a page is all that anchors name.
func begins(placed []previewtest.Placed, s corpus.Segment) bool {
	return s.Locator.Kind() == "pdf" && len(placed) > 0 && placed[0].Start <= s.Span.Start
}

func TestEveryPlaceOfRealDocumentsHasItsAnchor(t *testing.T) {
	type file struct {
		File     string `json:"file"`
		Format   string `json:"format"`
		MustFail bool   `json:"must_fail_cleanly"`
	}
	dir := sharedtest.Path(t, "data", "docs")
	formats, chunks, pieces := map[string]int{}, 0, 0
	for _, f := range sharedtest.Records[file](t, "data", "docs", "manifest.jsonl") {
		if f.MustFail || !parse.Supported(f.File) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, f.File))
		if err != nil {
			t.Fatal(err)
		}
		result, err := parse.Parse(context.Background(), parse.File{Name: f.File, Data: data})
		if err != nil {
			continue // refused, which is judged elsewhere
		}
		formats[f.Format]++
		t.Run(f.File, func(t *testing.T) {
			c, p := anchored(t, result.Parsed)
			chunks, pieces = chunks+c, pieces+p
		})
	}
	for _, format := range []string{"md", "txt", "html", "csv", "docx", "xlsx", "pptx", "pdf", "epub", "dxf", "svg", "eml"} {
		if formats[format] == 0 {
			t.Errorf("no document of %s was rendered", format)
		}
	}
	t.Logf("documents %v, %d chunks and %d pieces at their anchors", formats, chunks, pieces)
}

// anchored renders a document, and looks for the places of its chunks and of all their pieces.
func anchored(t *testing.T, p corpus.Parsed) (chunks, pieces int) {
	ids, text := anchorsOf(t, whole(t, stored(p))), []rune(p.Text)
	for _, c := range chunk.Split(p, chunk.Options{}) {
		if len(c.Segments) == 0 {
			continue
		}
		chunks++
		if id := preview.Anchor(c.Locator); !slices.ContainsFunc(ids.at(id), func(p previewtest.Placed) bool {
			return c.Span.Overlap(corpus.Span{Start: p.Start, End: p.End}) > 0 || c.Locator.Kind() == "pdf" && p.Start <= c.Span.Start
		}) {
			t.Errorf("chunk %d of %v at %v is not at %s, which is %+v", c.No, c.Span, c.Locator, id, ids.at(id))
		}
		for _, s := range c.Segments {
			pieces++
			id := preview.Anchor(s.Locator)
			placed := ids.at(id)
			whole := holds(placed, s.Span.Start) && holds(placed, s.Span.End-1)
			if !whole && !saysAgain(placed, s, text) && !begins(placed, s) {
				t.Errorf("the piece %v at %v is not at %s, which is %+v", s.Span, s.Locator, id, placed)
			}
		}
	}
	return chunks, pieces
}
