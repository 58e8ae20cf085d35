package parse_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/epub/epubtest"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
	"github.com/kaoju/kaoju/internal/problem"
)

// readBook reads a book and holds it to what every parse promises.
func readBook(t *testing.T, b epubtest.Book) parse.Result {
	t.Helper()
	f := parse.File{Name: "book.epub", Data: b.Bytes(t)}
	r, err := parse.Parse(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	checkParsed(t, f, r)
	chunks := chunk.Split(r.Parsed, chunk.Options{})
	checkChunks(t, r.Parsed, chunks, 900)
	checkCovers(t, f, chunks)
	for _, c := range chunks {
		for _, s := range c.Segments[1:] {
			if first := c.Segments[0].Locator.(corpus.EPUBLocator); s.Locator.(corpus.EPUBLocator).Spine != first.Spine {
				t.Errorf("chunk %d holds text of two pages", c.No)
			}
		}
	}
	return r
}

// lines writes a book as lines: the place in the spine of each block, its headings, and its text.
func lines(r parse.Result) []string {
	text := []rune(r.Parsed.Text)
	var out []string
	for _, b := range r.Parsed.Blocks {
		at := b.Segments[0].Locator.(corpus.EPUBLocator)
		mark := ""
		if at.Aside {
			mark = " aside"
		}
		out = append(out, string(rune('0'+at.Spine))+mark+" ["+strings.Join(b.HeadingPath, " > ")+"] "+string(text[b.Span.Start:b.Span.End]))
	}
	return out
}

func same(t *testing.T, r parse.Result, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, lines(r)); d != "" {
		t.Error(d)
	}
}

func TestABookIsReadInTheOrderOfItsSpine(t *testing.T) {
	r := readBook(t, epubtest.Book{Title: "两章", Pages: []epubtest.Page{
		{Name: "z.xhtml", Body: `<h1>第一章</h1><p>开头。</p>`},
		{Name: "notes.xhtml", Body: `<p>A remark.</p>`, Aside: true},
		{Name: "第 二%章.xhtml", Body: `<h1>第二章</h1><table><tr><th>项</th><th>价</th></tr><tr><td>甲</td><td>650</td></tr></table>`},
	}})
	same(t, r, "1 [第一章] 第一章", "1 [第一章] 开头。", "2 aside [] A remark.", "3 [第二章] 第二章", "3 [第二章] 项 | 价", "3 [第二章] 甲 | 650")
	at := r.Parsed.Blocks[1].Segments[0].Locator
	want := corpus.EPUBLocator{Spine: 1, Href: "OPS/z.xhtml", Heading: []string{"第一章"}, Char: at.(corpus.EPUBLocator).Char, Element: "body[1]/p[1]"}
	if d := cmp.Diff(corpus.Locator(want), at); d != "" {
		t.Error(d)
	}
	if last := r.Parsed.Blocks[5].Segments[0].Locator.(corpus.EPUBLocator); last.Href != "OPS/第 二%章.xhtml" || r.Parsed.Blocks[5].Head != 4 {
		t.Errorf("the row is at %+v under block %d", last, r.Parsed.Blocks[5].Head)
	}
	if r.Parsed.Title != "两章" || r.Format != "epub" || r.MediaType != "application/epub+zip" || len(r.Parsed.Notices) != 0 || r.Parsed.Language != "zh" {
		t.Errorf("it is %q, %s, %s, %v, %s", r.Parsed.Title, r.Format, r.MediaType, r.Parsed.Notices, r.Parsed.Language)
	}
}

