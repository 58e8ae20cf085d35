package browsertest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// field is a text of an answer by its name.
func field(t testing.TB, body, name string) string {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(body), &all); err != nil {
		t.Fatal(err, body)
	}
	text, _ := all[name].(string) // "" where it has none
	if text == "" {
		t.Fatalf("there is no %s in %s", name, body)
	}
	return text
}

// An auditor verifies the whole log in the browser, and is led nowhere that is closed to him.
func TestAnAuditorVerifiesTheLogAndIsLedNowhereInVain(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	own := open(t, s, look{lang: "en-GB"}).as("alice")
	own.ask(question)
	own.answered()
	own.visit("/ledger")
	own.click(`[data-run-link=run]`)
	own.answered()
	own.visit("/ledger")
	own.click(`[data-verify]`)
	own.says(`[data-verified=holds]`, "entries hold")

	p := open(t, s, look{lang: "en-GB"}).as("dave")
	p.visit("/ledger")
	p.click(`[data-verify]`)
	p.says(`[data-verified=holds]`, "entries hold")
	p.shot("verify-en-light")
	p.see(`[data-run-link]`)
	if n := eval[int](p, `document.querySelectorAll('main table a[href*="/runs/"]').length`); n != 0 {
		t.Errorf("%d links lead to runs of others", n)
	}
	p.click(`[data-run-link=entries]`)
	p.until(`location.search.includes('run_id=')`)
	p.click(`[data-why]`)
	p.says(`dialog[open]`, "search_knowledge")
	p.press("\x1b")

	// A log that was changed on its way is told, and at which line.
	p.run(chromedp.Evaluate(`{ const real = fetch; window.fetch = async (at, how) => { const r = await real(at, how); return String(at).endsWith('/ledger/export') ? new Response((await r.text()).replace('"actor":"bob"', '"actor":"eve"'), r) : r } }`, nil))
	p.click(`[data-verify]`)
	p.says(`[data-verified=fails]`, "does not hold")
	if text := p.text(`[data-verified=fails]`); !strings.Contains(text, "Line 9 ") {
		t.Errorf("it says %s", text)
	}
}
