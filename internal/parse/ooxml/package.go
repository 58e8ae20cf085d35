// Package ooxml opens office documents, and books: a zip archive of XML parts that refer to each other.
// It takes nothing on trust. Sizes and counts in headers are ignored, bytes are counted as they come,
// names are labels and never paths, relations lead to parts of the same package only, and a part of an
// office document with a document type declaration is refused, as is any whose declaration declares
// something.
package ooxml

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/kaoju/kaoju/internal/parse/archive"
)

// Limits bound what one package may cost. A zero field means its default.
type Limits struct {
	Entries  int   // entries of the archive; default 2,000
	Expanded int64 // bytes of all parts that are read, together; default 128 MiB
	Ratio    int64 // expanded bytes of a part to one byte in the archive; default 200
	Depth    int   // nested elements; default 256
	Tokens   int   // of all parts; default 5,000,000
	Token    int64 // bytes of the archive's text between two tokens; default 16 MiB
}

func (l Limits) orDefault() Limits {
	set := func(field *int, value int) {
		if *field <= 0 {
			*field = value
		}
	}
	large := func(field *int64, value int64) {
		if *field <= 0 {
			*field = value
		}
	}
	set(&l.Entries, 2000)
	set(&l.Depth, 256)
	set(&l.Tokens, 5_000_000)
	large(&l.Expanded, 128<<20)
	large(&l.Ratio, 200)
	large(&l.Token, 16<<20)
	return l
}

// Refusal is why a file can't be read: a stable code, and a cause that continues "The file NAME …".
type Refusal = archive.Refusal

// Refuse makes a Refusal.
func Refuse(code, cause string, args ...any) error { return archive.Refuse(code, cause, args...) }

// Package is an opened document.
type Package struct {
	limits   Limits
	parts    map[string]*zip.File // by name in lower case
	expanded int64
	tokens   int
	partial  bool
	doctype  bool // parts may have a document type declaration
	// Main is the name of the part that the document is about.
	Main string
}

const (
	zipMagic = "PK\x03\x04"
	oleMagic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
)

// Open opens a package and finds its main part, which must be an XML document whose root element
// has one of the names: "document", "workbook" or "presentation".
func Open(data []byte, root string, limits Limits) (*Package, error) {
	if bytes.HasPrefix(data, []byte(oleMagic)) {
		if bytes.Contains(data, wide("EncryptedPackage")) {
			return nil, Refuse("document_encrypted", "is encrypted: it opens with a password only")
		}
		return nil, Refuse("content_mismatch", "has a name for a present office document, but its content is an old one")
	}
	p, err := unpack(data, "an office document", limits)
	if err != nil {
		return nil, err
	}
	if err := p.findMain(root); err != nil {
		return nil, err
	}
	return p, nil
}

// Unpack opens an archive of parts that is no office document, and that messages call by the name. Its
// parts may have a document type declaration, as long as that declares nothing: it is not followed, and
// of named characters only those of HTML are known.
func Unpack(data []byte, name string, limits Limits) (*Package, error) {
	p, err := unpack(data, name, limits)
	if err == nil {
		p.doctype = true
	}
	return p, err
}

func unpack(data []byte, name string, limits Limits) (*Package, error) {
	l := limits.orDefault()
	if !bytes.HasPrefix(data, []byte(zipMagic)) {
		return nil, Refuse("content_mismatch", "has a name for %s, but its content is something else", name)
	}
	entries, err := archive.Open(data, archive.Options{Entries: l.Entries, Fold: true})
	if err != nil {
		return nil, err
	}
	p := &Package{limits: l, parts: make(map[string]*zip.File, len(entries))}
	for _, e := range entries {
		if e.Encrypted() {
			return nil, Refuse("document_encrypted", "is an archive with encrypted entries")
		}
		p.parts[strings.ToLower(e.Name)] = e.File
	}
	return p, nil
}

// wide returns ASCII text as UTF-16, as names stand in OLE files.
func wide(s string) []byte {
	var b []byte
	for i := range len(s) {
		b = append(b, s[i], 0)
	}
	return b
}

// Has reports whether the package has a part.
func (p *Package) Has(name string) bool { return p.parts[strings.ToLower(name)] != nil }

// counting reads a part and stops at the limits.
type counting struct {
	pkg        *Package
	in         io.Reader
	read, most int64
	since      int64 // bytes since the last token
	err        error
}

