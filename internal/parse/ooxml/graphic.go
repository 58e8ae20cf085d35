package ooxml

import (
	"slices"
	"strings"
)

// Graphic tells what a chart or diagram is that an element shows, "chart" or "smartart", and the part that holds it; ""
// for any other element.
func Graphic(e Element, relations []Relation) (kind, part string) {
	id, want := "", ""
	switch e.Name {
	case "chart":
		kind, id, want = "chart", e.RelationID("id"), "chart"
	case "relIds":
		kind, id, want = "smartart", e.RelationID("dm"), "diagramData"
	}
	i := slices.IndexFunc(relations, func(r Relation) bool { return r.ID == id && r.Type == want && r.Target != "" })
	if id == "" || i < 0 {
		return "", ""
	}
	return kind, relations[i].Target
}

// GraphicText returns what can be read on a chart or a diagram, in lines: of a chart its titles and own labels, the names of
// its series and those of its categories; of a diagram the paragraphs of its shapes. The numbers of a chart are not text.
func (p *Package) GraphicText(part string) ([]string, error) {
	g := graphic{}
	err := p.ReadOptional(part, func(r *Reader) error {
		g.in = r
		return r.Children(g.child)
	})
	lines := g.lines
	for _, names := range [][]string{g.series, g.categories} {
		if len(names) > 0 {
			lines = append(lines, strings.Join(names, "; "))
		}
	}
	return lines, err
}

// graphic is a chart or a diagram that is being read.
type graphic struct {
	in                        *Reader
	lines, series, categories []string
	seen                      map[string]bool // of the categories
}

// child reads what is in a chart or a diagram.
func (g *graphic) child(e Element) error {
	switch e.Name {
	case "extLst", "txPr", "spPr", "externalData":
		return nil
	case "title", "dLbls", "t", "rich":
		lines, err := g.paragraphs()
		g.lines = append(g.lines, lines...)
		return err
	case "ser":
		return g.in.Children(g.seriesChild)
	case "AlternateContent":
		return g.in.Alternative(g.child)
	}
	return g.in.Children(g.child)
}

// seriesChild reads what is in a series.
func (g *graphic) seriesChild(e Element) error {
	switch e.Name {
	case "tx":
		names, err := g.paragraphs()
		g.series = append(g.series, names...)
		return err
	case "dLbls":
		return g.child(e)
	case "cat":
		names, err := g.paragraphs()
		for _, name := range names {
			if g.seen == nil {
				g.seen = map[string]bool{}
			}
			if !g.seen[name] {
				g.seen[name] = true
				g.categories = append(g.categories, name)
			}
		}
		return err
	}
	return nil
}

// paragraphs returns the paragraphs and stored texts of the element whose start was read last. Numbers are none of them.
func (g *graphic) paragraphs() ([]string, error) {
	var out []string
	put := func(s string) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			out = append(out, s)
		}
	}
	var b strings.Builder
	var visit func(e Element) error
	visit = func(e Element) error {
		switch e.Name {
		case "numCache", "numLit", "extLst", "rPr", "endParaRPr", "txPr":
			return nil
		case "p":
			b.Reset()
			err := g.in.Children(visit)
			put(b.String())
			return err
		case "t":
			text, err := g.in.Text()
			b.WriteString(text)
			return err
		case "br":
			b.WriteByte(' ')
			return nil
		case "v":
			text, err := g.in.Text()
			put(text)
			return err
		}
		return g.in.Children(visit)
	}
	err := g.in.Children(visit)
	return out, err
}
