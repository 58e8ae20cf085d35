package eml_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/eml"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/problem"
)

// deep nests multiparts.
func deep(levels int) []byte {
	var b bytes.Buffer
	b.WriteString("Subject: s\n")
	for i := range levels {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	b.WriteString("\ntext")
	return b.Bytes()
}

func TestDepthAndNumberOfPartsAreBounded(t *testing.T) {
	for _, c := range []struct {
		name, code string
		data       []byte
	}{
		{"600 levels", "mime_depth_limit", deep(600)},
		{"messages inside messages", "mime_depth_limit", []byte("Subject: s\n" + strings.Repeat("Content-Type: message/rfc822\n\nSubject: s\n", 40) + "\nx")},
		{"2,000 parts", "mime_part_limit", []byte("Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", 2000))},
		{"a boundary without end", "mime_part_limit", []byte("Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n", 1_000_000))},
	} {
		_, err := eml.Open(c.data, options())
		if problem.CodeOf(err) != c.code || !problem.Is(err, problem.Invalid) {
			t.Errorf("%s: %v, want %s", c.name, err, c.code)
		}
	}
	tells(t, deep(20), "Subject: Subject: s", strings.Repeat("1.", 19)+"1 line 1: text")
}

func TestBoundariesThatNeverEndAreRead(t *testing.T) {
	long := strings.Repeat("-", 900_000)
	tells(t, []byte("Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b"+long+"\n\nx"), "Subject: Subject: s", "1 line 1: --b"+long, "1 line 3: x")
	tells(t, []byte("Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx"), "Subject: Subject: s", "1 line 1: x")
	tells(t, []byte("Subject: s\nContent-Type: multipart/mixed; boundary=\n\nno part"), "Subject: Subject: s", "1 line 1: no part")
	tells(t, []byte("Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--bb\n\n--b\n\nx --b\n--bc\n--b --\n--b--\nout\n--b\n\nlate"),
		"Subject: Subject: s", "1 line 1: x --b", "1 line 2: --bc", "1 line 3: --b --")
}

func TestMoreTextThanIsAllowedIsFull(t *testing.T) {
	opt := options()
	opt.Layout = layout.Limits{Places: 50, Bytes: 1000}
	for name, body := range map[string]string{"places": strings.Repeat("a\n", 60), "bytes": strings.Repeat("a", 1500), "bytes before decoding": strings.Repeat("=\n", 3000)} {
		m, err := eml.Open([]byte("Subject: s\n\n"+body), opt)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Parse(context.Background()); !errors.Is(err, layout.ErrFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := opened(t, mail("Subject: s", "", "x")).Parse(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func FuzzMessage(f *testing.F) {
	f.Add(mail("Subject: =?utf-8?q?a?=", "Content-Type: multipart/alternative; boundary=x", "", "--x", "", "a", "--x", "Content-Type: text/html", "", "b", "--x--"))
	f.Add(mail("From: a", "Content-Type: multipart/mixed; boundary=x", "", "--x", "Content-Type: message/rfc822", "", "Subject: b", "", "c", "--x",
		"Content-Disposition: attachment; filename*0*=utf-8''%41; filename*1=b", "Content-Transfer-Encoding: base64", "", "QQ==", "--x"))
	f.Add(deep(5))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := eml.Open(data, options())
		if err != nil {
			if !problem.Is(err, problem.Invalid) {
				t.Fatal(err)
			}
			return
		}
		for _, a := range m.Attachments() {
			if a.Name == "" || strings.ContainsAny(a.Name, "/\\\x00") || len(a.Data()) > len(data) {
				t.Fatalf("file %+v of %d bytes", a, len(a.Data()))
			}
		}
		p, err := m.Parse(context.Background())
		if errors.Is(err, layout.ErrFull) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		end, runes := 0, len([]rune(p.Text))
		for i, b := range p.Blocks {
			if b.Span.Start < end || b.Span.Len() <= 0 || b.Span.End > runes {
				t.Fatalf("block %d has the span %v after %d of %d", i, b.Span, end, runes)
			}
			for _, s := range b.Segments {
				if s.Span.Len() <= 0 || !b.Span.Contains(s.Span) {
					t.Fatalf("a segment of block %d has the span %v in %v", i, s.Span, b.Span)
				}
			}
			end = b.Span.End
		}
	})
}
