package parse_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
)

func mustParse(t fataler, name, data string) parse.Result {
	t.Helper()
	r, err := parse.Parse(context.Background(), parse.File{Name: name, Data: []byte(data)})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// shown writes each block as "kind level: text".
func shown(r parse.Result) []string {
	text := []rune(r.Parsed.Text)
	out := []string{}
	for _, b := range r.Parsed.Blocks {
		kind := string(b.Kind)
		if b.Level > 0 {
			kind += fmt.Sprint(" ", b.Level)
		}
		out = append(out, kind+": "+string(text[b.Span.Start:b.Span.End]))
	}
	return out
}

func TestMarkdownBlocks(t *testing.T) {
	for _, c := range []struct {
		name, source string
		want         []string
	}{
		{"headings", "# A\n\nB\n===\n\nC\nD\n---\n####### no\n#no\n", []string{
			"heading 1: # A", "heading 1: B\n===", "heading 2: C\nD\n---", "paragraph: ####### no\n#no",
		}},
		{"paragraph interrupted", "a\nb\n# H\nc\n> q\nlazy\n\nd\n***\ne\n", []string{
			"paragraph: a\nb", "heading 1: # H", "paragraph: c", "quote: > q\nlazy", "paragraph: d", "paragraph: ***", "paragraph: e",
		}},
		{"lists", "- a\n  b\n- c\n\t- d\n\t\t- e\n\n  more of c\n1. f\n2) g\n10. h\n", []string{
			"list_item 1: - a\n  b", "list_item 1: - c", "list_item 2: \t- d", "list_item 3: \t\t- e",
			"paragraph:   more of c", "list_item 1: 1. f", "list_item 1: 2) g", "list_item 1: 10. h",
		}},
		{"number that is no list", "In the year\n1986. A year\nand\n1. one\n", []string{
			"paragraph: In the year\n1986. A year\nand", "list_item 1: 1. one",
		}},
		{"items on one line", "- - a\n- 1. b\n", []string{"list_item 2: - - a", "list_item 2: - 1. b"}},
		{"fences", "```go\na\n\n# b\n~~~\n```\nc\n~~~~\nd\n~~~\n", []string{
			"code: ```go\na\n\n# b\n~~~\n```", "paragraph: c", "code: ~~~~\nd\n~~~",
		}},
		{"fence in a list", "- a\n  ```\n  # b\n\n  c\n  ```\n  d\n- e\n  ```\nf\n", []string{
			"list_item 1: - a", "code:   ```\n  # b\n\n  c\n  ```", "paragraph:   d", "list_item 1: - e", "code:   ```", "paragraph: f",
		}},
		{"inline code is no fence", "```a``` b\n", []string{"paragraph: ```a``` b"}},
		{"indented code", "a\n\n    b\n\n    # c\nd\n", []string{"paragraph: a", "code:     b\n\n    # c", "paragraph: d"}},
		{"tables", "a\n| x | y |\n|---|:-:|\n| 1 | 2 |\n| 3 \\| 4 | 5 |\n\nb | c\n--- | ---\nd | e\n# f\n", []string{
			"paragraph: a", "table_head: | x | y |\n|---|:-:|", "table_row: | 1 | 2 |", "table_row: | 3 \\| 4 | 5 |",
			"table_head: b | c\n--- | ---", "table_row: d | e", "heading 1: # f",
		}},
		{"no table", "| a | b |\n|---|\n\nx\n--- | ---\n", []string{"paragraph: | a | b |\n|---|", "paragraph: x\n--- | ---"}},
		{"raw HTML", "<div>\n# a\n</div>\n\n<!-- b\n\n# c -->\nd\n<span>e</span>\n", []string{
			"paragraph: <div>\n# a\n</div>", "paragraph: <!-- b\n\n# c -->", "paragraph: d\n<span>e</span>",
		}},
		{"quotes", "> a\n>\n> b\n> ```\n>\n> # c\n> ```\n", []string{"quote: > a\n>", "quote: > b\n> ```\n>\n> # c\n> ```"}},
		{"front matter", "---\ntitle: \"T\"\nx: 1\n---\n# A\n", []string{"paragraph: ---\ntitle: \"T\"\nx: 1\n---", "heading 1: # A"}},
		{"rule at the beginning", "---\n\na\n", []string{"paragraph: ---", "paragraph: a"}},
		{"CR LF and CR", "# A\r\n\r\nb\r\nc\r\rd", []string{"heading 1: # A", "paragraph: b\r\nc", "paragraph: d"}},
		{"headings inside others", "- # a\n\n> # b\n\nc\n", []string{"list_item 1: - # a", "quote: > # b", "paragraph: c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustParse(t, "a.md", c.source)
			if diff := cmp.Diff(c.want, shown(r)); diff != "" {
				t.Error(diff)
			}
			checkParsed(t, parse.File{Name: "a.md", Data: []byte(c.source)}, r)
		})
	}
}

func TestMarkdownHeadingPathsCarryNoMarkup(t *testing.T) {
	source := "# **Root** `x*y` #\n\n## [24/7 *支持*](http://a.example/b \"t\")\n\n#### ![logo](l.png) A &amp; B \\# c {#id .x}\n\na\n\n" +
		"## <a name=x></a>手册 &gt; <https://b.example>\n\nb\n\nTwo *lines*\nof it\n-----\n\nc\n"
	r := mustParse(t, "a.md", source)
	got := map[string][]string{}
	text := []rune(r.Parsed.Text)
	for _, b := range r.Parsed.Blocks {
		if b.Kind == corpus.Paragraph {
			got[string(text[b.Span.Start:b.Span.End])] = b.HeadingPath
			l := b.Segments[0].Locator.(corpus.TextLocator)
			if diff := cmp.Diff(b.HeadingPath, l.Heading); diff != "" {
				t.Errorf("block and locator differ: %s", diff)
			}
		}
	}
	want := map[string][]string{
		"a": {"Root x*y", "24/7 支持", "logo A & B # c"},
		"b": {"Root x*y", "手册 > https://b.example"},
		"c": {"Root x*y", "Two lines of it"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if r.Parsed.Title != "Root x*y" {
		t.Errorf("the title is %q", r.Parsed.Title)
	}
}

func TestMarkdownTitle(t *testing.T) {
	for source, want := range map[string]string{
		"## a\n\n# b\n\n# c\n":               "b",
		"a\n":                                "",
		"---\ntitle: '制度'\n---\ntext\n":      "制度",
		"---\ntitle: x\n---\n# First\n":      "First",
		"---\nacl: everyone\ntext, no end\n": "",
	} {
		if got := mustParse(t, "a.md", source).Parsed.Title; got != want {
			t.Errorf("%q has the title %q, want %q", source, got, want)
		}
	}
}

func TestLongHeadingIsShortenedInPathsAlone(t *testing.T) {
	name := strings.Repeat("长", 3000)
	r := mustParse(t, "a.md", "# "+name+"\n\ntext\n")
	path := r.Parsed.Blocks[1].HeadingPath
	if n := len([]rune(path[0])); n != 256 || !strings.HasSuffix(path[0], "…") {
		t.Errorf("the path's heading has %d characters", n)
	}
	if r.Parsed.Blocks[0].Span.Len() != 3002 {
		t.Errorf("the block has %d characters", r.Parsed.Blocks[0].Span.Len())
	}
}

func TestMarkdownLocatorsAreLines(t *testing.T) {
	source := "\ufeff# 题\r\n\r\n𠮷 a\r\nb\r\n\r\n```\r\n\tc\r\n```\r\n"
	r := mustParse(t, "a.md", source)
	got := []corpus.TextLocator{}
	for _, b := range r.Parsed.Blocks {
		for _, s := range b.Segments {
			got = append(got, s.Locator.(corpus.TextLocator))
		}
	}
	path := []string{"题"}
	want := []corpus.TextLocator{
		{Format: "md", Heading: path, Line: 1, Char: [2]int{0, 3}},
		{Format: "md", Heading: path, Line: 3, Char: [2]int{7, 10}},
		{Format: "md", Heading: path, Line: 4, Char: [2]int{12, 13}},
		{Format: "md", Heading: path, Line: 6, Char: [2]int{17, 20}, InCode: true},
		{Format: "md", Heading: path, Line: 7, Char: [2]int{22, 24}, InCode: true},
		{Format: "md", Heading: path, Line: 8, Char: [2]int{26, 29}, InCode: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// outlineOf reads the headings of a document by a full CommonMark parser: those at the top level,
// with their level and first line.
func outlineOf(source []byte) []string {
	out := []string{}
	doc := goldmark.DefaultParser().Parse(text.NewReader(source))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Lines().Len() > 0 {
			line := 1 + strings.Count(string(source[:h.Lines().At(0).Start]), "\n")
			out = append(out, fmt.Sprintf("%d on line %d", h.Level, line))
		}
	}
	return out
}

func ourOutline(r parse.Result) []string {
	out := []string{}
	for _, b := range r.Parsed.Blocks {
		if b.Kind == corpus.Heading {
			text := strings.Trim(string([]rune(r.Parsed.Text)[b.Span.Start:b.Span.End]), " \t#\n\r")
			if text == "" {
				continue // the other parser gives an empty heading no line
			}
			out = append(out, fmt.Sprintf("%d on line %d", b.Level, b.Segments[0].Locator.(corpus.TextLocator).Line))
		}
	}
	return out
}

func TestHeadingsAreThoseOfCommonMark(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"# a\n", "## 乙 *c*\n", "   ### d ###\n", "    # code\n", "#no\n", "text\n", "more text\n", "\n", "\n\n", "===\n", "---\n", "***\n",
		"- item\n", "  - sub\n", "  inside\n", "  # in item\n", "1. one\n", "> quote\n", "> # in quote\n", "```\n", "~~~ x\n", "    indented\n",
		"<div>\n", "</div>\n", "<!-- c\n", "-->\n", "<b>\n", "\ttab\n", "+ plus\n", "- ```\n", "-\n", "10) ten\n", "<script>\n", "</script>\n",
	})
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOfN(piece, 1, 14).Draw(t, "pieces"), "")
		if strings.HasPrefix(source, "---\n") {
			t.Skip("front matter is no CommonMark")
		}
		want, got := outlineOf([]byte(source)), ourOutline(mustParse(t, "a.md", source))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: %s", source, diff)
		}
	})
}

func TestHeadingsOfRealDocumentsAreThoseOfCommonMark(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(sharedData(t), "md", "*.md"))
	if len(files) == 0 {
		t.Fatal("there are no Markdown documents")
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		source := strings.TrimPrefix(string(data), "\ufeff")
		if diff := cmp.Diff(outlineOf([]byte(source)), ourOutline(mustParse(t, "a.md", source))); diff != "" {
			t.Errorf("%s: %s", filepath.Base(name), diff)
		}
	}
}
