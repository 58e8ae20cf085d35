package browsertest

import (
	"flag"
	"testing"
)

var screenshots = flag.String("screenshots", "", "a folder for pictures of the screens")

func TestEveryScreenOpensInBothLanguagesAndThemes(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	for name, l := range map[string]look{"zh-light": {lang: "zh-CN"}, "en-dark": {lang: "en-GB", dark: true}} {
		t.Run(name, func(t *testing.T) {
			p := open(t, s, l).as("carol")
			p.see(`form textarea`)
			p.shot("welcome-" + name)
			question := "上海住宿上限是多少？"
			if name == "en-dark" {
				question = "What is the lodging limit in Shanghai?"
			}
			p.ask(question)
			p.answered()
			p.click(`article [data-cite]`)
			p.see(`aside[data-source] [data-excerpt]`)
			p.shot("ask-" + name)
			for _, screen := range []string{"documents", "documents/doc-travel-v2", "search", "drafts", "approvals", "evaluation", "ledger", "people", "settings"} {
				p.visit("/" + screen)
				p.see(`main h1`)
				p.until(`!document.querySelector('main [role=status] .animate-spin')`)
				p.shot(replace(screen) + "-" + name)
			}
		})
	}
}

func replace(s string) string {
	out := []rune(s)
	for i, r := range out {
		if r == '/' {
			out[i] = '-'
		}
	}
	return string(out)
}
