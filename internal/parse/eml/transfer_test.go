package eml_test

import (
	"encoding/base64"
	"io"
	"mime/quotedprintable"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/parse/eml"
)

// decoded returns the bytes of a file that was sent in an encoding.
func decoded(t fataler, encoding, body string) string {
	t.Helper()
	m, err := eml.Open([]byte("Subject: s\nContent-Type: application/x\nContent-Transfer-Encoding: "+encoding+"\n\n"+body), options())
	if err != nil {
		t.Fatalf("%v", err)
	}
	return string(m.Attachments()[0].Data())
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

func TestEncodingsOfTheWayAreUndone(t *testing.T) {
	for _, c := range []struct{ encoding, body, want string }{
		{"base64", "aGVsbG8=", "hello"},
		{"BASE64", "aGVs\r\nbG8", "hello"},
		{"base64", "aGVs*bG8=!", "hello"},
		{"base64", "aA==\naGk=\nYWJj", "hhiabc"},
		{"base64", "aGVsb", "hel"},
		{"base64", "====", ""},
		{"quoted-printable", "a=3D=C3=A4 b", "a=ä b"},
		{"quoted-printable", "soft=\nbreak=  \nhere", "softbreakhere"},
		{"quoted-printable", "trailing  \nspace=20\nx", "trailing\nspace \nx"},
		{"quoted-printable", "1=2 =ZZ =", "1=2 =ZZ ="},
		{"quoted-printable", "low=c3=a4\r\nx", "lowä\r\nx"},
		{"8bit", "a=3D", "a=3D"},
		{"nonsense", "a=3D", "a=3D"},
	} {
		if got := decoded(t, c.encoding, c.body); got != c.want {
			t.Errorf("%s of %q is %q, want %q", c.encoding, c.body, got, c.want)
		}
	}
}

func TestWhatOthersEncodeIsReadAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(t, "data")
		if got := decoded(t, "base64", base64.StdEncoding.EncodeToString(data)); got != string(data) {
			t.Fatalf("base64: %q became %q", data, got)
		}
		var b strings.Builder
		w := quotedprintable.NewWriter(&b)
		w.Binary = true
		if _, err := w.Write(data); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		if got := decoded(t, "quoted-printable", b.String()); got != string(data) {
			t.Fatalf("quoted-printable: %q became %q", data, got)
		}
	})
}

func TestQuotedPrintableAgreesWithTheStandardLibraryWhereThatReadsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.StringMatching(`([ -~]|=[0-9A-F]{2}|=\n|\n){0,60}x`).Draw(t, "body")
		want, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(body)))
		if err != nil {
			t.Skip("it is not well formed")
		}
		if got := decoded(t, "quoted-printable", body); got != string(want) {
			t.Fatalf("%q is read as %q, want %q", body, got, want)
		}
	})
}

func TestFlowedLinesAreJoined(t *testing.T) {
	flowed := func(more string, lines ...string) []byte {
		return mail(append([]string{"Subject: s", "Content-Type: text/plain; format=flowed" + more, ""}, lines...)...)
	}
	head := "Subject: Subject: s"
	tells(t, flowed("", "a line ", "goes on.", "next", "-- ", "me"), head, "1 line 1: a line goes on.", "1 line 2: next", "1 line 3: -- ", "1 line 4: me")
	tells(t, flowed("", "> quoted ", "> on", "answer"), head, "1 line 1: > quoted on", "1 line 2: answer")
	tells(t, flowed("", "> one ", ">> two"), head, "1 line 1: > one ", "1 line 2: >> two")
	tells(t, flowed("", " From stuffed"), head, "1 line 1: From stuffed")
	tells(t, flowed("; delsp=yes", "差旅 ", "政策"), head, "1 line 1: 差旅政策")
	tells(t, mail("Subject: s", "", "fixed ", "lines"), head, "1 line 1: fixed ", "1 line 2: lines")
}
