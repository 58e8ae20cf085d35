package parse

import (
	"context"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/epub"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/problem"
)

// MaxBookBytes bounds a book, most of which is pictures and fonts.
const MaxBookBytes = 64 << 20

func readEPUB(ctx context.Context, l Limits, data []byte) (corpus.Parsed, error) {
	return epub.Parse(ctx, data, l.book())
}

func findEPUB(ctx context.Context, l Limits, data []byte, place corpus.Locator) (string, bool, error) {
	at, ok := place.(corpus.EPUBLocator)
	if !ok {
		return "", false, nil
	}
	return epub.Resolve(ctx, data, l.book(), at)
}

func (l Limits) book() epub.Options {
	return epub.Options{Layout: l.layout(), Reader: bookPages{l, map[string]rules{}}}
}

// bookPages reads the pages of a book as HTML. It knows the style sheets that it has read.
type bookPages struct {
	limits Limits
	sheets map[string]rules
}

// style reads a style sheet of the book once, however many pages refer to it.
func (b bookPages) style(p epub.Page) func(string) (string, rules) {
	return func(href string) (string, rules) {
		name, css := p.Style(href)
		if _, ok := b.sheets[name]; !ok {
			b.sheets[name] = rulesOf(css)
		}
		return name, b.sheets[name]
	}
}

// Read implements epub.Reader.
func (b bookPages) Read(ctx context.Context, p epub.Page) (corpus.Parsed, error) {
	rendered, err := b.render(ctx, p, [2]int{})
	if err != nil {
		return corpus.Parsed{}, err
	}
	return rendered.parsed(), nil
}

// Find implements epub.Reader.
func (b bookPages) Find(ctx context.Context, p epub.Page, char [2]int) (string, error) {
	rendered, err := b.render(ctx, p, char)
	if err != nil {
		return "", err
	}
	text, _, err := rendered.resolved()
	return text, err
}

func (b bookPages) render(ctx context.Context, p epub.Page, window [2]int) (*page, error) {
	if len(p.Data) == 0 {
		return nil, epub.ErrUnreadable
	}
	l := b.limits
	l.Places = p.Places
	src, err := l.open(ctx, byExtension(".xhtml"), File{Name: p.Name, Data: p.Data})
	if err != nil {
		return nil, pageFault(err)
	}
	rendered, err := renderHTML(src, window, manner{xml: true, book: true, style: b.style(p), marks: p.Marks})
	return rendered, pageFault(err)
}

// pageFault says what an error of a page means for its book.
func pageFault(err error) error {
	switch {
	case err == nil || !problem.Is(err, problem.Invalid):
		return err
	case problem.CodeOf(err) == "too_large":
		return layout.ErrFull
	case problem.CodeOf(err) == "too_deep":
		return ooxml.Refuse("too_deep", "has a page with elements hidden inside more than %d others", depthLimit)
	}
	return epub.ErrUnreadable
}
