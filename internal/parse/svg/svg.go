// Package svg reads the texts of SVG drawings, with the element and the region of each. Titles and
// descriptions are read too; the title of the drawing is a heading, and so are the names of layers.
//
// Only what is seen is read: elements that are not displayed, transparent or without any paint are left
// out with a notice, and so is what lies outside of the view. What stands in definitions is read where a use shows
// it, once. Styles are attributes or simple rules of a style sheet. Of foreign content the lines of pages are read. Scripts and
// everything outside of the file are never looked at. Regions are estimates, because the fonts are not
// in the file.
package svg

import (
	"context"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// Options bound what a drawing may cost.
type Options struct {
	XML    ooxml.Limits
	Layout layout.Limits
}

// Parse reads a drawing. A file that can't be read is an *ooxml.Refusal, one of more text than the
// limits allow layout.ErrFull.
func Parse(ctx context.Context, data []byte, opt Options) (corpus.Parsed, error) {
	root, err := read(ctx, data, opt.XML)
	if err != nil {
		return corpus.Parsed{}, err
	}
	w := newWalk(root)
	if err := w.enter(root, root.start()); err != nil {
		return corpus.Parsed{}, err
	}
	page := layout.Page{Limits: opt.Layout}
	title, err := w.lay(&page)
	if err != nil {
		return corpus.Parsed{}, err
	}
	p := page.Parsed(title)
	if w.dropped {
		p.Notices = []string{layout.HiddenLeftOut}
	}
	return p, nil
}

// lay puts the texts down: the title and the description of the drawing, then layer by layer.
func (w *walk) lay(p *layout.Page) (title string, err error) {
	var outline layout.Outline
	level := 1
	for _, t := range w.about {
		b := layout.Block{Kind: corpus.Paragraph, Path: outline.Path(), Head: -1, Pieces: []layout.Piece{{Text: t.Text, Place: t.Place}}}
		if t.title && title == "" {
			title = layout.Name(t.Text)
			outline.Push(level, title)
			b.Kind, b.Level, b.Path = corpus.Heading, level, outline.Path()
			level++
		}
		if _, err := p.Add(b); err != nil {
			return "", err
		}
	}
	for _, name := range w.order {
		labels := w.layers[name]
		if name != "" {
			first := labels[0].Place.(corpus.SVGLocator)
			outline.Push(level, name)
			at := corpus.SVGLocator{Element: "g", Layer: name, Region: first.Region}
			if _, err := p.Add(layout.Block{
				Kind: corpus.Heading, Level: level, Path: outline.Path(), Head: -1,
				Pieces: []layout.Piece{{Text: layout.Name(name), Place: at}},
			}); err != nil {
				return "", err
			}
		}
		if err := drawing.Lay(p, outline.Path(), labels); err != nil {
			return "", err
		}
	}
	return title, nil
}

// collapsed is a text as it is shown: with one space where there are several.
func collapsed(s string) string { return strings.Join(strings.Fields(s), " ") }