func TestPathsBeginWithWhatTheContentsCallAChapter(t *testing.T) {
	pages := []epubtest.Page{
		{Name: "cover.xhtml", Body: `<p>Cover</p>`},
		{Name: "1.xhtml", Body: `<p>Before.</p><h2>The beginning</h2><p>One.</p>`},
		{Name: "1b.xhtml", Body: `<p>It goes on.</p><h2>Afterword</h2><p>Its own.</p>`},
		{Name: "2.xhtml", Body: `<h1>Chapter 2: Prices</h1><p>Two.</p><h2>Terms</h2><p>Net.</p>`},
		{Name: "3.xhtml", Body: `<h1 id="a">Third</h1><p>a</p><div id="b"/><p>b</p><h1 id="c">Fifth</h1><p>c</p>`},
	}
	want := []string{
		"1 [] Cover",
		"2 [Part I > Chapter 1] Before.", "2 [Part I > Chapter 1 > The beginning] The beginning", "2 [Part I > Chapter 1 > The beginning] One.",
		"3 [Part I > Chapter 1] It goes on.", "3 [Afterword] Afterword", "3 [Afterword] Its own.",
		"4 [Part I > Chapter 2: Prices] Chapter 2: Prices", "4 [Part I > Chapter 2: Prices] Two.", "4 [Part I > Chapter 2: Prices > Terms] Terms", "4 [Part I > Chapter 2: Prices > Terms] Net.",
		"5 [Third] Third", "5 [Third] a", "5 [Fourth] b", "5 [Fifth] Fifth", "5 [Fifth] c",
	}
	for name, book := range map[string]epubtest.Book{
		"of navigation": {Pages: pages, NavInSpine: false, Nav: `<ol><li><a href="1.xhtml">Part <b>I</b></a><ol><li><a href="./1.xhtml">Chapter 1</a></li><li><a href="2.xhtml#">Chapter&#160;2</a></li></ol></li>
			<li><a href="3.xhtml#a">Third</a></li><li><a href="3.xhtml#b">Fourth</a></li><li><a href="3.xhtml#c">Fifth</a></li><li><a href="3.xhtml#none">Nowhere</a></li><li><a href="http://example.org/x">Elsewhere</a></li></ol>`},
		"of an older book": {Pages: pages, NCX: `<navPoint><navLabel><text>Part I</text></navLabel><content src="1.xhtml"/><navPoint><navLabel><text>Chapter 1</text></navLabel><content src="1.xhtml"/></navPoint>
			<navPoint><navLabel><text>Chapter&nbsp;2</text></navLabel><content src="2.xhtml"/></navPoint></navPoint><navPoint><navLabel><text>Third</text></navLabel><content src="3.xhtml#a"/></navPoint>
			<navPoint><navLabel><text>Fourth</text></navLabel><content src="3.xhtml#b"/></navPoint><navPoint><navLabel><text>Fifth</text></navLabel><content src="3.xhtml#c"/></navPoint>`},
	} {
		t.Run(name, func(t *testing.T) { same(t, readBook(t, book), want...) })
	}
}

func TestOneFileWithSeveralChaptersIsNotAllOfTheFirst(t *testing.T) {
	same(t, readBook(t, epubtest.Book{
		Pages: []epubtest.Page{{Name: "all.xhtml", Body: `<h1>第一章 总则</h1><p>甲</p><h1>第二章 细则</h1><p>乙</p>`}},
		Nav:   `<ol><li><a href="all.xhtml">第一章</a></li></ol>`,
	}), "1 [第一章 总则] 第一章 总则", "1 [第一章 总则] 甲", "1 [第二章 细则] 第二章 细则", "1 [第二章 细则] 乙")
}

func TestContentsThatAreDamagedLeaveTheBookReadable(t *testing.T) {
	page := []epubtest.Page{{Name: "1.xhtml", Body: `<p>Text.</p>`}}
	same(t, readBook(t, epubtest.Book{Pages: page, Nav: `<ol><li><a href="1.xhtml">Cut &`, NCX: `<navPoint><navLabel><text>Older</text></navLabel><content src="1.xhtml"/></navPoint>`}), "1 [Older] Text.")
	same(t, readBook(t, epubtest.Book{Pages: page, Nav: `<ol><li><a href="1.xhtml">One</a></li><li>&`}), "1 [One] Text.")
	same(t, readBook(t, epubtest.Book{Pages: page, Nav: `<p>nothing</p>`}), "1 [] Text.")
}

func TestTheContentsAreNoText(t *testing.T) {
	same(t, readBook(t, epubtest.Book{
		Pages: []epubtest.Page{{Name: "1.xhtml", Body: `<h1>One</h1><p>Text.</p>`}}, Nav: `<ol><li><a href="1.xhtml">One</a></li></ol>`, NavInSpine: true,
	}), "2 [One] One", "2 [One] Text.")
}

