package xlsx

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// The size of the largest sheet there is. A number beyond it is no place.
const (
	lastRow    = 1_048_576
	lastColumn = 16_384
)

// sheet is one that is being read.
type sheet struct {
	book       *workbook
	in         *ooxml.Reader
	name       string
	cells      []cell
	row, rows  int // the number of the row at hand; how many rows there were
	col        int
	rowHidden  bool
	hiddenCols [lastColumn + 1]bool
	merges     []merge
	covered    int      // cells under merged areas
	said       int      // comments
	over       int      // boxes, charts and diagrams that lie over the cells
	drawings   []string // the relations that hold them
	rowsHidden bool     // those that do not say how high they are
}

// cell is a cell with a value. text tells a text from a number, by which a head is told from data.
type cell struct {
	row, col int
	value    string
	text     bool
}

// merge is a merged area.
type merge struct{ row, col, endRow, endCol int }

// sheet reads a sheet and lays it out.
func (w *workbook) sheet(name, part string) error {
	s := &sheet{book: w, name: name}
	found, err := w.pkg.Read(part, func(r *ooxml.Reader) error {
		s.in = r
		return r.Children(s.child)
	})
	if err != nil {
		return err
	}
	if !found {
		w.pkg.LeaveOut()
	}
	if err := s.layOut(); err != nil {
		return err
	}
	relations, err := w.pkg.Relations(part)
	if err != nil {
		return err
	}
	for _, r := range relations {
		if r.Type == "drawing" && slices.Contains(s.drawings, r.ID) {
			if err := s.drawing(r.Target); err != nil {
				return err
			}
		}
	}
	return s.comments(relations)
}

func (s *sheet) child(e ooxml.Element) error {
	switch e.Name {
	case "cols":
		n := 0 // there are no more entries than columns
		return s.in.Children(func(e ooxml.Element) error {
			if n++; n > lastColumn || !hidden(e) && !flat(e, "width", "customWidth") {
				return nil
			}
			for col := max(e.Int("min", 0), 1); col <= min(e.Int("max", 0), lastColumn); col++ {
				s.hiddenCols[col] = true
			}
			return nil
		})
	case "sheetData":
		return s.in.Children(s.line)
	case "mergeCells":
		return s.in.Children(s.merge)
	case "drawing":
		if len(s.drawings) < mostDrawings {
			s.drawings = append(s.drawings, e.RelationID("id"))
		}
	case "sheetFormatPr":
		s.rowsHidden = on(e, "zeroHeight")
	}
	return nil
}

// mostDrawings bounds those of a sheet, which has one.
const mostDrawings = 16

// hidden reports whether a row or column is hidden. One of a group that is folded up is not: the
// reader opens the group.
func hidden(e ooxml.Element) bool { return on(e, "hidden") && e.Int("outlineLevel", 0) == 0 }

// flat reports whether a row or column has the size 0, which some programs write instead of hiding it.
func flat(e ooxml.Element, size, own string) bool {
	v, err := strconv.ParseFloat(e.Attr(size), 64)
	return err == nil && v == 0 && on(e, own) && e.Int("outlineLevel", 0) == 0
}

func on(e ooxml.Element, name string) bool { return e.Attr(name) == "1" || e.Attr(name) == "true" }

// line reads a row. Rows and cells without a number follow the one before them.
func (s *sheet) line(e ooxml.Element) error {
	if e.Name != "row" {
		return nil
	}
	s.row++
	if text, ok := e.Lookup("r"); ok {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > lastRow {
			return badIndex("a row of the number %.20s", text)
		}
		s.row = n
	}
	w := s.book
	if s.rows++; s.rows > w.opt.Rows || s.row > lastRow {
		w.notice(RowLimit)
		return s.rest()
	}
	if s.rows%1024 == 0 && w.ctx.Err() != nil {
		return w.ctx.Err()
	}
	_, high := e.Lookup("ht")
	_, said := e.Lookup("hidden")
	s.rowHidden = hidden(e) || flat(e, "ht", "customHeight") || s.rowsHidden && !high && !said
	s.col = 0
	return s.in.Children(s.cell)
}

