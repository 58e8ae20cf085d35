package citation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
)

// table makes evidence of separated values as they are read: "cell | cell" a record, each cell a
// segment. The first record is row 1, the header; skip leaves out that many records at the top.
func table(skip int, records ...[]string) citation.Evidence {
	e := citation.Evidence{Ref: "S1"}
	at := 40 // where the excerpt begins in its document
	e.Span.Start = at
	var text []string
	for i, cells := range records {
		if i < skip {
			continue
		}
		for j, c := range cells {
			n := len([]rune(c))
			loc := corpus.CSVLocator{Row: i + 1, Col: j + 1, Range: corpus.Cell(j+1, i+1), Line: i + 1, Char: [2]int{at, at + n}}
			if i > 0 {
				loc.Header = records[0][j]
			}
			e.Segments = append(e.Segments, corpus.Segment{Span: corpus.Span{Start: at, End: at + n}, Locator: loc})
			at += n + len(" | ")
		}
		at += len("\n") - len(" | ")
		text = append(text, strings.Join(cells, " | "))
	}
	e.Excerpt = strings.Join(text, "\n")
	e.Span.End = e.Span.Start + len([]rune(e.Excerpt))
	e.Locator = corpus.Cover(e.Segments)
	return e
}

var limits = [][]string{
	{"城市", "住宿上限", "备注"}, {"上海", "650元", "含早餐"}, {"北京", "700元", "含早餐"}, {"广州", "600元", "不含税"}, {"广州", "60元", "停车费"}, {"上海", "65元", "停车费\n按天"},
}

func TestRowOfATableIsQuotedNotTheTable(t *testing.T) {
	for _, c := range []struct {
		sentence string
		verdict  citation.Verdict
		quote    string
		rng      string
		row      int
	}{
		{"上海的住宿上限是650元。", citation.Supported, "上海 | 650元 | 含早餐", "A2:C2", 2},
		{"广州的住宿上限为600元，不含税。", citation.Supported, "广州 | 600元 | 不含税", "A4:C4", 4},
		{"广州 60元 停车费", citation.Supported, "广州 | 60元 | 停车费", "A5:C5", 5},
		{"上海停车费按天65元", citation.Supported, "上海 | 65元 | 停车费\n按天", "A6:C6", 6},
		{"北京的住宿上限是900元。", citation.Contradicted, "北京 | 700元 | 含早餐", "A3:C3", 3},
	} {
		e := table(0, limits...)
		check := citation.Verify(citation.Answer{Text: c.sentence + "[S1]"}, []citation.Evidence{e})[0]
		if check.Verdict != c.verdict || check.Quote != c.quote {
			t.Errorf("%s: %s by %s with %q", c.sentence, check.Verdict, check.DecidedBy, check.Quote)
			continue
		}
		q, ok := e.Place(check.Quote)
		loc, isCSV := q.Locator.(corpus.CSVLocator)
		if !ok || !isCSV || loc.Row != c.row || loc.RowEnd != 0 || loc.Range != c.rng || q.Text != c.quote {
			t.Errorf("%s: %q lies at %+v, %v", c.sentence, q.Text, q.Locator, ok)
		}
	}
}

// TestRecordIsNotTakenForThePartOfAnother places a record that an earlier one begins with.
func TestRecordIsNotTakenForThePartOfAnother(t *testing.T) {
	e := table(0, []string{"城市", "上限"}, []string{"上海", "650"}, []string{"上海", "65"})
	q, ok := e.Place("上海 | 65")
	if loc, _ := q.Locator.(corpus.CSVLocator); !ok || loc.Row != 3 || loc.Range != "A3:B3" || q.Text != "上海 | 65" {
		t.Errorf("%q at %+v", q.Text, q.Locator)
	}
	if q, ok := e.Place("650"); !ok || q.Locator.(corpus.CSVLocator).Range != "B2" {
		t.Errorf("a cell is placed at %+v", q.Locator)
	}
}

