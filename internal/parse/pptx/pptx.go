// Package pptx reads presentations, slide by slide in the order of the show. A slide's title is the
// heading of what stands on it; shapes are read from top to bottom and left to right, groups as one,
// whatever lies over what. Notes and comments follow their slide.
//
// Hidden slides are read and marked in their places. Hidden shapes, those that lie wholly beside the slide, letters of no
// size or in white on a white slide, and the date, footer and number that every slide repeats, are left out, and so is what masters and layouts show.
// Diagrams and charts are shapes whose places name the part.
package pptx

import (
	"context"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/parse/progress"
)

// Options bound what a presentation may cost.
type Options struct {
	Package ooxml.Limits
	Layout  layout.Limits
}

// Parse reads a presentation. A file that can't be read is an *ooxml.Refusal, one of more text than
// the limits allow layout.ErrFull.
func Parse(ctx context.Context, data []byte, opt Options) (corpus.Parsed, error) {
	pkg, err := ooxml.Open(data, "presentation", opt.Package)
	if err != nil {
		return corpus.Parsed{}, err
	}
	d := &deck{ctx: ctx, pkg: pkg, page: layout.Page{Limits: opt.Layout}}
	if err := d.read(); err != nil {
		return corpus.Parsed{}, err
	}
	p := d.page.Parsed(d.title)
	p.Notices = pkg.Notices()
	if d.left {
		p.Notices = append(p.Notices, layout.HiddenLeftOut)
	}
	return p, nil
}

// deck is a presentation that is being read.
type deck struct {
	ctx   context.Context
	pkg   *ooxml.Package
	page  layout.Page
	title string
	// size is that of the slides; 0 if the presentation does not say it.
	size [2]int
	// left says that something was left out that no slide shows.
	left bool
	// grounds are what layouts and masters lay beneath slides, by their parts.
	grounds map[string]*ground
}

func (d *deck) read() error {
	relations, err := d.pkg.Relations(d.pkg.Main)
	if err != nil {
		return err
	}
	targets := map[string]string{}
	for _, r := range relations {
		if r.Type == "slide" {
			targets[r.ID] = r.Target
		}
	}
	var show []string
	_, err = d.pkg.Read(d.pkg.Main, func(r *ooxml.Reader) error {
		return r.Children(func(e ooxml.Element) error {
			if e.Name == "sldSz" {
				d.size = [2]int{e.Int("cx", 0), e.Int("cy", 0)}
			}
			if e.Name != "sldIdLst" {
				return nil
			}
			return r.Children(func(e ooxml.Element) error {
				if e.Name == "sldId" {
					show = append(show, targets[e.RelationID("id")])
				}
				return nil
			})
		})
	})
	for i, part := range show {
		progress.Tell(d.ctx, i, len(show))
		if err == nil {
			err = d.ctx.Err()
		}
		switch {
		case err != nil:
		case part == "":
			d.pkg.LeaveOut()
		default:
			err = d.slide(i+1, part)
		}
	}
	return err
}

