package browsertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabTo goes on with the Tab key until the focus is on what is meant. Whatever it passes is seen to have the
// focus, and has a name for a screen reader.
func (p *page) tabTo(selector string) {
	p.t.Helper()
	for range 120 {
		p.press(kb.Tab)
		at := eval[struct {
			There, Page bool
			Outline     string
		}](p, `(() => {
			const e = document.activeElement, s = getComputedStyle(e)
			return {there: e.matches('`+selector+`'), page: e === document.body, outline: s.outlineStyle === 'none' && !e.closest(':focus-within.border-line-strong') ? e.outerHTML.slice(0, 200) : ''}
		})()`)
		if at.Outline != "" && !at.Page {
			p.t.Errorf("nobody sees that the focus is on %s", at.Outline)
		}
		if at.There {
			return
		}
	}
	p.t.Fatalf("the Tab key leads nowhere to %s", selector)
}

// The main job with no mouse: sign in, ask, walk the citations, open a source and the whole document, come back,
// read a check, mark it, open the document's versions, search, and sign out.
func TestTheMainJobIsDoneByKeyboardAlone(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	p := open(t, s, look{lang: "en-GB"})
	p.visit("/#token=" + s.tokens["alice"])
	p.see(`main .card button`)
	p.until(`document.activeElement.matches('main .card button')`)
	p.press(kb.Enter)
	p.until(`document.activeElement.matches('form textarea')`)
	p.press(question + kb.Enter)
	p.answered()
	p.press(kb.Escape)
	p.run(chromedp.Evaluate(`document.activeElement.blur()`, nil))
	p.press("j")
	p.until(`document.activeElement.matches('[data-cite]')`)
	p.press(kb.Enter)
	p.see(`aside[data-source] [data-excerpt] mark`)
	p.tabTo(`[data-view=document]`)
	p.press(kb.Enter)
	p.says(`[data-document] mark`, "650")
	p.press(kb.Escape)
	p.gone(`aside[data-source]`)
	p.until(`document.activeElement.matches('[data-cite]')`)
	p.tabTo(`[data-check]`)
	p.press(kb.Enter)
	p.see(`article .card [role=group] button`)
	p.tabTo(`article .card [role=group] button`)
	p.press(kb.Enter)
	p.says(`article .card [role=status]`, "Kept.")
	p.tabTo(`article [data-export=markdown]`)

	p.tabTo(`nav a[href$="/documents"]`)
	p.press(kb.Enter)
	p.see(`[role=table] [role=row] a`)
	p.tabTo(`[role=table] a[href$="/doc-travel-v2"]`)
	p.press(kb.Enter)
	p.see(`main [role=tablist]`)
	p.tabTo(`[role=tab]`)
	p.press(kb.ArrowRight)
	p.until(`document.activeElement.getAttribute('aria-selected') === 'true' && document.activeElement.textContent === 'Versions'`)
	p.says(`[role=tabpanel] td`, "v2")

	p.tabTo(`nav a[href$="/search"]`)
	p.press(kb.Enter)
	p.until(`document.activeElement.matches('form[role=search] input')`)
	p.press("住宿 上限" + kb.Enter)
	p.see(`[data-took]`)
	p.tabTo(`[data-leave]`)
	p.press(kb.Enter)
	p.see(`input[name=user]`)
}

// unnamed are the things on the page that a person can act on and that have no name for a screen reader.
func (p *page) unnamed() (out []string) {
	p.t.Helper()
	// The browser knows more than the library, which would refuse the whole tree for a word that it does not know.
	type said struct {
		Value any `json:"value"`
	}
	var tree struct {
		Nodes []struct {
			Ignored bool `json:"ignored"`
			Role    said `json:"role"`
			Name    said `json:"name"`
		} `json:"nodes"`
	}
	p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		return cdp.Execute(ctx, accessibility.CommandGetFullAXTree, nil, &tree)
	}))
	acts := []any{"button", "link", "textbox", "searchbox", "combobox", "checkbox", "tab", "dialog", "navigation", "progressbar", "image"}
	seen := 0
	for _, n := range tree.Nodes {
		if n.Ignored || !slices.Contains(acts, n.Role.Value) {
			continue
		}
		seen++
		if name, _ := n.Name.Value.(string); strings.TrimSpace(name) == "" {
			out = append(out, fmt.Sprint(n.Role.Value))
		}
	}
	if seen < 5 {
		p.t.Errorf("only %d things are there to act on", seen)
	}
	return out
}

// At 200 % of a screen of 1280 by 800 nothing lies over anything else or beyond the edge, and everything that can
// be acted on has a name.
func TestAtTwiceTheSizeNothingIsCoveredAndEverythingHasAName(t *testing.T) {
	chromium(t)
	s := administered(t)
	for who, screens := range map[string][]string{"carol": {"documents", "documents/doc-travel-v2", "search", "drafts", "settings"}, "tina": {"documents", "people", "search", "settings"}} {
		p := open(t, s, look{lang: "en-GB", width: 640, height: 400}).as(who)
		for _, screen := range screens {
			p.visit("/" + screen)
			p.see(`main h1`)
			p.until(`!document.querySelector('main [role=status] .animate-spin')`)
			// How much room a title has beside its buttons changes with the width: the worst is somewhere between.
			for width := int64(640); width <= 1000; width += 60 {
				p.run(emulation.SetDeviceMetricsOverride(width, 400, 1, false))
				p.until(fmt.Sprintf(`innerWidth === %d`, width))
				for _, fault := range eval[[]string](p, covered) {
					t.Errorf("/%s, %d wide: %s", screen, width, fault)
				}
			}
			p.run(emulation.SetDeviceMetricsOverride(640, 400, 1, false))
			if found := p.unnamed(); len(found) != 0 {
				t.Errorf("/%s: without a name: %q", screen, found)
			}
		}
	}
}

// covered are the titles and buttons that lie over each other or beyond the edge, and the tables that have no name.
const covered = `(() => {
	const out = [], h = document.querySelector('main h1'), r = document.createRange()
	r.selectNodeContents(h)
	const box = r.getBoundingClientRect()
	for (const table of document.querySelectorAll('main table')) if (!table.closest('.doc-shown') && !table.ariaLabel) out.push('a table without a name')
	if (document.documentElement.scrollWidth > innerWidth) out.push('wider than the window')
	for (const b of document.querySelectorAll('main header button')) {
		const c = b.getBoundingClientRect()
		if (c.left < box.right && box.left < c.right && c.top < box.bottom && box.top < c.bottom) out.push('the title lies under ' + b.textContent)
		if (c.right > innerWidth) out.push(b.textContent + ' lies beyond the edge')
	}
	return out
})()`

// Who wants no motion sees none: what goes round for ever elsewhere stands still.
func TestNothingMovesForWhoWantsNoMotion(t *testing.T) {
	chromium(t)
	m := model(t, said)
	hold := make(chan struct{})
	defer close(hold)
	m.says(said, hold)
	p := open(t, serve(t, false, m.env()...), look{lang: "en-GB"}).as("alice")
	p.ask(question)
	p.says(`article [role=status]`, "The model is at work")
	const moving = `document.getAnimations().filter(a => a.playState === 'running').length`
	p.until(moving + ` === 0`)
	p.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}}))
	p.until(moving + ` > 0`)
}
