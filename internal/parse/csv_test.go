package parse_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
)

func TestCSVRows(t *testing.T) {
	for _, c := range []struct {
		name, file, source string
		want               []string
	}{
		{"commas", "a.csv", "型号,备注\nK-1,a\nK-2,b\n", []string{"table_head: 型号 | 备注", "table_row: K-1 | a", "table_row: K-2 | b"}},
		{"semicolons with decimal commas", "a.csv", "x;y\n1,5;2,5\n3,5;4,5\n", []string{"table_head: x | y", "table_row: 1,5 | 2,5", "table_row: 3,5 | 4,5"}},
		{"tabs", "a.tsv", "x\ty\n1, 2\t3\n", []string{"table_head: x | y", "table_row: 1, 2 | 3"}},
		{"bars", "a.csv", "x|y\n1|2", []string{"table_head: x | y", "table_row: 1 | 2"}},
		{"one column", "a.csv", "Industry\nAccounting/Finance\nSales", []string{"table_head: Industry", "table_row: Accounting/Finance", "table_row: Sales"}},
		{"quotes", "a.csv", "\"a,b\",\"c\"\"d\"\n\"e\nf\",g\n", []string{"table_head: a,b | c\"d", "table_row: e\nf | g"}},
		{"mark before a quote", "a.csv", "\ufeff\"a,\nb\",c\r\nd,e\r\n", []string{"table_head: a,\nb | c", "table_row: d | e"}},
		{"text after a quote", "a.csv", "a,b\n\"c\" d,e\nf \"g\" h,i\n", []string{"table_head: a | b", "table_row: c d | e", "table_row: f \"g\" h | i"}},
		{"quote that is never closed", "a.csv", "a,b\nc,\"d\ne,f\n", []string{"table_head: a | b", "table_row: c | \"d", "table_row: e | f"}},
		{"short and long rows", "a.csv", "a,b,c\nd\ne,f,g,h\n", []string{"table_head: a | b | c", "table_row: d", "table_row: e | f | g | h"}},
		{"empty cells", "a.csv", "a,b,c\n,,d\ne,,\n\" \",f,\n,,\n", []string{"table_head: a | b | c", "table_row: | | d", "table_row: e", "table_row: | f"}},
		{"empty lines", "a.csv", "\na,b\n\nc,d\n\n", []string{"table_head: a | b", "table_row: c | d"}},
		{"a delimiter that the file names", "a.csv", "sep=;\r\na,x;b\r\n1,5;2\r\n", []string{"table_head: a,x | b", "table_row: 1,5 | 2"}},
		{"a delimiter that it names in quotes", "a.csv", "\"SEP=|\"\na|b\n", []string{"table_head: a | b"}},
		{"a tab that it names", "a.csv", "sep=\t\na,1\tb,2\n", []string{"table_head: a,1 | b,2"}},
		{"a cell that begins as if it named one", "a.csv", "sep=,x\n1,2\n", []string{"table_head: sep= | x", "table_row: 1 | 2"}},
		{"nothing but a delimiter", "a.csv", "sep=,", []string{"table_head: sep="}},
		{"carriage returns", "a.csv", "a,b\rc,d\r", []string{"table_head: a | b", "table_row: c | d"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustParse(t, c.file, c.source)
			if diff := cmp.Diff(c.want, shown(r)); diff != "" {
				t.Error(diff)
			}
			checkParsed(t, parse.File{Name: c.file, Data: []byte(c.source)}, r)
		})
	}
}

