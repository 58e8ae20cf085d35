package browsertest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// beside serves a server below a path as a proxy does that serves other things on the same host: it takes the
// path off, leads the bare path on, narrows cookies to it, and keeps what was asked for outside of it.
func beside(t *testing.T, s *server, path string) (outer *server, strays func() []string) {
	t.Helper()
	to, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var out []string
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.FlushInterval = -1
	proxy.ModifyResponse = func(res *http.Response) error {
		cookies := res.Cookies()
		res.Header.Del("Set-Cookie")
		for _, c := range cookies {
			c.Path = path + c.Path
			res.Header.Add("Set-Cookie", c.String())
		}
		return nil
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == path {
			http.Redirect(w, r, path+"/", http.StatusMovedPermanently)
			return
		}
		if !strings.HasPrefix(r.URL.Path, path+"/") {
			mu.Lock()
			defer mu.Unlock()
			out = append(out, r.URL.Path)
			http.NotFound(w, r)
			return
		}
		r.Host = to.Host
		http.StripPrefix(path, proxy).ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	below := *s
	below.url = front.URL + path
	return &below, func() []string { mu.Lock(); defer mu.Unlock(); return out }
}

// From the first start to a saved answer below /kaoju: links, cookie, stream of events, pictures and downloads.
func TestTheWholeJobIsDoneBelowAPath(t *testing.T) {
	chromium(t)
	m := model(t, said)
	hold := make(chan struct{})
	m.query = "service interval of the Kestrel valve"
	m.says("The service interval is 18 months. [S1]", hold)
	outer, strays := beside(t, serve(t, true, m.env()...), "/kaoju")
	p := open(t, outer, look{lang: "en-GB"})
	p.visit("/#setup=" + outer.setup)
	p.write(`input[name=password]`, "a quiet brown heron 7")
	p.click(`form button[type=submit]`)
	p.says(`main`, "Three steps to the first answer")
	var cookies []*network.Cookie
	p.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		cookies, err = network.GetCookies().WithURLs([]string{outer.url + "/api/me"}).Do(ctx)
		return err
	}))
	if len(cookies) != 1 || cookies[0].Path != "/kaoju/" || !cookies[0].HTTPOnly || cookies[0].SameSite != network.CookieSameSiteLax {
		t.Errorf("the cookies are %+v", cookies)
	}
	p.run(chromedp.Click(`//main//a[contains(., 'Add documents')]`, chromedp.BySearch))
	p.write(`dialog input`, "Handbook")
	p.button("dialog", "Create")
	p.gone(`dialog[open]`)
	dir := kept(t, map[string]string{"valve.pdf": paper("The service interval of the Kestrel valve is 18 months.")})
	p.run(chromedp.SetUploadFiles(`input[type=file]`, []string{filepath.Join(dir, "valve.pdf")}, chromedp.ByQuery))
	p.see(`[data-upload="valve.pdf"][data-state=good]`)
	p.click(`[role=table] a`)
	p.see(`main [role=tablist]`)
	if name, raw := p.save(`header button`); name != "valve.pdf" || !strings.HasPrefix(string(raw), "%PDF") {
		t.Errorf("the original: %s %.10q", name, raw)
	}
	for _, link := range eval[[]string](p, `[...document.querySelectorAll('a[href], link[href], script[src], img[src]')].map(e => e.getAttribute('href') ?? e.getAttribute('src'))`) {
		if strings.HasPrefix(link, "/") && !strings.HasPrefix(link, "/kaoju/") {
			t.Errorf("a link leads out to %s", link)
		}
	}

	// What a run does is shown while it works: the stream passes the proxy event by event.
	p.click(`nav a[href="/kaoju/"]`)
	p.ask("What is the service interval of the Kestrel valve?")
	p.says(`article [role=status]`, "The model is at work")
	p.click(`article button[aria-expanded=false]`)
	p.says(`[data-timeline]`, "Search")
	close(hold)
	p.answered()
	p.click(`article [data-cite]`)
	p.says(`[data-excerpt] mark`, "18 months")
	p.click(`[data-view=document]`)
	p.until(`[...document.querySelectorAll("aside[data-source] img")].some((i) => i.naturalWidth === 1200)`)
	p.run(chromedp.Reload())
	p.answered()
	p.visit("/documents")
	p.see(`[role=table] a`)
	p.run(chromedp.Navigate(strings.TrimSuffix(outer.url, "/")), chromedp.WaitVisible(`form textarea`, chromedp.ByQuery))
	if at := eval[string](p, `location.pathname`); at != "/kaoju/" {
		t.Errorf("the bare path leads to %s", at)
	}
	p.click(`[data-leave]`)
	p.see(`input[name=password]`)
	p.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		cookies, err = network.GetCookies().WithURLs([]string{outer.url + "/api/me"}).Do(ctx)
		return err
	}))
	if len(cookies) != 0 {
		t.Errorf("after signing out there is %+v", cookies)
	}
	if out := strays(); len(out) != 0 {
		t.Errorf("outside of the path it asked for %q", out)
	}
}
