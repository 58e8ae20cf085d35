package browsertest

import (
	"flag"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

var screenshots = flag.String("screenshots", "", "a folder for pictures of the screens")

// Every screen opens, by its address, in both languages and both themes, and no page reports anything.
func TestEveryScreenOpensInBothLanguagesAndThemes(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	if status, body := s.call("carol", "POST", "/api/documents/doc-travel-v3/publish-proposals", ""); status != 201 {
		t.Fatal(status, body)
	}
	looks := map[string]look{"zh-light": {lang: "zh-CN"}, "en-dark": {lang: "en-GB", dark: true}}
	if *screenshots != "" {
		looks["en-light"], looks["zh-dark"] = look{lang: "en-GB"}, look{lang: "zh-CN", dark: true}
	}
	file := map[string]string{"": "first", "documents/doc-travel-v2": "versions"}
	for _, screen := range []string{"documents", "search", "drafts", "approvals", "evaluation", "ledger", "people", "settings"} {
		file[screen] = screen
	}
	for name, l := range looks {
		t.Run(name, func(t *testing.T) {
			p := open(t, s, l).as("carol")
			p.see(`form textarea`)
			p.ask(map[bool]string{true: question, false: "What is the lodging limit in Shanghai?"}[strings.HasPrefix(name, "zh")])
			p.answered()
			p.click(`article [data-cite]`)
			p.see(`aside[data-source] [data-excerpt] mark`)
			p.shot("ask-" + name)
			if name == "en-light" || name == "zh-dark" {
				return
			}
			for _, screen := range []string{"", "documents", "documents/doc-travel-v2", "search", "drafts", "approvals", "evaluation", "ledger", "people", "settings"} {
				p.visit("/" + screen)
				p.see(`main h1`)
				p.until(`!document.querySelector('main [role=status] .animate-spin')`)
				switch screen {
				case "search":
					p.write(`form[role=search] input`, "住宿 上限")
					p.press(kb.Enter)
					p.see(`[data-took]`)
				case "documents/doc-travel-v2":
					p.click(`[role=tab]:nth-of-type(2)`)
					p.click(`[data-compare="2"]`)
					p.see(`[data-comparison]`)
				}
				p.shot(file[screen] + "-" + name)
			}
		})
	}
}
