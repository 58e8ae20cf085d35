package pptx

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// paper is the colour of a ground that says it by its place in the colours of the presentation.
const paper = "bg1"

// ground is what a slide, its layout or its master says of what lies beneath texts.
type ground struct {
	colour string // of the background; "" if it says none, "?" for what is no plain colour
	// mapped says that the colours of a theme are used as others than usual.
	mapped bool
	shapes []shape
	theme  string // the colour of paper in the theme
}

// white reports whether a colour is white, or what no eye tells from it.
func white(colour string) bool {
	rgb, err := strconv.ParseUint(colour, 16, 32)
	const least = 0xfa
	return err == nil && len(colour) == 6 && rgb>>16 >= least && rgb>>8&0xff >= least && rgb&0xff >= least
}

// colour reads the colour of a fill whose start was read last; "?" for one that is changed by more than a name says.
func colour(in *ooxml.Reader) (c string, err error) {
	c = "?"
	err = in.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "srgbClr", "schemeClr":
			c = e.Attr("val")
		case "sysClr":
			c = e.Attr("lastClr")
		}
		return in.Children(func(ooxml.Element) error {
			c = "?"
			return nil
		})
	})
	return c, err
}

// pale reads what the properties of a run, whose start was read last, say of its colour: whether that is the one of paper,
// with nothing else that shows its letters.
func pale(in *ooxml.Reader) (yes bool, err error) {
	shown := false
	err = in.Children(func(e ooxml.Element) (err error) {
		switch e.Name {
		case "solidFill":
			var c string
			c, err = colour(in)
			yes = white(c) || c == paper
		case "highlight", "effectLst", "effectDag", "ln":
			shown = true
		}
		return err
	})
	return yes && !shown, err
}

// looks reads the properties of a shape: where it stands and whether it is filled with anything but white.
func (s *slide) looks(sh *shape) error {
	return s.in.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "xfrm":
			return s.position(sh)
		case "noFill":
			sh.bare = true
		case "solidFill":
			c, err := colour(s.in)
			sh.bare = white(c)
			sh.filled = sh.filled || !sh.bare
			return err
		case "gradFill", "blipFill", "pattFill", "grpFill":
			sh.filled = true
		}
		return nil
	})
}

// background reads the background of a slide whose start was read last.
func (g *ground) background(in *ooxml.Reader) error {
	g.colour = "?"
	return in.Children(func(e ooxml.Element) (err error) {
		switch e.Name {
		case "bgRef": // the first fill of a theme is plain
			if e.Attr("idx") == "1001" || e.Attr("idx") == "0" {
				g.colour, err = colour(in)
			}
		case "bgPr":
			return in.Children(func(e ooxml.Element) (err error) {
				if e.Name == "solidFill" {
					g.colour, err = colour(in)
				}
				return err
			})
		}
		return err
	})
}

// under reads what a layout lays beneath slides, with its master beneath that, or a master alone. What cannot be read may be
// anything.
func (d *deck) under(part string, layout bool) *ground {
	if g, ok := d.grounds[part]; ok {
		return g
	}
	g := &ground{colour: "?"}
	if d.grounds == nil {
		d.grounds = map[string]*ground{}
	}
	d.grounds[part] = g
	left := d.left
	defer func() { d.left = left }() // what a layout hides is no text of a slide
	relations, err := d.pkg.Relations(part)
	if err != nil {
		return g
	}
	s := &slide{deck: d, relations: relations}
	there, err := d.pkg.Read(part, func(r *ooxml.Reader) error {
		s.in = r
		return r.Children(s.content)
	})
	if err != nil || !there {
		return g
	}
	*g = s.ground
	g.shapes = s.shapes
	for _, r := range relations {
		if r.Type == "theme" {
			g.theme = d.paper(r.Target)
		}
		if r.Type == "slideMaster" && layout {
			g.beneath(d.under(r.Target, false))
		}
	}
	return g
}

// beneath adds what lies beneath a ground.
func (g *ground) beneath(o *ground) {
	if g.colour == "" {
		g.colour = o.colour
	}
	g.theme, g.mapped, g.shapes = o.theme, g.mapped || o.mapped, slices.Concat(g.shapes, o.shapes)
}

// paper is the colour that a theme has for paper; "?" if it says none.
func (d *deck) paper(part string) string {
	c := "?"
	_, err := d.pkg.Read(part, func(r *ooxml.Reader) error {
		var visit func(e ooxml.Element) error
		visit = func(e ooxml.Element) (err error) {
			switch e.Name {
			case "themeElements", "clrScheme":
				return r.Children(visit)
			case "lt1":
				c, err = colour(r)
			}
			return err
		}
		return r.Children(visit)
	})
	if err != nil {
		return "?"
	}
	return c
}

// seen takes out of the shapes of a slide what is written in the colour of the ground that it stands on. As in a document of
// words, text stays wherever the ground could be another.
func (s *slide) seen() {
	if !slices.ContainsFunc(s.shapes, func(sh shape) bool { return sh.hasPale() }) {
		return
	}
	g := s.ground
	for _, r := range s.relations {
		if r.Type == "slideLayout" {
			g.beneath(s.deck.under(r.Target, true))
		}
	}
	if g.colour == "" {
		g.colour = "FFFFFF"
	}
	if g.colour == paper && !g.mapped {
		g.colour = g.theme
	}
	if !white(g.colour) {
		return
	}
	over := slices.DeleteFunc(slices.Concat(g.shapes, s.shapes), func(sh shape) bool { return !sh.shows() })
	if len(over) > mostOver {
		return
	}
	for i := range s.shapes {
		sh := &s.shapes[i]
		if !sh.hasPale() || sh.shows() || slices.ContainsFunc(over, func(o shape) bool { return o.covers(*sh) }) {
			continue
		}
		sh.lines = slices.DeleteFunc(sh.lines, func(l line) bool { return l.pale && l.seen == "" })
		for k := range sh.lines {
			if sh.lines[k].pale {
				sh.lines[k].text = sh.lines[k].seen
			}
		}
		s.deck.left = true
	}
}

// mostOver bounds the shapes with which each text is compared.
const mostOver = 500

// shows reports whether something of a shape is seen beside its text.
func (sh shape) shows() bool { return sh.filled || len(sh.group) > 0 }

func (sh shape) hasPale() bool {
	return slices.ContainsFunc(sh.lines, func(l line) bool { return l.pale })
}

// covers reports whether a shape could lie where another does.
func (sh shape) covers(o shape) bool {
	return !sh.placed || !o.placed || sh.x < o.x+o.w && o.x < sh.x+sh.w && sh.y < o.y+o.h && o.y < sh.y+sh.h
}

// styled reports whether a style of a shape, whose start was read last, fills it.
func styled(in *ooxml.Reader) (filled bool, err error) {
	err = in.Children(func(e ooxml.Element) error {
		if e.Name == "fillRef" {
			filled = strings.TrimLeft(e.Attr("idx"), "0") != ""
		}
		return nil
	})
	return filled, err
}