func TestNeighbouringRecordsAreQuotedTogether(t *testing.T) {
	e := table(0, limits...)
	check := citation.Verify(citation.Answer{Text: "上海含早餐为650元，北京含早餐为700元，广州不含税为600元。[S1]"}, []citation.Evidence{e})[0]
	q, ok := e.Place(check.Quote)
	if want := "上海 | 650元 | 含早餐\n北京 | 700元 | 含早餐\n广州 | 600元 | 不含税"; check.Verdict != citation.Supported || check.Quote != want || !ok {
		t.Fatalf("%s by %s with %q", check.Verdict, check.DecidedBy, check.Quote)
	}
	if loc := q.Locator.(corpus.CSVLocator); loc.Row != 2 || loc.RowEnd != 4 || loc.Range != "A2:C4" {
		t.Errorf("the records lie at %+v", loc)
	}
}

// TestColumnNamesCountForEveryRecord reads a later part of a table, whose header stands in the
// context.
func TestColumnNamesCountForEveryRecord(t *testing.T) {
	e := table(3, limits...)
	e.Context = "城市 | 住宿上限 | 备注\n"
	check := citation.Verify(citation.Answer{Text: "广州的住宿上限是600元。[S1]"}, []citation.Evidence{e})[0]
	if check.Verdict != citation.Supported || check.Quote != "广州 | 600元 | 不含税" {
		t.Errorf("%s by %s with %q", check.Verdict, check.DecidedBy, check.Quote)
	}
	// Stored evidence of which only the kind is known is taken by lines.
	bare := citation.Evidence{Ref: "S1", Excerpt: e.Excerpt, Locator: corpus.CSVLocator{Row: 4, RowEnd: 5}, Context: e.Context}
	check = citation.Verify(citation.Answer{Text: "广州的住宿上限是600元。[S1]"}, []citation.Evidence{bare})[0]
	if check.Quote != "广州 | 600元 | 不含税" {
		t.Errorf("by lines: %s with %q", check.Verdict, check.Quote)
	}
}

func TestHeaderAloneIsStillASource(t *testing.T) {
	e := table(0, limits[0])
	check := citation.Verify(citation.Answer{Text: "城市，住宿上限，备注 [S1]"}, []citation.Evidence{e})[0]
	if check.Quote != "城市 | 住宿上限 | 备注" {
		t.Errorf("%s with %q", check.Verdict, check.Quote)
	}
}

func TestFragmentIsAtMostPartlySupported(t *testing.T) {
	const excerpt = "# 差旅制度\n\n版本 2.1。上海住宿上限为每晚650元。\n\n## Travel rules\n\nThe limit is 650 yuan. See form A-7."
	for sentence, want := range map[string]citation.Verdict{
		"制度 2.1。":    citation.Partly, // the word and the number stand in different sentences
		"版本 2.1。":    citation.Supported,
		"650。":       citation.Partly,
		"650 元。":     citation.Partly,
		"上限 650 元。":  citation.Supported,
		"制度。":        citation.Partly,
		"差旅制度。":      citation.Supported, // two words
		"Travel.":    citation.Partly,
		"A-7.":       citation.Partly,
		"Form A-7.":  citation.Supported,
		"limit, 650": citation.Supported,
	} {
		check := citation.Verify(citation.Answer{Text: sentence + "[S1]"}, []citation.Evidence{{Ref: "S1", Excerpt: excerpt}})[0]
		if check.Verdict != want {
			t.Errorf("%s: %s by %s with %q, want %s", sentence, check.Verdict, check.DecidedBy, check.Quote, want)
		}
	}
}

func TestRecordsCoverTheExcerptInOrder(t *testing.T) {
	e := table(0, limits...)
	var got []string
	for _, row := range limits[1:] {
		q, ok := e.Place(strings.Join(row, " | "))
		if !ok {
			t.Fatalf("%v is not placed", row)
		}
		got = append(got, q.Locator.(corpus.CSVLocator).Range)
	}
	if diff := cmp.Diff([]string{"A2:C2", "A3:C3", "A4:C4", "A5:C5", "A6:C6"}, got); diff != "" {
		t.Error(diff)
	}
}
