package parse_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/tiff"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/ocr"
	"github.com/kaoju/kaoju/internal/parse/ocr/ocrtest"
	"github.com/kaoju/kaoju/internal/problem"
)

// dots is a WebP picture of 8 by 8 pixels, half of them dark.
const dots = "UklGRiAAAABXRUJQVlA4TBQAAAAvB8ABAA8w//M///MfeJj/iP4HPA=="

// drawing is a picture of 400 by 300 pixels with some ink.
func drawing() image.Image {
	img := image.NewRGBA(image.Rect(0, 0, 400, 300))
	for y := range 300 {
		for x := range 400 {
			img.Set(x, y, color.White)
		}
	}
	for x := range 90 {
		img.Set(40+x, 60, color.Black)
	}
	return img
}

// pictures are files of each kind.
func pictures(t *testing.T) map[string][]byte {
	t.Helper()
	var p, j, f bytes.Buffer
	if png.Encode(&p, drawing()) != nil || jpeg.Encode(&j, drawing(), nil) != nil || tiff.Encode(&f, drawing(), nil) != nil {
		t.Fatal("a picture can't be made")
	}
	return map[string][]byte{"a.png": p.Bytes(), "a.jpg": j.Bytes(), "a.JPEG": j.Bytes(), "a.tif": f.Bytes(), "a.tiff": f.Bytes()}
}

// recognising lets pictures be read by a program, until the test ends.
func recognising(t *testing.T, e *ocr.Engine) {
	t.Helper()
	parse.PDF().OCR = e
	t.Cleanup(func() { parse.PDF().OCR = nil })
}

func TestWordsOnAPictureHaveTheirBoxes(t *testing.T) {
	recognising(t, &ocr.Engine{Languages: "eng", Program: ocrtest.Says(t, ocrtest.Table(
		ocrtest.Word{Text: "Price", Left: 40, Top: 50, Width: 90, Height: 30, Confidence: 95}, ocrtest.Word{Text: "650", Left: 140, Top: 50, Width: 60, Height: 30, Confidence: 92},
		ocrtest.Word{Text: "上限", Left: 40, Top: 200, Width: 60, Height: 30, Confidence: 97}))})
	for name, data := range pictures(t) {
		t.Run(name, func(t *testing.T) {
			f := parse.File{Name: name, Data: data}
			r, err := parse.Parse(context.Background(), f)
			if err != nil || r.Parsed.Text != "Price 650\n\n上限" || r.Format != "image" || !strings.HasPrefix(r.MediaType, "image/") {
				t.Fatalf("%q, %s, %s, %v", r.Parsed.Text, r.Format, r.MediaType, err)
			}
			want := corpus.ImageLocator{Boxes: []corpus.Box{{40, 50, 135, 80}, {135, 50, 200, 80}}, Size: [2]float32{400, 300}}
			if d := cmp.Diff(corpus.Locator(want), r.Parsed.Blocks[0].Segments[0].Locator); d != "" {
				t.Error(d)
			}
			if !slices.Equal(r.Parsed.Notices, []string{"ocr_text"}) {
				t.Errorf("the notices are %v", r.Parsed.Notices)
			}
			checkParsed(t, f, r)
			chunks := chunk.Split(r.Parsed, chunk.Options{})
			checkChunks(t, r.Parsed, chunks, 900)
			checkCovers(t, f, chunks)
			again, err := parse.Parse(context.Background(), parse.File{MediaType: r.MediaType, Data: data})
			if err != nil || again.Parsed.Text != r.Parsed.Text {
				t.Errorf("as %s: %q, %v", r.MediaType, again.Parsed.Text, err)
			}
		})
	}
}

func TestWithoutAProgramAPictureHasNoText(t *testing.T) {
	webp, err := base64.StdEncoding.DecodeString(dots)
	if err != nil {
		t.Fatal(err)
	}
	files := pictures(t)
	files["a.webp"] = webp
	for name, data := range files {
		r, err := parse.Parse(context.Background(), parse.File{Name: name, Data: data})
		if err != nil || len(r.Parsed.Blocks) != 0 || !slices.Equal(r.Parsed.Notices, []string{parse.NoTextLayer}) {
			t.Errorf("%s: %d blocks, %v, %v", name, len(r.Parsed.Blocks), r.Parsed.Notices, err)
		}
	}
}

func TestAPictureThatIsNoneIsRefused(t *testing.T) {
	whole := pictures(t)
	for name, c := range map[string]struct {
		file string
		data []byte
		code string
	}{
		"text":         {"a.png", []byte("words"), "content_mismatch"},
		"another kind": {"a.png", whole["a.jpg"], "content_mismatch"},
		"a sound":      {"a.webp", []byte("RIFF\x00\x00\x00\x00WAVEfmt "), "image_malformed"},
		"cut off":      {"a.png", whole["a.png"][:60], "image_malformed"},
		"a cut JPEG":   {"a.jpg", whole["a.jpg"][:40], "image_malformed"},
		"a cut TIFF":   {"a.tif", whole["a.tif"][:40], "image_malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parse.Parse(context.Background(), parse.File{Name: c.file, Data: c.data}); problem.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.file) {
				t.Errorf("it ends with %v, want %s", err, c.code)
			}
		})
	}
}

