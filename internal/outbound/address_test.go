package outbound

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/problem"
)

func TestOnlyThePublicInternetIsPublic(t *testing.T) {
	private := []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.100.100.200", "100.127.255.255",
		"127.0.0.1", "127.1.2.3", "168.63.129.16", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255",
		"192.0.0.192", "192.0.2.7", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1",
		"203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:169.254.169.254", "::127.0.0.1",
		"64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:7f00:1::", "2001:10::1", "2001:20::1",
		"2001:db8::1", "2002:7f00:1::", "2002:a00:1::", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1",
		"fe80::1%eth0", "fec0::1", "ff02::1", "2606:4700::1%1",
	}
	for _, s := range private {
		if Public(netip.MustParseAddr(s)) {
			t.Errorf("%s counts as public", s)
		}
	}
	public := []string{
		"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
		"169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.255.255", "192.169.0.0", "198.17.0.1",
		"223.255.255.255", "::ffff:8.8.8.8", "2001:200::1", "2400:3200::1", "2606:4700:4700::1111",
	}
	for _, s := range public {
		if !Public(netip.MustParseAddr(s)) {
			t.Errorf("%s does not count as public", s)
		}
	}
	if Public(netip.Addr{}) {
		t.Error("no address counts as public")
	}
}

func TestMappedAddressesAreJudgedAsTheirIPv4(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "bytes")
		four := netip.AddrFrom4([4]byte(b))
		mapped := netip.AddrFrom16(four.As16())
		if Public(four) != Public(mapped) {
			t.Fatalf("%s and %s differ", four, mapped)
		}
		// The standard library's own notions never call public what is refused there.
		if Public(four) && (four.IsPrivate() || four.IsLoopback() || four.IsLinkLocalUnicast() || four.IsMulticast() || four.IsUnspecified()) {
			t.Fatalf("%s is public", four)
		}
	})
}

func TestParseURLRefusesAmbiguousForms(t *testing.T) {
	bad := []string{
		"", "x", "file:///etc/passwd", "ftp://example.com/", "gopher://example.com", "data:text/plain,x", "unix:///run/x",
		"http:", "http:a", "http:///x", "https://", "//example.com/x", "http://a@b/", "http://a:b@b/", `http://a\@b/`, `http:\\b/`,
		"http://a b/", "http://a\tb/", "http://a/\n", "\x00http://a/", "http://a/\x7f", "http://[fe80::1%25eth0]/", "http://[::1/",
		"http://[not-an-address]:80:80/", "http://0177.0.0.1/", "http://2130706433/", "http://0x7f.1/", "http://0x7f000001/",
		"http://127.1/", "http://127.0.0.1./", "http://1.2.3.4.5/", "http://example.com:port/", "javascript:alert(1)",
	}
	for _, raw := range bad {
		if u, err := ParseURL(raw); err == nil {
			t.Errorf("%q is accepted as %s", raw, u)
		} else if problem.CodeOf(err) != "invalid_url" || !problem.Is(err, problem.Invalid) {
			t.Errorf("%q: code %s", raw, problem.CodeOf(err))
		}
	}
	good := []string{
		"http://example.com", "HTTPS://Example.com/a?b=c#d", "http://127.0.0.1:8000/", "http://[::1]:80/", "https://例子.公司/页",
		"http://a#@b/", "http://4u.example/", "http://example.com./", "http://abc0x1f/",
	}
	for _, raw := range good {
		if _, err := ParseURL(raw); err != nil {
			t.Errorf("%q is refused: %v", raw, err)
		}
	}
}

func TestLoopbackNamesThisMachine(t *testing.T) {
	for raw, want := range map[string]bool{
		"http://localhost:1/": true, "http://LOCALHOST./": true, "http://a.localhost/": true, "http://127.9.9.9/": true,
		"http://[::1]:11434/v1": true, "http://[::ffff:127.0.0.1]/": true, "http://10.0.0.1/": false, "https://api.example/": false,
		"http://localhost.example/": false,
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := Loopback(u); got != want {
			t.Errorf("Loopback(%s) = %t", raw, got)
		}
	}
}

func TestHostPortFillsTheSchemesPort(t *testing.T) {
	for raw, want := range map[string]string{
		"http://A.example/": "a.example:80", "https://a.example": "a.example:443", "https://a.example:80/x": "a.example:80", "http://[::1]/": "[::1]:80",
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := HostPort(u); got != want {
			t.Errorf("HostPort(%s) = %s, want %s", raw, got, want)
		}
	}
}

func FuzzParseURL(f *testing.F) {
	for _, s := range []string{"http://a/", "http://a@b", `http://a\b`, "http://[::1]/", "http://0x7f.1/", "http://ａ/", "http://%31/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := ParseURL(raw)
		if err != nil {
			return
		}
		if u.User != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(u.Host, "@\\ \t\r\n") {
			t.Errorf("%q gives %#v", raw, u)
		}
	})
}
