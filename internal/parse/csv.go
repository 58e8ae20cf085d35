package parse

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
)

// parseCSV renders every record as a row, "cell | cell", and takes the first record as the header.
// Records are counted as a spreadsheet counts rows: from 1, with the header and with empty lines,
// whatever line breaks their cells hold.
func parseCSV(src *source) (corpus.Parsed, error) {
	r, err := renderCSV(src, [2]int{})
	if err != nil {
		return corpus.Parsed{}, err
	}
	return corpus.Parsed{Text: string(r.buf), Blocks: r.blocks}, nil
}

func resolveCSV(src *source, window [2]int) (string, bool, error) {
	r, err := renderCSV(src, window)
	if err != nil {
		return "", false, err
	}
	return r.resolved()
}

func renderCSV(src *source, window [2]int) (*render, error) {
	t := csvTable{render: render{src: src, window: window}, in: recordsOf(src.text, extension(src.name)), head: -1}
	for t.err == nil && t.in.next(&t) {
		if t.in.row%checkEvery == 0 && src.ctx.Err() != nil {
			return nil, src.ctx.Err()
		}
	}
	return &t.render, t.err
}

// csvTable renders the cells that a reader of records hands it.
type csvTable struct {
	render
	in     records
	header []string
	head   int // index of the header's block
	named  int // row of the header: the first one with text; 0 before it
	cell   *cell
	gaps   int // delimiters since the last visible character of the row
	opened bool
	names  strings.Builder // holds the names of many cells, which are cut out of it
}

// cell names the open cell; its address is the owner of what it renders.
type cell struct{ row, col int }

func (t *csvTable) beginCell(row, col int) {
	if col == 1 {
		t.opened, t.gaps = false, 0
	} else {
		t.gaps++
	}
	t.cell = &cell{row, col}
}

// character writes one character of the open cell. The row's block opens with the first one that
// is visible; white space at the beginning of a cell is left out.
func (t *csvTable) character(c rune, at place) {
	if unicode.IsSpace(c) && (t.gaps > 0 || !t.opened || !t.seg.open || t.seg.owner != t.cell) {
		return
	}
	if !t.opened {
		kind := corpus.TableRow
		if t.named == 0 {
			kind, t.named = corpus.TableHead, t.cell.row
		}
		t.begin(kind, 0, t.head, nil, true)
		t.opened = true
	}
	t.borders(t.gaps)
	t.gaps = 0
	if t.cell.row == t.named && t.cell.col <= headerCells {
		t.name(c)
	}
	t.put(c, at, t.cell, t.locate)
}

// headerCells bounds the columns whose names are kept for locators.
const headerCells = 16384

// name collects the header's cells.
func (t *csvTable) name(c rune) {
	for len(t.header) < t.cell.col {
		t.header = append(t.header, "")
	}
	if h := &t.header[t.cell.col-1]; len(*h) < nameLimit {
		*h += string(c)
	}
}

func (t *csvTable) endRecord() {
	if t.opened {
		t.end()
		if t.cell.row == t.named {
			t.head = 0
			for i, h := range t.header {
				t.header[i] = strings.Join(strings.Fields(h), " ")
			}
		}
	}
	t.opened = false
}

func (t *csvTable) locate(owner any, at place) corpus.Locator {
	c := owner.(*cell)
	l := corpus.CSVLocator{
		Row: c.row, Col: c.col, Range: t.cellName(c),
		Line: at.line, Char: at.char,
	}
	if at.lineEnd > at.line {
		l.LineEnd = at.lineEnd
	}
	if c.row > t.named && c.col <= len(t.header) {
		l.Header = t.header[c.col-1]
	}
	return l
}

// cellName returns a cell's name in A1 notation. It shares its bytes with others, since an
// allocation for each would cost several times its length.
func (t *csvTable) cellName(c *cell) string {
	name := corpus.Cell(c.col, c.row)
	if t.names.Cap()-t.names.Len() < len(name) {
		t.names = strings.Builder{}
		t.names.Grow(4096)
	}
	from := t.names.Len()
	t.names.WriteString(name)
	return t.names.String()[from:]
}

