package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

func marked(t interface {
	Helper()
	Fatal(...any)
}, p Picture, boxes ...corpus.Box) image.Image {
	t.Helper()
	out, err := New(Options{}).Mark(context.Background(), p, boxes)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(out.PNG))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// rgb returns a pixel's colour.
func rgb(img image.Image, x, y int) [3]uint8 {
	c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
	return [3]uint8{c.R, c.G, c.B}
}

var white = [3]uint8{255, 255, 255}

func TestMarkLiesOnTheBox(t *testing.T) {
	// A page of 100 by 200 points in twice as many pixels.
	img := marked(t, Picture{PNG: paper(200, 400, color.White), Size: [2]float32{100, 200}}, corpus.Box{10, 20, 30, 40})
	inside, line := rgb(img, 40, 60), rgb(img, 19, 60)
	if inside == white || inside == line || inside[0] < 200 || inside[2] > 230 {
		t.Errorf("inside it is %v", inside)
	}
	for y := range 400 {
		for x := range 200 {
			want := white
			switch in := x >= 20 && x < 60 && y >= 40 && y < 80; {
			case in:
				want = inside
			case x >= 19 && x < 61 && y >= 39 && y < 81:
				want = line
			}
			if got := rgb(img, x, y); got != want {
				t.Fatalf("at %d %d it is %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestWordsUnderAMarkCanBeRead(t *testing.T) {
	for name, c := range map[string]struct{ letter, ground color.Color }{"black on white": {color.Black, color.White}, "white on black": {color.White, color.Black}} {
		page := image.NewRGBA(image.Rect(0, 0, 40, 40))
		for i := range 40 * 40 {
			page.Set(i%40, i/40, c.ground)
		}
		page.Set(20, 20, c.letter)
		var b bytes.Buffer
		if err := png.Encode(&b, page); err != nil {
			t.Fatal(err)
		}
		img := marked(t, Picture{PNG: b.Bytes(), Size: [2]float32{40, 40}}, corpus.Box{10, 10, 30, 30})
		if a, b := rgb(img, 20, 20), rgb(img, 22, 22); difference(a, b) < 120 {
			t.Errorf("%s: a letter is %v on %v", name, a, b)
		}
		if a, b := rgb(img, 22, 22), rgb(img, 5, 5); difference(a, b) < 40 {
			t.Errorf("%s: a mark of %v is hardly seen on %v", name, a, b)
		}
	}
}

func difference(a, b [3]uint8) int {
	most := 0
	for i := range a {
		most = max(most, int(a[i])-int(b[i]), int(b[i])-int(a[i]))
	}
	return most
}

func TestMarksThatOverlapAreNoDarker(t *testing.T) {
	box := corpus.Box{10, 10, 30, 30}
	once := marked(t, Picture{PNG: paper(50, 50, color.White), Size: [2]float32{50, 50}}, box)
	often := marked(t, Picture{PNG: paper(50, 50, color.White), Size: [2]float32{50, 50}}, box, box, corpus.Box{12, 12, 20, 20}, box)
	for i := range 50 * 50 {
		if a, b := rgb(once, i%50, i/50), rgb(often, i%50, i/50); a != b {
			t.Fatalf("at %d %d: %v and %v", i%50, i/50, a, b)
		}
	}
}

func TestMarkNeverLeavesThePageNorTouchesTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 60).Draw(t, "w"), rapid.IntRange(1, 60).Draw(t, "h")
		size := [2]float32{rapid.Float32Range(0.1, 2000).Draw(t, "across"), rapid.Float32Range(0.1, 2000).Draw(t, "down")}
		var boxes []corpus.Box
		for range rapid.IntRange(1, 4).Draw(t, "n") {
			var b corpus.Box
			for i := range b {
				b[i] = rapid.Float32Range(-3000, 3000).Draw(t, "side")
			}
			boxes = append(boxes, b)
		}
		img := marked(t, Picture{PNG: paper(w, h, color.White), Size: size}, boxes...)
		if img.Bounds() != image.Rect(0, 0, w, h) {
			t.Fatalf("it is %v", img.Bounds())
		}
		for y := range h {
			for x := range w {
				near := false
				for _, b := range boxes {
					x0, x1 := float64(min(b[0], b[2]))*float64(w)/float64(size[0])-2, float64(max(b[0], b[2]))*float64(w)/float64(size[0])+2
					y0, y1 := float64(min(b[1], b[3]))*float64(h)/float64(size[1])-2, float64(max(b[1], b[3]))*float64(h)/float64(size[1])+2
					near = near || float64(x) >= x0-1 && float64(x) <= x1 && float64(y) >= y0-1 && float64(y) <= y1
				}
				if !near && rgb(img, x, y) != white {
					t.Fatalf("at %d %d it is %v", x, y, rgb(img, x, y))
				}
			}
		}
	})
}

func TestGreyPictureIsMarkedInColour(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 20, 20))
	for i := range grey.Pix {
		grey.Pix[i] = 0xFF
	}
	var b bytes.Buffer
	if err := png.Encode(&b, grey); err != nil {
		t.Fatal(err)
	}
	img := marked(t, Picture{PNG: b.Bytes(), Size: [2]float32{20, 20}}, corpus.Box{5, 5, 15, 15})
	if c := rgb(img, 10, 10); c[0] == c[2] {
		t.Errorf("the mark is %v", c)
	}
}

func TestPageWithoutMarksIsAsItWas(t *testing.T) {
	p := Picture{PNG: []byte("any bytes"), Size: [2]float32{1, 1}}
	if got, err := New(Options{}).Mark(t.Context(), p, nil); err != nil || !bytes.Equal(got.PNG, p.PNG) {
		t.Errorf("%q, %v", got.PNG, err)
	}
	if _, err := New(Options{}).Mark(t.Context(), p, []corpus.Box{{0, 0, 1, 1}}); problem.CodeOf(err) != "page_unreadable" {
		t.Errorf("what is no picture: %v", err)
	}
}

func TestMarkingWaitsForItsTurn(t *testing.T) {
	a := New(Options{})
	a.marking <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Mark(ctx, Picture{PNG: paper(2, 2, color.White), Size: [2]float32{1, 1}}, []corpus.Box{{0, 0, 1, 1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestStrangeNumbersMakeNoMark(t *testing.T) {
	nan, far := float32(math.NaN()), float32(math.Inf(1))
	img := marked(t, Picture{PNG: paper(20, 20, color.White), Size: [2]float32{20, 20}}, corpus.Box{nan, nan, nan, nan}, corpus.Box{far, far, far, far}, corpus.Box{-far, -far, -far, -far})
	for i := range 400 {
		if c := rgb(img, i%20, i/20); c != white && i%20 > 1 && i/20 > 1 {
			t.Fatalf("at %d %d it is %v", i%20, i/20, c)
		}
	}
}
