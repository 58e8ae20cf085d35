package eml_test

import (
	"strings"
	"testing"
)

// subject returns the decoded subject of a message.
func subject(t *testing.T, raw string) string {
	t.Helper()
	return parsed(t, []byte("Subject: "+raw+"\n\nx")).Title
}

func TestEncodedWordsAreRead(t *testing.T) {
	for raw, want := range map[string]string{
		"plain":                                   "plain",
		"=?utf-8?Q?S=C3=A4ying_Hello?=":           "Säying Hello",
		"=?UTF-8?b?5oql5ZGK?=":                    "报告",
		"a =?utf-8?q?b?= c":                       "a b c",
		"=?utf-8?q?a?= =?utf-8?q?b?=":             "ab",
		"=?utf-8?q?a_?= =?utf-8?q?b?=":            "a b", // a space at the end of a word is written
		"=?utf-8?q?a?=\n =?utf-8?q?b?=":           "ab",
		"=?utf-8?b?5oql5Q==?= =?utf-8?b?kYo=?=":   "报告", // one character over two words
		"=?gbk?q?x?= =?big5?q?y?=":                "gbk(x)big5(y)",
		"=?iso-2022-jp?q?x?= =?iso-2022-jp?q?y?=": "iso-2022-jp(x)iso-2022-jp(y)", // each begins anew
		"=?utf-8*en?q?a?=":                        "a",
		"=?utf-8?x?a?=":                           "=?utf-8?x?a?=",
		"=?utf-8?q?never":                         "=?utf-8?q?never",
		"=??q?a?=":                                "=??q?a?=",
		"=?utf-8?q?with space?=":                  "with space",
		"2=?3 is it":                              "2=?3 is it",
		"=?utf-8?q??= a":                          "a",
		"S\u00e4ying":                             "Säying",
		"a\x01\u00adb":                            "ab",
	} {
		if got := subject(t, raw); got != want {
			t.Errorf("%q is read as %q, want %q", raw, got, want)
		}
	}
}

func TestManyHalvesOfEncodedWordsCostLittle(t *testing.T) {
	raw := strings.Repeat("=?u?q?a", 40_000)
	if got := parsed(t, []byte("From: a\nSubject: "+raw+"\n\nx")); !strings.Contains(got.Text, "=?u?q?a=?u?q?a") {
		t.Errorf("it is read as %.80q", got.Text)
	}
}

func TestManyHeadersAndLongOnesCostLittle(t *testing.T) {
	many := strings.Repeat("X-Filler: a value that nobody asks for\r\n", 100_000)
	tells(t, []byte("Subject: s\r\n"+many+"From: f\r\n\r\nx"), "Subject: Subject: s", "From: From: f", "1 line 1: x")
	folded := strings.Repeat("\r\n a", 300_000)
	p := parsed(t, []byte("Subject: s"+folded+"\r\n\r\nx"))
	if n := len(p.Text); n < 1000 || n > 200_000 {
		t.Errorf("a field of 600,000 bytes became %d", n)
	}
	if tos := parsed(t, []byte("From: f\r\n"+strings.Repeat("To: a@b.test\r\n", 50_000)+"\r\nx")); len(tos.Text) > 200_000 {
		t.Errorf("50,000 fields of one name became %d bytes", len(tos.Text))
	}
}
