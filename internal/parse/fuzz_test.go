package parse_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
)

// fuzzed holds a file to everything that Parse, Resolve and Split promise for any bytes at all.
func fuzzed(t *testing.T, name string, data []byte) {
	f := parse.File{Name: name, Data: data}
	r, err := parse.Parse(context.Background(), f)
	if err != nil {
		if !problem.Is(err, problem.Invalid) || !strings.Contains(err.Error(), name) {
			t.Fatalf("the error is %v", err)
		}
		return
	}
	checkParsed(t, f, r)
	if r.Format == parse.FormatDXF || r.Format == parse.FormatSVG {
		checkSketch(t, f, r.Parsed)
	}
	for _, limit := range []int{900, 40} {
		checkChunks(t, r.Parsed, chunk.Split(r.Parsed, chunk.Options{MaxChars: limit}), limit)
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{
		"# a\n\n- b\n  - c\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```go\nd\n```\n", "\t# a\n>\tb\n\t- c", "a\r\nb\rc\n===\n",
		"---\ntitle: x\n---\n<!-- c\n-->\n> ```\n> e", "- - - a\n1) b\n\n      c\n", "[[[[" + strings.Repeat("[a](<b", 40),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, "a.md", data) })
}

func FuzzPlain(f *testing.F) {
	for _, s := range []string{"a\nb\n\nc", "\ufeff一。\r\n二\r三\n", "e\u0301\u0301👨‍👩‍👦🏽", " \n\u3000\n", strings.Repeat("长句，", 400)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, "a.txt", data) })
}

func FuzzHTML(f *testing.F) {
	for _, s := range []string{
		"<h1>a</h1><p>b<b>c</b>&amp;&#x4e2d;<pre>\n d\n</pre>", "<table><tr><th>a<td>b<tr><td rowspan=2>c<td>&nbsp;</table>e",
		"<ul><li>a<ol><li>b</ul><nav>c</nav><style>.x{display:none}</style><p class=x>d", "<svg><title>a</title><p>b</svg></p></td></tr>c<br><br>d",
		"<textarea>\n\ra</textarea><xmp>&amp;</xmp><plaintext><p>", "<h2>a<h3>b<table><td><h1>c", "<!DOCTYPE x[<!--><body hidden>a<![CDATA[b]]>",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, "a.html", data) })
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a,b\n\"c\nd\",e\n", "\ufeff\"a\"\"b\";c\r\n;;d\r\n", "a\tb\n\"c", "a|b\n\n|\n\" \"x|y"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, "a.csv", data) })
}

func FuzzEncoding(f *testing.F) {
	for _, s := range []string{
		"\xff\xfea\x00", "\xfe\xff\x00a", "\xef\xbb\xbf", "\xd6\xd0\xce\xc4", "\xa4\xa4\xa4\xe5", "\x93\xfa\x96\x7b\x8c\xea",
		"caf\xe9", "a\x00b\x00", "\x84\x31\x95\x33\xd6", "\xe4\xb8", "\x81\x30\x81\x30",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzed(t, "a.txt", data)
		r, err := parse.Parse(context.Background(), parse.File{Name: "a.txt", Data: data})
		if err != nil {
			return
		}
		if strings.ContainsRune(r.Parsed.Text, 0) || strings.HasPrefix(r.Parsed.Text, "\ufeff") && !strings.HasPrefix(string(data), "\xef\xbb\xbf\xef\xbb\xbf") && r.Encoding == "utf-8" {
			t.Errorf("the text of %s begins or goes on wrongly: %q", r.Encoding, r.Parsed.Text)
		}
		// What was decoded says the same when it is written down as UTF-8.
		again, err := parse.Parse(context.Background(), parse.File{Name: "a.txt", Data: append([]byte("\xef\xbb\xbf"), r.Parsed.Text...)})
		if r.Parsed.Text != "" && (err != nil || again.Parsed.Text != r.Parsed.Text) {
			t.Errorf("%q becomes %q as UTF-8 (%v)", r.Parsed.Text, again.Parsed.Text, err)
		}
	})
}

func FuzzLocator(f *testing.F) {
	f.Add("a.md", "# a\n\n- b\n", 2, 5)
	f.Add("a.html", "<p>a &amp; <b>b</b><p>c", 3, 20)
	f.Add("a.csv", "a,b\nc,\"d\n\"\"\"\n", 4, 12)
	f.Add("a.txt", "一二三", -1, 9)
	f.Fuzz(func(t *testing.T, name, data string, from, to int) {
		file := parse.File{Name: name, Data: []byte(data)}
		for _, l := range []corpus.Locator{
			corpus.TextLocator{Format: "md", Char: [2]int{from, to}}, corpus.TextLocator{Format: "txt", Char: [2]int{from, to}},
			corpus.TextLocator{Format: "html", Char: [2]int{from, to}}, corpus.CSVLocator{Char: [2]int{from, to}},
		} {
			text, err := parse.Resolve(context.Background(), file, l)
			if err != nil {
				if !problem.Is(err, problem.Invalid) {
					t.Fatalf("the error is %v", err)
				}
				continue
			}
			if r, err := parse.Parse(context.Background(), file); err != nil || !strings.Contains(r.Parsed.Text, text) {
				t.Fatalf("%+v opens to %q, which is not in the text (%v)", l, text, err)
			}
		}
	})
}
