package epub

import (
	"net/url"
	"path"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

const (
	container = "META-INF/container.xml"
	mediaBook = "application/epub+zip"
	mediaOPF  = "application/oebps-package+xml"
	mediaNCX  = "application/x-dtbncx+xml"
)

// book is an open book.
type book struct {
	pkg    *ooxml.Package
	opf    string // name of the package document
	title  string
	items  map[string]item // of the manifest, by id
	spine  []item
	nav    string // name of the page with the contents
	ncx    string // name of the contents of an older book
	sheets map[string]string
}

// item is a file of the book.
type item struct {
	name, media, fallback string
	text                  bool // a page that can be read
	again                 bool // read before, at an earlier place
	aside                 bool // beside the order of reading
}

// open opens a book up to its spine.
func open(data []byte, o Options) (*book, error) {
	pkg, err := ooxml.Unpack(data, "an EPUB book", ooxml.Limits{})
	if err != nil {
		return nil, err
	}
	b := &book{pkg: pkg, items: map[string]item{}, sheets: map[string]string{}}
	for _, step := range []func() error{b.recognise, b.readContainer, b.readPackage, b.readEncryption} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// recognise tells a book from other archives: by what it says it is, and where it says nothing, as many
// books that were packed by hand do, by its container.
func (b *book) recognise() error {
	stated, ok, err := b.pkg.Bytes("mimetype", 256)
	if err != nil {
		return err
	}
	if ok && strings.TrimSpace(string(stated)) != mediaBook || !ok && !b.pkg.Has(container) {
		return ooxml.Refuse("content_mismatch", "has a name for an EPUB book, but its content is another zip archive")
	}
	return nil
}

func malformed(cause string) error { return ooxml.Refuse("archive_malformed", "%s", cause) }

// readContainer finds the package document: the first that the container names and the archive has.
func (b *book) readContainer() error {
	_, err := b.pkg.Read(container, func(r *ooxml.Reader) error {
		return r.Children(func(e ooxml.Element) error {
			if e.Name != "rootfiles" {
				return nil
			}
			return r.Children(func(e ooxml.Element) error {
				if e.Name != "rootfile" || b.opf != "" || e.Attr("media-type") != mediaOPF {
					return nil
				}
				name, err := b.target("", e.Attr("full-path"))
				if err == nil && b.pkg.Has(name) {
					b.opf = name
				}
				return err
			})
		})
	})
	if err == nil && b.opf == "" {
		err = malformed("is damaged: its archive does not hold the book's package document")
	}
	return err
}

// readPackage reads title, manifest and spine.
func (b *book) readPackage() error {
	dir := folder(b.opf)
	_, err := b.pkg.Read(b.opf, func(r *ooxml.Reader) error {
		if r.Root.Name != "package" {
			return malformed("is damaged: its package document is something else")
		}
		return r.Children(func(e ooxml.Element) error {
			switch e.Name {
			case "metadata":
				return b.readTitle(r)
			case "manifest":
				return r.Children(func(e ooxml.Element) error { return b.readItem(dir, e) })
			case "spine":
				ncx := e.Attr("toc")
				if err := b.readSpine(r); err != nil {
					return err
				}
				b.ncx = b.items[ncx].name
			}
			return nil
		})
	})
	if err == nil && len(b.spine) == 0 {
		err = malformed("is damaged: its package document names no page")
	}
	if b.ncx == "" {
		for _, i := range b.items {
			if i.media == mediaNCX && (b.ncx == "" || i.name < b.ncx) {
				b.ncx = i.name
			}
		}
	}
	return err
}

// readTitle reads the first title, which is the main one. Older books keep it one element deeper.
func (b *book) readTitle(r *ooxml.Reader) error {
	return r.Children(func(e ooxml.Element) error {
		switch {
		case e.Name == "dc-metadata":
			return b.readTitle(r)
		case e.Name == "title" && b.title == "":
			text, err := r.Whole()
			b.title = layout.Name(text)
			return err
		}
		return nil
	})
}

func (b *book) readItem(dir string, e ooxml.Element) error {
	if e.Name != "item" {
		return nil
	}
	name, err := b.target(dir, e.Attr("href"))
	if err != nil {
		return err
	}
	i := item{name: name, media: strings.ToLower(e.Attr("media-type")), fallback: e.Attr("fallback")}
	if id := e.Attr("id"); id != "" {
		b.items[id] = i
	}
	for property := range strings.FieldsSeq(e.Attr("properties")) {
		if property == "nav" && b.nav == "" {
			b.nav = name
		}
	}
	return nil
}

// mostFallbacks bounds how many files may stand in for one another.
const mostFallbacks = 8

// readSpine reads the order of the pages. A page that stands in it again is left out there: its text is
// in the book already.
func (b *book) readSpine(r *ooxml.Reader) error {
	seen := map[string]bool{}
	return r.Children(func(e ooxml.Element) error {
		if e.Name != "itemref" {
			return nil
		}
		i, ok := b.items[e.Attr("idref")]
		for n := 0; ok && !page(i.media) && i.fallback != "" && n < mostFallbacks; n++ {
			i, ok = b.items[i.fallback]
		}
		i.text, i.again = page(i.media), seen[i.name]
		i.aside = strings.EqualFold(e.Attr("linear"), "no")
		seen[i.name] = true
		b.spine = append(b.spine, i)
		return nil
	})
}

// page reports a type of file that is read as a page.
func page(media string) bool {
	switch media {
	case "application/xhtml+xml", "text/html", "text/x-oeb1-document":
		return true
	}
	return false
}

// target returns the name of the file that an address in a folder leads to. An address is written with
// percent signs for what addresses can't hold; some writers forget that.
func (b *book) target(dir, href string) (string, error) {
	href, _, _ = strings.Cut(href, "#")
	if plain, err := url.PathUnescape(href); err == nil && plain != href {
		if name, err := ooxml.Resolve(dir, plain); err != nil || b.pkg.Has(name) {
			return name, err
		}
	}
	return ooxml.Resolve(dir, href)
}

// folder returns the folder of a file, with its slash; "" for the root.
func folder(name string) string {
	dir, _ := path.Split(name)
	return dir
}
