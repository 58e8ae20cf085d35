package corpus_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

func TestAPlaceOnAPictureSurvivesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := corpus.ImageLocator{Size: [2]float32{400, 300}, Boxes: []corpus.Box{}}
		for range rapid.IntRange(0, 3).Draw(t, "boxes") {
			x := float32(rapid.IntRange(0, 300).Draw(t, "x"))
			l.Boxes = append(l.Boxes, corpus.Box{x, 10, x + 20, 30})
		}
		survivesJSON(t, l)
	})
	if l, err := corpus.ParseLocator([]byte(`{"kind":"image","page":1,"boxes":[],"image_size":[1,1]}`)); err == nil {
		t.Errorf("a picture has the page of %+v", l)
	}
}

func TestPlacesOnAPictureAreJoinedByTheirBoxes(t *testing.T) {
	a := corpus.ImageLocator{Boxes: []corpus.Box{{40, 50, 135, 80}}, Size: [2]float32{400, 300}}
	b := corpus.ImageLocator{Boxes: []corpus.Box{{40, 200, 100, 230}}, Size: [2]float32{400, 300}}
	want := corpus.ImageLocator{Boxes: []corpus.Box{{40, 50, 135, 80}, {40, 200, 100, 230}}, Size: [2]float32{400, 300}}
	if d := cmp.Diff(corpus.Locator(want), a.Through(b)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(corpus.Locator(a), a.Through(a)); d != "" || len(a.Boxes) != 1 {
		t.Error("through itself", d)
	}
	if d := cmp.Diff(corpus.Locator(a), a.Through(corpus.PDFLocator{})); d != "" {
		t.Error("through another kind", d)
	}
	if zh, en := corpus.InWords(a, true), corpus.InWords(a, false); zh != "图片上的位置 40, 50" || en != "on the picture at 40, 50" {
		t.Errorf("%q and %q", zh, en)
	}
	if zh := corpus.InWords(corpus.ImageLocator{}, true); zh != "" {
		t.Errorf("no place is %q", zh)
	}
}
