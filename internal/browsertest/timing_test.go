package browsertest

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// usable notes when the box for a question is there and takes words, and when the page has nothing to do
// for the first time after that.
const usable = `(() => {
	const look = () => {
		const box = document.querySelector('form textarea')
		if (!box || box.disabled) return requestAnimationFrame(look)
		window.boxed = performance.now()
		requestIdleCallback(() => { window.idle = performance.now() })
	}
	requestAnimationFrame(look)
})()`

// The time until a person can ask is measured and logged. Nothing is asserted of it: it is the machine's.
func TestTheTimeToTheFirstQuestionIsMeasured(t *testing.T) {
	chromium(t)
	p := open(t, serve(t, false), look{}).as("alice")
	p.run(network.SetCacheDisabled(true), chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdppage.AddScriptToEvaluateOnNewDocument(usable).Do(ctx)
		return err
	}))
	type times struct{ Paint, Boxed, Idle, Bytes float64 }
	var all []times
	for range 5 {
		p.visit("/")
		p.until(`window.idle > 0`)
		all = append(all, eval[times](p, `({
			Paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0, Boxed: window.boxed, Idle: window.idle,
			Bytes: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce((n, e) => n + e.encodedBodySize, 0)})`))
	}
	slices.SortFunc(all, func(a, b times) int { return int(a.Idle - b.Idle) })
	for _, x := range all {
		if x.Idle < x.Boxed || x.Boxed <= 0 || x.Bytes < 10_000 {
			t.Errorf("nothing was measured: %+v", x)
		}
	}
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		load = []byte("unknown")
	}
	mid := all[len(all)/2]
	t.Logf("of %d loads without a cache, the median: first paint %.0f ms, the box for a question %.0f ms, idle after that %.0f ms; %.0f bytes in all; slowest %.0f ms; load of the machine %s",
		len(all), mid.Paint, mid.Boxed, mid.Idle, mid.Bytes, all[len(all)-1].Idle, strings.TrimSpace(string(load)))
}
