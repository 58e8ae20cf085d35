package worker

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
)

// pagePlace draws a place on a page.
func pagePlace() *rapid.Generator[corpus.PDFLocator] {
	number := rapid.Float32Range(-1e6, 1e6)
	return rapid.Custom(func(t *rapid.T) corpus.PDFLocator {
		at := corpus.PDFLocator{
			Page: rapid.IntRange(1, 3000).Draw(t, "page"), PageEnd: rapid.SampledFrom([]int{0, 7}).Draw(t, "last page"),
			PageLabel: rapid.SampledFrom([]string{"", "iv", "第三页"}).Draw(t, "label"), Turn: rapid.IntRange(0, 3).Draw(t, "turn"),
			PageSize: [2]float32{number.Draw(t, "width"), number.Draw(t, "height")},
		}
		for range rapid.IntRange(0, 5).Draw(t, "boxes") {
			at.Boxes = append(at.Boxes, corpus.Box{number.Draw(t, "left"), 0.1, number.Draw(t, "right"), math.SmallestNonzeroFloat32})
		}
		return at
	})
}

// placed is a result of one block with such places, and the places.
func placed(t interface{ Fatal(...any) }, at ...corpus.PDFLocator) (*result, []byte) {
	b := corpus.Block{Head: -1}
	for i, l := range at {
		b.Segments = append(b.Segments, corpus.Segment{Span: corpus.Span{Start: 10 * i, End: 10*i + 9}, Locator: l})
	}
	var r result
	r.add(b, b.Segments, false)
	if r.Blocks[0].Places != len(at) || len(r.Blocks[0].Segments) > 0 {
		t.Fatal("they are on their way as something else")
	}
	return &r, r.places
}

func TestPlacesArriveAsTheyWere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(pagePlace(), 1, 8).Draw(t, "places")
		r, raw := placed(t, want...)
		if err := r.settle(raw); err != nil {
			t.Fatal(err)
		}
		for i, s := range r.unwire().Parsed.Blocks[0].Segments {
			if d := cmp.Diff(want[i], s.Locator); d != "" || s.Span != (corpus.Span{Start: 10 * i, End: 10*i + 9}) {
				t.Fatalf("%v %s", s.Span, d)
			}
		}
	})
}

// TestPlacesThatBreakOffOrGoOnAreRefused cuts them at every byte.
func TestPlacesThatBreakOffOrGoOnAreRefused(t *testing.T) {
	at := corpus.PDFLocator{Page: 300, PageLabel: "iv", Boxes: []corpus.Box{{1, 2, 3, 4}}, PageSize: [2]float32{600, 800}}
	for n := range 200 {
		r, raw := placed(t, at, at)
		if n == len(raw) {
			continue
		}
		if raw = append(raw, make([]byte, 200)...)[:n]; !errors.Is(r.settle(raw), errGarbled) {
			t.Errorf("%d bytes of places are taken for places", n)
		}
	}
}