// rest skips a row beyond the limit. The list of rows is read to its end, because what is merged
// stands after it.
func (s *sheet) rest() error {
	if s.rows > s.book.opt.Rows+skippedRows {
		return ooxml.ErrStop
	}
	return nil
}

// skippedRows bounds the rows that are read beyond the limit only to find what stands after them.
const skippedRows = 100_000

func badIndex(what string, args ...any) error {
	return ooxml.Refuse("sheet_index_invalid", "names a place that no sheet has: "+what, args...)
}

func (s *sheet) cell(e ooxml.Element) error {
	if e.Name != "c" {
		return nil
	}
	s.col++
	if ref := e.Attr("r"); ref != "" {
		row, col, ok := address(ref)
		if !ok || row != s.row {
			return badIndex("a cell called %.20q", ref)
		}
		s.col = col
	}
	value, text, err := s.value(e)
	if err != nil || value == "" {
		return err
	}
	w := s.book
	switch {
	case s.rowHidden || s.col <= lastColumn && s.hiddenCols[s.col]:
		w.notice(layout.HiddenLeftOut)
		return nil
	case s.col > w.opt.Columns:
		w.notice(ColumnLimit)
		return nil
	case w.cells >= w.opt.Layout.Places:
		w.notice(CellLimit)
		return nil
	}
	w.cells++
	s.cells = append(s.cells, cell{s.row, s.col, value, text})
	return nil
}

// address reads a cell's name, such as B12.
func address(ref string) (row, col int, ok bool) {
	i := 0
	for ; i < len(ref) && i < 4 && ref[i]|0x20 >= 'a' && ref[i]|0x20 <= 'z'; i++ {
		col = col*26 + int(ref[i]|0x20-'a') + 1
	}
	if i == len(ref) || ref[i] < '1' || ref[i] > '9' {
		return 0, 0, false
	}
	row, err := strconv.Atoi(ref[i:])
	return row, col, err == nil && col >= 1 && col <= lastColumn && row <= lastRow
}

// value reads the value of a cell as it is shown. A formula is never evaluated: its stored value
// counts, and one without a stored value is an empty cell.
func (s *sheet) value(e ooxml.Element) (value string, text bool, err error) {
	kind := e.Attr("t")
	stored, inline := "", ""
	style := e.Int("s", 0)
	err = s.in.Children(func(e ooxml.Element) error {
		var err error
		switch e.Name {
		case "v":
			stored, err = s.in.Text()
		case "is":
			inline, err = richText(s.in)
		}
		return err
	})
	if err != nil {
		return "", false, err
	}
	switch trimmed := strings.TrimSpace(stored); kind {
	case "inlineStr":
		return layout.Clean(inline), true, nil
	case "str":
		return layout.Clean(unescape(stored)), true, nil
	case "s":
		if trimmed == "" {
			return "", false, nil
		}
		n, err := strconv.Atoi(trimmed)
		if err != nil || n < 0 || n >= len(s.book.strings) {
			return "", false, badIndex("the shared text number %.20s", trimmed)
		}
		return layout.Clean(s.book.strings[n]), true, nil
	case "b":
		return map[string]string{"1": "TRUE", "true": "TRUE", "0": "FALSE", "false": "FALSE"}[trimmed], false, nil
	case "e", "d":
		return trimmed, false, nil
	default:
		if v, err := strconv.ParseFloat(trimmed, 64); err == nil {
			f := format{}
			if style >= 0 && style < len(s.book.formats) {
				f = s.book.formats[style]
			}
			return f.write(v, s.book.days), false, nil
		}
		return layout.Clean(stored), true, nil
	}
}

// mostMerges bounds the merged areas of a sheet that are kept.
const mostMerges = 5000

func (s *sheet) merge(e ooxml.Element) error {
	from, to, ok := strings.Cut(e.Attr("ref"), ":")
	row, col, ok1 := address(from)
	endRow, endCol, ok2 := address(to)
	if e.Name != "mergeCell" || !ok || !ok1 || !ok2 || endRow < row || endCol < col {
		return nil
	}
	s.covered += (endRow - row + 1) * (endCol - col + 1)
	if s.covered > s.book.opt.Cells || len(s.merges) >= mostMerges {
		s.book.notice(CellLimit)
		return nil
	}
	s.merges = append(s.merges, merge{row, col, endRow, endCol})
	return nil
}
