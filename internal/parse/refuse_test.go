package parse_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestBadInputIsRefusedWithItsCause(t *testing.T) {
	noise := make([]byte, 4096)
	x := uint32(1)
	for i := range noise {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	nul := strings.Repeat("abc\x00", 1000)
	for _, c := range []struct{ name, data, code string }{
		{"empty.md", "", "empty_document"},
		{"empty.csv", "", "empty_document"},
		{"a.exe", "text", "unknown_type"},
		{"README", "text", "unknown_type"},
		{"a.txt.gz", "text", "unknown_type"},
		{".txt", "text", "unknown_type"},
		{"a.doc", "", "unknown_type"},
		{"zip.md", "PK\x03\x04rest", "content_mismatch"},
		{"pdf.txt", "%PDF-1.7\n", "content_mismatch"},
		{"png.html", "\x89PNG\r\n\x1a\n", "content_mismatch"},
		{"elf.log", "\x7fELF\x02\x01", "content_mismatch"},
		{"gzip.csv", "\x1f\x8b\x08\x00", "content_mismatch"},
		{"ole.txt", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "content_mismatch"},
		{"nul.txt", nul, "content_mismatch"},
		{"one-nul.md", "# 标题\x00\n", "content_mismatch"},
		{"utf16-nul.txt", "\xff\xfea\x00\x00\x00", "content_mismatch"},
		{"noise.txt", string(noise), "content_mismatch"},
		{"control.txt", strings.Repeat("ab\x01\x02\x03", 50), "content_mismatch"},
		{"filler.txt", strings.Repeat("\xa5", 4096), "content_mismatch"},
		{"broken.md", "\xe6\xad\xa3\xe6\x96\x87\n\xc0\xaf\xed\xa0\x80\xff\xfe\xf5\x80\x80\x80\xe4\xb8\nend\n", "undecodable"},
		{"latin.txt", "\xff\xfd\xfc\xfb\x81\x8d\x8f", "undecodable"},
		{"noise-no-nul.txt", strings.ReplaceAll(string(noise), "\x00", ""), "undecodable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse.Parse(context.Background(), parse.File{Name: "folder/" + c.name, Data: []byte(c.data)})
			var p *problem.Error
			if !errors.As(err, &p) || p.Kind != problem.Invalid {
				t.Fatalf("the error is %v", err)
			}
			if c.name == "noise-no-nul.txt" && p.Code == "content_mismatch" {
				return // which of the two is told of noise is a matter of chance
			}
			if p.Code != c.code {
				t.Errorf("the code is %s, want %s", p.Code, c.code)
			}
			if !strings.Contains(p.Detail, "“"+c.name+"”") || strings.Contains(p.Detail, "folder") {
				t.Errorf("the detail does not name the file alone: %s", p.Detail)
			}
		})
	}
}

func TestNamesInMessagesAreClean(t *testing.T) {
	for name, want := range map[string]string{
		"a\r\nSet-Cookie: s=1.exe":        "“aSet-Cookie: s=1.exe”",
		"report\u202efdp.exe":             "“reportfdp.exe”",
		`C:\folder\boot.ini2`:             "“boot.ini2”",
		"../../../tmp/x":                  "“x”",
		"a\x00b\u2028c.exe":               "“abc.exe”",
		strings.Repeat("长", 500) + ".exe": "“" + strings.Repeat("长", 119) + "…”",
	} {
		_, err := parse.Parse(context.Background(), parse.File{Name: name, Data: []byte("x")})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the message is %v, want %s in it", name, err, want)
		}
	}
}

func TestLimitsAreKept(t *testing.T) {
	for _, c := range []struct {
		name, data string
		limits     parse.Limits
	}{
		{"big.txt", strings.Repeat("a", 101), parse.Limits{Bytes: 100}},
		{"lines.txt", strings.Repeat("a\n", 101), parse.Limits{Places: 100}},
		{"blocks.txt", strings.Repeat("a\n\n", 101), parse.Limits{Places: 100}},
		{"lines.md", strings.Repeat("a\n", 101), parse.Limits{Places: 100}},
		{"items.md", strings.Repeat("- a\n", 101), parse.Limits{Places: 100}},
		{"rows.md", "|a|\n|-|\n" + strings.Repeat("|a|\n", 101), parse.Limits{Places: 100}},
		{"code.md", "```\n" + strings.Repeat("a\n", 101), parse.Limits{Places: 100}},
		{"cells.csv", strings.Repeat("a,b\n", 51), parse.Limits{Places: 100}},
		{"blocks.html", strings.Repeat("<p>a", 101), parse.Limits{Places: 100}},
		{"names.md", "# " + strings.Repeat("长", 200) + "\n\n" + strings.Repeat("- a\n", 40), parse.Limits{Places: 100}},
		{"names.html", "<h1>" + strings.Repeat("a", 250) + "</h1><h2>" + strings.Repeat("b", 250) + "</h2>" + strings.Repeat("<p>a", 40), parse.Limits{Places: 100}},
		{"elements.html", strings.Repeat("<section>", 30) + strings.Repeat("<p>a", 60), parse.Limits{Places: 100}},
		{"header.csv", strings.Repeat("h", 250) + "\n" + strings.Repeat("a\n", 60), parse.Limits{Places: 100}},
	} {
		_, err := c.limits.Parse(context.Background(), parse.File{Name: c.name, Data: []byte(c.data)})
		if problem.CodeOf(err) != "too_large" || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: the error is %v", c.name, err)
		}
		if _, err := parse.Parse(context.Background(), parse.File{Name: c.name, Data: []byte(c.data)}); err != nil {
			t.Errorf("%s within the default limits: %v", c.name, err)
		}
	}
}

