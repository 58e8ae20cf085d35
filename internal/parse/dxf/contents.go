package dxf

import (
	"context"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/layout"
)

// contents is what was read of a file.
type contents struct {
	layers  map[string]layer
	blocks  map[string]*block // by folded name
	names   []string          // of the blocks, in order
	model   block             // entities of the drawing itself, those on paper with it
	layouts map[string]string // names of layouts by the handle of their block's record
	records map[string]string // handles of records by the folded name of the block
	partial bool
	lost    bool // something that would be drawn is not
}

type layer struct {
	name   string
	hidden bool
	colour colour
	weight int
}

// block is a named group of entities.
type block struct {
	name     string
	base     point
	entities []*entity
	shown    bool
	open     bool // it is being drawn
}

// named is a name as places repeat it: without codes, and not longer than a name may be.
func named(s string) string { return layout.Name(plain(s)) }

func fold(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// reader reads a drawing section by section.
type reader struct {
	ctx      context.Context
	in       scanner
	at       tag // the tag that was read last
	ok       bool
	out      contents
	no, kept int
	err      error
	lines    bool // are wanted
	figures  int
}

func (r *reader) next() bool {
	r.at, r.ok = r.in.next()
	return r.ok
}

// inside reports whether the section that is read goes on.
func (r *reader) inside() bool {
	return r.ok && r.err == nil && !r.at.is("ENDSEC") && !r.at.is("SECTION")
}

// read reads all sections. What a damaged file holds before the damage is kept.
// Lines are read only where they are wanted.
func read(ctx context.Context, text string, lines bool) (*contents, error) {
	r := &reader{ctx: ctx, lines: lines, in: scanner{rest: text}, out: contents{
		layers: map[string]layer{}, blocks: map[string]*block{}, layouts: map[string]string{}, records: map[string]string{},
	}}
	if !r.next() || !r.at.is("SECTION") {
		return nil, refuse("content_mismatch", "has a name for a DXF drawing, but its content is something else")
	}
	sections, inside := 0, false
	for r.ok && r.err == nil {
		if !r.at.is("SECTION") {
			if r.at.is("ENDSEC") {
				inside = false
			}
			r.next()
			continue
		}
		inside = true
		if !r.next() || r.at.code != 2 {
			continue
		}
		sections++
		name := strings.ToUpper(r.at.name())
		r.next()
		switch name {
		case "TABLES":
			r.tables()
		case "BLOCKS":
			r.blocks()
		case "ENTITIES":
			r.entities(&r.out.model)
		case "OBJECTS":
			r.objects()
		}
	}
	switch {
	case r.err != nil:
		return nil, r.err
	case r.in.damaged > 0 && sections < 2 && len(r.out.model.entities) == 0:
		return nil, refuse("dxf_malformed", "is damaged: on line %d there is no group code with a value", r.in.damaged)
	}
	r.out.partial = r.in.damaged > 0 || inside && !r.at.is("ENDSEC")
	return &r.out, nil
}

// object hands the tags of one object over, up to the next one.
func (r *reader) object(take func(tag)) {
	for r.next() && r.at.code != 0 {
		take(r.at)
	}
}

// tables reads the layers, and the records of blocks.
func (r *reader) tables() {
	for r.inside() {
		switch {
		case r.at.is("LAYER"):
			l := layer{colour: colour{index: plainColour}, weight: weightUsual}
			r.object(func(t tag) {
				l.colour.take(t)
				switch t.code {
				case 2:
					l.name = named(t.value)
				case 70:
					l.hidden = l.hidden || t.whole()&1 != 0
				case 370:
					l.weight = t.whole()
				case 62:
					l.hidden = l.hidden || t.whole() < 0
				}
			})
			r.out.layers[fold(l.name)] = l
		case r.at.is("BLOCK_RECORD"):
			var name, handle string
			r.object(func(t tag) {
				switch t.code {
				case 2:
					name = named(t.value)
				case 5:
					handle = t.name()
				}
			})
			r.out.records[fold(name)] = handle
		default:
			r.object(func(tag) {})
		}
	}
}

// objects reads the names of the layouts.
func (r *reader) objects() {
	for r.inside() {
		if !r.at.is("LAYOUT") {
			r.object(func(tag) {})
			continue
		}
		var name, record string
		inside := false
		r.object(func(t tag) {
			switch {
			case t.code == 100:
				inside = t.name() == "AcDbLayout"
			case inside && t.code == 1:
				name = t.name()
			case inside && t.code == 330:
				record = t.name()
			}
		})
		r.out.layouts[record] = named(name)
	}
}

func (r *reader) blocks() {
	for r.inside() {
		if !r.at.is("BLOCK") {
			r.object(func(tag) {})
			continue
		}
		b := &block{}
		r.object(func(t tag) {
			switch t.code {
			case 2:
				if b.name == "" {
					b.name = named(t.value)
				}
			case 10:
				b.base.x = t.number()
			case 20:
				b.base.y = t.number()
			}
		})
		r.entities(b)
		switch key := fold(b.name); {
		case key == "*model_space" || key == "$model_space":
			r.out.model.entities = append(r.out.model.entities, b.entities...)
		case r.out.blocks[key] == nil:
			r.out.blocks[key] = b
			r.out.names = append(r.out.names, key)
		}
	}
}

// mostKept bounds the texts and shown blocks of a drawing.
const mostKept = 300_000

// entities reads those of a block, or of the drawing.
func (r *reader) entities(into *block) {
	var last *entity // of those that attributes follow
	var line *entity // whose corners are entities that follow
	for r.inside() && !r.at.is("ENDBLK") {
		if r.no++; r.no%10_000 == 0 {
			r.err = r.ctx.Err()
		}
		kind := strings.ToUpper(r.at.name())
		if kind != "VERTEX" {
			line = line.ended()
		}
		if r.lines && drawn(kind) {
			line = r.line(kind, line, into)
			last = nil
			continue
		}
		if !wanted(kind) {
			if kind == "SEQEND" {
				last = nil
			}
			r.skip(kind, into)
			continue
		}
		if r.kept++; r.kept > mostKept {
			r.err = refuse("drawing_entity_limit", "has more than the %d texts and shown blocks that are allowed", mostKept)
			return
		}
		b := builder{entity: &entity{kind: kind, no: r.no, colour: colour{index: byLayer}, weight: weightByLayer}, lines: r.lines}
		r.object(b.take)
		e := b.done()
		e.layer, e.tag, e.block, e.handle = named(e.layer), named(e.tag), named(e.block), named(e.handle)
		switch {
		case kind == "ATTRIB" && last != nil:
			e.paper = last.paper
			last.attributes = append(last.attributes, e)
			continue
		case kind == "INSERT":
			last = e
		default:
			last = nil
		}
		into.entities = append(into.entities, e)
	}
	line.ended()
}