// slide reads a slide and lays it out. One that is damaged is left out; danger refuses the file.
func (d *deck) slide(n int, part string) error {
	relations, err := d.pkg.Relations(part)
	if err != nil {
		return err
	}
	s := &slide{deck: d, no: n, relations: relations, size: d.size}
	err = d.pkg.ReadOptional(part, func(r *ooxml.Reader) error {
		s.in = r
		s.hidden = r.Root.Attr("show") == "0" || r.Root.Attr("show") == "false"
		return r.Children(s.content)
	})
	if err != nil {
		return err
	}
	s.seen()
	if err := s.layOut(); err != nil {
		return err
	}
	for _, r := range relations {
		switch r.Type {
		case "notesSlide":
			err = s.notes(r.Target)
		case "comments":
			err = s.comments(r.Target)
		default:
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// slide is one that is being read.
type slide struct {
	deck      *deck
	in        *ooxml.Reader
	relations []ooxml.Relation
	no        int
	hidden    bool
	size      [2]int // 0 where shapes may lie anywhere
	count     int    // shapes so far
	shapes    []shape
	path      []string // its title
	ground    ground
}

// content reads the child of a slide that holds its shapes.
func (s *slide) content(e ooxml.Element) error {
	switch e.Name {
	case "clrMap":
		s.ground.mapped = e.Attr("bg1") != "lt1"
	case "clrMapOvr":
		return s.in.Children(func(e ooxml.Element) error {
			s.ground.mapped = s.ground.mapped || e.Name == "overrideClrMapping"
			return nil
		})
	}
	if e.Name != "cSld" {
		return nil
	}
	return s.in.Children(func(e ooxml.Element) error {
		if e.Name == "bg" {
			return s.ground.background(s.in)
		}
		if e.Name != "spTree" {
			return nil
		}
		shapes, err := s.tree()
		s.shapes = shapes
		return err
	})
}

// place returns the beginning of a locator on the slide.
func (s *slide) place(part string, shape int) corpus.PPTXLocator {
	return corpus.PPTXLocator{Slide: s.no, Heading: s.path, Part: part, Shape: shape, Hidden: s.hidden}
}

// layOut puts the slide down: its title, then its other shapes as they are read.
func (s *slide) layOut() error {
	s.path = []string{}
	ordered := arranged(s.shapes)
	for i, sh := range ordered {
		if !sh.title || len(sh.lines) == 0 {
			continue
		}
		text := joined(sh.lines)
		s.path = []string{layout.Name(text)}
		if s.deck.title == "" {
			s.deck.title = s.path[0]
		}
		_, err := s.deck.page.Add(layout.Block{
			Kind: corpus.Heading, Level: 1, Path: s.path, Head: -1,
			Pieces: []layout.Piece{{Text: text, Place: s.place("title", sh.no)}},
		})
		if err != nil {
			return err
		}
		ordered = append(ordered[:i:i], ordered[i+1:]...)
		break
	}
	for _, sh := range ordered {
		if err := s.put(sh); err != nil {
			return err
		}
	}
	return nil
}

func joined(lines []line) string {
	var out []string
	for _, l := range lines {
		out = append(out, l.text)
	}
	return strings.Join(out, "\n")
}

func (s *slide) put(sh shape) error {
	if len(sh.cells) > 0 {
		_, err := s.deck.page.Table(layout.Grid{
			Cells: sh.cells, Path: s.path, Head: sh.head,
			Place: func(c layout.Cell, name string) corpus.Locator {
				l := s.place("table", sh.no)
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
	return s.lines(sh.lines, s.place(sh.part, sh.no))
}

// lines puts the paragraphs of a shape down.
func (s *slide) lines(lines []line, at corpus.PPTXLocator) error {
	first := true
	for i, l := range lines {
		at.Paragraph = i + 1
		b := layout.Block{Kind: corpus.Paragraph, Path: s.path, Head: -1, Tight: !first, Pieces: []layout.Piece{{Text: l.text, Place: at}}}
		if len(lines) > 1 && at.Part == "" {
			b.Kind, b.Level = corpus.ListItem, l.level+1
		}
		n, err := s.deck.page.Add(b)
		if err != nil {
			return err
		}
		first = first && n < 0
	}
	return nil
}

// notes puts the speaker's notes of a slide down.
func (s *slide) notes(part string) error {
	n := &slide{deck: s.deck, no: s.no}
	err := s.deck.pkg.ReadOptional(part, func(r *ooxml.Reader) error {
		n.in = r
		return r.Children(n.content)
	})
	if err != nil {
		return err
	}
	var lines []line
	for _, sh := range arranged(n.shapes) {
		if sh.placeholder == "body" || sh.placeholder == "" {
			lines = append(lines, sh.lines...)
		}
	}
	return s.lines(lines, s.place("notes", 0))
}

// comments puts what people wrote about a slide down, in the old form or the new.
func (s *slide) comments(part string) error {
	var lines []line
	err := s.deck.pkg.ReadOptional(part, func(r *ooxml.Reader) error {
		c := &slide{deck: s.deck, in: r}
		var visit func(e ooxml.Element) error
		visit = func(e ooxml.Element) error {
			switch e.Name {
			case "text":
				text, err := r.Text()
				lines = append(lines, line{text: text})
				return err
			case "txBody":
				more, err := c.body()
				lines = append(lines, more...)
				return err
			}
			return r.Children(visit)
		}
		return r.Children(visit)
	})
	if err != nil {
		return err
	}
	return s.lines(lines, s.place("comment", 0))
}
