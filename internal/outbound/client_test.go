package outbound

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/kaoju/kaoju/internal/problem"
)

// serve starts a server and returns its URL and the host:port to allow.
func serve(t *testing.T, h http.HandlerFunc) (base, hostport string) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL, s.Listener.Addr().String()
}

func get(c *http.Client, target string) (string, error) {
	resp, err := c.Get(target)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

func TestUnlistedPrivateHostIsNeverContacted(t *testing.T) {
	var hits atomic.Int32
	base, hostport := serve(t, func(w http.ResponseWriter, _ *http.Request) { hits.Add(1) })
	_, port, _ := net.SplitHostPort(hostport)
	for _, target := range []string{
		base, "http://localhost:" + port, "http://[::ffff:127.0.0.1]:" + port, "http://[::ffff:7f00:1]:" + port,
		"http://0.0.0.0:" + port, "http://[::]:" + port, "http://[::1]:" + port,
	} {
		_, err := get(New(Options{Allow: []string{"127.0.0.1:1", "localhost", "127.0.0.1"}}), target)
		if problem.CodeOf(err) != "address_refused" {
			t.Errorf("%s: %v", target, err)
		}
	}
	if hits.Load() != 0 {
		t.Errorf("the server was reached %d times", hits.Load())
	}
}

func TestListedHostIsReachedByExactNameAlone(t *testing.T) {
	base, hostport := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") })
	c := New(Options{Allow: []string{hostport}})
	if got, err := get(c, base); got != "here" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	_, port, _ := net.SplitHostPort(hostport)
	if _, err := get(c, "http://localhost:"+port); problem.CodeOf(err) != "address_refused" {
		t.Errorf("another name of the same host: %v", err)
	}
}

func TestSchemesAndUserInfoAreRefusedBeforeAnything(t *testing.T) {
	c := New(Options{})
	for _, target := range []string{"file:///etc/passwd", "ftp://example.com/", "http://u:p@example.com/", "http://0x7f.1/"} {
		if _, err := get(c, target); problem.CodeOf(err) != "invalid_url" {
			t.Errorf("%s: %v", target, err)
		}
	}
}

func TestEnvironmentProxyIsIgnored(t *testing.T) {
	var hits atomic.Int32
	proxy, _ := serve(t, func(w http.ResponseWriter, _ *http.Request) { hits.Add(1) })
	t.Setenv("HTTP_PROXY", proxy)
	t.Setenv("http_proxy", proxy)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://192.168.7.7/", nil)
	if resp, err := New(Options{}).Do(req); err == nil {
		_ = resp.Body.Close()
		t.Error("the request was answered")
	}
	if hits.Load() != 0 {
		t.Error("the environment's proxy was used")
	}
}

func TestConfiguredProxyIsUsedForPublicNamesOnly(t *testing.T) {
	asked := make(chan string, 8)
	proxy, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { asked <- r.URL.String() })
	u, err := url.Parse(proxy)
	if err != nil {
		t.Fatal(err)
	}
	c := New(Options{Proxy: u, Resolver: names(map[string]string{"public.example.": "93.184.216.34", "private.example.": "10.1.2.3"}, nil)})
	if _, err := get(c, "http://public.example/x"); err != nil {
		t.Fatal(err)
	}
	if got := <-asked; got != "http://public.example/x" {
		t.Errorf("the proxy was asked for %s", got)
	}
	for _, target := range []string{"http://private.example/", "http://127.0.0.1/", "https://[::1]/", "http://169.254.169.254/"} {
		if _, err := get(c, target); problem.CodeOf(err) != "address_refused" {
			t.Errorf("%s: %v", target, err)
		}
	}
	if len(asked) != 0 {
		t.Errorf("the proxy was asked for %s", <-asked)
	}
}

func TestNameIsJudgedByTheAddressThatIsDialled(t *testing.T) {
	var lookups atomic.Int32
	r := names(map[string]string{"rebind.example.": "127.0.0.1", "metadata.google.internal.": "169.254.169.254"}, &lookups)
	var hits atomic.Int32
	_, hostport := serve(t, func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	_, port, _ := net.SplitHostPort(hostport)
	for _, host := range []string{"rebind.example", "metadata.google.internal"} {
		lookups.Store(0)
		_, err := get(New(Options{Resolver: r}), "http://"+host+":"+port+"/")
		if problem.CodeOf(err) != "address_refused" {
			t.Errorf("%s: %v", host, err)
		}
		if lookups.Load() != 1 {
			t.Errorf("%s was looked up %d times: what was checked is not what is dialled", host, lookups.Load())
		}
	}
	if hits.Load() != 0 {
		t.Error("the private server was reached")
	}
}

func TestResponseBeyondTheLimitFails(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write(make([]byte, 1<<20))
	_ = z.Close()
	base, hostport := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/exact":
			_, _ = io.WriteString(w, strings.Repeat("x", 1000))
		case "/declared":
			_, _ = io.WriteString(w, strings.Repeat("x", 1001))
		case "/chunked":
			for range 20 {
				_, _ = io.WriteString(w, strings.Repeat("x", 100))
				_ = http.NewResponseController(w).Flush()
			}
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(zipped.Bytes()[:900])
		}
	})
	c := New(Options{Allow: []string{hostport}, MaxResponse: 1000})
	if got, err := get(c, base+"/exact"); len(got) != 1000 || err != nil {
		t.Errorf("exactly the limit: %d bytes, %v", len(got), err)
	}
	for _, path := range []string{"/declared", "/chunked", "/gzip"} {
		got, err := get(c, base+path)
		if problem.CodeOf(err) != "response_too_large" || len(got) > 1000 {
			t.Errorf("%s: %d bytes, %v", path, len(got), err)
		}
	}
}

func TestPrivateAuthorityIsTrustedWhenConfigured(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "tls") }))
	defer s.Close()
	hostport := s.Listener.Addr().String()
	if _, err := get(New(Options{Allow: []string{hostport}}), s.URL); err == nil {
		t.Error("an unknown authority is trusted")
	}
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	got, err := get(New(Options{Allow: []string{hostport}, TLS: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}), s.URL)
	if got != "tls" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// names is a resolver that answers A questions from a table and counts them.
func names(table map[string]string, lookups *atomic.Int32) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go answer(theirs, table, lookups)
		return ours, nil
	}}
}

// answer speaks DNS over a stream: two bytes of length before each message.
func answer(c net.Conn, table map[string]string, lookups *atomic.Int32) {
	defer func() { _ = c.Close() }()
	for {
		var size [2]byte
		if _, err := io.ReadFull(c, size[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(c, query); err != nil {
			return
		}
		var m dnsmessage.Message
		if err := m.Unpack(query); err != nil || len(m.Questions) == 0 {
			return
		}
		q := m.Questions[0]
		m.Response, m.Authoritative, m.Additionals = true, true, nil
		ip, known := table[q.Name.String()]
		switch {
		case !known:
			m.RCode = dnsmessage.RCodeNameError
		case q.Type == dnsmessage.TypeA:
			if lookups != nil {
				lookups.Add(1)
			}
			m.Answers = []dnsmessage.Resource{{
				Header: dnsmessage.ResourceHeader{Name: q.Name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET},
				Body:   &dnsmessage.AResource{A: [4]byte(net.ParseIP(ip).To4())},
			}}
		}
		out, err := m.Pack()
		if err != nil {
			panic(fmt.Sprint("packing an answer: ", err))
		}
		_, _ = c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(out))), out...))
	}
}
