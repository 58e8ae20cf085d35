package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestAnAdministratorEditsTheSynonyms(t *testing.T) {
	chromium(t)
	source := axe(t)
	s := administered(t)
	p := open(t, s, look{lang: "en-GB"}).as("tina")
	p.visit("/settings")
	const box, save = `[data-synonyms] textarea`, `[data-synonyms] button[type=submit]`
	p.write(box, "# ours"+kb.Enter+"OA, 办公自动化"+kb.Enter+"VPN,")
	p.expected = append(p.expected, "422")
	p.click(save)
	// What is wrong is said at its line, and the line is one key away.
	p.says(`[data-synonyms] [role=alert]`, "Nothing was saved.")
	p.says(`[data-synonyms] [data-line="3"]`, "VPN,")
	if got := eval[int](p, `document.querySelectorAll('[data-synonyms] [data-line]').length`); got != 1 {
		t.Errorf("%d lines are named as wrong", got)
	}
	p.accessible(source, "a list of synonyms with a wrong line")
	p.click(`[data-line="3"] button`)
	if got := eval[string](p, `(e => e.value.slice(e.selectionStart, e.selectionEnd))(document.activeElement)`); got != "VPN," {
		t.Errorf("marked is %q", got)
	}
	p.press("VPN, 虚拟专用网")
	p.click(save)
	p.says(`[data-synonyms] [role=status]`, "0 words, 2 lines of synonyms")
	p.says(`[data-synonyms] [role=status]`, "saved by tina")
	p.gone(`[data-synonyms] [role=alert]`)
	if _, body := s.call("tina", "GET", "/api/synonyms", ""); !strings.Contains(body, `["# ours","OA, 办公自动化","VPN, 虚拟专用网"]`) {
		t.Errorf("kept is %s", body)
	}
	p.shot("synonyms-en-light")

	// A change that was left without saving is there again, in this page alone.
	p.run(chromedp.Focus(box, chromedp.ByQuery), chromedp.KeyEvent(kb.End))
	p.write(box, kb.Enter+"项目代号")
	if !eval[bool](p, `!dispatchEvent(new Event('beforeunload', {cancelable: true}))`) {
		t.Error("the page is closed without a word while a change is not saved")
	}
	p.click(`nav a[href$="/drafts"]`)
	p.gone(box)
	p.click(`nav a[href$="/settings"]`)
	p.see(`[data-synonyms] [data-unsaved]`)
	if got := eval[string](p, `document.querySelector('[data-synonyms] textarea').value`); !strings.Contains(got, "项目代号") || !strings.Contains(got, "VPN") {
		t.Errorf("brought back is %q", got)
	}
	if kept := eval[string](p, `JSON.stringify({...localStorage, ...sessionStorage})`); strings.Contains(kept, "项目代号") {
		t.Errorf("it is kept beyond the page: %s", kept)
	}
	p.click(`[data-synonyms] [data-unsaved] button`)
	p.gone(`[data-synonyms] [data-unsaved]`)

	// Somebody else's list came in between.
	if status, body := s.call("tina", "PUT", "/api/synonyms", `{"lines":["NB => 笔记本电脑"]}`); status != 200 {
		t.Fatal(status, body)
	}
	over := cdp.WithExecutor(p.ctx, chromedp.FromContext(p.ctx).Browser)
	if err := browser.GrantPermissions([]browser.PermissionType{browser.PermissionTypeClipboardReadWrite, browser.PermissionTypeClipboardSanitizedWrite}).Do(over); err != nil {
		t.Fatal(err)
	}
	p.expected = append(p.expected, "412")
	p.run(chromedp.Focus(box, chromedp.ByQuery), chromedp.KeyEvent(kb.End))
	p.write(box, kb.Enter+"甲方代表")
	p.click(save)
	p.says(`[data-synonyms] [role=alert]`, "nothing was overwritten")
	if _, body := s.call("tina", "GET", "/api/synonyms", ""); !strings.Contains(body, `["NB => 笔记本电脑"]`) {
		t.Errorf("after the conflict there is %s", body)
	}
	if got := eval[string](p, `document.querySelector('[data-synonyms] textarea').value`); !strings.Contains(got, "甲方代表") {
		t.Errorf("what was written is gone: %q", got)
	}
	p.click(`[data-synonyms] [role=alert] button`)
	p.until(`document.querySelector('[data-synonyms] textarea').value === 'NB => 笔记本电脑'`)
}

func TestNobodyElseSeesTheSynonyms(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	for _, who := range []string{"alice", "carol", "dave"} {
		p := open(t, s, look{}).as(who)
		p.visit("/settings")
		p.says(`main`, "每个问题的上限")
		p.gone(`[data-synonyms]`)
	}
}
