package epub

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// entry is a line of the book's contents: the names above it and its own, and the element that it leads
// to, "" for the top of the page.
type entry struct {
	path []string
	id   string
}

// listing collects the lines of the contents, by the name of the page that they lead to.
type listing struct {
	book    *book
	dir     string
	entries map[string][]entry
}

// contents reads what the book's contents call its pages: from its navigation page, and where there is
// none that can be read, from the contents of older books. A book without either has none.
func (b *book) contents() (map[string][]entry, error) {
	for _, source := range []struct {
		name string
		read func(*listing, *ooxml.Reader) error
	}{{b.nav, (*listing).navigation}, {b.ncx, (*listing).ncx}} {
		if source.name == "" {
			continue
		}
		l := &listing{book: b, dir: folder(source.name), entries: map[string][]entry{}}
		_, err := b.pkg.Read(source.name, func(r *ooxml.Reader) error { return source.read(l, r) })
		var r *ooxml.Refusal
		if err != nil && (!errors.As(err, &r) || r.Code != "xml_malformed" && r.Code != "archive_malformed") {
			return nil, err
		}
		if len(l.entries) > 0 {
			return l.entries, nil
		}
	}
	return nil, nil
}

// add notes a line that leads to an address. What leads out of the book names no page of it.
func (l *listing) add(path []string, href string) {
	name, err := l.book.target(l.dir, href)
	if err != nil || name == "" {
		return
	}
	_, id, _ := strings.Cut(href, "#")
	l.entries[name] = append(l.entries[name], entry{path, id})
}

// mostNames bounds how many names stand above one another in the contents; below, what is named is called as what is above it.
const mostNames = 20

// under returns a path with another name; one without a name changes nothing.
func under(path []string, name string) []string {
	if name = layout.Name(name); name == "" || len(path) >= mostNames {
		return path
	}
	return append(slices.Clip(path), name)
}

// navigation reads the list of contents of a navigation page.
func (l *listing) navigation(r *ooxml.Reader) error {
	var find func(e ooxml.Element) error
	find = func(e ooxml.Element) error {
		if e.Name == "nav" && slices.Contains(strings.Fields(e.Attr("type")), "toc") {
			return l.lists(r, nil)
		}
		return r.Children(find)
	}
	return r.Children(find)
}

// lists reads the lists in an element.
func (l *listing) lists(r *ooxml.Reader, path []string) error {
	return r.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "ol", "ul":
			return r.Children(func(e ooxml.Element) error {
				if e.Name != "li" {
					return nil
				}
				return l.listItem(r, path)
			})
		case "div", "section":
			return l.lists(r, path)
		}
		return nil
	})
}

// listItem reads one line and the lines below it.
func (l *listing) listItem(r *ooxml.Reader, path []string) error {
	own := path
	return r.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "a", "span":
			name, err := r.Whole()
			if err != nil {
				return err
			}
			own = under(path, name)
			if href := e.Attr("href"); href != "" {
				l.add(own, href)
			}
		case "ol", "ul":
			return r.Children(func(e ooxml.Element) error {
				if e.Name != "li" {
					return nil
				}
				return l.listItem(r, own)
			})
		}
		return nil
	})
}

// ncx reads the contents of an older book.
func (l *listing) ncx(r *ooxml.Reader) error {
	return r.Children(func(e ooxml.Element) error {
		if e.Name != "navMap" {
			return nil
		}
		return l.points(r, nil)
	})
}

func (l *listing) points(r *ooxml.Reader, path []string) error {
	own := path
	return r.Children(func(e ooxml.Element) error {
		switch e.Name {
		case "navPoint":
			return l.points(r, own)
		case "navLabel":
			name, err := r.Whole()
			own = under(path, name)
			return err
		case "content":
			l.add(own, e.Attr("src"))
		}
		return nil
	})
}

// section is a stretch of a page that a line of the contents names.
type section struct {
	at   int // the first code point of the page
	path []string
	// carried says that the line leads to an earlier page, and this one goes on with it.
	carried bool
}

// marksOf returns the ids that lines lead to, none of them found yet.
func marksOf(entries []entry) map[string]int {
	out := map[string]int{}
	for _, e := range entries {
		if e.id != "" {
			out[e.id] = -1
		}
	}
	return out
}

// sectionsOf divides a page by the lines that lead to it, with at least one section. Where none leads to
// it, it goes on with the section before it. Of several lines that lead to one place the first counts,
// and the last of those below it. A line that leads to an element that is not there leads to the top, if
// it is the first one.
func sectionsOf(entries []entry, marks map[string]int, carried []string) []section {
	out := []section{{path: carried, carried: true}}
	var own []section
	for i, e := range entries {
		at := 0
		if e.id != "" {
			at = marks[e.id]
		}
		if at < 0 && i == 0 {
			at = 0
		}
		if at >= 0 {
			own = append(own, section{at: at, path: e.path})
		}
	}
	slices.SortStableFunc(own, func(a, b section) int { return cmp.Compare(a.at, b.at) })
	for _, s := range own {
		last := &out[len(out)-1]
		switch {
		case s.at > last.at:
			out = append(out, s)
		case last.carried || len(s.path) > len(last.path) && slices.Equal(s.path[:len(last.path)], last.path):
			*last = s
		}
	}
	return out
}
