package citation

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/citation/claim"
	"github.com/kaoju/kaoju/internal/corpus"
)

// sourceOf prepares evidence for comparison: by sentences, or by records where it is a table of
// separated values.
func sourceOf(e Evidence) *claim.Source {
	rows, head := e.records()
	if rows == nil {
		return claim.NewSource(e.Excerpt)
	}
	runes := []rune(e.Excerpt)
	text := func(i int) string { return string(runes[rows[i].Start:rows[i].End]) }
	columns := e.Context
	var records []string
	for i := range rows {
		if i == head && len(rows) > 1 {
			columns = text(i)
			continue
		}
		records = append(records, text(i))
	}
	return claim.NewTable(e.Excerpt, columns, records)
}

// records returns the spans of the records in an excerpt of separated values, in code points from
// its beginning, and which of them is the header (-1 if none is); no spans if it is none.
func (e Evidence) records() (rows []corpus.Span, head int) {
	if e.Locator != nil && e.Locator.Kind() != "csv" || e.Locator == nil && len(e.Segments) == 0 {
		return nil, -1
	}
	runes := []rune(e.Excerpt)
	last, titled, bare := 0, false, true // of the record at hand: its row; of all: some cell has a column name; of the first: none has
	end := 0
	for _, s := range e.Segments {
		loc, ok := s.Locator.(corpus.CSVLocator)
		if !ok {
			return nil, -1
		}
		if loc.Row != last {
			rows = append(rows, corpus.Span{Start: end})
			last = loc.Row
		}
		end = min(max(end, s.Span.End-e.Span.Start), len(runes))
		rows[len(rows)-1].End = end
		titled = titled || loc.Header != ""
		bare = bare && (loc.Header == "" || len(rows) > 1)
	}
	if len(rows) == 0 {
		rows = lineSpans(runes)
	}
	for i := range rows {
		rows[i] = trimmed(runes, rows[i])
	}
	rows = slices.DeleteFunc(rows, func(s corpus.Span) bool { return s.Len() == 0 })
	if titled && bare {
		return rows, 0
	}
	return rows, -1
}

func lineSpans(runes []rune) []corpus.Span {
	out := []corpus.Span{{}}
	for i, r := range runes {
		out[len(out)-1].End = i
		if r == '\n' {
			out = append(out, corpus.Span{Start: i + 1})
		}
	}
	out[len(out)-1].End = len(runes)
	return out
}

func trimmed(runes []rune, s corpus.Span) corpus.Span {
	for s.Start < s.End && unicode.IsSpace(runes[s.Start]) {
		s.Start++
	}
	for s.End > s.Start && unicode.IsSpace(runes[s.End-1]) {
		s.End--
	}
	return s
}

// record finds a text that is exactly one record of the excerpt, so that it is not taken for a
// part of another one.
func (e Evidence) record(text string) (corpus.Span, bool) {
	rows, _ := e.records()
	if rows == nil {
		return corpus.Span{}, false
	}
	runes, want := []rune(e.Excerpt), strings.Fields(text)
	for _, row := range rows {
		if slices.Equal(strings.Fields(string(runes[row.Start:row.End])), want) {
			return row, true
		}
	}
	return corpus.Span{}, false
}
