package corpus_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

func drawText(t *rapid.T, label string) corpus.TextLocator {
	line, char := rapid.IntRange(1, 50).Draw(t, label+" line"), rapid.IntRange(0, 900).Draw(t, label+" char")
	l := corpus.TextLocator{
		Format:  rapid.SampledFrom([]string{"md", "html", "txt"}).Draw(t, label+" format"),
		Heading: rapid.SliceOfN(rapid.SampledFrom([]string{"差旅", "Hotel", "a/b", `"`}), 0, 3).Draw(t, label+" heading"),
		Line:    line, Char: [2]int{char, char + rapid.IntRange(0, 90).Draw(t, label+" length")},
		Element: rapid.SampledFrom([]string{"", "body[1]", "body[1]/div[2]", "body[1]/div[2]/p[1]", "body[1]/div[20]/p[1]"}).Draw(t, label+" element"),
		InCode:  rapid.Bool().Draw(t, label+" code"),
	}
	if n := rapid.IntRange(0, 5).Draw(t, label+" lines"); n > 0 {
		l.LineEnd = line + n
	}
	return l
}

// drawCSV draws a record, which has column 0, or a cell.
func drawCSV(t *rapid.T, label string, leastCol int) corpus.CSVLocator {
	row, col, char := rapid.IntRange(1, 60).Draw(t, label+" row"), rapid.IntRange(leastCol, 40).Draw(t, label+" col"), rapid.IntRange(0, 900).Draw(t, label+" char")
	l := corpus.CSVLocator{Row: row, Col: col, Line: row + 3, Char: [2]int{char, char + 5}}
	if col > 0 {
		l.Header, l.Range = "价格", corpus.Cell(col, row)
	}
	return l
}

func drawLocator(t *rapid.T, label string) corpus.Locator {
	switch rapid.IntRange(0, 2).Draw(t, label+" kind") {
	case 0:
		return drawCSV(t, label, 0)
	case 1:
		return drawPDF(t, label)
	}
	return drawText(t, label)
}

func TestALocatorSurvivesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		survivesJSON(t, drawLocator(t, "place"))
	})
}

// survivesJSON sends a place through JSON, alone and in a list of segments.
func survivesJSON(t *rapid.T, l corpus.Locator) {
	raw, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	back, err := corpus.ParseLocator(raw)
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	if d := cmp.Diff(l, back); d != "" {
		t.Fatalf("%s: %s", raw, d)
	}
	s := corpus.Segment{Span: corpus.Span{Start: 3, End: 8}, Locator: l}
	raw, err = json.Marshal([]corpus.Segment{s})
	if err != nil {
		t.Fatal(err)
	}
	var segments []corpus.Segment
	if err := json.Unmarshal(raw, &segments); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	if d := cmp.Diff([]corpus.Segment{s}, segments); d != "" {
		t.Fatalf("%s: %s", raw, d)
	}
}

func TestALocatorIsOneFlatObjectWithTheNamesOfTheContract(t *testing.T) {
	for want, l := range map[string]corpus.Locator{
		`{"kind":"md","heading":["A","B"],"line":3,"line_end":5,"char":[10,20],"in_code":true}`:                   corpus.TextLocator{Format: "md", Heading: []string{"A", "B"}, Line: 3, LineEnd: 5, Char: [2]int{10, 20}, InCode: true},
		`{"kind":"html","heading":[],"line":1,"char":[0,4],"element":"body[1]/p[1]"}`:                             corpus.TextLocator{Format: "html", Heading: []string{}, Line: 1, Char: [2]int{0, 4}, Element: "body[1]/p[1]"},
		`{"kind":"txt","heading":[],"line":1,"char":[0,4]}`:                                                       corpus.TextLocator{Format: "txt", Heading: []string{}, Line: 1, Char: [2]int{0, 4}},
		`{"kind":"csv","row":2,"col":3,"header":"H","range":"C2","line":2,"char":[5,9]}`:                          corpus.CSVLocator{Row: 2, Col: 3, Header: "H", Range: "C2", Line: 2, Char: [2]int{5, 9}},
		`{"kind":"csv","row":2,"row_end":4,"range":"A2:C4","line":2,"line_end":6,"char":[5,99]}`:                  corpus.CSVLocator{Row: 2, RowEnd: 4, Range: "A2:C4", Line: 2, LineEnd: 6, Char: [2]int{5, 99}},
		`{"kind":"pdf","page":3,"boxes":[[1,2,9,30]],"page_size":[600,800],"turn":3}`:                             corpus.PDFLocator{Page: 3, Boxes: []corpus.Box{{1, 2, 9, 30}}, PageSize: [2]float32{600, 800}, Turn: 3},
		`{"kind":"pdf","page":3,"page_end":4,"page_label":"iii","boxes":[[1.5,2,30,12]],"page_size":[595.3,842]}`: corpus.PDFLocator{Page: 3, PageEnd: 4, PageLabel: "iii", Boxes: []corpus.Box{{1.5, 2, 30, 12}}, PageSize: [2]float32{595.3, 842}},
	} {
		if raw, err := json.Marshal(l); err != nil || string(raw) != want {
			t.Errorf("got %s, %v, want %s", raw, err, want)
		}
		if back, err := corpus.ParseLocator([]byte(want)); err != nil || !cmp.Equal(l, back) || back.Kind() != l.Kind() {
			t.Errorf("%s was read as %+v, %v", want, back, err)
		}
	}
}

