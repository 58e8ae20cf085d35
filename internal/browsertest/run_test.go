package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

const said = "结论：上海的住宿上限为每晚 650 元。[S1]\n依据：上海的住宿上限为每晚 650 元。[S1]"

func TestCancellingIsShownUntilTheWorkHasStopped(t *testing.T) {
	chromium(t)
	m := model(t, said)
	hold := make(chan struct{})
	m.says(said, hold)
	p := open(t, serve(t, false, m.env()...), look{lang: "en-GB"}).as("alice")
	p.ask(question)
	p.says(`article [role=status]`, "The model is at work")

	// Another tab follows the same run from its first event.
	run := eval[string](p, `document.querySelector('article').dataset.runId`)
	other := open(t, p.s, look{lang: "en-GB"}).as("alice")
	other.visit("/runs/" + run)
	other.says(`article [role=status]`, "The model is at work")
	other.click(`article button[aria-expanded=false]`)
	other.says(`article ol`, "Read")

	p.click(`[data-cancel]`)
	p.until(`['cancelling', 'cancelled'].includes(document.querySelector('article').dataset.state)`)
	p.see(`article[data-state=cancelled]`)
	p.says(`article`, "Cancelled.")
	other.see(`article[data-state=cancelled]`)
	close(hold)
}

func TestARunGoesOnAfterItsServerWasKilled(t *testing.T) {
	chromium(t)
	m := model(t, said)
	hold := make(chan struct{})
	m.says(said, hold)
	s := serve(t, false, m.env()...)
	p := open(t, s, look{}).as("alice")
	p.expected = append(p.expected, "404")
	p.ask(question)
	p.says(`article [role=status]`, "模型正在处理")

	address := strings.TrimPrefix(s.url, "http://")
	p.mu.Lock()
	p.down = true
	p.mu.Unlock()
	s.kill()
	close(hold)
	m.says(said, nil)
	s.start(address, "--demo")
	// The open page takes the stream up again by itself, and learns what became of the run.
	p.see(`article[data-state=interrupted]`)
	p.says(`article`, "服务停止")
	p.click(`[data-resume]`)
	p.see(`article[data-state=completed]`)
	p.says(`article .said`, "上海的住宿上限为每晚")
	p.run(chromedp.Reload())
	p.see(`article[data-state=completed]`)
}

func TestADraftIsTakenOverEditedAndNeverOverwritten(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{lang: "en-GB"}).as("alice")
	p.click(`form input[type=checkbox]`)
	p.ask(question)
	p.see(`article[data-state=awaiting_review]`)
	p.run(chromedp.Click(`//article//button[contains(., 'Take over as a draft')]`, chromedp.BySearch))
	p.see(`main textarea.field`)
	p.write(`main textarea.field`, " A remark of mine.")
	p.run(chromedp.Click(`//header//button[normalize-space()='Save']`, chromedp.BySearch))
	p.says(`main header`, "v2")
	id := eval[string](p, `location.pathname.split('/').pop()`)
	if _, body := p.s.call("alice", "GET", "/api/drafts/"+id, ""); !strings.Contains(body, "A remark of mine.") || !strings.Contains(body, `"version":2`) {
		t.Errorf("the draft that is kept: %s", body)
	}

	// Somebody else's hand came in between.
	if status, body := p.s.call("alice", "PUT", "/api/drafts/"+id, `{"title":"Another title"}`, "If-Match", `"2"`); status != 200 {
		t.Fatal(status, body)
	}
	p.expected = append(p.expected, "412", "409")
	p.write(`main textarea.field`, " More.")
	p.run(chromedp.Click(`//header//button[normalize-space()='Save']`, chromedp.BySearch))
	p.says(`main [role=alert]`, "nothing was overwritten")
	if _, body := p.s.call("alice", "GET", "/api/drafts/"+id, ""); strings.Contains(body, "More.") {
		t.Errorf("the draft was overwritten: %s", body)
	}
}

// A question that was taken, and whose run could not be had at once, is shown at its own page and not lost without a word.
func TestAQuestionWhoseRunIsNotHadAtOnceIsShownAtItsOwnPage(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{lang: "en-GB"}).as("alice")
	p.run(chromedp.Evaluate(`(() => {
		const real = window.fetch
		window.uncaught = []
		addEventListener('unhandledrejection', e => window.uncaught.push(String(e.reason)))
		let failed = false
		window.fetch = (url, init) => {
			if (failed || !/\/runs\/[^/?]+$/.test(String(url)) || (init?.method ?? 'GET') !== 'GET') return real(url, init)
			failed = true
			return Promise.reject(new TypeError('the way is gone'))
		}
	})()`, nil))
	p.ask(question)
	p.answered()
	if path := eval[string](p, `location.pathname`); !strings.HasPrefix(path, "/runs/") {
		t.Errorf("it is shown at %s", path)
	}
	if uncaught := eval[[]string](p, `window.uncaught`); len(uncaught) > 0 {
		t.Errorf("nobody catches %q", uncaught)
	}
}
