// Package drawing puts the texts of a drawing into an order in which a person reads them. It knows no
// file format: it is given texts with the rectangles in which they are seen. Texts side by side are a
// line, lines that stand close below each other stay together, and the rest goes from top to bottom
// and from left to right. What its file keeps together, such as the attributes of one object or the
// cells of a table, stays together.
package drawing

import (
	"cmp"
	"math"
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
)

// Form says how the labels of a group are written.
type Form uint8

const (
	// List writes each label on its line, in the order given.
	List Form = iota
	// Table writes those at one height as a row.
	Table
)

// Label is a text in a drawing.
type Label struct {
	Text  string
	Place corpus.Locator
	// Box is where it is seen: left, top, right, bottom, with y downwards.
	Box    [4]float64
	Height float64 // of its letters
	Group  int     // labels of one group stay together, in the form of the first; 0 for none
	Form   Form
}

func (l Label) middle() float64 { return (l.Box[1] + l.Box[3]) / 2 }

// run is a line of labels, or a group.
type run struct {
	labels []Label
	kind   corpus.BlockKind
	box    [4]float64
	height float64
}

func (r *run) take(l Label) {
	if len(r.labels) == 0 {
		r.box, r.height = l.Box, l.Height
	}
	r.labels = append(r.labels, l)
	r.box = [4]float64{min(r.box[0], l.Box[0]), min(r.box[1], l.Box[1]), max(r.box[2], l.Box[2]), max(r.box[3], l.Box[3])}
	r.height = max(r.height, l.Height)
}

// cluster is what is read in one go.
type cluster struct {
	runs      []run
	top, left float64
	box       [4]float64 // of its last line
	height    float64
}

// How near to each other texts are read together, in heights of their letters.
const (
	beside = 1.5 // from one text to the next on a line
	below  = 1.2 // from one line to the next
	alike  = 2   // how many times as high letters may be in the next line
)

// Lay puts the labels down under a path of headings.
func Lay(p *layout.Page, path []string, labels []Label) error {
	var free []Label
	groups := map[int][]Label{}
	var order []int
	for _, l := range labels {
		switch {
		case l.Group == 0:
			free = append(free, l)
			continue
		case groups[l.Group] == nil:
			order = append(order, l.Group)
		}
		groups[l.Group] = append(groups[l.Group], l)
	}
	clusters := stack(rows(free, beside))
	for _, g := range order {
		clusters = append(clusters, together(groups[g]))
	}
	slices.SortStableFunc(clusters, func(a, b *cluster) int {
		return cmp.Or(cmp.Compare(a.top, b.top), cmp.Compare(a.left, b.left))
	})
	for _, c := range clusters {
		tight := false
		for _, r := range c.runs {
			b := layout.Block{Kind: r.kind, Path: path, Head: -1, Tight: tight, Between: " "}
			if r.kind == corpus.TableRow {
				b.Between = " | "
			}
			for _, l := range r.labels {
				b.Pieces = append(b.Pieces, layout.Piece{Text: l.Text, Place: l.Place})
			}
			n, err := p.Add(b)
			if err != nil {
				return err
			}
			tight = tight || n >= 0
		}
	}
	return nil
}

// together makes a cluster of a group.
func together(labels []Label) *cluster {
	c := &cluster{top: math.Inf(1), left: math.Inf(1)}
	for _, l := range labels {
		c.top, c.left = min(c.top, l.Box[1]), min(c.left, l.Box[0])
	}
	if labels[0].Form == Table {
		for _, row := range rows(labels, math.Inf(1)) {
			for _, r := range row {
				r.kind = corpus.TableRow
				c.runs = append(c.runs, r)
			}
		}
		return c
	}
	for _, l := range labels {
		r := run{kind: corpus.Paragraph}
		r.take(l)
		c.runs = append(c.runs, r)
	}
	return c
}

// rows finds the lines: labels at one height, from left to right, parted where a gap is wider than so
// many letters are high.
func rows(labels []Label, gap float64) [][]run {
	labels = slices.Clone(labels)
	slices.SortStableFunc(labels, func(a, b Label) int { return cmp.Compare(a.middle(), b.middle()) })
	var out [][]run
	for len(labels) > 0 {
		n := 1
		reach := labels[0].Height / 2
		for n < len(labels) && labels[n].middle()-labels[0].middle() <= reach && labels[n].Height <= alike*labels[0].Height && labels[0].Height <= alike*labels[n].Height {
			n++
		}
		out = append(out, line(labels[:n], gap))
		labels = labels[n:]
	}
	return out
}

func line(labels []Label, gap float64) []run {
	slices.SortStableFunc(labels, func(a, b Label) int { return cmp.Compare(a.Box[0], b.Box[0]) })
	var out []run
	for _, l := range labels {
		if n := len(out); n == 0 || l.Box[0]-out[n-1].box[2] > gap*out[n-1].height {
			out = append(out, run{kind: corpus.Paragraph})
		}
		out[len(out)-1].take(l)
	}
	return out
}

// mostOpen bounds the clusters that another line may join, and so the time that hostile drawings take.
const mostOpen = 256

// stack joins lines that stand close below each other.
func stack(rows [][]run) []*cluster {
	var out, open []*cluster
	for _, row := range rows {
		slices.SortStableFunc(open, func(a, b *cluster) int { return cmp.Compare(a.box[0], b.box[0]) })
		var begun []*cluster
		top := math.Inf(1)
		for _, r := range row {
			top = min(top, r.box[1])
		}
		joined := map[*cluster]bool{}
		for _, r := range row {
			c := above(open, r)
			if c == nil || joined[c] {
				c = &cluster{top: top, left: r.box[0]}
				out, begun = append(out, c), append(begun, c)
			}
			joined[c] = true
			c.runs, c.box, c.height = append(c.runs, r), r.box, r.height
		}
		open = slices.DeleteFunc(append(open, begun...), func(c *cluster) bool { return top-c.box[3] > below*c.height })
		if n := len(open); n > mostOpen {
			open = slices.Clone(open[n-mostOpen:])
		}
	}
	return out
}

// above returns the nearest cluster that a line goes on with.
func above(open []*cluster, r run) *cluster {
	var best *cluster
	for _, c := range open {
		if c.box[0] > r.box[2] {
			break
		}
		gap := r.box[1] - c.box[3]
		near := gap <= below*min(c.height, r.height) && gap >= -min(c.height, r.height)/2
		if near && c.box[2] >= r.box[0] && c.height <= alike*r.height && r.height <= alike*c.height &&
			(best == nil || c.box[3] > best.box[3]) {
			best = c
		}
	}
	return best
}
