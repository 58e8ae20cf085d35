package browsertest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// noted keeps what the page asks of streams of events, and the number of each event that arrives.
const noted = `(() => {
	const real = window.fetch
	window.after = []
	window.seen = []
	window.fetch = async (url, init) => {
		const h = new Headers(init?.headers)
		if (!String(url).includes('/events') || h.get('Accept') !== 'text/event-stream') return real(url, init)
		const res = await real(url, init)
		if (!res.ok || !res.body) return res
		window.after.push(h.get('Last-Event-ID') ?? '')
		const words = new TextDecoder()
		return new Response(res.body.pipeThrough(new TransformStream({transform(chunk, to) {
			for (const m of words.decode(chunk, {stream: true}).matchAll(/"sequence":(\d+)/g)) window.seen.push(Number(m[1]))
			to.enqueue(chunk)
		}})), {status: res.status, headers: res.headers})
	}
})()`

// A server that was killed while two tabs follow a run: both go on with the event after the last one that
// they had, none is missing, and none is there twice.
func TestAStreamGoesOnAtTheNextEventInEveryTab(t *testing.T) {
	chromium(t)
	m := model(t, said)
	hold := make(chan struct{})
	m.says(said, hold)
	s := serve(t, false, m.env()...)
	p := open(t, s, look{lang: "en-GB"}).as("alice")
	p.run(chromedp.Evaluate(noted, nil))
	p.ask(question)
	p.says(`article [role=status]`, "The model is at work")
	run := eval[string](p, `document.querySelector('article').dataset.runId`)
	second := open(t, s, look{lang: "en-GB"}).as("alice")
	second.run(chromedp.Evaluate(noted+`; history.pushState(null, '', '/runs/`+run+`'); dispatchEvent(new PopStateEvent('popstate'))`, nil))
	second.says(`article [role=status]`, "The model is at work")

	tabs := []*page{p, second}
	had := []int{}
	for _, tab := range tabs {
		tab.until(`window.seen.length > 5`)
		had = append(had, eval[int](tab, `window.seen.at(-1)`))
		tab.mu.Lock()
		tab.down = true
		tab.expected = append(tab.expected, "404")
		tab.mu.Unlock()
	}
	s.kill()
	close(hold)
	m.says(said, nil)
	s.start(strings.TrimPrefix(s.url, "http://"), "--demo")
	for i, tab := range tabs {
		tab.see(`article[data-state=interrupted]`)
		if after := eval[[]string](tab, `window.after`); len(after) < 2 || after[0] != "" || after[1] != fmt.Sprintf("%s:%d", run, had[i]) {
			t.Errorf("tab %d had event %d and asked for what comes after %q", i+1, had[i], after)
		}
	}
	p.click(`[data-resume]`)
	for _, tab := range tabs {
		// The browser that resumed nothing learns of it by itself.
		tab.see(`article[data-state=completed]`)
	}
	_, body := s.call("alice", "GET", "/api/runs/"+run+"/events?limit=500", "", "Accept", "application/json")
	var stored struct{ Items []struct{ Sequence int } }
	if err := json.Unmarshal([]byte(body), &stored); err != nil || len(stored.Items) < 10 {
		t.Fatal(err, body)
	}
	var want []int
	for _, e := range stored.Items {
		want = append(want, e.Sequence)
	}
	if seen := eval[[]int](p, `window.seen`); !slices.Equal(seen, want) {
		t.Errorf("the tab was given the events %v of %v", seen, want)
	}
}

// flood gives the page a run under way in place of the server's. Its events come when the test feeds them, each
// as a part of its own, and what the page does to the article is counted until the test takes the counts.
const flood = `(() => {
	const real = window.fetch, words = new TextEncoder()
	let to, id, n = 0
	window.told = ''
	const send = (type, data) => to.enqueue(words.encode('id: ' + id + ':' + ++n + '\nevent: ' + type + '\ndata: ' + JSON.stringify({v: 1, id: id + ':' + n, sequence: n, run_id: id, type, time: '2026-05-01T00:00:00Z', attempt: 1, data}) + '\n\n'))
	window.fetch = (url, init) => {
		if (!String(url).includes('/events') || new Headers(init?.headers).get('Accept') !== 'text/event-stream') return real(url, init)
		id = String(url).match(/runs\/([^/]+)/)[1]
		return Promise.resolve(new Response(new ReadableStream({start(c) {
			to = c
			send('run.started', {})
			send('run.answer.started', {mode: 'provisional'})
		}}), {headers: {'Content-Type': 'text/event-stream'}}))
	}
	window.feed = last => {
		window.counts = {Renders: 0, Changes: 0, Took: performance.now()}
		while (n < last) {
			if ((n + 1) % 5 === 0) { send('run.warning', {code: 'as_of'}); continue }
			const text = (n + 1) + (n % 40 === 1 ? '.\n' : ' ')
			window.told += text
			send('run.answer.delta', {text})
		}
	}
	window.watch = () => new MutationObserver(all => {
		window.counts.Renders += all.some(m => m.target.nodeType === Node.TEXT_NODE || m.target.closest('.caret')) ? 1 : 0
		window.counts.Changes += all.length
	}).observe(document.querySelector('article'), {subtree: true, childList: true, characterData: true, attributes: true})
	window.taken = () => ({...window.counts, Took: performance.now() - window.counts.Took})
})()`

// Of a run of five thousand events none is lost, and the page does no more for the last of them than for the
// first: a page whose work grows with what is there already stands still at the end. The times are the
// machine's, and are logged alone.
func TestFiveThousandEventsOfARunUnderWayCostThePageNoMoreAtTheEnd(t *testing.T) {
	chromium(t)
	m := model(t, said)
	hold := make(chan struct{})
	defer close(hold)
	m.says(said, hold)
	p := open(t, serve(t, false, m.env()...), look{lang: "en-GB"}).as("alice")
	p.run(chromedp.Evaluate(flood, nil))
	p.ask(question)
	p.click(`article button[aria-expanded=false]`)
	p.see(`[data-timeline] li`)
	p.run(chromedp.Evaluate(`window.watch()`, nil))
	type counts struct {
		Renders, Changes, Lines int
		Took                    float64
	}
	const round, last = 500, 5000
	for fed := round; fed <= last; fed += round {
		p.run(chromedp.Evaluate(fmt.Sprintf(`window.feed(%d)`, fed), nil))
		// Two events open the run and the answer, and every fifth has a line of its own; the others are the answer's text.
		p.until(fmt.Sprintf(`document.querySelector('[data-timeline] li').getAttribute('aria-setsize') === '%d'`, 2+fed/5))
		p.until(`document.querySelector('article .caret').textContent === window.told`)
		c := eval[counts](p, `({...window.taken(), Lines: document.querySelectorAll('[data-timeline] li').length})`)
		t.Logf("to event %d: %d renders with %d changes and %d lines, %.0f ms", fed, c.Renders, c.Changes, c.Lines, c.Took)
		// The first text of an answer comes with its element, which is no change within it.
		if c.Renders > round/10 {
			t.Errorf("the %d events up to %d were drawn in %d renders", round, fed, c.Renders)
		}
		// A render touches each line in the page once, and little beside; measuring the lines may draw them again.
		if c.Changes > (c.Renders+2)*(c.Lines+10) {
			t.Errorf("the %d events up to %d made %d changes to the page in %d renders", round, fed, c.Changes, c.Renders)
		}
		if c.Lines == 0 || c.Lines > 80 {
			t.Errorf("after %d events the page holds %d lines of the timeline", fed, c.Lines)
		}
	}
}
