package revision

import (
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
)

// hunk is a run of units between two that are the same: from and to are half-open ranges.
type hunk struct{ from, to [2]int }

// hunks lists the differing runs of a pair of sections.
func (m *match) hunks(q pair) []hunk {
	var out []hunk
	x, y := m.from.sections[q.from], m.to.sections[q.to]
	i, j := x.first, y.first
	for _, k := range append(slices.Clip(q.kept), [2]int{x.last, y.last}) {
		if k[0] > i || k[1] > j {
			out = append(out, hunk{[2]int{i, k[0]}, [2]int{j, k[1]}})
		}
		i, j = k[0]+1, k[1]+1
	}
	return out
}

// difference writes down all that is not the same.
func (m match) difference() Difference {
	var d Difference
	// A removed section is told of after the partner of the one before it.
	after := map[int][]int{}
	at := -1
	for i := range m.from.sections {
		if k := m.ofFrom[i]; k >= 0 {
			at = m.pairs[k].to
			continue
		}
		after[at] = append(after[at], i)
	}
	for j := -1; j < len(m.to.sections); j++ {
		if j >= 0 {
			d.add(m.section(j))
		}
		for _, i := range after[j] {
			d.add(m.removed(i))
		}
	}
	return d
}

// section tells what became of a section of the newer text. One that is the same has no Kind.
func (m *match) section(j int) Section {
	y := m.to.sections[j]
	out := Section{Path: y.path, To: m.to.span(y)}
	k := m.ofTo[j]
	if k < 0 {
		out.Kind = Added
		m.lines(&out, hunk{to: [2]int{y.first, y.last}})
		return out
	}
	q := m.pairs[k]
	x := m.from.sections[q.from]
	out.From, out.Moved = m.from.span(x), q.moved
	if pathKey(x.path) != pathKey(y.path) {
		out.Was = x.path
	}
	for _, h := range m.hunks(q) {
		m.lines(&out, h)
		m.numbers(&out, h)
	}
	switch {
	case out.LinesAdded+out.LinesRemoved > 0:
		out.Kind = Changed
	case out.Moved:
		out.Kind = Moved
	}
	return out
}

func (m *match) removed(i int) Section {
	x := m.from.sections[i]
	out := Section{Kind: Removed, Path: x.path, From: m.from.span(x)}
	m.lines(&out, hunk{from: [2]int{x.first, x.last}})
	return out
}

// lines adds the units of a hunk to a section.
func (m *match) lines(s *Section, h hunk) {
	add := func(d *document, op Kind, of [2]int) {
		for _, u := range d.units[of[0]:of[1]] {
			if len(s.Lines) < maxLines {
				s.Lines = append(s.Lines, Line{Op: op, Text: d.written(u), Span: u.span})
			}
		}
	}
	add(&m.from, Removed, h.from)
	add(&m.to, Added, h.to)
	s.LinesRemoved += h.from[1] - h.from[0]
	s.LinesAdded += h.to[1] - h.to[0]
}

// add takes a section into the lists, as far as there is room, and counts it.
func (d *Difference) add(s Section) {
	switch s.Kind {
	case Added:
		d.Counts.SectionsAdded++
	case Removed:
		d.Counts.SectionsRemoved++
	case Changed:
		d.Counts.SectionsChanged++
	case Moved:
		d.Counts.SectionsMoved++
	default:
		return
	}
	listed := d.listed()
	d.Counts.LinesAdded += s.LinesAdded
	d.Counts.LinesRemoved += s.LinesRemoved
	d.Counts.Numbers += len(s.Numbers)
	if len(d.Sections) == maxSections {
		d.Truncated = true
		return
	}
	s.Lines = s.Lines[:min(len(s.Lines), maxLines-listed.lines)]
	s.Numbers = s.Numbers[:min(len(s.Numbers), maxNumbers-listed.numbers)]
	d.Sections = append(d.Sections, s)
	now := d.listed()
	d.Truncated = d.Truncated || now.lines < d.Counts.LinesAdded+d.Counts.LinesRemoved || now.numbers < d.Counts.Numbers
}

type listed struct{ lines, numbers int }

func (d *Difference) listed() (n listed) {
	for _, s := range d.Sections {
		n.lines += len(s.Lines)
		n.numbers += len(s.Numbers)
	}
	return n
}

// sentences pairs the units of a hunk that say the same thing in other words.
func (m *match) sentences(h hunk) [][2]int {
	n, k := h.from[1]-h.from[0], h.to[1]-h.to[0]
	if n == 1 && k == 1 {
		return [][2]int{{h.from[0], h.to[0]}}
	}
	if n*k > maxPairs {
		return nil
	}
	sketches := func(d *document, of [2]int) (out []sketch) {
		for _, u := range d.units[of[0]:of[1]] {
			out = append(out, sketchOf(d.text[u.span.Start:u.span.End]))
		}
		return out
	}
	out := alike(sketches(&m.from, h.from), sketches(&m.to, h.to), likeLine, func(int, int) bool { return true })
	for i := range out {
		out[i][0] += h.from[0]
		out[i][1] += h.to[0]
	}
	return out
}

// numbers adds to a section the numbers that the sentences of a hunk exchanged.
func (m *match) numbers(s *Section, h hunk) {
	for _, q := range m.sentences(h) {
		if m.from.isHeading(q[0]) && m.to.isHeading(q[1]) {
			continue // Sections that are numbered anew did not change by that.
		}
		s.Numbers = append(s.Numbers, m.exchanged(s.Path, q)...)
	}
}

// exchanged lists the numbers that differ between two sentences.
func (m *match) exchanged(path []string, q [2]int) []Number {
	from, to := m.from.units[q[0]], m.to.units[q[1]]
	text := func(d *document, s corpus.Span) string { return string(d.text[s.Start:s.End]) }
	out := compareFigures(figures(text(&m.from, from.span)), figures(text(&m.to, to.span)))
	for i := range out {
		out[i].Section = path
		out[i].OldSentence, out[i].NewSentence = m.from.written(from), m.to.written(to)
	}
	return out
}
