package dxf

import (
	"strings"

	"github.com/kaoju/kaoju/internal/parse/drawing"
)

// point is a place in a plane.
type point struct{ x, y float64 }

// entity is what the reader keeps of an entity: a text, or what shows a block.
type entity struct {
	kind, layer, handle, tag, block string
	text                            string  // with its codes
	made                            *string // the words of it, once they were made
	no                              int     // of all entities of the file
	paper, hidden, mirrored         bool
	at, to                          point // codes 10 and 11; of a leader's text, 12 and 13
	height, width, tall, wide       float64
	turn                            float64 // degrees
	scale                           point
	flags, across, down, attach     int
	measured                        float64
	attributes                      []*entity
	columns, rows                   int   // in which a block is shown
	apart                           point // from one column, and from one row, to the next
	colour                          colour
	weight                          int    // of its lines
	missed                          bool   // it would be seen, and is not drawn
	shape                           *shape // of what is drawn beside text, where that is wanted
}

// wanted reports whether entities of a kind have anything to read.
func wanted(kind string) bool {
	switch kind {
	case "TEXT", "MTEXT", "ATTRIB", "ATTDEF", "INSERT", "DIMENSION", "ARC_DIMENSION", "LARGE_RADIAL_DIMENSION", "ACAD_TABLE", "TOLERANCE", "MULTILEADER", "MLEADER", "ARCALIGNEDTEXT":
		return true
	}
	return false
}

func isDimension(kind string) bool { return strings.HasSuffix(kind, "DIMENSION") }

// builder makes an entity of its tags.
type builder struct {
	*entity
	rest  bool     // what follows is kept in the entity for other programs
	deep  int      // open parts of a leader's context
	parts []string // of a text in pieces
	cells []string // of a table
	drawn figures  // the numbers of what is drawn
	lines bool     // it is drawn
	lead  shape    // the lines of a leader with text
	ends  point    // where they end
	begun bool     // one of them
}

func (b *builder) take(t tag) {
	if b.rest || t.code >= 1000 {
		return
	}
	if b.kind == "MULTILEADER" || b.kind == "MLEADER" {
		if b.leader(t) {
			return
		}
	}
	b.colour.take(t)
	if b.lines && drawn(b.kind) && (t.code >= 10 && t.code < 60 || t.code >= 70 && t.code < 100 || t.code == 230) {
		b.drawn = append(b.drawn, pair{t.code, t.number()})
	}
	switch t.code {
	case 101:
		b.rest = true
	case 1, 2, 3, 302, 303:
		b.words(t)
	case 5:
		b.handle = t.name()
	case 8:
		b.layer = t.name()
	case 60:
		b.hidden = t.whole() == 1
	case 370:
		b.weight = t.whole()
	case 67:
		b.paper = t.whole() == 1
	default:
		b.measure(t)
	}
}

// words takes the tags that hold text and names.
func (b *builder) words(t tag) {
	switch t.code {
	case 1:
		if b.kind == "ACAD_TABLE" {
			b.cells = append(b.cells, t.value)
		} else {
			b.parts = append(b.parts, t.value)
		}
	case 2:
		switch {
		case b.kind == "ATTRIB" || b.kind == "ATTDEF":
			b.tag = t.name()
		case b.block == "":
			b.block = t.name()
		}
	case 3:
		if b.kind == "MTEXT" {
			b.parts = append(b.parts, t.value)
		}
	case 302, 303:
		if b.kind == "ACAD_TABLE" {
			b.cells = append(b.cells, t.value)
		}
	}
}

// measure takes the tags that say where an entity is and how large.
func (b *builder) measure(t tag) {
	switch t.code {
	case 10:
		b.at.x = t.number()
	case 20:
		b.at.y = t.number()
	case 11:
		b.to.x = t.number()
	case 21:
		b.to.y = t.number()
	case 40:
		b.height = t.number()
	case 41:
		b.width = t.number()
	case 42:
		b.wide = t.number()
	case 43:
		b.tall = t.number()
	case 44:
		b.apart.x = t.number()
	case 45:
		b.apart.y = t.number()
	case 50:
		b.turn = t.number()
	case 70:
		b.flags = t.whole()
	case 71:
		b.attach = t.whole()
	case 72:
		b.across = t.whole()
	case 73:
		if b.kind == "TEXT" {
			b.down = t.whole()
		}
	case 74:
		if b.kind == "ATTRIB" || b.kind == "ATTDEF" {
			b.down = t.whole()
		}
	case 230:
		b.mirrored = t.number() < 0
	}
}

// leader takes the tags of a leader with text, whose context has parts in one another.
func (b *builder) leader(t tag) bool {
	switch t.code {
	case 300, 302, 304:
		if strings.HasSuffix(t.name(), "{") {
			b.deep++
			b.begun = false
			return true
		}
		if t.code == 304 && b.deep == 1 || t.code == 302 && b.deep == 0 {
			b.parts = append(b.parts, t.value)
		}
		return true
	case 301, 303, 305:
		if b.deep == 3 {
			b.lead.path.Line(pointOf(b.ends))
		}
		b.deep = max(0, b.deep-1)
		return true
	case 10, 20:
		b.follow(t)
	case 12:
		if b.deep == 1 {
			b.at.x = t.number()
		}
	case 22:
		if b.deep == 1 {
			b.at.y = t.number()
		}
	case 13:
		if b.deep == 1 {
			b.to.x = t.number()
		}
	case 23:
		if b.deep == 1 {
			b.to.y = t.number()
		}
	case 41:
		if b.deep == 1 {
			b.height = t.number()
		}
	case 43:
		if b.deep == 1 {
			b.width = t.number()
		}
	case 5, 8, 60, 67, 101:
		return false
	}
	return true
}

// follow takes the corners of the lines of a leader, which is one part in another.
func (b *builder) follow(t tag) {
	p := &b.lead.path
	switch {
	case b.deep == 2 && t.code == 10:
		b.ends.x = t.number()
	case b.deep == 2:
		b.ends.y = t.number()
	case b.deep != 3:
	case t.code == 20 && len(p.Points) > 0:
		p.Points[len(p.Points)-1].Y = t.number()
	case t.code == 10 && b.begun:
		p.Line(drawing.Point{X: t.number()})
	case t.code == 10:
		p.Move(drawing.Point{X: t.number()})
		b.begun = true
	}
}

// done ends the entity.
func (b *builder) done() *entity {
	switch {
	case b.kind == "ACAD_TABLE":
		b.text = strings.Join(b.cells, `\P`)
	default:
		b.text = strings.Join(b.parts, "")
	}
	b.scale = point{1, 1}
	if b.kind == "INSERT" {
		b.scale = point{or(b.width, 1), or(b.wide, 1)}
		b.columns, b.rows = max(b.flags, 1), max(b.attach, 1)
	}
	if isDimension(b.kind) {
		b.measured = b.wide
	}
	switch {
	case !b.lines:
	case !b.lead.path.Empty():
		b.shape = &b.lead
	default:
		b.shape = shapeOf(b.kind, b.drawn)
	}
	return b.entity
}

func or(v, missing float64) float64 {
	if v == 0 {
		return missing
	}
	return v
}
