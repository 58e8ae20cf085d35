// Package eml reads e-mail messages (RFC 5322 with MIME): the header fields that a reader sees, the
// text of the body, texts that are attached, messages inside the message, and the names of all files
// that come with it.
//
// A message is a tree of parts, numbered as IMAP does. Of a text in several forms the first is read,
// and of the others what the first does not say, so that nothing is there twice and nothing is lost.
// Files other than plain text and HTML are no text of the message: Attachments gives them, each to
// become a document of its own. Nothing is fetched, and no name leads anywhere.
//
// Mail is seldom well formed. What can be understood is read: raw 8-bit headers, broken encodings,
// parts without an end. Depth and number of parts are bounded.
package eml

import (
	"bytes"
	"context"
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/problem"
)

// Notices that reading a message can leave.
const (
	// Encrypted says that something in the message can only be read with a key.
	Encrypted = "encrypted_content"
	// LeftOut says that a part of the message is neither text that can be read nor a file.
	LeftOut = "part_left_out"
	// Repaired says that some bytes did not fit the encoding, as of any text.
	Repaired = "encoding_repaired"
)

// The bounds of one message.
const (
	maxDepth = 32      // of parts inside parts
	maxParts = 1000    // in all
	maxField = 1 << 17 // bytes of one header field that are looked at
)

// Options say how texts are read and what they may cost.
type Options struct {
	Layout layout.Limits
	// Decode turns bytes into text: kind is "txt" or "html", charset the declared one or "". repaired
	// says that some bytes did not fit, ok is false for bytes that are no text.
	Decode func(kind string, data []byte, charset string) (text string, repaired, ok bool)
	// Read reads a decoded text, "txt" or "html", whose places are corpus.TextLocator. problem.Invalid is
	// for a text that can't be read, layout.ErrFull for one with more in it than the limits allow.
	Read func(kind, text string) (corpus.Parsed, error)
}

// Message is an opened message. It holds the bytes it was made of.
type Message struct {
	opt   Options
	root  *node
	parts int
	// notices found while it was opened and read.
	notices []string
}

// Open takes a message apart. Bytes that are no message are problem.Invalid "content_mismatch", one of
// too many parts or levels "mime_part_limit" or "mime_depth_limit".
func Open(data []byte, opt Options) (*Message, error) {
	m := &Message{opt: opt}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	head, body := splitHeader(envelope(data))
	if !head.isMessage() {
		return nil, refuse("content_mismatch", "has a name for an e-mail message, but its content is none")
	}
	root, err := m.message(head, body, "", 0)
	if err != nil {
		return nil, err
	}
	m.root = root
	return m, nil
}

// Parse reads the text of the message.
func (m *Message) Parse(ctx context.Context) (corpus.Parsed, error) {
	w := &writer{ctx: ctx, m: m, limits: m.opt.Layout}
	m.root.walk(func(n *node) {
		if n.kind == body {
			w.texts++
		}
	})
	if err := w.message(m.root, nil); err != nil {
		return corpus.Parsed{}, err
	}
	if w.contents == 0 && slices.Contains(m.notices, Encrypted) {
		w.blocks, w.text = nil, nil // a header alone is not what the message says
	}
	return corpus.Parsed{Title: layout.Name(m.root.head.subject), Text: string(w.text), Blocks: w.blocks, Notices: m.notices}, nil
}

// Attachment is a file that came with a message and is not read as part of it.
type Attachment struct {
	Part      string // as in locators
	Name      string // never empty, without folders
	MediaType string // as it was declared
	node      *node
}

// Data returns the bytes of the file.
func (a Attachment) Data() []byte { return a.node.content() }

// Attachments returns the files of the message and of messages inside it, in order.
func (m *Message) Attachments() []Attachment {
	var out []Attachment
	m.root.walk(func(n *node) {
		if n.kind == file {
			out = append(out, Attachment{Part: n.part, Name: n.name, MediaType: n.media, node: n})
		}
	})
	return out
}

func (m *Message) notice(code string) {
	if !slices.Contains(m.notices, code) {
		m.notices = append(m.notices, code)
	}
}

func refuse(code, cause string, args ...any) error {
	return problem.New(problem.Invalid, code, cause, args...)
}
