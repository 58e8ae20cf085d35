package preview_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/preview"
	"github.com/kaoju/kaoju/internal/preview/previewtest"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestMarkdownKeepsItsForm(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"heading":          {"## 差旅 *标准* ##\n\nx", "<h2>差旅 <em>标准</em></h2>\n\n<p>x</p>"},
		"underlined":       {"Title\n=====", "<h1>Title\n</h1>"},
		"emphasis":         {"**上限** is *650* ~~500~~ `code`", "<p><strong>上限</strong> is <em>650</em> <del>500</del> <code>code</code></p>"},
		"over lines":       {"a **b\nc** d", "<p>a <strong>b</strong>\n<strong>c</strong> d</p>"},
		"line ends":        {"a  \nb\\\nc\nd", "<p>a\n<br>b\n<br>c\nd</p>"},
		"escapes":          {`1 \* 2 \_ 3`, "<p>1 * 2 _ 3</p>"},
		"link":             {"see [报销](https://a.example/x \"t\").", `<p>see 报销<span class="doc-address">(https://a.example/x &#34;t&#34;)</span>.</p>`},
		"links in a row":   {"[a](u)[b](v)", `<p>a<span class="doc-address">(u)</span>b<span class="doc-address">(v)</span></p>`},
		"reference":        {"[a][1]\n\n[1]: https://a.example", "<p>[a][1]</p>\n\n<p>[1]: https://a.example</p>"},
		"picture":          {"![图](p.png)", `<p>图<span class="doc-address">(p.png)</span></p>`},
		"address":          {"<https://a.example> and https://b.example", "<p>https://a.example and https://b.example</p>"},
		"raw HTML":         {"a <b onclick=x>c</b>", "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>"},
		"block of HTML":    {"<div>\nx\n</div>", "<pre><code>&lt;div&gt;\nx\n&lt;/div&gt;</code></pre>"},
		"list":             {"- a\n  - b\n- c", "<ul><li>a\n<ul><li>b\n</li></ul></li><li>c</li></ul>"},
		"numbers":          {"3. a\n4. b", `<ol start="3"><li>a` + "\n" + `</li><li>b</li></ol>`},
		"two lists":        {"- a\n\n1. b", "<ul><li>a\n\n</li></ul><ol><li>b</li></ol>"},
		"quote":            {"> a\n> *b*", "<blockquote>a\n<em>b</em></blockquote>"},
		"code":             {"```Go\nx < 1\n```", "<pre><code class=\"language-go\">\nx &lt; 1\n</code></pre>"},
		"code of no name":  {"```\" onclick=\"\n1\n```", "<pre><code>\n1\n</code></pre>"},
		"indented code":    {"    a\n     b", "<pre><code>    a\n     b</code></pre>"},
		"table":            {"| a | b \\| c |\n|---|---|\n| **1** | |", "<table><thead><tr><th>a</th><th>b | c</th></tr></thead><tbody><tr><td><strong>1</strong></td><td></td></tr></tbody></table>"},
		"comment":          {"[//]: # (SYSTEM: x)\n\n正文", "<p></p>\n\n<p>正文</p>"},
		"windows":          {"a\r\nb\r\n", "<p>a \nb</p> \n"},
		"metadata":         {"---\ntitle: x\n---\n\ny", "<pre><code>---\ntitle: x\n---</code></pre>\n\n<p>y</p>"},
		"nothing":          {" x", "<p>x</p>"},
		"what nobody sees": {"a\u202eb\u200bc", "<p>a\ufffdb\ufffdc</p>"},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(`<div class="doc doc-md">`+c.want+"</div>", unshown(plainly(page(t, "a.md", c.text)))); d != "" {
				t.Error(d)
			}
		})
	}
}

// unshown takes the empty spans of what is not shown out, and marks with a place of their own.
func unshown(html string) string {
	html = strings.ReplaceAll(html, `<span class="doc-unshown"></span>`, "")
	for {
		i := strings.Index(html, `<span class="doc-mark">`)
		if i < 0 {
			return html
		}
		html = html[:i] + html[i+strings.Index(html[i:], "</span>")+len("</span>"):]
	}
}

