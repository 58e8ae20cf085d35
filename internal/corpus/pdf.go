package corpus

import (
	"encoding/json"
	"unicode"
)

// Box is a rectangle on a page in points: left, top, right, bottom, with the origin at the top
// left of the page as a viewer shows it.
type Box [4]float32

// Holds reports whether a point lies in the box, or no more than slack outside it.
func (b Box) Holds(x, y, slack float32) bool {
	return b[0]-slack <= x && x <= b[2]+slack && b[1]-slack <= y && y <= b[3]+slack
}

func (b Box) contains(c Box) bool {
	return b[0] <= c[0] && b[1] <= c[1] && c[2] <= b[2] && c[3] <= b[3]
}

// PDFLocator is a place on one page of a PDF document, or on several.
type PDFLocator struct {
	Page    int `json:"page"` // counted in the file, from 1
	PageEnd int `json:"page_end,omitempty"`
	// PageLabel is the printed number of Page, where the document says that it is another.
	PageLabel string `json:"page_label,omitempty"`
	// Boxes lie on Page. Those of a segment are its words, in order; where a place goes on to later
	// pages, these are not boxed.
	Boxes    []Box      `json:"boxes"`
	PageSize [2]float32 `json:"page_size"` // width and height of Page in points
	// Turn is how many quarters of a turn, clockwise, the line in Boxes is from running to the right.
	Turn int `json:"turn,omitempty"`
}

// Kind returns "pdf".
func (PDFLocator) Kind() string { return "pdf" }

func (PDFLocator) sealed() {}

// plainPDF is the flat form of the locator with its kind.
type (
	plainPDF struct {
		Kind string `json:"kind"`
		pdfFields
	}
	pdfFields PDFLocator
)

// MarshalJSON writes the flat form with its kind.
func (l PDFLocator) MarshalJSON() ([]byte, error) {
	return json.Marshal(plainPDF{l.Kind(), pdfFields(l)})
}

// Through joins the pages, and the boxes of the first one.
func (l PDFLocator) Through(last Locator) Locator {
	t, ok := last.(PDFLocator)
	if !ok {
		return l
	}
	if end := max(t.Page, t.PageEnd); end > max(l.Page, l.PageEnd) {
		l.PageEnd = end
	}
	if t.Page == l.Page {
		l.Boxes = joinBoxes(l.Boxes, t.Boxes)
	}
	return l
}

// joinBoxes appends boxes that no other one holds; neighbours on one line become one box.
func joinBoxes(boxes, more []Box) []Box {
	boxes = boxes[:len(boxes):len(boxes)] // what is appended must not reach others that share it
	for i, b := range more {
		held := false
		for _, c := range boxes {
			held = held || c.contains(b)
		}
		n := len(boxes)
		switch {
		case held:
		case i > 0 && n > 0 && sameLine(boxes[n-1], b):
			boxes = append(append([]Box(nil), boxes[:n-1]...), hull(boxes[n-1], b))
		default:
			boxes = append(boxes, b)
		}
	}
	return boxes
}

func hull(a, b Box) Box {
	return Box{min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])}
}

// sameLine reports that two boxes are as high, stand side by side and nearly touch.
func sameLine(a, b Box) bool {
	height := min(a[3]-a[1], b[3]-b[1])
	overlap := min(a[3], b[3]) - max(a[1], b[1])
	gap := max(a[0], b[0]) - min(a[2], b[2])
	return height > 0 && overlap >= 0.8*max(a[3]-a[1], b[3]-b[1]) && gap <= height/2
}

// cut narrows the place of a segment to its code points [from, to). Whole words have boxes of
// their own. Inside a word the box is cut in proportion, which is right for Chinese, whose words are not
// parted, and near enough for others. Words of scripts that run from right to left stay whole, since numbers
// in them run the other way.
func (l PDFLocator) cut(segment []rune, from, to int) PDFLocator {
	words := fields(segment)
	if len(words) != len(l.Boxes) || l.PageEnd != 0 {
		return l
	}
	boxes := make([]Box, 0, len(words))
	for i, w := range words {
		a, b := max(w.Start, from), min(w.End, to)
		if a >= b {
			continue
		}
		box := l.Boxes[i]
		if !rightToLeft(segment[w.Start:w.End]) {
			box = box.shortened(l.Turn, float32(a-w.Start)/float32(w.Len()), float32(w.End-b)/float32(w.Len()))
		}
		boxes = append(boxes, box)
	}
	if len(boxes) > 0 {
		l.Boxes = boxes
	}
	return l
}

// shortened takes shares of its length off a box, where the line in it begins and where it ends. A box that is
// not longer than it is high stays whole: little would be gained, and it may stand for text that is turned otherwise.
func (b Box) shortened(turn int, begin, end float32) Box {
	edges := [4][2]int{{0, 2}, {1, 3}, {2, 0}, {3, 1}}[turn&3] // at which a line begins and ends
	from, to, axis := edges[0], edges[1], edges[0]%2
	length := b[to] - b[from] // below zero where it runs to the left or up
	if max(length, -length) <= b[3-axis]-b[1-axis] {
		return b
	}
	b[from], b[to] = b[from]+length*begin, b[to]-length*end
	return b
}

// fields returns the runs of text between white space.
func fields(text []rune) []Span {
	var out []Span
	start := -1
	for i, r := range text {
		switch space := unicode.IsSpace(r); {
		case !space && start < 0:
			start = i
		case space && start >= 0:
			out, start = append(out, Span{start, i}), -1
		}
	}
	if start >= 0 {
		out = append(out, Span{start, len(text)})
	}
	return out
}

func rightToLeft(word []rune) bool {
	for _, r := range word {
		if unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana) {
			return true
		}
	}
	return false
}
