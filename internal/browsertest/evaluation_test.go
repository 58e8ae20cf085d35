package browsertest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

const questions = `name: Travel
cases:
  - {id: lodging, as: tina, question: 上海住宿上限是多少？, contains: [650]}
  - {id: too-much, as: tina, question: 上海住宿上限是多少？, contains: ["999"]}
  - {id: of-bob, as: bob, question: 研发手册说了什么？, contains: ["888"]}
`

// evaluate holds the demonstration against the questions, so many times.
func (s *server) evaluate(times int) {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "questions.yaml")
	if err := os.WriteFile(file, []byte(questions), 0o600); err != nil {
		s.t.Fatal(err)
	}
	for range times {
		s.command("eval", file, "--min", "citation=0")
	}
}

func TestAnAdministratorSeesEvaluationsAndOpensTheRunOfACase(t *testing.T) {
	chromium(t)
	source := axe(t)
	s := administered(t)
	s.evaluate(2)
	for lang, c := range map[string]struct {
		dark                    bool
		title, kind, withheld   string
		groups, passed, another string
	}{
		"en-GB": {false, "Question files", "something is missing", "Asked in the name of another person", "Citation", "Passed: 1", "your own answers"},
		"zh-CN": {true, "题集评测", "缺少应有的内容", "此用例以他人身份提问", "引用", "通过：1", "您自己的回答"},
	} {
		p := open(t, s, look{lang: lang, dark: c.dark}).as("tina")
		p.visit("/evaluation")
		p.says(`main h2`, c.title)
		p.until(`document.querySelectorAll('[data-trend] circle').length >= 4 && document.querySelectorAll('[data-trend] polyline').length >= 2`)
		p.says(`main table th`, c.groups)
		if got := eval[[]string](p, `[...document.querySelectorAll('[data-result]')].map(r => r.cells[2].textContent)`); strings.Join(got, " ") != "1/3 1/3" {
			t.Errorf("the citations of the two results: %v", got)
		}
		p.accessible(source, "results, "+lang)
		p.click(`[data-result] button`)
		p.says(`[data-case=too-much]`, c.kind)
		p.says(`[data-case=too-much]`, "999")
		p.says(`[data-case=of-bob]`, c.withheld)
		p.says(`[data-evaluation] summary`, c.passed)
		if text := eval[string](p, `document.querySelector('[data-evaluation]').textContent`); strings.Contains(text, "888") || strings.Contains(text, "研发手册") {
			t.Errorf("a case in the name of Bob tells %s", text)
		}
		p.accessible(source, "a result, "+lang)
		p.shot(map[string]string{"en-GB": "result-en-light", "zh-CN": "result-zh-dark"}[lang])
		// The address names the result, and the case leads to its run.
		p.run(chromedp.Reload())
		p.click(`[data-case=too-much] a[href*="/runs/"]`)
		p.see(`article[data-run-id]`)
		p.says(`article h2`, "上海住宿上限是多少？")
	}
}

func TestNobodyElseSeesEvaluationsOfQuestionFiles(t *testing.T) {
	chromium(t)
	s := administered(t)
	p := open(t, s, look{lang: "en-GB"}).as("carol")
	p.visit("/evaluation")
	p.says(`main`, "Whole question files are evaluated on the command line")
	p.gone(`[data-trend]`)
	if text := p.text(`main`); strings.Contains(text, "Question files") {
		t.Errorf("%s", text)
	}
	// To an administrator it says what to do where there is nothing yet.
	q := open(t, s, look{lang: "en-GB"}).as("tina")
	q.visit("/evaluation")
	q.says(`main`, "No result is kept yet")
	q.says(`main`, "kaoju eval questions.yaml")
}

// save clicks on what saves a file, and returns the file's name and bytes.
func (p *page) save(selector string) (name string, raw []byte) {
	p.t.Helper()
	folder, done := p.t.TempDir(), make(chan string, 1)
	ctx, end := context.WithTimeout(p.ctx, patience)
	defer end()
	chromedp.ListenTarget(ctx, func(ev any) {
		if e, ok := ev.(*browser.EventDownloadProgress); ok && e.State != browser.DownloadProgressStateInProgress {
			done <- string(e.State)
		}
	})
	p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		of, err := target.GetTargetInfo().Do(ctx)
		if err != nil {
			return err
		}
		return browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithBrowserContextID(of.BrowserContextID).WithDownloadPath(folder).WithEventsEnabled(true).Do(ctx)
	}))
	p.click(selector)
	select {
	case state := <-done:
		if state != string(browser.DownloadProgressStateCompleted) {
			p.t.Fatalf("%s: saving was %s", selector, state)
		}
	case <-ctx.Done():
		p.t.Fatalf("%s: nothing was saved", selector)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 1 {
		p.t.Fatalf("%s: %v %v", selector, files, err)
	}
	raw, err = os.ReadFile(filepath.Join(folder, files[0].Name()))
	if err != nil {
		p.t.Fatal(err)
	}
	return files[0].Name(), raw
}

func TestAnAnswerIsSavedInEachForm(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{}).as("alice")
	p.ask(question)
	p.answered()
	for _, c := range [][3]string{{"pdf", ".pdf", "%PDF-1.7"}, {"docx", ".docx", "PK"}, {"markdown", ".md", "# "}} {
		name, raw := p.save(`article [data-export=` + c[0] + `]`)
		if !strings.HasSuffix(name, c[1]) || !strings.HasPrefix(name, "上海住宿") || !strings.HasPrefix(string(raw), c[2]) {
			t.Errorf("%s: %s begins with %.10q", c[0], name, raw)
		}
	}
	p.visit("/ledger")
	if name, raw := p.save(`[data-export=ledger]`); name != "kaoju-ledger.jsonl" || !strings.Contains(string(raw), `"kind":"run.`) || !strings.Contains(string(raw), `"checkpoint":"`) {
		t.Errorf("%s: %s", name, raw)
	}
}

func TestMarksBecomeAQuestionFileThatTheCommandLineRuns(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	p := open(t, s, look{}).as("alice")
	p.ask(question)
	p.answered()
	p.click(`[data-check=supported]`)
	p.click(`article .card [role=group] button:nth-of-type(1)`)
	p.says(`article .card [role=status]`, "已保存")
	p.visit("/evaluation")
	name, raw := p.save(`[data-export=cases]`)
	if name != "questions.yaml" || !strings.Contains(string(raw), `contains: ["650"]`) || !strings.Contains(string(raw), `doc_keys: ["travel-policy"]`) {
		t.Fatalf("%s: %s", name, raw)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	// The command ends the test unless every case is as it has to be.
	if out := s.command("eval", file); !strings.Contains(out, "全部达到要求") {
		t.Errorf("%s", out)
	}
}
