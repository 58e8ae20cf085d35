package export_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extended "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/export"
	"github.com/kaoju/kaoju/internal/parse"
)

var update = flag.Bool("update", false, "write the golden files anew")

var chinese = export.Document{
	Title: "上海住宿说明", Chinese: true, Run: "run_1", Version: 3, SavedAt: time.Date(2026, 11, 29, 8, 30, 0, 0, time.UTC),
	Body: "**结论**：上海住宿上限为 650 元 [S1]，不含早餐 [S2, S1]。\n第二行。\n\n## 依据\n- 制度第三条 [S1]\n  - 附则\n1. 首先\n2) 其次 `code_[S1]`\n\n> 原文如此\n> 第二句\n\n```\nfenced [S1] **x**\n```\n结束。",
	Sources: []export.Source{
		{Ref: "S1", Title: "差旅制度", Key: "policies/travel.md", Version: 2, Quotes: []export.Quote{{Text: "上海住宿上限为\n每晚 650 元。", Place: "差旅 › 住宿 · 行 3"}, {Text: "另见附则。", Place: "行 9"}}, Truncated: true, Superseded: true},
		{Ref: "S2", Title: "早餐", Key: "早餐", Version: 1, Quotes: []export.Quote{{Text: "早餐不含。", Place: "记录 2 · 列 价格"}}},
	},
	Checks:  []citation.Check{{Sentence: "不含早餐。", Verdict: citation.Contradicted}, {Sentence: "好", Verdict: citation.Supported}},
	Reduced: true, ByRules: true,
}

var english = export.Document{
	Title: "Lodging in <Shanghai> & beyond", Run: "run_2", Insufficient: true,
	Body: "The limit is 650 a night [S1]. See https://example.invalid/a?b=1 or write to a.b@example.invalid.\n\n# Basis\n* item one [C9]\n",
	Sources: []export.Source{
		{Ref: "S1", Title: "Travel *policy*", Key: "travel.md", Version: 2, Quotes: []export.Quote{{Text: "[click](javascript:alert(1)) www.example.invalid " + strings.Repeat("x", 700), Place: "lines 3–5"}}},
	},
	Checks: []citation.Check{{Sentence: "It is so.", Verdict: citation.NotSupported}, {Sentence: "Partly.", Verdict: citation.Partly}},
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s differs (go test -update writes it anew): %s", file, d)
	}
}

func write(t *testing.T, d export.Document, f export.Format) []byte {
	t.Helper()
	b, err := export.Write(d, f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDocumentsAreTheReviewedOnes(t *testing.T) {
	for name, d := range map[string]export.Document{"chinese": chinese, "english": english} {
		golden(t, name+".md", string(write(t, d, export.AsMarkdown)))
		parts := opened(t, write(t, d, export.AsWord))
		var b strings.Builder
		for _, p := range parts["word/document.xml"].all("p") {
			style := ""
			for _, s := range p.all("pStyle") {
				style = s.attr["val"]
			}
			fmt.Fprintf(&b, "%-10s %q", style, p.said())
			for _, r := range p.all("footnoteReference") {
				b.WriteString(" " + r.attr["id"])
			}
			b.WriteString("\n")
		}
		for _, n := range parts["word/footnotes.xml"].children {
			if n.attr["type"] == "" {
				fmt.Fprintf(&b, "note %s %q\n", n.attr["id"], n.said())
			}
		}
		golden(t, name+".docx.txt", b.String())
		if !racing { // It sees nothing of what PDFium does, and takes minutes for it.
			golden(t, name+".pdf.txt", readBack(t, write(t, d, export.AsPDF)))
		}
	}
}

// readBack is the text of a PDF document as our own reader reads it.
func readBack(t *testing.T, raw []byte) string {
	t.Helper()
	r, err := parse.Parse(t.Context(), parse.File{Name: "a.pdf", Data: raw})
	if err != nil {
		t.Fatal(err)
	}
	return r.Parsed.Text + "\n"
}

func TestTheSameDocumentIsTheSameBytes(t *testing.T) {
	for _, f := range []export.Format{export.AsMarkdown, export.AsWord, export.AsPDF} {
		if !bytes.Equal(write(t, chinese, f), write(t, chinese, f)) {
			t.Errorf("%s differs from itself", f)
		}
	}
}

func TestAWordDocumentSaysItsLanguagesAndFonts(t *testing.T) {
	parts := opened(t, write(t, chinese, export.AsWord))
	lang := parts["word/styles.xml"].all("lang")[0].attr
	fonts := parts["word/styles.xml"].all("rFonts")[0].attr
	if lang["val"] != "en-US" || lang["eastAsia"] != "zh-CN" || fonts["eastAsia"] == "" || fonts["ascii"] == "" {
		t.Errorf("%v %v", lang, fonts)
	}
	title := parts["docProps/core.xml"].all("title")
	if len(title) != 1 || title[0].text != chinese.Title {
		t.Errorf("%+v", title)
	}
}

// tree is what a viewer of Markdown with every common extension makes of a text.
func tree(raw []byte) ast.Node {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList))
	return md.Parser().Parse(text.NewReader(raw))
}

