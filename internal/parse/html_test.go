package parse_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
)

func TestHTMLBlocks(t *testing.T) {
	for _, c := range []struct {
		name, source string
		want         []string
	}{
		{"inline elements are one run", "<p>A<b>B</b><i>C</i> d\n <span>e</span></p>", []string{"paragraph: ABC d e"}},
		{"blocks are apart", "<div>alpha</div><div>beta</div>gamma<p>delta", []string{
			"paragraph: alpha", "paragraph: beta", "paragraph: gamma", "paragraph: delta",
		}},
		{"line breaks", "a<br>b<br/>c<br><br>d", []string{"paragraph: a\nb\nc", "paragraph: d"}},
		{"headings", "<h1>T</h1><h3>U <em>v</em></h3>x<h2><div>W</div><div>X</div></h2>", []string{
			"heading 1: T", "heading 3: U v", "paragraph: x", "heading 2: W X",
		}},
		{"paragraph in a heading", "<h2><p>T</p></h2><p>a", []string{"heading 2: T", "paragraph: a"}},
		{"heading that is not closed", "<h2>T<p>a</p>b", []string{"heading 2: T", "paragraph: a", "paragraph: b"}},
		{"heading closed by another's end", "<h2>T</h3>a", []string{"heading 2: T", "paragraph: a"}},
		{"lists", "<ul><li>a<ol><li>b</ol><li><p>c</p><p>d</p></ul>e", []string{
			"list_item 1: a", "list_item 2: 1. b", "list_item 1: c", "list_item 1: d", "paragraph: e",
		}},
		{"preformatted", "<pre>\n  x = 1\n\n\ty &lt; 2  \n</pre>z", []string{"code:   x = 1\n\n\ty < 2", "paragraph: z"}},
		{"quotes", "<blockquote><p>a</p>b</blockquote>", []string{"quote: a", "quote: b"}},
		{"definitions", "<dl><dt>a<dd>b<dt>c<dd>d</dl>", []string{"paragraph: a", "paragraph: b", "paragraph: c", "paragraph: d"}},
		{"data table", "<table><caption>C</caption><tr><th>a<th>b<tr><td>1<td><p>2</p><p>3</p><tr><td>&nbsp;<td>4<tr><td>5<td></table>", []string{
			"paragraph: C", "table_head: a | b", "table_row: 1 | 2 3", "table_row: | 4", "table_row: 5",
		}},
		{"two header rows", "<table><thead><tr><td>a<td>b<tr><td>c<td>d<tbody><tr><th>e<td>f</table>", []string{
			"table_head: a | b\nc | d", "table_row: e | f",
		}},
		{"layout table", "<table><tr><td><h2>n</h2><p>a<p>b</table><table><tr><td>x<td><table><tr><td>1<td>2</table></table>", []string{
			"paragraph: n", "paragraph: a", "paragraph: b", "paragraph: x", "table_row: 1 | 2",
		}},
		{"table for presentation", "<table role=presentation><tr><td>a<td>b</table>", []string{"paragraph: a", "paragraph: b"}},
		{"nested data table", "<table><tr><th>a<th>b<tr><td>c<td><table><tr><td>1<td>2</table></table>d", []string{
			"table_head: a | b", "table_row: c | 1 2", "paragraph: d",
		}},
		{"never displayed", "a<script>b</script><style>c</style><template><p>d</p></template><noscript>e</noscript><iframe>f</iframe>g" +
			"<svg><title>h</title><text>i</text></svg><!-- j --><textarea>k</textarea>", []string{"paragraph: agi k"}},
		{"hidden", "<p hidden>a</p><p style='color:red; DISPLAY : none !important'>b</p><span style=visibility:hidden>c</span>d" +
			"<dialog>e</dialog><dialog open>f</dialog>", []string{"paragraph: d", "paragraph: f"}},
		{"hidden by the page's style", "<style>/* .v{display:none} */ p.h, #i{display:none}.s{display:none}.s{display:block}" +
			"@media print{.m{display:none}} .a .b{display:none}</style><p class='x h'>a<p id=i>b<p class=s>c<p class=m>d<p class=b>e<p class=v>f", []string{
			"paragraph: c", "paragraph: d", "paragraph: e", "paragraph: f",
		}},
		{"hidden by its place or colour", "<style>.o{position:absolute;left:-9999px}.k{position: absolute; clip: rect(0, 0, 0, 0)}.b{position:absolute;left:-9999px}.b{position:static}" +
			".n{display:none}.n{color:red}.w{left:-9999px}</style><p class=o>a<p class=k>b<p class=b>c<p class=n>d<p class=w>e<p style='text-indent:-9999px'>f" +
			"<p style='text-indent:-2em'>g<p style='color:#fff;background:white'>h<p style='color:#fff;background:#000'>i<p style='color:transparent'>j<p style='background:#fff'>k" +
			"<p style='position:absolute;left:-50%'>l<p style='position:relative;top:-10px'>m<p style='visibility:collapse'>n<p style='position:fixed;top:-1000em'>o", []string{
			"paragraph: c", "paragraph: e", "paragraph: g", "paragraph: i", "paragraph: k", "paragraph: l", "paragraph: m",
		}},
		{"letters of no size", "a<span style='font-size:0'>b</span><span style='opacity: 0.0'>c</span><div style='font-size:0px'><p style='font-size:12px'>d</p></div>" +
			"<style>.f{opacity:0}</style><p class=f>e<p style='opacity:0.5;font-size:10px'>f", []string{"paragraph: a", "paragraph: d", "paragraph: e", "paragraph: f"}},
		{"frame of the page", "<nav>a</nav><header>b</header><aside>c</aside><main><aside>d</aside><article><footer>e</footer></article></main>" +
			"<footer>f</footer><div role=navigation>g</div>", []string{"paragraph: b", "paragraph: d", "paragraph: e"}},
		{"nothing but the frame", "<nav>a</nav><footer>b</footer>", []string{"paragraph: a", "paragraph: b"}},
		{"references", "&lt;&amp;&#20013;&#x6587;&hellip;&ampx &notit; &copy &nosuch; &#0; AT&T &NotEqualTilde;", []string{
			"paragraph: <&中文…&x ¬it; © &nosuch; \ufffd AT&T ≂̸",
		}},
		{"wrong nesting", "<b><p>a</b>b</p></div>c</span><table><tr><td>d</div>e</table>f", []string{
			"paragraph: ab", "paragraph: c", "paragraph: de", "paragraph: f",
		}},
		{"form", "<label>a</label><button>b</button><button>c</button><select><option>d<option>e</select>", []string{"paragraph: a b c d e"}},
		{"text alone", "no tags at all\n\nand more", []string{"paragraph: no tags at all and more"}},
		{"line ends", "<pre>a\r\nb\rc</pre>", []string{"code: a\nb\nc"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustParse(t, "a.html", c.source)
			if diff := cmp.Diff(c.want, shown(r)); diff != "" {
				t.Error(diff)
			}
			checkParsed(t, parse.File{Name: "a.html", Data: []byte(c.source)}, r)
		})
	}
}

