package corpus_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

// drawMail draws the segments of a message in the order in which they stand there.
func drawMail(t *rapid.T) []corpus.Segment {
	var out []corpus.Segment
	add := func(l corpus.EMLLocator) {
		l.Heading = drawHeading(t, "heading")
		at := 3 * len(out)
		out = append(out, corpus.Segment{Span: corpus.Span{Start: at, End: at + 2}, Locator: l})
	}
	for _, field := range []string{"Subject", "From", "Date"} {
		if rapid.Bool().Draw(t, field) {
			add(corpus.EMLLocator{Header: field})
		}
	}
	for _, part := range []string{"1", "2.1", "2.2"} {
		l := corpus.EMLLocator{Part: part, ContentType: rapid.SampledFrom([]string{"text/plain", "text/html"}).Draw(t, "type")}
		if part == "2.2" {
			l.Attachment = "计划.txt"
		}
		line, char := 0, 0
		for range rapid.IntRange(0, 4).Draw(t, "lines") {
			line += rapid.IntRange(1, 3).Draw(t, "down")
			l.Line, l.LineEnd, l.Char = line, 0, [2]int{char, char + 5}
			if rapid.Bool().Draw(t, "long") {
				line++
				l.LineEnd = line
			}
			if l.ContentType == "text/html" {
				l.Element = rapid.SampledFrom([]string{"body[1]/p[1]", "body[1]/div[1]/p[1]"}).Draw(t, "element")
			}
			char += 6
			add(l)
		}
	}
	if len(out) == 0 {
		add(corpus.EMLLocator{Header: "Subject"})
	}
	return out
}

func TestAPlaceInAMessageSurvivesJSONAndItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawMail(t)
		a, b := rapid.SampledFrom(all).Draw(t, "a").Locator, rapid.SampledFrom(all).Draw(t, "b").Locator
		survivesJSON(t, a)
		survivesJSON(t, a.Through(b))
		if d := cmp.Diff(a, a.Through(a)); d != "" {
			t.Fatalf("through itself: %s", d)
		}
		if d := cmp.Diff(a.Through(b), a.Through(b).Through(b)); d != "" {
			t.Fatalf("through its end again: %s", d)
		}
		if pdf := (corpus.PDFLocator{Page: 1}); !cmp.Equal(a, a.Through(pdf)) || !cmp.Equal(corpus.Locator(pdf), pdf.Through(a)) {
			t.Fatal("places of different kinds were joined")
		}
	})
}

func TestAStretchOfAMessageIsFoundAgainByItsPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawMail(t)
		from := rapid.IntRange(0, len(all)-1).Draw(t, "from")
		to := rapid.IntRange(from, len(all)-1).Draw(t, "to")
		place := corpus.Cover(all[from : to+1])
		span, ok := corpus.Find(all, place)
		if want := (corpus.Span{Start: all[from].Span.Start, End: all[to].Span.End}); !ok || span != want {
			t.Fatalf("%+v is found at %v (%v), want %v", place, span, ok, want)
		}
	})
}

func TestAPlaceInAMessageIsOneFlatObjectWithTheNamesOfTheContract(t *testing.T) {
	for want, l := range map[string]corpus.EMLLocator{
		`{"kind":"eml","heading":[],"header":"Subject"}`:                                                                                {Heading: []string{}, Header: "Subject"},
		`{"kind":"eml","heading":["F"],"part":"2.1","content_type":"text/plain","attachment":"a.txt","line":2,"char":[3,9]}`:            {Heading: []string{"F"}, Part: "2.1", ContentType: "text/plain", Attachment: "a.txt", Line: 2, Char: [2]int{3, 9}},
		`{"kind":"eml","heading":[],"part":"1","content_type":"text/html","line":1,"line_end":4,"char":[0,9],"element":"body[1]/p[1]"}`: {Heading: []string{}, Part: "1", ContentType: "text/html", Line: 1, LineEnd: 4, Char: [2]int{0, 9}, Element: "body[1]/p[1]"},
		`{"kind":"eml","heading":[],"header":"From","char":[0,9],"line_end":4,"part_end":"1"}`:                                          {Heading: []string{}, Header: "From", Char: [2]int{0, 9}, LineEnd: 4, PartEnd: "1"},
	} {
		back, err := corpus.ParseLocator([]byte(want))
		if err != nil || !cmp.Equal(corpus.Locator(l), back) {
			t.Errorf("%s was read as %+v, %v", want, back, err)
		}
		var a, b any
		raw, err := json.Marshal(l)
		if err != nil || json.Unmarshal(raw, &a) != nil || json.Unmarshal([]byte(want), &b) != nil || !cmp.Equal(a, b) {
			t.Errorf("got %s, %v, want %s", raw, err, want)
		}
	}
	if l, err := corpus.ParseLocator([]byte(`{"kind":"eml","page":3}`)); err == nil {
		t.Errorf("a page of a message was read as %+v", l)
	}
}

func TestTheLineOfAMessageIsNarrowedAndItsHeaderIsNot(t *testing.T) {
	text := []rune("差旅政策")
	whole := corpus.Span{Start: 0, End: 4}
	line := corpus.EMLLocator{Part: "1", Line: 7, Char: [2]int{50, 54}}
	head := corpus.EMLLocator{Header: "Subject"}
	got := corpus.Narrow(text, 0, []corpus.Segment{{Span: whole, Locator: line}}, corpus.Span{Start: 1, End: 3})
	want := line
	want.Char = [2]int{51, 53}
	if d := cmp.Diff([]corpus.Segment{{Span: corpus.Span{Start: 1, End: 3}, Locator: want}}, got); d != "" {
		t.Error(d)
	}
	got = corpus.Narrow(text, 0, []corpus.Segment{{Span: whole, Locator: head}}, corpus.Span{Start: 1, End: 3})
	if d := cmp.Diff([]corpus.Segment{{Span: whole, Locator: head}}, got); d != "" {
		t.Error(d)
	}
}

func TestTextsBesideAMessageAreStrandsOfTheirOwn(t *testing.T) {
	for want, all := range map[string][]corpus.EMLLocator{
		"":             {{Header: "Subject"}, {Part: "1", Line: 3}, {Part: "3", Attachment: "a.txt"}},
		"attachment 3": {{Part: "3", Attachment: "a.txt", Line: 1}},
	} {
		for _, l := range all {
			if got := corpus.Strand(l); got != want {
				t.Errorf("%+v is in the strand %q, want %q", l, got, want)
			}
		}
	}
	if first, last := corpus.Numbers(corpus.EMLLocator{Part: "1", Line: 3, LineEnd: 5}); first != 3 || last != 5 {
		t.Errorf("lines %d to %d", first, last)
	}
	if first, last := corpus.Numbers(corpus.EMLLocator{Header: "From", PartEnd: "1", LineEnd: 4}); first+last != 0 {
		t.Errorf("a place from the header on has the lines %d to %d", first, last)
	}
	if n := corpus.NameBytes(corpus.EMLLocator{Heading: []string{"ab"}, Attachment: "abc", ContentType: "x/y", Element: "e"}); n != 9 {
		t.Errorf("the names have %d bytes", n)
	}
}