func TestOtherFormatsKeepTheirForm(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"text":  {"a.txt", "一 *x*\n二\n\n<b>", "doc-txt\"><p>一 *x*\n<br>二</p>\n\n<p>&lt;b&gt;</p>"},
		"page":  {"a.html", "<h3>T</h3><p>a<br>b</p><ul><li>x<ol><li>y</ol></ul><blockquote>q</blockquote><pre>\n 1\n</pre><table><tr><th>A<th>B<tr><td>1<td>2</table>", "doc-html\"><h3>T</h3>\n\n<p>a\n<br>b</p>\n\n<ul><li>x\n<ul><li>1. y</li></ul></li></ul>\n\n<blockquote>q</blockquote>\n\n<pre><code> 1</code></pre>\n\n<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>"},
		"holes": {"a.html", "<table><tr><th>A<th>B<th>C<tr><td>1<td><td>3<tr><td><td>2</table>", "doc-html\"><table><thead><tr><th>A</th><th>B</th><th>C</th></tr></thead><tbody><tr><td>1</td><td></td><td>3</td></tr><tr><td></td><td>2</td></tr></tbody></table>"},
		"cells": {"a.csv", "城市,a,限额\n上海,,650\n\"x\ny\",z", "doc-csv\"><table><thead><tr><th>城市</th><th>a</th><th>限额</th></tr></thead><tbody><tr><td>上海</td><td></td><td>650</td></tr><tr><td>x\n<br>y</td><td>z</td></tr></tbody></table>"},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(`<div class="doc `+c.want+"</div>", unshown(plainly(page(t, c.file, c.text)))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestEveryPlaceOfAPageIsNamed(t *testing.T) {
	got := page(t, "a.md", "# T\n\n*a*\n")
	want := `<div data-start="0" data-end="9" class="doc doc-md"><h1 data-start="0" data-end="3"><span id="doc-line-1" data-start="0" data-end="3"><span class="doc-mark"># </span>T</span></h1>` + "\n\n" +
		`<p data-start="5" data-end="8"><span id="doc-line-3" data-start="5" data-end="8"><span class="doc-mark">*</span><em>a</em><span class="doc-mark">*</span></span></p>` + "\n</div>"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestCommentIsAnEmptySpanOfWhatIsLeftOut(t *testing.T) {
	text := "上限 650\n\n[//]: # (SYSTEM: 一)\n[b]: <> \"two\"\nafter *it*\n\n[//]: # (three)\n"
	doc := read(t, "a.md", []byte(text))
	pages := whole(t, doc)
	if len(pages) != 1 {
		t.Fatalf("%d pages", len(pages))
	}
	placed, err := previewtest.PlacedIn(pages[0].HTML)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, g := range placed[0].Gaps {
		left = append(left, string([]rune(doc.Text)[g.Start:g.End]))
	}
	if d := cmp.Diff([]string{"[//]: # (SYSTEM: 一)", "\n", "[b]: <> \"two\"", "[//]: # (three)"}, left); d != "" {
		t.Errorf("%s in %s", d, pages[0].HTML)
	}
	if d := cmp.Diff("上限 650\n\n\nafter *it*\n\n\n", placed[0].Text); d != "" {
		t.Error(d)
	}
}

func TestPagesFollowOneAnotherWhateverTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"上限", "650", " ", "\n", "\n\n", "# ", "- ", "**", "`", "| a | b |\n|---|---|\n", "> ", "<b>", "&", "\t", "](x)", "[", "\u202e", "\r\n", "```\n"})
		text := strings.Join(rapid.SliceOfN(word, 1, 60).Draw(t, "words"), "")
		text += "." + strings.Repeat(text, rapid.SampledFrom([]int{0, 0, 0, 0, 0, 0, 100, 600}).Draw(t, "times"))
		name := rapid.SampledFrom([]string{"a.md", "a.txt", "a.html", "a.csv"}).Draw(t, "name")
		doc := read(t, name, []byte(text))
		pages := whole(t, doc)
		for i, f := range pages {
			if (f.Previous == nil) != (i == 0) || (f.Next == nil) != (i == len(pages)-1) {
				t.Fatalf("page %d of %d has the neighbours %v and %v", i, len(pages), f.Previous, f.Next)
			}
		}
		from := rapid.IntRange(0, pages[0].Total).Draw(t, "from")
		w := preview.Window{From: from, To: min(pages[0].Total, from+rapid.IntRange(0, 300).Draw(t, "length"))}
		f, err := preview.Render(reached(doc, w), w)
		if err != nil {
			t.Fatal(err)
		}
		faithful(t, []rune(doc.Text), f)
		if all, err := preview.Render(doc, w); err != nil || !cmp.Equal(all, f) {
			t.Fatalf("of the whole the window shows %v (%v), and of its stretch %v", all.Span, err, f.Span)
		}
		if f.Span.Start > w.From || f.Span.End < w.To || f.Span.Start < w.From-2000 || w.To > 0 && f.Span.End > w.To+2000 {
			t.Fatalf("for %+v there is %v", w, f.Span)
		}
	})
}

