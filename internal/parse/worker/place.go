package worker

import (
	"encoding/binary"
	"math"

	"github.com/kaoju/kaoju/internal/corpus"
)

// A long document has a box for each of a million words. In digits they would be most of an answer, and to write and read
// these would take longer than everything else in it. So segments that have places on pages follow their answer as
// numbers: of each its span, page, last page, turn, the length of its label, how many boxes it has, then the label, the size of
// the page and the boxes.

const (
	numberBytes = 4
	boxBytes    = 4 * numberBytes
	sizeBytes   = 2 * numberBytes
	leastBytes  = 7 + sizeBytes // of a segment
)

// appendPlaces appends segments; false if there are none, or if one has a place that is on no page.
func appendPlaces(b []byte, segments []corpus.Segment) ([]byte, bool) {
	for _, s := range segments {
		at, ok := s.Locator.(corpus.PDFLocator)
		if !ok {
			return nil, false
		}
		for _, n := range []int{s.Span.Start, s.Span.End, at.Page, at.PageEnd, at.Turn, len(at.PageLabel), len(at.Boxes)} {
			b = binary.AppendVarint(b, int64(n))
		}
		b = append(b, at.PageLabel...)
		b = appendNumbers(b, at.PageSize[:])
		for _, box := range at.Boxes {
			b = appendNumbers(b, box[:])
		}
	}
	return b, len(segments) > 0
}

func appendNumbers(b []byte, numbers []float32) []byte {
	for _, v := range numbers {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// settle gives the blocks of a result the places that followed it, all of them.
func (r *result) settle(places []byte) error {
	p := placeReader{left: places}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if b.Places == 0 {
			continue
		}
		// A number alone takes no memory.
		if b.Places < 0 || b.Places > len(p.left)/leastBytes || len(b.Segments) > 0 {
			return errGarbled
		}
		b.places = make([]corpus.Segment, b.Places)
		for j := 0; j < b.Places && !p.failed; j++ {
			b.places[j] = p.segment()
		}
		if p.failed {
			return errGarbled
		}
	}
	if len(p.left) > 0 {
		return errGarbled
	}
	return nil
}

// placeReader reads what appendPlaces wrote. After something else it has failed, and nothing is left to read.
type placeReader struct {
	left   []byte
	failed bool
	label  string // of the place before
}

func (p *placeReader) segment() corpus.Segment {
	var at corpus.PDFLocator
	var span corpus.Span
	var label, boxes int
	for _, n := range []*int{&span.Start, &span.End, &at.Page, &at.PageEnd, &at.Turn, &label, &boxes} {
		*n = p.integer()
	}
	if at.PageLabel = p.label; !p.has(label) || string(p.left[:label]) != p.label {
		at.PageLabel = string(p.take(label))
		p.label = at.PageLabel
	} else {
		p.take(label)
	}
	p.numbers(at.PageSize[:])
	if boxes > 0 && boxes <= len(p.left)/boxBytes {
		at.Boxes = make([]corpus.Box, boxes)
	} else if boxes != 0 {
		p.fail()
	}
	for i := range at.Boxes {
		p.numbers(at.Boxes[i][:])
	}
	return corpus.Segment{Span: span, Locator: at}
}

func (p *placeReader) fail() { p.left, p.failed = nil, true }

func (p *placeReader) has(n int) bool { return n >= 0 && n <= len(p.left) }

func (p *placeReader) take(n int) []byte {
	if !p.has(n) {
		p.fail()
		return nil
	}
	taken := p.left[:n]
	p.left = p.left[n:]
	return taken
}

func (p *placeReader) integer() int {
	n, size := binary.Varint(p.left)
	if size <= 0 || int64(int(n)) != n {
		p.fail()
		return 0
	}
	p.left = p.left[size:]
	return int(n)
}

// numbers reads floats. What is no number fails, as it does in digits.
func (p *placeReader) numbers(into []float32) {
	raw := p.take(numberBytes * len(into))
	for i := range into {
		if len(raw) == 0 {
			return
		}
		v := math.Float32frombits(binary.LittleEndian.Uint32(raw[numberBytes*i:]))
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			p.fail()
		}
		into[i] = v
	}
}