// active lists what of a Markdown document leads outside or is markup.
func active(raw []byte) (out []string) {
	_ = ast.Walk(tree(raw), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.(type) {
		case *ast.Link, *ast.Image, *ast.AutoLink, *ast.RawHTML, *ast.HTMLBlock, *extended.Table, *extended.TaskCheckBox:
			if entering {
				out = append(out, n.Kind().String())
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}

// footnotes counts the notes of a Markdown document and the mentions of them.
func footnotes(raw []byte) (notes, mentions int) {
	_ = ast.Walk(tree(raw), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n.(type) {
			case *extended.Footnote:
				notes++
			case *extended.FootnoteLink:
				mentions++
			}
		}
		return ast.WalkContinue, nil
	})
	return notes, mentions
}

func TestMarkdownHasItsCitationsAsFootnotes(t *testing.T) {
	for _, c := range []struct {
		d               export.Document
		notes, mentions int
	}{{chinese, 2, 4}, {english, 2, 2}} {
		raw := write(t, c.d, export.AsMarkdown)
		if notes, mentions := footnotes(raw); notes != c.notes || mentions != c.mentions {
			t.Errorf("%d notes, %d mentions: %s", notes, mentions, raw)
		}
		if found := active(raw); len(found) > 0 {
			t.Errorf("%v in %s", found, raw)
		}
	}
}

// everywhere puts a text wherever a document can hold one.
func everywhere(s string) export.Document {
	return export.Document{
		Title: s, Body: s + "\n\ntext " + s + " [S1]\n- " + s + "\n1. " + s + "\n# " + s + "\n> " + s + "\n**" + s + "**\n`" + s + "`", Run: "run_1",
		Sources: []export.Source{{Ref: "S1", Title: s, Key: s, Version: 1, Quotes: []export.Quote{{Text: s, Place: s}}}},
		Checks:  []citation.Check{{Sentence: s, Verdict: citation.Partly}},
	}
}

func inert(t interface {
	Errorf(string, ...any)
}, name, s string) {
	raw, err := export.Write(everywhere(s), export.AsMarkdown)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if found := active(raw); len(found) > 0 {
		t.Errorf("%s: %v in\n%s", name, found, raw)
	}
}

func TestNothingThatATextSaysIsActive(t *testing.T) {
	for _, s := range []string{
		"[x](http://e.invalid)", "![x](http://e.invalid/i.png)", "<http://e.invalid>", "http://e.invalid", "HTTPS://E.invalid/x", "www.e.invalid", "a@e.invalid", "<a@e.invalid>",
		"[x]: http://e.invalid", "[^1]: note", "[x][y]\n\n[y]: http://e.invalid", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!-- c -->", "<?x?>", "&lt;b&gt;&#60;",
		"a | b\n--|--\n1 | 2", "- [ ] task", "javascript:alert(1)", "ftp://e.invalid", "mailto:a@e.invalid", "`` ` ``[x](http://e.invalid)", "\\[x](http://e.invalid)", "\\\\[x](http://e.invalid)",
		"***", "===\n---", "    code [x](http://e.invalid)", "\t<b>", "~~~\n<script>\n", "```\n</w:t><script>", "**a** http://e.invalid **b**", "x*http://e.invalid*", "见http://e.invalid/路径。然后", "[S1](http://e.invalid)",
		"![S1](http://e.invalid)", "[S1]: http://e.invalid", "`http://e.invalid", "http://e.invalid`", "`a` http://e.invalid `b`", "a\u2028# b", "\u202ehttp://e.invalid", "[[[[`](><``https://e.invalid]\\", "`a``http://e.invalid`", "`a``b`http://e.invalid", "]]>", "<w:hyperlink r:id=\"rId9\"/>", "{ HYPERLINK \"http://e.invalid\" }", "\x00\x0b\ufffe",
	} {
		inert(t, s, s)
		opened(t, write(t, everywhere(s), export.AsWord))
	}
}

func TestNoTextAtAllIsActive(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"[", "]", "(", ")", "!", "<", ">", "`", "``", "*", "**", "_", "~", "|", "\\", "&", "#", "-", "+", "1.", ":", "@", "/", "//", "http", "https://", "www.", "e.invalid", "a", " ", "  ", "\n", "\n\n",
		"\t", "[S1]", "[^S1]", "[^S1]:", "中", "。", "\"", "'", "=", "<a href=x>", "</a>", "```", "~~~", "> ", "- [ ] ", "\u200b", "\u202e", "javascript:", "mailto:",
	})
	rapid.Check(t, func(r *rapid.T) {
		s := strings.Join(rapid.SliceOfN(piece, 1, 14).Draw(r, "pieces"), "")
		inert(r, fmt.Sprintf("%q", s), s)
		b, err := export.Write(everywhere(s), export.AsWord)
		if err != nil {
			r.Fatal(err)
		}
		opened(t, b)
		paged, err := export.Write(everywhere(s), export.AsPDF)
		if err != nil || len(activeInPDF(paged)) > 0 {
			r.Fatalf("%v: %q", err, activeInPDF(paged))
		}
		if t.Failed() {
			r.Fatalf("%q", s)
		}
	})
}

