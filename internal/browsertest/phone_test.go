package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// wide tells what of the page is wider than its room, or can be scrolled to the side.
const wide = `(() => {
	const out = []
	if (document.scrollingElement.scrollWidth > innerWidth) out.push('the page: ' + document.scrollingElement.scrollWidth)
	for (const e of document.querySelectorAll('body *')) {
		const s = getComputedStyle(e)
		if (e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1 && ['auto', 'scroll'].includes(s.overflowX)) out.push(e.tagName + ' ' + e.className + ': ' + e.scrollWidth + ' in ' + e.clientWidth)
	}
	return out
})()`

// tall tells whether the page scrolls beside the one part of it that is meant to.
const tall = `document.scrollingElement.scrollHeight > innerHeight || document.documentElement.scrollTop > 0 ? ['the page is ' + document.scrollingElement.scrollHeight + ' high'] : []`

// small tells which of what can be touched is not 44 pixels high and wide where a finger meets it. What stands in a line of
// text, such as a reference, is as high as its line.
const small = `(() => {
	const out = []
	const top = document.querySelector('dialog[open]') ?? document.querySelector('aside[data-source]') ?? document
	for (const e of top.querySelectorAll('a[href], button, select, summary, input:not([type=hidden]):not([type=file]), textarea, [role=tab]')) {
		if (e.disabled || e.matches('.cite, [data-check], [href="#main"]') || getComputedStyle(e).display === 'inline') continue
		const spread = getComputedStyle(e, '::after')
		const target = e.matches('[type=checkbox], [type=radio]') ? e.closest('label') ?? e : spread.position === 'absolute' && spread.content !== 'none' ? e.offsetParent : e
		if (!target.checkVisibility({visibilityProperty: true}) || target.getBoundingClientRect().width === 0) continue
		target.scrollIntoView({block: 'center', inline: 'center'})
		const r = target.getBoundingClientRect()
		const x = r.left + r.width / 2, y = r.top + r.height / 2
		const met = (dx, dy) => { const m = document.elementFromPoint(Math.min(innerWidth - 1, Math.max(0, x + dx)), Math.min(innerHeight - 1, Math.max(0, y + dy))); return m !== null && (target.contains(m) || m.contains(target)) }
		const high = met(0, -21) && met(0, 21), broad = met(-21, 0) && met(21, 0)
		if (!high || !broad) out.push(e.outerHTML.slice(0, 160) + ' ' + Math.round(r.width) + ' x ' + Math.round(r.height))
	}
	return out
})()`

// handy holds what is on a phone's page now to its size.
func (p *page) handy(where string) {
	p.t.Helper()
	for _, fault := range eval[[]string](p, wide) {
		p.t.Errorf("%s is too wide: %s", where, fault)
	}
	for _, fault := range eval[[]string](p, tall) {
		p.t.Errorf("%s scrolls twice: %s", where, fault)
	}
	for _, fault := range eval[[]string](p, small) {
		p.t.Errorf("%s is too small to touch: %s", where, fault)
	}
}

const screens = "documents documents/doc-travel-v2 search drafts approvals evaluation ledger people settings"

func TestEveryScreenFitsAPhone(t *testing.T) {
	chromium(t)
	s := administered(t)
	long := strings.Repeat("Donaudampfschifffahrtsgesellschaft", 4)
	s.upload("carol", "kb-support", long+".md", long, "# "+long+"\n\nThe "+long+" quota is 77.\n\n| "+long+" | b |\n|---|---|\n| 1 | "+long+" |\n")
	if status, body := s.call("carol", "POST", "/api/documents/doc-travel-v3/publish-proposals", ""); status != 201 {
		t.Fatal(status, body)
	}
	for _, who := range []string{"carol", "dave", "tina"} {
		t.Run(who, func(t *testing.T) {
			p := open(t, s, look{lang: "en-GB", width: 360, height: 740, phone: true})
			p.visit("/")
			p.see(`form`)
			p.handy("signing in")
			p.as(who)
			p.see(`form textarea`)
			p.handy("the first page")
			p.ask("What is the " + long + " quota?")
			p.answered()
			p.handy("an answer")
			p.click(`article [data-cite]`)
			p.says(`[data-excerpt] mark`, "quota is 77")
			p.handy("a source of long words")
			p.visit("/")
			p.ask(question)
			p.answered()
			p.click(`article [data-cite]`)
			p.see(`[data-excerpt] mark`)
			p.handy("a source")
			p.click(`[data-view=document]`)
			p.see(`[data-document] mark`)
			p.handy("a source in its document")
			p.press(kb.Escape)
			p.gone(`aside[data-source]`)
			for _, screen := range strings.Fields(screens) {
				p.visit("/" + screen)
				p.see(`main h1`)
				p.until(`!document.querySelector('main [role=status] .animate-spin')`)
				if screen == "search" {
					p.write(`form[role=search] input`, long)
					p.press(kb.Enter)
					p.see(`[data-took]`)
				}
				p.handy(screen)
			}
			p.visit("/documents?kb=kb-support")
			p.says(`[role=table]`, long)
			p.handy("long names")
			p.run(chromedp.Click(`//*[@role='row']//a[contains(., 'Donau')]`, chromedp.BySearch))
			p.says(`[data-document]`, long)
			p.until(`document.scrollingElement.scrollWidth <= innerWidth`)
		})
	}
}

