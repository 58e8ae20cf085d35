package browsertest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// axe is the source of axe-core, which npm put among the tools of the interface.
func axe(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "..", "web", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("KAOJU_TEST_REQUIRE"), ","), "axe") {
			t.Fatalf("axe-core is demanded, but not there: %v", err)
		}
		t.Skip("axe-core is not there; npm ci in the folder web brings it")
	}
	return string(source)
}

const check = `axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']}).then(r =>
	r.violations.filter(v => ['serious', 'critical'].includes(v.impact)).flatMap(v => v.nodes.map(n => v.id + ': ' + n.target + ' ' + n.failureSummary)))`

// accessible holds what is on the page now to the rules of accessibility.
func (p *page) accessible(source, where string) {
	p.t.Helper()
	p.run(chromedp.Evaluate(source+`;0`, nil))
	for _, fault := range eval[[]string](p, check) {
		p.t.Errorf("%s: %s", where, fault)
	}
}

func TestNoScreenHasASeriousFaultOfAccessibilityInEitherTheme(t *testing.T) {
	source := axe(t)
	chromium(t)
	s := serve(t, false)
	if status, body := s.call("carol", "POST", "/api/documents/doc-travel-v3/publish-proposals", ""); status != 201 {
		t.Fatal(status, body)
	}
	for name, dark := range map[string]bool{"light": false, "dark": true} {
		t.Run(name, func(t *testing.T) {
			p := open(t, s, look{lang: "en-GB", dark: dark})
			p.visit("/")
			p.see(`form`)
			p.accessible(source, "signing in")
			p.as("carol")
			p.see(`form textarea`)
			p.accessible(source, "the first page")
			p.ask(question)
			p.answered()
			p.click(`article [data-cite]`)
			p.see(`[data-excerpt] mark`)
			p.click(`[data-check]`)
			p.click(`article button[aria-expanded=false]:not([data-check])`)
			p.see(`article ol li`)
			p.accessible(source, "an answer")
			p.press("?")
			p.see(`dialog[open]`)
			p.accessible(source, "the shortcuts")
			p.press(kb.Escape)
			for _, screen := range []string{"documents", "documents/doc-travel-v2", "search", "drafts", "approvals", "evaluation", "ledger", "people", "settings"} {
				p.visit("/" + screen)
				p.see(`main h1`)
				p.until(`!document.querySelector('main [role=status] .animate-spin')`)
				p.accessible(source, screen)
			}
			p.visit("/documents/doc-travel-v2")
			p.click(`[role=tab]:nth-of-type(2)`)
			p.click(`[data-compare="2"]`)
			p.see(`[data-comparison]`)
			p.accessible(source, "a difference")
			p.visit("/documents")
			p.run(chromedp.Click(`//header//button[contains(., 'Who may read')]`, chromedp.BySearch))
			p.see(`dialog[open] table`)
			p.accessible(source, "rights")
		})
	}
}

// The rules are no use if they find nothing: a page that breaks them is found.
func TestTheRulesOfAccessibilityFindFaults(t *testing.T) {
	source := axe(t)
	chromium(t)
	p := open(t, serve(t, false), look{}).as("alice")
	p.see(`form textarea`)
	p.run(chromedp.Evaluate(source+`;document.querySelector('main').insertAdjacentHTML('afterbegin', '<button></button>'); 0`, nil))
	if found := eval[[]string](p, check); len(found) == 0 || !strings.Contains(strings.Join(found, " "), "button-name") {
		t.Errorf("a button without a name is passed over: %v", found)
	}
}
