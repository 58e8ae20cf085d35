package eml_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/textproto"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/parse/eml"
)

// sender writes messages with the standard library, and says what a reader has to find in them.
type sender struct {
	*rapid.T
	t       *testing.T
	header  []string // pieces of headers and names of files
	texts   []string // pieces of texts
	files   []string
	written int
}

func (s *sender) word(label string) string {
	return rapid.StringMatching(`[a-z差旅政策é]{1,12}( [a-z0-9上海€]{1,9}){0,3}`).Draw(s.T, label)
}

// encode writes a body in one of the encodings of the way.
func (s *sender) encode(head textproto.MIMEHeader, text string) []byte {
	way := rapid.SampledFrom([]string{"", "8bit", "base64", "quoted-printable"}).Draw(s.T, "way")
	if way != "" {
		head.Set("Content-Transfer-Encoding", way)
	}
	var b bytes.Buffer
	switch way {
	case "base64":
		raw := base64.StdEncoding.EncodeToString([]byte(text))
		for len(raw) > 60 {
			b.WriteString(raw[:60] + "\r\n")
			raw = raw[60:]
		}
		b.WriteString(raw)
	case "quoted-printable":
		w := quotedprintable.NewWriter(&b)
		_, err := w.Write([]byte(text))
		s.must(err)
		s.must(w.Close())
	default:
		b.WriteString(text)
	}
	return b.Bytes()
}

func (s *sender) must(err error) {
	if err != nil {
		s.Fatalf("%v", err)
	}
}

// leaf writes a text of some lines, or a file.
func (s *sender) leaf(part string) (textproto.MIMEHeader, []byte) {
	head := textproto.MIMEHeader{}
	s.written++
	if rapid.IntRange(0, 3).Draw(s.T, "file") == 0 {
		name := s.word("name") + ".bin"
		head.Set("Content-Type", "application/octet-stream")
		head.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
		data := "data " + s.word("data")
		s.header = append(s.header, part+" "+name+": "+name)
		s.files = append(s.files, part+" "+name+": "+data)
		return head, s.encode(head, data)
	}
	head.Set("Content-Type", "text/plain; charset=utf-8")
	var lines []string
	for i := range rapid.IntRange(1, 3).Draw(s.T, "lines") {
		// A number of its own keeps a text from being one that another form has said.
		line := fmt.Sprintf("%s n%dx%d", s.word("line"), s.written, i)
		lines = append(lines, line)
		s.texts = append(s.texts, fmt.Sprintf("%s line %d: %s", part, i+1, line))
	}
	return head, s.encode(head, strings.Join(lines, "\r\n"))
}

// part writes a part that may hold others. Only the outermost may be of one part.
func (s *sender) part(number string, depth int) (textproto.MIMEHeader, []byte) {
	if depth > 2 || rapid.IntRange(0, 2).Draw(s.T, "parts") == 0 {
		if number == "" {
			number = "1"
		}
		return s.leaf(number)
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	kind := rapid.SampledFrom([]string{"mixed", "related", "alternative", "unheard-of"}).Draw(s.T, "kind")
	head := textproto.MIMEHeader{}
	head.Set("Content-Type", mime.FormatMediaType("multipart/"+kind, map[string]string{"boundary": w.Boundary()}))
	for i := range rapid.IntRange(1, 3).Draw(s.T, "children") {
		child := fmt.Sprint(i + 1)
		if number != "" {
			child = number + "." + child
		}
		h, body := s.part(child, depth+1)
		out, err := w.CreatePart(h)
		s.must(err)
		_, err = out.Write(body)
		s.must(err)
	}
	s.must(w.Close())
	return head, b.Bytes()
}

func TestMessagesOfTheStandardLibraryAreReadAsTheyWereMeant(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := &sender{T: rt, t: t}
		subject := s.word("subject")
		head, body := s.part("", 0)
		var b bytes.Buffer
		fmt.Fprintf(&b, "Subject: %s\r\n", rapid.SampledFrom([]mime.WordEncoder{mime.QEncoding, mime.BEncoding}).Draw(rt, "words").Encode("utf-8", subject))
		for key, values := range head {
			fmt.Fprintf(&b, "%s: %s\r\n", key, values[0])
		}
		b.WriteString("\r\n")
		b.Write(body)
		m, err := eml.Open(b.Bytes(), options())
		s.must(err)
		p, err := m.Parse(t.Context())
		s.must(err)
		want := append(append([]string{"Subject: Subject: " + subject}, s.header...), s.texts...)
		if d := cmp.Diff(want, told(p)); d != "" {
			rt.Fatalf("-want +got\n%s\nof\n%s", d, b.String())
		}
		var files []string
		for _, a := range m.Attachments() {
			files = append(files, a.Part+" "+a.Name+": "+string(a.Data()))
		}
		if d := cmp.Diff(s.files, files); d != "" {
			rt.Fatalf("files, -want +got\n%s", d)
		}
	})
}
