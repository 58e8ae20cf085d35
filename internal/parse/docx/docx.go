// Package docx reads Word documents: headings by their styles and outline levels, numbers as they
// are printed, lists, tables with merged cells, and the parts beside the body.
//
// What a reader of the document does not see is left out: deleted and moved text, hidden text, text
// in white or of no size, field instructions. Comments, notes, text boxes, headers and footers are
// blocks of their own whose places name the part.
package docx

import (
	"context"
	"strconv"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// Options bound what a document may cost, and say how a page that it embeds is read.
type Options struct {
	Package ooxml.Limits
	Layout  layout.Limits
	// Embedded reads an HTML page or text inside the document; nil leaves those out.
	Embedded func(name string, data []byte) (corpus.Parsed, error)
}

// Parse reads a document. A file that can't be read is an *ooxml.Refusal, one of more text than
// the limits allow layout.ErrFull.
func Parse(ctx context.Context, data []byte, opt Options) (corpus.Parsed, error) {
	pkg, err := ooxml.Open(data, "document", opt.Package)
	if err != nil {
		return corpus.Parsed{}, err
	}
	d := &document{ctx: ctx, pkg: pkg, opt: opt, page: layout.Page{Limits: opt.Layout}, boxes: map[string]int{}}
	if d.relations, err = pkg.Relations(pkg.Main); err != nil {
		return corpus.Parsed{}, err
	}
	if err := d.definitions(); err != nil {
		return corpus.Parsed{}, err
	}
	if err := d.body(); err != nil {
		return corpus.Parsed{}, err
	}
	p := d.page.Parsed(d.title)
	p.Notices = pkg.Notices()
	return p, nil
}

// document is one that is being read.
type document struct {
	ctx       context.Context
	pkg       *ooxml.Package
	opt       Options
	page      layout.Page
	relations []ooxml.Relation
	styles    map[string]*style
	standard  string // style of paragraphs that name none
	numbering numbering
	notes     map[string][]paragraph // by kind and id, in the form of noteKey
	outline   layout.Outline
	title     string
	boxes     map[string]int       // text boxes, charts and diagrams so far
	dark      bool                 // the pages have a background
	fills     map[string]tableFill // by the id of a table's style
	chunks    int                  // embedded pages so far
	// paragraphs and tables of the body so far.
	paragraphs, tables int
	listed             bool // the last block was an item of a list
	entitled           bool // the title is one by its style
}

// related returns the name of the document's part of a type; "" if it has none.
func (d *document) related(kind string) string {
	for _, r := range d.relations {
		if r.Type == kind && r.Target != "" {
			return r.Target
		}
	}
	return ""
}

// definitions reads the parts that the body refers to.
func (d *document) definitions() error {
	if err := d.readStyles(d.related("styles")); err != nil {
		return err
	}
	if err := d.readNumbering(d.related("numbering")); err != nil {
		return err
	}
	d.notes = map[string][]paragraph{}
	for _, kind := range []string{"footnote", "endnote", "comment"} {
		if err := d.readNotes(d.related(kind+"s"), kind); err != nil {
			return err
		}
	}
	return nil
}

func noteKey(kind, id string) string { return kind + " " + id }

// readNotes keeps the notes or comments of a part until the body refers to them.
func (d *document) readNotes(name, kind string) error {
	if name == "" {
		return nil
	}
	return d.pkg.ReadOptional(name, func(r *ooxml.Reader) error {
		return r.Children(func(e ooxml.Element) error {
			if e.Name != kind || separator(e) {
				return nil
			}
			s := &story{doc: d, in: r}
			if err := s.blocks(); err != nil {
				return err
			}
			d.notes[noteKey(kind, e.Attr("id"))] = s.flat()
			return nil
		})
	})
}

// separator reports a note that is only the line above the notes.
func separator(e ooxml.Element) bool {
	t := e.Attr("type")
	return t == "separator" || t == "continuationSeparator" || t == "continuationNotice"
}

// body reads the body, block by block, and then what belongs to no place in it.
func (d *document) body() error {
	_, err := d.pkg.Read(d.pkg.Main, func(r *ooxml.Reader) error {
		return r.Children(func(e ooxml.Element) error {
			if e.Name == "background" {
				d.dark = !white(e.Attr("color"))
			}
			if e.Name != "body" {
				return nil
			}
			s := &story{doc: d, in: r, put: d.put}
			return s.blocks()
		})
	})
	if err != nil {
		return err
	}
	return d.margins()
}

// margins adds headers and footers, once each however many pages show them.
func (d *document) margins() error {
	d.outline = layout.Outline{}
	count := map[string]int{}
	seen := map[string]bool{}
	for _, rel := range d.relations {
		if rel.Type != "header" && rel.Type != "footer" || seen[rel.Target] {
			continue
		}
		seen[rel.Target] = true
		count[rel.Type]++
		at := anchor{part: rel.Type, id: strconv.Itoa(count[rel.Type])}
		err := d.pkg.ReadOptional(rel.Target, func(r *ooxml.Reader) error {
			p := &part{doc: d, at: at}
			s := &story{doc: d, in: r, put: p.put}
			return s.blocks()
		})
		if err != nil {
			return err
		}
	}
	return nil
}
