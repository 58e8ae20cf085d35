package parse

import (
	"strconv"

	"github.com/kaoju/kaoju/internal/corpus"
)

// frame is an open element. What it inherits from the element around it is copied when it opens,
// so that no question about a place needs a walk up the stack.
type frame struct {
	name    string
	parent  *frame
	block   *frame // the innermost block-level element: itself or one around it
	path    string // of the element, once it was asked for
	around  bool   // the path stops at an element around this one
	ordinal int    // among the siblings of its name, from 1
	kids    map[string]int
	at      int        // place in the stack
	near    [nears]int // places in the stack of the innermost open elements of a kind; 0 for none
	table   *tableState

	skip    bool // not seen by a reader
	pre     bool // white space counts
	main    bool // inside the main content or an article
	foreign bool // inside SVG or MathML
	inline  bool // inside a data cell or heading, where block edges are no more than spaces
	cell    bool // inside a table cell: headings are content
	head    bool // inside <thead>
	quote   bool
	heading int   // level of the heading around; 0 for none
	items   int   // list items around
	list    *list // the list around, if it has numbers
	item    *item // the list item around
}

// The kinds of element whose end is implied by others.
const (
	nearP = iota
	nearItem
	nearTerm
	nearCell
	nearRow
	nearGroup
	nearTable
	nearHeading
	nears
)

func newBody() *frame {
	f := &frame{name: "body", path: "body[1]"}
	f.block = f
	return f
}

// pathLimit bounds an element path, in bytes: below it, the path names an element around the place.
const pathLimit = 512

// elementPath returns the path from the root, such as "body[1]/div[2]/p[1]".
func (f *frame) elementPath() string {
	var missing []*frame
	for e := f; e.path == ""; e = e.parent {
		missing = append(missing, e)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		e := missing[i]
		step := "/" + e.name + "[" + strconv.Itoa(e.ordinal) + "]"
		if e.path = e.parent.path; e.parent.around || len(e.path)+len(step) > pathLimit {
			e.around = true
		} else {
			e.path += step
		}
	}
	return f.path
}

func (p *page) top() *frame { return p.stack[len(p.stack)-1] }

// depthLimit bounds the open elements. Deeper ones are rendered as part of the one they are in.
const depthLimit = 2048

// startTag opens an element, after those that it implies the end of.
func (p *page) startTag(name string, a attributes, selfClosing bool) {
	data := false
	if name == "table" {
		data = p.tables[p.begun] && a.role != "presentation" && a.role != "none"
		p.begun++
	}
	if name == "ol" {
		p.listed++
	}
	p.fresh = false
	if at, wanted := p.marks[a.id]; wanted && at < 0 {
		p.marks[a.id] = p.at.char
	}
	switch {
	case name == "html" || name == "head" || name == "body":
		return
	case name == "br":
		p.lineBreak(p.top())
		return
	case isVoid(name):
		if name == "hr" {
			p.closeNear(nearP)
			if !p.top().skip {
				p.boundary(p.top().inline)
			}
		}
		return
	}
	if isTablePart(name) && name != "table" && p.top().near[nearTable] == 0 {
		if !p.top().skip {
			p.boundary(p.top().inline)
		}
		return // no element outside a table
	}
	if !p.top().foreign {
		p.implyEnds(name)
	}
	if selfClosing && (p.top().foreign || name == "svg" || name == "math") {
		return
	}
	before := len(p.stack)
	p.openElement(name, a, data)
	if selfClosing && p.xml {
		p.popTo(before)
	}
}

// implyEnds closes what can't be open around an element of the name.
func (p *page) implyEnds(name string) {
	if headingLevel(name) > 0 || endsHeading(name) && p.open && p.block.Kind == corpus.Heading {
		p.closeNear(nearHeading)
	}
	switch name {
	case "li":
		p.closeNear(nearItem)
	case "dt", "dd":
		p.closeNear(nearTerm)
	case "td", "th":
		p.closeNear(nearCell)
	case "tr":
		p.closeNear(nearRow)
	case "thead", "tbody", "tfoot", "caption":
		p.closeNear(nearGroup)
		p.closeNear(nearRow)
	}
	if isBlock(name) {
		p.closeNear(nearP)
	}
	top := p.top()
	switch {
	case name == "tr" && top.name == "table":
		p.openElement("tbody", attributes{}, false)
	case (name == "td" || name == "th") && top.near[nearTable] > 0 && top.near[nearRow] == 0:
		p.implyEnds("tr")
		p.openElement("tr", attributes{}, false)
	}
}

func (p *page) closeNear(kind int) {
	if i := p.top().near[kind]; i > 0 {
		p.popTo(i)
	}
}

