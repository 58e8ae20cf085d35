// Package revision says what changed between two versions of a document: which sections were
// added, removed, changed or moved, which of their sentences, and which numbers.
//
// It compares normalised texts, not originals, so it needs no format and no store. White space
// does not count. A difference is the same in both directions, with old and new exchanged. What it
// lists is bounded; what it counts is not.
package revision

import (
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
)

// Kind says what became of a section or of a line.
type Kind string

// The kinds. A line is only ever Added or Removed.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
	Moved   Kind = "moved"
)

// Bounds of what a difference lists.
const (
	maxSections = 500
	maxLines    = 2000 // over all sections
	maxNumbers  = 500  // over all sections
	maxText     = 500  // code points of one line or sentence
)

// Line is a sentence, a heading, a list item or a row that stands in one of the versions alone.
type Line struct {
	Op   Kind
	Text string // cut after 500 code points, with an ellipsis
	// Span is its place in the normalised text of the version that holds it.
	Span corpus.Span
}

// Number is a number that is another in the newer version. One side is empty where a changed
// sentence gained or lost a number. Values are normalised ("1,000" and "１０００" are "1000"), units
// are as they are written.
type Number struct {
	Section                  []string // heading path in the newer version
	Old, New                 string
	OldUnit, NewUnit         string
	OldSentence, NewSentence string
}

// Section is a part of the document that is not the same in both versions. In a document without
// headings it is a paragraph or a row, and its paths are empty.
type Section struct {
	Kind Kind
	// Path is the heading path in the newer version, or in the older one for a removed section.
	// Was is the path in the older version where that was another.
	Path, Was []string
	// From and To are its places in the two texts; the zero span where it has none.
	From, To corpus.Span
	// Moved says that it stands in another order or under another heading. A section whose only
	// change that is has the Kind Moved.
	Moved                    bool
	Lines                    []Line
	LinesAdded, LinesRemoved int // all of them, also those that Lines leaves out
	Numbers                  []Number
}

// Counts are complete, whatever the lists leave out.
type Counts struct {
	SectionsAdded, SectionsRemoved, SectionsChanged, SectionsMoved int
	LinesAdded, LinesRemoved                                       int
	Numbers                                                        int
}

// Difference is what changed from one version to another, in the order of the newer one.
type Difference struct {
	Sections []Section
	Counts   Counts
	// Truncated says that there is more than the lists show.
	Truncated bool
}

// Empty reports whether the two texts say the same in the same order.
func (d Difference) Empty() bool { return d.Counts == Counts{} }

// Compare returns what changed from one version to the other.
func Compare(from, to corpus.Text) Difference {
	return matchTexts(from, to).difference()
}

// pair is a section of the older text and the one of the newer text that continues it.
type pair struct {
	from, to int
	kept     [][2]int // units of both that are the same, in order
	moved    bool
}

// match is the whole alignment of two texts.
type match struct {
	from, to document
	pairs    []pair // in the order of to
	// ofFrom and ofTo are the indices of a section's pair; -1 if it has none.
	ofFrom, ofTo []int
}

// matchTexts aligns two texts. Ties are broken by the texts alone and not by their order, so that
// both directions agree.
func matchTexts(from, to corpus.Text) match {
	a, b := read(from), read(to)
	headed := a.headed || b.headed
	a.cut(headed)
	b.cut(headed)
	swapped := from.Text > to.Text
	if swapped {
		a, b = b, a
	}
	p := pairing{a: a, b: b, headed: headed, toB: fill(len(a.sections)), toA: fill(len(b.sections))}
	p.run()
	m := match{from: a, to: b, ofFrom: fill(len(a.sections)), ofTo: fill(len(b.sections))}
	moved := p.moved()
	for i, j := range p.toB {
		if j >= 0 {
			kept := common(a.keys(a.sections[i]), b.keys(b.sections[j]))
			for k := range kept {
				kept[k][0] += a.sections[i].first
				kept[k][1] += b.sections[j].first
			}
			m.pairs = append(m.pairs, pair{from: i, to: j, kept: kept, moved: moved[i]})
		}
	}
	if swapped {
		m.flip()
	}
	slices.SortFunc(m.pairs, func(x, y pair) int { return x.to - y.to })
	for k, q := range m.pairs {
		m.ofFrom[q.from], m.ofTo[q.to] = k, k
	}
	return m
}

// flip exchanges the two sides.
func (m *match) flip() {
	m.from, m.to = m.to, m.from
	m.ofFrom, m.ofTo = m.ofTo, m.ofFrom
	for k := range m.pairs {
		q := &m.pairs[k]
		q.from, q.to = q.to, q.from
		for i, u := range q.kept {
			q.kept[i] = [2]int{u[1], u[0]}
		}
	}
}

func fill(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}
