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
	for i, tab := range tabs {
		// The tab that resumed nothing learns of it when somebody comes back to it.
		tab.until(fmt.Sprintf(`(%d && dispatchEvent(new Event('visibilitychange')), !!document.querySelector('article[data-state=completed]'))`, i))
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

// flood gives the page a run under way with five thousand events, in place of the server's, one after another.
const flood = `(() => {
	const real = window.fetch
	window.long = []
	new PerformanceObserver(l => { for (const e of l.getEntries()) window.long.push(e.duration) }).observe({type: 'longtask'})
	window.fetch = (url, init) => {
		if (!String(url).includes('/events') || new Headers(init?.headers).get('Accept') !== 'text/event-stream') return real(url, init)
		const id = String(url).match(/runs\/([^/]+)/)[1], words = new TextEncoder()
		let n = 0
		const send = (to, type, data) => to.enqueue(words.encode('id: ' + id + ':' + ++n + '\nevent: ' + type + '\ndata: ' + JSON.stringify({v: 1, id: id + ':' + n, sequence: n, run_id: id, type, time: '2026-05-01T00:00:00Z', attempt: 1, data}) + '\n\n'))
		window.fed = 0
		return Promise.resolve(new Response(new ReadableStream({
			start(to) { send(to, 'run.started', {}); send(to, 'run.answer.started', {mode: 'provisional'}) },
			async pull(to) {
				if (n >= 5000) return new Promise(() => {})
				if (n === 2) window.times = []
				if (n % 500 === 2) window.times.push(performance.now())
				if (n % 5 === 0) send(to, 'run.warning', {code: 'as_of'})
				else send(to, 'run.answer.delta', {text: n % 40 === 1 ? 'a line.\n' : 'word '})
				window.fed = n
				if (n === 5000) window.times.push(performance.now())
				if (n % 4 === 0) await new Promise(r => setTimeout(r))
			},
		}), {headers: {'Content-Type': 'text/event-stream'}}))
	}
})()`

// The last of five thousand events costs about what the first did: a page whose work grows with what is
// there already stands still at the end. Both are timed in one run, and only their ratio is judged.
func TestFiveThousandEventsOfARunUnderWayComeAtAnEvenPace(t *testing.T) {
	chromium(t)
	m := model(t, said)
	hold := make(chan struct{})
	defer close(hold)
	m.says(said, hold)
	p := open(t, serve(t, false, m.env()...), look{lang: "en-GB"}).as("alice")
	p.run(chromedp.Evaluate(flood, nil))
	p.ask(question)
	p.click(`article button[aria-expanded=false]`)
	for n := 2; n <= 11; n++ {
		p.until(fmt.Sprintf(`window.times?.length >= %d`, n))
	}
	times := eval[[]float64](p, `window.times`)
	long := eval[[]float64](p, `window.long`)
	first, last := times[2]-times[0], times[len(times)-1]-times[len(times)-3]
	t.Logf("the events 1 to 1,000 took %.0f ms, 4,001 to 5,000 %.0f ms; %d tasks above 50 ms, the longest %.0f ms", first, last, len(long), slices.Max(append(long, 0)))
	if last > 4*first {
		t.Errorf("the last thousand events took %.1f times as long as the first", last/first)
	}
	if lines := eval[int](p, `document.querySelectorAll('[data-timeline] li').length`); lines == 0 || lines > 80 {
		t.Errorf("the page holds %d lines of the timeline", lines)
	}
	p.says(`article`, "word word")
}
