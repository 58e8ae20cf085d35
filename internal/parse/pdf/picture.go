package pdf

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"math"

	"github.com/kaoju/kaoju/internal/problem"
)

// Picture is a page as it is seen.
type Picture struct {
	PNG  []byte
	Size [2]float32 // of the page in points, in the frame of its places
	// Pages is how many pages the document has, where that is known.
	Pages int
}

// The bounds of a picture: pixels along one side, and all of them. A page that is far longer than wide, or
// the other way round, is drawn smaller than it was asked for.
const (
	maxSide   = 10_000
	maxPixels = 10_000_000
)

// Picture draws a page, counted from 1, so many pixels wide. Comments and form fields are drawn as a viewer shows
// them. A page that the document does not have is problem.NotFound, with how many it has; one that can't be drawn is problem.Invalid
// "page_unreadable"; the others are the errors of Parse.
func (e *Engine) Picture(ctx context.Context, data []byte, limits Limits, page, width int) (Picture, error) {
	if err := admit(ctx, data, limits.orDefault().Stream); err != nil {
		return Picture{}, err
	}
	s := session{engine: e, data: data}
	defer s.close()
	if err := s.open(ctx); err != nil {
		return Picture{}, err
	}
	if page < 1 || page > s.doc.pages {
		return Picture{Pages: s.doc.pages}, problem.Missing()
	}
	img, size, err := s.doc.draw(page, width)
	if err != nil {
		return Picture{}, problem.Wrap(err, problem.Invalid, "page_unreadable", "has a page that can't be drawn")
	}
	pages := s.doc.pages
	s.close() // What PDFium holds of the page is not needed beside its pixels.
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		return Picture{}, err
	}
	return Picture{PNG: out.Bytes(), Size: size, Pages: pages}, nil
}

// pixels returns the size of a picture of a page.
func pixels(size [2]float32, width int) (w, h int) {
	across, down := float64(max(1, width)), float64(max(1, width))*float64(size[1])/float64(size[0])
	shrink := min(1, maxSide/across, maxSide/down, math.Sqrt(maxPixels/(across*down)))
	side := func(v float64) int { return max(1, int(v*shrink)) }
	return side(across), side(down)
}

// The words that PDFium has for the form of a picture.
const (
	formatBGRA     = 4
	flagAnnotation = 0x01
	flagRGBA       = 0x10       // red comes first
	paper          = 0xFFFFFFFF // white
)

// draw returns a page on white paper, and its size in points.
func (d *document) draw(number, width int) (*image.RGBA, [2]float32, error) {
	page, err := d.loadPage(number)
	if err != nil {
		return nil, [2]float32{}, err
	}
	defer func() { d.call("FPDF_ClosePage", page) }()
	f, ok := d.frame(page)
	if !ok {
		return nil, [2]float32{}, errors.Join(errPage, d.err)
	}
	w, h := pixels(f.size(), width)
	wide, high := uint64(w), uint64(h) //nolint:gosec // Both are within 1 and maxSide.
	stride := 4 * w
	pixels := d.call("malloc", 4*wide*high)
	if pixels == 0 {
		return nil, [2]float32{}, errors.Join(errPage, d.err)
	}
	bitmap := d.call("FPDFBitmap_CreateEx", wide, high, formatBGRA, pixels, 4*wide)
	if bitmap == 0 {
		return nil, [2]float32{}, errors.Join(errPage, d.err)
	}
	d.call("FPDFBitmap_FillRect", bitmap, 0, 0, wide, high, paper)
	d.call("FPDF_RenderPageBitmap", bitmap, page, 0, 0, wide, high, 0, flagAnnotation|flagRGBA)
	d.call("FPDFBitmap_Destroy", bitmap)
	if d.err != nil {
		return nil, [2]float32{}, errors.Join(errPage, d.err)
	}
	img := &image.RGBA{Pix: bytes.Clone(d.bytes(pixels, stride*h)), Stride: stride, Rect: image.Rect(0, 0, w, h)}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 0xFF // paper is not to be seen through
	}
	return img, f.size(), nil
}
