package docx

import (
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
)

// put lays out an item of the body.
func (d *document) put(it item) error {
	switch {
	case it.paragraph != nil:
		d.paragraphs++
		if err := d.paragraph(*it.paragraph); err != nil {
			return err
		}
		return d.beside(it.paragraph.around, anchor{paragraph: d.paragraphs})
	case it.table != nil:
		d.tables++
		d.listed = false
		at := corpus.DOCXLocator{Heading: d.outline.Path(), Table: d.tables}
		if err := d.grid(*it.table, at); err != nil {
			return err
		}
		return d.beside(it.table.around, anchor{table: d.tables})
	default:
		return d.embedded(it.chunk)
	}
}

// paragraph lays out a paragraph of the body as a heading, an item of a list or plain text.
func (d *document) paragraph(p paragraph) error {
	text := layout.Clean(p.printed())
	if text == "" {
		return nil
	}
	b := layout.Block{Kind: corpus.Paragraph, Head: -1}
	switch {
	case p.level > 0 || p.title:
		b.Kind, b.Level = corpus.Heading, max(p.level, 1)
		d.outline.Push(b.Level, p.text)
		if name := layout.Name(p.text); d.title == "" || p.title && !d.entitled {
			d.title, d.entitled = name, p.title
		}
	case p.depth > 0:
		b.Kind, b.Level, b.Tight = corpus.ListItem, p.depth, d.listed
	}
	d.listed = b.Kind == corpus.ListItem
	b.Path = d.outline.Path()
	b.Pieces = []layout.Piece{{Text: text, Place: corpus.DOCXLocator{Heading: b.Path, Paragraph: d.paragraphs}}}
	_, err := d.page.Add(b)
	return err
}

// grid lays out a table whose places begin with at.
func (d *document) grid(t table, at corpus.DOCXLocator) error {
	cells := t.cells[:0:0]
	for _, c := range t.cells {
		if strings.TrimSpace(c.Text) != "" {
			cells = append(cells, c)
		}
	}
	_, err := d.page.Table(layout.Grid{
		Cells: cells, Path: at.Heading, Head: t.head,
		Place: func(c layout.Cell, name string) corpus.Locator {
			l := at
			l.Row, l.Col, l.Header = c.Row, c.Col, name
			if c.ColSpan > 1 {
				l.ColSpan = c.ColSpan
			}
			if c.RowSpan > 1 {
				l.RowSpan = c.RowSpan
			}
			return l
		},
	})
	return err
}

// beside lays out the boxes and notes that hang on a place of the body, right after it.
func (d *document) beside(s surroundings, at anchor) error {
	for _, box := range s.boxes {
		d.boxes[box.part]++
		at.part, at.id = box.part, strconv.Itoa(d.boxes[box.part])
		if err := d.story(at, box.list); err != nil {
			return err
		}
	}
	for _, n := range s.notes {
		list, ok := d.notes[noteKey(n.kind, n.id)]
		if !ok {
			continue
		}
		delete(d.notes, noteKey(n.kind, n.id)) // a note is told once
		at.part, at.id = n.kind, n.id
		if err := d.story(at, list); err != nil {
			return err
		}
	}
	return nil
}

// story lays out the paragraphs of a part.
func (d *document) story(at anchor, list []paragraph) error {
	p := &part{doc: d, at: at}
	for i := range list {
		if err := p.put(item{paragraph: &list[i]}); err != nil {
			return err
		}
	}
	return nil
}

// part is a part beside the body that is laid out. It counts its own paragraphs and tables.
type part struct {
	doc                *document
	at                 anchor
	paragraphs, tables int
}

func (p *part) place() corpus.DOCXLocator {
	return corpus.DOCXLocator{
		Heading: p.doc.outline.Path(), Part: p.at.part, ID: p.at.id,
		AnchorParagraph: p.at.paragraph, AnchorTable: p.at.table,
	}
}

func (p *part) put(it item) error {
	d, at := p.doc, p.place()
	d.listed = false
	switch {
	case it.paragraph != nil:
		p.paragraphs++
		at.Paragraph = p.paragraphs
		b := layout.Block{Kind: corpus.Paragraph, Head: -1, Path: at.Heading, Tight: p.paragraphs > 1}
		b.Pieces = []layout.Piece{{Text: it.paragraph.printed(), Place: at}}
		if _, err := d.page.Add(b); err != nil {
			return err
		}
		return d.beside(it.paragraph.around, anchor{paragraph: p.at.paragraph, table: p.at.table})
	case it.table != nil:
		p.tables++
		at.Table = p.tables
		return d.grid(*it.table, at)
	}
	return nil
}

// embedded lays out a page that stands in the document as a file of its own.
func (d *document) embedded(name string) error {
	if d.opt.Embedded == nil || !d.pkg.Has(name) {
		d.pkg.LeaveOut()
		return nil
	}
	data, _, err := d.pkg.Bytes(name, mostEmbedded)
	if err != nil {
		return err
	}
	d.chunks++
	parsed, err := d.opt.Embedded(name, data)
	if err != nil {
		d.pkg.LeaveOut()
		return d.ctx.Err() // a page that can't be read is left out, as other readers do
	}
	runes := []rune(parsed.Text)
	p := &part{doc: d, at: anchor{part: "altchunk", id: strconv.Itoa(d.chunks), paragraph: d.paragraphs}}
	for _, b := range parsed.Blocks {
		text := string(runes[b.Span.Start:b.Span.End])
		if err := p.put(item{paragraph: &paragraph{text: text}}); err != nil {
			return err
		}
	}
	return nil
}

// mostEmbedded bounds an embedded page.
const mostEmbedded = 4 << 20