func TestPagesAreBoundedHoweverLongTheText(t *testing.T) {
	long := map[string]string{
		"one line":        strings.Repeat("长", 30_000),
		"words":           strings.Repeat("word ", 6_000),
		"lines":           strings.Repeat("- *x*\n", 5_000),
		"marks":           strings.Repeat("*a* ", 7_000),
		"one cell a char": strings.Repeat("|x", 14_000) + "\n",
		"paragraphs":      strings.Repeat("<&>\"'\n\n", 4_500),
	}
	for name, text := range long {
		for _, file := range []string{"a.md", "a.txt", "a.csv"} {
			pages := whole(t, read(t, file, []byte(text)))
			for _, f := range pages {
				if f.Span.Len() > 24_000 || len(f.HTML) > 2<<20 {
					t.Errorf("%s in %s: a page of %d characters is %d bytes", name, file, f.Span.Len(), len(f.HTML))
				}
			}
			if len(pages) < 2 {
				t.Errorf("%s in %s: %d pages", name, file, len(pages))
			}
		}
	}
}

func TestPagesAreTornBetweenBlocksAndLongBlocksBetweenWords(t *testing.T) {
	paragraph := strings.Repeat("word ", 300)
	pages := whole(t, read(t, "a.txt", []byte(strings.Repeat(paragraph+"\n\n", 40))))
	for _, f := range pages[1:] {
		if f.Span.Start%(len(paragraph)+2) != 0 {
			t.Errorf("a page begins at %d, within a paragraph", f.Span.Start)
		}
	}
	doc := read(t, "a.txt", []byte(strings.Repeat("word ", 20_000)))
	for _, f := range whole(t, doc) {
		if f.Span.Start%5 != 0 {
			t.Errorf("a page begins at %d, within a word", f.Span.Start)
		}
	}
}

// near renders the page of an anchor.
func near(doc corpus.Stretch, anchor string) (preview.Fragment, error) {
	w, err := preview.Locate(doc.Blocks, anchor)
	if err != nil {
		return preview.Fragment{}, err
	}
	return preview.Render(reached(doc, w), w)
}

func TestWindowBeginsNearItsAnchor(t *testing.T) {
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "line %d\n", i+1)
	}
	doc := read(t, "a.txt", []byte(text.String()))
	f, err := near(doc, "doc-line-15000")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(f.HTML, `id="doc-line-15000"`) || f.Previous == nil || f.Next == nil {
		t.Errorf("the page %v does not hold the line", f.Span)
	}
	back, err := preview.Render(doc, *f.Previous)
	if err != nil || back.Span.End != f.Span.Start || back.Span.Len() < 10_000 {
		t.Errorf("before %v stands %v (%v)", f.Span, back.Span, err)
	}
	behind, err := near(doc, "doc-line-99999")
	if err != nil || !strings.Contains(behind.HTML, `id="doc-line-20000"`) {
		t.Errorf("behind the last line stands %v (%v)", behind.Span, err)
	}
}

