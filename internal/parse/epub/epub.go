// Package epub reads books: an archive whose package document names the pages and the order in which
// they are read. It finds the pages, what the book's contents call them, and whether they are protected;
// what stands on a page is read by whoever reads HTML. The blocks of all pages become one text, and each
// piece of it is at a place of its page.
package epub

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/parse/progress"
)

// Page is a page of a book on its way to a Reader.
type Page struct {
	Name string // of its file in the archive
	Data []byte
	// Places is how many places it may have.
	Places int
	// Style returns the name and the text of the style sheet of the book that the page refers to; "" for none.
	Style func(href string) (name, css string)
	// Marks has the ids of elements whose places are asked for. Reading sets each to the place of the
	// element's tag in code points of the decoded page; one that is not there stays below 0.
	Marks map[string]int
}

// ErrUnreadable says that a page is no text at all. It is left out, and the others are read.
var ErrUnreadable = errors.New("the page can't be read")

// Reader reads pages. Its errors other than ErrUnreadable refuse the book.
type Reader interface {
	// Read returns the blocks of a page, whose places are those of an HTML document.
	Read(ctx context.Context, p Page) (corpus.Parsed, error)
	// Find returns the text that Read makes of a range of code points of the decoded page.
	Find(ctx context.Context, p Page, char [2]int) (string, error)
}

// Options are what a book is read with.
type Options struct {
	Layout layout.Limits
	Reader Reader
}

// The bounds on one file of a book, in bytes.
const (
	mostPage  = 16 << 20
	mostStyle = 1 << 20
)

// Parse reads a book. A book that can't be read is an *ooxml.Refusal, one with more in it than the limits
// allow is layout.ErrFull.
func Parse(ctx context.Context, data []byte, o Options) (corpus.Parsed, error) {
	b, err := open(data, o)
	if err != nil {
		return corpus.Parsed{}, err
	}
	entries, err := b.contents()
	if err != nil {
		return corpus.Parsed{}, err
	}
	s := shelf{limits: o.Layout}
	carried := []string{}
	for i, item := range b.spine {
		if err := ctx.Err(); err != nil {
			return corpus.Parsed{}, err
		}
		progress.Tell(ctx, i, len(b.spine))
		own := entries[item.name]
		page, ok, err := b.page(item)
		if err != nil {
			return corpus.Parsed{}, err
		}
		if !ok {
			continue
		}
		page.Places, page.Marks = o.Layout.Places-s.places, marksOf(own)
		parsed, err := o.Reader.Read(ctx, page)
		switch {
		case errors.Is(err, ErrUnreadable):
			b.pkg.LeaveOut()
			continue
		case err != nil:
			return corpus.Parsed{}, err
		}
		c := chapter{spine: i + 1, item: item, sections: sectionsOf(own, page.Marks, carried)}
		if err := s.add(c, parsed); err != nil {
			return corpus.Parsed{}, err
		}
		if !item.aside {
			carried = c.sections[len(c.sections)-1].path
		}
	}
	return corpus.Parsed{Title: b.title, Text: s.text.String(), Blocks: s.blocks, Notices: b.pkg.Notices()}, nil
}

// Resolve returns the text at a place of a book; false if the book has no such place.
func Resolve(ctx context.Context, data []byte, o Options, at corpus.EPUBLocator) (string, bool, error) {
	b, err := open(data, o)
	if err != nil {
		return "", false, err
	}
	last := max(at.Spine, at.SpineEnd)
	if at.Spine < 1 || last > len(b.spine) || b.spine[at.Spine-1].name != at.Href || at.Char[0] < 0 || at.Char[1] < 0 {
		return "", false, nil
	}
	var out []string
	for spine := at.Spine; spine <= last; spine++ {
		page, ok, err := b.page(b.spine[spine-1])
		if err != nil {
			return "", false, err
		}
		if !ok {
			continue
		}
		page.Places = o.Layout.Places
		char := [2]int{0, math.MaxInt}
		if spine == at.Spine {
			char[0] = at.Char[0]
		}
		if spine == last {
			char[1] = at.Char[1]
		}
		if char[0] > char[1] {
			return "", false, nil
		}
		text, err := o.Reader.Find(ctx, page, char)
		switch {
		case errors.Is(err, ErrUnreadable):
			continue
		case err != nil:
			return "", false, err
		case text != "":
			out = append(out, text)
		}
	}
	return strings.Join(out, between), len(out) > 0, nil
}

// page loads a page of the spine; false for one that is not there or damaged, which is left out.
func (b *book) page(item item) (Page, bool, error) {
	switch {
	case item.again:
		return Page{}, false, nil
	case !item.text:
		b.pkg.LeaveOut()
		return Page{}, false, nil
	}
	data, ok, err := b.load(item.name, mostPage)
	if err != nil || !ok {
		return Page{}, false, err
	}
	return Page{Name: item.name, Data: data, Style: b.styles(item.name)}, true, nil
}

// load returns a file whole. One that is missing or damaged is left out; whatever looks like an attack
// refuses the book.
func (b *book) load(name string, most int64) ([]byte, bool, error) {
	data, ok, err := b.pkg.Bytes(name, most)
	var r *ooxml.Refusal
	if errors.As(err, &r) && r.Code == "archive_malformed" {
		ok, err = false, nil
	}
	if err == nil && !ok {
		b.pkg.LeaveOut()
	}
	return data, ok, err
}

// styles returns what finds the style sheets of a page. A reader reads a page without one that is not
// there; one that is too large or damaged would hide nothing, so it is left out with a notice.
func (b *book) styles(page string) func(string) (string, string) {
	dir := folder(page)
	return func(href string) (string, string) {
		name, err := b.target(dir, href)
		if err != nil || !b.pkg.Has(name) {
			return "", ""
		}
		if css, ok := b.sheets[name]; ok {
			return name, css
		}
		data, _, err := b.pkg.Bytes(name, mostStyle)
		if err != nil {
			b.pkg.LeaveOut()
			data = nil
		}
		b.sheets[name] = string(data)
		return name, b.sheets[name]
	}
}
