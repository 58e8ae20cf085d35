package pdf

import (
	"errors"
	"math"

	"github.com/kaoju/kaoju/internal/corpus"
)

// glyph is one visible character of a page. Its box is in the frame that a viewer shows.
type glyph struct {
	r     rune
	box   corpus.Box
	style *style
	space bool // white space stands before it
}

// style is what the glyphs of one text object have in common.
type style struct {
	size   float32 // in points, as shown
	bold   bool
	turn   int  // how many quarters of a turn, clockwise, its lines are from running to the right
	askew  bool // its lines run in no such direction
	hidden bool // it was not meant to be seen
	pale   bool // it is white
}

// sheet is one page as it was read. Its glyphs are good until the next one is.
type sheet struct {
	number int
	label  string
	size   [2]float32
	glyphs []glyph
	cut    bool // the page holds more than is read of one
}

// frame brings coordinates of the page, whose origin is at the bottom left of some box, into those
// of a viewer, which shows the crop box, turned.
type frame struct {
	left, bottom, right, top float32
	turn                     int
}

func (f frame) size() [2]float32 {
	w, h := f.right-f.left, f.top-f.bottom
	if f.turn%2 == 1 {
		w, h = h, w
	}
	return [2]float32{w, h}
}

func (f frame) point(x, y float32) (float32, float32) {
	switch f.turn {
	case 1:
		return y - f.bottom, x - f.left
	case 2:
		return f.right - x, y - f.bottom
	case 3:
		return f.top - y, f.right - x
	}
	return x - f.left, f.top - y
}

func (f frame) box(left, bottom, right, top float32) corpus.Box {
	x0, y0 := f.point(left, bottom)
	x1, y1 := f.point(right, top)
	return corpus.Box{min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)}
}

var errPage = errors.New("the page can't be read")

// loadPage loads one page, counted from 1, with what stands in form fields and comments drawn into it. The
// caller closes it.
func (d *document) loadPage(number int) (uint64, error) {
	page := d.call("FPDF_LoadPage", d.handle, uint64(number-1)) //nolint:gosec // Pages are counted from 1.
	if page != 0 && d.adorned(page) && d.integer("FPDFPage_Flatten", page, 0) == 1 {
		d.call("FPDF_ClosePage", page)
		page = d.call("FPDF_LoadPage", d.handle, uint64(number-1)) //nolint:gosec // As above.
	}
	if page == 0 {
		return 0, errors.Join(errPage, d.err)
	}
	return page, nil
}

// maxAnnotations is how many annotations of a page are looked at for one that shows something.
const maxAnnotations = 2000

// adorned reports an annotation that shows something: the links of most documents show nothing, and a page with
// no others need not be drawn and loaded again.
func (d *document) adorned(page uint64) bool {
	n := d.integer("FPDFPage_GetAnnotCount", page)
	if n > maxAnnotations {
		return true
	}
	key := d.scratch
	if !d.memory.Write(uint32(key), []byte("AP\x00")) { //nolint:gosec // Addresses are of 32 bits.
		return n > 0
	}
	for i := range n {
		annotation := d.call("FPDFPage_GetAnnot", page, uint64(i)) //nolint:gosec // Counted from 0.
		if annotation == 0 {
			continue
		}
		shows := d.integer("FPDFAnnot_HasKey", annotation, key) != 0
		d.call("FPDFPage_CloseAnnot", annotation)
		if shows {
			return true
		}
	}
	return false
}

// read reads one page, counted from 1, as far as the limits go. Whatever it loaded is given back.
func (d *document) read(number int, limits Limits) (*sheet, error) {
	page, err := d.loadPage(number)
	if err != nil {
		return nil, err
	}
	defer func() { d.call("FPDF_ClosePage", page) }()
	f, ok := d.frame(page)
	if !ok {
		return nil, errors.Join(errPage, d.err)
	}
	s := &sheet{number: number, label: d.label(number), size: f.size()}
	r := reader{document: d, limits: limits, page: page, frame: f, styles: map[uint64]*style{}, fonts: map[uint64]bool{}, widened: map[uint64]bool{}}
	r.widen()
	if r.text = d.call("FPDFText_LoadPage", page); r.text == 0 {
		return nil, errors.Join(errPage, d.err)
	}
	defer func() { d.call("FPDFText_ClosePage", r.text) }()
	s.glyphs = r.glyphs()
	s.cut = r.cut
	if d.err != nil {
		return nil, errors.Join(errPage, d.err)
	}
	return s, nil
}

func (d *document) frame(page uint64) (frame, bool) {
	if d.integer("FPDF_GetPageBoundingBox", page, d.scratch) == 0 {
		return frame{}, false
	}
	b := d.floats(4) // left, top, right, bottom
	f := frame{left: b[0], top: b[1], right: b[2], bottom: b[3], turn: d.integer("FPDFPage_GetRotation", page) & 3}
	size := f.size()
	for _, v := range size {
		if math.IsNaN(float64(v)) || v <= 0 || v > 1e6 {
			return frame{}, false
		}
	}
	return f, true
}