func TestNotesOfABookAreRead(t *testing.T) {
	same(t, readBook(t, epubtest.Book{Pages: []epubtest.Page{
		{Name: "1.xhtml", Body: `<p>Claim<a epub:type="noteref" href="#n1">1</a>.</p><aside epub:type="footnote" id="n1"><p>1 The source.</p></aside><footer><p>End of chapter.</p></footer>`},
		{Name: "n.xhtml", Body: `<section epub:type="endnotes"><ol><li epub:type="endnote">尾注。</li></ol></section>`, Aside: true},
	}}), "1 [] Claim1.", "1 [] 1 The source.", "1 [] End of chapter.", "2 aside [] 1. 尾注。")
}

func TestWhatABookHidesIsLeftOut(t *testing.T) {
	book := epubtest.Book{
		Pages: []epubtest.Page{{Name: "text/1.xhtml", Body: `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><link rel="stylesheet" href="../css/a%20b.css"/><link rel="alternate stylesheet" href="../css/other.css"/><style>.own{display:none}</style></head><body>` +
			`<p class="secret">SECRET-1</p><p class="own">SECRET-2</p><p style="display: none">SECRET-3</p><p hidden="hidden">SECRET-4</p><script>SECRET-5</script><nav>SECRET-6</nav><p class="night">Seen.</p></body></html>`}},
		Parts: []ooxmltest.Part{{Name: "OPS/css/a b.css", Text: `@charset "utf-8"; .secret { display: none }`}, {Name: "OPS/css/other.css", Text: `.night{display:none}`}},
	}
	same(t, readBook(t, book), "1 [] Seen.")
}

func TestPagesAreReadAsXMLAndMendedAsHTML(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"an empty title":        {`<html><head><title/><script src="x.js"/><style/></head><body><p>Text.</p></body></html>`, "1 [] Text."},
		"an element that ends":  {`<p>One<span hidden="hidden"/> two<a id="x"/> three.</p>`, "1 [] One two three."},
		"an empty heading":      {`<h1/><p>Text.</p>`, "1 [] Text."},
		"a literal section":     {`<p>a <![CDATA[< b &amp; c]]> d</p>`, "1 [] a < b &amp; c d"},
		"a tag that is open":    {`<p>One <b>two<p>`, "1 [] One two"},
		"a lonely ampersand":    {`<p>R&D at 5 < 6</p>`, "1 [] R&D at 5 < 6"},
		"an entity of its own":  {`<html><body><p>&unknown; &nbsp;x</p></body></html>`, "1 [] &unknown; \u00a0x"},
		"an encoding it states": {"<?xml version=\"1.0\" encoding=\"gbk\"?><html><body><p>\xd6\xd0\xce\xc4\xd5\xfd\xce\xc4</p></body></html>", "1 [] 中文正文"},
	} {
		t.Run(name, func(t *testing.T) {
			same(t, readBook(t, epubtest.Book{Pages: []epubtest.Page{{Name: "1.xhtml", Body: c.body}}}), c.want)
		})
	}
}

func TestAPageThatCantBeReadIsLeftOutWithANotice(t *testing.T) {
	for name, b := range map[string]epubtest.Book{
		"missing": {Parts: []ooxmltest.Part{{Name: "OPS/2.xhtml"}}},
		"blank":   {Parts: []ooxmltest.Part{{Name: "OPS/2.xhtml"}, {Name: "OPS/2.XHTML", Text: " "}}},
		"binary":  {Parts: []ooxmltest.Part{{Name: "OPS/2.xhtml", Text: "\x89PNG\r\n\x1a\n\x00\x00"}}},
	} {
		t.Run(name, func(t *testing.T) {
			b.Pages = []epubtest.Page{{Name: "1.xhtml", Body: `<p>One.</p>`}, {Name: "2.xhtml", Body: `<p>Two.</p>`}, {Name: "3.xhtml", Body: `<p>Three.</p>`}}
			r := readBook(t, b)
			same(t, r, "1 [] One.", "3 [] Three.")
			if noted := slices.Contains(r.Parsed.Notices, "part_left_out"); noted != (name != "blank") {
				t.Errorf("the notices are %v", r.Parsed.Notices)
			}
		})
	}
}