// openElement puts one element on the stack.
func (p *page) openElement(name string, a attributes, data bool) {
	parent := p.top()
	f := &frame{
		name: name, parent: parent, at: len(p.stack), near: parent.near, table: parent.table, block: parent.block,
		skip: parent.skip, pre: parent.pre, main: parent.main, foreign: parent.foreign, inline: parent.inline,
		cell: parent.cell, head: parent.head, quote: parent.quote, heading: parent.heading, items: parent.items,
		list: parent.list, item: parent.item,
	}
	if parent.kids == nil {
		parent.kids = map[string]int{}
	}
	parent.kids[name]++
	f.ordinal = parent.kids[name]
	block := isBlock(name)
	if block {
		f.block = f
	}
	f.skip = f.skip || a.hidden || p.unseen(name, a, parent)
	if !parent.skip && (block || isApart(name)) {
		p.boundary(parent.inline || !block)
	}
	if f.at >= depthLimit {
		if f.skip && !parent.skip && p.err == nil {
			p.err = Refuse(p.src.name, "too_deep", "has hidden elements inside more than %d others", depthLimit)
		}
		return
	}
	f.inherit(a)
	p.enlist(f, a.count)
	if !f.skip {
		p.enter(f, data)
	}
	p.stack = append(p.stack, f)
	p.opens[name] = append(p.opens[name], f.at)
}

// inherit sets what the element means for its content, apart from tables.
func (f *frame) inherit(a attributes) {
	switch f.name {
	case "p":
		f.near[nearP] = f.at
	case "li":
		f.near[nearItem] = f.at
		f.items++
	case "ul", "ol", "menu", "dir":
		f.near[nearItem] = 0
	case "dt", "dd":
		f.near[nearTerm] = f.at
	case "dl":
		f.near[nearTerm] = 0
	case "pre", "listing", "xmp", "plaintext", "textarea":
		f.pre = true
	case "main", "article":
		f.main = true
	case "svg", "math":
		f.foreign = true
	case "blockquote":
		f.quote = true
	case "button", "object":
		f.near[nearP] = 0
	case "td", "th":
		f.near = [nears]int{nearCell: f.at, nearRow: f.near[nearRow], nearGroup: f.near[nearGroup], nearTable: f.near[nearTable]}
		f.cell, f.heading, f.items, f.list = true, 0, 0, nil
		f.inline = f.inline || f.table != nil && f.table.data
	case "tr":
		f.near[nearRow], f.near[nearCell] = f.at, 0
		f.inline = f.inline || f.table != nil && f.table.data
	case "thead", "tbody", "tfoot", "caption":
		f.near[nearGroup], f.near[nearRow], f.near[nearCell] = f.at, 0, 0
		f.head = f.name == "thead"
	case "table":
		f.near = [nears]int{nearTable: f.at}
		f.head = false
	}
	f.main = f.main || a.role == "main"
	if level := headingLevel(f.name); level > 0 {
		f.near[nearHeading] = f.at
		if !f.cell {
			f.heading, f.inline = level, true
		}
	}
}

// enter does what opening a visible element does to the text.
func (p *page) enter(f *frame, data bool) {
	switch {
	case f.name == "table":
		f.table = &tableState{data: data && !f.inline, head: -1}
	case f.name == "tr" && f.table != nil && f.table.data && !f.parent.inline:
		p.row = &row{table: f.table, frame: f, heads: true}
	case (f.name == "td" || f.name == "th") && p.row != nil && f.near[nearRow] == p.row.frame.at:
		p.beginCell(f)
	case f.pre && !f.parent.pre:
		p.fresh = true
	}
}

// leave does what closing an element does to the text.
func (p *page) leave(f *frame) {
	if f.parent.skip {
		return
	}
	switch {
	case p.row != nil && p.row.frame == f:
		p.endRow()
	case f.heading > 0 && f.parent.heading == 0:
		p.endHeading(f.heading)
	case f.block == f:
		p.boundary(f.parent.inline)
	case isApart(f.name):
		p.boundary(true)
	}
}

// popTo closes elements until n are open.
func (p *page) popTo(n int) {
	for len(p.stack) > n {
		f := p.top()
		p.stack = p.stack[:len(p.stack)-1]
		if open := p.opens[f.name]; len(open) > 1 {
			p.opens[f.name] = open[:len(open)-1]
		} else {
			delete(p.opens, f.name)
		}
		p.leave(f)
	}
}

// endTag closes the innermost element of the name and those inside it. It does not reach out of
// a table cell, and the end of an inline element does not close blocks.
func (p *page) endTag(name string) {
	p.fresh = false
	top := p.top()
	if name == "br" {
		p.lineBreak(top)
		return
	}
	open := p.opens[name]
	if headingLevel(name) > 0 && top.near[nearHeading] > 0 {
		p.closeNear(nearHeading)
		return
	}
	if len(open) == 0 {
		return
	}
	i := open[len(open)-1]
	wall := top.near[nearCell]
	if isTablePart(name) {
		wall = top.near[nearTable]
	}
	if i < wall || !isBlock(name) && !isUnseen(name) && i < top.block.at {
		return
	}
	p.popTo(i)
}
