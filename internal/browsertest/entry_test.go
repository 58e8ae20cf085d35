package browsertest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// From an empty folder to the first answer, by the address that the program prints.
func TestTheFirstStartLeadsToAnAnswer(t *testing.T) {
	chromium(t)
	s := serve(t, true)
	if s.setup == "" {
		t.Fatal("the program printed no link to set a password")
	}
	p := open(t, s, look{lang: "en-GB"})
	p.visit("/#setup=" + s.setup)
	p.write(`input[name=password]`, "a quiet brown heron 7")
	p.shot("setup-en-light")
	p.click(`form button[type=submit]`)
	p.says(`main`, "Three steps to the first answer")
	if at := eval[string](p, `location.href`); strings.Contains(at, s.setup) {
		t.Errorf("the secret is still in the address: %s", at)
	}
	p.run(chromedp.Click(`//main//a[contains(., 'Add documents')]`, chromedp.BySearch))
	p.write(`dialog input`, "Handbook")
	p.run(chromedp.Click(`//dialog//button[normalize-space()='Create']`, chromedp.BySearch))
	p.gone(`dialog[open]`)

	file := filepath.Join(t.TempDir(), "lodging.md")
	if err := os.WriteFile(file, []byte("# Lodging\n\nThe lodging limit in Oslo is 1,450 kroner a night.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.run(chromedp.SetUploadFiles(`input[type=file]`, []string{file}, chromedp.ByQuery))
	p.see(`[data-upload="lodging.md"][data-state=good]`)
	p.says(`[role=table]`, "Lodging")
	p.visit("/")
	p.ask("What is the lodging limit in Oslo?")
	p.answered()
	p.says(`article`, "1,450")
	p.click(`article [data-cite]`)
	p.says(`[data-excerpt] mark`, "1,450 kroner")

	// Signing out that did not reach the server is no signing out.
	p.run(chromedp.Evaluate(`window.whole = window.fetch; window.fetch = (u, o) => o?.method === 'DELETE' ? Promise.reject(new TypeError('cut')) : window.whole(u, o)`, nil))
	p.click(`[data-leave]`)
	p.says(`dialog [role=alert]`, "cannot be reached")
	p.run(chromedp.Evaluate(`window.fetch = window.whole`, nil))
	p.click(`dialog button[aria-label]`)
	p.gone(`dialog`)

	// Signing out leaves nothing behind, and the session is over for the server too.
	p.click(`[data-leave]`)
	p.see(`input[name=password]`)
	if kept := eval[[]string](p, `[...Object.keys(sessionStorage), ...Object.keys(localStorage).filter(k => !['kaoju-lang', 'kaoju-theme'].includes(k))]`); len(kept) != 0 {
		t.Errorf("after signing out the browser keeps %v", kept)
	}
	if text := eval[string](p, `document.body.innerText`); strings.Contains(text, "1,450") {
		t.Error("the page shows the answer after signing out")
	}
	p.write(`input[name=user]`, "admin")
	p.write(`input[name=password]`, "not the password")
	p.click(`form button[type=submit]`)
	p.says(`[role=alert]`, "User or password are not right")
}

func TestATokenSignsNobodyInBeforeItsOwnerIsShown(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	p := open(t, s, look{})
	p.visit("/#token=" + s.tokens["bob"])
	p.says(`main`, "Bob")
	if at := eval[string](p, `location.href + JSON.stringify({...sessionStorage})`); strings.Contains(at, s.tokens["bob"]) {
		t.Errorf("before anybody said yes: %s", at)
	}
	p.gone(`nav`)
	p.click(`main .card button`)
	p.see(`nav [data-leave]`)
	if kept := eval[string](p, `JSON.stringify({...localStorage}) + document.cookie`); strings.Contains(kept, "kj_") {
		t.Errorf("the token is kept beyond the tab: %s", kept)
	}
	// Revoked elsewhere, the page is over too.
	q := open(t, s, look{})
	q.visit("/#token=kj_nonsense")
	q.says(`[role=alert]`, "此令牌无效")
}

func TestLanguageAndThemeChangeWithoutAReload(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{dark: true}).as("alice")
	if got := eval[string](p, `document.documentElement.lang + ' ' + document.documentElement.dataset.theme`); got != "zh-CN dark" {
		t.Errorf("at first %s", got)
	}
	p.says(`nav`, "提问")
	p.write(`form textarea`, "half a question")
	p.click(`[data-choice=lang]`)
	p.says(`nav`, "Documents")
	p.click(`[data-choice=theme]`)
	if got := eval[string](p, `document.documentElement.lang + ' ' + document.documentElement.dataset.theme + ' ' + document.querySelector('form textarea').value`); got != "en light half a question" {
		t.Errorf("then %s", got)
	}
	p.run(chromedp.Reload())
	p.says(`nav`, "Documents")
	if got := eval[string](p, `document.documentElement.lang + ' ' + document.documentElement.dataset.theme`); got != "en light" {
		t.Errorf("after a reload %s", got)
	}
}

func TestOnAPhoneTheSourceComesFromBelow(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{width: 390, height: 844, phone: true}).as("alice")
	p.ask(question)
	p.answered()
	p.click(`article [data-cite]`)
	p.see(`aside[data-source] [data-excerpt]`)
	p.until(`(() => { const r = document.querySelector('aside[data-source]').getBoundingClientRect(); return r.left === 0 && r.width === innerWidth && Math.round(r.bottom) === innerHeight && r.top > 100 })()`)
	p.shot("phone-zh-light")
	p.click(`[data-close-source]`)
	p.gone(`aside[data-source]`)
	for _, screen := range []string{"", "documents", "documents/doc-travel-v2", "search", "approvals", "ledger", "people", "settings", "evaluation", "drafts"} {
		p.visit("/" + screen)
		p.see(`main`)
		if wide := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("/%s is %d pixels wider than the phone", screen, wide)
		}
	}
}

// below serves a server under a path, as a proxy does that takes the path off.
func below(t *testing.T, s *server, path string) string {
	t.Helper()
	to, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.FlushInterval = -1
	front := httptest.NewServer(http.StripPrefix(path, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = to.Host
		proxy.ServeHTTP(w, r)
	})))
	t.Cleanup(front.Close)
	return front.URL + path
}

func TestTheInterfaceWorksBelowAPath(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	inner := *s
	inner.url = below(t, s, "/tools/kaoju")
	p := open(t, &inner, look{lang: "en-GB"}).as("alice")
	p.ask(question)
	p.answered()
	p.click(`article [data-cite]`)
	p.says(`[data-excerpt] mark`, "650")
	p.run(chromedp.Reload())
	p.answered()
	p.visit("/documents/doc-travel-v2")
	p.says(`main h1`, "差旅管理制度")
	if at := eval[string](p, `location.pathname`); at != "/tools/kaoju/documents/doc-travel-v2" {
		t.Errorf("the page is at %s", at)
	}
}
