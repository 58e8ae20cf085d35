package index_test

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/index"
)

// frequencies draws the frequencies of one posting; a style gives lists in which each form of a
// block occurs.
func frequencies(t *rapid.T, style int) [3]uint32 {
	body := rapid.Uint32Range(1, 9)
	if rapid.IntRange(0, 199).Draw(t, "outlier") == 0 {
		body = rapid.Uint32Range(1, 1<<24)
	}
	switch style {
	case 0:
		return [3]uint32{2: 1}
	case 1:
		return [3]uint32{0: 1}
	case 2:
		return [3]uint32{2: body.Draw(t, "body")}
	case 3:
		return [3]uint32{rapid.Uint32Range(0, 2).Draw(t, "title"), rapid.Uint32Range(1, 3).Draw(t, "heading"), body.Draw(t, "body")}
	}
	return frequencies(t, rapid.IntRange(0, 3).Draw(t, "style of one"))
}

// drawList draws a list and the number of chunks that it lies among.
func drawList(t *rapid.T) ([]index.Posting, int) {
	style := rapid.IntRange(0, 4).Draw(t, "style")
	sparse := rapid.Uint32Range(1, 1<<rapid.IntRange(0, 9).Draw(t, "gap bits"))
	list := make([]index.Posting, rapid.IntRange(1, 400).Draw(t, "postings"))
	at := uint32(0)
	for i := range list {
		if i > 0 || rapid.Bool().Draw(t, "not the first chunk") {
			at += sparse.Draw(t, "gap")
		}
		list[i] = index.Posting{Ord: at, TF: frequencies(t, style)}
	}
	return list, int(at) + 1
}

func TestAListIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, chunks := drawList(t)
		got, covered := index.Rewritten(list, chunks)
		if diff := gocmp.Diff(list, got); diff != "" {
			t.Fatal(diff)
		}
		if !covered {
			t.Fatal("a posting earns more than its block says")
		}
	})
}

func TestTheBoundOfAWindowCoversEveryChunkInIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, chunks := drawList(t)
		// A window that begins or ends at a posting is where a bound can be missed.
		var ends []uint32
		for at := uint32(0); int(at) < chunks; {
			at += rapid.Uint32Range(1, 1<<rapid.IntRange(0, 11).Draw(t, "window bits")).Draw(t, "window")
			if p := list[rapid.IntRange(0, len(list)-1).Draw(t, "posting")].Ord; rapid.Bool().Draw(t, "at a posting") && p > at {
				at = p + rapid.Uint32Range(0, 1).Draw(t, "before or behind it")
			}
			ends = append(ends, at)
		}
		for _, short := range []bool{false, true} {
			if ord, missed := index.Bounded(list, chunks, ends, short); missed {
				t.Fatalf("chunk %d earns more than the bound of its window; as a short list: %v", ord, short)
			}
		}
	})
}
