package toolkit

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
)

// sectioned makes a text of one paragraph a heading path, with its segments.
func sectioned(parts ...struct {
	path []string
	text string
}) (string, []corpus.Segment) {
	var b strings.Builder
	var segments []corpus.Segment
	at := 0
	for i, p := range parts {
		n := len([]rune(p.text))
		segments = append(segments, corpus.Segment{
			Span:    corpus.Span{Start: at, End: at + n},
			Locator: corpus.TextLocator{Format: "md", Heading: p.path, Line: 2*i + 1, Char: [2]int{at, at + n}},
		})
		b.WriteString(p.text + "\n\n")
		at += n + 2
	}
	return b.String(), segments
}

type part = struct {
	path []string
	text string
}

func TestDefaultWindowIsTheSmallestSectionThatCanBeReadAlone(t *testing.T) {
	long := func(word string, n int) string { return strings.Repeat(word, n) }
	text, segments := sectioned(
		part{[]string{"制度"}, long("总", 100)},
		part{[]string{"制度", "住宿"}, long("住", 200)},
		part{[]string{"制度", "住宿", "上限"}, long("限", 300)},
		part{[]string{"制度", "住宿", "超标"}, long("超", 300)},
		part{[]string{"制度", "交通"}, long("交", 700)},
	)
	tests := []struct {
		name        string
		place       corpus.Span
		size        int
		first, last string // what the window begins and ends with
		none        bool
	}{
		{"a small section brings the one around it", corpus.Span{Start: 310, End: 350}, 2000, "住", "超", false},
		{"a section of its own is enough", corpus.Span{Start: 1000, End: 1010}, 2000, "交", "交", false},
		{"a place over two sections is in what they share", corpus.Span{Start: 600, End: 1000}, 2000, "总", "交", false},
		{"a section that does not fit is cut by the caller", corpus.Span{Start: 310, End: 350}, 500, "", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScript(text)
			span, ok := s.enclosing(segments, tt.place, tt.size)
			if ok == tt.none {
				t.Fatalf("found: %v, span %v", ok, span)
			}
			if tt.none {
				return
			}
			got := string(s.text[span.Start:span.End])
			if !strings.HasPrefix(got, tt.first) || !strings.HasSuffix(got, tt.last) || s.size(span) > tt.size {
				t.Errorf("the window holds %d units: %.3s … %s", s.size(span), got, got[len(got)-3:])
			}
		})
	}
}

func TestTextWithoutHeadingsHasNoSection(t *testing.T) {
	text, segments := sectioned(part{nil, "one"}, part{nil, "two"})
	if span, ok := newScript(text).enclosing(segments, corpus.Span{Start: 0, End: 3}, 2000); ok {
		t.Errorf("found %v", span)
	}
	if _, ok := newScript("x").enclosing(nil, corpus.Span{}, 2000); ok {
		t.Error("a text without segments has a section")
	}
}
