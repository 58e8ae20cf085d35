package stored_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/sqlite/stored"
)

// drawBlocks draws blocks whose names and headings look like what stands between blocks.
func drawBlocks(t *rapid.T) (out []corpus.Block) {
	name := rapid.SampledFrom([]string{"", "差旅", `"`, `},{"kind":"`, `]}]}`, `\`, `","span":[1,2]`, "<&>", "\u2028"})
	at := 0
	for range rapid.IntRange(0, 6).Draw(t, "blocks") {
		at += rapid.IntRange(0, 3).Draw(t, "gap")
		end := at + rapid.IntRange(1, 5).Draw(t, "length")
		b := corpus.Block{
			Kind: rapid.SampledFrom([]corpus.BlockKind{corpus.Heading, corpus.TableRow, corpus.Code}).Draw(t, "kind"),
			Span: corpus.Span{Start: at, End: end}, Head: rapid.IntRange(-1, 2).Draw(t, "head"), HeadingPath: rapid.SliceOfN(name, 1, 3).Draw(t, "path"),
		}
		for from := at; from < end; from++ {
			b.Segments = append(b.Segments, corpus.Segment{Span: corpus.Span{Start: from, End: from + 1}, Locator: corpus.XLSXLocator{Sheet: name.Draw(t, "sheet"), Cell: "A1"}})
		}
		out, at = append(out, b), end
	}
	return out
}

func TestBlocksOfASpanAreThoseOfAllThatLieOverIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		column := stored.Blocks(drawBlocks(t)).Text
		if rapid.Bool().Draw(t, "written in another order of fields") {
			var any any
			if err := json.Unmarshal([]byte(column), &any); err != nil {
				t.Fatal(err)
			}
			again, err := json.Marshal(any)
			if err != nil {
				t.Fatal(err)
			}
			column = string(again)
		}
		all, err := stored.ReadBlocks(column)
		if err != nil {
			t.Fatal(err)
		}
		start := rapid.IntRange(-1, 40).Draw(t, "start")
		span := corpus.Span{Start: start, End: start + rapid.IntRange(-1, 20).Draw(t, "span")}
		var want []corpus.Block
		first := 0
		for i, b := range all {
			if b.Span.Overlap(span) > 0 {
				if want == nil {
					first = i
				}
				want = append(want, b)
			}
		}
		got, n, err := stored.BlocksWithin(column, span)
		if d := cmp.Diff(want, got); err != nil || n != first || d != "" {
			t.Fatalf("of %s: first %d, want %d (%v) %s", column, n, first, err, d)
		}
	})
}

func TestTextThatIsNoRecordIsRefusedByItsSpanToo(t *testing.T) {
	for _, column := range []string{
		``, `x`, `{"v":2,"blocks":[]}`, `{"v":1,"blocks":[{"kind":"p"`, `{"v":1,"blocks":[{"kind":"p","span":[0,5]`, `{"v":1,"blocks":[{"kind":"p","span":[0]}]}`,
		`{"v":1,"blocks":[{"kind":"p","span":[a,5]}]}`, `{"v":1,"blocks":[{"kind":"p","span":[0,5],x}]}`, `{"v":1,"blocks":[{"kind":"p"},{"kind":"q","span":[0,5]}]}`,
	} {
		if got, _, err := stored.BlocksWithin(column, corpus.Span{Start: 0, End: 9}); err == nil {
			t.Errorf("%s is %v", column, got)
		}
	}
}
