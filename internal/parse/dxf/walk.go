package dxf

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/sketch"
)

// walk goes from the sheets of a drawing through the blocks that stand there.
type walk struct {
	*contents
	found   []text
	later   []visit // of blocks that only something on a layer that is off shows
	dropped int     // texts that nobody sees
	group   int

	// Where one sheet is drawn, with a pen:
	ctx       context.Context
	pen       *drawing.Pen
	on        sketch.Sheet
	waiting   []visit // of blocks that were drawn before
	repeating bool
	steps     int          // in pieces of what is drawn again
	work      drawing.Work // of all
}

// text is a text that was found, with what it is read under.
type text struct {
	drawing.Label
	layer  string
	shown  string
	hidden bool
}

// visit is a stretch of the way: where entities stand, and what they take from what shows them.
type visit struct {
	block  *block
	frame  drawing.Frame
	space  string // "" inside a block
	shown  string
	layer  string // that entities on layer 0 take over
	off    bool   // the layer is off or frozen
	hidden bool   // the block stands nowhere
	depth  int
	table  int // the group of a table's cells
	ink    sketch.Ink
	weight int
}

// mostDepth bounds how deep blocks stand in one another.
const mostDepth = 100

// stand returns the sheets: the model, then those on paper.
func (w *walk) stand() []visit {
	sheets := []visit{
		{block: &block{}, frame: drawing.Identity(), space: "model", shown: "model"},
		{block: &block{}, frame: drawing.Identity(), space: "paper", shown: w.layout("*paper_space")},
	}
	for _, e := range w.model.entities {
		to := sheets[0].block
		if e.paper {
			to = sheets[1].block
		}
		to.entities = append(to.entities, e)
	}
	for _, name := range w.names {
		if isPaper(name) {
			sheets = append(sheets, visit{block: w.blocks[name], frame: drawing.Identity(), space: "paper", shown: w.layout(name)})
		}
	}
	return sheets
}

func (w *walk) all() error {
	sheets := w.stand()
	for _, v := range sheets {
		v.block.shown = true
	}
	for _, v := range sheets {
		if err := w.enter(v); err != nil {
			return err
		}
	}
	for len(w.later) > 0 {
		v := w.later[0]
		w.later = w.later[1:]
		if v.block.shown {
			continue
		}
		if err := w.enter(v); err != nil {
			return err
		}
	}
	for _, name := range w.names {
		if b := w.blocks[name]; !b.shown {
			if err := w.enter(visit{block: b, frame: drawing.Identity(), shown: b.name, hidden: true}); err != nil {
				return err
			}
		}
	}
	return nil
}

func isPaper(name string) bool {
	return strings.HasPrefix(name, "*paper_space") || strings.HasPrefix(name, "$paper_space")
}

// layout names a sheet of paper as its tab is called.
func (w *walk) layout(block string) string {
	if name := w.layouts[w.records[block]]; name != "" && name != "model" {
		return name
	}
	return "paper" + strings.TrimPrefix(strings.TrimPrefix(block, "*paper_space"), "$paper_space")
}

// enter reads what stands in a block or on a sheet.
func (w *walk) enter(v visit) error {
	if v.depth > mostDepth {
		return refuse("drawing_depth_limit", "has blocks in one another more than %d deep", mostDepth)
	}
	if w.repeating && w.over(v) {
		return nil
	}
	v.block.shown, v.block.open = true, true
	defer func() { v.block.open = false }()
	for _, e := range v.block.entities {
		if w.count(1); w.pen != nil && w.pen.Full() {
			return nil
		}
		if err := w.work.Err(w.ctx); err != nil {
			return err
		}
		if e.hidden {
			w.unseen(e)
			continue
		}
		layer := e.layer
		if layer == "" {
			layer = "0"
		}
		own := v
		if layer != "0" || v.layer == "" {
			own.layer = layer
		}
		own.off = v.off || w.layers[fold(own.layer)].hidden
		if err := w.entity(own, e, layer); err != nil {
			return err
		}
	}
	return nil
}

// entity reads one entity; v says where and how it stands.
func (w *walk) entity(v visit, e *entity, layer string) error {
	if w.shape(v, e); !wanted(e.kind) {
		return nil
	}
	v.ink, v.weight = w.ink(v, e.colour), w.carried(v, e.weight)
	switch e.kind {
	case "TEXT", "MTEXT", "MULTILEADER", "MLEADER", "TOLERANCE", "ARCALIGNEDTEXT":
		w.add(v, e, layer, e.words())
	case "ATTRIB":
		w.add(v, e, layer, e.words())
	case "ATTDEF":
		if v.space != "" || e.flags&2 != 0 { // elsewhere it is a form to fill in
			w.add(v, e, layer, e.words())
		}
	case "INSERT":
		w.attributes(v, e)
		return w.insert(v, e)
	case "ACAD_TABLE":
		w.group++
		v.table = w.group
		if w.blocks[fold(e.block)] == nil {
			w.add(v, e, layer, e.words())
			return nil
		}
		return w.show(v, e, e.table(v.frame))
	default: // a dimension
		before, dropped := len(w.found), w.dropped
		if err := w.show(v, e, v.frame); err != nil {
			return err
		}
		if len(w.found) == before && w.dropped == dropped && (!w.repeating || w.blocks[fold(e.block)] == nil) {
			w.add(v, e, layer, e.words())
		}
	}
	return nil
}

