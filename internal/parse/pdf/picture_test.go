package pdf_test

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/pdf"
	"github.com/kaoju/kaoju/internal/problem"
)

func rendered(t testing.TB, p paper, page, width int) (image.Image, pdf.Picture) {
	t.Helper()
	out, err := shared().Picture(t.Context(), p.bytes(), pdf.Limits{}, page, width)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(out.PNG))
	if err != nil {
		t.Fatal(err)
	}
	return img, out
}

// ink counts the dark pixels of a picture, and those of them that lie in a box in points.
func ink(img image.Image, size [2]float32, box corpus.Box) (all, in int) {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if r, _, _, _ := img.At(x, y).RGBA(); r > 0x8000 {
				continue
			}
			all++
			if box.Holds((float32(x)+0.5)*size[0]/float32(b.Dx()), (float32(y)+0.5)*size[1]/float32(b.Dy()), 1) {
				in++
			}
		}
	}
	return all, in
}

// frames are entries of a page, under each of which the word "Corner" stands at another place.
var frames = map[string]string{
	"a plain page": "", "a crop box": "/CropBox [50 100 450 750]", "a page box that does not begin at zero": "/MediaBox [-100 -50 500 750]",
	"a quarter of a turn": "/Rotate 90", "upside down": "/Rotate 180", "three quarters of a turn": "/Rotate 270", "a turned crop box": "/CropBox [50 100 450 750] /Rotate 90",
}

func TestBoxOfAWordLiesOnItsInk(t *testing.T) {
	for name, entries := range frames {
		t.Run(name, func(t *testing.T) {
			doc := paper{pages: []leaf{{at(100, 700, 12, "Corner"), entries}}}
			l := placed(t, read(t, doc), "Corner")
			img, p := rendered(t, doc, 1, 600)
			if p.Pages != 1 {
				t.Errorf("it says that there are %d pages", p.Pages)
			}
			if p.Size != l.PageSize {
				t.Errorf("the picture is of a page of %v, the place of one of %v", p.Size, l.PageSize)
			}
			if b := img.Bounds(); b.Dx() != 600 || !near(float32(b.Dy()), 600*p.Size[1]/p.Size[0], 1) {
				t.Errorf("the picture has %v pixels", b)
			}
			if all, in := ink(img, p.Size, l.Boxes[0]); all < 50 || in != all {
				t.Errorf("of %d dark pixels, %d lie in the box of the only word", all, in)
			}
		})
	}
}

func TestPictureHasColours(t *testing.T) {
	img, _ := rendered(t, page("1 0 0 rg 0 400 300 400 re f 0 0 1 rg 300 0 300 400 re f"), 1, 300)
	for at, want := range map[image.Point][3]uint32{{50, 50}: {0xFFFF, 0, 0}, {250, 350}: {0, 0, 0xFFFF}, {250, 50}: {0xFFFF, 0xFFFF, 0xFFFF}} {
		if r, g, b, a := img.At(at.X, at.Y).RGBA(); [3]uint32{r, g, b} != want || a != 0xFFFF {
			t.Errorf("at %v it is %x %x %x %x", at, r, g, b, a)
		}
	}
}

func TestPictureShowsCommentsThatAViewerShows(t *testing.T) {
	doc := paper{pages: []leaf{{"", "/Annots [9 0 R]"}}, more: []string{
		"<< /Type /Annot /Subtype /Square /Rect [100 600 300 700] /F 4 /AP << /N 10 0 R >> >>",
		stream("/Type /XObject /Subtype /Form /BBox [0 0 200 100]", "0 g 0 0 200 100 re f"),
	}}
	img, p := rendered(t, doc, 1, 600)
	if all, in := ink(img, p.Size, corpus.Box{100, 100, 300, 200}); all != 200*100 || in != all {
		t.Errorf("%d dark pixels, %d of them where the comment is", all, in)
	}
}

func TestPictureOfAnExtremePageIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		box   string
		width int
	}{
		"tall": {"[0 0 10 14400]", 2400}, "wide": {"[0 0 14400 10]", 2400}, "square": {"[0 0 14400 14400]", 2400},
		"a hair": {"[0 0 0.5 900000]", 200}, "a line": {"[0 0 900000 0.5]", 2400}, "more than a viewer takes": {"[0 0 900000 900000]", 2400},
	} {
		t.Run(name, func(t *testing.T) {
			img, _ := rendered(t, paper{pages: []leaf{{entries: "/MediaBox " + c.box}}}, 1, c.width)
			if b := img.Bounds(); b.Dx() > c.width || b.Dx() > 10_000 || b.Dy() > 10_000 || b.Dx()*b.Dy() > 10_000_000 || b.Empty() {
				t.Errorf("the picture is %v", b)
			}
		})
	}
}

func TestPageThatIsNotThereHasNoPicture(t *testing.T) {
	for _, n := range []int{-1, 0, 2, 1 << 40} {
		p, err := shared().Picture(t.Context(), page(at(100, 700, 12, "a")).bytes(), pdf.Limits{}, n, 300)
		if !problem.Is(err, problem.NotFound) || err.Error() != problem.Missing().Error() || p.Pages != 1 || p.PNG != nil {
			t.Errorf("page %d of %d: %v", n, p.Pages, err)
		}
	}
}

func TestPageThatCannotBeDrawnLeavesTheOthers(t *testing.T) {
	data := []byte(strings.Replace(string(paper{pages: []leaf{{draw: at(100, 700, 12, "one")}, {draw: at(100, 700, 12, "two")}}}.bytes()), "[7 0 R 9 0 R]", "[99 0 R 9 0 R]", 1))
	if _, err := shared().Picture(t.Context(), data, pdf.Limits{}, 1, 300); problem.CodeOf(err) != "page_unreadable" || problem.KindOf(err) != problem.Invalid {
		t.Errorf("a page that is none: %v", err)
	}
	if p, err := shared().Picture(t.Context(), data, pdf.Limits{}, 2, 300); err != nil || len(p.PNG) == 0 {
		t.Errorf("the next page: %v", err)
	}
}

func TestWhatIsNotReadIsNotDrawn(t *testing.T) {
	for code, data := range map[string]string{"content_mismatch": "no document", "pdf_malformed": "%PDF-1.4\nnothing"} {
		if _, err := shared().Picture(t.Context(), []byte(data), pdf.Limits{}, 1, 300); problem.CodeOf(err) != code {
			t.Errorf("%q: %v", data, err)
		}
	}
}
