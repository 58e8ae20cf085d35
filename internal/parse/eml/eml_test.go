package eml_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/eml"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/problem"
)

// lines reads a text as one paragraph a line, each at its line.
func lines(kind, text string) (corpus.Parsed, error) {
	if strings.Contains(text, "unreadable") {
		return corpus.Parsed{}, problem.New(problem.Invalid, "too_deep", "is too deep")
	}
	p := corpus.Parsed{Text: text}
	at, no := 0, 0
	for line := range strings.Lines(text) {
		n := len([]rune(line))
		no++
		if body := len([]rune(strings.TrimRight(line, "\n"))); strings.TrimSpace(line) != "" {
			span := corpus.Span{Start: at, End: at + body}
			p.Blocks = append(p.Blocks, corpus.Block{Kind: corpus.Paragraph, Head: -1, HeadingPath: []string{}, Span: span, Segments: []corpus.Segment{
				{Span: span, Locator: corpus.TextLocator{Format: kind, Heading: []string{}, Line: no, Char: [2]int{at, at + body}}},
			}})
		}
		at += n
	}
	return p, nil
}

// spelled decodes nothing: what it makes says which charset was asked for, unless that is the usual one.
func spelled(_ string, data []byte, charset string) (string, bool, bool) {
	switch strings.ToLower(charset) {
	case "", "utf-8", "us-ascii":
		return string(data), false, !strings.Contains(string(data), "\xff")
	}
	return charset + "(" + string(data) + ")", false, true
}

func options() eml.Options {
	return eml.Options{Layout: layout.Limits{Places: 10_000, Bytes: 1 << 20}, Decode: spelled, Read: lines}
}

// mail writes a message with the line ends of the protocol.
func mail(lines ...string) []byte { return []byte(strings.Join(lines, "\r\n") + "\r\n") }