func TestPlacesThatMakeNoSenseAreRefused(t *testing.T) {
	whole := corpus.PDFLocator{Page: 1, Boxes: []corpus.Box{{1, 2, 3, 4}}, PageSize: [2]float32{600, 800}}
	broken := func(n float32) corpus.PDFLocator {
		at := whole
		at.Boxes = []corpus.Box{{1, 2, n, 4}}
		return at
	}
	for name, c := range map[string]struct {
		at     corpus.PDFLocator
		change func(*result, []byte) []byte
	}{
		"a box that is no number": {broken(float32(math.NaN())), nil},
		"a box without an end":    {broken(float32(math.Inf(-1))), nil},
		"fewer than none":         {whole, func(r *result, raw []byte) []byte { r.Blocks[0].Places = -1; return raw }},
		"more than can be there":  {whole, func(r *result, raw []byte) []byte { r.Blocks[0].Places = math.MaxInt; return raw }},
		"more boxes than can be there": {whole, func(_ *result, raw []byte) []byte {
			return append(append(raw[:6:6], 0xfe, 0xff, 0xff, 0xff, 0x1f), raw[7:]...)
		}},
		"a label of less than nothing":    {whole, func(_ *result, raw []byte) []byte { raw[5] = 1; return raw }},
		"a number without an end":         {whole, func(*result, []byte) []byte { return bytes.Repeat([]byte{0xff}, 40) }},
		"places beside other segments":    {whole, func(r *result, raw []byte) []byte { r.Blocks[0].Segments = make([]segment, 1); return raw }},
		"places of blocks that have none": {whole, func(r *result, raw []byte) []byte { r.Blocks[0].Places = 0; return raw }},
	} {
		r, raw := placed(t, c.at)
		if c.change != nil {
			raw = c.change(r, raw)
		}
		if err := r.settle(raw); !errors.Is(err, errGarbled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestABlockAfterPlacesThatMakeNoSenseTakesNoMemory leaves bytes over, which would allow as many places to every further block.
func TestABlockAfterPlacesThatMakeNoSenseTakesNoMemory(t *testing.T) {
	at := corpus.PDFLocator{Page: 1, Boxes: []corpus.Box{{1, 2, 3, 4}}, PageSize: [2]float32{600, 800}}
	nan := at
	nan.Boxes = []corpus.Box{{1, 2, float32(math.NaN()), 4}}
	for name, c := range map[string]struct {
		at    corpus.PDFLocator
		boxes byte
	}{
		"a box that is no number":      {nan, 1},
		"more boxes than can be there": {at, 60},
	} {
		r, raw := placed(t, c.at)
		raw[6] = 2 * c.boxes // as a signed number is written
		r.Blocks = append(r.Blocks, block{Places: 10}, block{Places: 10})
		p := placeReader{left: append(raw, make([]byte, 200)...)}
		if p.segment(); !p.failed || len(p.left) > 0 {
			t.Errorf("%s: %d bytes are left to read, failed %v", name, len(p.left), p.failed)
		}
		if err := r.settle(append(raw, make([]byte, 200)...)); !errors.Is(err, errGarbled) || r.Blocks[1].places != nil || r.Blocks[2].places != nil {
			t.Errorf("%s: %v, and memory for %d and %d places", name, err, len(r.Blocks[1].places), len(r.Blocks[2].places))
		}
	}
}

// TestNoAnswerHasMorePlacesThanAFileMay counts over all of its parts, and before the places themselves are read.
func TestNoAnswerHasMorePlacesThanAFileMay(t *testing.T) {
	segments := make([]segment, parse.MaxPlaces/2)
	for name, c := range map[string]struct {
		parts [][]block
		want  error
	}{
		"as many as it may":           {[][]block{{{Segments: segments}}, {{Segments: segments}}}, nil},
		"one more, in another part":   {[][]block{{{Segments: segments}}, {{Segments: segments}}, {{Segments: segments[:1]}}}, errGarbled},
		"one more, in the same part":  {[][]block{{{Segments: segments}, {Segments: segments}, {Segments: segments[:1]}}}, errGarbled},
		"one more, on a page":         {[][]block{{{Segments: segments}}, {{Places: parse.MaxPlaces/2 + 1}}}, errGarbled},
		"more than a number can hold": {[][]block{{{Places: math.MaxInt}, {Places: math.MaxInt}}}, errGarbled},
	} {
		var stream []byte
		for i, blocks := range c.parts {
			stream = append(stream, message(t, answer{Result: &result{Blocks: blocks}, More: i+1 < len(c.parts)})...)
		}
		if _, err := receiveAnswer(bytes.NewReader(stream), 1<<30, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPlacesFollowTheirAnswer(t *testing.T) {
	r, raw := placed(t, corpus.PDFLocator{Page: 1, Boxes: []corpus.Box{{1, 2, 3, 4}}, PageSize: [2]float32{600, 800}})
	for name, c := range map[string]struct {
		said  answer
		after []byte
		most  int64
		want  error
	}{
		"all of them":             {answer{Result: r, Places: len(raw)}, raw, 1 << 20, nil},
		"without a result":        {answer{Text: "a", Places: 1}, raw, 1 << 20, errGarbled},
		"fewer than none":         {answer{Result: r, Places: -1}, raw, 1 << 20, errGarbled},
		"too few":                 {answer{Result: r, Places: len(raw) - 1}, raw, 1 << 20, errGarbled},
		"more than the bound":     {answer{Result: r, Places: 1 << 40}, raw, 1 << 20, errTooLong},
		"more than the part left": {answer{Result: r, Places: len(raw)}, raw, int64(len(message(t, answer{Result: r, Places: len(raw)})) + len(raw) - len(mark) - 5), errTooLong},
	} {
		stream := append(message(t, c.said), c.after...)
		a, err := receiveAnswer(bytes.NewReader(stream), c.most, nil)
		if !errors.Is(err, c.want) || err == nil && len(a.Result.unwire().Parsed.Blocks[0].Segments) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
