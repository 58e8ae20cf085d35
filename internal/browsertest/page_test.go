package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience bounds one step of a test. It decides nothing but how long a failing test takes.
const patience = 15 * time.Second

var shared struct {
	once  sync.Once
	ctx   context.Context
	close []context.CancelFunc
	err   error
}

func closeBrowser() {
	for _, c := range slices.Backward(shared.close) {
		c()
	}
}

// chromium starts the browser once, or ends the test where there is none.
func chromium(t testing.TB) context.Context {
	t.Helper()
	if racing {
		t.Skip("the race detector sees nothing of what a browser and the built program do")
	}
	name := os.Getenv("KAOJU_TEST_CHROMIUM")
	if name == "" {
		name = "chromium"
	}
	path, _ := exec.LookPath(name) // "" where there is none
	if path == "" {
		if slices.Contains(strings.Split(os.Getenv("KAOJU_TEST_REQUIRE"), ","), "browser") {
			t.Fatal("a browser is demanded, but Chromium is not installed")
		}
		t.Skip("Chromium is not installed; apt-get install chromium fonts-noto-cjk")
	}
	shared.once.Do(func() {
		options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
			chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("force-color-profile", "srgb"), chromedp.WSURLReadTimeout(60*time.Second))
		ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
		browser, end := chromedp.NewContext(ctx, chromedp.WithErrorf(unknown))
		shared.ctx, shared.close = browser, []context.CancelFunc{stop, end}
		shared.err = chromedp.Run(browser)
	})
	if shared.err != nil {
		t.Fatalf("the browser does not start: %v", shared.err)
	}
	return shared.ctx
}

// look is what a page is opened with.
type look struct {
	lang          string // "zh-CN" if it is ""
	width, height int
	dark          bool
	phone         bool
}

// unknown takes what the library says of events that it is too old to know.
func unknown(string, ...any) {}

// tab opens a window with a history, cookies and storage of its own.
func tab(t testing.TB) context.Context {
	t.Helper()
	browser := chromium(t)
	over := cdp.WithExecutor(browser, chromedp.FromContext(browser).Browser)
	private, err := target.CreateBrowserContext().Do(over)
	if err != nil {
		t.Fatal(err)
	}
	id, err := target.CreateTarget("about:blank").WithBrowserContextID(private).WithNewWindow(true).Do(over)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := chromedp.NewContext(browser, chromedp.WithTargetID(id))
	t.Cleanup(func() {
		end()
		_ = target.DisposeBrowserContext(private).Do(over) // The browser ends with the tests anyway.
	})
	return ctx
}

// page is a tab of a browser without any history, and what went wrong in it.
type page struct {
	t   testing.TB
	s   *server
	ctx context.Context
	mu  sync.Mutex
	// faults are errors of the page, broken rules of its policy, and requests to elsewhere.
	faults []string
	// expected are codes of answers that a test provokes, and that a browser reports as errors.
	expected []string
	// down is true while a test has ended the server, whose absence a browser reports too.
	down bool
}

// open opens a page of the interface in a browser of its own.
func open(t testing.TB, s *server, l look) *page {
	t.Helper()
	if l.lang == "" {
		l.lang = "zh-CN"
	}
	if l.width == 0 {
		l.width, l.height = 1440, 900
	}
	ctx := tab(t)
	p := &page{t: t, s: s, ctx: ctx, expected: []string{"401"}}
	chromedp.ListenTarget(ctx, p.listen)
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	err := chromedp.Run(ctx, network.Enable(), cdplog.Enable(), runtime.Enable(),
		emulation.SetLocaleOverride().WithLocale(strings.ReplaceAll(l.lang, "-", "_")),
		network.SetExtraHTTPHeaders(network.Headers{"Accept-Language": l.lang}),
		emulation.SetDeviceMetricsOverride(int64(l.width), int64(l.height), 1, l.phone),
		emulation.SetTimezoneOverride("UTC"),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}),
		chromedp.ActionFunc(func(ctx context.Context) error {
			script := fmt.Sprintf(`Object.defineProperty(navigator,'languages',{get:()=>[%q]});Object.defineProperty(navigator,'language',{get:()=>%[1]q});
				addEventListener('securitypolicyviolation',e=>console.error('policy: '+e.violatedDirective+' '+e.blockedURI));
				for (const f of ['alert','confirm','prompt']) window[f]=()=>console.error('a dialog was opened')`, l.lang)
			_, err := cdppage.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
			return err
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.judge)
	return p
}

