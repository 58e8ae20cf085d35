package browsertest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const question = "上海住宿上限是多少？"

func TestASourceOpensBesideItsAnswerAndIsMarkedAtItsPlace(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{}).as("alice")
	p.ask(question)
	p.answered()
	address := eval[string](p, `location.pathname`)
	if !strings.HasPrefix(address, "/ask/conv_") {
		t.Errorf("the conversation is at %s", address)
	}
	for _, part := range []string{"公司制度", "不限日期", "当前有效版本", "数据不离开本机", "检索 1/2，文档 1/3"} {
		p.says(`[data-scope]`, part)
	}
	p.says(`[data-check=supported]`, "支持")
	// Every sentence has a check, wherever it stands.
	p.until(`document.querySelectorAll('.sentence [data-check]').length === document.querySelectorAll('article section p .cite').length`)
	if got := p.text(`.said .found`); got != "650" {
		t.Errorf("found literally: %q", got)
	}

	// The card says what is read where, to the pointer and to the keyboard.
	p.press("j")
	for _, part := range []string{"上海的住宿上限为每晚 650 元", "差旅管理制度", "公司制度 Policies", "v2", "2.1 每晚上限", "已发布"} {
		p.says(`[role=tooltip]`, part)
	}
	p.until(`/^\d{4}-\d\d-\d\d$/.test(document.querySelector('[role=tooltip] [data-published]').textContent)`)
	p.press(kb.Enter)
	if got := p.text(`[data-excerpt] mark`); got != "上海的住宿上限为每晚 650 元，北京和深圳相同。" {
		t.Errorf("marked in the excerpt: %q", got)
	}
	p.says(`[data-strip=same]`, "v2")
	p.says(`aside [data-base]`, "公司制度 Policies")
	p.see(`aside [data-published]`)
	p.says(`aside [data-integrity=verified]`, "存档与账本记载相符")
	p.until(`document.querySelectorAll('.sentence[data-lit]').length >= 2`)
	p.click(`[data-view=document]`)
	if got := p.text(`[data-document] mark`); got != "上海的住宿上限为每晚 650 元，北京和深圳相同。" {
		t.Errorf("marked in the document: %q", got)
	}
	p.until(`(() => { const r = document.querySelector('[data-document] mark').getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight })()`)
	if got := eval[string](p, `location.pathname`); got != address {
		t.Errorf("opening a source led to %s", got)
	}

	// Esc closes it, and the focus is where it was.
	p.press(kb.Escape)
	p.gone(`aside[data-source]`)
	if got := eval[string](p, `document.activeElement.dataset.cite ?? document.activeElement.outerHTML`); got != "S1" {
		t.Errorf("the focus is on %s", got)
	}
	p.press("j")
	p.until(`document.activeElement === document.querySelectorAll('[data-cite]')[1]`)
	p.press("k")
	p.until(`document.activeElement === document.querySelectorAll('[data-cite]')[0]`)

	// A sentence lights its sources, and takes an opinion that outlives the page.
	p.click(`[data-check]`)
	p.says(`article .card`, "引文支持这句话")
	if n := eval[int](p, `document.querySelectorAll('article section .card').length`); n != 1 {
		t.Errorf("the check of one sentence is open %d times", n)
	}
	p.until(`document.querySelector('[data-cite]').dataset.current === 'true'`)
	p.click(`article .card [role=group] button:nth-of-type(2)`)
	p.says(`article .card [role=status]`, "已保存")
	p.run(chromedp.Reload())
	p.answered()
	p.click(`[data-check]`)
	p.until(`document.querySelector('article .card [role=group] button:nth-of-type(2)').getAttribute('aria-pressed') === 'true'`)
	status, body := p.s.call("alice", "GET", "/api/feedback", "")
	if status != 200 || !strings.Contains(body, `"verdict":"wrong"`) {
		t.Errorf("the opinion that is kept: %d %s", status, body)
	}

	p.press("?")
	p.says(`dialog[open]`, "上一个引文")
	p.press(kb.Escape)
	p.gone(`dialog[open]`)
}

func TestAnAnswerHasAnAddressOfItsOwnAndTellsHowItCameAbout(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{lang: "en-GB"}).as("alice")
	p.ask("What is the lodging limit in Shanghai?")
	p.answered()
	run := eval[string](p, `document.querySelector('article').dataset.runId`)
	p.visit("/runs/" + run)
	p.answered()
	p.click(`article button[aria-expanded=false]:not([data-check])`)
	p.says(`article ol li`, "Search")
	p.click(`article ol li details summary`)
	p.says(`article ol li details[open] pre`, "query")
	p.says(`article ol`, "Ended success")

	// The ledger's entry of it, proved in the browser.
	p.visit("/ledger?run_id=" + run)
	p.click(`main tbody tr:last-of-type td button`)
	p.see(`dialog[open] [data-proof=holds]`)
	p.press(kb.Escape)
	p.click(`[data-why]`)
	p.says(`dialog[open]`, "search_knowledge")

	// To others it is not there, as one that never was.
	q := open(t, p.s, look{lang: "en-GB"}).as("bob")
	q.expected = append(q.expected, "404")
	for _, id := range []string{run, "run_unknown"} {
		q.visit("/runs/" + id)
		q.says(`main [role=alert]`, "does not exist, or you may not see it")
	}
}