// A phone has the first places in its bar, and all others behind one of it.
func TestAPhoneReachesEveryPlace(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{lang: "en-GB", width: 360, height: 740, phone: true}).as("alice")
	p.see(`form textarea`)
	p.click(`[data-more-places]`)
	p.see(`dialog[open] [data-more]`)
	p.handy("the other places")
	p.shot("more-en-light")
	reached := eval[int](p, `new Set([...document.querySelectorAll('nav a[href]')].filter(e => e.checkVisibility()).map(e => e.getAttribute('href'))).size`)
	if want := eval[int](p, `document.querySelectorAll('nav[aria-label=Places] a').length`); reached != want || want != 9 {
		t.Errorf("%d of %d places are reached", reached, want)
	}
	p.click(`dialog [data-choice=lang]`)
	p.says(`dialog[open]`, "账本")
	p.run(chromedp.Click(`//dialog//a[contains(., '账本')]`, chromedp.BySearch))
	p.gone(`dialog[open]`)
	p.says(`main h1`, "账本")
	p.until(`document.querySelector('[data-more-places]').className.includes('font-medium')`)
}

// The page itself never scrolls beside the part that is meant to, and who decides sees by what.
func TestNoScreenScrollsTwice(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	if status, body := s.call("carol", "POST", "/api/documents/doc-travel-v3/publish-proposals", ""); status != 201 {
		t.Fatal(status, body)
	}
	p := open(t, s, look{lang: "en-GB", width: 1100, height: 600}).as("carol")
	for _, screen := range strings.Fields(screens) {
		p.visit("/" + screen)
		p.see(`main h1`)
		p.until(`!document.querySelector('main [role=status] .animate-spin')`)
		for _, fault := range eval[[]string](p, tall) {
			t.Errorf("%s: %s", screen, fault)
		}
	}
	p.visit("/approvals")
	p.click(`[data-approval] h2 a`)
	p.see(`[data-comparison]`)
	for _, fault := range eval[[]string](p, tall) {
		t.Errorf("an approval: %s", fault)
	}
	scrolls := `[...document.querySelectorAll('main, main *')].filter(e => e.scrollHeight > e.clientHeight + 1 && ['auto', 'scroll'].includes(getComputedStyle(e).overflowY)).map(e => e.tagName)`
	if got := strings.Join(eval[[]string](p, scrolls), " "); got != "MAIN" {
		t.Errorf("an approval scrolls in %q", got)
	}
	seen := `(() => { const r = document.querySelector('[data-approve]').getBoundingClientRect(); return document.elementFromPoint(r.left + 5, r.top + 5) === document.querySelector('[data-approve]') })()`
	for _, at := range []string{"0", "document.querySelector('main').scrollHeight"} {
		if !eval[bool](p, `(document.querySelector('main').scrollTop = `+at+`, `+seen+`)`) {
			t.Errorf("the decision is out of sight at %s", at)
		}
	}
	// Each version says when it was published, or that it was not.
	p.until(`/v2 \(published \d{4}-\d\d-\d\d\).*v3 \(not published yet\)/.test(document.querySelector('[data-approval]').textContent)`)
}
