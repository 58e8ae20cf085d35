package preview_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/preview"
)

const letter = "Subject: <b>差旅</b>\nFrom: \"Ann\" <ann@acme.test>\nContent-Type: multipart/mixed; boundary=x\n\n" +
	"--x\nContent-Type: text/html\n\n<h1>Rules</h1><p onclick=\"x()\">See <a href=\"https://evil.invalid/t\">this</a>.</p><img src=\"https://evil.invalid/p.gif\">" +
	"<script>alert(1)</script><p style=\"display:none\">HIDDEN-WORDS</p>\n" +
	"--x\nContent-Type: message/rfc822\n\nSubject: Inside\nFrom: bob@acme.test\n\n<script>as text</script>\n" +
	"--x\nContent-Type: text/plain; name=\"a&quot;>.txt\"\n\nstep one\nstep two\n--x\nContent-Type: application/pdf; name=plan.pdf\n\n?\n--x--\n"

func TestAMessageIsShownWithItsHeaderItsTextsAndTheNamesOfItsFiles(t *testing.T) {
	doc := read(t, "a.eml", []byte(letter))
	pages := whole(t, doc)
	if len(pages) != 1 {
		t.Fatalf("%d pages", len(pages))
	}
	shown := pages[0].HTML
	for _, never := range []string{"<img", "<script", "href=", "src=", "onclick", "HIDDEN-WORDS", "<b>", "style="} {
		if strings.Contains(shown, never) {
			t.Errorf("%q is in %s", never, shown)
		}
	}
	for _, id := range []string{"doc-head-Subject", "doc-head-From", "doc-file-3", "doc-file-4", "doc-part-1", "doc-part-2-head-Subject", "doc-part-2-head-From", "doc-part-2_2e1-line-1", "doc-part-3-line-2"} {
		if strings.Count(shown, `id="`+id+`"`) != 1 {
			t.Errorf("the place %s is there %d times in %s", id, strings.Count(shown, `id="`+id+`"`), shown)
		}
	}
	classes := regexp.MustCompile(`<section[^>]* class="([^"]+)"`).FindAllStringSubmatch(shown, -1)
	var got []string
	for _, m := range classes {
		got = append(got, m[1])
	}
	want := []string{"doc-part doc-head", "doc-body", "doc-part doc-head", "doc-body", "doc-part doc-attachment"}
	if !slices.Equal(got, want) {
		t.Errorf("the sections are %v, want %v", got, want)
	}
}

func TestACitationOfAMessageOpensAtItsPlace(t *testing.T) {
	// The cited line stands many pages after the beginning.
	long := "Subject: s\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\n" + strings.Repeat("filler of the first part\n\n", 3000) + "--x\n\nthe cited line\n--x--"
	doc := read(t, "a.eml", []byte(long))
	text := []rune(doc.Text)
	for _, b := range doc.Blocks {
		for _, s := range b.Segments {
			l := s.Locator.(corpus.EMLLocator)
			if l.Part != "2" {
				continue
			}
			w, err := preview.Locate(doc.Blocks, preview.Anchor(l))
			if err != nil {
				t.Fatal(err)
			}
			f, err := preview.Render(reached(doc, w), w)
			if err != nil || !strings.Contains(f.HTML, `id="doc-part-2-line-1"`) || !strings.Contains(f.HTML, string(text[s.Span.Start:s.Span.End])) {
				t.Errorf("at %v there is %.300s, %v", w, f.HTML, err)
			}
			return
		}
	}
	t.Fatal("the second part is not there")
}
