// Package outbound holds the one HTTP client that reaches anything outside this process.
//
// Which address a connection really goes to is checked when it is dialled, after the name was
// resolved, so that neither a clever URL nor a name that changes its answer nor a redirect leads
// into the private network. Hosts that the operator named by exact host and port are exempt, for
// requests that are addressed to them directly; a redirect from elsewhere is not. Give the
// exemption only to clients whose URLs come from the operator's settings, never to one that
// fetches what users, documents or models name.
package outbound

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/kaoju/kaoju/internal/problem"
)

// The defaults of a client.
const (
	DefaultMaxResponse    = 32 << 20
	DefaultConnectTimeout = 10 * time.Second
	DefaultRedirects      = 5
	maxResponseHeaders    = 256 << 10
)

// Options are the settings of a client. The zero value reaches public addresses only.
type Options struct {
	// Allow names hosts that may have any address, each as exact "host:port".
	Allow []string
	// MaxResponse bounds a response's body in bytes, after decompression; 0 means
	// DefaultMaxResponse.
	MaxResponse int64
	// ConnectTimeout bounds name resolution and dialling together, and the TLS handshake
	// separately; 0 means DefaultConnectTimeout.
	ConnectTimeout time.Duration
	// Timeout bounds a whole request with its body; 0 means that only the context does.
	Timeout time.Duration
	// Redirects is how many are followed; 0 means DefaultRedirects, negative none at all.
	Redirects int
	// Proxy, if set, carries all requests but those to allowed hosts. The environment's proxy
	// settings are never read. A proxy resolves names by itself, so names are resolved here
	// first and refused unless all their addresses are public.
	Proxy *url.URL
	// TLS, if set, is used for connections, for private certificate authorities.
	TLS *tls.Config
	// Resolver, if set, resolves names in place of the system's resolver.
	Resolver *net.Resolver
}

// New makes a client. It is safe for concurrent use and keeps connections open; make one for
// each purpose and share it.
func New(o Options) *http.Client {
	if o.MaxResponse <= 0 {
		o.MaxResponse = DefaultMaxResponse
	}
	if o.ConnectTimeout <= 0 {
		o.ConnectTimeout = DefaultConnectTimeout
	}
	if o.Redirects == 0 {
		o.Redirects = DefaultRedirects
	}
	allow := map[string]bool{}
	for _, a := range o.Allow {
		allow[strings.ToLower(a)] = true
	}
	g := &guard{allow: allow, limit: o.MaxResponse, open: transport(o, false), guarded: transport(o, true)}
	if o.Proxy != nil {
		g.resolver = o.Resolver
		if g.resolver == nil {
			g.resolver = net.DefaultResolver
		}
	}
	return &http.Client{Transport: g, Timeout: o.Timeout, CheckRedirect: redirects(o.Redirects)}
}

// transport makes the transport for allowed hosts or, guarded, the one for all others. They are
// two so that a connection made under the exemption is never reused without it.
func transport(o Options, guarded bool) *http.Transport {
	d := &net.Dialer{Timeout: o.ConnectTimeout, KeepAlive: 30 * time.Second, Resolver: o.Resolver}
	t := &http.Transport{
		DialContext: d.DialContext, TLSClientConfig: o.TLS, TLSHandshakeTimeout: o.ConnectTimeout,
		ForceAttemptHTTP2: true, MaxIdleConns: 100, MaxIdleConnsPerHost: 16, IdleConnTimeout: 90 * time.Second,
		ExpectContinueTimeout: time.Second, MaxResponseHeaderBytes: maxResponseHeaders,
	}
	switch {
	case guarded && o.Proxy != nil:
		t.Proxy = http.ProxyURL(o.Proxy) // the only address that is dialled, and it is the operator's
	case guarded:
		d.ControlContext = control
	}
	return t
}

// control runs between the resolution of a name and the connection to one of its addresses.
func control(_ context.Context, network, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" || !Public(ap.Addr()) {
		return refusedAddress()
	}
	return nil
}

func refusedAddress() error {
	return problem.New(problem.Invalid, "address_refused", "The address is not on the public internet, so it is not contacted.")
}

// guard is the RoundTripper of a client: it checks the URL, chooses the transport, and bounds
// the response.
type guard struct {
	allow         map[string]bool
	limit         int64
	open, guarded *http.Transport
	resolver      *net.Resolver // set if a proxy resolves names after us
}

// RoundTrip performs one request of a chain of redirects.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := checkURL(req.URL); err != nil {
		return nil, err
	}
	rt := g.guarded
	switch {
	case g.exempt(req):
		rt = g.open
	case g.resolver != nil:
		if err := g.checkName(req.Context(), req.URL.Hostname()); err != nil {
			return nil, err
		}
	}
	resp, err := rt.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if resp.ContentLength > g.limit {
		_ = resp.Body.Close()
		return nil, tooLarge(g.limit)
	}
	resp.Body = &bounded{ReadCloser: resp.Body, left: g.limit, limit: g.limit}
	return resp, nil
}

// CloseIdleConnections lets http.Client close what is kept open.
func (g *guard) CloseIdleConnections() {
	g.open.CloseIdleConnections()
	g.guarded.CloseIdleConnections()
}

// exempt reports whether a request goes to an allowed host, and was addressed to it from the
// first: every request of its chain of redirects has the same origin.
func (g *guard) exempt(req *http.Request) bool {
	if !g.allow[HostPort(req.URL)] {
		return false
	}
	for r := req; r.Response != nil && r.Response.Request != nil; {
		r = r.Response.Request
		if origin(r.URL) != origin(req.URL) {
			return false
		}
	}
	return true
}

// checkName refuses a name unless all its addresses are public.
func (g *guard) checkName(ctx context.Context, host string) error {
	addrs, err := g.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return err
	}
	for _, a := range addrs {
		if !Public(a) {
			return refusedAddress()
		}
	}
	if len(addrs) == 0 {
		return refusedAddress()
	}
	return nil
}

// HostPort returns a URL's host and port as they stand in an allow-list: lower case, with the
// scheme's port if the URL has none.
func HostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// origin is scheme, host and port.
func origin(u *url.URL) string { return u.Scheme + "://" + HostPort(u) }
