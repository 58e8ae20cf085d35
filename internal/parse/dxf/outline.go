package dxf

// mostFigures bounds the numbers of what is drawn that are kept of a drawing.
const mostFigures = 4_000_000

// figuresOfEach is what an entity counts for beside its own numbers.
const figuresOfEach = 16

// plainColour is that of a layer that says none.
const plainColour = 7

// line reads an entity that is drawn. The corners of one line are entities of their own, which follow it: it
// returns the line that goes on.
func (r *reader) line(kind string, line *entity, into *block) *entity {
	b := builder{entity: &entity{kind: kind, no: r.no, colour: colour{index: byLayer}, weight: weightByLayer}, lines: kind != "VERTEX" && kind != "POLYLINE"}
	r.object(b.take)
	if r.figures += len(b.drawn) + figuresOfEach; r.figures > mostFigures {
		r.out.lost = true
		return line
	}
	e := b.done()
	if e.shape != nil {
		r.figures += len(e.shape.path.Points) // a few numbers may say many points
	}
	e.layer = named(e.layer)
	switch {
	case kind == "VERTEX":
		if line != nil && e.flags&16 == 0 { // not one that only steers a curve
			line.shape.corners = append(line.shape.corners, corner{at: pointOf(e.at), bulge: e.wide})
		}
		return line
	case kind == "POLYLINE":
		if e.flags&(16|64) != 0 { // a mesh
			r.miss(e, into)
			return nil
		}
		e.shape = &shape{flat: e.flags&8 == 0, wide: min(max(e.height, 0), max(e.width, 0))}
		into.entities = append(into.entities, e)
		return e
	case e.shape != nil:
		into.entities = append(into.entities, e)
	}
	return nil
}

// ended draws a line all of whose corners were read; there may be none.
func (e *entity) ended() *entity {
	if e != nil {
		polyline(&e.shape.path, e.shape.corners, e.flags&1 != 0)
		e.shape.corners = nil
	}
	return nil
}

// skip passes over an entity of which nothing is read. One that would be seen is kept where lines are wanted, so that the
// sheet on which it stands says that it is not drawn.
func (r *reader) skip(kind string, into *block) {
	if !r.lines {
		r.object(func(tag) {})
		return
	}
	b := builder{entity: &entity{kind: kind, no: r.no}}
	port := 0
	r.object(func(t tag) {
		if t.code == 69 {
			port = t.whole()
		}
		b.take(t)
	})
	// The first view port of a sheet is the sheet itself.
	if undrawn(kind) || kind == "VIEWPORT" && port > 1 {
		r.miss(b.entity, into)
	}
}

// miss keeps an entity that is not drawn.
func (r *reader) miss(e *entity, into *block) {
	if r.figures += figuresOfEach; r.figures > mostFigures {
		r.out.lost = true
		return
	}
	into.entities = append(into.entities, &entity{kind: e.kind, layer: named(e.layer), no: e.no, hidden: e.hidden, paper: e.paper, missed: true})
}
