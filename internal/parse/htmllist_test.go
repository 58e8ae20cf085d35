package parse_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
)

func TestNumbersOfListsAreReadAsAPageShowsThem(t *testing.T) {
	for name, c := range map[string]struct {
		page string
		want string // lines of the text that are not empty
	}{
		"from one":               {`<ol><li>a<li>b</ol>c`, "1. a/2. b/c"},
		"from a start":           {`<ol start=7><li>a<li>b</ol>`, "7. a/8. b"},
		"by its own value":       {`<ol><li>a<li value="5">b<li>c</ol>`, "1. a/5. b/6. c"},
		"backwards":              {`<ol reversed><li>a<ul><li>x</ul><li>b<li>c</ol>`, "3. a/x/2. b/1. c"},
		"backwards from a start": {`<ol reversed start=2><li>a<li>b<li>c<li>d</ol>`, "2. a/1. b/0. c/-1. d"},
		"by letters":             {`<ol type=a start=26><li>a<li>b</ol><ol type=A><li>c</ol>`, "z. a/aa. b/A. c"},
		"in Roman":               {`<ol type=i start=4><li>a</ol><ol type=I><li>b<li type=1>c</ol>`, "iv. a/I. b/2. c"},
		"by its style":           {`<ol style="list-style-type: upper-alpha"><li>a</ol><ol style="list-style:cjk-ideographic inside"><li>b</ol>`, "A. a/一、 b"},
		"without marks":          {`<ol style="list-style:none"><li>a</ol><ul><li>b</ul>`, "a/b"},
		"that is not a number":   {`<ol start=x><li value=y>a<li value=99999999999>b</ol>`, "1. a/2. b"},
		"one in another":         {`<ol><li>a<ol><li>b<li>c</ol><li>d</ol>`, "1. a/1. b/2. c/2. d"},
		"one at once in another": {`<ol><li><ol type=a><li>b<li>c</ol><li>d</ol>`, "1. a. b/b. c/2. d"},
		"of what is not seen":    {`<ol><li>a<li hidden>b<li>c</ol>`, "1. a/2. c"},
		"of more paragraphs":     {`<ol><li><p>a</p><p>b</p><li><p>c</ol>`, "1. a/b/2. c"},
		"of a heading":           {`<ol><li><h2>Scope</h2><p>a</ol>`, "1. Scope/a"},
		"of code":                {"<ol><li><pre>x = 1</pre><li>a</ol>", "x = 1/2. a"},
		"in a cell":              {`<table><tr><th>k<th>v<tr><td>a<td><ol><li>x<li>y</ol></table>`, "k | v/a | 1. x 2. y"},
		"around a cell":          {`<ol><li>o<table><tr><th>k<th>v<tr><td>a<td>b<li>c</table></ol>`, "1. o/k | v/a | b c"},
		"without a list":         {`<li>a`, "a"},
	} {
		r := mustParse(t, "a.html", c.page).Parsed
		var lines []string
		for line := range strings.SplitSeq(r.Text, "\n") {
			if line != "" {
				lines = append(lines, line)
			}
		}
		if got := strings.Join(lines, "/"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A number stands in the text and nowhere in the file: its place is that of what it numbers.
func TestANumberOfAListIsAtThePlaceOfItsItem(t *testing.T) {
	const page = `<h1>章</h1><ol start=3><li>登记<li>检验</ol>`
	r := mustParse(t, "a.html", page).Parsed
	if r.Text != "章\n\n3. 登记\n4. 检验" {
		t.Fatalf("text %q", r.Text)
	}
	text := []rune(r.Text)
	var got []string
	for _, b := range r.Blocks[1:] {
		for _, s := range b.Segments {
			l := s.Locator.(corpus.TextLocator)
			got = append(got, string(text[b.Span.Start:b.Span.End])+": "+string(text[s.Span.Start:s.Span.End])+" = "+string([]rune(page)[l.Char[0]:l.Char[1]]))
		}
	}
	if d := cmp.Diff([]string{"3. 登记: 3. 登记 = 登记", "4. 检验: 4. 检验 = 检验"}, got); d != "" {
		t.Error(d)
	}
}
