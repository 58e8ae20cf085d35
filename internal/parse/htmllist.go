package parse

import "github.com/kaoju/kaoju/internal/parse/numeral"

// list is an open list; one without numbers has no form.
type list struct {
	next, step int
	form       string
}

// item is an open item of a list. Its number is written before what is first seen of it.
type item struct {
	mark  string
	outer *item // the item around it
	done  bool  // its number stands in the text, and so do those around it
}

// enlist sets what a list, or an item of one, means for what is in it. What is not seen is not counted.
func (p *page) enlist(f *frame, c numeral.Attributes) {
	switch f.name {
	case "ol":
		items := 0
		if p.listed <= len(p.lists) {
			items = p.lists[p.listed-1]
		}
		f.list = &list{next: 1, step: 1, form: c.Form}
		if c.Reversed {
			f.list.next, f.list.step = items, -1
		}
		if n, ok := numeral.Number(c.Start); ok {
			f.list.next = n
		}
		if c.Unmarked {
			f.list.form = "none"
		} else if f.list.form == "" {
			f.list.form = "1"
		}
	case "ul", "menu", "dir":
		f.list = nil
	case "li":
		if f.skip {
			return
		}
		f.item = &item{outer: f.item}
		l := f.list
		if l == nil {
			return
		}
		if n, ok := numeral.Number(c.Value); ok {
			l.next = n
		}
		form := l.form
		if c.Form != "" && form != "none" {
			form = c.Form
		}
		if form != "none" && !c.Unmarked {
			f.item.mark = numeral.Marker(l.next, form)
		}
		l.next += l.step
	}
}

// marksOf are the numbers that stand before the next character of a frame. They come from the place of that
// character, so that who opens it reads the number too. Code stays what it is.
func (p *page) marksOf(f *frame) string {
	var marks string
	for i := f.item; i != nil && !i.done; i = i.outer {
		if i.done = true; i.mark != "" {
			marks = i.mark + " " + marks
		}
	}
	if f.pre {
		return ""
	}
	return marks
}