func (p *page) listen(ev any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := ev.(type) {
	case *runtime.EventExceptionThrown:
		p.faults = append(p.faults, "exception: "+e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			var words []string
			for _, a := range e.Args {
				words = append(words, string(a.Value)+a.Description)
			}
			p.faults = append(p.faults, "console: "+strings.Join(words, " "))
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.LevelError && !slices.ContainsFunc(p.expected, func(code string) bool { return strings.Contains(e.Entry.Text, "status of "+code) }) && !(p.down && strings.Contains(e.Entry.Text, "net::ERR_")) {
			p.faults = append(p.faults, "log: "+e.Entry.Text+" "+e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, p.s.url+"/") && u != p.s.url && u != "about:blank" && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "blob:"+p.s.url) {
			p.faults = append(p.faults, "request to elsewhere: "+u)
		}
	}
}

// judge fails the test for everything that a page of it may not do.
func (p *page) judge() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.faults {
		p.t.Errorf("the page: %s", f)
	}
}

func (p *page) run(actions ...chromedp.Action) {
	p.t.Helper()
	ctx, end := context.WithTimeout(p.ctx, patience)
	defer end()
	if err := chromedp.Run(ctx, actions...); err != nil {
		var body string
		late, stop := context.WithTimeout(p.ctx, 5*time.Second)
		defer stop()
		_ = chromedp.Run(late, chromedp.Evaluate(`document.body.innerText.slice(0, 3000)`, &body))
		p.t.Fatalf("%v; the page says:\n%s", err, body)
	}
}

func (p *page) visit(path string) { p.t.Helper(); p.run(chromedp.Navigate(p.s.url + path)) }

// as signs somebody of the demonstration in through the address that the program prints.
func (p *page) as(name string) *page {
	p.t.Helper()
	p.run(chromedp.Navigate("about:blank")) // The address differs in its fragment alone, perhaps.
	p.visit("/#token=" + p.s.tokens[name])
	p.click(`button[autofocus], main .card button`)
	p.see(`nav[aria-label]`)
	return p
}

func (p *page) see(selector string) {
	p.t.Helper()
	p.run(chromedp.WaitVisible(selector, chromedp.ByQuery))
}
func (p *page) gone(selector string) {
	p.t.Helper()
	p.run(chromedp.WaitNotPresent(selector, chromedp.ByQuery))
}
func (p *page) click(selector string) {
	p.t.Helper()
	p.run(chromedp.WaitVisible(selector, chromedp.ByQuery), chromedp.Click(selector, chromedp.ByQuery))
}

func (p *page) write(selector, text string) {
	p.t.Helper()
	p.run(chromedp.WaitVisible(selector, chromedp.ByQuery), chromedp.Focus(selector, chromedp.ByQuery))
	// Each key goes to the browser and back three times: a long text has patience for each of its parts.
	for keys := range slices.Chunk([]rune(text), 32) {
		p.run(chromedp.KeyEvent(string(keys)))
	}
}

func (p *page) press(keys string) { p.t.Helper(); p.run(chromedp.KeyEvent(keys)) }

func (p *page) text(selector string) (out string) {
	p.t.Helper()
	p.run(chromedp.WaitVisible(selector, chromedp.ByQuery), chromedp.Text(selector, &out, chromedp.ByQuery))
	return out
}

// eval evaluates an expression of JavaScript in the page.
func eval[T any](p *page, expression string) (out T) {
	p.t.Helper()
	var raw json.RawMessage
	p.run(chromedp.Evaluate(expression, &raw, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &out); err != nil {
			p.t.Fatalf("%s: %v in %s", expression, err, raw)
		}
	}
	return out
}

// until waits until an expression holds.
func (p *page) until(expression string) {
	p.t.Helper()
	p.run(chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(patience)))
}

// says waits until a part of the page holds a text.
func (p *page) says(selector, text string) {
	p.t.Helper()
	want, err := json.Marshal(text)
	if err != nil {
		p.t.Fatal(err)
	}
	sel, err := json.Marshal(selector)
	if err != nil {
		p.t.Fatal(err)
	}
	p.until(fmt.Sprintf(`[...document.querySelectorAll(%s)].some(e => e.textContent.includes(%s))`, sel, want))
}

// ask writes a question and waits for what comes of it.
func (p *page) ask(question string) {
	p.t.Helper()
	p.write(`form textarea`, question)
	p.press(kb.Enter)
	p.see(`article[data-run-id]`)
}

// answered waits until every run on the page is over.
func (p *page) answered() {
	p.t.Helper()
	p.until(`[...document.querySelectorAll('article[data-run-id]')].length > 0 && [...document.querySelectorAll('article[data-run-id]')].every(e => !['queued','running','cancelling','waiting_for_human'].includes(e.dataset.state))`)
}

// shot keeps a picture of the page where the run asks for pictures.
func (p *page) shot(name string) {
	p.t.Helper()
	if *screenshots == "" {
		return
	}
	var picture []byte
	p.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		picture, err = cdppage.CaptureScreenshot().WithFormat(cdppage.CaptureScreenshotFormatPng).Do(ctx)
		return err
	}))
	small, err := packed(picture)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name+".png"), small, 0o644); err != nil {
		p.t.Fatal(err)
	}
}
