package pdf

import "math"

// Kinds of drawing text, as PDFium numbers them.
const (
	fillText        = 0
	fillStrokeText  = 2
	objectText      = 1
	thinnest        = 0.01 // points
	maxNestingForms = 4
)

// widen gives text objects a width that have none. PDFium leaves these out of a page's text, and
// means a single character of a font that is neither in the file nor known to it, as Chinese
// documents often have. As text with an outline an object is as wide as its line at least.
func (d *document) widen(page uint64) map[uint64]bool {
	widened := map[uint64]bool{}
	n := min(d.integer("FPDFPage_CountObjects", page), maxObjects)
	for i := range max(n, 0) {
		d.widenObject(d.call("FPDFPage_GetObject", page, uint64(i)), widened, 0) //nolint:gosec // Counted from 0.
	}
	return widened
}

func (d *document) widenObject(object uint64, widened map[uint64]bool, depth int) {
	if object == 0 {
		return
	}
	switch d.integer("FPDFPageObj_GetType", object) {
	case objectText:
		if d.integer("FPDFPageObj_GetBounds", object, d.scratch, d.scratch+4, d.scratch+8, d.scratch+12) == 0 {
			return
		}
		b := d.floats(4) // left, bottom, right, top
		if b[2]-b[0] >= thinnest || d.integer("FPDFTextObj_GetTextRenderMode", object) != fillText {
			return
		}
		if d.integer("FPDFTextObj_SetTextRenderMode", object, fillStrokeText) != 0 {
			one := math.Float64bits(1)
			d.call("FPDFPageObj_Transform", object, one, 0, 0, one, 0, 0)
			widened[object] = true
		}
	case objectForm:
		if depth == maxNestingForms {
			return
		}
		n := min(d.integer("FPDFFormObj_CountObjects", object), maxObjects)
		for i := range max(n, 0) {
			if len(widened) < maxObjects {
				d.widenObject(d.call("FPDFFormObj_GetObject", object, uint64(i)), widened, depth+1) //nolint:gosec // Counted from 0.
			}
		}
	}
}