func TestEveryWordOfATextIsInBothDocuments(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z]{3,8}|[一-龥]{2,5}|[0-9]{2,5}`), 1, 12).Draw(r, "words")
		body := ""
		for _, w := range words {
			body += rapid.SampledFrom([]string{"", "# ", "- ", "  * ", "3. ", "> ", "**", "`"}).Draw(r, "mark") + w + rapid.SampledFrom([]string{"\n", "\n\n", " ", " [S1]\n"}).Draw(r, "end")
		}
		d := export.Document{Title: "t", Body: body, Run: "r"}
		md, err := export.Write(d, export.AsMarkdown)
		if err != nil {
			r.Fatal(err)
		}
		docx, err := export.Write(d, export.AsWord)
		if err != nil {
			r.Fatal(err)
		}
		said := opened(t, docx)["word/document.xml"].said()
		for _, w := range words {
			if !strings.Contains(string(md), w) || !strings.Contains(said, w) {
				r.Fatalf("%q of %q is lost:\n%s\n%s", w, body, md, said)
			}
		}
	})
}

func TestFormatsHaveTheirNames(t *testing.T) {
	for f, want := range map[export.Format][2]string{
		export.AsMarkdown: {"text/markdown; charset=utf-8", ".md"},
		export.AsWord:     {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx"},
		export.AsPDF:      {"application/pdf", ".pdf"},
	} {
		if media, ending := f.Media(); media != want[0] || ending != want[1] {
			t.Errorf("%s: %s %s", f, media, ending)
		}
		for _, name := range []string{string(f), want[1], strings.ToUpper(want[1]), want[1][1:]} {
			if got := export.FormatOf(name); got != f {
				t.Errorf("%s is %q, want %q", name, got, f)
			}
		}
	}
	for _, name := range []string{"", ".", "odt", "PDFX", "../pdf"} {
		if got := export.FormatOf(name); got != "" {
			t.Errorf("%q is %q", name, got)
		}
		if raw, err := export.Write(english, export.Format(name)); err == nil || raw != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAPDFDocumentHasANoteForEachSourceAndLeadsNowhereElse(t *testing.T) {
	for _, c := range []struct {
		d            export.Document
		marks, notes int
	}{{chinese, 4, 2}, {english, 2, 2}} {
		raw := write(t, c.d, export.AsPDF)
		if links := bytes.Count(raw, []byte("/Subtype/Link")); links != c.marks+c.notes || bytes.Count(raw, []byte("/Dest[")) != links {
			t.Errorf("%d links, want %d from marks and %d from notes", links, c.marks, c.notes)
		}
		if found := activeInPDF(raw); len(found) > 0 {
			t.Errorf("%q in the document", found)
		}
	}
}

// activeInPDF lists what of a PDF document could do something or lead outside. All but the drawing
// of pages is readable, and in that nothing of the kind has a meaning.
func activeInPDF(raw []byte) (out []string) {
	for _, word := range []string{"/URI", "/JS", "/JavaScript", "/OpenAction", "/AA", "/Launch", "/GoToR", "/SubmitForm", "/A<<", "/EmbeddedFile", "/XFA", "/AcroForm"} {
		if bytes.Contains(raw, []byte(word)) {
			out = append(out, word)
		}
	}
	return out
}