func TestHTMLPlaces(t *testing.T) {
	source := "<!DOCTYPE html>\n<html><head><title> The\n title </title></head><body>\n<div>\n<p>一</p>\n<p>two\n<b>&gt;3</b></p></div>\n" +
		"<h1>章</h1><ul><li>x<li>y</ul>\n<table><tr><td>c<td>d</table><pre>\ncode</pre>"
	r := mustParse(t, "a.html", source)
	if r.Parsed.Title != "The title" {
		t.Errorf("the title is %q", r.Parsed.Title)
	}
	got := []corpus.TextLocator{}
	for _, b := range r.Parsed.Blocks {
		for _, s := range b.Segments {
			got = append(got, s.Locator.(corpus.TextLocator))
		}
	}
	at := func(text string) [2]int {
		start := len([]rune(source[:strings.Index(source, text)]))
		return [2]int{start, start + len([]rune(text))}
	}
	none, chapter := []string{}, []string{"章"}
	want := []corpus.TextLocator{
		{Format: "html", Heading: none, Line: 5, Char: at("一"), Element: "body[1]/div[1]/p[1]"},
		{Format: "html", Heading: none, Line: 6, LineEnd: 7, Char: at("two\n<b>&gt;3"), Element: "body[1]/div[1]/p[2]"},
		{Format: "html", Heading: chapter, Line: 8, Char: at("章"), Element: "body[1]/h1[1]"},
		{Format: "html", Heading: chapter, Line: 8, Char: at("x"), Element: "body[1]/ul[1]/li[1]"},
		{Format: "html", Heading: chapter, Line: 8, Char: [2]int{at("<li>y")[1] - 1, at("<li>y")[1]}, Element: "body[1]/ul[1]/li[2]"},
		{Format: "html", Heading: chapter, Line: 9, Char: [2]int{at("<td>c")[1] - 1, at("<td>c")[1]}, Element: "body[1]/table[1]/tbody[1]/tr[1]/td[1]"},
		{Format: "html", Heading: chapter, Line: 9, Char: [2]int{at("<td>d")[1] - 1, at("<td>d")[1]}, Element: "body[1]/table[1]/tbody[1]/tr[1]/td[2]"},
		{Format: "html", Heading: chapter, Line: 10, Char: at("code"), Element: "body[1]/pre[1]", InCode: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLongParagraphHasNarrowPlaces(t *testing.T) {
	source := "<p>" + strings.Repeat("十个字的一句话在这里。\n", 500)
	r := mustParse(t, "a.html", source)
	segments := r.Parsed.Blocks[0].Segments
	for _, s := range segments {
		l := s.Locator.(corpus.TextLocator)
		if s.Span.Len() > 300 || l.LineEnd-l.Line > 25 {
			t.Fatalf("a piece of the paragraph has %d characters on the lines %d to %d", s.Span.Len(), l.Line, l.LineEnd)
		}
	}
	if len(segments) < 15 {
		t.Errorf("there are %d pieces", len(segments))
	}
}

func TestPartOfAPlaceOpensToPartOfTheText(t *testing.T) {
	f := parse.File{Name: "a.html", Data: []byte("<p>one &amp; two <b>three</b></p><p>four</p>")}
	for _, c := range []struct {
		char [2]int
		want string
	}{
		{[2]int{3, 6}, "one"}, {[2]int{3, 16}, "one & two"}, {[2]int{7, 25}, "& two three"}, {[2]int{0, 44}, "one & two three\n\nfour"},
	} {
		got, err := parse.Resolve(context.Background(), f, corpus.TextLocator{Format: "html", Char: c.char})
		if err != nil || got != c.want {
			t.Errorf("%v opens to %q (%v), want %q", c.char, got, err, c.want)
		}
	}
}

func TestElementPathIsBounded(t *testing.T) {
	long := "<x-" + strings.Repeat("y", 300) + ">"
	r := mustParse(t, "a.html", "<div>"+long+long+"<p>a</p>"+strings.Repeat("<div>", 500)+"b")
	for _, b := range r.Parsed.Blocks {
		path := b.Segments[0].Locator.(corpus.TextLocator).Element
		if want := "body[1]/div[1]/" + strings.Trim(long, "<>") + "[1]"; path != want {
			t.Errorf("the path is %q, want %q", path, want)
		}
	}
}

// seen reads the text of a page from the tree that a full HTML parser builds, without white space.
func seen(source string) string {
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return ""
	}
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			switch n.Data {
			case "script", "style", "template", "noscript", "title", "iframe", "nav", "footer", "aside", "object", "canvas", "video", "audio":
				return
			}
			for _, a := range n.Attr {
				if a.Key == "hidden" || a.Key == "style" && strings.Contains(a.Val, "none") || a.Key == "role" && a.Val == "navigation" {
					return
				}
			}
		}
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(doc)
	return squeezed(b.String())
}

// squeezed leaves out what stands between words and cells.
func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '|' {
			return -1
		}
		return r
	}, s)
}