// insert shows a block, once or in columns and rows.
func (w *walk) insert(v visit, e *entity) error {
	f := e.insert(v.frame)
	if err := w.show(v, e, f); err != nil || w.pen == nil || v.off || e.columns*e.rows == 1 {
		return err
	}
	// Steps between columns and rows are not scaled with the block.
	f = e.facing(v.frame).Moved(e.at.x, e.at.y).Turned(e.turn * math.Pi / 180)
	for i := range e.rows {
		for k := range e.columns {
			if i+k == 0 {
				continue
			}
			if w.steps++; w.steps > mostSteps || w.pen.Full() {
				w.pen.Partial = true
				return nil
			}
			at := f.Moved(float64(k)*e.apart.x, float64(i)*e.apart.y).Then(drawing.Frame{A: e.scale.x, D: e.scale.y})
			if err := w.show(v, e, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// show enters the block that an entity shows, unless it was shown before.
func (w *walk) show(v visit, e *entity, f drawing.Frame) error {
	b := w.blocks[fold(e.block)]
	if b == nil {
		return nil
	}
	v.block, v.space, v.depth = b, "", v.depth+1
	if e.kind == "INSERT" || e.kind == "ACAD_TABLE" {
		f = f.Moved(-b.base.x, -b.base.y)
	}
	v.frame = f
	switch {
	case w.repeating && !v.off:
		return w.enter(v)
	case w.repeating:
		return nil
	case b.shown:
		w.again(v)
		return nil
	}
	if v.off {
		w.later = append(w.later, v)
		return nil
	}
	return w.enter(v)
}

// attributes reads those of an object, which stand where the object does.
func (w *walk) attributes(v visit, e *entity) {
	if len(e.attributes) == 0 {
		return
	}
	w.group++
	for _, a := range e.attributes {
		own := v
		layer := a.layer
		if layer == "" {
			layer = "0"
		}
		if layer != "0" {
			own.layer = layer
		}
		own.off = v.off || w.layers[fold(own.layer)].hidden
		before := len(w.found)
		w.add(own, a, layer, a.words())
		for i := range w.found[before:] {
			w.found[before+i].Group, w.found[before+i].Form = w.group, drawing.List
		}
	}
}

// add takes a text down with its place.
func (w *walk) add(v visit, e *entity, layer, words string) {
	invisible := e.flags&1 != 0 && (e.kind == "ATTRIB" || e.kind == "ATTDEF")
	w.count(1 + len(words))
	switch {
	case strings.TrimSpace(words) == "":
		return
	case e.hidden, invisible, v.off:
		w.drop(words)
		return
	}
	w.framed(v, e, words)
	w.write(v, e, words)
	if w.repeating {
		return
	}
	region, height := e.region(v.frame, words)
	at := [2]float64{drawing.Round(e.at.x), drawing.Round(e.at.y)}
	l := corpus.DXFLocator{
		Layer: layer, Entity: e.kind, Handle: e.handle, No: e.no, Insert: &at, Space: v.space,
		Region: region, Shown: v.shown, Hidden: v.hidden,
	}
	if v.space == "" {
		l.Block = v.block.name
	}
	if e.kind == "ATTRIB" || e.kind == "ATTDEF" {
		l.Tag = e.tag
	}
	t := text{layer: layer, shown: v.shown, hidden: v.hidden}
	t.Text, t.Place, t.Height = words, l, height
	t.Box = [4]float64{region[0], -region[3], region[2], -region[1]}
	if v.table != 0 {
		t.Group, t.Form = v.table, drawing.Table
	}
	w.found = append(w.found, t)
}

// drop leaves a text out that nobody sees.
func (w *walk) drop(words string) {
	if strings.TrimSpace(words) != "" {
		w.dropped++
	}
}

// unseen leaves the texts of an entity out.
func (w *walk) unseen(e *entity) {
	if w.repeating {
		return
	}
	w.drop(e.text)
	for _, a := range e.attributes {
		w.drop(a.words())
	}
}

// words is the text that an entity shows. It is made once: what shows the entity again asks again.
func (e *entity) words() string {
	if e.made == nil {
		words := e.read()
		e.made = &words
	}
	return *e.made
}

func (e *entity) read() string {
	switch {
	case e.kind == "ATTRIB" || e.kind == "ATTDEF":
		return e.row()
	case e.kind == "TEXT":
		return plain(e.text)
	case !strings.HasSuffix(e.kind, "DIMENSION"):
		return rich(e.text)
	case e.text == "" || strings.Contains(e.text, "<>"):
		measure := strconv.FormatFloat(drawing.Round(e.measured), 'f', -1, 64)
		if e.text == "" {
			return measure
		}
		return rich(strings.ReplaceAll(e.text, "<>", measure))
	}
	return rich(e.text)
}

// row is an attribute as a name and a value.
func (e *entity) row() string {
	value := plain(e.text)
	if strings.TrimSpace(value) == "" || e.tag == "" {
		return value
	}
	return e.tag + ": " + value
}
