package pdf

import "github.com/kaoju/kaoju/internal/corpus"

// ground is what a page shows beside its text.
type ground struct {
	scans []corpus.Box // pictures as large as a scan
	darks []corpus.Box // areas on which white text is seen
}

func (g *ground) scanned(x, y float32) bool { return anyHolds(g.scans, x, y) }
func (g *ground) dark(x, y float32) bool    { return anyHolds(g.darks, x, y) }

func anyHolds(boxes []corpus.Box, x, y float32) bool {
	for _, b := range boxes {
		if b.Holds(x, y, 1) {
			return true
		}
	}
	return false
}

// Kinds of object on a page, as PDFium numbers them.
const (
	objectPath    = 2
	objectPicture = 3
	objectShading = 4
	objectForm    = 5
)

// The objects of one form that are looked at for pictures and dark areas, and the share of a page that makes
// a picture a scan.
const (
	maxFormObjects = 1000
	scanShare      = 0.25
)

func (r *reader) survey() *ground {
	g := &ground{}
	size := r.frame.size()
	n := r.within(r.integer("FPDFPage_CountObjects", r.page), r.limits.Objects)
	for i := range n {
		object := r.call("FPDFPage_GetObject", r.page, uint64(i)) //nolint:gosec // Counted from 0.
		if object == 0 || r.integer("FPDFPageObj_GetBounds", object, r.scratch, r.scratch+4, r.scratch+8, r.scratch+12) == 0 {
			continue
		}
		b := r.floats(4) // left, bottom, right, top
		box := r.frame.box(b[0], b[1], b[2], b[3])
		picture, dark := r.look(object, 0)
		if picture && (box[2]-box[0])*(box[3]-box[1]) >= scanShare*size[0]*size[1] {
			g.scans = append(g.scans, box)
		}
		if picture || dark {
			g.darks = append(g.darks, box)
		}
	}
	return g
}

// look says whether an object shows a picture, or an area that is not white.
func (r *reader) look(object uint64, depth int) (picture, dark bool) {
	switch r.integer("FPDFPageObj_GetType", object) {
	case objectPicture:
		return true, true
	case objectShading:
		return false, true
	case objectPath:
		if r.integer("FPDFPath_GetDrawMode", object, r.scratch, r.scratch+4) == 0 || r.bytes(r.scratch, 1)[0] == 0 {
			return false, false
		}
		if r.integer("FPDFPageObj_GetFillColor", object, r.scratch, r.scratch+4, r.scratch+8, r.scratch+12) == 0 {
			return false, true // a pattern
		}
		c := r.bytes(r.scratch, 16)
		return false, c[12] > 0 && (c[0] < white || c[4] < white || c[8] < white)
	case objectForm:
		if depth == maxNestingForms {
			r.cut = true
			return false, false
		}
		all, most := r.integer("FPDFFormObj_CountObjects", object), min(maxFormObjects, r.limits.Objects)
		for i := 0; i < min(all, most) && !picture; i++ {
			p, d := r.look(r.call("FPDFFormObj_GetObject", object, uint64(i)), depth+1) //nolint:gosec // Counted from 0.
			picture, dark = picture || p, dark || d
		}
		if !picture { // a picture settles it, whatever else there is
			r.within(all, most)
		}
	}
	return picture, dark
}