func TestHiddenElementTooDeepIsRefused(t *testing.T) {
	deep := strings.Repeat("<div>", 5000)
	if r, err := parse.Parse(context.Background(), parse.File{Name: "a.html", Data: []byte(deep + "text")}); err != nil || r.Parsed.Text != "text" {
		t.Errorf("5000 open elements: %q (%v)", r.Parsed.Text, err)
	}
	_, err := parse.Parse(context.Background(), parse.File{Name: "a.html", Data: []byte(deep + "<script>x()</script>")})
	if problem.CodeOf(err) != "too_deep" {
		t.Errorf("a script inside 5000 open elements: %v", err)
	}
}

func TestFileWithoutTextSucceedsWithNotice(t *testing.T) {
	for name, data := range map[string]string{
		"a.txt": " \n\t\r\n\u3000", "b.md": "\ufeff", "c.md": "\n\n", "d.csv": ",,\n,,\n",
		"e.html": "<html><head><title>x</title></head><body><img src=a.png><script>let a = 1</script></body></html>",
		"f.html": "<p hidden>x</p>", "g.html": "<pre>\n  \n</pre>",
	} {
		r, err := parse.Parse(context.Background(), parse.File{Name: name, Data: []byte(data)})
		if err != nil || len(r.Parsed.Blocks) != 0 || len(r.Parsed.Notices) != 1 || r.Parsed.Notices[0] != parse.NoTextLayer {
			t.Errorf("%s: %d blocks, notices %v, error %v", name, len(r.Parsed.Blocks), r.Parsed.Notices, err)
		}
	}
}

func TestFormatGoesByNameAndTheDeclaredTypeIsAHint(t *testing.T) {
	for _, c := range []struct{ name, media, format string }{
		{"a.md", "text/html", "md"}, {"A.MARKDOWN", "", "md"}, {"a.txt", "", "txt"}, {"a.log", "", "txt"},
		{"a.HTM", "", "html"}, {"a.xhtml", "", "html"}, {"a.csv", "", "csv"}, {"a.tsv", "", "csv"},
		{"README", "text/markdown; charset=utf-8", "md"}, {"page", "text/html", "html"},
		{"table", "text/tab-separated-values", "csv"}, {"notes", "text/plain", "txt"}, {"x.md ", "", "md"},
	} {
		r, err := parse.Parse(context.Background(), parse.File{Name: c.name, MediaType: c.media, Data: []byte("word")})
		if err != nil || r.Format != c.format {
			t.Errorf("%s declared as %q is %q (%v), want %s", c.name, c.media, r.Format, err, c.format)
		}
	}
	if !parse.Supported("dir/报告.MD") || parse.Supported("a.exe") || parse.Supported("README") {
		t.Error("Supported does not go by the extension")
	}
}

func TestMediaTypeIsTheFoundOne(t *testing.T) {
	r, err := parse.Parse(context.Background(), parse.File{Name: "a.md", MediaType: "application/pdf", Data: []byte("\xd6\xd0\xce\xc4")})
	if err != nil || r.MediaType != "text/markdown; charset=gbk" {
		t.Errorf("the media type is %q (%v)", r.MediaType, err)
	}
}

func TestParsingStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, name := range []string{"a.md", "a.txt", "a.html", "a.csv"} {
		if _, err := parse.Parse(ctx, parse.File{Name: name, Data: []byte("text")}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func TestLocatorThatDoesNotFitIsRefused(t *testing.T) {
	f := parse.File{Name: "a.md", Data: []byte("# 标题\n")}
	for _, l := range []corpus.Locator{
		nil,
		corpus.TextLocator{Format: "html", Char: [2]int{0, 1}},
		corpus.CSVLocator{Char: [2]int{0, 1}},
		corpus.TextLocator{Format: "md", Char: [2]int{0, 99}},
		corpus.TextLocator{Format: "md", Char: [2]int{3, 2}},
		corpus.TextLocator{Format: "md", Char: [2]int{-1, 2}},
	} {
		if text, err := parse.Resolve(context.Background(), f, l); problem.CodeOf(err) != "invalid_locator" {
			t.Errorf("%+v opens to %q (%v)", l, text, err)
		}
	}
}
