package parse_test

import (
	"bytes"
	"image"
	"image/png"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// pageOf draws a page and returns how dark each of its pixels is, from 0 to 255.
func pageOf(t *testing.T, f parse.File, page, width int) (*image.Gray, [2]float32) {
	t.Helper()
	p, err := parse.Limits{}.Picture(t.Context(), f, page, width)
	if err != nil {
		t.Fatalf("page %d: %v", page, err)
	}
	return darkness(t, p.PNG), p.Size
}

func darkness(t *testing.T, data []byte) *image.Gray {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewGray(img.Bounds())
	for i := range out.Pix {
		r, g, b, _ := img.At(i%out.Stride, i/out.Stride).RGBA()
		out.Pix[i] = 255 - uint8((299*r+587*g+114*b)/1000>>8)
	}
	return out
}

// mean returns how dark a part of a page is.
func mean(img *image.Gray, r image.Rectangle) float64 {
	r = r.Intersect(img.Bounds())
	sum := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, v := range img.Pix[img.PixOffset(r.Min.X, y):][:r.Dx()] {
			sum += int(v)
		}
	}
	return float64(sum) / float64(max(1, r.Dx()*r.Dy()))
}

// pixelsOf returns the pixels of a box in points.
func pixelsOf(b corpus.Box, img *image.Gray, size [2]float32) image.Rectangle {
	x, y := float32(img.Bounds().Dx())/size[0], float32(img.Bounds().Dy())/size[1]
	return image.Rect(int(b[0]*x), int(b[1]*y), int(b[2]*x)+1, int(b[3]*y)+1)
}

// outside are the documents whose Chinese or Japanese letters are not in the file: they are not drawn, since no
// such letters come with the program.
var outside = map[string]bool{"pdf/japanese-patent-2p.pdf": true, "pdf/chinese-two-chars.pdf": true, "pdf/chinese-heiti-no-embed.pdf": true, "pdf/gbk-simple-font-simfang.pdf": true}

// TestBoxesOfWordsLieOnTheirInk holds the places of real documents against their pictures: nearly every word
// is drawn within its box. Between the lines there is paper.
func TestBoxesOfWordsLieOnTheirInk(t *testing.T) {
	dir := sharedData(t)
	words, inked := 0, 0
	for _, r := range recordsOf(t, dir, "pdf") {
		if r.MustFail || r.NoText || len(r.Expect) == 0 {
			continue
		}
		t.Run(r.File, func(t *testing.T) {
			f, result, err := parseFile(t, dir, r.File)
			if err != nil {
				t.Fatal(err)
			}
			page := r.Expect[0].Locator.Page
			img, size := pageOf(t, f, page, 1200)
			all, dark := 0, 0
			for _, b := range result.Parsed.Blocks {
				for _, s := range b.Segments {
					l := s.Locator.(corpus.PDFLocator)
					if l.Page != page {
						continue
					}
					if l.PageSize != size {
						t.Fatalf("the places are on a page of %v, the picture is of one of %v", l.PageSize, size)
					}
					for _, box := range l.Boxes {
						all++
						at := pixelsOf(box, img, size)
						if lightest(img, at)+32 < darkest(img, at) {
							dark++
						}
					}
				}
			}
			if all > 0 && dark*100 < all*90 && !outside[r.File] {
				t.Errorf("of %d boxes on page %d, %d have ink on paper in them", all, page, dark)
			}
			words, inked = words+all, inked+dark
		})
	}
	t.Logf("ink in %d of %d boxes", inked, words)
	if words == 0 || inked*1000 < words*990 {
		t.Errorf("of %d boxes %d have ink in them", words, inked)
	}
}

func darkest(img *image.Gray, r image.Rectangle) int  { return extreme(img, r, slices.Max[[]uint8]) }
func lightest(img *image.Gray, r image.Rectangle) int { return extreme(img, r, slices.Min[[]uint8]) }

