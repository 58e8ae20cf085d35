package browsertest

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"strings"
	"testing"
)

// A change that was left without saving is there again, in this page alone.
func TestAChangeOfADraftThatWasLeftIsBroughtBack(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	p := open(t, s, look{lang: "en-GB"}).as("alice")
	p.click(`form input[type=checkbox]`)
	p.ask(question)
	p.see(`article[data-state=awaiting_review]`)
	p.button("article", "Take over as a draft")
	p.write(`main textarea.field`, " A remark of mine.")
	if !eval[bool](p, `!dispatchEvent(new Event('beforeunload', {cancelable: true}))`) {
		t.Error("the page is closed without a word while a change is not saved")
	}
	id := eval[string](p, `location.pathname.split('/').pop()`)
	p.click(`nav a[href$="/drafts"]`)
	p.click(`main li a[href$="` + id + `"]`)
	p.see(`[data-unsaved]`)
	if got := eval[string](p, `document.querySelector('main textarea.field').value`); !strings.Contains(got, "A remark of mine.") || !strings.Contains(got, "650") {
		t.Errorf("brought back is %q", got)
	}
	if _, body := s.call("alice", "GET", "/api/drafts/"+id, ""); strings.Contains(body, "A remark of mine.") {
		t.Error("it was saved by nobody")
	}
	if kept := eval[string](p, `JSON.stringify({...localStorage, ...sessionStorage})`); strings.Contains(kept, "remark") {
		t.Errorf("it is kept beyond the page: %s", kept)
	}
	p.button("main", "Back to what is saved")
	p.gone(`[data-unsaved]`)
	p.click(`nav a[href$="/drafts"]`)
	p.click(`main li a[href$="` + id + `"]`)
	p.see(`main textarea.field`)
	p.gone(`[data-unsaved]`)

	// A change of a text that is another one since is not laid over it.
	p.expected = append(p.expected, "412", "409")
	p.write(`main textarea.field`, " Another remark.")
	if status, body := s.call("alice", "PUT", "/api/drafts/"+id, `{"body":"Shorter."}`, "If-Match", `"1"`); status != 200 {
		t.Fatal(status, body)
	}
	p.button("header", "Save")
	p.says(`main [role=alert]`, "nothing was overwritten")
	p.button("main", "Copy my text and load the new version")
	p.until(`document.querySelector('main textarea.field')?.value === 'Shorter.'`)
	p.gone(`[data-unsaved]`)
}

// part is the text of one file in an Office document.
func part(t *testing.T, office []byte, name string) string {
	t.Helper()
	files, err := zip.NewReader(bytes.NewReader(office), int64(len(office)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestADraftIsSavedInEachFormWithItsCitationsAsFootnotes(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{lang: "en-GB"}).as("alice")
	p.visit("/drafts")
	p.says(`main`, "No drafts yet")
	p.visit("/")
	p.click(`form input[type=checkbox]`)
	p.ask(question)
	p.see(`article[data-state=awaiting_review]`)
	p.button("article", "Take over as a draft")
	p.see(`main textarea.field`)
	name, raw := p.save(`header [data-export=markdown]`)
	if text := string(raw); !strings.HasSuffix(name, ".md") || !strings.Contains(text, "\n[^S1]: ") || !strings.Contains(text, "650") || !strings.Contains(text, "travel-policy · 第 2 版") {
		t.Errorf("%s: %s", name, raw)
	}
	name, raw = p.save(`header [data-export=docx]`)
	if notes := part(t, raw, "word/footnotes.xml"); !strings.HasSuffix(name, ".docx") || !strings.Contains(notes, "差旅管理制度") || !strings.Contains(part(t, raw, "word/document.xml"), "w:footnoteReference") {
		t.Errorf("%s: %s", name, notes)
	}
	if name, raw = p.save(`header [data-export=pdf]`); !strings.HasSuffix(name, ".pdf") || !strings.HasPrefix(string(raw), "%PDF-") {
		t.Errorf("%s: %.10q", name, raw)
	}
	p.click(`nav a[href$="/drafts"]`)
	p.says(`main li`, "v1")
	p.click(`main li a`)
	p.see(`main textarea.field`)
}