func opened(t *testing.T, data []byte) *eml.Message {
	t.Helper()
	m, err := eml.Open(data, options())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func parsed(t *testing.T, data []byte) corpus.Parsed {
	t.Helper()
	p, err := opened(t, data).Parse(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// told returns the pieces of a message as "place: text".
func told(p corpus.Parsed) []string {
	runes := []rune(p.Text)
	var out []string
	for _, b := range p.Blocks {
		for _, s := range b.Segments {
			l := s.Locator.(corpus.EMLLocator)
			at := strings.Join(l.Heading, "/")
			if at != "" {
				at += " "
			}
			at += strings.Trim(l.Part+" "+l.Header+l.Attachment, " ")
			if l.Line > 0 {
				at += fmt.Sprintf(" line %d", l.Line)
			}
			out = append(out, at+": "+string(runes[s.Span.Start:s.Span.End]))
		}
	}
	return out
}

func tells(t *testing.T, data []byte, want ...string) corpus.Parsed {
	t.Helper()
	p := parsed(t, data)
	if d := cmp.Diff(want, told(p)); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	return p
}

func TestAMessageBeginsWithTheFieldsThatAReaderSees(t *testing.T) {
	p := tells(t, mail(
		"Received: from somewhere", "X-Spam: no", "From: Ann <ann@acme.test>", "To: bob@acme.test,", "\tcarol@acme.test", "To: dan@acme.test",
		"Cc: eve@acme.test", "Subject: Budget", " for 2026", "Subject: another", "Date: Tue, 1 Sep 2026 10:00:00 +0800", "Bcc: hidden@acme.test", "",
		"Hello.", "", "Bye."),
		"Subject: Subject: Budget for 2026", "From: From: Ann <ann@acme.test>", "To: To: bob@acme.test, carol@acme.test, dan@acme.test",
		"Cc: Cc: eve@acme.test", "Date: Date: Tue, 1 Sep 2026 10:00:00 +0800", "1 line 1: Hello.", "1 line 3: Bye.")
	if p.Title != "Budget for 2026" {
		t.Errorf("the title is %q", p.Title)
	}
}

func TestPartsAreNumberedAsMailServersDo(t *testing.T) {
	tells(t, mail(
		`Content-Type: multipart/mixed; boundary="a b"`, "Subject: s", "", "for old readers", "--a b", "", "one", "--a b", `Content-Type: Multipart/Related; boundary=inner`, "",
		"--inner", "Content-Type: text/html", "", "two-one", "--inner", "", "two-two", "--inner--", "after", "--a b", "Content-Type: message/rfc822", "",
		"Subject: inside", "From: x@y.test", "", "three-one", "--a b--", "epilogue"),
		"Subject: Subject: s", "1 line 1: one", "2.1 line 1: two-one", "2.2 line 1: two-two",
		"inside 3 Subject: inside", "inside 3 From: From: x@y.test", "inside 3.1 line 1: three-one")
}

func TestAMessageInsideWithPartsGivesThemItsNumber(t *testing.T) {
	tells(t, mail("Content-Type: multipart/digest; boundary=d", "", "--d", "", "Content-Type: multipart/mixed; boundary=e", "Subject: one", "", "--e", "", "text", "--e--", "--d--"),
		"one 1 Subject: one", "one 1.1 line 1: text")
}

func TestATextInSeveralFormsIsThereOnce(t *testing.T) {
	forms := func(plain, page string) []byte {
		return mail("Subject: s", "Content-Type: multipart/alternative; boundary=x", "", "--x", "Content-Type: text/plain", "", plain, "--x", "Content-Type: text/html", "", page, "--x--")
	}
	head := "Subject: Subject: s"
	for name, c := range map[string]struct {
		plain, page string
		want        []string
	}{
		"the same":                 {"The limit is 650 yuan a night.", "The limit is 650 yuan a night.", []string{"1 line 1: The limit is 650 yuan a night."}},
		"an address written out":   {"See the travel policy <https://acme.test/p> and the rules before you book.", "See the travel policy and the rules before you book.", []string{"1 line 1: See the travel policy <https://acme.test/p> and the rules before you book."}},
		"another number":           {"上海每晚 650 元。", "上海每晚 560 元。", []string{"1 line 1: 上海每晚 650 元。", "2 line 1: 上海每晚 560 元。"}},
		"more in the richer one":   {"上海每晚 650 元。", "上海每晚 650 元。\r\n北京除外。", []string{"1 line 1: 上海每晚 650 元。", "2 line 2: 北京除外。"}},
		"the words in other order": {"Alice pays Bob and Bob thanks Alice.", "Bob thanks Bob, Alice pays and Alice.", []string{"1 line 1: Alice pays Bob and Bob thanks Alice.", "2 line 1: Bob thanks Bob, Alice pays and Alice."}},
		"no plain text":            {"", "Only here.", []string{"2 line 1: Only here."}},
		"said twice in one form":   {"yes\r\nyes", "no", []string{"1 line 1: yes", "1 line 2: yes", "2 line 1: no"}},
	} {
		t.Run(name, func(t *testing.T) { tells(t, forms(c.plain, c.page), append([]string{head}, c.want...)...) })
	}
}

func TestFilesAreListedAndTextsAmongThemAreRead(t *testing.T) {
	data := mail("Subject: s", "Content-Type: multipart/mixed; boundary=x", "", "--x", "", "See below.",
		"--x", `Content-Type: text/plain; name="notes.txt"`, "Content-Disposition: attachment", "", "Of the meeting.",
		"--x", "Content-Type: application/pdf", `Content-Disposition: attachment; filename="C:\Users\ann\plan.pdf"`, "Content-Transfer-Encoding: base64", "", "UE\rRG", "LQ==", "LTE=",
		"--x", "Content-Type: text/plain", "Content-Disposition: attachment; filename=data.csv", "", "a,b",
		"--x", "Content-Type: application/octet-stream", "", "?",
		"--x", "Content-Type: image/png; name=logo.png", "Content-ID: <1>", "", "?",
		"--x--")
	tells(t, data, "Subject: Subject: s", "2 notes.txt: notes.txt", "3 plan.pdf: plan.pdf", "4 data.csv: data.csv", "5 part-5: part-5",
		"1 line 1: See below.", "notes.txt 2 notes.txt line 1: Of the meeting.")
	var got []string
	for _, a := range opened(t, data).Attachments() {
		got = append(got, a.Part+" "+a.Name+" "+a.MediaType+" "+string(a.Data()))
	}
	if d := cmp.Diff([]string{"3 plan.pdf application/pdf PDF--1", "4 data.csv text/plain a,b", "5 part-5 application/octet-stream ?"}, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestFileNamesAreNamesAlone(t *testing.T) {
	for field, want := range map[string]string{
		`filename="../../etc/passwd.pdf"`:         "passwd.pdf",
		`filename=a b c.pdf`:                      "a b c.pdf",
		`filename="say \"hi\".pdf"`:               `say "hi".pdf`,
		"filename=\"ann\u202efdp.exe\"":           "annfdp.exe",
		`filename=".."`:                           "part-1",
		`filename="dir/"`:                         "part-1",
		`filename="=?UTF-8?B?5oql5ZGKLnBkZg==?="`: "报告.pdf",
		`filename*=UTF-8''%E6%8A%A5%E5%91%8A.pdf`: "报告.pdf",
		`filename*1*=%E5%91%8A; filename*0*=UTF-8''%E6%8A%A5; filename*2=.pdf`: "报告.pdf",
		`filename*=gbk'zh'a.pdf`:                       "gbk(a.pdf)",
		`size=3; ; x; filename=b.pdf; filename=c.pdf`:  "b.pdf",
		"filename=\"" + strings.Repeat("长", 400) + `"`: strings.Repeat("长", 255) + "…",
	} {
		m := opened(t, mail("Subject: s", "Content-Type: application/pdf", "Content-Disposition: attachment; "+field, "", "?"))
		if got := m.Attachments(); len(got) != 1 || got[0].Name != want {
			t.Errorf("%s gives %+v, want %s", field, got, want)
		}
	}
}

func TestEncryptedContentIsSaidAndNothingIsMadeOfIt(t *testing.T) {
	for name, data := range map[string][]byte{
		"PGP/MIME":   mail("Subject: s", "Content-Type: multipart/encrypted; boundary=x", "", "--x", "", "Version: 1", "--x", "", "secret", "--x--"),
		"S/MIME":     mail("Subject: s", "Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", "", "secret"),
		"PGP inline": mail("Subject: s", "", "-----BEGIN PGP MESSAGE-----", "", "secret", "-----END PGP MESSAGE-----"),
	} {
		p := parsed(t, data)
		if len(p.Blocks) != 0 || p.Text != "" || p.Title != "s" || !cmp.Equal(p.Notices, []string{eml.Encrypted}) {
			t.Errorf("%s: %q, blocks %v, notices %v", name, p.Text, p.Blocks, p.Notices)
		}
		if files := opened(t, data).Attachments(); len(files) > 0 {
			t.Errorf("%s: files %v", name, files)
		}
	}
	p := tells(t, mail("Subject: s", "Content-Type: multipart/mixed; boundary=x", "", "--x", "", "open", "--x", "Content-Type: application/pkcs7-mime", "", "secret", "--x--"),
		"Subject: Subject: s", "1 line 1: open")
	if !cmp.Equal(p.Notices, []string{eml.Encrypted}) {
		t.Errorf("notices %v", p.Notices)
	}
}

func TestWhatCannotBeReadDoesNotStandInTheWay(t *testing.T) {
	p := tells(t, mail("Subject: s", "Content-Type: multipart/mixed; boundary=x", "", "--x", "", "unreadable", "--x", "", "\xff", "--x", "Content-Type: text/calendar", "", "BEGIN", "--x", "", "good", "--x--"),
		"Subject: Subject: s", "4 line 1: good")
	if !cmp.Equal(p.Notices, []string{eml.LeftOut}) {
		t.Errorf("notices %v", p.Notices)
	}
	p = tells(t, mail("Subject: s", "Content-Type: multipart/signed; boundary=x", "", "--x", "", "good", "--x", "Content-Type: application/pgp-signature; name=a.asc", "", "xyz", "--x--"),
		"Subject: Subject: s", "1 line 1: good")
	if len(p.Notices) > 0 {
		t.Errorf("a signature is noticed: %v", p.Notices)
	}
}

func TestAMessageWithoutAnEmptyLineKeepsItsText(t *testing.T) {
	tells(t, []byte("Subject: s\nFrom: a@acme.test\nHello\nsecond line"), "Subject: Subject: s", "From: From: a@acme.test", "1 line 1: Hello", "1 line 2: second line")
	tells(t, []byte("Subject: s\nno field\nFrom: a@acme.test\nHello"), "Subject: Subject: s", "From: From: a@acme.test", "1 line 1: Hello")
	tells(t, []byte("Subject: s\nFrom: a@acme.test"), "Subject: Subject: s", "From: From: a@acme.test")
}

// Signs without letters say something that words do not.
func TestASignThatOnlyTheLaterFormHasIsRead(t *testing.T) {
	tells(t, []byte("Subject: s\nContent-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain; charset=utf-8\n\nAmount: $1,000\n\nsize < 5 mm\n\nbye\n"+
		"--x\nContent-Type: text/plain; charset=utf-8\n\nAmount: €1,000\n\nsize > 5 mm\n\n✗\n\nbye\n--x--"),
		"Subject: Subject: s", "1 line 1: Amount: $1,000", "1 line 3: size < 5 mm", "1 line 5: bye", "2 line 1: Amount: €1,000", "2 line 3: size > 5 mm", "2 line 5: ✗")
}

func TestBytesThatAreNoMessageAreRefused(t *testing.T) {
	for _, text := range []string{"", "hello", "# Title\n\nText: yes\n", "%PDF-1.7\n", "X-Own: field\n\nbody", "\x89PNG\r\n\x1a\n", "http://acme.test: x\n"} {
		if _, err := eml.Open([]byte(text), options()); problem.CodeOf(err) != "content_mismatch" || !problem.Is(err, problem.Invalid) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"From mbox line\nSubject: s\n\nx", "\r\n\r\nSubject: s\n\nx", "\xef\xbb\xbfSubject : s\n\nx", "X: y\nno field\nSubject: s\n\nx"} {
		if got := told(parsed(t, []byte(text))); !cmp.Equal(got, []string{"Subject: Subject: s", "1 line 1: x"}) {
			t.Errorf("%q: %v", text, got)
		}
	}
}