func (c *counting) Read(b []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	if len(b) > 32<<10 {
		b = b[:32<<10]
	}
	n, err := c.in.Read(b)
	c.read += int64(n)
	c.since += int64(n)
	c.pkg.expanded += int64(n)
	switch {
	case c.pkg.expanded > c.pkg.limits.Expanded, c.read > c.most, c.since > c.pkg.limits.Token:
		c.err = archive.TooLarge()
		return 0, c.err
	case errors.Is(err, io.EOF):
	case err != nil:
		c.err = archive.Malformed("is damaged: a part of it does not hold what the archive says")
		return n, c.err
	}
	return n, err
}

// open opens a part; false if there is none.
func (p *Package) open(name string) (*counting, io.Closer, bool, error) {
	f := p.parts[strings.ToLower(name)]
	if f == nil {
		return nil, nil, false, nil
	}
	in, err := f.Open()
	if err != nil {
		return nil, nil, true, archive.Malformed("is damaged, or packed in a way that is not usual")
	}
	return &counting{pkg: p, in: in, most: archive.Most(f, p.limits.Ratio)}, in, true, nil
}

// Bytes returns a part whole, if it is not longer than the limit.
func (p *Package) Bytes(name string, most int64) ([]byte, bool, error) {
	in, closer, ok, err := p.open(name)
	if err != nil || !ok {
		return nil, ok, err
	}
	defer func() { _ = closer.Close() }() // an archive in memory has nothing to close
	b, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(b)) > most {
		err = Refuse("archive_expansion_limit", "holds a part of more than the %d bytes that are allowed", most)
	}
	return b, true, err
}

// Relation is a part's reference to another one of the package.
type Relation struct {
	ID     string
	Type   string // the last step of its type, such as "header"
	Target string // name of a part
}

// Relations returns the references of a part in the order of the file. What lies outside the
// package is left out: nothing outside is ever opened.
func (p *Package) Relations(part string) ([]Relation, error) {
	dir, base := path.Split(part)
	var out []Relation
	_, err := p.Read(dir+"_rels/"+base+".rels", func(r *Reader) error {
		return r.Children(func(e Element) error {
			if e.Name != "Relationship" || strings.EqualFold(e.Attr("TargetMode"), "External") {
				return nil
			}
			target, err := Resolve(dir, e.Attr("Target"))
			if err != nil {
				return err
			}
			kind := e.Attr("Type")
			out = append(out, Relation{e.Attr("Id"), kind[strings.LastIndexByte(kind, '/')+1:], target})
			return nil
		})
	})
	return out, err
}

// Resolve returns the name of the part that a reference from a folder leads to, "" for one that leads to
// none. The folder ends with a slash, but for the root, which is "". One that leads out of the package
// refuses the file.
func Resolve(dir, target string) (string, error) {
	target, _, _ = strings.Cut(strings.ReplaceAll(target, `\`, "/"), "#")
	if target == "" {
		return "", nil
	}
	name := dir + target
	if strings.HasPrefix(target, "/") {
		name = target[1:]
	}
	depth := 0
	for step := range strings.SplitSeq(name, "/") {
		switch step {
		case "", ".":
		case "..":
			depth--
		default:
			depth++
		}
		if depth < 0 {
			return "", Refuse("archive_bad_name", "refers to a part outside itself")
		}
	}
	return path.Clean(name), nil
}

// findMain follows the package's relation to its main part, or takes the usual name.
func (p *Package) findMain(root string) error {
	relations, err := p.Relations("")
	if err != nil {
		return err
	}
	usual := map[string]string{"document": "word/document.xml", "workbook": "xl/workbook.xml", "presentation": "ppt/presentation.xml"}
	p.Main = usual[root]
	for _, r := range relations {
		if r.Type == "officeDocument" && p.Has(r.Target) {
			p.Main = r.Target
			break
		}
	}
	for kind, name := range usual {
		if kind != root && p.Has(name) && !p.Has(p.Main) {
			return Refuse("content_mismatch", "has a name for one kind of office document, but its content is another")
		}
	}
	if !p.Has(p.Main) {
		if len(relations) == 0 && !p.Has("[Content_Types].xml") {
			return Refuse("content_mismatch", "has a name for an office document, but its content is another zip archive")
		}
		return archive.Malformed("is damaged: its archive does not hold the document itself")
	}
	found := ""
	if _, err := p.Read(p.Main, func(r *Reader) error { found = r.Root.Name; return nil }); err != nil {
		return err
	}
	if found != root {
		return Refuse("content_mismatch", "has a name for one kind of office document, but its content is another")
	}
	return nil
}
