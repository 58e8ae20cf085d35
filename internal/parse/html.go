package parse

import (
	"bytes"
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"github.com/kaoju/kaoju/internal/corpus"
)

// parseHTML renders what a reader of the page sees: blocks apart, inline elements in one run of
// text, preformatted text as it stands, rows of data tables as "cell | cell". Scripts, hidden
// elements and navigation are left out. A heading in a table cell is content of the cell.
//
// The parser follows the tokens of the source, not a repaired tree, so that every character keeps
// its place; unclosed elements are ended by the rules that matter for blocks and tables.
func parseHTML(src *source) (corpus.Parsed, error) {
	p, err := renderHTML(src, [2]int{}, mannerOf(src))
	if err != nil {
		return corpus.Parsed{}, err
	}
	return p.parsed(), nil
}

func (p *page) parsed() corpus.Parsed {
	return corpus.Parsed{Title: strings.Join(strings.Fields(p.title), " "), Text: string(p.buf), Blocks: p.blocks}
}

func resolveHTML(src *source, window [2]int) (string, bool, error) {
	p, err := renderHTML(src, window, mannerOf(src))
	if err != nil {
		return "", false, err
	}
	return p.resolved()
}

// manner is how a page is read, beyond what its source says.
type manner struct {
	// xml says that the page is written in XML, where an element without content may end itself.
	xml bool
	// book says that the page is one of a book: nothing of it is the frame of a page but navigation.
	book bool
	// style returns the name and the rules of a style sheet that the page refers to; "" for none. Nil knows none.
	style func(href string) (name string, r rules)
	// marks has the ids whose places are asked for, and gets them, in code points of the source.
	marks map[string]int
}

// mannerOf goes by the name and by the first words, as whoever wrote the page did.
func mannerOf(src *source) manner {
	return manner{xml: extension(src.name) == ".xhtml" || strings.HasPrefix(src.text, "<?xml")}
}

// renderHTML leaves the frame of a page out, unless there is nothing else and the page is none of a book.
func renderHTML(src *source, window [2]int, how manner) (*page, error) {
	seen, err := surveyPage(src.ctx, src.text, how)
	if err != nil {
		return nil, err
	}
	render := func(whole bool) (*page, error) {
		p := newPage(src, window, seen, how)
		p.whole = whole
		return p, p.run()
	}
	p, err := render(false)
	if err == nil && len(p.blocks) == 0 && !how.book {
		p, err = render(true)
	}
	return p, err
}

func newPage(src *source, window [2]int, seen survey, how manner) *page {
	body := newBody()
	body.main = how.book
	return &page{
		render: render{src: src, window: window}, survey: seen, manner: how,
		at: cursor{line: 1}, headings: headings{path: []string{}}, opens: map[string][]int{}, stack: []*frame{body},
	}
}

// htmlCharset reads the encoding that a page declares in its first bytes.
func htmlCharset(data []byte) string {
	head := data[:min(len(data), 4096)]
	if m := metaCharset.FindSubmatch(head); m != nil {
		return string(m[1])
	}
	if m := xmlCharset.FindSubmatch(head); m != nil {
		return string(m[1])
	}
	return ""
}

var (
	metaCharset = regexp.MustCompile(`(?i)<meta[^>]*?charset\s*=\s*["']?\s*([\w-]+)`)
	xmlCharset  = regexp.MustCompile(`(?i)^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w-]+)`)
)

// page is the state of rendering HTML.
type page struct {
	render
	headings
	survey
	manner
	title  string
	begun  int  // tables begun
	listed int  // lists with numbers begun
	whole  bool // navigation and other frame of the page is rendered too
	at     cursor
	stack  []*frame
	opens  map[string][]int // places of the open frames in the stack, by name
	gap    gap
	row    *row
	fresh  bool // a preformatted element has just begun: a line end is not content
}

func (p *page) run() error {
	z := p.tokens(p.src.text)
	for n := 1; p.err == nil; n++ {
		kind := z.Next()
		if n%checkEvery == 0 && p.src.ctx.Err() != nil {
			return p.src.ctx.Err()
		}
		if kind == html.TextToken {
			p.characters(z.Raw())
			continue
		}
		raw := z.Raw()
		switch kind {
		case html.ErrorToken:
			p.popTo(1)
			p.finish()
			return p.err
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			ended := kind == html.SelfClosingTagToken
			if ended && p.xml {
				z.NextIsNotRawText() // such as after <title/>
			}
			p.startTag(string(name), tagAttributes(z, more), ended)
		case html.EndTagToken:
			name, _ := z.TagName()
			p.endTag(string(name))
		}
		p.at.advance(raw)
	}
	return p.err
}

// tokens reads the source as the manner says.
func (m manner) tokens(text string) *html.Tokenizer {
	z := html.NewTokenizer(strings.NewReader(text))
	z.AllowCDATA(m.xml)
	return z
}

const (
	literalBegin = "<![CDATA["
	literalEnd   = "]]>"
)

// characters renders a run of text, which in XML may be a section in which nothing is markup.
func (p *page) characters(raw []byte) {
	inside, ok := bytes.CutPrefix(raw, []byte(literalBegin))
	if !p.xml || !ok {
		p.text(raw, false)
		return
	}
	inside, _ = bytes.CutSuffix(inside, []byte(literalEnd))
	p.at.advance([]byte(literalBegin))
	p.text(inside, true)
	p.at.advance(raw[len(literalBegin)+len(inside):])
}

// cursor is a place in the source, in code points and lines.
type cursor struct{ char, line int }

// advance moves over source text.
func (c *cursor) advance(raw []byte) {
	for i, b := range raw {
		if b&0xc0 != 0x80 {
			c.char++
		}
		if b == '\n' || b == '\r' && (i+1 == len(raw) || raw[i+1] != '\n') {
			c.line++
		}
	}
}

// here is the place of a boundary, which has no width.
func (p *page) here() place {
	return place{char: [2]int{p.at.char, p.at.char}, line: p.at.line, lineEnd: p.at.line}
}

// locate makes the locator of a piece of text that belongs to a block-level element.
func (p *page) locate(owner any, at place) corpus.Locator {
	f := owner.(*frame)
	l := corpus.TextLocator{
		Format: "html", Heading: p.path, Line: at.line, Char: at.char,
		Element: f.elementPath(), InCode: f.pre,
	}
	if at.lineEnd > at.line {
		l.LineEnd = at.lineEnd
	}
	return l
}
