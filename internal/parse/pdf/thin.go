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
func (r *reader) widen() {
	n := r.within(r.integer("FPDFPage_CountObjects", r.page), r.limits.Objects)
	for i := range n {
		r.widenObject(r.call("FPDFPage_GetObject", r.page, uint64(i)), 0) //nolint:gosec // Counted from 0.
	}
}

func (r *reader) widenObject(object uint64, depth int) {
	if object == 0 {
		return
	}
	switch r.integer("FPDFPageObj_GetType", object) {
	case objectText:
		if r.integer("FPDFPageObj_GetBounds", object, r.scratch, r.scratch+4, r.scratch+8, r.scratch+12) == 0 {
			return
		}
		b := r.floats(4) // left, bottom, right, top
		if b[2]-b[0] >= thinnest || r.integer("FPDFTextObj_GetTextRenderMode", object) != fillText {
			return
		}
		if len(r.widened) >= r.limits.Objects {
			r.cut = true
			return
		}
		if r.integer("FPDFTextObj_SetTextRenderMode", object, fillStrokeText) != 0 {
			one := math.Float64bits(1)
			r.call("FPDFPageObj_Transform", object, one, 0, 0, one, 0, 0)
			r.widened[object] = true
		}
	case objectForm:
		if depth == maxNestingForms {
			r.cut = true
			return
		}
		n := r.within(r.integer("FPDFFormObj_CountObjects", object), r.limits.Objects)
		for i := range n {
			r.widenObject(r.call("FPDFFormObj_GetObject", object, uint64(i)), depth+1) //nolint:gosec // Counted from 0.
		}
	}
}
