package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Ten thousand documents and five thousand events, given to the page in place of the server's.
const bulk = `(() => {
	const real = window.fetch
	const json = v => new Response(JSON.stringify(v), {headers: {'Content-Type': 'application/json'}})
	const pad = n => String(n).padStart(5, '0')
	window.fetch = (url, init) => {
		const u = new URL(url, location.href)
		if (u.pathname.endsWith('/knowledge-bases/kb-policies/documents')) {
			const from = Number(u.searchParams.get('cursor') ?? 0), items = []
			for (let i = from; i < from + 200; i++) items.push({id: 'doc-' + i, knowledge_base_id: 'kb-policies', doc_key: 'key-' + pad(i), title: 'Document ' + pad(i), version: 1, status: 'published',
				size: 10, updated_at: '2026-05-01T00:00:00Z', labels: [], notices: []})
			return Promise.resolve(json({items, next_cursor: from + 200 < 10000 ? String(from + 200) : null}))
		}
		if (u.pathname.endsWith('/events') && new Headers(init?.headers).get('Accept') === 'application/json') {
			const items = []
			for (let i = 1; i <= 5000; i++) items.push({v: 1, id: 'r:' + i, sequence: i, run_id: 'r', type: i === 5000 ? 'run.completed' : 'run.warning', time: '2026-05-01T00:00:00Z', attempt: 1, data: {code: 'as_of', finish_reason: 'success'}})
			return Promise.resolve(json({items, next_cursor: null}))
		}
		return real(url, init)
	}
})()`

func TestLongListsPutLittleInThePage(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{lang: "en-GB"}).as("alice")
	p.run(chromedp.Evaluate(bulk, nil))
	p.click(`nav a[href$="/documents"]`)
	p.says(`[role=table]`, "Document 00000")
	// To the end, as somebody who holds the key down: the next pages come as the end comes near.
	p.until(`(() => {
		const box = document.querySelector('[role=rowgroup][tabindex]')
		box.scrollTop = box.scrollHeight
		return document.querySelector('[role=table]').getAttribute('aria-rowcount') === '10000' && box.textContent.includes('Document 09999')
	})()`)
	if rows := eval[int](p, `document.querySelectorAll('[role=row]').length`); rows > 80 {
		t.Errorf("the page holds %d rows of 10,000", rows)
	}
	p.write(`input[type=search]`, "04711")
	p.until(`document.querySelectorAll('[role=row] a').length === 1 && document.querySelector('[role=row] a').textContent === 'Document 04711'`)

	p.click(`nav a[href$="/"]`)
	p.ask(question)
	p.answered()
	p.click(`article button[aria-expanded=false]:not([data-check])`)
	p.until(`document.querySelector('[data-timeline] li')?.getAttribute('aria-setsize') === '5000'`)
	before := eval[int](p, `document.querySelectorAll('*').length`)
	p.until(`(() => {
		const box = document.querySelector('[data-timeline]')
		box.scrollTop = box.scrollHeight
		return box.querySelector('li:last-of-type').getAttribute('aria-posinset') === '5000'
	})()`)
	if lines, all := eval[int](p, `document.querySelectorAll('[data-timeline] li').length`), eval[int](p, `document.querySelectorAll('*').length`); lines > 80 || all > 2*before || all > 1500 {
		t.Errorf("the page holds %d of 5,000 events, and %d nodes where it had %d", lines, all, before)
	}
	p.says(`article ol`, "Ended success")
}

// The server gives one item in a page, whatever the interface asks for, and its real cursors.
const onePerPage = `(() => {
	const real = window.fetch
	window.fetch = (url, init) => real(String(url).replace(/([?&]limit=)\d+/, '$11'), init)
})()`

func TestListsAreHadToTheirEnd(t *testing.T) {
	chromium(t)
	s := serve(t, false)
	const talks = 3
	for range talks {
		if status, body := s.call("carol", "POST", "/api/runs", `{"kind": "answer", "goal": "`+question+`"}`); status != 202 {
			t.Fatal(status, body)
		}
	}
	status, body := s.call("carol", "GET", "/api/knowledge-bases", "")
	var bases struct{ Items []json.RawMessage }
	if err := json.Unmarshal([]byte(body), &bases); err != nil || status != 200 || len(bases.Items) < 2 {
		t.Fatalf("%d %s, %v; more than one knowledge base is wanted", status, body, err)
	}
	p := open(t, s, look{lang: "en-GB"})
	p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdppage.AddScriptToEvaluateOnNewDocument(onePerPage).Do(ctx)
		return err
	}))
	p.as("carol")

	// What is a choice is had whole.
	p.until(fmt.Sprintf(`document.querySelectorAll('aside fieldset input[type=checkbox]').length === %d`, len(bases.Items)))

	// What is gone through is had page by page, until there is nothing more.
	for n := 1; n <= talks; n++ {
		p.until(fmt.Sprintf(`document.querySelectorAll('aside nav a').length === %d`, n))
		const more = `[...document.querySelectorAll('aside nav button')].filter(b => b.textContent === 'Show more')`
		if got, want := eval[int](p, more+`.length`), min(1, talks-n); got != want {
			t.Fatalf("after %d of %d conversations there are %d buttons for more, want %d", n, talks, got, want)
		}
		p.run(chromedp.Evaluate(more+`.forEach(b => b.click())`, nil))
	}
}

// Four hundred documents, whose second page fails once.
const failing = `(() => {
	const real = window.fetch
	window.asked = []
	window.fetch = (url, init) => {
		const u = new URL(url, location.href)
		if (!u.pathname.endsWith('/knowledge-bases/kb-policies/documents')) return real(url, init)
		const cursor = u.searchParams.get('cursor') ?? '', items = []
		const first = cursor !== '' && !window.asked.includes(cursor)
		window.asked.push(cursor)
		if (first) return Promise.resolve(new Response('{"code":"internal"}', {status: 500}))
		for (let i = Number(cursor); i < Number(cursor) + 200; i++) items.push({id: 'doc-' + i, knowledge_base_id: 'kb-policies', doc_key: 'key-' + i, title: 'Document ' + i, version: 1, status: 'published',
			size: 10, updated_at: '2026-05-01T00:00:00Z', labels: [], notices: []})
		return Promise.resolve(new Response(JSON.stringify({items, next_cursor: cursor === '' ? '200' : null}), {headers: {'Content-Type': 'application/json'}}))
	}
})()`

func TestAPageOfAListThatFailedIsAskedForAgainByThePersonAlone(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{lang: "en-GB"}).as("alice")
	p.run(chromedp.Evaluate(failing, nil))
	p.click(`nav a[href$="/documents"]`)
	p.says(`[role=table]`, "Document 0")
	p.write(`input[type=search]`, "7") // A filter looks through all pages.
	p.click(`main [role=alert] button`)
	p.until(`document.querySelector('[role=table]')?.getAttribute('aria-rowcount') === '76'`)
	asked := eval[[]string](p, `window.asked`)
	for i := range asked {
		if i > 0 && asked[i] == "200" && asked[i-1] == "200" {
			t.Errorf("the pages were asked for in the order %q: one that failed, again at once", asked)
		}
	}
}