func TestAPictureOfMorePixelsThanAreAllowedIsNotDecoded(t *testing.T) {
	encode := func(w, h int) []byte {
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.White, color.Black})); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, c := range []struct {
		w, h int
		over bool
	}{{5000, 5000, false}, {5001, 5000, true}, {20_001, 1, true}, {1, 20_001, true}, {20_000, 1250, false}} {
		_, err := parse.Parse(context.Background(), parse.File{Name: "a.png", Data: encode(c.w, c.h)})
		if c.over && problem.CodeOf(err) != "image_limit" || !c.over && err != nil {
			t.Errorf("%d by %d: %v", c.w, c.h, err)
		}
	}
}

func FuzzPicture(f *testing.F) {
	webp, err := base64.StdEncoding.DecodeString(dots)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(webp)
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Add([]byte("II*\x00\x08\x00\x00\x00"))
	f.Add([]byte("\xff\xd8\xff\xe0"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"a.png", "a.jpg", "a.tif", "a.webp"} {
			fuzzed(t, name, data)
		}
	})
}

func TestTheRealProgramReadsAPicture(t *testing.T) {
	engine := &ocr.Engine{Program: ocrtest.Real(t), Languages: "eng"}
	// The letters are drawn here, large enough for the program: no font comes with the product.
	big := image.NewRGBA(image.Rect(0, 0, 1600, 300))
	for y := range 300 {
		for x := range 1600 {
			big.Set(x, y, color.White)
		}
	}
	face := basicfont.Face7x13
	small := image.NewRGBA(image.Rect(0, 0, 200, 20))
	(&font.Drawer{Dst: small, Src: image.NewUniform(color.Black), Face: face, Dot: fixed.P(4, 14)}).DrawString("The limit is 650 soles.")
	for y := range 20 * 6 {
		for x := range 200 * 6 {
			if _, _, _, a := small.At(x/6, y/6).RGBA(); a > 0 {
				big.Set(60+x, 80+y, color.Black)
			}
		}
	}
	var drawn bytes.Buffer
	if err := png.Encode(&drawn, big); err != nil {
		t.Fatal(err)
	}
	recognising(t, engine)
	r, err := parse.Parse(context.Background(), parse.File{Name: "a.png", Data: drawn.Bytes()})
	if err != nil || !strings.Contains(r.Parsed.Text, "The limit is 650 soles") {
		t.Errorf("%q, %v, %v", r.Parsed.Text, r.Parsed.Notices, err)
	}
}

// further is a TIFF file of 8 by 8 pixels that says in an order of bytes where its second picture is.
func further(order binary.ByteOrder, second uint32) []byte {
	out := []byte("II*\x00")
	if order == binary.BigEndian {
		out = []byte("MM\x00*")
	}
	put := func(n uint32) {
		var b [4]byte
		order.PutUint32(b[:], n)
		out = append(out, b[:]...)
	}
	short := func(n uint16) {
		var b [2]byte
		order.PutUint16(b[:], n)
		out = append(out, b[:]...)
	}
	put(72) // behind the pixels
	out = append(out, bytes.Repeat([]byte{0x80}, 64)...)
	entries := [][2]uint32{{256, 8}, {257, 8}, {258, 8}, {259, 1}, {262, 1}, {273, 8}, {277, 1}, {278, 8}, {279, 64}}
	short(uint16(len(entries)))
	for _, e := range entries {
		short(uint16(e[0])) //nolint:gosec // tags are small
		short(4)
		put(1)
		put(e[1])
	}
	put(second)
	return out
}

func TestFurtherPicturesOfAFileAreSaid(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for second, want := range map[uint32][]string{0: {parse.NoTextLayer}, 72: {parse.NoTextLayer, parse.FurtherPictures}} {
			r, err := parse.Parse(t.Context(), parse.File{Name: "a.tif", Data: further(order, second)})
			if err != nil || !slices.Equal(r.Parsed.Notices, want) {
				t.Errorf("%v, the second at %d: %v, %v", order, second, r.Parsed.Notices, err)
			}
		}
	}
	for name, data := range pictures(t) {
		if r, err := parse.Parse(t.Context(), parse.File{Name: name, Data: data}); err != nil || slices.Contains(r.Parsed.Notices, parse.FurtherPictures) {
			t.Errorf("%s: %v, %v", name, r.Parsed.Notices, err)
		}
	}
}
