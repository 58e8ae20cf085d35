package revision

import (
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Unchanged is the Kind of a passage that stands in the newer version as it did.
const Unchanged Kind = "unchanged"

// Passage is what became of one passage of the older version.
type Passage struct {
	Change  Kind        // Unchanged, Changed or Removed
	To      corpus.Span // where it stands in the newer version; the zero span if it was removed
	Lines   []Line
	Numbers []Number
}

// ComparePassage says what became of a passage of the older text. One that only stands elsewhere
// is unchanged. Lines and Numbers hold what its own sentences lost and got in their place.
func ComparePassage(from, to corpus.Text, span corpus.Span) Passage {
	m := matchTexts(from, to)
	w := window{match: &m, span: span, stands: map[int]bool{}, known: map[hunk][][2]int{}}
	w.elsewhere()
	for i, u := range m.from.units {
		if u.span.Overlap(span) > 0 {
			w.unit(i)
		}
	}
	return w.passage()
}

// window follows the units of a passage.
type window struct {
	*match
	span    corpus.Span
	at      map[string]int // newer units that are new where they stand, once each, by key
	stands  map[int]bool   // newer units in which the passage goes on
	known   map[hunk][][2]int
	kept    int
	changed [][2]int // pairs of units
	gone    []int
}

// elsewhere finds the newer units that have no partner of their own.
func (w *window) elsewhere() {
	taken := make([]bool, len(w.to.units))
	for _, q := range w.pairs {
		for _, k := range q.kept {
			taken[k[1]] = true
		}
	}
	w.at = map[string]int{}
	for j, u := range w.to.units {
		if taken[j] {
			continue
		}
		if _, twice := w.at[u.key]; twice {
			w.at[u.key] = -1
		} else {
			w.at[u.key] = j
		}
	}
}

// unit follows one unit of the older text.
func (w *window) unit(i int) {
	h, partner := w.find(i)
	if partner < 0 {
		if j, ok := w.at[w.from.units[i].key]; ok && j >= 0 {
			partner = j
		}
	}
	if partner >= 0 {
		w.kept++
		w.stands[partner] = true
		return
	}
	if _, ok := w.known[h]; !ok {
		w.known[h] = w.sentences(h)
	}
	for _, q := range w.known[h] {
		if q[0] != i {
			continue
		}
		w.stands[q[1]] = true
		if strings.Contains(w.to.units[q[1]].key, w.part(i)) {
			w.kept++ // What changed of the sentence lies outside the passage.
			return
		}
		w.changed = append(w.changed, q)
		return
	}
	w.gone = append(w.gone, i)
}

// part is the piece of a unit that the passage holds, without white space.
func (w *window) part(i int) string {
	s := w.from.units[i].span
	return dense(w.from.text[max(s.Start, w.span.Start):min(s.End, w.span.End)])
}

// find returns the unit that a unit of the older text was kept as, or else its hunk.
func (w *window) find(i int) (hunk, int) {
	for s, section := range w.from.sections {
		if i < section.first || i >= section.last {
			continue
		}
		k := w.ofFrom[s]
		if k < 0 {
			return hunk{}, -1
		}
		for _, u := range w.pairs[k].kept {
			if u[0] == i {
				return hunk{}, u[1]
			}
		}
		for _, h := range w.hunks(w.pairs[k]) {
			if i >= h.from[0] && i < h.from[1] {
				return h, -1
			}
		}
	}
	return hunk{}, -1
}

// passage sums up what was followed.
func (w *window) passage() Passage {
	var out Passage
	for j := range w.stands {
		s := w.to.units[j].span
		if out.To == (corpus.Span{}) {
			out.To = s
		}
		out.To = corpus.Span{Start: min(out.To.Start, s.Start), End: max(out.To.End, s.End)}
	}
	switch {
	case len(w.changed) == 0 && len(w.gone) == 0:
		out.Change = Unchanged
		return out
	case len(w.changed) == 0 && w.kept == 0:
		out.Change = Removed
	default:
		out.Change = Changed
	}
	line := func(op Kind, d *document, i int) {
		if len(out.Lines) < maxLines {
			out.Lines = append(out.Lines, Line{Op: op, Text: d.written(d.units[i]), Span: d.units[i].span})
		}
	}
	for _, q := range w.changed {
		line(Removed, &w.from, q[0])
		line(Added, &w.to, q[1])
		out.Numbers = append(out.Numbers, w.exchanged(w.to.paths[q[1]], q)...)
	}
	for _, i := range w.gone {
		line(Removed, &w.from, i)
	}
	out.Numbers = out.Numbers[:min(len(out.Numbers), maxNumbers)]
	return out
}
