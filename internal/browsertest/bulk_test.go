package browsertest

import (
	"testing"

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
	p.until(`document.querySelectorAll('article ol > li').length === 5000`)
	// What is not on the screen is not laid out.
	p.until(`[...document.querySelectorAll('article ol > li')].every(e => getComputedStyle(e).contentVisibility === 'auto')`)
	p.says(`article ol`, "Ended success")
}
