package trial

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/demo"
	"github.com/kaoju/kaoju/internal/parse"
)

// originals are the files of the demonstration, in all the formats that it has, with what the
// parsers make of them.
func originals(t *testing.T) (files []parse.File, parsed []corpus.Parsed) {
	t.Helper()
	formats := map[string]bool{}
	for _, d := range demo.Documents() {
		data, err := d.Original()
		if err != nil {
			t.Fatal(err)
		}
		file := parse.File{Name: d.File, Data: data}
		r, err := parse.Parse(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		formats[r.Format] = true
		files, parsed = append(files, file), append(parsed, r.Parsed)
	}
	for _, f := range []string{"md", "txt", "html", "csv"} {
		if !formats[f] {
			t.Fatalf("no document of the demonstration is %s", f)
		}
	}
	return files, parsed
}

// passage makes the evidence of a stretch of blocks, as reading it would.
func passage(p corpus.Parsed, from, to int) citation.Evidence {
	runes := []rune(p.Text)
	e := citation.Evidence{Span: corpus.Span{Start: p.Blocks[from].Span.Start, End: p.Blocks[to].Span.End}}
	e.Excerpt = string(runes[e.Span.Start:e.Span.End])
	for _, b := range p.Blocks[from : to+1] {
		e.Segments = append(e.Segments, b.Segments...)
	}
	e.Locator = corpus.Cover(e.Segments)
	return e
}

// TestEveryPassageStandsInItsOriginalAndNowhereElse takes stretches of the demonstration's
// documents: as they are they stand at their places; with a letter changed, or under the places
// of another stretch that says something else, they do not.
func TestEveryPassageStandsInItsOriginalAndNowhereElse(t *testing.T) {
	files, parsed := originals(t)
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(files)-1).Draw(t, "document")
		p := parsed[i]
		from := rapid.IntRange(0, len(p.Blocks)-1).Draw(t, "from")
		to := rapid.IntRange(from, min(len(p.Blocks)-1, from+6)).Draw(t, "to")
		e := passage(p, from, to)
		ctx := t.Context()
		if !stands(ctx, parse.Limits{}, files[i], e) {
			t.Fatalf("%s, blocks %d to %d do not stand where they are: %q", files[i].Name, from, to, e.Excerpt)
		}

		runes := []rune(e.Excerpt)
		at := rapid.IntRange(0, len(runes)-1).Draw(t, "letter")
		if covered(e, at) {
			changed := e
			runes[at] = '☃'
			changed.Excerpt = string(runes)
			if stands(ctx, parse.Limits{}, files[i], changed) {
				t.Fatalf("%s: a changed letter at %d is not noticed: %q", files[i].Name, at, changed.Excerpt)
			}
		}

		other := rapid.IntRange(0, len(p.Blocks)-1).Draw(t, "other")
		moved := e
		elsewhere := passage(p, other, other)
		moved.Segments, moved.Locator = nil, elsewhere.Locator
		if !strings.Contains(dense(elsewhere.Excerpt), dense(e.Excerpt)) && other < from && stands(ctx, parse.Limits{}, files[i], moved) {
			t.Fatalf("%s: blocks %d to %d stand at the place of block %d: %q", files[i].Name, from, to, other, elsewhere.Excerpt)
		}
	})
}

// covered reports whether a segment of the passage covers a code point of it.
func covered(e citation.Evidence, at int) bool {
	for _, s := range e.Segments {
		if s.Span.Start <= e.Span.Start+at && e.Span.Start+at < s.Span.End {
			return true
		}
	}
	return false
}

func TestAPassageWithoutPlacesStandsNowhere(t *testing.T) {
	files, parsed := originals(t)
	for i, p := range parsed {
		e := passage(p, 0, 0)
		e.Segments, e.Locator = nil, nil
		if stands(t.Context(), parse.Limits{}, files[i], e) {
			t.Errorf("%s: a passage without a place stands somewhere", files[i].Name)
		}
		e = passage(p, 0, 0)
		other := corpus.Locator(corpus.CSVLocator{Row: 1, Char: [2]int{0, 5}})
		if strings.HasSuffix(files[i].Name, ".csv") {
			other = corpus.TextLocator{Format: "md", Line: 1, Char: [2]int{0, 5}}
		}
		for j := range e.Segments {
			e.Segments[j].Locator = other
		}
		e.Locator = other
		if stands(t.Context(), parse.Limits{}, files[i], e) {
			t.Errorf("%s: a place of another format leads somewhere", files[i].Name)
		}
	}
}

func TestAPlaceBeyondTheFileLeadsNowhere(t *testing.T) {
	files, parsed := originals(t)
	for i, p := range parsed {
		for _, by := range []int{1, 1 << 20, -1 << 20} {
			e := passage(p, len(p.Blocks)-1, len(p.Blocks)-1)
			for j, s := range e.Segments {
				switch l := s.Locator.(type) {
				case corpus.TextLocator:
					l.Char = [2]int{l.Char[0] + by, l.Char[1] + by}
					e.Segments[j].Locator = l
				case corpus.CSVLocator:
					l.Char = [2]int{l.Char[0] + by, l.Char[1] + by}
					e.Segments[j].Locator = l
				case corpus.XLSXLocator:
					l.Row += by
					l.Cell = strings.TrimRight(l.Cell, "0123456789") + strconv.Itoa(l.Row)
					e.Segments[j].Locator = l
				case corpus.DXFLocator:
					l.No += by
					e.Segments[j].Locator = l
				}
			}
			e.Locator = corpus.Cover(e.Segments)
			if stands(t.Context(), parse.Limits{}, files[i], e) {
				t.Errorf("%s: a place that was moved by %d leads to the same text: %s", files[i].Name, by, fmt.Sprint(e.Excerpt))
			}
		}
	}
}
