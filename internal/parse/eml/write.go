package eml

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/progress"
	"github.com/kaoju/kaoju/internal/problem"
)

// writer puts the texts of a message one after the other.
type writer struct {
	ctx    context.Context
	m      *Message
	limits layout.Limits
	text   []byte
	n      int // code points in text
	places int
	blocks []corpus.Block
	// contents counts the blocks that are no header.
	contents int
	// read counts the texts that were read, of as many as there are.
	read, texts int
}

// message writes a message: its header, the names of its files, and its texts. path holds the subjects
// of the messages around it, and its own if it is inside another.
func (w *writer) message(n *node, path []string) error {
	inside := n.part != ""
	if inside && n.head.subject != "" {
		path = under(path, n.head.subject)
	}
	if err := w.header(n, path, inside); err != nil {
		return err
	}
	if err := w.files(n, path); err != nil {
		return err
	}
	return w.parts(n.children[0], path, nil)
}

// under returns a path with one more name, and leaves the path as it is.
func under(path []string, name string) []string {
	return append(append(make([]string, 0, len(path)+1), path...), layout.Name(name))
}

// header writes the fields that a reader sees, one a line. The subject of a message inside another is
// the heading of what follows.
func (w *writer) header(n *node, path []string, inside bool) error {
	place := func(field string) corpus.EMLLocator {
		return corpus.EMLLocator{Heading: named(path), Header: field, Part: n.part}
	}
	if inside && n.head.subject != "" {
		if err := w.add(corpus.Heading, len(path), path, []line{{n.head.subject, place("Subject")}}, false); err != nil {
			return err
		}
	}
	var lines []line
	for _, f := range []struct{ name, value string }{
		{"Subject", n.head.subject}, {"From", n.head.from}, {"To", n.head.to}, {"Cc", n.head.cc}, {"Date", n.head.date},
	} {
		if f.value != "" && (f.name != "Subject" || !inside) {
			lines = append(lines, line{f.name + ": " + f.value, place(f.name)})
		}
	}
	return w.add(corpus.Paragraph, 0, path, lines, false)
}

// files lists the files of a message by name, without those of messages inside it.
func (w *writer) files(n *node, path []string) error {
	tight := false
	var list func(*node) error
	list = func(n *node) error {
		if n.kind == nested {
			return nil
		}
		if n.name != "" && (n.kind == file || n.kind == body) {
			at := corpus.EMLLocator{Heading: named(path), Part: n.part, ContentType: n.media, Attachment: n.name}
			if err := w.add(corpus.ListItem, 1, path, []line{{n.name, at}}, tight); err != nil {
				return err
			}
			tight = true
			w.contents++
		}
		for _, c := range n.children {
			if err := list(c); err != nil {
				return err
			}
		}
		return nil
	}
	return list(n.children[0])
}

// parts writes the texts of a part. said holds what other forms of it have said already; nil where there
// are none.
func (w *writer) parts(n *node, path []string, said *words) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	switch n.kind {
	case nested:
		return w.message(n, path)
	case body:
		return w.body(n, path, said)
	case sealed:
		w.m.notice(Encrypted)
	case unread:
		if !strings.HasPrefix(n.media, "image/") && !strings.HasSuffix(n.media, "-signature") && n.media != "text/rfc822-headers" && said == nil {
			w.m.notice(LeftOut)
		}
	case choice:
		if said == nil {
			said = &words{}
		}
		fallthrough
	case container:
		for _, c := range n.children {
			if err := w.parts(c, path, said); err != nil {
				return err
			}
			if n.kind == choice {
				said.settle()
			}
		}
	}
	return nil
}

// body writes a text.
func (w *writer) body(n *node, path []string, said *words) error {
	progress.Tell(w.ctx, w.read, w.texts)
	w.read++
	format := "txt"
	if n.media == "text/html" {
		format = "html"
	}
	text, ok, err := w.decoded(n, format)
	if err != nil {
		return err
	}
	if !ok {
		w.m.notice(LeftOut)
		return nil
	}
	parsed, err := w.m.opt.Read(format, text)
	switch {
	case problem.Is(err, problem.Invalid): // what can't be read does not stand in the way of the rest
		w.m.notice(LeftOut)
		return nil
	case err != nil:
		return err
	}
	if n.name != "" {
		path, said = under(path, n.name), nil
	}
	return w.embed(n, path, parsed, said)
}

