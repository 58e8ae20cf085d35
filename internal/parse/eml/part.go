package eml

import (
	"bytes"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/parse/layout"
)

// kind is what is done with a part.
type kind uint8

const (
	container kind = iota // parts, one after the other
	choice                // parts that say the same in several forms
	nested                // a message
	body                  // text of the message
	file                  // a file of its own
	unread                // what no reader shows
	sealed                // what takes a key
)

// node is a part of a message.
type node struct {
	kind     kind
	part     string // its number; "" for the message itself
	media    string // type and subtype, in lower case
	charset  string
	encoding string // of the way, in lower case
	name     string // of a file or an attached text
	flowed   bool
	delsp    bool
	body     []byte // still encoded
	head     fields // of a message
	children []*node
}

// fields are the fields of a header that a reader sees, decoded.
type fields struct{ subject, from, to, cc, date string }

// walk calls do for every part, a part before those in it.
func (n *node) walk(do func(*node)) {
	do(n)
	for _, c := range n.children {
		c.walk(do)
	}
}

// message takes a message apart. part is "" for the outermost one.
func (m *Message) message(h header, data []byte, part string, depth int) (*node, error) {
	n := &node{kind: nested, part: part, media: "message/rfc822", head: fields{
		subject: m.words(h["subject"]), from: m.words(h["from"]), to: m.words(h["to"]), cc: m.words(h["cc"]), date: m.words(h["date"]),
	}}
	own := part // of its body, where that is no multipart
	if !strings.HasPrefix(m.structured(h["content-type"]).word, "multipart/") {
		own = child(part, 1)
	}
	c, err := m.node(h, data, own, "text/plain", depth+1)
	n.children = []*node{c}
	return n, err
}

// child numbers a part inside another.
func child(part string, i int) string {
	if part == "" {
		return strconv.Itoa(i)
	}
	return part + "." + strconv.Itoa(i)
}

// node reads one part. fallback is its type where none is stated.
func (m *Message) node(h header, data []byte, part, fallback string, depth int) (*node, error) {
	if m.parts++; m.parts > maxParts {
		return nil, refuse("mime_part_limit", "has more than %d parts", maxParts)
	}
	if depth > maxDepth {
		return nil, refuse("mime_depth_limit", "has parts inside more than %d others", maxDepth)
	}
	t, disposition := m.structured(h["content-type"]), m.structured(h["content-disposition"])
	n := &node{
		part: part, media: t.word, body: data, charset: t.params["charset"],
		encoding: strings.ToLower(strings.TrimSpace(h["content-transfer-encoding"])),
		flowed:   strings.EqualFold(t.params["format"], "flowed"), delsp: strings.EqualFold(t.params["delsp"], "yes"),
	}
	if strings.Count(n.media, "/") != 1 {
		n.media = fallback
	}
	if n.name = fileName(disposition.params["filename"]); n.name == "" {
		n.name = fileName(t.params["name"])
	}
	switch {
	case n.media == "multipart/encrypted" || encrypted(n.media, t.params["smime-type"]):
		n.kind = sealed
		return n, nil
	case strings.HasPrefix(n.media, "multipart/"):
		return n, m.multipart(n, t.params["boundary"], depth)
	case n.media == "message/rfc822" || n.media == "message/global":
		return m.inner(n, depth)
	}
	n.kind = m.leaf(n, disposition.word, h["content-id"] != "")
	return n, nil
}

// multipart reads the parts of a part. One without any boundary in it is text, as old readers show it.
func (m *Message) multipart(n *node, boundary string, depth int) error {
	n.kind = container
	if n.media == "multipart/alternative" {
		n.kind = choice
	}
	fallback := "text/plain"
	if n.media == "multipart/digest" {
		fallback = "message/rfc822"
	}
	i := 0
	err := split(n.body, boundary, func(data []byte) error {
		i++
		h, rest := splitHeader(data)
		c, err := m.node(h, rest, child(n.part, i), fallback, depth+1)
		n.children = append(n.children, c)
		return err
	})
	if err == nil && i == 0 {
		n.kind, n.media = body, "text/plain"
		if n.part == "" {
			n.part = "1"
		}
	}
	return err
}

// inner reads a message that is a part. What is none is a file.
func (m *Message) inner(n *node, depth int) (*node, error) {
	h, rest := splitHeader(envelope(n.content()))
	if !h.isMessage() {
		n.kind = file
		n.label()
		return n, nil
	}
	return m.message(h, rest, n.part, depth)
}

// leaf says what is done with a part that holds no others, and names it if it is a file.
func (m *Message) leaf(n *node, disposition string, hasID bool) kind {
	switch {
	case strings.HasSuffix(n.media, "-signature") || n.media == "text/rfc822-headers":
		return unread // signatures, which only programs read, and what a report repeats
	case n.media == "text/plain" || n.media == "text/html":
		switch strings.ToLower(path.Ext(n.name)) {
		case "", ".txt", ".text", ".htm", ".html":
			if bytes.HasPrefix(bytes.TrimSpace(n.body), []byte("-----BEGIN PGP MESSAGE-----")) {
				return sealed
			}
			return body
		}
	case n.media == "message/delivery-status" || n.media == "message/disposition-notification":
		return body
	case strings.HasPrefix(n.media, "image/") && hasID && disposition != "attachment":
		return unread // a picture that the HTML shows
	case strings.HasPrefix(n.media, "text/") && n.name == "" && disposition != "attachment":
		return unread // another form of the text, such as an invitation for calendars
	}
	n.label()
	return file
}

// label gives a file without a name one by its number, without a dot: what follows one is read as the
// kind of the file.
func (n *node) label() {
	if n.name == "" {
		n.name = "part-" + strings.ReplaceAll(n.part, ".", "-")
	}
}

func encrypted(media, smime string) bool {
	if media != "application/pkcs7-mime" && media != "application/x-pkcs7-mime" {
		return false
	}
	return !strings.EqualFold(smime, "signed-data") && !strings.EqualFold(smime, "certs-only")
}

// fileName returns a file's name without folders and without characters that steer what shows them.
func fileName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return -1
		}
		return r
	}, name)
	if name = layout.Name(name); strings.Trim(name, ". ") == "" {
		return ""
	}
	return name
}

// split calls do with what stands between the lines of a boundary, without the line end before each.
// What stands before the first and after the last one is for old readers.
func split(data []byte, boundary string, do func([]byte) error) error {
	boundary = strings.TrimRight(boundary, " \t")
	if boundary == "" {
		return nil
	}
	mark := []byte("--" + boundary)
	open, start := false, 0
	for at := 0; at <= len(data); {
		i := bytes.Index(data[at:], mark)
		if i < 0 {
			break
		}
		i += at
		if i > 0 && data[i-1] != '\n' { // before anything else: one line may hold millions of them
			at = i + len(mark)
			continue
		}
		line, rest, _ := nextLine(data[i:])
		next := len(data) - len(rest)
		tail := bytes.TrimRight(line[len(mark):], " \t")
		last := string(tail) == "--"
		if len(tail) > 0 && !last {
			at = i + len(mark)
			continue
		}
		if open {
			if err := do(data[start:max(start, lineEnd(data, i))]); err != nil {
				return err
			}
		}
		if open, start, at = !last, next, next; last {
			return nil
		}
	}
	if open && start < len(data) {
		return do(data[start:])
	}
	return nil
}

// lineEnd returns where the line ends that stands before a place.
func lineEnd(data []byte, i int) int {
	if i > 0 && data[i-1] == '\n' {
		i--
		if i > 0 && data[i-1] == '\r' {
			i--
		}
	}
	return i
}
