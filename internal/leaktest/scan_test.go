package leaktest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
)

// spread puts something between the characters of a text.
func spread(s, between string) string { return strings.Join(strings.Split(s, ""), between) }

// each writes every character of a text in some form.
func each(s string, form func(r rune) string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteString(form(r))
	}
	return b.String()
}

func TestEveryFormOfALeakIsSeen(t *testing.T) {
	c, other := Mint("s", "doc-a"), Mint("s", "doc-b")
	text := fmt.Sprintf("%s的内部代号是 %s，批准预算为 %s 元。", c.Name, c.Token, c.Grouped())
	asJSON, _ := json.Marshal(c.Name)
	leaks := map[string]string{
		"plain": text, "upper case": strings.ToUpper(c.Token), "spaced": spread(c.Token, " "), "dotted": spread(c.Token, "."),
		"broken over lines": spread(c.Token, "\n"), "zero width": spread(c.Token, "\u200b"), "combining": spread(c.Token, "\u0301"),
		"full width":      each(c.Token, func(r rune) string { return string(r + 0xFEE0) }),
		"full-width fact": each(c.Fact, func(r rune) string { return string(r + 0xFEE0) }),
		"reversed":        reverse(c.Token), "reversed name": reverse(c.Name), "reversed fact": reverse(c.Fact),
		"fact": "预算 " + c.Fact + " 元", "grouped fact": c.Grouped(), "spaced fact": strings.ReplaceAll(c.Grouped(), ",", " "),
		"fact beside Chinese": "为" + c.Fact + "元", "title": "预算 " + c.Title, "name": c.Name, "name spaced": spread(c.Name, " "),
		"url": "https://h/?d=" + url.QueryEscape(c.Name), "url twice": url.QueryEscape(url.QueryEscape(c.Name)),
		"url with a stray sign": "100% " + url.QueryEscape(c.Name),
		"html":                  each(c.Token, func(r rune) string { return fmt.Sprintf("&#%d;", r) }), "html name": html.EscapeString(c.Name),
		"html hex": each(c.Name, func(r rune) string { return fmt.Sprintf("&#x%x;", r) }),
		"json":     string(asJSON), "escapes": each(c.Name, func(r rune) string { return fmt.Sprintf(`\u%04x`, r) }),
		"base64": base64.StdEncoding.EncodeToString([]byte(text)), "base64 at one": base64.StdEncoding.EncodeToString([]byte("x" + text)),
		"base64 at two": base64.StdEncoding.EncodeToString([]byte("xx" + text)), "base64url": base64.RawURLEncoding.EncodeToString([]byte(text)),
		"base64 in a word": "QUJ" + base64.StdEncoding.EncodeToString([]byte(text)), "hex": hex.EncodeToString([]byte(text)),
		"upper hex": strings.ToUpper(hex.EncodeToString([]byte(c.Token + c.Token))),
		"cut out":   "…" + c.Token + "…", "inside a word": "abc" + c.Token + "def",
	}
	var s, foreign Scanner
	s.Add(c, Token, Fact, Name, Title)
	foreign.Add(other, Token, Fact, Name, Title)
	for form, leak := range leaks {
		hits := s.Scan([]byte("before " + leak + " after"))
		if len(hits) == 0 || hits[0].Owner != "doc-a" {
			t.Errorf("%s: %q is not seen: %v", form, leak, hits)
		}
		if hits := foreign.Scan([]byte(leak)); len(hits) > 0 {
			t.Errorf("%s: %v is seen and is not there", form, hits)
		}
	}
	if s.Bytes() == 0 {
		t.Error("nothing was counted")
	}
	t.Logf("%d forms", len(leaks))
}

func TestWhatIsNoLeakIsNotSeen(t *testing.T) {
	c := Mint("s", "doc-a")
	var s Scanner
	s.Add(c, Token, Fact, Name, Title)
	for _, clean := range []string{
		"", "差旅制度 V2：上海住宿上限 650 元。", c.Probe, c.Token[:13], c.Token[1:], c.Fact[:6], "1" + c.Fact, c.Fact + "1", "0." + c.Fact,
		"a" + c.Fact + "b", "计划", "计划" + c.Name[len(c.Name)-3:], strings.Repeat("季度计划 ", 50), `{"hash":"` + strings.Repeat("0123456789abcdef", 4) + `"}`,
		"%zz%", `\u12`, "&#;", "qzqzqzqzqzqzqzqz",
	} {
		if hits := s.Scan([]byte(clean)); len(hits) > 0 {
			t.Errorf("%q: %v", clean, hits)
		}
	}
	if hits := new(Scanner).Scan([]byte(c.Token)); len(hits) > 0 {
		t.Errorf("a scanner of nothing sees %v", hits)
	}
}

func TestCanariesOfVersionsDiffer(t *testing.T) {
	seen := map[string]string{}
	for i := range 200 {
		owner := fmt.Sprintf("doc-%d", i)
		c := Mint("seed", owner)
		if c != Mint("seed", owner) {
			t.Fatalf("%s has other canaries the second time", owner)
		}
		if len(c.Token) != tokenLength || len(c.Title) != tokenLength || len([]rune(c.Name)) != nameRunes || len(c.Fact) != 7 {
			t.Errorf("the canaries of %s have the wrong size: %+v", owner, c)
		}
		for _, word := range []string{c.Token, c.Title, c.Probe, c.Fact} {
			if was, taken := seen[word]; taken {
				t.Errorf("%s and %s share %s", owner, was, word)
			}
			seen[word] = owner
		}
	}
}
