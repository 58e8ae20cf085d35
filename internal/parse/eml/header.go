package eml

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/parse/layout"
)

// header holds the fields of a header that matter here, raw and unfolded, by lower-case name. Of a
// field that is there twice the first counts; addresses are joined.
type header map[string]string

// known lists the fields that are kept. The others cost nothing, however many there are.
func known(name string) bool {
	switch name {
	case "from", "to", "cc", "date", "subject", "sender", "reply-to", "message-id", "received", "return-path", "delivered-to", "mime-version",
		"content-type", "content-transfer-encoding", "content-disposition", "content-id":
		return true
	}
	return false
}

// isMessage reports whether a header is that of a message: it has a field that messages have.
func (h header) isMessage() bool { return len(h) > 0 }

// envelope drops the lines before the header that a mailbox file writes.
func envelope(data []byte) []byte {
	data = bytes.TrimLeft(data, "\r\n")
	for bytes.HasPrefix(data, []byte("From ")) || bytes.HasPrefix(data, []byte(">From ")) {
		_, rest, ok := bytes.Cut(data, []byte("\n"))
		if !ok {
			return data
		}
		data = rest
	}
	return data
}

// splitHeader reads the fields up to the empty line, and returns what follows. Bytes that begin with no
// field have no header: all of them are the body. Where no empty line comes, the body begins with the line after
// the last field.
func splitHeader(data []byte) (header, []byte) {
	h := header{}
	var stray []byte
	for rest, first := data, true; ; first = false {
		line, after, end := nextLine(rest)
		if len(line) == 0 {
			return h, after
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		key := strings.ToLower(strings.TrimRight(string(name[:min(len(name), 80)]), " \t"))
		if ok = ok && fieldName(key); !ok && first {
			return h, data
		}
		switch {
		case ok:
			stray = nil
		case stray == nil:
			stray = rest
		}
		folded := [][]byte{value}
		room := maxField - len(value)
		for !end && len(after) > 0 && (after[0] == ' ' || after[0] == '\t') {
			var more []byte
			more, after, end = nextLine(after)
			if ok && known(key) && room > 0 {
				folded = append(folded, more)
				room -= len(more) + 1
			}
		}
		if ok && known(key) {
			h.keep(key, bytes.Join(folded, nil))
		}
		if end {
			return h, stray
		}
		rest = after
	}
}

func (h header) keep(key string, value []byte) {
	text := strings.TrimSpace(string(value[:min(len(value), maxField)]))
	former, there := h[key]
	switch {
	case !there:
		h[key] = text
	case (key == "to" || key == "cc") && text != "" && len(former) < maxField:
		h[key] = former + ", " + text
	}
}

// nextLine returns a line without its end, and what follows; end says that nothing does.
func nextLine(data []byte) (line, rest []byte, end bool) {
	i := bytes.IndexByte(data, '\n')
	if i < 0 {
		return bytes.TrimSuffix(data, []byte("\r")), nil, true
	}
	return bytes.TrimSuffix(data[:i], []byte("\r")), data[i+1:], false
}

func fieldName(key string) bool {
	if key == "" {
		return false
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] >= 0x7f {
			return false
		}
	}
	return true
}

// words decodes a header value: encoded words (RFC 2047) in any charset that is known, and raw bytes
// above ASCII. Words that follow one another in one charset are decoded together, because many writers
// cut a character in two.
func (m *Message) words(value string) string {
	d := wordDecoder{m: m}
	for value != "" {
		i := strings.Index(value, "=?")
		if i < 0 {
			break
		}
		w, n := encodedWord(value[i:])
		if n == 0 {
			d.plain(value[:i+2])
			value = value[i+2:]
			continue
		}
		d.plain(value[:i])
		d.word(w)
		value = value[i+n:]
	}
	d.plain(value)
	d.flush()
	return layout.Clean(strings.Join(strings.Fields(d.out.String()), " "))
}

// longestWord bounds an encoded word, which RFC 2047 wants to be 75 characters long.
const longestWord = 4096

type encoded struct {
	charset string
	data    []byte
}

// encodedWord reads one word at the beginning of a value; n is 0 if there is none.
func encodedWord(s string) (w encoded, n int) {
	s = s[:min(len(s), longestWord)]
	charset, rest, ok := strings.Cut(s[2:], "?")
	if !ok || len(rest) < 2 || rest[1] != '?' || charset == "" || len(charset) > 60 || strings.ContainsAny(charset, " \t") {
		return w, 0
	}
	text := rest[2:]
	end := strings.Index(text, "?=")
	if end < 0 {
		return w, 0
	}
	w.charset, _, _ = strings.Cut(charset, "*") // a language may follow
	switch rest[0] {
	case 'b', 'B':
		w.data = base64Bytes([]byte(text[:end]))
	case 'q', 'Q':
		// Written out, since a space at the end of a line of a body is no part of it, but one of a word is.
		w.data = quotedPrintable([]byte(strings.ReplaceAll(text[:end], "_", "=20")))
	default:
		return w, 0
	}
	return w, 2 + len(charset) + 3 + end + 2
}

type wordDecoder struct {
	m       *Message
	out     strings.Builder
	pending encoded
	gap     string // white space after the pending word
}

func (d *wordDecoder) plain(s string) {
	if d.pending.data != nil && strings.TrimSpace(s) == "" {
		d.gap += s
		return
	}
	if s == "" {
		return
	}
	d.flush()
	d.out.WriteString(d.m.raw(s))
}

func (d *wordDecoder) word(w encoded) {
	switch {
	case d.pending.data == nil:
	case strings.EqualFold(d.pending.charset, w.charset) && !shifts(w.charset):
		d.pending.data = append(d.pending.data, w.data...)
		d.gap = ""
		return
	default:
		d.gap = "" // white space between two words is no text
		d.flush()
	}
	d.pending = w
	if w.data == nil {
		d.pending.data = []byte{}
	}
}

func (d *wordDecoder) flush() {
	if d.pending.data == nil {
		return
	}
	text, _, ok := d.m.opt.Decode("txt", d.pending.data, d.pending.charset)
	if !ok {
		text = strings.ToValidUTF8(string(d.pending.data), "")
	}
	d.out.WriteString(text)
	d.out.WriteString(d.gap)
	d.pending, d.gap = encoded{}, ""
}

// shifts reports a charset whose words each begin in the state of ASCII.
func shifts(charset string) bool { return strings.HasPrefix(strings.ToLower(charset), "iso-2022-") }

// raw returns header text that is not encoded, whatever its bytes are.
func (m *Message) raw(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if ascii || utf8.ValidString(s) {
		return s
	}
	if text, _, ok := m.opt.Decode("txt", []byte(s), ""); ok {
		return text
	}
	return strings.ToValidUTF8(s, "")
}