// Tables are left out: the other parser moves text that is at a wrong place in one before it.
func TestHTMLTextIsThatOfAFullParser(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"a", "字", " ", "\n", "&amp;", "&#x4e2d;", "&lt", "<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<i>", "</i>", "<h1>", "</h1>", "<h2>", "</h2>",
		"<ul>", "<li>", "</li>", "</ul>", "<br>", "<hr>", "<pre>", "</pre>", "<span hidden>x</span>", "<span>", "</span>", "<script>x</script>", "<!--c-->",
		"<nav>n</nav>", "<p hidden>h</p>", "<td>", "<tr><td>", "</td></tr></table>", "<th>", "<blockquote>", "</blockquote>",
		"<title>t</title>", "<dl><dt>", "<dd>", "</dl>", "<a href='x>y'>", "</a>", "<img alt=\"q\">", "<style>.z{}</style>",
	})
	rapid.Check(t, func(t *rapid.T) {
		source := "<body>" + strings.Join(rapid.SliceOfN(piece, 1, 20).Draw(t, "pieces"), "")
		got := squeezed(mustParse(t, "a.html", source).Parsed.Text)
		if want := seen(source); got != want && want != "" {
			t.Fatalf("%q: read %q, want %q", source, got, want)
		}
	})
}

// listed are numbers of lists, which the other parser does not count.
var listed = regexp.MustCompile(`(?m)^[0-9]+\. `)

func TestTextOfRealPagesIsThatOfAFullParser(t *testing.T) {
	dir := sharedData(t)
	for _, r := range records(t, dir) {
		if r.Format != "html" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(r.File)))
		if err != nil {
			t.Fatal(err)
		}
		if r.Encoding != "utf-8" {
			continue
		}
		got, want := squeezed(listed.ReplaceAllString(mustParse(t, "a.html", string(data)).Parsed.Text, "")), seen(string(data))
		if len(want) == 0 {
			t.Errorf("%s: the other parser reads nothing", r.File)
			continue
		}
		if share := float64(len(got)) / float64(len(want)); share < 0.97 || share > 1.03 {
			t.Errorf("%s: %d bytes of text, where a full parser reads %d", r.File, len(got), len(want))
		}
	}
}

func TestAPageOfXMLEndsItsEmptyElements(t *testing.T) {
	const page = `<head><title/><script src="x.js"/></head><body><div hidden="hidden"/><p>Text <![CDATA[<b>]]>.</p></body></html>`
	for name, want := range map[string]string{"a.xhtml": "Text <b>.", "a.html": ""} {
		if r := mustParse(t, name, "<html>"+page); r.Parsed.Text != want {
			t.Errorf("%s is %q, want %q", name, r.Parsed.Text, want)
		}
	}
	if r := mustParse(t, "a.html", `<?xml version="1.0"?><html>`+page); r.Parsed.Text != "Text <b>." {
		t.Errorf("with the first words of XML it is %q", r.Parsed.Text)
	}
}

func TestAFrameOfAPageOfXMLIsLeftOutAsOfAnyOther(t *testing.T) {
	if r := mustParse(t, "a.xhtml", `<html><body><nav>N</nav><aside>A</aside><p>Text.</p><footer>F</footer></body></html>`); r.Parsed.Text != "Text." {
		t.Errorf("it is %q", r.Parsed.Text)
	}
}
