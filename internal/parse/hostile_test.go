package parse_test

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/chunk"
)

// TestHostileInputTakesLinearTime has no clock: each input is so large that anything quadratic in
// its length would not end before the test's own deadline.
func TestHostileInputTakesLinearTime(t *testing.T) {
	const n = 300_000
	for _, c := range []struct{ name, file, data string }{
		{"one long line", "a.txt", strings.Repeat("没有标点的一行字", n/4)},
		{"one long word", "a.md", strings.Repeat("a", 4*n)},
		{"combining marks", "a.txt", "a" + strings.Repeat("\u0301", n)},
		{"white space", "a.txt", "a" + strings.Repeat(" \n", n) + "b" + strings.Repeat(" ", n) + "c"},
		{"brackets in a heading", "a.md", "# " + strings.Repeat("[a](<b", n/4)},
		{"many headings with brackets", "a.md", strings.Repeat("# [a](<b *c\n", n/50)},
		{"headings alone", "a.md", strings.Repeat("## 标题\n", n/10)},
		{"list marks on one line", "a.md", strings.Repeat("- ", n)},
		{"list that goes deeper", "a.md", deeper(700)},
		{"quote marks", "a.md", strings.Repeat(">", n) + "a\n" + strings.Repeat("> a\n", n/10)},
		{"fence of one line", "a.md", "```\n" + strings.Repeat("x", 4*n)},
		{"fence of empty lines", "a.md", "```\n" + strings.Repeat("\n", n/2) + "a\n```"},
		{"backticks", "a.md", strings.Repeat("`a``b", n/4)},
		{"wide table", "a.md", strings.Repeat("|a", n) + "\n" + strings.Repeat("|-", n) + "\n" + strings.Repeat("|b", n)},
		{"delimiter rows", "a.md", strings.Repeat("|a|\n|-|\n", n/10)},
		{"comment that is not closed", "a.md", "<!-- " + strings.Repeat("a\n", n/10)},
		{"open tags", "a.html", strings.Repeat("<b>", n)},
		{"open blocks", "a.html", strings.Repeat("<div>a", n/5)},
		{"wrong end tags", "a.html", strings.Repeat("<b><div>", 800) + strings.Repeat("</b>", n)},
		{"paragraphs in buttons", "a.html", "<p><button>" + strings.Repeat("<b>", 1500) + strings.Repeat("<div></div>", n/10)},
		{"nested tables", "a.html", strings.Repeat("<table><tr><td>a", n/20)},
		{"ampersands", "a.html", strings.Repeat("&", n) + strings.Repeat("&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", n/50)},
		{"custom elements", "a.html", strings.Repeat("<x-"+strings.Repeat("y", 200)+">a", n/200)},
		{"empty cells", "a.html", "<table><tr>" + strings.Repeat("<td>", n) + "a"},
		{"styles", "a.html", strings.Repeat("<style>.a{{{{display:none}</style>", n/50) + "b"},
		{"attributes", "a.html", "<p " + strings.Repeat("a=b ", n/4) + ">c"},
		{"white space in preformatted text", "a.html", "<pre>a" + strings.Repeat(" ", n) + "</pre>b"},
		{"quote that is not closed", "a.csv", "a,b\n" + strings.Repeat("\"x,\"\"\n", n/4)},
		{"quotes", "a.csv", strings.Repeat("\"", n+1)},
		{"wide row", "a.csv", strings.Repeat("a,", n/4) + "\n" + strings.Repeat("b,", n/4)},
		{"empty cells in a table", "a.csv", strings.Repeat(",", n) + "a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustParse(t, c.file, c.data)
			checkChunks(t, r.Parsed, chunk.Split(r.Parsed, chunk.Options{}), 900)
		})
	}
}

func deeper(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return b.String()
}
