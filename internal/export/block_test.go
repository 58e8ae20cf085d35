package export

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// outline writes blocks in short: kind, level and mark, then the lines.
func outline(body string) (out []string) {
	for _, b := range blocks(body) {
		s := fmt.Sprintf("%s%d%s:", [...]string{"p", "h", "b", "n", "q", "c"}[b.kind], b.level, b.mark)
		for i, l := range b.lines {
			if i > 0 {
				s += "/"
			}
			for _, x := range l {
				switch {
				case x.refs != nil:
					s += "{" + strings.Join(x.refs, ",") + "}"
				case x.code:
					s += "`" + x.text + "`"
				case x.bold:
					s += "*" + x.text + "*"
				default:
					s += x.text
				}
			}
		}
		out = append(out, s)
	}
	return out
}

func TestABodyIsTakenApart(t *testing.T) {
	for body, want := range map[string][]string{
		"a\nb\n\nc":                            {"p0:a/b", "p0:c"},
		"# 一\n###### f\n####### g\n#x":         {"h1:一", "h6:f", "p0:####### g/#x"},
		"- a\n  - b\n    - c\n\t- d\n* e\n• f": {"b0:a", "b1:b", "b2:c", "b2:d", "b0:e", "b0:f"},
		"1. a\n 2) b\n3、c\n1.5 m":              {"n01.:a", "n02.:b", "n03.:c", "p0:1.5 m"},
		"> a\n> b\nc":                          {"q0:a/b", "p0:c"},
		"```go\nx [S1]\n  y\n```\nz":           {"c0:`x [S1]`/`  y`", "p0:z"},
		"~~~\n```\n~~~":                        {"c0:`" + "```" + "`"},
		"```\nnever closed [S1]":               {"c0:`never closed [S1]`"},
		"**结论**：甲 [S1]，乙【S2、S3】。":              {"p0:*结论*：甲{S1}，乙{S2,S3}。"},
		"a `b [S1]` c `` d` `` [S2]":           {"p0:a `b [S1]` c ` d` `{S2}"},
		"** not closed and `also":              {"p0:** not closed and `also"},
		"**bold [S1] on** off":                 {"p0:*bold*{S1}* on* off"},
		"":                                     nil,
		"\n \n\t\n":                            nil,
		"[S1]":                                 {"p0:{S1}"},
		"a\x00b\u202ec\u2028d":                 {"p0:abc/d"},
	} {
		if diff := cmp.Diff(want, outline(body)); diff != "" {
			t.Errorf("%q: %s", body, diff)
		}
	}
}

func TestTakingApartLosesNoLetterAndEndsWithEveryText(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "字", " ", "\n", "\n\n", "#", "# ", "- ", "1. ", "> ", "**", "`", "``", "```", "~~~", "[S1]", "[", "]", "\t", "x1", "。"})
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		letters := func(s string) int { return strings.Count(s, "a") + strings.Count(s, "字") + strings.Count(s, "x") }
		got := 0
		for _, b := range blocks(body) {
			for _, l := range b.lines {
				for _, s := range l {
					got += letters(s.text)
				}
			}
		}
		// The word behind an opening fence names a language and is no text.
		if want := letters(body); got > want || !strings.Contains(body, "```") && !strings.Contains(body, "~~~") && got != want {
			t.Fatalf("%q: %d of %d letters are left", body, got, want)
		}
	})
}

func TestAddressesAreCode(t *testing.T) {
	for text, want := range map[string]string{
		"见 https://a.b/c_d。":  "见 `https://a.b/c_d`。",
		"mail a@b.c, or":      "mail `a@b.c`, or",
		"(www.a.b)":           "(`www.a.b)`",
		"a @ b":               "a `@` b",
		"1. x":                "1\\. x",
		"2026) x":             "2026\\) x",
		"+ x":                 "\\+ x",
		"3 * 4 < 5 & 6":       "3 \\* 4 \\< 5 \\& 6",
		"javascript:alert(1)": "javascript:alert(1)",
		"`tick`":              "\\`tick\\`",
		"http://x`y":          "``http://x`y``",
		"":                    "",
		"C:\\dir":             "C:\\\\dir",
	} {
		if got := escape(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