func TestWhatIsNoLocatorIsRefused(t *testing.T) {
	for _, raw := range []string{
		``, `null`, `{}`, `[]`, `"md"`, `7`, `{"kind":"tape"}`, `{"kind":"pdf","line":3}`, `{"kind":"pdf","boxes":[1]}`, `{"kind":"pdf","page":"3"}`, `{"kind":""}`, `{"kind":7}`, `{"kind":"md","page":3}`, `{"kind":"csv","heading":["A"]}`,
		`{"kind":"md","line":"3"}`, `{"kind":"csv","row":1.5}`, `{"kind":"md"`, `{"kind":"MD"}`,
	} {
		if l, err := corpus.ParseLocator([]byte(raw)); !problem.Is(err, problem.Invalid) || problem.CodeOf(err) != "invalid_locator" || l != nil {
			t.Errorf("%q was read as %+v, %v", raw, l, err)
		}
	}
	var s corpus.Segment
	for _, raw := range []string{`{"span":{"start":1,"end":2}}`, `{"span":{"start":1,"end":2},"locator":{"kind":"tape"}}`, `[]`} {
		if err := json.Unmarshal([]byte(raw), &s); err == nil {
			t.Errorf("%s was read as a segment", raw)
		}
	}
}

func TestThroughCoversBothPlacesOfAText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawText(t, "first"), drawText(t, "last")
		b.Format = a.Format
		b.Line, b.Char[0] = max(a.Line, b.Line), max(a.Char[0], b.Char[0])
		if b.LineEnd != 0 {
			b.LineEnd = max(b.LineEnd, b.Line+1)
		}
		b.Char[1] = max(b.Char[0], b.Char[1])
		got, ok := a.Through(b).(corpus.TextLocator)
		if !ok || got.Format != a.Format || got.Line != a.Line || got.Char[0] != a.Char[0] {
			t.Fatalf("it does not begin where %+v does: %+v", a, got)
		}
		last := func(l corpus.TextLocator) int { return max(l.Line, l.LineEnd) }
		if last(got) != max(last(a), last(b)) || got.Char[1] != max(a.Char[1], b.Char[1]) || got.LineEnd == got.Line {
			t.Fatalf("%+v through %+v is %+v", a, b, got)
		}
		if got.InCode != (a.InCode && b.InCode) {
			t.Fatalf("in code: %v and %v became %v", a.InCode, b.InCode, got.InCode)
		}
		for _, l := range []corpus.TextLocator{a, b} {
			if got.Element != "" && l.Element != got.Element && !strings.HasPrefix(l.Element, got.Element+"/") {
				t.Fatalf("the element %q does not hold %q", got.Element, l.Element)
			}
		}
		if d := cmp.Diff(corpus.Locator(a), a.Through(a)); d != "" {
			t.Fatalf("through itself: %s", d)
		}
	})
}

func TestThroughOfElementsStopsAtWholeSteps(t *testing.T) {
	for _, c := range [][3]string{
		{"body[1]/p[1]", "body[1]/p[2]", "body[1]"}, {"body[1]/p[1]", "body[1]/p[10]", "body[1]"}, {"body[1]/p[1]", "body[1]/p[1]", "body[1]/p[1]"},
		{"body[1]", "body[1]/p[1]", "body[1]"}, {"a[1]", "b[1]", ""}, {"", "b[1]", ""},
	} {
		got := corpus.TextLocator{Format: "html", Line: 1, Element: c[0]}.Through(corpus.TextLocator{Format: "html", Line: 2, Element: c[1]})
		if e := got.(corpus.TextLocator).Element; e != c[2] {
			t.Errorf("%q through %q is %q, want %q", c[0], c[1], e, c[2])
		}
	}
}

// inside reports whether a cell lies in a range of A1 notation, by the letters themselves.
func inside(t *rapid.T, rng string, col, row int) bool {
	first, last, ok := strings.Cut(rng, ":")
	if !ok {
		last = first
	}
	read := func(cell string) (c, r int) {
		for _, x := range cell {
			if x >= 'A' && x <= 'Z' {
				c = c*26 + int(x-'A'+1)
			} else {
				r = r*10 + int(x-'0')
			}
		}
		return c, r
	}
	c1, r1 := read(first)
	c2, r2 := read(last)
	if c1 > c2 || r1 > r2 {
		t.Fatalf("the range %q is turned around", rng)
	}
	return c1 <= col && col <= c2 && r1 <= row && row <= r2
}