func TestCSVPlaces(t *testing.T) {
	source := "\ufeff\"型号,\n规格\",备注\r\n\r\n\"K-1\",\"a\r\nb\"\r\nK-2,,c\r\n"
	r := mustParse(t, "a.csv", source)
	got := []corpus.CSVLocator{}
	for _, b := range r.Parsed.Blocks {
		for _, s := range b.Segments {
			got = append(got, s.Locator.(corpus.CSVLocator))
		}
	}
	want := []corpus.CSVLocator{
		{Row: 1, Col: 1, Range: "A1", Line: 1, LineEnd: 2, Char: [2]int{1, 7}},
		{Row: 1, Col: 2, Range: "B1", Line: 2, Char: [2]int{9, 11}},
		{Row: 3, Col: 1, Header: "型号, 规格", Range: "A3", Line: 4, Char: [2]int{16, 19}},
		{Row: 3, Col: 2, Header: "备注", Range: "B3", Line: 4, LineEnd: 5, Char: [2]int{22, 26}},
		{Row: 4, Col: 1, Header: "型号, 规格", Range: "A4", Line: 6, Char: [2]int{29, 32}},
		{Row: 4, Col: 3, Range: "C4", Line: 6, Char: [2]int{34, 35}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRowsKnowTheirHeader(t *testing.T) {
	r := mustParse(t, "a.csv", "\n\na,b\nc,d\n")
	if r.Parsed.Blocks[0].Head != -1 || r.Parsed.Blocks[1].Head != 0 {
		t.Errorf("the heads are %d and %d", r.Parsed.Blocks[0].Head, r.Parsed.Blocks[1].Head)
	}
	if l := r.Parsed.Blocks[1].Segments[1].Locator.(corpus.CSVLocator); l.Header != "b" || l.Row != 4 || l.Range != "B4" {
		t.Errorf("the second cell is at %+v", l)
	}
}

// tidy is how a cell is expected to be rendered: line ends as LF, no white space around.
func tidy(cell string) string {
	cell = strings.ReplaceAll(strings.ReplaceAll(cell, "\r\n", "\n"), "\r", "\n")
	return strings.TrimFunc(cell, unicode.IsSpace)
}

func TestCellsAreThoseOfTheStandardLibrary(t *testing.T) {
	value := rapid.StringOfN(rapid.SampledFrom([]rune("ab字,;|\t\" \n𠮷x1")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(2, 5).Draw(t, "columns")
		rows := rapid.SliceOfN(rapid.SliceOfN(value, columns, columns), 1, 8).Draw(t, "rows")
		header := make([]string, columns)
		for i := range header {
			header[i] = "h" + string(rune('a'+i))
		}
		delimiter := rapid.SampledFrom([]rune{',', ';', '\t', '|'}).Draw(t, "delimiter")
		var buf bytes.Buffer
		w := csv.NewWriter(&buf)
		w.Comma = delimiter
		w.UseCRLF = rapid.Bool().Draw(t, "crlf")
		if err := w.WriteAll(append([][]string{header}, rows...)); err != nil {
			t.Fatal(err)
		}
		if strings.Count(buf.String(), "\n") < 2 || bestOther(rows, delimiter) {
			t.Skip("another delimiter divides the cells as evenly")
		}
		f := parse.File{Name: "a.csv", Data: buf.Bytes()}
		r, err := parse.Parse(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		checkParsed(t, f, r)
		got := map[[2]int]string{}
		text := []rune(r.Parsed.Text)
		for _, b := range r.Parsed.Blocks {
			for _, s := range b.Segments {
				l := s.Locator.(corpus.CSVLocator)
				if l.Row > 1 {
					got[[2]int{l.Row, l.Col}] += string(text[s.Span.Start:s.Span.End])
					if l.Header != header[l.Col-1] || l.Range != string(rune('A'+l.Col-1))+strconv.Itoa(l.Row) {
						t.Fatalf("the place is %+v", l)
					}
				}
			}
		}
		want := map[[2]int]string{}
		for i, row := range rows {
			for j, cell := range row {
				if cell = tidy(cell); cell != "" {
					want[[2]int{i + 2, j + 1}] = cell
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: %s", buf.String(), diff)
		}
	})
}

// bestOther reports whether the cells hold so many other delimiters that telling them apart is a
// matter of chance.
func bestOther(rows [][]string, delimiter rune) bool {
	for _, other := range ",;\t|" {
		n := 0
		for _, row := range rows {
			n += strings.Count(strings.Join(row, ""), string(other))
		}
		if other != delimiter && n >= len(rows) {
			return true
		}
	}
	return false
}
