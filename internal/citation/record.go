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
	if _, table := corpus.RecordOf(e.Locator); e.Locator != nil && !table || e.Locator == nil && len(e.Segments) == 0 {
		return nil, -1
	}
	runes := []rune(e.Excerpt)
	last, titled, bare := corpus.Record{}, false, true // of the record at hand: its row; of all: some cell has a column name; of the first: none has
	end, merged := 0, false                            // merged: the row at hand has only cells that began above it
	for _, s := range e.Segments {
		at, ok := corpus.RecordOf(s.Locator)
		if first, _ := corpus.Numbers(s.Locator); !ok && first == 0 && last.Table == 0 {
			end = max(end, s.Span.End-e.Span.Start) // the name of the sheet above its table
			continue
		}
		if !ok || last.Table != 0 && at.Table != last.Table {
			return nil, -1
		}
		// A cell that is merged over rows belongs to the first of them, and is written in each.
		switch again := at.Merged && last.Table != 0 && strings.Contains(string(gap(runes, end, s.Span.Start-e.Span.Start)), "\n"); {
		case again:
			rows, merged = append(rows, corpus.Span{Start: end}), true
		case last.Table == 0, at.Row > last.Row && !merged:
			rows, last = append(rows, corpus.Span{Start: end}), at
		case at.Row > last.Row:
			last, merged = at, false
		}
		end = min(max(end, s.Span.End-e.Span.Start), len(runes))
		rows[len(rows)-1].End = end
		titled = titled || at.Header != ""
		bare = bare && (at.Header == "" || len(rows) > 1)
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

// gap returns what stands between two segments.
func gap(runes []rune, from, to int) []rune {
	from = min(max(from, 0), len(runes))
	return runes[from:max(from, min(to, len(runes)))]
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