func TestAPageOfAnotherTypeIsReadByItsFallback(t *testing.T) {
	opf := func(fallback string) ooxmltest.Part {
		return ooxmltest.Part{Name: "OPS/package.opf", Text: `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.svg" media-type="image/svg+xml" fallback="b"/><item id="b" href="b.pdf" media-type="application/pdf" fallback="` + fallback + `"/><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="c"/><itemref idref="unknown"/></spine></package>`}
	}
	pages := []epubtest.Page{{Name: "c.xhtml", Body: `<p>C.</p>`}}
	for fallback, want := range map[string]string{"c": "1 [] C.", "a": "2 [] C.", "": "2 [] C."} {
		same(t, readBook(t, epubtest.Book{Pages: pages, Parts: []ooxmltest.Part{opf(fallback)}}), want)
	}
}

func TestABookWithoutTextSaysSo(t *testing.T) {
	r := readBook(t, epubtest.Book{Pages: []epubtest.Page{{Name: "1.xhtml", Body: `<img src="scan.png" alt=""/>`}}})
	if len(r.Parsed.Blocks) != 0 || !slices.Equal(r.Parsed.Notices, []string{parse.NoTextLayer}) {
		t.Errorf("%d blocks, notices %v", len(r.Parsed.Blocks), r.Parsed.Notices)
	}
}

func TestAPlaceInABookOpensWhereverItBeginsAndEnds(t *testing.T) {
	f := parse.File{Name: "b.epub", Data: epubtest.Book{Pages: []epubtest.Page{
		{Name: "1.xhtml", Body: `<html><body><p>One.</p></body></html>`}, {Name: "2.xhtml", Body: `<html><body><p>甲 &amp; 乙。</p></body></html>`}, {Name: "3.xhtml", Body: `<html><body><p>Three.</p></body></html>`},
	}}.Bytes(t)}
	const p = len("<html><body><p>")
	for want, l := range map[string]corpus.EPUBLocator{
		"ne":                       {Spine: 1, Href: "OPS/1.xhtml", Char: [2]int{p + 1, p + 3}},
		"甲 &":                      {Spine: 2, Href: "OPS/2.xhtml", Char: [2]int{p, p + 5}},
		"e.\n\n甲 & 乙。\n\nThr":      {Spine: 1, SpineEnd: 3, Href: "OPS/1.xhtml", Char: [2]int{p + 2, p + 3}},
		"One.\n\n甲 & 乙。\n\nThree.": {Spine: 1, SpineEnd: 3, Href: "OPS/1.xhtml", Char: [2]int{0, 999}},
	} {
		if got, err := parse.Resolve(context.Background(), f, l); err != nil || got != want {
			t.Errorf("%+v opens to %q (%v), want %q", l, got, err, want)
		}
	}
	for _, l := range []corpus.Locator{
		corpus.EPUBLocator{}, corpus.EPUBLocator{Spine: 4, Href: "OPS/1.xhtml"}, corpus.EPUBLocator{Spine: 1, Href: "OPS/2.xhtml", Char: [2]int{0, 99}},
		corpus.EPUBLocator{Spine: 1, SpineEnd: 9, Href: "OPS/1.xhtml"}, corpus.EPUBLocator{Spine: 1, Href: "OPS/1.xhtml", Char: [2]int{-1, 4}}, corpus.EPUBLocator{Spine: 1, Href: "OPS/1.xhtml", Char: [2]int{9, 4}},
		corpus.EPUBLocator{Spine: 1, Href: "OPS/1.xhtml", Char: [2]int{900, 999}}, corpus.TextLocator{Format: "html"}, nil,
	} {
		if got, err := parse.Resolve(context.Background(), f, l); problem.CodeOf(err) != "invalid_locator" {
			t.Errorf("%+v opens to %q (%v)", l, got, err)
		}
	}
}