// decoded returns the text of a part as it is read, with ends of lines as LF; false if it is no text.
func (w *writer) decoded(n *node, format string) (string, bool, error) {
	data := n.content()
	if len(data) > 2*w.limits.Bytes {
		return "", false, layout.ErrFull
	}
	text, repaired, ok := w.m.opt.Decode(format, data, n.charset)
	switch {
	case !ok:
		return "", false, nil
	case len(text) > w.limits.Bytes:
		return "", false, layout.ErrFull
	case repaired:
		w.m.notice(Repaired)
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(text)
	if n.flowed && format == "txt" {
		text = unflow(text, n.delsp)
	}
	return text, true, nil
}

// line is a line of a block with its place.
type line struct {
	text string
	at   corpus.EMLLocator
}

// add puts a block of lines down.
func (w *writer) add(kind corpus.BlockKind, level int, path []string, lines []line, tight bool) error {
	if len(lines) == 0 {
		return nil
	}
	b := corpus.Block{Kind: kind, Level: level, Head: -1, HeadingPath: named(path)}
	w.begin(tight)
	b.Span.Start = w.n
	for i, l := range lines {
		if i > 0 {
			w.write("\n")
		}
		start := w.n
		w.write(layout.Clean(l.text))
		b.Segments = append(b.Segments, corpus.Segment{Span: corpus.Span{Start: start, End: w.n}, Locator: l.at})
	}
	b.Span.End = w.n
	return w.put(b)
}

// embed puts the blocks of a text down, apart from those that were said already.
func (w *writer) embed(n *node, path []string, parsed corpus.Parsed, said *words) error {
	runes := []rune(parsed.Text)
	keep := unsaid(parsed.Blocks, runes, said)
	moved := make([]int, len(parsed.Blocks)) // the new number of each block, -1 for one that was left out
	end := 0                                 // of the last block that was put down, in the part
	for i, b := range parsed.Blocks {
		moved[i] = -1
		if !keep[i] {
			continue
		}
		if i > 0 && keep[i-1] {
			w.write(string(runes[end:b.Span.Start]))
		} else {
			w.begin(false)
		}
		end = b.Span.End
		by := w.n - b.Span.Start
		w.write(string(runes[b.Span.Start:b.Span.End]))
		if b.Head >= 0 {
			b.Head = moved[b.Head]
		}
		b.Span = corpus.Span{Start: b.Span.Start + by, End: b.Span.End + by}
		b.HeadingPath = named(path, b.HeadingPath...)
		if b.Kind == corpus.Heading {
			b.Level += len(path)
		}
		segments := make([]corpus.Segment, len(b.Segments))
		for k, s := range b.Segments {
			segments[k] = corpus.Segment{Span: corpus.Span{Start: s.Span.Start + by, End: s.Span.End + by}, Locator: n.place(s.Locator, b.HeadingPath)}
		}
		b.Segments = segments
		moved[i] = len(w.blocks)
		w.contents++
		if err := w.put(b); err != nil {
			return err
		}
	}
	return nil
}

// unsaid tells which blocks of a text say something that was not said, and the heads of their tables.
func unsaid(blocks []corpus.Block, runes []rune, said *words) []bool {
	keep := make([]bool, len(blocks))
	for i, b := range blocks {
		keep[i] = !said.have(string(runes[b.Span.Start:b.Span.End]))
		if keep[i] && b.Head >= 0 {
			keep[b.Head] = true
		}
	}
	return keep
}

// place is the place in the message of a place in the text of a part.
func (n *node) place(in corpus.Locator, path []string) corpus.Locator {
	at := corpus.EMLLocator{Heading: path, Part: n.part, ContentType: n.media, Attachment: n.name}
	if t, ok := in.(corpus.TextLocator); ok {
		at.Line, at.LineEnd, at.Char, at.Element = t.Line, t.LineEnd, t.Char, t.Element
	}
	return at
}

// named returns a path that is never nil and shares nothing that changes.
func named(path []string, more ...string) []string {
	return append(append(make([]string, 0, len(path)+len(more)), path...), more...)
}

func (w *writer) begin(tight bool) {
	switch {
	case len(w.blocks) == 0:
	case tight:
		w.write("\n")
	default:
		w.write("\n\n")
	}
}

func (w *writer) write(s string) {
	w.text = append(w.text, s...)
	w.n += utf8.RuneCountInString(s)
}

func (w *writer) put(b corpus.Block) error {
	for _, s := range b.Segments {
		w.places += layout.Weight(s.Locator)
	}
	if w.places > w.limits.Places || len(w.text) > w.limits.Bytes {
		return layout.ErrFull
	}
	w.blocks = append(w.blocks, b)
	return nil
}
