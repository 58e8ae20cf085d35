package ooxml

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// Element is the start of an XML element. Space is its namespace.
type Element struct {
	Name, Space string
	attrs       []xml.Attr
}

// Attr returns an attribute by its name, whatever its namespace; "" if there is none.
func (e Element) Attr(name string) string {
	v, _ := e.Lookup(name)
	return v
}

// Lookup returns an attribute by its name, whatever its namespace.
func (e Element) Lookup(name string) (string, bool) {
	for _, a := range e.attrs {
		if a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

// RelationID returns the relation that the element names, in the attribute of that name.
func (e Element) RelationID(name string) string {
	for _, a := range e.attrs {
		if a.Name.Local == name && strings.HasSuffix(a.Name.Space, "/relationships") {
			return a.Value
		}
	}
	return ""
}

// Int returns a whole number of an attribute, or the default if there is none.
func (e Element) Int(name string, missing int) int {
	n, err := strconv.Atoi(e.Attr(name))
	if err != nil {
		return missing
	}
	return n
}

// On reports whether a switch is on: an element without the attribute "val" is.
func (e Element) On() bool {
	switch v, ok := e.Lookup("val"); {
	case !ok:
		return true
	default:
		return v != "0" && v != "false" && v != "off" && v != "none"
	}
}

// Reader reads one part, token by token, within the limits of its package.
type Reader struct {
	// Root is the root element of the part.
	Root  Element
	pkg   *Package
	in    *counting
	xml   *xml.Decoder
	depth int
	alone bool // it is a document of its own
	wide  bool // it is in UTF-16, which its first bytes say, and is decoded before it is read
}

// ErrStop ends the reading of a part early, without an error.
var ErrStop = errors.New("enough of the part was read")

// Read opens a part and hands it over at its root element; false if there is no such part.
func (p *Package) Read(name string, body func(*Reader) error) (bool, error) {
	in, closer, ok, err := p.open(name)
	if err != nil || !ok {
		return ok, err
	}
	defer func() { _ = closer.Close() }() // an archive in memory has nothing to close
	r := &Reader{pkg: p, in: in, alone: p.doctype}
	r.decode(in)
	if p.doctype {
		r.xml.Entity = xml.HTMLEntity
	}
	return true, p.read(r, body)
}

// ReadAlone reads an XML document that is in no package, within the same limits. It may name the type of
// its document, as long as it declares nothing with that; nothing is ever fetched for it.
func ReadAlone(data []byte, limits Limits, body func(*Reader) error) error {
	p := &Package{limits: limits.orDefault()}
	in := &counting{pkg: p, in: bytes.NewReader(data), most: int64(len(data))}
	return p.read(&Reader{pkg: p, in: in, xml: xml.NewDecoder(in), alone: true}, body)
}

// decode sets up the decoder of a part.
func (r *Reader) decode(in io.Reader) {
	buffered := bufio.NewReader(in)
	mark, _ := buffered.Peek(2)
	if r.wide = string(mark) == "\xff\xfe" || string(mark) == "\xfe\xff"; r.wide {
		r.xml = xml.NewDecoder(unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Reader(buffered))
		return
	}
	r.xml = xml.NewDecoder(buffered)
}

// read hands a part over at its root element.
func (p *Package) read(r *Reader, body func(*Reader) error) error {
	r.xml.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		if r.wide {
			return in, nil // it names the encoding that is undone
		}
		e, err := htmlindex.Get(label)
		if err != nil {
			return nil, err
		}
		return e.NewDecoder().Reader(in), nil
	}
	for {
		t, err := r.token()
		if errors.Is(err, io.EOF) {
			return Refuse("xml_malformed", "is damaged: a part of it is empty")
		}
		if err != nil {
			return err
		}
		if e, is := t.(xml.StartElement); is {
			r.Root = element(e)
			err := body(r)
			if errors.Is(err, ErrStop) {
				err = nil
			}
			return err
		}
	}
}

// PartLeftOut is the notice that a part of a document, or the rest of one, could not be read.
const PartLeftOut = "part_left_out"

// ReadOptional reads a part without which the others can be read. Of one that is damaged, what was
// read is kept; that it is, or is not there at all, is a notice. Whatever looks like an attack still
// refuses the file.
func (p *Package) ReadOptional(name string, body func(*Reader) error) error {
	ok, err := p.Read(name, body)
	var r *Refusal
	if errors.As(err, &r) && r.Code == "xml_malformed" {
		ok, err = false, nil
	}
	if err == nil && !ok {
		p.LeaveOut()
	}
	return err
}

// LeaveOut notes that a part is left out.
func (p *Package) LeaveOut() { p.partial = true }

// Notices are what is to be said of the document, by what was read of it so far.
func (p *Package) Notices() []string {
	if p.partial {
		return []string{PartLeftOut}
	}
	return nil
}

func element(e xml.StartElement) Element { return Element{e.Name.Local, e.Name.Space, e.Attr} }

// token returns the next token. The nesting is counted here: the decoder keeps a stack of it, and
// callers recurse by it.
func (r *Reader) token() (xml.Token, error) {
	r.in.since = 0
	if r.pkg.tokens++; r.pkg.tokens > r.pkg.limits.Tokens {
		return nil, Refuse("xml_token_limit", "has more than the %d XML tokens that are allowed", r.pkg.limits.Tokens)
	}
	t, err := r.xml.Token()
	if err != nil {
		return nil, r.fault(err)
	}
	switch t := t.(type) {
	case xml.StartElement:
		if r.depth++; r.depth > r.pkg.limits.Depth {
			return nil, Refuse("xml_depth_limit", "has XML elements nested more than %d deep", r.pkg.limits.Depth)
		}
	case xml.EndElement:
		r.depth--
	case xml.Directive:
		switch {
		case !r.alone:
			return nil, Refuse("xml_doctype", "has a document type declaration, which no office document has")
		case r.depth > 0 || bytes.IndexByte(t, '[') >= 0 || !bytes.HasPrefix(t, []byte("DOCTYPE")):
			return nil, Refuse("xml_doctype", "declares entities or other things of a document type, which are not read")
		}
	}
	return t, nil
}

// fault tells what ended the reading.
func (r *Reader) fault(err error) error {
	if r.in.err != nil {
		return r.in.err
	}
	if errors.Is(err, io.EOF) && r.depth == 0 {
		return io.EOF
	}
	return Refuse("xml_malformed", "is damaged: a part of it is no well-formed XML")
}

// Children calls visit for each child of the element whose start was read last. What a visit leaves
// unread of its element is skipped.
func (r *Reader) Children(visit func(Element) error) error {
	return r.Content(visit, nil)
}

// Content reads the rest of an element: its children and its text, in the order of the file.
func (r *Reader) Content(visit func(Element) error, text func([]byte)) error {
	inside := r.depth
	for {
		t, err := r.token()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return r.fault(io.ErrUnexpectedEOF)
			}
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if err := visit(element(t)); err != nil {
				return err
			}
			for r.depth > inside {
				if _, err := r.token(); err != nil {
					return err
				}
			}
		case xml.CharData:
			if text != nil {
				text(t)
			}
		case xml.EndElement:
			if r.depth < inside {
				return nil
			}
		}
	}
}

// Text returns the text of the element whose start was read last, without that of its children.
func (r *Reader) Text() (string, error) {
	var b strings.Builder
	err := r.Content(func(Element) error { return nil }, func(t []byte) { b.Write(t) })
	return b.String(), err
}

// Mixed reads the text of the element whose start was read last, and calls visit for its children.
func (r *Reader) Mixed(visit func(Element) error) (string, error) {
	var b strings.Builder
	err := r.Content(visit, func(t []byte) { b.Write(t) })
	return b.String(), err
}

// Whole returns the text of the element whose start was read last, with that of all elements in it.
func (r *Reader) Whole() (string, error) {
	var b strings.Builder
	err := r.Content(func(Element) error {
		inside, err := r.Whole()
		b.WriteString(inside)
		return err
	}, func(t []byte) { b.Write(t) })
	return b.String(), err
}

// Alternative visits the content of an mc:AlternateContent once: that of the first choice, or of the
// fallback where there is no choice. Both say the same in different forms.
func (r *Reader) Alternative(visit func(Element) error) error {
	taken := false
	return r.Children(func(e Element) error {
		if taken || e.Name != "Choice" && e.Name != "Fallback" {
			return nil
		}
		taken = true
		return r.Children(visit)
	})
}
