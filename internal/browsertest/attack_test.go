package browsertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/kaoju/kaoju/internal/sharedtest"
)

var reference = regexp.MustCompile(`\[[SC]\d+\]`)

type attack struct {
	ID       string `json:"id"`
	Markdown string `json:"markdown"`
}

// harmless tells what of the page is no work of the interface: elements that would run, load or lead
// somewhere. The interface itself has links to its own screens alone.
const harmless = `[...document.querySelectorAll('body script, iframe, object, embed, img, video, audio, source, form[action], base, meta[http-equiv], link:not([rel=icon]):not([rel=stylesheet]):not([rel=modulepreload]), style, math, body a[href]')]
	.filter(e => !(e.tagName === 'SCRIPT' && e.src.startsWith(location.origin + '/assets/')))
	.filter(e => !(e.tagName === 'A' && e.protocol === location.protocol && e.host === location.host))
	.map(e => e.outerHTML.slice(0, 200))
	.concat([...document.querySelectorAll('body *')].flatMap(e => e.getAttributeNames().filter(n => n.startsWith('on')).map(n => e.tagName + ' ' + n)))`

// upload puts a document in as somebody, beside the browser.
func (s *server) upload(who, base, name, title, text string) {
	s.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for k, v := range map[string]string{"status": "published", "title": title} {
		if v == "" {
			continue
		}
		if err := form.WriteField(k, v); err != nil {
			s.t.Fatal(err)
		}
	}
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := part.Write([]byte(text)); err != nil {
		s.t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/api/knowledge-bases/"+base+"/documents", &body)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.tokens[who])
	req.Header.Set("Content-Type", form.FormDataContentType())
	res, err := (&http.Client{Timeout: 30 * time.Second}).Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	var up struct {
		Job *string `json:"job_id"`
	}
	if err := json.NewDecoder(res.Body).Decode(&up); err != nil || res.StatusCode != http.StatusAccepted || up.Job == nil {
		s.t.Fatalf("uploading %s: %d %v", name, res.StatusCode, err)
	}
	for deadline := time.Now().Add(patience); ; {
		_, job := s.call(who, "GET", "/api/jobs/"+*up.Job, "")
		if strings.Contains(job, `"state":"succeeded"`) {
			return
		}
		if strings.Contains(job, `"state":"failed"`) || time.Now().After(deadline) {
			s.t.Fatalf("the job of %s: %s", name, job)
		}
	}
}

// Markup in answers, titles and documents is text: nothing of it runs, loads, or leads anywhere.
func TestMarkupOfStrangersStaysText(t *testing.T) {
	chromium(t)
	attacks := sharedtest.Records[attack](t, "security", "markdown_xss.jsonl")
	m := model(t, said)
	s := serve(t, false, m.env()...)
	p := open(t, s, look{lang: "en-GB"}).as("carol")
	p.expected = append(p.expected, "404")

	// As answers of a model: as many in one as an answer takes, with a citation that makes it one.
	for i := 0; i < len(attacks); i += 12 {
		var all strings.Builder
		all.WriteString("结论：上海的住宿上限为每晚 650 元。[S1]\n")
		for _, a := range attacks[i:min(i+12, len(attacks))] {
			// A reference that the run does not have makes no answer at all, whatever stands beside it.
			all.WriteString("\n" + reference.ReplaceAllString(a.Markdown, "[S 9]") + " [S1]\n")
		}
		m.says(all.String(), nil)
		p.visit("/")
		p.ask(fmt.Sprintf("%s %d", question, i))
		p.answered()
		p.says(`article[data-state=completed]`, "650")
		if found := eval[[]string](p, harmless); len(found) != 0 {
			t.Errorf("answers from %s on: %v", attacks[i].ID, found)
		}
	}

	// As a question, a title and a document, on every screen that shows them.
	worst := `<img src=x onerror=alert(1)><script>alert(2)</script>[click](javascript:alert(3)) ![x](https://evil.invalid/p.png)`
	s.upload("carol", "kb-support", "markup.md", worst, "# "+worst+"\n\nThe zebra quota is 77. "+worst+"\n")
	m.says(said, nil)
	p.visit("/")
	p.ask(worst + " 上海住宿")
	p.answered()
	for _, screen := range []string{"/", "/documents?kb=kb-support", "/search", "/evaluation", "/ledger"} {
		p.visit(screen)
		p.see(`main`)
		if screen == "/search" {
			p.write(`form[role=search] input`, "zebra quota")
			p.click(`form[role=search] button`)
			p.says(`main ol`, "<script>alert(2)</script>")
		}
		if found := eval[[]string](p, harmless); len(found) != 0 {
			t.Errorf("%s: %v", screen, found)
		}
	}
	p.visit("/documents?kb=kb-support")
	p.says(`[role=table]`, "<img src=x onerror=alert(1)>")
	p.run(chromedp.Click(`//*[@role='row']//a[contains(., 'onerror')]`, chromedp.BySearch))
	p.says(`[data-document]`, "The zebra quota is 77.")
	if found := eval[[]string](p, harmless); len(found) != 0 {
		t.Errorf("the document: %v", found)
	}
}