// records reads separated values. A quote at the beginning of a cell quotes it: inside, delimiters
// and line ends are content and two quotes stand for one. What follows the closing quote belongs
// to the cell. A quote that is never closed is a character like any other, and so are all quotes
// after it.
type records struct {
	text      string
	delimiter byte
	b, char   int
	line      int
	row       int
	plain     bool // quotes have no meaning any more
}

// recordsOf reads a table. A first line "sep=;" is no record: it tells spreadsheets what the delimiter is.
func recordsOf(text, ext string) records {
	in := records{text: text, line: 1}
	if first, _, _ := strings.Cut(text[:min(len(text), len(`"sep=;"`)+1)], "\n"); len(first) < len(text) {
		said := strings.TrimRight(strings.ReplaceAll(first, `"`, ""), "\r")
		if len(said) == len("sep=;") && strings.EqualFold(said[:4], "sep=") && said[4] < utf8.RuneSelf {
			in.delimiter = said[4]
			for in.line == 1 && in.b < len(text) {
				if c := text[in.b]; c == '\n' || c == '\r' {
					in.newline()
				} else {
					in.step()
				}
			}
			return in
		}
	}
	in.delimiter = delimiterOf(text, ext)
	return in
}

// next reads one record into the table; false at the end.
func (in *records) next(t *csvTable) bool {
	if in.b >= len(in.text) {
		return false
	}
	in.row++
	for col := 1; ; col++ {
		t.beginCell(in.row, col)
		if !in.cell(t) {
			break
		}
	}
	t.endRecord()
	return true
}

func (in *records) here() place {
	return place{char: [2]int{in.char, in.char}, line: in.line, lineEnd: in.line}
}

// cell reads a cell and the delimiter or line end after it; false when the record is over.
func (in *records) cell(t *csvTable) bool {
	if in.b < len(in.text) && in.text[in.b] == '"' && !in.plain {
		if in.closed() {
			in.quoted(t)
		} else {
			in.plain = true
		}
	}
	for in.b < len(in.text) {
		switch c := in.text[in.b]; c {
		case in.delimiter:
			in.step()
			return true
		case '\n', '\r':
			in.newline()
			return false
		default:
			at := in.here()
			r := in.step()
			at.char[1] = in.char
			t.character(r, at)
		}
	}
	return false
}

// closed reports whether the quote at the reader's place is closed anywhere after it.
func (in *records) closed() bool {
	for b := in.b + 1; ; b += 2 {
		n := strings.IndexByte(in.text[b:], '"')
		if n < 0 {
			return false
		}
		if b += n; b+1 == len(in.text) || in.text[b+1] != '"' {
			return true
		}
	}
}

// quoted reads a quoted cell to its closing quote.
func (in *records) quoted(t *csvTable) {
	in.step()
	for in.b < len(in.text) {
		at := in.here()
		switch c := in.text[in.b]; {
		case c == '"':
			in.step()
			if in.b == len(in.text) || in.text[in.b] != '"' {
				return
			}
			in.step()
			at.char[1] = in.char
			t.character('"', at)
		case c == '\n' || c == '\r':
			in.newline()
			at.char[1] = in.char
			t.character('\n', at)
		default:
			r := in.step()
			at.char[1] = in.char
			t.character(r, at)
		}
	}
}

// step takes one character.
func (in *records) step() rune {
	r, size := utf8.DecodeRuneInString(in.text[in.b:])
	in.b += size
	in.char++
	return r
}

// newline takes one line end: LF, CR LF or CR.
func (in *records) newline() {
	if in.step() == '\r' && in.b < len(in.text) && in.text[in.b] == '\n' {
		in.step()
	}
	in.line++
}