func extreme(img *image.Gray, r image.Rectangle, of func([]uint8) uint8) int {
	r = r.Intersect(img.Bounds())
	var rows []uint8
	for y := r.Min.Y; y < r.Max.Y && r.Dx() > 0; y++ {
		rows = append(rows, of(img.Pix[img.PixOffset(r.Min.X, y):][:r.Dx()]))
	}
	if len(rows) == 0 {
		return 0
	}
	return int(of(rows))
}

// TestPicturesAreThoseOfAnotherViewer compares pages with what poppler makes of them.
func TestPicturesAreThoseOfAnotherViewer(t *testing.T) {
	dir := sharedData(t)
	poppler, err := exec.LookPath("pdftoppm")
	if err != nil && sharedtest.Demands("poppler") {
		t.Fatalf("poppler is required: %v", err)
	}
	if err != nil {
		t.Skip("there is no pdftoppm to compare with")
	}
	n, sum := 0, 0.0
	for _, r := range recordsOf(t, dir, "pdf") {
		if r.MustFail || len(r.Expect) == 0 {
			continue
		}
		t.Run(r.File, func(t *testing.T) {
			f, _, err := parseFile(t, dir, r.File)
			if err != nil {
				t.Fatal(err)
			}
			page := strconv.Itoa(r.Expect[0].Locator.Page)
			ours, size := pageOf(t, f, r.Expect[0].Locator.Page, 400)
			dots := strconv.FormatFloat(72*float64(ours.Bounds().Dx())/float64(size[0]), 'f', 4, 64)
			command := exec.CommandContext(t.Context(), poppler, "-png", "-cropbox", "-r", dots, "-f", page, "-l", page, "-")
			command.Stdin = bytes.NewReader(f.Data)
			out, err := command.Output()
			if err != nil || len(out) == 0 {
				t.Skipf("poppler does not draw it: %v", err)
			}
			theirs := darkness(t, out)
			if d := ours.Bounds().Size().Sub(theirs.Bounds().Size()); d.X < -1 || d.X > 1 || d.Y < -1 || d.Y > 1 {
				t.Fatalf("it is %v here and %v there", ours.Bounds(), theirs.Bounds())
			}
			n++
			d := difference(ours, theirs)
			sum += d
			t.Logf("%.2f of 255", d)
			if d > 4.5 && !outside[r.File] {
				t.Errorf("page %s differs by %.1f of 255", page, d)
			}
		})
	}
	t.Logf("%d pages differ by %.2f of 255 in the mean", n, sum/float64(max(1, n)))
	if n == 0 || sum > 2*float64(n) {
		t.Errorf("%d pages differ by %.1f in all", n, sum)
	}
}

// difference is that of squares of 8 pixels in the mean, so that it is not about how edges are smoothed.
func difference(a, b *image.Gray) float64 {
	const side = 8
	sum, n := 0.0, 0
	for y := 0; y < a.Bounds().Dy(); y += side {
		for x := 0; x < a.Bounds().Dx(); x += side {
			r := image.Rect(x, y, x+side, y+side)
			d := mean(a, r) - mean(b, r)
			sum, n = sum+max(d, -d), n+1
		}
	}
	return sum / float64(n)
}

func TestFileWithoutPagesHasNoPicture(t *testing.T) {
	for _, f := range []parse.File{{Name: "a.md", Data: []byte("# a")}, {Name: "a.docx", Data: []byte("PK")}, {Name: "a"}, {}} {
		if _, err := (parse.Limits{}).Picture(t.Context(), f, 1, 300); !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

func TestFileThatIsNotDrawnIsNamed(t *testing.T) {
	for code, f := range map[string]parse.File{
		"content_mismatch": {Name: "a.pdf", Data: []byte("no document")}, "empty_document": {Name: "a.pdf"},
		"too_large": {Name: "a.pdf", Data: make([]byte, parse.MaxPDFBytes+1)}, "pdf_malformed": {MediaType: "application/pdf", Data: []byte("%PDF-1.4\n")},
	} {
		if _, err := (parse.Limits{}).Picture(t.Context(), f, 1, 300); problem.CodeOf(err) != code || !strings.Contains(err.Error(), "The file “") {
			t.Errorf("%v, want %s", err, code)
		}
	}
}
