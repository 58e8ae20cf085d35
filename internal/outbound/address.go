package outbound

import (
	"net/netip"
	"net/url"
	"strings"

	"github.com/kaoju/kaoju/internal/problem"
)

// reserved lists what is not the public internet inside the ranges that Public admits at all:
// all of IPv4, and 2000::/3 of IPv6. The sources are IANA's special-purpose registries and the
// addresses under which cloud providers answer to their own machines.
func reserved() []netip.Prefix {
	return []netip.Prefix{
		netip.MustParsePrefix("0.0.0.0/8"),
		netip.MustParsePrefix("10.0.0.0/8"),
		netip.MustParsePrefix("100.64.0.0/10"), // shared by carriers; Alibaba's metadata too
		netip.MustParsePrefix("127.0.0.0/8"),
		netip.MustParsePrefix("168.63.129.16/32"), // Azure's host
		netip.MustParsePrefix("169.254.0.0/16"),
		netip.MustParsePrefix("172.16.0.0/12"),
		netip.MustParsePrefix("192.0.0.0/24"), // protocol assignments; Oracle's metadata too
		netip.MustParsePrefix("192.0.2.0/24"),
		netip.MustParsePrefix("192.31.196.0/24"),
		netip.MustParsePrefix("192.52.193.0/24"),
		netip.MustParsePrefix("192.88.99.0/24"), // relays of 6to4
		netip.MustParsePrefix("192.168.0.0/16"),
		netip.MustParsePrefix("192.175.48.0/24"),
		netip.MustParsePrefix("198.18.0.0/15"),
		netip.MustParsePrefix("198.51.100.0/24"),
		netip.MustParsePrefix("203.0.113.0/24"),
		netip.MustParsePrefix("224.0.0.0/4"),
		netip.MustParsePrefix("240.0.0.0/4"),
		netip.MustParsePrefix("2001::/23"), // protocol assignments, Teredo among them
		netip.MustParsePrefix("2001:db8::/32"),
		netip.MustParsePrefix("2002::/16"), // 6to4 carries any IPv4 address
		netip.MustParsePrefix("2620:4f:8000::/48"),
		netip.MustParsePrefix("3fff::/20"),
	}
}

// Public reports whether an address belongs to the public internet. Everything else is refused:
// private and shared ranges, this machine, neighbours on the link, multicast, documentation, and
// the IPv6 ranges that carry an IPv4 address inside (mapped addresses are unwrapped first).
func Public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if a.Is6() && !netip.MustParsePrefix("2000::/3").Contains(a) {
		return false
	}
	for _, p := range reserved() {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// Loopback reports whether a URL's host names this machine: localhost, a name below it, or a
// loopback address.
func Loopback(u *url.URL) bool {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}

// ParseURL reads an absolute http or https URL and refuses every form that two parsers might
// understand differently: user information, backslashes, spaces and control characters, an empty
// host, zone ids, and hosts that end in a number without being an IPv4 address in plain decimal.
func ParseURL(raw string) (*url.URL, error) {
	for _, r := range raw {
		if r <= ' ' || r == '\\' || r == 0x7f {
			return nil, refusedURL("it holds a space, a backslash or a control character")
		}
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, refusedURL("it is not a URL")
	}
	if err := checkURL(u); err != nil {
		return nil, err
	}
	return u, nil
}

// checkURL holds the rules of ParseURL for a URL that is parsed already.
func checkURL(u *url.URL) error {
	host := u.Hostname()
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return refusedURL("its scheme is neither http nor https")
	case u.Opaque != "" || host == "":
		return refusedURL("it names no host")
	case u.User != nil:
		return refusedURL("it holds a user name")
	case strings.ContainsAny(host, "%\\@ "):
		return refusedURL("its host holds a character that hosts do not have")
	}
	if _, err := netip.ParseAddr(host); err != nil && endsInNumber(host) {
		return refusedURL("its host is a number that is no plain IPv4 address")
	}
	return nil
}

// endsInNumber reports whether the last label of a host is a decimal, octal or hexadecimal
// number, which some resolvers read as an IPv4 address.
func endsInNumber(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	digits := strings.TrimLeft(last, "0123456789")
	hex := strings.TrimLeft(strings.ToLower(last), "0123456789abcdefx")
	return last != "" && (digits == "" || strings.HasPrefix(strings.ToLower(last), "0x") && hex == "")
}

func refusedURL(why string) error {
	return problem.New(problem.Invalid, "invalid_url", "The address can't be used: %s.", why)
}
