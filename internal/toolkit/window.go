package toolkit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/tool"
)

// script is a version's text with the measures that windows are cut by: positions are code
// points, sizes UTF-16 units.
type script struct {
	text  []rune
	units []int // units[i] is the size of text[:i]
}

func newScript(text string) *script {
	s := &script{text: []rune(text)}
	s.units = make([]int, len(s.text)+1)
	for i, r := range s.text {
		s.units[i+1] = s.units[i] + max(1, utf16.RuneLen(r))
	}
	return s
}

func (s *script) size(span corpus.Span) int { return s.units[span.End] - s.units[span.Start] }

// reach returns the last position so that the text from start to it has at most the given size.
func (s *script) reach(start, size int) int {
	i, found := slices.BinarySearch(s.units[start:], s.units[start]+max(0, size))
	if !found {
		i--
	}
	return start + i
}

// back returns the first position so that the text from it to end has at most the given size.
func (s *script) back(end, size int) int {
	i, _ := slices.BinarySearch(s.units[:end+1], s.units[end]-max(0, size))
	return min(i, end)
}

// around returns the window of at most the given size that shows an anchor: the whole text if it
// fits; else from the section's beginning if that leaves room for the anchor (section is -1 if
// there is none); else with a third of what the anchor leaves before it. Edges fall between lines
// or sentences where the text has them.
func (s *script) around(anchor corpus.Span, section, size int) corpus.Span {
	all := corpus.Span{End: len(s.text)}
	if s.size(all) <= size {
		return s.trim(all)
	}
	anchor = corpus.Span{Start: min(max(0, anchor.Start), all.End), End: min(max(0, anchor.End), all.End)}
	room := size - s.size(anchor)
	w := corpus.Span{Start: anchor.Start}
	switch {
	case section >= 0 && section <= anchor.Start && s.units[anchor.End]-s.units[section] <= size:
		w.Start, w.End = section, s.reach(section, size)
	case room > 0:
		w.Start = s.firstEdge(s.back(anchor.Start, room/3), anchor.Start)
		if w.End = s.reach(w.Start, size); w.End == all.End {
			w.Start = s.firstEdge(s.back(all.End, size), w.Start)
		}
	default:
		w.End = s.reach(w.Start, size)
	}
	return s.close(w, anchor.End)
}

// from returns the window of at most the given size that begins at a position.
// White space there is passed over.
func (s *script) from(start, size int) corpus.Span {
	for start < len(s.text) && unicode.IsSpace(s.text[start]) {
		start++
	}
	return s.close(corpus.Span{Start: start, End: s.reach(start, size)}, start)
}

// close moves the end of a window back to an edge, but not before what it must show.
func (s *script) close(w corpus.Span, shown int) corpus.Span {
	if w.End < len(s.text) {
		least := w.Start + w.Len()/2
		if shown <= w.End {
			least = max(least, shown)
		}
		w.End = s.lastEdge(least, w.End)
	}
	return s.trim(w)
}

// trim takes white space off both ends.
func (s *script) trim(w corpus.Span) corpus.Span {
	for w.Start < w.End && unicode.IsSpace(s.text[w.Start]) {
		w.Start++
	}
	for w.Start < w.End && unicode.IsSpace(s.text[w.End-1]) {
		w.End--
	}
	return w
}

// firstEdge returns the first edge in [from, most]: a line's beginning if there is one in its
// first half, else a sentence's, else from itself.
func (s *script) firstEdge(from, most int) int {
	for i := from; i <= from+(most-from)/2; i++ {
		if s.line(i) {
			return i
		}
	}
	for i := from; i <= most; i++ {
		if s.line(i) || s.sentence(i) {
			return i
		}
	}
	for from < most && unicode.Is(unicode.Mn, s.text[from]) {
		from++
	}
	return from
}

// lastEdge returns the last edge in [least, to]: a line's beginning if there is one in its last
// half, else a sentence's, else to itself.
func (s *script) lastEdge(least, to int) int {
	for i := to; i >= to-(to-least)/2; i-- {
		if s.line(i) {
			return i
		}
	}
	for i := to; i >= least; i-- {
		if s.line(i) || s.sentence(i) {
			return i
		}
	}
	for to > least && to < len(s.text) && unicode.Is(unicode.Mn, s.text[to]) {
		to--
	}
	return to
}

func (s *script) line(i int) bool { return i == 0 || i == len(s.text) || s.text[i-1] == '\n' }

// sentence reports whether one ends at i.
func (s *script) sentence(i int) bool {
	for i > 1 && strings.ContainsRune(`”’"'」』）)】`, s.text[i-1]) {
		i--
	}
	if i < 1 || i >= len(s.text) {
		return i == len(s.text)
	}
	if strings.ContainsRune("。！？；…", s.text[i-1]) {
		return true
	}
	return strings.ContainsRune(".!?", s.text[i-1]) && (unicode.IsSpace(s.text[i]) || strings.ContainsRune(`”"')`, s.text[i]))
}

// read reports whether at least half of a window lies in text of this version that was read.
func read(windows []tool.Window, d corpus.Document, w corpus.Span) bool {
	var spans []corpus.Span
	for _, old := range windows {
		if old.Document == d.ID && old.Version == d.Version {
			spans = append(spans, old.Span)
		}
	}
	slices.SortFunc(spans, func(a, b corpus.Span) int { return a.Start - b.Start })
	covered, at := 0, w.Start
	for _, s := range spans {
		s.Start = max(s.Start, at)
		covered += s.Overlap(w)
		at = max(at, s.End)
	}
	return 2*covered >= w.Len()
}
