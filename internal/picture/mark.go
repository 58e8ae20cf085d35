package picture

import (
	"image"
	"image/color"
	"image/draw"
)

// The colours of a marked place: one through which the page is seen, and that of the line around it.
var (
	fill   = color.NRGBA{R: 0xFF, G: 0xC1, B: 0x07, A: 0x59}
	border = color.NRGBA{R: 0xC2, G: 0x41, B: 0x0C, A: 0xFF}
)

// canvas returns a picture that can be drawn on.
func canvas(img image.Image) *image.RGBA {
	if page, ok := img.(*image.RGBA); ok {
		return page
	}
	page := image.NewRGBA(img.Bounds())
	draw.Draw(page, page.Bounds(), img, img.Bounds().Min, draw.Src)
	return page
}

// mark fills rectangles, each pixel once however many of them it lies in, and draws a line around all of
// them together, outside of what they hold.
func mark(page *image.RGBA, places []image.Rectangle) {
	width := max(1, page.Bounds().Dx()/600)
	inside, around := image.NewAlpha(page.Bounds()), image.NewAlpha(page.Bounds())
	for _, r := range places {
		if !r.Empty() {
			cover(inside, r)
			cover(around, r.Inset(-width).Intersect(page.Bounds()))
		}
	}
	for i, v := range inside.Pix {
		if v != 0 {
			around.Pix[i] = 0
		}
	}
	draw.DrawMask(page, page.Bounds(), image.NewUniform(fill), image.Point{}, inside, page.Bounds().Min, draw.Over)
	draw.DrawMask(page, page.Bounds(), image.NewUniform(border), image.Point{}, around, page.Bounds().Min, draw.Over)
}

// cover sets a rectangle of a mask. Rows are copied, since many large rectangles must not take long.
func cover(mask *image.Alpha, r image.Rectangle) {
	first := mask.Pix[mask.PixOffset(r.Min.X, r.Min.Y):][:r.Dx()]
	for i := range first {
		first[i] = 0xFF
	}
	for y := r.Min.Y + 1; y < r.Max.Y; y++ {
		copy(mask.Pix[mask.PixOffset(r.Min.X, y):][:r.Dx()], first)
	}
}