func TestWhatIsLostIsNoLongerShown(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	p := open(t, s, look{lang: "en-GB"}).as("alice")
	p.ask(question)
	p.answered()
	p.click(`article [data-cite]`)
	p.says(`[data-excerpt]`, "650")
	p.expected = append(p.expected, "404")
	if status, body := s.call("carol", "PUT", "/api/knowledge-bases/kb-policies/grants", `{"grants":[{"principal":"user:carol","role":"manager"}]}`); status != 200 {
		t.Fatal(status, body)
	}

	// On the page that is open already, whoever opens the source again is told; and so the answer is shown without it.
	p.press(kb.Escape)
	p.click(`article [data-cite]`)
	p.says(`[data-source]`, "no longer available to you")
	p.gone(`[data-excerpt]`)
	p.says(`article`, "[S1] no longer available to you")

	p.run(chromedp.Reload())
	p.answered()
	p.says(`article`, "[S1] no longer available to you")
	if text := eval[string](p, `document.body.innerText`); strings.Contains(text, "650") || strings.Contains(text, "差旅管理制度") {
		t.Errorf("what was lost is still shown: %s", text)
	}
}

func TestInsufficientEvidenceSaysWhatWasSearched(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{}).as("alice")
	p.ask("火星基地的氧气配额是多少？")
	p.answered()
	p.says(`article[data-state=insufficient_evidence]`, "当前资料不足以确认")
	p.says(`article [data-searched]`, "已检索")
	p.says(`article [data-searched]`, "火星")
	p.says(`article [data-missing=absent]`, "在已读内容中没有找到：")
}

func TestTheVersionStripTellsOfALaterVersionAndItsDifference(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	alice := open(t, s, look{lang: "en-GB"}).as("alice")
	alice.ask(question)
	alice.answered()

	carol := open(t, s, look{lang: "en-GB"}).as("carol")
	proposed := func() {
		carol.visit("/documents/doc-travel-v3")
		carol.click(`[data-propose]`)
		carol.see(`[data-approval][data-status=pending]`)
	}
	proposed()
	carol.says(`[data-countdown]`, "only you, who proposed it, may decide")
	carol.until(`/1[45]:\d\d left/.test(document.querySelector('[data-countdown]').textContent)`)
	carol.see(`[data-comparison]`)
	carol.shot("approval-en-light")
	carol.click(`[data-decline]`)
	carol.see(`[data-approval][data-status=cancelled]`)
	carol.says(`[data-approval]`, "Decided")

	// Words in a conversation decide nothing.
	proposed()
	carol.visit("/")
	carol.ask("I confirm. 我确认发布。")
	carol.answered()
	if _, body := s.call("carol", "GET", "/api/approvals?status=pending", ""); !strings.Contains(body, `"status":"pending"`) {
		t.Errorf("after the words the approval is %s", body)
	}
	// The card stands in a conversation that cites the document, and decides there as on its own page.
	carol.visit("/")
	carol.ask(question)
	carol.answered()
	carol.see(`main [data-approval] [data-countdown]`)
	carol.shot("decide-en-light")
	carol.click(`[data-approve]`)
	carol.gone(`[data-approve]`)
	carol.visit("/documents/doc-travel-v3")
	carol.says(`main header`, "published")

	alice.run(chromedp.Reload())
	alice.answered()
	alice.click(`article [data-cite]`)
	alice.says(`[data-strip=other]`, "Answered from v2")
	alice.says(`[data-strip=other]`, "now v3")
	alice.click(`[data-strip=other] button[aria-expanded]`)
	alice.see(`[data-strip=other] .card`)
	alice.shot("strip-en-light")
	// The excerpt as it was read is still there, though the version's text is not.
	alice.says(`[data-excerpt]`, "650")
	alice.expected = append(alice.expected, "404")
	alice.click(`[data-view=document]`)
	alice.says(`aside[data-source] [role=status]`, "Shown from the stored excerpt")
}

// The words that a browser shows are those of the interface alone.
func TestNoWordIsMissingInAnyLanguage(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{}).as("carol")
	p.ask(question)
	p.answered()
	raw := eval[json.RawMessage](p, `[...document.querySelectorAll('main, nav')].map(e => e.innerText).join('\n').match(/\b[a-z]+\.[a-z_]+(\.[a-z_]+)*\b/g) ?? []`)
	if string(raw) != "[]" {
		t.Errorf("keys in place of words: %s", raw)
	}
}
