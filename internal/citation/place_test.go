package citation

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
)

// policy is evidence of two paragraphs on lines 5 and 7 of a Markdown file.
func policy() Evidence {
	place := func(line, from, to int) corpus.Segment {
		return corpus.Segment{
			Span:    corpus.Span{Start: from, End: to},
			Locator: corpus.TextLocator{Format: "md", Heading: []string{"住宿"}, Line: line, Char: [2]int{from, to}},
		}
	}
	return Evidence{
		Ref: "S1", Span: corpus.Span{Start: 100, End: 123}, Excerpt: "上海 650 元。北京 600 元。\n\n广州另行通知。",
		Segments: []corpus.Segment{place(5, 100, 118), place(7, 120, 127)},
	}
}

func TestQuoteHasItsExactPlace(t *testing.T) {
	tests := []struct {
		text string
		want Quote
		ok   bool
	}{
		{"北京 600 元。", Quote{"北京 600 元。", corpus.Span{Start: 109, End: 118},
			corpus.TextLocator{Format: "md", Heading: []string{"住宿"}, Line: 5, Char: [2]int{109, 118}}}, true},
		{"北京  600\n元。", Quote{"北京 600 元。", corpus.Span{Start: 109, End: 118},
			corpus.TextLocator{Format: "md", Heading: []string{"住宿"}, Line: 5, Char: [2]int{109, 118}}}, true},
		{"元。 广州另行", Quote{"元。\n\n广州另行", corpus.Span{Start: 116, End: 124},
			corpus.TextLocator{Format: "md", Heading: []string{"住宿"}, Line: 5, LineEnd: 7, Char: [2]int{116, 124}}}, true},
		{"深圳", Quote{}, false},
		{" ", Quote{}, false},
	}
	for _, tt := range tests {
		got, ok := policy().Place(tt.text)
		if diff := cmp.Diff(tt.want, got); diff != "" || ok != tt.ok {
			t.Errorf("Place(%q): %v %s", tt.text, ok, diff)
		}
	}
}

func TestQuotesOfASourceAreInOrderAndOnce(t *testing.T) {
	checks := []Check{
		{Labels: []string{"S1"}, Quote: "广州另行通知。"}, {Labels: []string{"S2"}, Quote: "北京 600 元。"},
		{Labels: []string{"S1", "S2"}, Quote: "上海 650 元。"}, {Labels: []string{"S1"}, Quote: "上海 650 元。"}, {Labels: []string{"S1"}},
	}
	var got []string
	for _, q := range policy().Quotes(checks) {
		got = append(got, q.Text)
	}
	if diff := cmp.Diff([]string{"上海 650 元。", "广州另行通知。"}, got); diff != "" {
		t.Error(diff)
	}
}