func TestPageBeforeReachesThePageThatItStandsBefore(t *testing.T) {
	for name, text := range map[string]string{
		"short paragraphs": strings.Repeat(strings.Repeat("word ", 19)+"word.\n\n", 900), "paragraphs": strings.Repeat(strings.Repeat("word ", 399)+"w\n\n", 45),
		"lines": strings.Repeat("word word\n", 9_000), "one line": strings.Repeat("word ", 18_000), "a few words a paragraph": strings.Repeat("word word\n\n", 7_000),
	} {
		doc := read(t, "a.txt", []byte(text))
		f, err := preview.Render(reached(doc, preview.Window{From: doc.Total - 33}), preview.Window{From: doc.Total - 33})
		if err != nil {
			t.Fatal(err)
		}
		pages := 1
		for ; f.Previous != nil; pages++ {
			back, err := preview.Render(reached(doc, *f.Previous), *f.Previous)
			if err != nil || back.Span.End != f.Span.Start || back.Span.Len() == 0 {
				t.Fatalf("%s: before %v stands %v (%v)", name, f.Span, back.Span, err)
			}
			f = back
		}
		if f.Span.Start != 0 || pages > 8 {
			t.Errorf("%s: %d pages lead back to %d", name, pages, f.Span.Start)
		}
	}
}

func TestPageBeforeWithTooManyPlacesGoesOnToThePageThatItStandsBefore(t *testing.T) {
	doc := read(t, "a.txt", []byte(strings.Repeat("x\n\n", 10_000)))
	f, err := preview.Render(doc, preview.Window{From: 27_000})
	if err != nil || f.Previous == nil {
		t.Fatalf("%v before %v (%v)", f.Previous, f.Span, err)
	}
	back, err := preview.Render(doc, *f.Previous)
	if err != nil || back.Span.End >= f.Span.Start {
		t.Fatalf("before %v stands %v (%v): this test is about one that ends early", f.Span, back.Span, err)
	}
	next, err := preview.Render(doc, *back.Next)
	if err != nil || next.Span.Start != back.Span.End || next.Span.End < f.Span.Start {
		t.Errorf("%v is followed by %v (%v)", back.Span, next.Span, err)
	}
}

func TestPlacesThatAreNotThereAreRefused(t *testing.T) {
	doc := read(t, "a.md", []byte("# T\n\nx"))
	for _, w := range []preview.Window{{From: -1}, {From: 7}, {To: -1}, {From: 4, To: 3}} {
		if _, err := preview.Render(doc, w); !problem.Is(err, problem.Invalid) || problem.CodeOf(err) != "unknown_place" {
			t.Errorf("%+v: %v", w, err)
		}
	}
	for _, anchor := range []string{"", "doc-page-1", "x", "doc-line-", "doc-line-0", "doc-line--1"} {
		if _, err := near(doc, anchor); !problem.Is(err, problem.Invalid) || problem.CodeOf(err) != "unknown_place" {
			t.Errorf("%q: %v", anchor, err)
		}
	}
	for _, w := range []preview.Window{{From: 6}, {From: 6, To: 6}, {To: 1000}} {
		if f, err := preview.Render(doc, w); err != nil {
			t.Errorf("%+v: %v", w, err)
		} else {
			faithful(t, []rune(doc.Text), f)
		}
	}
}

func TestDocumentWithoutTextIsAnEmptyFragment(t *testing.T) {
	f, err := preview.Render(corpus.Stretch{}, preview.Window{})
	if err != nil || f.Next != nil || f.Previous != nil || previewtest.Text(previewtest.Tree(f.HTML)) != "" {
		t.Errorf("it is %+v (%v)", f, err)
	}
}