func TestThroughCoversBothCellsOfATable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawCSV(t, "first", 1), drawCSV(t, "last", 1) // a record has no range of its own
		b.Row, b.Line = max(a.Row, b.Row), max(a.Line, b.Line)
		b.Range, b.Char = corpus.Cell(b.Col, b.Row), [2]int{max(a.Char[0], b.Char[0]), max(a.Char[1], b.Char[1])}
		got := a.Through(b).(corpus.CSVLocator)
		if got.Row != a.Row || max(got.Row, got.RowEnd) != b.Row || got.Line != a.Line || max(got.Line, got.LineEnd) != b.Line || got.Char != [2]int{a.Char[0], b.Char[1]} {
			t.Fatalf("%+v through %+v is %+v", a, b, got)
		}
		if !inside(t, got.Range, a.Col, a.Row) || !inside(t, got.Range, b.Col, b.Row) {
			t.Fatalf("%s through %s is %s", a.Range, b.Range, got.Range)
		}
		if same := a.Col == b.Col; (got.Col != 0) != same || (got.Header != "") != same {
			t.Fatalf("columns %d and %d became %d %q", a.Col, b.Col, got.Col, got.Header)
		}
	})
}

func TestPlacesOfDifferentKindsAreNotJoined(t *testing.T) {
	md, txt, csv := corpus.TextLocator{Format: "md", Line: 1}, corpus.TextLocator{Format: "txt", Line: 2}, corpus.CSVLocator{Row: 3}
	pdf := corpus.PDFLocator{Page: 2, Boxes: []corpus.Box{{1, 1, 2, 2}}}
	for _, c := range [][2]corpus.Locator{{md, pdf}, {pdf, md}, {pdf, nil}, {md, txt}, {md, csv}, {csv, md}, {md, nil}, {csv, nil}} {
		if d := cmp.Diff(c[0], c[0].Through(c[1])); d != "" {
			t.Errorf("%v through %v: %s", c[0], c[1], d)
		}
	}
}

func TestCellsCountTheirColumnsLikeASpreadsheet(t *testing.T) {
	for want, c := range map[string][2]int{"A1": {1, 1}, "Z9": {26, 9}, "AA10": {27, 10}, "AZ1": {52, 1}, "BA1": {53, 1}, "ZZ1": {702, 1}, "AAA1": {703, 1}, "XFD1048576": {16384, 1048576}} {
		if got := corpus.Cell(c[0], c[1]); got != want {
			t.Errorf("%v is %s, want %s", c, got, want)
		}
	}
}

func TestCoverJoinsAllSegments(t *testing.T) {
	if corpus.Cover(nil) != nil {
		t.Error("nothing has a place")
	}
	line := func(n int) corpus.Segment {
		return corpus.Segment{Span: corpus.Span{Start: n * 10, End: n*10 + 9}, Locator: corpus.TextLocator{Format: "txt", Line: n, Char: [2]int{n * 10, n*10 + 9}}}
	}
	want := corpus.TextLocator{Format: "txt", Line: 1, LineEnd: 3, Char: [2]int{10, 39}}
	if d := cmp.Diff(corpus.Locator(want), corpus.Cover([]corpus.Segment{line(1), line(2), line(3)})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(line(2).Locator, corpus.Cover([]corpus.Segment{line(2)})); d != "" {
		t.Error(d)
	}
}

func TestWithinReturnsTheSegmentsThatOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var segments []corpus.Segment
		at := 0
		for i := range rapid.IntRange(0, 8).Draw(t, "segments") {
			at += rapid.IntRange(0, 3).Draw(t, "gap")
			end := at + rapid.IntRange(0, 5).Draw(t, "length")
			segments = append(segments, corpus.Segment{Span: corpus.Span{Start: at, End: end}, Locator: corpus.CSVLocator{Row: i + 1}})
			at = end
		}
		start := rapid.IntRange(0, 40).Draw(t, "start")
		span := corpus.Span{Start: start, End: start + rapid.IntRange(0, 20).Draw(t, "span")}
		var want []corpus.Segment
		for _, s := range segments {
			shared := false
			for i := s.Span.Start; i < s.Span.End; i++ {
				shared = shared || i >= span.Start && i < span.End
			}
			if shared {
				want = append(want, s)
			}
		}
		if d := cmp.Diff(want, corpus.Within(segments, span)); d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzParseLocator(f *testing.F) {
	for _, s := range []string{
		`{"kind":"md","heading":["A"],"line":3,"line_end":5,"char":[10,20],"in_code":true}`, `{"kind":"html","element":"p[1]"}`,
		`{"kind":"csv","row":2,"col":3,"range":"C2:D9"}`, `{"kind":"pdf","page":1,"boxes":[[0,0,1,1],[2,0,3,1]],"page_size":[9,9]}`, `{"kind":"csv","KIND":"md"}`, `{"kind":"md"} x`, `null`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, err := corpus.ParseLocator(raw)
		if err != nil {
			return
		}
		again, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		back, err := corpus.ParseLocator(again)
		if err != nil || !cmp.Equal(l, back) {
			t.Fatalf("%q became %s, then %+v, %v", raw, again, back, err)
		}
		l.Through(back)
	})
}
