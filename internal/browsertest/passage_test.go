package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A passage is shown as it reads in its document, and as it is stored where somebody asks for that.
func TestAPassageReadsAsInItsDocument(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	p := open(t, s, look{lang: "en-GB"}).as("alice")
	p.ask(question)
	p.answered()
	p.click(`article [data-cite]`)
	p.see(`[data-excerpt] mark`)
	seen := func() string { return eval[string](p, `document.querySelector('[data-excerpt]').innerText`) }
	if got := seen(); strings.Contains(got, "|") || strings.Contains(got, "#") || strings.Contains(got, "**") || !strings.Contains(got, "差旅管理制度") {
		t.Errorf("it reads %s", got)
	}
	// A cited row of a table is marked in its cells.
	p.until(`[...document.querySelectorAll('[data-excerpt] td mark')].map(e => e.textContent.trim()).join(' ').includes('650 元')`)
	p.click(`[data-view=raw]`)
	p.says(`[data-excerpt]`, "| 上海 | 650 元 |")
	p.see(`[data-excerpt] mark`)
	if got := seen(); !strings.Contains(got, "# 差旅管理制度") {
		t.Errorf("stored is %s", got)
	}
	// A card shows a row in its cells, below those that name its columns, and has none of its marks either.
	p.press(kb.Escape)
	p.gone(`aside[data-source]`)
	p.until(`(() => { const m = [...document.querySelectorAll('article [data-cite]')][1]; m.focus(); return document.querySelector('[role=tooltip]') !== null })()`)
	if card := p.text(`[role=tooltip]`); strings.Contains(card, "|") {
		t.Errorf("the card says %s", card)
	}
	if cells := eval[string](p, `['columnheader', 'cell'].map(r => [...document.querySelectorAll('[role=tooltip] [role=' + r + ']')].map(e => e.textContent).slice(0, 2).join()).join('/')`); cells != "城市,每晚上限/上海,650 元" {
		t.Errorf("the cells of the card are %s", cells)
	}

	// It reads so also when its version is no longer in force, and says since when it was.
	if status, body := s.call("carol", "POST", "/api/documents/doc-travel-v3/publish-proposals", ""); status != 201 {
		t.Fatal(status, body)
	} else if status, body := s.call("carol", "POST", "/api/publish-proposals/"+field(t, body, "proposal_id")+"/decisions", `{"approved":true}`); status != 200 {
		t.Fatal(status, body)
	}
	p.run(chromedp.Reload())
	p.answered()
	p.click(`article [data-cite]`)
	p.says(`[data-strip=other]`, "Answered from v2 (published 2")
	p.until(`[...document.querySelectorAll('[data-excerpt] td > mark')].some(e => e.textContent === '上海')`)
}

// What is said to be missing is in the language of the page, and what it is about in that of the question.
func TestWhatIsMissingIsToldInTheLanguageOfThePage(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{lang: "en-GB"}).as("alice")
	p.ask("火星基地的氧气配额是多少？")
	p.answered()
	p.says(`[data-missing=absent]`, "Not found in what was read:")
	p.says(`[data-missing=absent]`, "氧气配额")
	if text := eval[string](p, `document.querySelector('article').innerText`); strings.Contains(text, "没有找到") || strings.Contains(text, "资料不足") {
		t.Errorf("the English page says %s", text)
	}
	p.click(`nav [data-choice=lang]`)
	p.says(`[data-missing=absent]`, "在已读内容中没有找到：")
}

// Signs alone are no sentence: whatever has a verdict has a word, and each verdict stands behind its reference.
func TestNoVerdictStandsOnSignsAlone(t *testing.T) {
	chromium(t)
	m := model(t, said)
	p := open(t, serve(t, false, m.env()...), look{}).as("bob")
	for _, answer := range []string{
		"校验行，用于确认本手册没有离开研发组：[S1]\nCANARY-RD-7f3a91[S1]",
		"结论：上海的住宿上限为每晚 650 元。[S1]\n——：[S1]\n依据：写作 <script>alert(1)</script>，如 <b>。[S1] “上海的住宿上限为每晚 650 元。”[S1]",
	} {
		m.says(answer, nil)
		p.visit("/")
		p.ask(question)
		p.answered()
		p.see(`.sentence [data-check]`)
		for _, said := range eval[[]string](p, `[...document.querySelectorAll('.sentence')].map(e => [...e.querySelectorAll('.said')].map(x => x.textContent).join(''))`) {
			if !strings.ContainsFunc(said, func(r rune) bool { return r > 0x2e80 && r < 0xff00 || r >= 'A' && r <= 'z' }) {
				t.Errorf("a verdict stands on %q", said)
			}
		}
		// All of the text is there, and between two verdicts there is nothing but space.
		loose := eval[[]string](p, `[...document.querySelectorAll('article section p')].flatMap(e => [...e.childNodes]).filter(n => n.nodeType === 3 || !n.matches('.sentence')).map(n => n.textContent.trim()).filter(s => s !== '' && !/[\p{L}\p{N}]/u.test(s))`)
		if len(loose) > 1 || len(loose) == 1 && loose[0] != "——：" {
			t.Errorf("signs stand alone: %q", loose)
		}
		if strings.Contains(answer, "script") {
			p.says(`.said`, "<script>alert(1)</script>，如 <b>。")
		}
	}
}

// After a loss the scope of an answer says how much of it is gone, and names nothing.
func TestTheScopeOfAnAnswerNamesNothingThatIsLost(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	p := open(t, s, look{lang: "en-GB"}).as("bob")
	p.ask("What is the zero drift limit of the prototype?")
	p.answered()
	p.says(`[data-scope]`, "研发")
	if status, body := s.call("carol", "PUT", "/api/knowledge-bases/kb-policies/grants", `{"grants":[{"principal":"user:carol","role":"manager"}]}`); status != 200 {
		t.Fatal(status, body)
	}
	p.run(chromedp.Reload())
	p.answered()
	p.says(`[data-scope]`, "no longer available to you: 1")
	if text := p.text(`[data-scope]`); strings.Contains(text, "kb-") {
		t.Errorf("the scope is told as %s", text)
	}
}

// The keys that are listed do what is said of them.
func TestTheQuestionIsSentByTheKeysThatAreListed(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{lang: "en-GB"}).as("alice")
	p.see(`form textarea`)
	p.run(chromedp.Evaluate(`document.activeElement.blur()`, nil))
	p.press("?")
	p.says(`dialog[open] [data-keys="keys.send"] kbd`, "Enter")
	p.says(`dialog[open] [data-keys="keys.line"] kbd`, "Shift")
	if eval[bool](p, `/mac/i.test(navigator.platform)`) == eval[bool](p, `[...document.querySelectorAll('[data-keys="keys.send"] kbd')].some(k => k.textContent === 'Ctrl')`) {
		t.Error("the key is named as on another machine")
	}
	p.press(kb.Escape)
	p.gone(`dialog[open]`)
	p.write(`form textarea`, "What is")
	p.run(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(8)))
	p.until(`document.querySelector('form textarea').value === 'What is\n'`)
	p.write(`form textarea`, "the lodging limit in Shanghai?")
	p.run(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(2)))
	p.see(`article[data-run-id]`)
}
