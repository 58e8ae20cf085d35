// Package xlsx reads workbooks: the values of cells as a reader sees them, sheet by sheet. Dates are
// written year first, formulas give the value that was stored with them, and merged cells are one
// cell that stands in each of its rows.
//
// Hidden sheets, rows and columns are left out, and a notice says so. A sheet of more rows, columns
// or cells than the limits allow is cut, and a notice says that too.
package xlsx

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/parse/progress"
)

// Notices that a workbook can have.
const (
	// RowLimit says that a sheet had more rows than are read.
	RowLimit = "sheet_row_limit"
	// ColumnLimit says that a sheet had more columns than are read.
	ColumnLimit = "sheet_col_limit"
	// CellLimit says that the workbook had more cells, or merged areas over more, than are read.
	CellLimit = "sheet_cell_limit"
)

// Options bound what a workbook may cost. A zero field means its default.
type Options struct {
	Package ooxml.Limits
	Layout  layout.Limits
	Rows    int // of a sheet; default 100,000
	Columns int // of a sheet; default 1,024
	Cells   int // that merged areas of a sheet cover together; default 2,000,000
}

func (o Options) orDefault() Options {
	if o.Rows <= 0 {
		o.Rows = 100_000
	}
	if o.Columns <= 0 {
		o.Columns = 1024
	}
	if o.Cells <= 0 {
		o.Cells = 2_000_000
	}
	return o
}

// Parse reads a workbook. A file that can't be read is an *ooxml.Refusal.
func Parse(ctx context.Context, data []byte, opt Options) (corpus.Parsed, error) {
	pkg, err := ooxml.Open(data, "workbook", opt.Package)
	if err != nil {
		return corpus.Parsed{}, err
	}
	w := &workbook{ctx: ctx, pkg: pkg, opt: opt.orDefault(), page: layout.Page{Limits: opt.Layout}}
	err = w.read()
	if errors.Is(err, layout.ErrFull) {
		w.notice(CellLimit)
		err = nil
	}
	if err != nil {
		return corpus.Parsed{}, err
	}
	p := w.page.Parsed("")
	p.Notices = append(w.notices, pkg.Notices()...)
	return p, nil
}

// workbook is one that is being read.
type workbook struct {
	ctx     context.Context
	pkg     *ooxml.Package
	opt     Options
	page    layout.Page
	strings []string
	formats []format // by style of a cell
	days    calendar
	cells   int // read so far
	notices []string
}

func (w *workbook) notice(word string) {
	if !slices.Contains(w.notices, word) {
		w.notices = append(w.notices, word)
	}
}

// sheetRef is a sheet as the workbook lists it.
type sheetRef struct{ name, relation string }

func (w *workbook) read() error {
	relations, err := w.pkg.Relations(w.pkg.Main)
	if err != nil {
		return err
	}
	sheets, err := w.contents()
	if err != nil {
		return err
	}
	for _, r := range relations {
		switch r.Type {
		case "sharedStrings":
			err = w.readStrings(r.Target)
		case "styles":
			err = w.readStyles(r.Target)
		}
		if err != nil {
			return err
		}
	}
	for n, s := range sheets {
		progress.Tell(w.ctx, n, len(sheets))
		i := slices.IndexFunc(relations, func(r ooxml.Relation) bool { return r.ID == s.relation && r.Type == "worksheet" })
		if i < 0 {
			continue // a sheet that is a chart or a dialog has no cells
		}
		if err := w.sheet(s.name, relations[i].Target); err != nil {
			return err
		}
	}
	return nil
}

// contents reads the list of sheets, without the hidden ones.
func (w *workbook) contents() (sheets []sheetRef, err error) {
	_, err = w.pkg.Read(w.pkg.Main, func(r *ooxml.Reader) error {
		var visit func(e ooxml.Element) error
		visit = func(e ooxml.Element) error {
			switch e.Name {
			case "workbookPr":
				w.days.from1904 = e.Attr("date1904") == "1" || e.Attr("date1904") == "true"
			case "sheets":
				return r.Children(visit)
			case "sheet":
				if state := e.Attr("state"); state != "" && state != "visible" {
					w.notice(layout.HiddenLeftOut)
					return nil
				}
				sheets = append(sheets, sheetRef{layout.Name(e.Attr("name")), e.RelationID("id")})
			}
			return nil
		}
		return r.Children(visit)
	})
	return sheets, err
}

// readStrings reads the texts that cells share. They may be no longer than a document's text.
func (w *workbook) readStrings(name string) error {
	total := 0
	_, err := w.pkg.Read(name, func(r *ooxml.Reader) error {
		return r.Children(func(e ooxml.Element) error {
			if e.Name != "si" {
				return nil
			}
			s, err := richText(r)
			if total += len(s) + 16; err == nil && total > 2*w.opt.Layout.Bytes {
				return ooxml.Refuse("too_large", "has more text than is allowed")
			}
			w.strings = append(w.strings, s)
			return err
		})
	})
	return err
}

// richText reads the text of an element that has runs, without the readings above characters.
func richText(r *ooxml.Reader) (string, error) {
	var b strings.Builder
	var visit func(e ooxml.Element) error
	visit = func(e ooxml.Element) error {
		switch e.Name {
		case "t":
			s, err := r.Text()
			b.WriteString(s)
			return err
		case "r":
			return r.Children(visit)
		}
		return nil
	}
	err := r.Children(visit)
	return unescape(b.String()), err
}

// unescape decodes _x000D_ and the like, which stand for characters that XML has not.
func unescape(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "_x")
		if i < 0 || len(s) < i+7 {
			break
		}
		n, err := strconv.ParseUint(s[i+2:i+6], 16, 16)
		if err != nil || s[i+6] != '_' {
			b.WriteString(s[:i+2])
			s = s[i+2:]
			continue
		}
		b.WriteString(s[:i])
		b.WriteRune(rune(n))
		s = s[i+7:]
	}
	return b.String() + s
}

// readStyles reads the number formats of the styles.
func (w *workbook) readStyles(name string) error {
	codes := map[int]string{}
	_, err := w.pkg.Read(name, func(r *ooxml.Reader) error {
		return r.Children(func(e ooxml.Element) error {
			list := e.Name
			if list != "numFmts" && list != "cellXfs" {
				return nil
			}
			return r.Children(func(e ooxml.Element) error {
				switch id := e.Int("numFmtId", 0); {
				case list == "numFmts":
					codes[id] = e.Attr("formatCode")
				case len(w.formats) < 1<<16:
					code, own := codes[id]
					if !own {
						code = builtin(id)
					}
					w.formats = append(w.formats, newFormat(code))
				}
				return nil
			})
		})
	})
	return err
}
